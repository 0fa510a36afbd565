/* Quotients and the logarithm: f = n / a from a_0 f_s = n_s - sum of a_p f_{s-p}.

   The first block a_0 is a series itself: its inverse is computed once, and every block is
   multiplied by it. The logarithm is a quotient under Euler's operator: its terms times their
   degrees are those of a, times their degrees, over a. */
#include <stdlib.h>

#include "functions.h"
#include "steps.h"

typedef struct {
    Recurrence job;
    Number constant;
    double *numerator;
    double *lead;
} Quotient;

static int64_t quotient_scratch(const Plan *plan)
{
    return recurrence_scratch(plan) + 4 * plan->size + 4 * inner_count(plan, plan->order);
}

/* The parts of the scratch, and the denominator without its constant part. */
static Quotient quotient_make(const Plan *plan, const KernelSet *set, int lanes,
                              const double *denominator, double *result, double *scratch)
{
    Quotient quotient = {.job = recurrence_make(plan, set, lanes, -1, scratch),
                         .constant = number_at(denominator, lanes)};
    double *at = scratch + recurrence_scratch(plan);
    Planes known = planes_of(plan, lanes, denominator, at);
    known.first[0] = 0;
    if (lanes == 2)
        known.second[0] = 0;
    recurrence_know(&quotient.job, known);
    quotient.numerator = at + 2 * plan->size;
    quotient.lead = at + 4 * plan->size;
    quotient.job.grown = result;
    for (int64_t place = 0; place < plan->size * lanes; place++)
        result[place] = 0;
    return quotient;
}

int series_quotient(const Plan *plan, const KernelSet *set, int lanes, const double *numerator,
                    const double *denominator, double *result)
{
    double *scratch = scratch_make(quotient_scratch(plan));
    if (!scratch)
        return -1;
    Quotient quotient = quotient_make(plan, set, lanes, denominator, result, scratch);
    grow_lead_quotient(&quotient.job, numerator, quotient.constant);
    if (plan->blocks > 1) {
        Planes lead = inverse_lead(&quotient.job, quotient.constant, quotient.lead);
        for (int32_t block = 1; block < plan->blocks; block++) {
            sum_of_block(&quotient.job, block, 1, plan->degree[block]);
            put_block(&quotient.job, &lead, numerator, block);
        }
    }
    recurrence_free(&quotient.job);
    free(scratch);
    return 0;
}

int series_log(const Plan *plan, const KernelSet *set, int lanes, const double *series,
               double *result)
{
    double *scratch = scratch_make(quotient_scratch(plan));
    if (!scratch)
        return -1;
    Quotient quotient = quotient_make(plan, set, lanes, series, result, scratch);
    times_degree(plan, lanes, series, quotient.numerator);
    number_put(quotient.numerator, lanes, (Number){0, 0});
    grow_lead_quotient(&quotient.job, quotient.numerator, quotient.constant);
    if (plan->blocks > 1) {
        Planes lead = inverse_lead(&quotient.job, quotient.constant, quotient.lead);
        for (int32_t block = 1; block < plan->blocks; block++) {
            /* The first block has outer degree 0, and so no part in this derivative. */
            sum_of_block(&quotient.job, block, 1, plan->degree[block] - 1);
            put_block(&quotient.job, &lead, quotient.numerator, block);
        }
    }
    over_degree(plan, lanes, result);
    number_put(result, lanes, number_log(quotient.constant, lanes));
    recurrence_free(&quotient.job);
    free(scratch);
    return 0;
}
