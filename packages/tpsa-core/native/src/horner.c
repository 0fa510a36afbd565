/* Horner's scheme over the tree of monomials, for as many series at once as there are lanes.

   The nodes are visited from the last to the first, so that all below a node has been visited
   before it. The sum for a node is its coefficient and, for each child, the child's sum times
   one inner series. A node of depth d will be multiplied by d series without constant parts, so
   its sum is kept to order - d only: most nodes are deep, and those are tiny. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#include "horner.h"

#include <stdlib.h>
#include <string.h>

#include "product.h"
#include "scratch.h"

/* Parts of the scratch start at cache lines: kernels load whole vectors from them. */
static double *part(double **rest, int64_t count)
{
    double *result = *rest;
    *rest += scratch_lines(count);
    return result;
}

static double *zeros(double **rest, int64_t count)
{
    return memset(part(rest, count), 0, (size_t)count * sizeof **rest);
}

static int32_t depths(const Plan *outer, const Plan *inner)
{
    return (outer->order < inner->order ? outer->order : inner->order) + 1;
}

/* Whether the deepest levels can be computed at once. */
static int can_be_flat(const Plan *outer, const Plan *inner, int is_complex)
{
    return !is_complex && outer->flat && inner->flat && outer->dimension == inner->dimension &&
           outer->order == inner->order;
}

/* The levels that are used; on the way to an inverse also those of up to half its order. */
static int32_t levels_of(const Plan *outer, const Plan *inner, int is_complex)
{
    if (!can_be_flat(outer, inner, is_complex))
        return depths(outer, inner);
    int32_t half = (outer->order + 1) / 2, flat = outer->order - outer->flat->degrees;
    return (half > flat ? half : flat) + 1;
}

double horner_bytes(const Plan *outer, const Plan *inner, int64_t rows)
{
    double groups = (double)(rows / 8 + 1);
    double numbers = 8.0 * (double)inner->size * (depths(outer, inner) + 1.0) +
                     8.0 * groups * (double)outer->size +
                     2.0 * outer->dimension * (double)inner->size + FLAT_NUMBERS;
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
    horner->reach = inner->order;
    horner->family = family_for(set, rows);
    horner->power_family = family_for(set, inner->dimension);
    horner->lanes = horner->family->lanes;
    horner->groups = (rows + horner->lanes - 1) / horner->lanes;
    int is_flat = can_be_flat(outer, inner, is_complex);
    int64_t level = inner->size * horner->lanes, series = outer->dimension * inner->size;
    int64_t levels = levels_of(outer, inner, is_complex) * level;
    int64_t coefficients = horner->groups * outer->size * horner->lanes;
    int64_t powers = is_flat ? flat_memory(inner->flat, inner, horner->power_family) : 0;
    int64_t imaginary = is_complex ? scratch_lines(series) + scratch_lines(level) : 0;
    horner->scratch = scratch_take(scratch_lines(coefficients) + scratch_lines(levels) +
                                   scratch_lines(series) + imaginary + scratch_lines(powers));
    horner->filled = calloc((size_t)depths(outer, inner) + 1, 1);
    horner->linear = calloc((size_t)inner->dimension + (size_t)outer->dimension,
                            sizeof *horner->linear);
    horner->passed = horner->linear + inner->dimension;
    if (is_flat)
        horner->used = malloc((size_t)inner->flat->size * 2 * sizeof *horner->used);
    if (!horner->scratch || !horner->filled || !horner->linear || (is_flat && !horner->used)) {
        horner_free(horner);
        return -1;
    }
    double *rest = horner->scratch;
    horner->coefficients = zeros(&rest, coefficients);
    horner->levels = zeros(&rest, levels);
    horner->inner = zeros(&rest, series);
    if (is_complex) {
        horner->inner_imaginary = zeros(&rest, series);
        horner->turned = zeros(&rest, level);
    }
    horner->powers = is_flat ? part(&rest, powers) : NULL;
    find_linear(inner, horner->linear);
    return 0;
}

void horner_free(Horner *horner)
{
    scratch_give(horner->scratch);
    free(horner->filled);
    free(horner->linear);
    free(horner->used);
}

static void find_passed(const Horner *horner)
{
    const Plan *plan = horner->inner_plan;
    for (int32_t variable = 0; variable < horner->outer_plan->dimension; variable++) {
        int64_t row = (int64_t)variable * plan->size;
        int32_t *passed = &horner->passed[variable];
        *passed = plan->bounds.caps ? passed_variable(plan, horner->inner + row, 1) : -1;
        if (*passed < 0 || !plan->neighbours[*passed].product)
            *passed = -1;
        for (int64_t at = 0; *passed >= 0 && horner->is_complex && at < plan->size; at++)
            if (horner->inner_imaginary[row + at] != 0)
                *passed = -1;
    }
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
static void multiply_to_order(const Horner *horner, const double *sum, int32_t high,
                              const double *factor, double *level, int32_t order, int keep)
{
    const Plan *plan = horner->inner_plan;
    for (int32_t block = 0; block < plan->degree_start[order + 1]; block++) {
        int32_t degree = plan->degree[block];
        int32_t lowest = degree > horner->reach ? degree - horner->reach : 0;
        int64_t start = plan_cut(plan, block, lowest);
        int64_t stop = plan_cut(plan, block, (degree < high ? degree : high) + 1);
        BlockPairs pairs = {plan->left_at + start, plan->right_at + start,
                            (int32_t)(stop - start), 0, keep};
        block_product(horner->family, plan->inner_variables,
                      inner_degree(plan, order - plan->degree[block]), sum, factor,
                      level + (int64_t)plan->offset[block] * horner->lanes, &pairs);
    }
}

static void fold_product(const Horner *horner, const double *sum, int32_t variable, double *level,
                         int32_t order, int keep)
{
    int64_t row = (int64_t)variable * horner->inner_plan->size;
    multiply_to_order(horner, sum, order, horner->inner + row, level, order, keep);
    if (!horner->is_complex)
        return;
    multiply_to_order(horner, sum, order, horner->inner_imaginary + row, horner->turned, order, 0);
    add_turned_to_order(horner, level, order);
}

void horner_multiply(const Horner *horner, const double *sum, int32_t high, const double *factor,
                     const double *imaginary, double *level, int32_t order)
{
    multiply_to_order(horner, sum, high, factor, level, order, 1);
    if (!imaginary)
        return;
    multiply_to_order(horner, sum, high, imaginary, horner->turned, order, 0);
    add_turned_to_order(horner, level, order);
}

/* to += factor * from. Most nodes that are reached one by one have numbers as sums: their loops
   should have a length that the compiler knows. */
static inline void add_lanes(int lanes, double factor, const double *restrict from,
                             double *restrict to)
{
    if (lanes == 8)
        for (int lane = 0; lane < 8; lane++)
            to[lane] += factor * from[lane];
    else if (lanes == 4)
        for (int lane = 0; lane < 4; lane++)
            to[lane] += factor * from[lane];
    else
        for (int lane = 0; lane < lanes; lane++)
            to[lane] += factor * from[lane];
}

/* A number times one coefficient of an inner series. */
static void add_number(const Horner *horner, const double *sum, int64_t row, int64_t place,
                       double *level)
{
    double factor = horner->inner[row + place];
    double *target = level + place * horner->lanes;
    add_lanes(horner->lanes, factor, sum, target);
    if (!horner->is_complex)
        return;
    double turn = horner->inner_imaginary[row + place];
    for (int lane = 0; lane < horner->lanes; lane += 2) {
        target[lane] -= turn * sum[lane + 1];
        target[lane + 1] += turn * sum[lane];
    }
}

/* The deepest nodes are numbers, and only the linear part of the inner series meets them. */
static void fold_number(const Horner *horner, const double *sum, int32_t variable, double *level)
{
    int64_t row = (int64_t)variable * horner->inner_plan->size;
    for (int32_t at = 0; at < horner->inner_plan->dimension; at++)
        add_number(horner, sum, row, horner->linear[at], level);
}

/* In restricted plans nodes of any depth may have none below them: numbers, too, that meet the inner
   series up to an order. */
static void fold_leaf(const Horner *horner, const double *sum, int32_t variable, double *level,
                      int32_t order)
{
    const Plan *plan = horner->inner_plan;
    int64_t row = (int64_t)variable * plan->size;
    if (horner->passed[variable] >= 0) {
        add_number(horner, sum, row, horner->linear[horner->passed[variable]], level);
        return;
    }
    for (int32_t block = 0; block < plan->degree_start[order + 1]; block++) {
        int64_t start = plan->offset[block];
        int64_t stop = start + inner_count(plan, order - plan->degree[block]);
        for (int64_t at = start; at < stop; at++)
            add_number(horner, sum, row, at, level);
    }
}

static int any_nonzero(const Horner *horner, const double *coefficients)
{
    for (int lane = 0; lane < horner->lanes; lane++)
        if (coefficients[lane] != 0)
            return 1;
    return 0;
}

/* Finish the sum of one node: its own coefficient comes last. */
static void finish_sum(const Horner *horner, const double *coefficients, double *level,
                       int32_t order, int is_filled)
{
    if (!is_filled)
        clear_to_order(horner, level, order);
    add_lanes(horner->lanes, 1, coefficients, level);
}

/* The product with a multiple of one variable: every coefficient goes to its neighbour. */
static void fold_move(const Horner *horner, const double *sum, int32_t variable, double *level,
                      int32_t order)
{
    const Plan *plan = horner->inner_plan;
    int32_t passed = horner->passed[variable];
    const int32_t *product = plan->neighbours[passed].product;
    double factor = horner->inner[(int64_t)variable * plan->size + horner->linear[passed]];
    for (int32_t block = 0; block < plan->degree_start[order]; block++) {
        int64_t start = plan->offset[block];
        int64_t stop = start + inner_count(plan, order - 1 - plan->degree[block]);
        for (int64_t at = start; at < stop; at++)
            for (int lane = 0; product[at] >= 0 && lane < horner->lanes; lane++)
                level[(int64_t)product[at] * horner->lanes + lane] +=
                    factor * sum[at * horner->lanes + lane];
    }
}

/* Add the finished sum of a node to that of its parent. */
static void fold(const Horner *horner, const double *sum, int32_t variable, double *level,
                 int32_t order, int is_filled)
{
    if (order > 1 && horner->passed[variable] >= 0) {
        if (!is_filled)
            clear_to_order(horner, level, order);
        fold_move(horner, sum, variable, level, order);
        return;
    }
    if (order > 1) {
        fold_product(horner, sum, variable, level, order, is_filled);
        return;
    }
    if (!is_filled)
        clear_to_order(horner, level, order);
    fold_number(horner, sum, variable, level);
}

/* Products of the inner series for the deepest levels, unless all there is zero. */
static void prepare_flat(Horner *horner, int32_t depth)
{
    const Plan *outer = horner->outer_plan;
    horner->has_zeros = 0;
    horner->all_zeros = 1;
    for (int64_t node = 0; node < outer->size; node++) {
        if (outer->tree.depth[node] <= depth)
            continue;
        for (int64_t group = 0; group < horner->groups; group++) {
            int nonzero = any_nonzero(horner, horner->coefficients +
                                                  (group * outer->size + node) * horner->lanes);
            horner->has_zeros |= !nonzero;
            horner->all_zeros &= !nonzero;
        }
    }
    if (!horner->all_zeros)
        flat_powers(outer->flat, horner->inner_plan->flat, horner->power_family, horner->inner_plan,
                    horner->inner, horner->powers);
}

/* The sum of a node of the depth from which on all is computed at once; 0 if it is zero. */
static int finish_flat(const Horner *horner, int64_t node, const double *own, double *level,
                       int32_t order)
{
    if (!flat_sum(horner->outer_plan->flat, horner->inner_plan->flat, horner->family,
                  horner->outer_plan->tree.variable[node], own, horner->powers, level,
                  horner->has_zeros ? horner->used : NULL)) {
        if (!any_nonzero(horner, own))
            return 0;
        clear_to_order(horner, level, order);
    }
    memcpy(level, own, (size_t)horner->lanes * sizeof *level);
    return 1;
}

const double *horner_group(Horner *horner, int64_t group, int32_t order)
{
    const Plan *outer = horner->outer_plan;
    const MonomialTree *tree = &outer->tree;
    int64_t stride = horner->inner_plan->size * horner->lanes;
    const double *coefficients = horner->coefficients + group * outer->size * horner->lanes;
    int32_t deepest = outer->order < order ? outer->order : order;
    memset(horner->filled, 0, (size_t)deepest + 1);
    find_passed(horner);
    /* From this depth on all is computed at once. */
    int32_t flat = -1;
    if (horner->powers && order == outer->order) {
        flat = deepest = order - outer->flat->degrees;
        if (!group)
            prepare_flat(horner, flat);
    }
    for (int64_t node = outer->size - 1; node >= 0; node--) {
        int32_t depth = tree->depth[node];
        const double *own = coefficients + node * horner->lanes;
        if (depth == flat) {
            if (!finish_flat(horner, node, own, horner->levels + depth * stride, order - depth))
                continue;
            fold(horner, horner->levels + depth * stride, tree->variable[node],
                 horner->levels + (depth - 1) * stride, order - depth + 1,
                 horner->filled[depth - 1]);
            horner->filled[depth - 1] = 1;
            continue;
        }
        if (depth > deepest || (depth && !horner->filled[depth] && !any_nonzero(horner, own)))
            continue;
        double *level = horner->levels + depth * stride;
        if (outer->bounds.caps && depth && !horner->filled[depth]) {
            double *parent = level - stride;
            if (!horner->filled[depth - 1])
                clear_to_order(horner, parent, order - depth + 1);
            fold_leaf(horner, own, tree->variable[node], parent, order - depth + 1);
            horner->filled[depth - 1] = 1;
            continue;
        }
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
