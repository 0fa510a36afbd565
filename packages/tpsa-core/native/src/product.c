/* Products, block by block of the result: each one is finished before the next begins. */
#include "product.h"

#include <string.h>

#include "sweep.h"
#include "wide.h"

static int32_t least(int32_t first, int32_t second)
{
    return first < second ? first : second;
}

static int32_t most(int32_t first, int32_t second)
{
    return first > second ? first : second;
}

static void clear(double *numbers, int64_t count)
{
    if (count)
        memset(numbers, 0, (size_t)count * sizeof *numbers);
}

/* The blocks of one degree of the result. The left factors of outer degree p meet right ones of s - p,
   and a block of outer degree p is zero unless p is at most the highest degree of its series. */
static void blocks_of_product(const Plan *plan, const KernelFamily *family, int32_t degree,
                              const double *left, const double *right, double *result,
                              const ProductRange *range, int32_t low, int32_t high)
{
    int32_t order = inner_degree(plan, high - degree);
    int32_t from = most(0, degree - range->right_high), to = least(degree, range->left_high);
    int32_t first = plan->inner_start[most(0, low - degree)];
    int32_t computed = inner_count(plan, order), all = inner_count(plan, plan->order - degree);
    for (int32_t block = plan->degree_start[degree]; block < plan->degree_start[degree + 1]; block++) {
        double *c = result + (int64_t)plan->offset[block] * family->lanes;
        int64_t start = plan_cut(plan, block, from);
        /* An empty range of degrees has no pairs: then the block is zero. */
        int64_t stop = from <= to ? plan_cut(plan, block, to + 1) : start;
        BlockPairs pairs = {plan->left_at + start, plan->right_at + start, (int32_t)(stop - start),
                            first, range->keep};
        block_product(family, plan->inner_variables, order, left, right, c, &pairs);
        if (!range->keep) {
            clear(c, (int64_t)first * family->lanes);
            clear(c + (int64_t)computed * family->lanes, (int64_t)(all - computed) * family->lanes);
        }
    }
}

void lane_product(const Plan *plan, const KernelFamily *family, const double *left,
                  const double *right, double *result, const ProductRange *range)
{
    int32_t low = range->left_low + range->right_low;
    int32_t high = least(range->order, range->left_high + range->right_high);
    if (low > high) {
        if (!range->keep)
            clear(result, plan->size * family->lanes);
        return;
    }
    int32_t stop = plan->degree_start[high + 1];
    /* A single block has degree 0, and the others have none. */
    for (int32_t degree = 0; plan->degree_start[degree] < stop; degree++)
        blocks_of_product(plan, family, degree, left, right, result, range, low, high);
    if (!range->keep)
        clear(result + (int64_t)plan->offset[stop] * family->lanes,
              (plan->size - plan->offset[stop]) * family->lanes);
}

/* Dense operands at the full order: the only case in which blocks are computed side by side. */
static int is_full(const Plan *plan, const ProductRange *range)
{
    return !range->keep && range->left_high == plan->order && range->right_high == plan->order &&
           range->order == plan->order;
}

static void wide_degree(const WideJob *job, int32_t degree, const double *left,
                        const double *right, double *result, int32_t low)
{
    const Plan *plan = job->plan;
    WideSums wanted = {.degree = degree,
                       .to = degree,
                       .order = inner_degree(plan, plan->order - degree),
                       .first = plan->inner_start[most(0, low - degree)],
                       .left = left,
                       .right = right,
                       .result = result};
    wide_sums(job, &wanted);
    for (int32_t block = plan->degree_start[degree];
         wanted.first && block < plan->degree_start[degree + 1]; block++)
        clear(result + plan->offset[block], wanted.first);
}

void real_product(const Plan *plan, const KernelSet *set, const double *left, const double *right,
                  double *result, const ProductRange *range)
{
    const KernelFamily *family = family_for(set, 1);
    WideJob job;
    if (!is_full(plan, range) || !wide_is_worth_it(plan, set) || wide_make(&job, plan, set)) {
        lane_product(plan, family, left, right, result, range);
        return;
    }
    int32_t low = least(range->left_low + range->right_low, plan->order);
    for (int32_t degree = 0; degree <= plan->order; degree++)
        if (wide_gains(&job, degree))
            wide_degree(&job, degree, left, right, result, low);
        else
            blocks_of_product(plan, family, degree, left, right, result, range, low, plan->order);
    wide_free(&job);
}

/* Pair k of a block is the opposite of pair count - 1 - k: the first half is taken, and doubled. */
static void halves_of_square(const Plan *plan, const KernelFamily *family, int32_t degree,
                             const double *series, double *result)
{
    int32_t order = inner_degree(plan, plan->order - degree);
    for (int32_t block = plan->degree_start[degree]; block < plan->degree_start[degree + 1]; block++) {
        int64_t start = plan_cut(plan, block, 0);
        int32_t count = (int32_t)(plan_cut(plan, block, degree + 1) - start);
        BlockPairs half = {plan->left_at + start, plan->right_at + start, count / 2, 0, 0};
        block_product(family, plan->inner_variables, order, series, series,
                      result + plan->offset[block], &half);
    }
}

/* An odd pair in the middle is a square, and not doubled. */
static void add_middles(const Plan *plan, const KernelFamily *family, int32_t degree,
                        const double *series, double *result)
{
    int32_t order = inner_degree(plan, plan->order - degree);
    for (int32_t block = plan->degree_start[degree]; block < plan->degree_start[degree + 1]; block++) {
        int64_t start = plan_cut(plan, block, 0);
        int64_t count = plan_cut(plan, block, degree + 1) - start;
        if (count % 2 == 0)
            continue;
        BlockPairs middle = {plan->left_at + start + count / 2, plan->right_at + start + count / 2, 1, 0,
                             degree > 0};
        block_product(family, plan->inner_variables, order, series, series,
                      result + plan->offset[block], &middle);
    }
}

void real_square(const Plan *plan, const KernelSet *set, const double *series, double *result)
{
    const KernelFamily *family = family_for(set, 1);
    WideJob job;
    int wide = wide_is_worth_it(plan, set) && !wide_make(&job, plan, set);
    for (int32_t degree = 1; degree <= plan->order; degree++)
        if (wide && wide_gains(&job, degree))
            wide_sums(&job, &(WideSums){.degree = degree,
                                        .to = degree,
                                        .order = inner_degree(plan, plan->order - degree),
                                        .half = 1,
                                        .left = series,
                                        .right = series,
                                        .result = result});
        else
            halves_of_square(plan, family, degree, series, result);
    int64_t after_first = plan->offset[1];
    rescale_numbers(plan->size - after_first, 2, result + after_first);
    /* The first block is nothing but a middle, and each degree that is even has one. */
    for (int32_t degree = 0; degree <= plan->order; degree += 2)
        add_middles(plan, family, degree, series, result);
    if (wide)
        wide_free(&job);
}

void complex_product(const Plan *plan, const KernelSet *set, const double *left,
                     const double *right, double *result, const ProductRange *range,
                     double *scratch)
{
    const KernelFamily *family = family_for(set, 2);
    double *real = scratch;
    double *imaginary = real + plan->size;
    double *turned = imaginary + plan->size;
    split_planes(plan->size, right, real, imaginary);
    lane_product(plan, family, left, real, result, range);
    ProductRange alone = *range;
    alone.keep = 0;
    lane_product(plan, family, left, imaginary, turned, &alone);
    add_turned(plan->size, -1, turned, result);
}

void split_planes(int64_t count, const double *numbers, double *first, double *second)
{
    for (int64_t at = 0; at < count; at++) {
        first[at] = numbers[2 * at];
        second[at] = numbers[2 * at + 1];
    }
}

void join_planes(int64_t count, const double *first, const double *second, double *numbers)
{
    for (int64_t at = 0; at < count; at++) {
        numbers[2 * at] = first[at];
        numbers[2 * at + 1] = second[at];
    }
}

void add_turned(int64_t count, double square, const double *turned, double *sum)
{
    for (int64_t at = 0; at < count; at++) {
        sum[2 * at] += square * turned[2 * at + 1];
        sum[2 * at + 1] += turned[2 * at];
    }
}
