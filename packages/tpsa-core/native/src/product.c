/* Products, block by block of the result: each one is finished before the next begins. */
#include "product.h"

#include <string.h>

#include "sweep.h"

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
    memset(numbers, 0, (size_t)count * sizeof *numbers);
}

/* One block of the result. The left factors of outer degree p meet right ones of s - p, and a block
   of outer degree p is zero unless p is at most the highest degree of its series. */
static void block_of_product(const Plan *plan, const KernelFamily *family, int32_t block,
                             const double *left, const double *right, double *result,
                             const ProductRange *range, int32_t low, int32_t high)
{
    int32_t degree = plan->degree[block];
    double *c = result + (int64_t)plan->offset[block] * family->lanes;
    int32_t inner_low = most(0, low - degree);
    int32_t first = plan->inner_start[inner_low];
    int32_t from = most(0, degree - range->right_high);
    int32_t to = least(degree, range->left_high);
    int64_t start = plan_cut(plan, block, from);
    /* An empty range of degrees has no pairs: then the block is zero. */
    int64_t stop = from <= to ? plan_cut(plan, block, to + 1) : start;
    BlockPairs pairs = {plan->left_at + start, plan->right_at + start, (int32_t)(stop - start),
                        first, range->keep};
    block_product(family, plan->inner_variables, high - degree, left, right, c, &pairs);
    if (range->keep)
        return;
    clear(c, (int64_t)first * family->lanes);
    int32_t computed = inner_count(plan, high - degree);
    int32_t all = inner_count(plan, plan->order - degree);
    clear(c + (int64_t)computed * family->lanes, (int64_t)(all - computed) * family->lanes);
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
    for (int32_t block = 0; block < stop; block++)
        block_of_product(plan, family, block, left, right, result, range, low, high);
    if (!range->keep)
        clear(result + (int64_t)plan->offset[stop] * family->lanes,
              (plan->size - plan->offset[stop]) * family->lanes);
}

void real_square(const Plan *plan, const KernelFamily *family, const double *series,
                 double *result)
{
    for (int32_t block = 0; block < plan->blocks; block++) {
        int32_t order = plan->order - plan->degree[block];
        int64_t start = plan_cut(plan, block, 0);
        int32_t count = (int32_t)(plan_cut(plan, block, plan->degree[block] + 1) - start);
        double *c = result + plan->offset[block];
        const int32_t *left = plan->left_at + start;
        const int32_t *right = plan->right_at + start;
        /* Pair k is the opposite of pair count - 1 - k; an odd one in the middle is a square. */
        int32_t half = count / 2;
        BlockPairs pairs = {left, right, half, 0, 0};
        block_product(family, plan->inner_variables, order, series, series, c, &pairs);
        rescale_numbers(inner_count(plan, order), 2, c);
        if (count % 2) {
            BlockPairs middle = {left + half, right + half, 1, 0, 1};
            block_product(family, plan->inner_variables, order, series, series, c, &middle);
        }
    }
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

double plan_work(const Plan *plan)
{
    double work = 1;
    int32_t twice = 2 * plan->dimension;
    int32_t steps = least(twice, plan->order);
    for (int32_t step = 1; step <= steps; step++)
        work = work * ((double)twice + plan->order - steps + step) / step;
    return work;
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
