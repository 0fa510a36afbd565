/* See flat.h. A node of depth order - 3 keeps its sum to degree 3: that is its own coefficient, and
   for each node below it, at most three levels deep, a number times the product of up to three inner
   series. These products are the same for all nodes, and so the sums are those of a product of two
   matrices, in long straight lines. Node by node the same takes more products and many more calls. */
#include "flat.h"

#include <stdlib.h>
#include <string.h>

#include "bounds.h"

/* The largest number of products that still pays. */
enum { MOST_PRODUCTS = 90 };

int32_t flat_degrees(const Plan *plan)
{
    if (plan->bounds.caps || !plan->has_kernels)
        return 0;
    int32_t degrees = FLAT_DEGREES;
    /* Below order 5 too few nodes share the products of three. */
    while (degrees > 1 && (2 * degrees > plan->order + 1 ||
                           monomials_number(plan->dimension, degrees) > MOST_PRODUCTS + 1))
        degrees--;
    return degrees > 1 ? degrees : 0;
}

void flat_free(Flat *flat)
{
    if (!flat)
        return;
    free(flat->parent);
    free(flat->list_start);
    free(flat->node);
    free(flat->divisor_start);
    free(flat);
}

/* Memory that is not yet set, for some tables of numbers one after the other. */
static int32_t *numbers(int64_t count)
{
    return malloc((size_t)count * sizeof(int32_t) + 1);
}

/* The rows, from the nodes below the first one of the depth where the sums begin. */
static void make_rows(Flat *flat, const MonomialTree *tree, int64_t top, int32_t *row_of)
{
    int32_t next[FLAT_DEGREES + 2], path[FLAT_DEGREES + 1] = {-1};
    memcpy(next, flat->start, sizeof next);
    for (int32_t at = 0; at < flat->size; at++) {
        int64_t node = top + 1 + at;
        int32_t degree = tree->depth[node] - tree->depth[top];
        int32_t row = next[degree]++;
        row_of[at] = path[degree] = row;
        flat->parent[row] = path[degree - 1];
        flat->variable[row] = tree->variable[node];
    }
}

/* The nodes below one of each variable. Those are the last ones below the first variable's. */
static int make_lists(const Plan *plan, Flat *flat)
{
    const MonomialTree *tree = &plan->tree;
    int32_t depth = plan->order - flat->degrees, dimension = plan->dimension;
    int64_t total = 0, filled = 0;
    for (int32_t variable = 0; variable < dimension; variable++)
        total += (int64_t)monomials_number(dimension - variable, flat->degrees) - 1;
    flat->list_start = numbers(dimension * (1 + flat->degrees));
    flat->list_count = flat->list_start + dimension;
    flat->node = numbers(2 * total);
    flat->row_at = flat->node + total;
    int32_t *row_of = numbers(flat->size);
    if (!flat->list_start || !flat->node || !row_of) {
        free(row_of);
        return -1;
    }
    int64_t top = depth;
    make_rows(flat, tree, top, row_of);
    for (int32_t variable = 0; variable < dimension; variable++) {
        while (tree->depth[top] != depth || tree->variable[top] != variable)
            top++;
        int32_t count = (int32_t)monomials_number(dimension - variable, flat->degrees) - 1;
        flat->list_start[variable] = (int32_t)filled;
        for (int32_t degree = 1; degree <= flat->degrees; degree++) {
            for (int32_t at = 0; at < count; at++)
                if (tree->depth[top + 1 + at] - depth == degree) {
                    flat->node[filled] = at + 1;
                    flat->row_at[filled++] = row_of[flat->size - count + at] * flat->size;
                }
            flat->list_count[variable * flat->degrees + degree - 1] =
                (int32_t)filled - flat->list_start[variable];
        }
    }
    free(row_of);
    return 0;
}

static Monomial divided(const Monomial *whole, int32_t factor)
{
    Monomial result = *whole;
    result.degree--;
    if (--result.exponent[factor])
        return result;
    result.count--;
    for (int32_t at = factor; at < result.count; at++) {
        result.variable[at] = whole->variable[at + 1];
        result.exponent[at] = whole->exponent[at + 1];
    }
    return result;
}

/* Returns 0, or -1 without memory. */
static int make_divisors(const Plan *plan, Flat *flat)
{
    int64_t most = (int64_t)flat->size * flat->degrees;
    int32_t *column_at = numbers(plan->size);
    MonomialWalk walk;
    flat->divisor_start = numbers(flat->size + 1 + 2 * most);
    if (!column_at || !flat->divisor_start || walk_make(&walk, &plan->bounds)) {
        free(column_at);
        return -1;
    }
    flat->divisor_variable = flat->divisor_start + flat->size + 1;
    flat->divisor = flat->divisor_variable + most;
    int32_t filled = 0;
    for (int64_t graded = 0; graded < plan->size; graded++)
        column_at[plan->place[graded]] = (int32_t)graded - 1;
    for (int32_t column = 0; column < flat->size; column++) {
        walk_advance(&walk);
        flat->divisor_start[column] = filled;
        for (int32_t factor = 0; factor < walk.monomial.count; factor++) {
            Monomial quotient = divided(&walk.monomial, factor);
            flat->divisor_variable[filled] = walk.monomial.variable[factor];
            flat->divisor[filled++] = column_at[plan_place(plan, &quotient)];
        }
    }
    flat->divisor_start[flat->size] = filled;
    walk_free(&walk);
    free(column_at);
    return 0;
}

int plan_need_flat(Plan *plan)
{
    if (plan_need_tree(plan))
        return -1;
    if (plan->flat || !flat_degrees(plan))
        return 0;
    Flat *flat = calloc(1, sizeof *flat);
    if (!flat)
        return -1;
    flat->degrees = flat_degrees(plan);
    for (int32_t degree = 1; degree <= flat->degrees + 1; degree++)
        flat->start[degree] = (int32_t)plan->graded_start[degree] - 1;
    flat->size = flat->start[flat->degrees + 1];
    flat->places = plan->place + 1;
    flat->parent = numbers(2 * flat->size);
    flat->variable = flat->parent + flat->size;
    if (!flat->parent || make_lists(plan, flat) || make_divisors(plan, flat)) {
        flat_free(flat);
        return -1;
    }
    plan->flat = flat;
    return 0;
}

static int32_t parts_of(const Plan *plan, int lanes)
{
    return (plan->dimension + lanes - 1) / lanes;
}

int64_t flat_memory(const Flat *flat, const Plan *plan, const KernelFamily *family)
{
    return ((int64_t)flat->size + (1 + parts_of(plan, family->lanes)) * family->lanes) * flat->size;
}

/* One product of degree 1 or 2 times the inner series of some lanes. */
static void multiply_lanes(const Flat *flat, const KernelFamily *family, int32_t degree,
                           const double *left, const double *lanes, double *sums)
{
    int32_t from = flat->start[degree + 1];
    BlockPairs linear = {flat->divisor_variable, flat->divisor, 0, 0, 0};
    family->sparse(flat->size - from, flat->divisor_start + from, lanes, left,
                   sums + (int64_t)from * family->lanes, &linear);
    if (degree + 1 == flat->degrees)
        return;
    /* Terms of degree 1 times those of degree 2, the other way round. */
    BlockPairs turned = {flat->divisor, flat->divisor_variable, 0, 0, 1};
    from = flat->start[3];
    family->sparse(flat->size - from, flat->divisor_start + from, lanes, left,
                   sums + (int64_t)from * family->lanes, &turned);
}

void flat_powers(const Flat *outer, const Flat *inner, const KernelFamily *family,
                 const Plan *inner_plan, const double *series, double *memory)
{
    int32_t size = inner->size, width = family->lanes;
    double *powers = memory, *sums = memory + (int64_t)size * size;
    double *lanes = sums + (int64_t)size * width;
    memset(lanes, 0, (size_t)(parts_of(inner_plan, width) * width * size) * sizeof *lanes);
    /* The rows of degree 1 are in the order of the variables. */
    for (int32_t row = 0; row < inner_plan->dimension; row++) {
        double *part = lanes + (int64_t)(row / width) * size * width + row % width;
        for (int32_t column = 0; column < size; column++)
            powers[row * size + column] = part[column * width] =
                series[row * inner_plan->size + inner->places[column]];
    }
    for (int32_t row = inner_plan->dimension; row < outer->size; row++) {
        int32_t variable = outer->variable[row], degree = row < outer->start[3] ? 1 : 2;
        /* The rows of one parent follow one another. */
        if (outer->parent[row] != outer->parent[row - 1] || variable % width == 0)
            multiply_lanes(inner, family, degree, powers + outer->parent[row] * size,
                           lanes + (int64_t)(variable / width) * size * width, sums);
        for (int32_t column = inner->start[degree + 1]; column < size; column++)
            powers[row * size + column] = sums[column * width + variable % width];
    }
}

/* Leave out the nodes that are zero in all lanes: how many are left up to each degree. */
static const int32_t *used_nodes(const Flat *flat, int lanes, int32_t variable,
                                 const double *coefficients, int32_t *scratch, int32_t *counts)
{
    const int32_t *node = flat->node + flat->list_start[variable];
    const int32_t *row_at = flat->row_at + flat->list_start[variable];
    int32_t used = 0, at = 0;
    for (int32_t degree = 1; degree <= flat->degrees; degree++) {
        for (; at < flat->list_count[variable * flat->degrees + degree - 1]; at++) {
            int nonzero = 0;
            for (int lane = 0; lane < lanes; lane++)
                nonzero |= coefficients[(int64_t)node[at] * lanes + lane] != 0;
            scratch[used] = node[at];
            scratch[flat->size + used] = row_at[at];
            used += nonzero;
        }
        counts[degree - 1] = used;
    }
    return scratch;
}

int flat_sum(const Flat *outer, const Flat *inner, const KernelFamily *family, int32_t variable,
             const double *coefficients, const double *powers, double *level, int32_t *scratch)
{
    int32_t left[FLAT_DEGREES];
    const int32_t *counts = outer->list_count + variable * outer->degrees;
    BlockPairs pairs = {outer->node + outer->list_start[variable],
                        outer->row_at + outer->list_start[variable], 0, 0, 0};
    if (scratch) {
        pairs.a_at = used_nodes(outer, family->lanes, variable, coefficients, scratch, left);
        pairs.b_at = scratch + outer->size;
        counts = left;
        if (!counts[outer->degrees - 1])
            return 0;
    }
    for (int32_t degree = 1; degree <= inner->degrees; degree++) {
        int32_t start = inner->start[degree], count = inner->start[degree + 1] - start;
        int32_t parts = (count + family->flat_width - 1) / family->flat_width;
        pairs.count = counts[degree - 1];
        for (int32_t part = 0; part < parts; part++) {
            int32_t from = start + count * part / parts;
            int32_t width = start + count * (part + 1) / parts - from;
            family->flat[width](coefficients, powers + from, level, inner->places + from, &pairs);
        }
    }
    return 1;
}
