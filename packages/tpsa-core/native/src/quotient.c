/* Quotients and the logarithm: f = n / a from a_0 f_s = n_s - sum of a_p f_{s-p}.

   The first block a_0 is a series itself: its inverse is computed once, and every block is
   multiplied by it. The logarithm is a quotient under Euler's operator: its terms times their
   degrees are those of a, times their degrees, over a. */
#include <stdlib.h>

#include "functions.h"
#include "steps.h"
#include "sweep.h"

typedef struct {
    Recurrence job;
    Number constant;
    /* Room for the inverse of the first block, and for a series where one was asked for. */
    double *lead, *spare;
} Quotient;

static int64_t quotient_scratch(const Plan *plan, int lanes, int spare)
{
    return recurrence_scratch(plan) + 6 * inner_count(plan, plan->order) +
           planes_scratch(plan, lanes) + spare * lanes * plan->size;
}

/* The parts of the scratch, and the denominator. */
static Quotient quotient_make(const Plan *plan, const KernelSet *set, int lanes,
                              const double *denominator, double *result, double *scratch)
{
    Quotient quotient = {.job = recurrence_make(plan, set, lanes, -1, scratch),
                         .constant = number_at(denominator, lanes)};
    quotient.lead = scratch + recurrence_scratch(plan);
    double *lead = quotient.lead + 4 * inner_count(plan, plan->order);
    double *planes = lead + 2 * inner_count(plan, plan->order);
    quotient.spare = planes + planes_scratch(plan, lanes);
    Planes known = planes_of(plan, lanes, denominator, planes);
    recurrence_know(&quotient.job, known, lead_of(plan, &known, lead));
    quotient.job.grown = result;
    return quotient;
}

int series_quotient(const Plan *plan, const KernelSet *set, int lanes, const double *numerator,
                    const double *denominator, double *result)
{
    double *scratch = scratch_make(quotient_scratch(plan, lanes, 0));
    if (!scratch)
        return -1;
    Quotient quotient = quotient_make(plan, set, lanes, denominator, result, scratch);
    grow_lead_quotient(&quotient.job, numerator, quotient.constant, plan->order);
    if (plan->blocks > 1) {
        Planes lead = inverse_lead(&quotient.job, quotient.constant, 1, plan->order - 1, quotient.lead);
        for (int32_t degree = 1; degree <= plan->order; degree++) {
            sums_of_blocks(&quotient.job, degree, 1, degree);
            put_blocks(&quotient.job, &lead, numerator, degree);
        }
    }
    recurrence_free(&quotient.job);
    free(scratch);
    return 0;
}

/* The first block is the number times the inverse that all others are multiplied by. */
static void put_lead(const Recurrence *job, Number number, const double *inverse)
{
    int32_t count = inner_count(job->plan, job->plan->order);
    if (job->lanes == 1) {
        scale_numbers(count, number.first, inverse, job->grown);
        return;
    }
    for (int32_t at = 0; at < 2 * count; at += 2)
        number_put(job->grown + at, 2, number_times(number, number_at(inverse + at, 2)));
}

int series_inverse(const Plan *plan, const KernelSet *set, int lanes, double number,
                   const double *series, double *result)
{
    double *scratch = scratch_make(quotient_scratch(plan, lanes, 0));
    if (!scratch)
        return -1;
    Quotient quotient = quotient_make(plan, set, lanes, series, result, scratch);
    Planes lead = inverse_lead(&quotient.job, quotient.constant, 1, plan->order, quotient.lead);
    put_lead(&quotient.job, (Number){number, 0}, quotient.lead);
    for (int32_t degree = 1; plan->blocks > 1 && degree <= plan->order; degree++) {
        sums_of_blocks(&quotient.job, degree, 1, degree);
        put_blocks(&quotient.job, &lead, NULL, degree);
    }
    recurrence_free(&quotient.job);
    free(scratch);
    return 0;
}

int series_log(const Plan *plan, const KernelSet *set, int lanes, const double *series,
               double *result)
{
    double *scratch = scratch_make(quotient_scratch(plan, lanes, 1));
    if (!scratch)
        return -1;
    Quotient quotient = quotient_make(plan, set, lanes, series, result, scratch);
    double *numerator = quotient.spare;
    times_degree(plan, lanes, series, numerator);
    number_put(numerator, lanes, (Number){0, 0});
    grow_lead_quotient(&quotient.job, numerator, quotient.constant, plan->order);
    if (plan->blocks > 1) {
        Planes lead = inverse_lead(&quotient.job, quotient.constant, 1, plan->order - 1, quotient.lead);
        for (int32_t degree = 1; degree <= plan->order; degree++) {
            /* The first block has outer degree 0, and so no part in this derivative. */
            sums_of_blocks(&quotient.job, degree, 1, degree - 1);
            put_blocks(&quotient.job, &lead, numerator, degree);
        }
    }
    over_degree(plan, lanes, result);
    number_put(result, lanes, number_log(quotient.constant, lanes));
    recurrence_free(&quotient.job);
    free(scratch);
    return 0;
}
