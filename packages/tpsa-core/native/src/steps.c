/* Steps that several recurrences share. */
#include "steps.h"

#include <stdlib.h>
#include <string.h>

#include "product.h"
#include "sweep.h"

double *scratch_make(int64_t count)
{
    return calloc((size_t)count + 1, sizeof(double));
}

Planes planes_of(const Plan *plan, int lanes, const double *series, double *at)
{
    Planes planes = {at, NULL};
    if (lanes == 1) {
        memcpy(at, series, (size_t)plan->size * sizeof *at);
        return planes;
    }
    planes.second = at + plan->size;
    split_planes(plan->size, series, planes.first, planes.second);
    return planes;
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
        scale_range(degree, lanes, plan->offset[plan->degree_start[degree]],
                    plan->offset[plan->degree_start[degree + 1]], series, result);
}

void over_degree(const Plan *plan, int lanes, double *series)
{
    memset(series, 0, (size_t)lanes * sizeof *series);
    for (int32_t degree = 1; degree <= plan->order; degree++) {
        divide_range(degree, lanes, plan->inner_start[degree], plan->inner_start[degree + 1],
                     series);
        divide_range(degree, lanes, plan->offset[plan->degree_start[degree]],
                     plan->offset[plan->degree_start[degree + 1]], series);
    }
}

void grow_exp(Recurrence *job, Number constant)
{
    const Plan *plan = job->plan;
    number_put(job->grown, job->lanes, constant);
    for (int32_t degree = 1; degree <= plan->order; degree++) {
        sum_of_degree(job, degree);
        int64_t start = (int64_t)plan->inner_start[degree] * job->lanes;
        int64_t stop = (int64_t)plan->inner_start[degree + 1] * job->lanes;
        divide_numbers(stop - start, degree, job->sum + start, job->grown + start);
    }
    for (int32_t block = 1; block < plan->blocks; block++) {
        int32_t degree = plan->degree[block];
        double *grown = job->grown + (int64_t)plan->offset[block] * job->lanes;
        sum_of_block(job, block, 1, degree);
        int64_t count = (int64_t)inner_count(plan, plan->order - degree) * job->lanes;
        divide_numbers(count, degree, job->sum, grown);
    }
}

void put_quotients(const Recurrence *job, const double *numerator, Number inverse, int32_t start,
                   int32_t stop)
{
    if (job->lanes == 1) {
        scale_difference(stop - start, inverse.first, numerator ? numerator + start : NULL,
                         job->sum + start, job->grown + start);
        return;
    }
    for (int64_t at = (int64_t)2 * start; at < (int64_t)2 * stop; at += 2) {
        Number above = numerator ? number_at(numerator + at, 2) : (Number){0, 0};
        Number rest = {above.first - job->sum[at], above.second - job->sum[at + 1]};
        number_put(job->grown + at, 2, number_times(inverse, rest));
    }
}

void grow_lead_quotient(Recurrence *job, const double *numerator, Number constant)
{
    static const double one[2] = {1, 0};
    const Plan *plan = job->plan;
    Number inverse = number_inverse(constant);
    number_put(job->grown, job->lanes,
               number_times(inverse, number_at(numerator ? numerator : one, job->lanes)));
    for (int32_t degree = 1; degree <= plan->order; degree++) {
        sum_of_degree(job, degree);
        put_quotients(job, numerator, inverse, plan->inner_start[degree],
                      plan->inner_start[degree + 1]);
    }
}

Planes inverse_lead(const Recurrence *job, Number constant, double *at)
{
    int32_t count = inner_count(job->plan, job->plan->order);
    Recurrence lead = *job;
    lead.grown = at;
    grow_lead_quotient(&lead, NULL, constant);
    if (job->lanes == 1)
        return (Planes){at, NULL};
    Planes planes = {at + (int64_t)2 * count, at + (int64_t)3 * count};
    split_planes(count, at, planes.first, planes.second);
    return planes;
}

void put_block(const Recurrence *job, const Planes *lead, const double *numerator, int32_t block)
{
    const Plan *plan = job->plan;
    int32_t order = inner_degree(plan, plan->order - plan->degree[block]);
    int32_t count = inner_count(plan, order) * job->lanes;
    int64_t start = (int64_t)plan->offset[block] * job->lanes;
    subtract_numbers(count, numerator ? numerator + start : NULL, job->sum);
    times_lead(job, lead, job->sum, order);
    memcpy(job->grown + start, job->product, (size_t)count * sizeof *job->grown);
}
