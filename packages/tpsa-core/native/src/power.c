/* Square roots and real powers.

   sqrt: 2 f_0 f_s = a_s - sum of f_p f_{s-p} over 0 < p < s.
   a**c: s a_0 f_s = sum of ((c + 1) p - s) a_p f_{s-p} over 0 < p (J. C. P. Miller's formula). */
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "product.h"
#include "steps.h"
#include "sweep.h"

/* The result as the known operand: real series are read where they grow, and complex ones are known
   as planes at two places of `size` numbers each. */
typedef struct {
    double *first, *second;
} Learnt;

/* The terms of the result that have just been found are known from now on. */
static void learn(const Recurrence *job, const Learnt *learnt, int64_t start, int64_t count)
{
    if (job->lanes == 2)
        split_planes(count, job->grown + start * 2, learnt->first + start, learnt->second + start);
}

/* The same for the first block, which for real series has a copy without the constant part. */
static void learn_lead(const Recurrence *job, const Learnt *learnt, int64_t start, int64_t count)
{
    learn(job, learnt, start, count);
    if (job->lanes == 1)
        memcpy(learnt->first + start, job->grown + start, (size_t)count * sizeof *job->grown);
}

/* The first block of the root: the same recurrence in the inner degree. */
static void grow_lead_root(Recurrence *job, const Learnt *learnt, const double *series, Number root)
{
    const Plan *plan = job->plan;
    size_t count = (size_t)inner_count(plan, plan->order);
    Number inverse = number_inverse((Number){2 * root.first, 2 * root.second});
    clear_lead(job);
    memset(learnt->first, 0, count * sizeof(double));
    if (learnt->second)
        memset(learnt->second, 0, count * sizeof(double));
    number_put(job->grown, job->lanes, root);
    for (int32_t degree = 1; degree <= plan->order; degree++) {
        sum_of_degree(job, degree);
        int32_t start = plan->inner_start[degree], stop = plan->inner_start[degree + 1];
        put_quotients(job, series, inverse, start, stop);
        learn_lead(job, learnt, start, stop - start);
    }
}

int series_sqrt(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                double *result)
{
    int64_t fixed = recurrence_scratch(plan), count = inner_count(plan, plan->order);
    int64_t learnt_count = lanes == 2 ? 2 * plan->size : count;
    double *scratch = scratch_make(fixed + 4 * count + learnt_count);
    if (!scratch)
        return -1;
    Recurrence job = recurrence_make(plan, set, lanes, -1, scratch);
    double *known = scratch + fixed + 4 * count;
    Learnt learnt = {known, lanes == 2 ? known + plan->size : NULL};
    job.grown = result;
    job.lead = (Planes){learnt.first, learnt.second};
    job.known = lanes == 1 ? (Planes){result, NULL} : job.lead;
    Number root = number_sqrt(number_at(series, lanes), lanes);
    grow_lead_root(&job, &learnt, series, root);
    if (plan->blocks > 1) {
        Planes lead = inverse_lead(&job, root, 0.5, plan->order - 1, scratch + fixed);
        for (int32_t degree = 1; degree <= plan->order; degree++) {
            sums_of_square(&job, degree);
            put_blocks(&job, &lead, series, degree);
            int32_t start = plan->offset[plan->degree_start[degree]];
            learn(&job, &learnt, start, plan->offset[plan->degree_start[degree + 1]] - start);
        }
    }
    recurrence_free(&job);
    free(scratch);
    return 0;
}

/* The factor of a_p f_{s-p}, divided by s; negative, since sums are subtracted. */
static double miller_factor(double exponent, int32_t part, int32_t degree)
{
    return (degree - (exponent + 1) * part) / degree;
}

enum { SHORT_PART = 16 };

/* The operand, and where it stands multiplied by such factors. */
typedef struct {
    Planes source;
    double *first, *second;
} Scaled;

/* Most parts are short: without a call. */
static void scale_plane(double factor, const double *from, double *to, int64_t count)
{
    if (count > SHORT_PART) {
        scale_numbers(count, factor, from, to);
        return;
    }
    for (int64_t at = 0; at < count; at++)
        to[at] = factor * from[at];
}

static void scale_planes(double factor, const Scaled *scaled, int64_t start, int64_t stop)
{
    scale_plane(factor, scaled->source.first + start, scaled->first + start, stop - start);
    if (scaled->second)
        scale_plane(factor, scaled->source.second + start, scaled->second + start, stop - start);
}

static void grow_lead_power(Recurrence *job, const Scaled *scaled, double exponent,
                            Number constant, Number power)
{
    const Plan *plan = job->plan;
    Number inverse = number_inverse(constant);
    clear_lead(job);
    scaled->first[0] = 0;
    if (scaled->second)
        scaled->second[0] = 0;
    number_put(job->grown, job->lanes, power);
    for (int32_t degree = 1; degree <= plan->order; degree++) {
        for (int32_t part = 1; part <= degree; part++)
            scale_planes(miller_factor(exponent, part, degree), scaled, plan->inner_start[part],
                         plan->inner_start[part + 1]);
        sum_of_degree(job, degree);
        put_quotients(job, NULL, inverse, plan->inner_start[degree],
                      plan->inner_start[degree + 1]);
    }
}

/* The factors for the blocks of one outer degree; only what its inner order reaches. */
static void scale_known(const Recurrence *job, const Scaled *scaled, double exponent,
                        int32_t degree)
{
    const Plan *plan = job->plan;
    int32_t reached = inner_count(plan, plan->order - degree);
    for (int32_t part = 1; part <= degree; part++)
        for (int32_t block = plan->degree_start[part]; block < plan->degree_start[part + 1];
             block++)
            scale_planes(miller_factor(exponent, part, degree), scaled, plan->offset[block],
                         (int64_t)plan->offset[block] + reached);
}

int series_power(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                 double exponent, double *result)
{
    int64_t fixed = recurrence_scratch(plan);
    int64_t count = inner_count(plan, plan->order), planes = planes_scratch(plan, lanes);
    double *scratch = scratch_make(fixed + 6 * count + planes + lanes * plan->size);
    if (!scratch)
        return -1;
    Recurrence job = recurrence_make(plan, set, lanes, -1, scratch);
    job.grown = result;
    double *leads = scratch + fixed, *at = leads + 6 * count;
    Planes source = planes_of(plan, lanes, series, at);
    Scaled scaled = {source, at + planes, lanes == 2 ? at + planes + plan->size : NULL};
    Planes known = {scaled.first, scaled.second};
    Number constant = number_at(series, lanes);
    recurrence_know(&job, source, known);
    job.known = known;
    grow_lead_power(&job, &scaled, exponent, constant, number_power(constant, exponent, lanes));
    if (plan->blocks > 1) {
        /* The inverse needs the operand itself. */
        job.lead = lead_of(plan, &source, leads + 4 * count);
        Planes lead = inverse_lead(&job, constant, 1, plan->order - 1, leads);
        for (int32_t degree = 1; degree <= plan->order; degree++) {
            scale_known(&job, &scaled, exponent, degree);
            sums_of_blocks(&job, degree, 1, degree);
            put_blocks(&job, &lead, NULL, degree);
        }
    }
    recurrence_free(&job);
    free(scratch);
    return 0;
}
