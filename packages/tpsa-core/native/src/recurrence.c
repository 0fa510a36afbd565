/* The sums of products that recurrences are made of, for real and for paired series. */
#include "recurrence.h"

#include <stdlib.h>
#include <string.h>

#include "product.h"
#include "sweep.h"

Recurrence recurrence_make(const Plan *plan, const KernelSet *set, int lanes, double square,
                           double *scratch)
{
    int64_t width = (int64_t)lanes * inner_count(plan, plan->order);
    Recurrence job = {.plan = plan,
                      .family = family_for(set, lanes),
                      .lanes = lanes,
                      .square = square,
                      .known_high = plan->order,
                      .narrow_sum = scratch,
                      .sum = scratch,
                      .turned = scratch + width};
    /* Without memory for it blocks are computed one by one. */
    if (lanes == 1 && wide_is_worth_it(plan, set) && !wide_make(&job.wide, plan, set)) {
        job.wide_sums = malloc((size_t)plan->size * sizeof *job.wide_sums);
        job.is_wide = job.wide_sums != NULL;
        if (!job.is_wide)
            wide_free(&job.wide);
    }
    return job;
}

void recurrence_free(Recurrence *job)
{
    if (!job->is_wide)
        return;
    free(job->wide_sums);
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

void sum_of_degree(Recurrence *job, int32_t degree)
{
    job->sum = job->narrow_sum;
    static const int32_t origin = 0;
    /* A block whose variables are bound has no such terms. */
    if (degree > job->plan->inner_order)
        return;
    BlockPairs pairs = {&origin, &origin, 1, job->plan->inner_start[degree], 0};
    add_up(job, job->grown, &job->lead, degree, &pairs, job->sum);
}

static void sums_side_by_side(Recurrence *job, int32_t degree, int32_t from, int32_t to, int half)
{
    wide_sums(&job->wide, &(WideSums){.degree = degree,
                                      .from = from,
                                      .to = to,
                                      .order = inner_degree(job->plan, job->plan->order - degree),
                                      .half = half,
                                      .left = job->known.first,
                                      .right = job->grown,
                                      .result = job->wide_sums});
}

/* The sums of all blocks of a degree are computed with the first of them. Returns 0 where blocks are
   computed one by one. */
static int sum_side_by_side(Recurrence *job, int32_t block, int32_t from, int32_t to, int half)
{
    const Plan *plan = job->plan;
    int32_t degree = plan->degree[block];
    if (!job->is_wide || to > job->known_high || !wide_gains(&job->wide, degree))
        return 0;
    if (block == plan->degree_start[degree])
        sums_side_by_side(job, degree, from, to, half);
    job->sum = job->wide_sums + plan->offset[block];
    return 1;
}

/* The known operand's degrees are those of the left factors. */
static void sum_of_pairs(const Recurrence *job, int32_t block, int64_t start, int64_t count, int keep)
{
    const Plan *plan = job->plan;
    BlockPairs pairs = {plan->right_at + start, plan->left_at + start, (int32_t)count, 0, keep};
    add_up(job, job->grown, &job->known, inner_degree(plan, plan->order - plan->degree[block]),
           &pairs, job->sum);
}

void sum_of_block(Recurrence *job, int32_t block, int32_t from, int32_t to)
{
    const Plan *plan = job->plan;
    if (sum_side_by_side(job, block, from, to, 0))
        return;
    job->sum = job->narrow_sum;
    int64_t start = plan_cut(plan, block, from);
    int64_t stop = plan_cut(plan, block, (to < job->known_high ? to : job->known_high) + 1);
    sum_of_pairs(job, block, start, stop > start ? stop - start : 0, 0);
}

/* As in real_square: pairs that are opposite have one product, and an odd one is in the middle. */
void sum_of_square(Recurrence *job, int32_t block)
{
    const Plan *plan = job->plan;
    int32_t degree = plan->degree[block];
    int64_t start = plan_cut(plan, block, 1);
    int64_t count = plan_cut(plan, block, degree) - start;
    if (!sum_side_by_side(job, block, 1, degree - 1, 1)) {
        job->sum = job->narrow_sum;
        sum_of_pairs(job, block, start, count / 2, 0);
    }
    int32_t order = inner_degree(plan, plan->order - degree);
    rescale_numbers((int64_t)inner_count(plan, order) * job->lanes, 2, job->sum);
    if (count % 2)
        sum_of_pairs(job, block, start + count / 2, 1, 1);
}

void times_lead(const Recurrence *job, const Planes *lead, const double *block, int32_t order,
                double *result)
{
    static const int32_t origin = 0;
    BlockPairs pairs = {&origin, &origin, 1, 0, 0};
    add_up(job, block, lead, order, &pairs, result);
}
