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
    horner->reach = inner->order;
    horner->family = family_for(set, rows);
    horner->lanes = horner->family->lanes;
    horner->groups = (rows + horner->lanes - 1) / horner->lanes;
    int64_t level = inner->size * horner->lanes;
    /* Levels start at cache lines: kernels load whole vectors from them. */
    int64_t of_outer = scratch_lines(horner->groups * outer->size * horner->lanes);
    int64_t of_inner = scratch_lines(outer->dimension * inner->size);
    int64_t of_levels = scratch_lines(depths(outer, inner) * level);
    int64_t imaginary = is_complex ? of_inner + level : 0;
    horner->scratch = scratch_take(of_outer + of_inner + of_levels + imaginary);
    horner->coefficients = horner->scratch;
    horner->filled = calloc((size_t)depths(outer, inner) + 1, 1);
    horner->linear = calloc((size_t)inner->dimension + (size_t)outer->dimension,
                            sizeof *horner->linear);
    horner->passed = horner->linear + inner->dimension;
    if (!horner->scratch || !horner->filled || !horner->linear) {
        horner_free(horner);
        return -1;
    }
    horner->levels = horner->scratch + of_outer;
    horner->inner = horner->levels + of_levels;
    if (is_complex) {
        horner->inner_imaginary = horner->inner + of_inner;
        horner->turned = horner->inner_imaginary + of_inner;
    }
    find_linear(inner, horner->linear);
    return 0;
}

void horner_free(Horner *horner)
{
    scratch_give(horner->scratch);
    free(horner->filled);
    free(horner->linear);
}

int32_t passed_variable(const Plan *plan, const double *series, int lanes)
{
    int64_t found = -1;
    for (int64_t at = lanes; at < plan->size * lanes; at++)
        if (series[at] != 0) {
            if (found >= 0 || at % lanes)
                return -1;
            found = at / lanes;
        }
    for (int32_t variable = 0; plan->order && variable < plan->dimension; variable++)
        if (plan->place[variable + 1] == found)
            return variable;
    return -1;
}

int need_passed(Plan *plan, int64_t count, const double *series, int lanes)
{
    for (int64_t row = 0; plan->bounds.caps && row < count; row++) {
        int32_t variable = passed_variable(plan, series + row * plan->size * lanes, lanes);
        if (variable >= 0 && plan_need_neighbours(plan, variable))
            return -1;
    }
    return 0;
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

/* to += factor * from. There are two nodes in three whose sums are numbers: their loops should have
   a length that the compiler knows. */
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

/* The deepest nodes are numbers, and only the linear part of the inner series meets them. */
static void fold_number(const Horner *horner, const double *sum, int32_t variable, double *level)
{
    const Plan *plan = horner->inner_plan;
    int64_t row = (int64_t)variable * plan->size;
    for (int32_t at = 0; at < plan->dimension; at++) {
        int32_t place = horner->linear[at];
        double factor = horner->inner[row + place];
        double *target = level + (int64_t)place * horner->lanes;
        add_lanes(horner->lanes, factor, sum, target);
        if (!horner->is_complex)
            continue;
        double turn = horner->inner_imaginary[row + place];
        for (int lane = 0; lane < horner->lanes; lane += 2) {
            target[lane] -= turn * sum[lane + 1];
            target[lane + 1] += turn * sum[lane];
        }
    }
}

/* A number times one coefficient of an inner series. */
static void add_number(const Horner *horner, const double *sum, int64_t row, int64_t place,
                       double *level)
{
    double factor = horner->inner[row + place];
    double *target = level + place * horner->lanes;
    for (int lane = 0; lane < horner->lanes; lane++)
        target[lane] += factor * sum[lane];
    if (!horner->is_complex)
        return;
    double turn = horner->inner_imaginary[row + place];
    for (int lane = 0; lane < horner->lanes; lane += 2) {
        target[lane] -= turn * sum[lane + 1];
        target[lane + 1] += turn * sum[lane];
    }
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

const double *horner_group(const Horner *horner, int64_t group, int32_t order)
{
    const Plan *outer = horner->outer_plan;
    const MonomialTree *tree = &outer->tree;
    int64_t stride = horner->inner_plan->size * horner->lanes;
    const double *coefficients = horner->coefficients + group * outer->size * horner->lanes;
    int32_t deepest = outer->order < order ? outer->order : order;
    memset(horner->filled, 0, (size_t)deepest + 1);
    find_passed(horner);
    for (int64_t node = outer->size - 1; node >= 0; node--) {
        int32_t depth = tree->depth[node];
        const double *own = coefficients + node * horner->lanes;
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
