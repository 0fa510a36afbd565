/* Square roots and real powers.

   sqrt: 2 f_0 f_s = a_s - sum of f_p f_{s-p} over 0 < p < s.
   a**c: s a_0 f_s = sum of ((c + 1) p - s) a_p f_{s-p} over 0 < p (J. C. P. Miller's formula). */
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "product.h"
#include "steps.h"
#include "sweep.h"

/* The terms of the result that have just been found are known from now on. */
static void learn(const Recurrence *job, int64_t start, int64_t count)
{
    const double *grown = job->grown + start * job->lanes;
    if (job->lanes == 1)
        memcpy(job->known.first + start, grown, (size_t)count * sizeof *grown);
    else
        split_planes(count, grown, job->known.first + start, job->known.second + start);
}

/* The first block of the root: the same recurrence in the inner degree. */
static void grow_lead_root(Recurrence *job, const double *series, Number root)
{
    const Plan *plan = job->plan;
    Number inverse = number_inverse((Number){2 * root.first, 2 * root.second});
    number_put(job->grown, job->lanes, root);
    for (int32_t degree = 1; degree <= plan->order; degree++) {
        sum_of_degree(job, degree);
        int32_t start = plan->inner_start[degree], stop = plan->inner_start[degree + 1];
        put_quotients(job, series, inverse, start, stop);
        learn(job, start, stop - start);
    }
}

/* 1 / (2 f_0): the inverse of f_0, halved. */
static Planes half_inverse_lead(const Recurrence *job, Number root, double *at)
{
    Planes lead = inverse_lead(job, root, at);
    for (int32_t place = 0; place < inner_count(job->plan, job->plan->order); place++) {
        lead.first[place] /= 2;
        if (lead.second)
            lead.second[place] /= 2;
    }
    return lead;
}

int series_sqrt(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                double *result)
{
    int64_t fixed = recurrence_scratch(plan);
    double *scratch =
        scratch_make(fixed + 2 * plan->size + 4 * inner_count(plan, plan->order));
    if (!scratch)
        return -1;
    Recurrence job = recurrence_make(plan, set, lanes, -1, scratch);
    job.grown = result;
    job.known = (Planes){scratch + fixed, lanes == 2 ? scratch + fixed + plan->size : NULL};
    for (int64_t at = 0; at < plan->size * lanes; at++)
        result[at] = 0;
    Number root = number_sqrt(number_at(series, lanes), lanes);
    grow_lead_root(&job, series, root);
    if (plan->blocks > 1) {
        Planes lead = half_inverse_lead(&job, root, scratch + fixed + 2 * plan->size);
        for (int32_t block = 1; block < plan->blocks; block++) {
            int32_t degree = plan->degree[block];
            sum_of_block(&job, block, 1, degree - 1);
            put_block(&job, &lead, series, block);
            learn(&job, plan->offset[block], inner_count(plan, plan->order - degree));
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

static void scale_plane(double factor, const double *from, double *to, int64_t start, int64_t stop)
{
    scale_numbers(stop - start, factor, from + start, to + start);
}

static void scale_planes(double factor, const Planes *from, const Planes *to, int64_t start,
                         int64_t stop)
{
    scale_plane(factor, from->first, to->first, start, stop);
    if (from->second)
        scale_plane(factor, from->second, to->second, start, stop);
}

static void grow_lead_power(Recurrence *job, const Planes *series, double exponent,
                            Number constant, Number power)
{
    const Plan *plan = job->plan;
    Number inverse = number_inverse(constant);
    number_put(job->grown, job->lanes, power);
    for (int32_t degree = 1; degree <= plan->order; degree++) {
        for (int32_t part = 1; part <= degree; part++)
            scale_planes(miller_factor(exponent, part, degree), series, &job->known,
                         plan->inner_start[part], plan->inner_start[part + 1]);
        sum_of_degree(job, degree);
        put_quotients(job, NULL, inverse, plan->inner_start[degree],
                      plan->inner_start[degree + 1]);
    }
}

/* The factors for the blocks of one outer degree; only what its inner order reaches. */
static void scale_known(const Recurrence *job, const Planes *series, double exponent,
                        int32_t degree)
{
    const Plan *plan = job->plan;
    int32_t reached = inner_count(plan, plan->order - degree);
    for (int32_t part = 1; part <= degree; part++)
        for (int32_t block = plan->degree_start[part]; block < plan->degree_start[part + 1];
             block++)
            scale_planes(miller_factor(exponent, part, degree), series, &job->known,
                         plan->offset[block], (int64_t)plan->offset[block] + reached);
}

int series_power(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                 double exponent, double *result)
{
    int64_t fixed = recurrence_scratch(plan);
    double *scratch =
        scratch_make(fixed + 4 * plan->size + 4 * inner_count(plan, plan->order));
    if (!scratch)
        return -1;
    Recurrence job = recurrence_make(plan, set, lanes, -1, scratch);
    job.grown = result;
    double *at = scratch + fixed;
    Planes source = planes_of(plan, lanes, series, at);
    Planes scaled = {at + 2 * plan->size, lanes == 2 ? at + 3 * plan->size : NULL};
    for (int64_t place = 0; place < plan->size * lanes; place++)
        result[place] = 0;
    Number constant = number_at(series, lanes);
    recurrence_know(&job, source);
    job.known = scaled;
    grow_lead_power(&job, &source, exponent, constant, number_power(constant, exponent, lanes));
    if (plan->blocks > 1) {
        /* The inverse needs the operand itself. */
        job.known = source;
        number_put(source.first, 1, (Number){0, 0});
        if (source.second)
            number_put(source.second, 1, (Number){0, 0});
        Planes lead = inverse_lead(&job, constant, at + 4 * plan->size);
        job.known = scaled;
        for (int32_t block = 1; block < plan->blocks; block++) {
            int32_t degree = plan->degree[block];
            if (block == plan->degree_start[degree])
                scale_known(&job, &source, exponent, degree);
            sum_of_block(&job, block, 1, degree);
            put_block(&job, &lead, NULL, block);
        }
    }
    recurrence_free(&job);
    free(scratch);
    return 0;
}
