/* Steps that several recurrences share. */
#include "steps.h"

#include <stdlib.h>
#include <string.h>

#include "product.h"
#include "sweep.h"

double *scratch_make(int64_t count)
{
    return malloc(((size_t)count + 1) * sizeof(double));
}

Planes planes_of(const Plan *plan, int lanes, const double *series, double *at)
{
    if (lanes == 1)
        return (Planes){series, NULL};
    split_planes(plan->size, series, at, at + plan->size);
    return (Planes){at, at + plan->size};
}

static const double *plane_of_lead(int32_t count, const double *plane, double *at)
{
    if (!plane)
        return NULL;
    memcpy(at, plane, (size_t)count * sizeof *at);
    at[0] = 0;
    return at;
}

Planes lead_of(const Plan *plan, const Planes *planes, double *at)
{
    int32_t count = inner_count(plan, plan->order);
    return (Planes){plane_of_lead(count, planes->first, at),
                    plane_of_lead(count, planes->second, at + count)};
}

void clear_lead(const Recurrence *job)
{
    memset(job->grown, 0,
           (size_t)inner_count(job->plan, job->plan->order) * (size_t)job->lanes *
               sizeof *job->grown);
}

static void scale_range(double factor, int lanes, int64_t start, int64_t stop,
                        const double *from, double *to)
{
    scale_numbers((stop - start) * lanes, factor, from + start * lanes, to + start * lanes);
}

static void divide_range(double divisor, int lanes, int64_t start, int64_t stop, double *numbers)
{
    redivide_numbers((stop - start) * lanes, divisor, numbers + start * lanes);
}

void times_degree(const Plan *plan, int lanes, const double *series, double *result)
{
    for (int32_t degree = 0; degree <= plan->order; degree++)
        scale_range(degree, lanes, plan->inner_start[degree], plan->inner_start[degree + 1],
                    series, result);
    for (int32_t degree = 1; degree <= plan->order; degree++)
        scale_range(degree, lanes, degree_offset(plan, degree),
                    degree_offset(plan, degree + 1), series, result);
}

void over_degree(const Plan *plan, int lanes, double *series)
{
    memset(series, 0, (size_t)lanes * sizeof *series);
    for (int32_t degree = 1; degree <= plan->order; degree++) {
        divide_range(degree, lanes, plan->inner_start[degree], plan->inner_start[degree + 1],
                     series);
        divide_range(degree, lanes, degree_offset(plan, degree),
                     degree_offset(plan, degree + 1), series);
    }
}

void grow_exp(Recurrence *job, Number constant)
{
    const Plan *plan = job->plan;
    clear_lead(job);
    number_put(job->grown, job->lanes, constant);
    for (int32_t degree = 1; degree <= plan->order; degree++) {
        sum_of_degree(job, degree);
        int64_t start = (int64_t)plan->inner_start[degree] * job->lanes;
        int64_t stop = (int64_t)plan->inner_start[degree + 1] * job->lanes;
        divide_numbers(stop - start, degree, job->sums + start, job->grown + start);
    }
    for (int32_t degree = 1; plan->blocks > 1 && degree <= plan->order; degree++) {
        sums_of_blocks(job, degree, 1, degree);
        int64_t start = (int64_t)degree_offset(plan, degree) * job->lanes;
        int64_t stop = (int64_t)degree_offset(plan, degree + 1) * job->lanes;
        divide_numbers(stop - start, degree, job->sums, job->grown + start);
    }
}

void put_quotients(const Recurrence *job, const double *numerator, Number inverse, int32_t start,
                   int32_t stop)
{
    if (job->lanes == 1) {
        scale_difference(stop - start, inverse.first, numerator ? numerator + start : NULL,
                         job->sums + start, job->grown + start);
        return;
    }
    for (int64_t at = (int64_t)2 * start; at < (int64_t)2 * stop; at += 2) {
        Number above = numerator ? number_at(numerator + at, 2) : (Number){0, 0};
        Number rest = {above.first - job->sums[at], above.second - job->sums[at + 1]};
        number_put(job->grown + at, 2, number_times(inverse, rest));
    }
}

void grow_lead_quotient(Recurrence *job, const double *numerator, Number constant, int32_t order)
{
    static const double one[2] = {1, 0};
    const Plan *plan = job->plan;
    Number inverse = number_inverse(constant);
    clear_lead(job);
    number_put(job->grown, job->lanes,
               number_times(inverse, number_at(numerator ? numerator : one, job->lanes)));
    for (int32_t degree = 1; degree <= order; degree++) {
        sum_of_degree(job, degree);
        put_quotients(job, numerator, inverse, plan->inner_start[degree],
                      plan->inner_start[degree + 1]);
    }
}

Planes inverse_lead(const Recurrence *job, Number constant, double factor, int32_t order, double *at)
{
    int32_t count = inner_count(job->plan, job->plan->order);
    Recurrence lead = *job;
    lead.grown = at;
    grow_lead_quotient(&lead, NULL, constant, order);
    if (factor != 1)
        rescale_numbers((int64_t)count * job->lanes, factor, at);
    if (job->lanes == 1)
        return (Planes){at, NULL};
    double *first = at + (int64_t)2 * count, *second = at + (int64_t)3 * count;
    split_planes(count, at, first, second);
    return (Planes){first, second};
}

void put_blocks(const Recurrence *job, const Planes *lead, const double *numerator, int32_t degree)
{
    const Plan *plan = job->plan;
    int32_t order = inner_degree(plan, plan->order - degree);
    int64_t start = (int64_t)degree_offset(plan, degree) * job->lanes;
    int64_t stop = (int64_t)degree_offset(plan, degree + 1) * job->lanes;
    subtract_numbers(stop - start, numerator ? numerator + start : NULL, job->sums);
    if (!order && job->lanes == 1) {
        /* Blocks of a single number each. */
        scale_numbers(stop - start, lead->first[0], job->sums, job->grown + start);
        return;
    }
    for (int32_t block = plan->degree_start[degree]; block < plan->degree_start[degree + 1]; block++) {
        int64_t at = (int64_t)plan->offset[block] * job->lanes;
        times_lead(job, lead, job->sums + (at - start), order, job->grown + at);
    }
}
