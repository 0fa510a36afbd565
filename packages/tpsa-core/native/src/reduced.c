/* Series that depend on few of the variables. */
#include "reduced.h"

#include <stdlib.h>
#include <string.h>

/* Smaller series are multiplied faster than their coefficients are moved. */
enum { SMALLEST_SIZE = 64 };
/* A reduced series has to be so many times smaller. */
enum { TIMES_SMALLER = 3 };
/* A plan keeps many of them. */
static const double LARGEST_BYTES = 4.0 * (1 << 20);

/* The variables of a set in rising order, and the bounds of the monomials in them alone. */
typedef struct {
    int32_t variables[64], caps[64];
    Bounds bounds;
    int is_full;
} Active;

static Active active_of(const Bounds *bounds, ActiveSet set)
{
    Active active = {.bounds = {.order = bounds->order, .joint = bounds->joint}};
    int is_bound = 0;
    for (int32_t variable = 0; variable < bounds->dimension; variable++)
        if (set >> variable & 1) {
            int32_t at = active.bounds.dimension++;
            active.variables[at] = variable;
            active.caps[at] = bounds->caps ? bounds->caps[variable] : bounds->order;
            active.bounds.group += variable >= bounds->dimension - bounds->group;
            is_bound |= active.caps[at] < bounds->order;
        }
    /* Nothing but the order may bind these. */
    active.is_full = !is_bound && !active.bounds.group;
    return active;
}

/* Whether it pays to leave all but some variables out of account. */
static int pays(const Plan *plan, const Bounds *active)
{
    if (bounds_monomials(active) * TIMES_SMALLER > (double)plan->size)
        return 0;
    int32_t inner = plan_inner_of(active);
    return inner && plan_bytes(active, inner) <= LARGEST_BYTES;
}

/* The monomial of the whole plan for one of the active variables alone. */
static Monomial widened(const Monomial *monomial, const int32_t *variables)
{
    Monomial result = *monomial;
    for (int32_t factor = 0; factor < monomial->count; factor++)
        result.variable[factor] = variables[monomial->variable[factor]];
    return result;
}

static int fill_places(Reduced *reduced, const Plan *whole, const int32_t *variables)
{
    const Plan *plan = reduced->plan;
    MonomialWalk walk;
    reduced->place = malloc((size_t)plan->size * sizeof *reduced->place);
    if (!reduced->place || walk_make(&walk, &plan->bounds))
        return -1;
    for (int64_t graded = 0; graded < plan->size; graded++) {
        Monomial wide = widened(&walk.monomial, variables);
        reduced->place[plan->place[graded]] = (int32_t)plan_place(whole, &wide);
        if (graded + 1 < plan->size)
            walk_advance(&walk);
    }
    walk_free(&walk);
    return 0;
}

static Reduced *reduced_make(const Plan *whole, const Active *active, ActiveSet set)
{
    Reduced *reduced = calloc(1, sizeof *reduced);
    if (!reduced)
        return NULL;
    reduced->active = set;
    int32_t inner = plan_inner_of(&active->bounds);
    if (plan_make(&reduced->plan, &active->bounds, inner) == PLAN_OK &&
        !fill_places(reduced, whole, active->variables))
        return reduced;
    reduced_free(reduced);
    return NULL;
}

void reduced_free(Reduced *reduced)
{
    if (!reduced)
        return;
    plan_free(reduced->plan);
    free(reduced->place);
    free(reduced);
}

const Reduced *plan_reduced(Plan *plan, ActiveSet active)
{
    /* A constant needs a variable, too. */
    active = active ? active : 1;
    int count = __builtin_popcountll(active);
    if (count >= plan->dimension)
        return NULL;
    for (int at = 0; at < plan->reductions; at++)
        if (plan->reduced[at]->active == active)
            return plan->reduced[at];
    if (plan->reductions == MOST_REDUCTIONS || plan->size < SMALLEST_SIZE || plan->dimension > 64)
        return NULL;
    if (active == plan->not_reduced)
        return NULL;
    if (!plan->bounds.caps && monomials_number(count, plan->order) * TIMES_SMALLER > (double)plan->size)
        return NULL;
    Active alone = active_of(&plan->bounds, active);
    if (!alone.is_full)
        alone.bounds.caps = alone.caps;
    if (!pays(plan, &alone.bounds)) {
        plan->not_reduced = active;
        return NULL;
    }
    Reduced *reduced = reduced_make(plan, &alone, active);
    if (reduced)
        plan->reduced[plan->reductions++] = reduced;
    return reduced;
}

void take_active(const Reduced *reduced, int lanes, const double *series, double *active)
{
    for (int64_t at = 0; at < reduced->plan->size; at++)
        for (int lane = 0; lane < lanes; lane++)
            active[at * lanes + lane] = series[(int64_t)reduced->place[at] * lanes + lane];
}

void put_active(const Reduced *reduced, const Plan *plan, int lanes, const double *active,
                double *series)
{
    memset(series, 0, (size_t)(plan->size * lanes) * sizeof *series);
    for (int64_t at = 0; at < reduced->plan->size; at++)
        for (int lane = 0; lane < lanes; lane++)
            series[(int64_t)reduced->place[at] * lanes + lane] = active[at * lanes + lane];
}
