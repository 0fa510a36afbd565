/* Truncated products of series in block order. */
#ifndef TPSA_PRODUCT_H
#define TPSA_PRODUCT_H

#include "kernels.h"
#include "plan.h"

/* The degrees between which the operands are not zero, and how the product is wanted. */
typedef struct {
    int32_t left_low, left_high;
    int32_t right_low, right_high;
    /* The order of truncation. */
    int32_t order;
    /* Add to the result, where the product is not zero by its degrees. */
    int keep;
} ProductRange;

static inline ProductRange full_range(int32_t order)
{
    return (ProductRange){0, order, 0, order, order, 0};
}

/* `left` and `result` have the family's lanes, `right` is one plain series. The result must not
   overlap the operands. Without `keep` all of the result is written, zero past the order. */
void lane_product(const Plan *plan, const KernelFamily *family, const double *left,
                  const double *right, double *result, const ProductRange *range);
/* The same of two plain series, with blocks side by side where that gains. */
void real_product(const Plan *plan, const KernelSet *set, const double *left, const double *right,
                  double *result, const ProductRange *range);
/* The square of one plain series: half of the products. */
void real_square(const Plan *plan, const KernelSet *set, const double *series, double *result);

/* Numbers of scratch that complex_product needs. */
static inline int64_t complex_product_scratch(const Plan *plan)
{
    return 4 * plan->size;
}
/* Complex series, real and imaginary parts side by side. */
void complex_product(const Plan *plan, const KernelSet *set, const double *left,
                     const double *right, double *result, const ProductRange *range,
                     double *scratch);

/* The number of coefficient products in one dense product: what it costs. */
static inline double plan_work(const Plan *plan)
{
    return plan->work;
}

/* Real and imaginary parts, apart and side by side. */
void split_planes(int64_t count, const double *numbers, double *first, double *second);
void join_planes(int64_t count, const double *first, const double *second, double *numbers);
/* sum + j * turned for pairs of numbers, with j*j = `square`. */
void add_turned(int64_t count, double square, const double *turned, double *sum);

#endif
