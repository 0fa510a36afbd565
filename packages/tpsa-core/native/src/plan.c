/* Building a plan: the blocks, the pairs of blocks of each result, and the places. */
#include "plan.h"

#include "flat.h"
#include "reduced.h"

#include <stdlib.h>
#include <string.h>

/* Sizes are multiplied as size_t: plan_bytes has bounded every product far below its range. One
   byte more, so that an empty table is not mistaken for missing memory. */
static void *table(int64_t count, size_t width)
{
    return malloc((size_t)count * width + 1);
}

/* The number of outer monomials up to a degree. */
static int64_t outer_count(const Plan *plan, int32_t degree)
{
    if (plan->position)
        return plan->outer_places.start[degree + 1];
    return monomials_up_to(&plan->counts, plan->outer_variables, degree);
}

static int make_blocks(Plan *plan)
{
    const int32_t order = plan->order;
    plan->blocks = (int32_t)outer_count(plan, order);
    plan->degree = table(plan->blocks, sizeof *plan->degree);
    plan->offset = table((int64_t)plan->blocks + 1, sizeof *plan->offset);
    plan->degree_start = table((int64_t)order + 2, sizeof *plan->degree_start);
    plan->inner_start = table((int64_t)order + 2, sizeof *plan->inner_start);
    if (!plan->degree || !plan->offset || !plan->degree_start || !plan->inner_start)
        return -1;
    plan->degree_start[0] = plan->inner_start[0] = 0;
    for (int32_t degree = 0; degree <= order; degree++) {
        plan->degree_start[degree + 1] = (int32_t)outer_count(plan, degree);
        plan->inner_start[degree + 1] = (int32_t)monomials_up_to(
            &plan->counts, plan->inner_variables, inner_degree(plan, degree));
    }
    int32_t offset = 0;
    for (int32_t degree = 0; degree <= order; degree++)
        for (int32_t block = plan->degree_start[degree]; block < plan->degree_start[degree + 1];
             block++) {
            plan->degree[block] = degree;
            plan->offset[block] = offset;
            offset += inner_count(plan, order - degree);
        }
    plan->offset[plan->blocks] = offset;
    return 0;
}

/* The next divisor, as an odometer over the exponents whose last digit runs fastest; the
   complement of a divisor then comes in the opposite order. Returns 0 after the last one. */
static int next_divisor(const Monomial *whole, int32_t *digits)
{
    for (int32_t factor = whole->count - 1; factor >= 0; factor--) {
        if (digits[factor] < whole->exponent[factor]) {
            digits[factor]++;
            return 1;
        }
        digits[factor] = 0;
    }
    return 0;
}

static Monomial monomial_of_digits(const Monomial *whole, const int32_t *digits, int complement)
{
    Monomial result = {0};
    for (int32_t factor = 0; factor < whole->count; factor++) {
        int32_t exponent = complement ? whole->exponent[factor] - digits[factor] : digits[factor];
        if (!exponent)
            continue;
        result.variable[result.count] = whole->variable[factor];
        result.exponent[result.count] = exponent;
        result.count++;
        result.degree += exponent;
    }
    return result;
}

static int64_t block_start(const Plan *plan, const Monomial *monomial)
{
    if (plan->position)
        return plan->offset[bounded_place(&plan->outer_places, &plan->outer_bounds, monomial)];
    return plan->offset[monomial_place(monomial, plan->outer_variables, &plan->counts)];
}

/* Count the divisors of a monomial by degree, then put each where its degree stands: the cuts
   first count, then hold the next free pair, and are moved back at the end. */
static void fill_pairs(Plan *plan, int32_t block, const Monomial *whole, int64_t first)
{
    int64_t *cut = plan->cut + plan->cut_start[block];
    int32_t degree = plan->degree[block];
    int32_t digits[MONOMIAL_FACTORS] = {0};
    memset(cut, 0, ((size_t)degree + 2) * sizeof *cut);
    do {
        int32_t sum = 0;
        for (int32_t factor = 0; factor < whole->count; factor++)
            sum += digits[factor];
        cut[sum + 1]++;
    } while (next_divisor(whole, digits));
    cut[0] = first;
    for (int32_t left = 0; left <= degree; left++)
        cut[left + 1] += cut[left];
    do {
        Monomial left = monomial_of_digits(whole, digits, 0);
        Monomial right = monomial_of_digits(whole, digits, 1);
        int64_t pair = cut[left.degree]++;
        plan->left_at[pair] = (int32_t)block_start(plan, &left);
        plan->right_at[pair] = (int32_t)block_start(plan, &right);
    } while (next_divisor(whole, digits));
    memmove(cut + 1, cut, ((size_t)degree + 1) * sizeof *cut);
    cut[0] = first;
}

static int make_pairs(Plan *plan)
{
    plan->cut_start = table((int64_t)plan->blocks + 1, sizeof *plan->cut_start);
    if (!plan->cut_start)
        return -1;
    int64_t cuts = 0;
    for (int32_t block = 0; block < plan->blocks; block++) {
        plan->cut_start[block] = cuts;
        cuts += plan->degree[block] + 2;
    }
    plan->cut_start[plan->blocks] = cuts;
    plan->cut = table(cuts, sizeof *plan->cut);
    plan->left_at = table(plan->pairs, sizeof *plan->left_at);
    plan->right_at = table(plan->pairs, sizeof *plan->right_at);
    MonomialWalk whole;
    if (!plan->cut || !plan->left_at || !plan->right_at || walk_make(&whole, &plan->outer_bounds))
        return -1;
    int64_t first = 0;
    for (int32_t block = 0; block < plan->blocks; block++) {
        fill_pairs(plan, block, &whole.monomial, first);
        first = plan_cut(plan, block, plan->degree[block] + 1);
        /* The last monomial of the order has no next one within the tables. */
        if (block + 1 < plan->blocks)
            walk_advance(&whole);
    }
    walk_free(&whole);
    return 0;
}

/* The outer and the inner part of a monomial of a restricted plan, in their own variables. */
static void part_monomial(const Plan *plan, const Monomial *monomial, Monomial parts[2])
{
    for (int32_t factor = 0; factor < monomial->count; factor++) {
        int32_t position = plan->position[monomial->variable[factor]];
        int is_inner = position >= plan->outer_variables;
        Monomial *part = &parts[is_inner];
        part->variable[part->count] = position - (is_inner ? plan->outer_variables : 0);
        part->exponent[part->count] = monomial->exponent[factor];
        part->degree += monomial->exponent[factor];
        part->count++;
    }
}

int64_t plan_place(const Plan *plan, const Monomial *monomial)
{
    Monomial parts[2] = {0};
    if (plan->position) {
        part_monomial(plan, monomial, parts);
    } else {
        parts[0] = monomial_part(monomial, 0, plan->outer_variables);
        parts[1] = monomial_part(monomial, plan->outer_variables, plan->dimension);
    }
    return block_start(plan, &parts[0]) +
           monomial_place(&parts[1], plan->inner_variables, &plan->counts);
}

static uint64_t variables_of(const Plan *plan, const Monomial *monomial)
{
    if (plan->dimension > 64)
        return ~(uint64_t)0;
    uint64_t variables = 0;
    for (int32_t factor = 0; factor < monomial->count; factor++)
        variables |= (uint64_t)1 << monomial->variable[factor];
    return variables;
}

static int make_places(Plan *plan)
{
    plan->place = table(plan->size, sizeof *plan->place);
    plan->variables = table(plan->size, sizeof *plan->variables);
    plan->graded_start = calloc((size_t)plan->order + 2, sizeof *plan->graded_start);
    MonomialWalk walk;
    if (!plan->place || !plan->variables || !plan->graded_start || walk_make(&walk, &plan->bounds))
        return -1;
    for (int64_t graded = 0; graded < plan->size; graded++) {
        plan->place[graded] = (int32_t)plan_place(plan, &walk.monomial);
        plan->variables[graded] = variables_of(plan, &walk.monomial);
        plan->graded_start[walk.monomial.degree + 1] = graded + 1;
        if (graded + 1 < plan->size)
            walk_advance(&walk);
    }
    /* A degree that no monomial has ends where it starts. */
    for (int32_t degree = 0; degree <= plan->order; degree++)
        if (!plan->graded_start[degree + 1])
            plan->graded_start[degree + 1] = plan->graded_start[degree];
    walk_free(&walk);
    return 0;
}

/* What a plan is, but for its tables. Returns 0, or -1 without memory. */
static int describe(Plan *plan, const Bounds *bounds, int32_t inner_variables)
{
    plan->dimension = bounds->dimension;
    plan->order = plan->inner_order = bounds->order;
    plan->inner_variables = inner_variables;
    plan->outer_variables = plan->dimension - plan->inner_variables;
    plan->has_kernels = plan_can_split(plan->dimension, plan->order, plan->inner_variables);
    plan->work = bounds_pairs(bounds);
    plan->outer_bounds = (Bounds){plan->outer_variables, plan->order, NULL, 0, 0};
    plan->neighbours = calloc((size_t)plan->dimension, sizeof *plan->neighbours);
    if (!plan->neighbours || bounds_copy(bounds, &plan->bounds))
        return -1;
    if (bounds->caps &&
        (plan_split(plan) || places_make(&plan->outer_places, &plan->outer_bounds)))
        return -1;
    plan->pairs = plan->has_kernels || !bounds->caps
                      ? (int64_t)(bounds_pairs(&plan->outer_bounds) + 0.5)
                      : 0;
    int32_t most = plan->outer_variables > plan->inner_variables && !bounds->caps
                       ? plan->outer_variables
                       : plan->inner_variables;
    return monomial_counts_make(&plan->counts, most, plan->order);
}

PlanStatus plan_make(Plan **result, const Bounds *bounds, int32_t inner_variables)
{
    if (plan_bytes(bounds, inner_variables) > PLAN_LARGEST_BYTES)
        return PLAN_TOO_LARGE;
    Plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return PLAN_NO_MEMORY;
    int failed = describe(plan, bounds, inner_variables) || make_blocks(plan);
    if (!failed)
        plan->size = plan->offset[plan->blocks];
    /* Without kernels no blocks of a restricted plan meet. */
    int has_pairs = !failed && (plan->has_kernels || !bounds->caps);
    if (failed || (has_pairs && (make_pairs(plan) || plan_make_wide(plan))) || make_places(plan)) {
        plan_free(plan);
        return PLAN_NO_MEMORY;
    }
    *result = plan;
    return PLAN_OK;
}

void plan_free(Plan *plan)
{
    if (!plan)
        return;
    for (int32_t variable = 0; plan->neighbours && variable < plan->dimension; variable++) {
        free(plan->neighbours[variable].product);
        free(plan->neighbours[variable].exponent);
    }
    free(plan->neighbours);
    flat_free(plan->flat);
    free(plan->tree.depth);
    free(plan->tree.variable);
    free(plan->tree.place);
    free(plan->degree);
    free(plan->offset);
    free(plan->degree_start);
    free(plan->inner_start);
    free(plan->left_at);
    free(plan->right_at);
    free(plan->cut);
    free(plan->cut_start);
    free(plan->wide_order);
    free(plan->wide_gains);
    free(plan->place);
    free(plan->graded_start);
    free(plan->variables);
    free(plan->position);
    bounds_free(&plan->bounds);
    bounds_free(&plan->outer_bounds);
    places_free(&plan->outer_places);
    for (int at = 0; at < plan->reductions; at++)
        reduced_free(plan->reduced[at]);
    monomial_counts_free(&plan->counts);
    free(plan);
}
