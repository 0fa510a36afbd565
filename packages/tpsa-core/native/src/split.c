/* How many variables the blocks have, and what a plan will cost.

   Many inner variables mean few, long, straight-line products; past the generated kernels there are
   two, or one if there are no more. The choices were measured (see the README) and are fixed. */
#include <stdlib.h>

#include "kernels.h"
#include "plan.h"

/* Past this order the blocks of three variables are rows. */
enum { LONG_ROWS = 18 };

int plan_can_split(int32_t dimension, int32_t order, int32_t inner_variables)
{
    if (inner_variables < 1 || inner_variables > dimension || inner_variables > BLOCK_VARIABLES)
        return 0;
    return inner_variables <= 2 || order <= block_highest_order[inner_variables];
}

int32_t plan_inner_variables(int32_t dimension, int32_t order)
{
    int32_t inner = dimension < BLOCK_VARIABLES ? dimension : BLOCK_VARIABLES;
    while (inner > 1 && order > block_highest_order[inner])
        inner--;
    /* Products like two variables better than rows, but recurrences have to take a block degree by
       degree, and shorter blocks are better for them if there is only one of two variables. Long blocks of
       two lose to rows if there are three. */
    if (inner == 1 && (dimension > 3 || (dimension == 3 && order <= LONG_ROWS) ||
                       (dimension == 2 && order > block_highest_order[1])))
        inner = 2;
    return inner;
}

int32_t plan_free_variables(const Bounds *bounds)
{
    int32_t count = 0;
    for (int32_t variable = 0; variable < bounds->dimension - bounds->group; variable++)
        count += !bounds->caps || bounds->caps[variable] == bounds->order;
    return count;
}

int32_t plan_inner_of(const Bounds *bounds)
{
    int32_t inner = plan_inner_variables(bounds->dimension, bounds->order);
    int32_t free = plan_free_variables(bounds);
    /* One that is bound, if need be, but not jointly: rows of one degree must have one length. */
    if (!free)
        return bounds->group < bounds->dimension ? 1 : 0;
    while (inner > free || !plan_can_split(bounds->dimension, bounds->order, inner))
        inner--;
    return inner;
}

/* The last free variables, or else the first one with the highest power. */
static void choose_inner(const Plan *plan)
{
    const Bounds *bounds = &plan->bounds;
    int32_t skipped = plan_free_variables(bounds) - plan->inner_variables;
    int32_t best = 0;
    for (int32_t variable = 0; variable < bounds->dimension - bounds->group; variable++) {
        int is_free = bounds->caps[variable] == bounds->order;
        plan->position[variable] = is_free && --skipped < 0;
        if (bounds->caps[variable] > bounds->caps[best])
            best = variable;
    }
    if (plan_free_variables(bounds) < plan->inner_variables)
        plan->position[best] = 1;
}

int plan_split(Plan *plan)
{
    const Bounds *bounds = &plan->bounds;
    Bounds *outer = &plan->outer_bounds;
    plan->position = calloc((size_t)bounds->dimension + 1, sizeof *plan->position);
    *outer = (Bounds){plan->outer_variables, bounds->order, NULL, bounds->group, bounds->joint};
    outer->caps = calloc((size_t)bounds->dimension + 1, sizeof *outer->caps);
    if (!plan->position || !outer->caps)
        return -1;
    if (plan->inner_variables)
        choose_inner(plan);
    int32_t next_outer = 0, next_inner = plan->outer_variables;
    for (int32_t variable = 0; variable < bounds->dimension; variable++)
        if (plan->position[variable]) {
            plan->inner_order = bounds->caps[variable];
            plan->position[variable] = next_inner++;
        } else {
            outer->caps[next_outer] = bounds->caps[variable];
            plan->position[variable] = next_outer++;
        }
    return 0;
}

static double restricted_bytes(const Bounds *bounds, int32_t inner_variables)
{
    double rows = ((double)bounds->dimension + 1) * ((double)bounds->order + 1) * sizeof(int64_t);
    if (rows > PLAN_LARGEST_BYTES)
        return rows;
    Plan plan = {.bounds = *bounds,
                 .inner_variables = inner_variables,
                 .outer_variables = bounds->dimension - inner_variables};
    double blocks = 1e300, pairs = 1e300;
    if (!plan_split(&plan)) {
        blocks = bounds_monomials(&plan.outer_bounds);
        pairs = inner_variables ? bounds_pairs(&plan.outer_bounds) : 0;
    }
    bounds_free(&plan.outer_bounds);
    free(plan.position);
    double cuts = inner_variables ? blocks * (bounds->order + 2.0) : 0;
    return bounds_monomials(bounds) * (sizeof(int32_t) + sizeof(uint64_t)) +
           blocks * (2 * sizeof(int32_t) + sizeof(int64_t)) + pairs * 2 * sizeof(int32_t) +
           cuts * sizeof(int64_t) + rows;
}

double plan_bytes(const Bounds *bounds, int32_t inner_variables)
{
    if (bounds->caps)
        return restricted_bytes(bounds, inner_variables);
    int32_t dimension = bounds->dimension, order = bounds->order;
    int32_t outer = dimension - inner_variables;
    int32_t most = outer > inner_variables ? outer : inner_variables;
    double size = monomials_number(dimension, order);
    double blocks = monomials_number(outer, order);
    double pairs = monomials_number(2 * outer, order);
    /* A block has one cut for each degree up to its own, and two more. */
    double cuts = blocks * ((outer ? order : 0) + 2.0);
    double counts = ((double)most + 1) * ((double)order + 1);
    return size * (sizeof(int32_t) + sizeof(uint64_t)) + blocks * (2 * sizeof(int32_t) + sizeof(int64_t)) +
           pairs * 2 * sizeof(int32_t) + cuts * sizeof(int64_t) + counts * sizeof(int64_t);
}
