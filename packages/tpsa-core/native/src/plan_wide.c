/* Which blocks are computed side by side, and where that gains. */
#include <stdlib.h>

#include "kernels.h"
#include "plan.h"

/* Measured costs in cycles: to begin a step, to move a coefficient of both factors to all lanes, and
   a product of a wide kernel; to begin a pair, and a product of a narrow one. */
static const double WIDE_STEP = 25.0, MOVED = 5.0, WIDE_PRODUCT = 0.5;
static const double NARROW_PAIR = 3.0, NARROW_PRODUCT = 0.5;
/* Side by side only where that promises to gain at least a tenth. */
static const double PROMISED_SHARE = 0.9;

static int64_t pairs_of(const Plan *plan, int32_t block)
{
    return plan_cut(plan, block, plan->degree[block] + 1) - plan_cut(plan, block, 0);
}

typedef struct {
    int64_t pairs;
    int32_t block;
} Ranked;

static int by_falling_pairs(const void *first, const void *second)
{
    const Ranked *left = first, *right = second;
    if (left->pairs != right->pairs)
        return left->pairs < right->pairs ? 1 : -1;
    return left->block < right->block ? -1 : 1;
}

/* The steps that all groups take: each as many as its first block has pairs. */
static double steps_of(const Ranked *ranked, int32_t blocks)
{
    double steps = 0;
    for (int32_t first = 0; first < blocks; first += WIDE_LANES)
        steps += (double)ranked[first].pairs;
    return steps;
}

static int gains(const Plan *plan, int32_t degree, const Ranked *ranked)
{
    int32_t order = inner_degree(plan, plan->order - degree);
    int32_t blocks = plan->degree_start[degree + 1] - plan->degree_start[degree];
    int32_t count = inner_count(plan, order);
    if (!degree || count < WIDE_LANES)
        return 0;
    /* Blocks past the generated kernels have vectors of their own. */
    if (plan->inner_variables == 2 && order > block_highest_order[2])
        return 0;
    double products = monomials_number(2 * plan->inner_variables, order);
    double pairs = 0;
    for (int32_t at = 0; at < blocks; at++)
        pairs += (double)ranked[at].pairs;
    double step = WIDE_STEP + MOVED * count + WIDE_PRODUCT * products;
    double wide = steps_of(ranked, blocks) * step;
    return wide < PROMISED_SHARE * pairs * (NARROW_PRODUCT * products + NARROW_PAIR);
}

int plan_make_wide(Plan *plan)
{
    plan->wide_order = malloc((size_t)plan->blocks * sizeof *plan->wide_order + 1);
    plan->wide_gains = malloc((size_t)plan->order + 1);
    Ranked *ranked = malloc((size_t)plan->blocks * sizeof *ranked + 1);
    if (!plan->wide_order || !plan->wide_gains || !ranked) {
        free(ranked);
        return -1;
    }
    for (int32_t degree = 0; degree <= plan->order; degree++) {
        int32_t start = plan->degree_start[degree], stop = plan->degree_start[degree + 1];
        for (int32_t block = start; block < stop; block++)
            ranked[block] = (Ranked){pairs_of(plan, block), block};
        qsort(ranked + start, (size_t)(stop - start), sizeof *ranked, by_falling_pairs);
        for (int32_t block = start; block < stop; block++)
            plan->wide_order[block] = ranked[block].block;
        plan->wide_gains[degree] = (uint8_t)gains(plan, degree, ranked + start);
    }
    free(ranked);
    return 0;
}
