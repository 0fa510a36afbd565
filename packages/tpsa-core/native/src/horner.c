/* Horner's scheme over the tree of monomials, for as many series at once as there are lanes.

   The nodes are visited from the last to the first, so that all below a node has been visited
   before it. The sum for a node is its coefficient and, for each child, the child's sum times
   one inner series. A node of depth d will be multiplied by d series without constant parts, so
   its sum is kept to order - d only: most nodes are deep, and those are tiny. */
#include "horner.h"

#include <stdlib.h>
#include <string.h>

#include "product.h"

static double *lines(int64_t count)
{
    /* Levels start at cache lines: kernels load whole vectors from them. */
    size_t bytes = ((size_t)count * sizeof(double) + 127) / 64 * 64;
    double *result = aligned_alloc(64, bytes);
    if (result)
        memset(result, 0, bytes);
    return result;
}

static int32_t depths(const Plan *outer, const Plan *inner)
{
    return (outer->order < inner->order ? outer->order : inner->order) + 1;
}

double horner_bytes(const Plan *outer, const Plan *inner, int64_t rows)
{
    double groups = (double)(rows / 8 + 1);
    double numbers = 8.0 * (double)inner->size * (depths(outer, inner) + 1.0) +
                     8.0 * groups * (double)outer->size +
                     2.0 * outer->dimension * (double)inner->size;
    return numbers * sizeof(double);
}

static void find_linear(const Plan *plan, int32_t *linear)
{
    /* In graded order they follow the constant part; an order of 0 has none. */
    for (int32_t variable = 0; plan->order && variable < plan->dimension; variable++)
        linear[variable] = plan->place[variable + 1];
}

int horner_make(Horner *horner, const Plan *outer, const Plan *inner, const KernelSet *set,
                int64_t rows, int is_complex)
{
    *horner = (Horner){.outer_plan = outer, .inner_plan = inner, .is_complex = is_complex};
    horner->family = family_for(set, rows);
    horner->lanes = horner->family->lanes;
    horner->groups = (rows + horner->lanes - 1) / horner->lanes;
    int64_t level = inner->size * horner->lanes;
    horner->coefficients = lines(horner->groups * outer->size * horner->lanes);
    horner->inner = lines(outer->dimension * inner->size);
    horner->levels = lines(depths(outer, inner) * level);
    horner->filled = calloc((size_t)depths(outer, inner) + 1, 1);
    horner->linear = calloc((size_t)inner->dimension, sizeof *horner->linear);
    int failed = !horner->coefficients || !horner->inner || !horner->levels || !horner->filled ||
                 !horner->linear;
    if (is_complex) {
        horner->inner_imaginary = lines(outer->dimension * inner->size);
        horner->turned = lines(level);
        failed = failed || !horner->inner_imaginary || !horner->turned;
    }
    if (failed) {
        horner_free(horner);
        return -1;
    }
    find_linear(inner, horner->linear);
    return 0;
}

void horner_free(Horner *horner)
{
    free(horner->coefficients);
    free(horner->inner);
    free(horner->inner_imaginary);
    free(horner->levels);
    free(horner->turned);
    free(horner->filled);
    free(horner->linear);
}

static void clear_to_order(const Horner *horner, double *level, int32_t order)
{
    const Plan *plan = horner->inner_plan;
    for (int32_t block = 0; block < plan->degree_start[order + 1]; block++) {
        size_t count = (size_t)inner_count(plan, order - plan->degree[block]);
        memset(level + (int64_t)plan->offset[block] * horner->lanes, 0,
               count * (size_t)horner->lanes * sizeof *level);
    }
}

/* level += j * turned, up to an order; with turned = 0 past it nothing else would change. */
static void add_turned_to_order(const Horner *horner, double *level, int32_t order)
{
    const Plan *plan = horner->inner_plan;
    for (int32_t block = 0; block < plan->degree_start[order + 1]; block++) {
        int64_t start = (int64_t)plan->offset[block] * horner->lanes;
        int64_t count = inner_count(plan, order - plan->degree[block]);
        add_turned(count * horner->lanes / 2, -1, horner->turned + start, level + start);
    }
}

/* A truncated product: blocks of the result up to an order, and nothing past it is written. */
static void multiply_to_order(const Horner *horner, const double *sum, const double *factor,
                              double *level, int32_t order, int keep)
{
    const Plan *plan = horner->inner_plan;
    for (int32_t block = 0; block < plan->degree_start[order + 1]; block++) {
        int64_t start = plan_cut(plan, block, 0);
        int64_t stop = plan_cut(plan, block, plan->degree[block] + 1);
        BlockPairs pairs = {plan->left_at + start, plan->right_at + start,
                            (int32_t)(stop - start), 0, keep};
        block_product(horner->family, plan->inner_variables, order - plan->degree[block], sum,
                      factor, level + (int64_t)plan->offset[block] * horner->lanes, &pairs);
    }
}

static void fold_product(const Horner *horner, const double *sum, int32_t variable, double *level,
                         int32_t order, int keep)
{
    int64_t row = (int64_t)variable * horner->inner_plan->size;
    multiply_to_order(horner, sum, horner->inner + row, level, order, keep);
    if (!horner->is_complex)
        return;
    multiply_to_order(horner, sum, horner->inner_imaginary + row, horner->turned, order, 0);
    add_turned_to_order(horner, level, order);
}

/* The deepest nodes are numbers, and only the linear part of the inner series meets them. */
static void fold_number(const Horner *horner, const double *sum, int32_t variable, double *level)
{
    const Plan *plan = horner->inner_plan;
    int64_t row = (int64_t)variable * plan->size;
    for (int32_t at = 0; at < plan->dimension; at++) {
        int32_t place = horner->linear[at];
        double factor = horner->inner[row + place];
        double *target = level + (int64_t)place * horner->lanes;
        for (int lane = 0; lane < horner->lanes; lane++)
            target[lane] += factor * sum[lane];
        if (!horner->is_complex)
            continue;
        double turn = horner->inner_imaginary[row + place];
        for (int lane = 0; lane < horner->lanes; lane += 2) {
            target[lane] -= turn * sum[lane + 1];
            target[lane + 1] += turn * sum[lane];
        }
    }
}

static int any_nonzero(const Horner *horner, const double *coefficients)
{
    int nonzero = 0;
    for (int lane = 0; lane < horner->lanes; lane++)
        nonzero |= coefficients[lane] != 0;
    return nonzero;
}

/* Finish the sum of one node: its own coefficient comes last. */
static void finish_sum(const Horner *horner, const double *coefficients, double *level,
                       int32_t order, int is_filled)
{
    if (!is_filled)
        clear_to_order(horner, level, order);
    for (int lane = 0; lane < horner->lanes; lane++)
        level[lane] += coefficients[lane];
}

/* Add the finished sum of a node to that of its parent. */
static void fold(const Horner *horner, const double *sum, int32_t variable, double *level,
                 int32_t order, int is_filled)
{
    if (order > 1) {
        fold_product(horner, sum, variable, level, order, is_filled);
        return;
    }
    if (!is_filled)
        clear_to_order(horner, level, order);
    fold_number(horner, sum, variable, level);
}

const double *horner_group(const Horner *horner, int64_t group, int32_t order)
{
    const Plan *outer = horner->outer_plan;
    const MonomialTree *tree = &outer->tree;
    int64_t stride = horner->inner_plan->size * horner->lanes;
    const double *coefficients = horner->coefficients + group * outer->size * horner->lanes;
    int32_t deepest = outer->order < order ? outer->order : order;
    memset(horner->filled, 0, (size_t)deepest + 1);
    for (int64_t node = outer->size - 1; node >= 0; node--) {
        int32_t depth = tree->depth[node];
        const double *own = coefficients + node * horner->lanes;
        if (depth > deepest || (depth && !horner->filled[depth] && !any_nonzero(horner, own)))
            continue;
        double *level = horner->levels + depth * stride;
        finish_sum(horner, own, level, order - depth, horner->filled[depth]);
        if (!depth)
            break;
        horner->filled[depth] = 0;
        fold(horner, level, tree->variable[node], level - stride, order - depth + 1,
             horner->filled[depth - 1]);
        horner->filled[depth - 1] = 1;
    }
    return horner->levels;
}
