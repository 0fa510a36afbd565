/* Products of many pairs of real series, four pairs in the lanes of a vector. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "product.h"

/* Fewer pairs than this go one by one: half of the lanes would be empty. */
enum { LEAST_ROWS = 3 };

typedef struct {
    const Plan *plan;
    const WideFamily *family;
    double *left, *right, *result;
    /* A series of zeros for lanes without a pair, and one that nobody reads. */
    double *zeros, *unused;
} Lanes;

static void lane_products(const Lanes *lanes)
{
    const Plan *plan = lanes->plan;
    int variables = plan->inner_variables;
    for (int32_t block = 0; block < plan->blocks; block++) {
        int32_t order = inner_degree(plan, plan->order - plan->degree[block]);
        int64_t start = plan_cut(plan, block, 0);
        int64_t stop = plan_cut(plan, block, plan->degree[block] + 1);
        double *c = lanes->result + (int64_t)plan->offset[block] * WIDE_LANES;
        BlockPairs pairs = {plan->left_at + start, plan->right_at + start, (int32_t)(stop - start),
                            0, 0};
        wide_product(lanes->family, variables, order, lanes->left, lanes->right, c, &pairs);
    }
}

/* Up to four pairs at once. */
static void multiply_group(const Lanes *lanes, int64_t rows, const double *left,
                           const double *right, double *result)
{
    int64_t size = lanes->plan->size;
    const double *from_left[WIDE_LANES], *from_right[WIDE_LANES];
    double *to[WIDE_LANES];
    for (int lane = 0; lane < WIDE_LANES; lane++) {
        from_left[lane] = lane < rows ? left + lane * size : lanes->zeros;
        from_right[lane] = lane < rows ? right + lane * size : lanes->zeros;
        to[lane] = lane < rows ? result + lane * size : lanes->unused;
    }
    lanes->family->gather((int32_t)size, from_left, lanes->left);
    lanes->family->gather((int32_t)size, from_right, lanes->right);
    lane_products(lanes);
    lanes->family->scatter((int32_t)size, lanes->result, to);
}

static int multiply_in_lanes(const Plan *plan, const KernelSet *set, int64_t rows,
                             const double *left, const double *right, double *result)
{
    size_t size = (size_t)plan->size;
    size_t numbers = (3 * WIDE_LANES + 2) * size;
    double *memory = aligned_alloc(64, (numbers * sizeof *memory + 127) / 64 * 64);
    if (!memory)
        return -1;
    double *rest = memory + 3 * WIDE_LANES * size;
    Lanes lanes = {plan, set->wide, memory, memory + WIDE_LANES * size,
                   memory + 2 * WIDE_LANES * size, rest, rest + size};
    memset(lanes.zeros, 0, size * sizeof *memory);
    for (int64_t row = 0; row < rows; row += WIDE_LANES) {
        int64_t at = row * plan->size, left_over = rows - row;
        multiply_group(&lanes, left_over < WIDE_LANES ? left_over : WIDE_LANES, left + at,
                       right + at, result + at);
    }
    free(memory);
    return 0;
}

int multiply_rows(const Plan *plan, const KernelSet *set, int64_t rows, const double *left,
                  const double *right, double *result)
{
    int64_t in_lanes = 0;
    if (set->wide && plan->size >= WIDE_LANES) {
        int64_t over = rows % WIDE_LANES;
        in_lanes = over >= LEAST_ROWS ? rows : rows - over;
    }
    if (in_lanes && multiply_in_lanes(plan, set, in_lanes, left, right, result))
        return -1;
    ProductRange range = full_range(plan->order);
    for (int64_t row = in_lanes; row < rows; row++) {
        int64_t at = row * plan->size;
        real_product(plan, set, left + at, right + at, result + at, &range);
    }
    return 0;
}
