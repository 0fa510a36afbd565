/* The sums of products that recurrences are made of, for real and for paired series. */
#include "recurrence.h"

#include <string.h>

#include "product.h"
#include "sweep.h"

Recurrence recurrence_make(const Plan *plan, const KernelSet *set, int lanes, double square,
                           double *scratch)
{
    Recurrence job = {.plan = plan,
                      .family = family_for(set, lanes),
                      .lanes = lanes,
                      .square = square,
                      .known_high = plan->order,
                      .sums = scratch,
                      .turned = scratch + lanes * largest_degree(plan)};
    /* Without memory for it blocks are computed one by one. */
    job.is_wide = lanes == 1 && wide_is_worth_it(plan, set) && !wide_make(&job.wide, plan, set);
    return job;
}

void recurrence_free(Recurrence *job)
{
    if (job->is_wide)
        wide_free(&job->wide);
}

static int is_zero(const double *numbers, int64_t start, int64_t stop)
{
    for (int64_t at = start; numbers && at < stop; at++)
        if (numbers[at] != 0)
            return 0;
    return 1;
}

void recurrence_know(Recurrence *job, Planes known, Planes lead)
{
    const Plan *plan = job->plan;
    int32_t high = plan->order;
    while (high > 0) {
        int64_t start = plan->offset[plan->degree_start[high]];
        int64_t stop = plan->offset[plan->degree_start[high + 1]];
        if (!is_zero(known.first, start, stop) || !is_zero(known.second, start, stop))
            break;
        high--;
    }
    job->known = known;
    job->lead = lead;
    job->known_high = high;
}

/* One sum of products of paired series: the right operand's two parts one after the other. */
static void add_up(const Recurrence *job, const double *grown, const Planes *known, int32_t order,
                   const BlockPairs *pairs, double *sum)
{
    const Plan *plan = job->plan;
    int32_t variables = plan->inner_variables;
    if (known->first && !known->second) {
        block_product(job->family, variables, order, grown, known->first, sum, pairs);
        return;
    }
    int32_t count = inner_count(plan, order) - pairs->first;
    double *from = sum + (int64_t)pairs->first * job->lanes;
    if (known->first)
        block_product(job->family, variables, order, grown, known->first, sum, pairs);
    else if (!pairs->keep)
        memset(from, 0, (size_t)count * (size_t)job->lanes * sizeof *from);
    if (!known->second)
        return;
    BlockPairs alone = *pairs;
    alone.keep = 0;
    block_product(job->family, variables, order, grown, known->second, job->turned, &alone);
    add_turned(count, job->square, job->turned + (int64_t)pairs->first * job->lanes, from);
}

void sum_of_degree(const Recurrence *job, int32_t degree)
{
    static const int32_t origin = 0;
    /* A block whose variables are bound has no such terms. */
    if (degree > job->plan->inner_order)
        return;
    BlockPairs pairs = {&origin, &origin, 1, job->plan->inner_start[degree], 0};
    add_up(job, job->grown, &job->lead, degree, &pairs, job->sums);
}

/* Returns 0 where blocks are computed one by one. */
static int sums_side_by_side(const Recurrence *job, int32_t degree, int32_t from, int32_t to, int half)
{
    if (!job->is_wide || to > job->known_high || !wide_gains(&job->wide, degree))
        return 0;
    wide_sums(&job->wide, &(WideSums){.degree = degree,
                                      .from = from,
                                      .to = to,
                                      .order = inner_degree(job->plan, job->plan->order - degree),
                                      .half = half,
                                      .left = job->known.first,
                                      .right = job->grown,
                                      .result = job->sums,
                                      .origin = degree_offset(job->plan, degree)});
    return 1;
}

/* The known operand's degrees are those of the left factors. */
static void sum_of_pairs(const Recurrence *job, int32_t block, int64_t start, int64_t count, int keep)
{
    const Plan *plan = job->plan;
    BlockPairs pairs = {plan->right_at + start, plan->left_at + start, (int32_t)count, 0, keep};
    int32_t degree = plan->degree[block];
    int64_t at = plan->offset[block] - degree_offset(plan, degree);
    add_up(job, job->grown, &job->known, inner_degree(plan, plan->order - degree), &pairs,
           job->sums + at * job->lanes);
}

void sums_of_blocks(Recurrence *job, int32_t degree, int32_t from, int32_t to)
{
    const Plan *plan = job->plan;
    if (sums_side_by_side(job, degree, from, to, 0))
        return;
    to = to < job->known_high ? to : job->known_high;
    for (int32_t block = plan->degree_start[degree]; block < plan->degree_start[degree + 1]; block++) {
        int64_t start = plan_cut(plan, block, from), stop = plan_cut(plan, block, to + 1);
        sum_of_pairs(job, block, start, stop > start ? stop - start : 0, 0);
    }
}

/* As in real_square: pairs that are opposite have one product, and an odd one is in the middle. */
void sums_of_square(Recurrence *job, int32_t degree)
{
    const Plan *plan = job->plan;
    int32_t first = plan->degree_start[degree], after = plan->degree_start[degree + 1];
    if (!sums_side_by_side(job, degree, 1, degree - 1, 1))
        for (int32_t block = first; block < after; block++) {
            int64_t start = plan_cut(plan, block, 1), stop = plan_cut(plan, block, degree);
            sum_of_pairs(job, block, start, (stop - start) / 2, 0);
        }
    rescale_numbers((int64_t)(plan->offset[after] - plan->offset[first]) * job->lanes, 2, job->sums);
    /* A square has an even degree. */
    for (int32_t block = first; degree % 2 == 0 && block < after; block++) {
        int64_t start = plan_cut(plan, block, 1), stop = plan_cut(plan, block, degree);
        if ((stop - start) % 2)
            sum_of_pairs(job, block, start + (stop - start) / 2, 1, 1);
    }
}

void times_lead(const Recurrence *job, const Planes *lead, const double *block, int32_t order,
                double *result)
{
    static const int32_t origin = 0;
    BlockPairs pairs = {&origin, &origin, 1, 0, 0};
    add_up(job, block, lead, order, &pairs, result);
}
