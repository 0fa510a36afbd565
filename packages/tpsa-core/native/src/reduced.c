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

/* Whether it pays to leave all but so many variables out of account. */
static int pays(const Plan *plan, int count)
{
    if (plan->size < SMALLEST_SIZE || plan->dimension > 64 || count >= plan->dimension)
        return 0;
    if (monomials_number(count, plan->order) * TIMES_SMALLER > (double)plan->size)
        return 0;
    int32_t inner = plan_inner_variables(count, plan->order);
    return plan_bytes(count, plan->order, inner) <= LARGEST_BYTES;
}

static int count_of(ActiveSet active)
{
    int count = 0;
    for (; active; active &= active - 1)
        count++;
    return count;
}

/* The monomial of the whole plan for one of the active variables alone. */
static Monomial widened(const Monomial *monomial, const int32_t *variables)
{
    Monomial result = *monomial;
    for (int32_t factor = 0; factor < monomial->count; factor++)
        result.variable[factor] = variables[monomial->variable[factor]];
    return result;
}

static int fill_places(Reduced *reduced, const Plan *whole)
{
    const Plan *plan = reduced->plan;
    int32_t variables[64];
    int32_t count = 0;
    for (int32_t variable = 0; variable < whole->dimension; variable++)
        if (reduced->active >> variable & 1)
            variables[count++] = variable;
    reduced->place = malloc((size_t)plan->size * sizeof *reduced->place);
    if (!reduced->place)
        return -1;
    Monomial monomial = {0};
    for (int64_t graded = 0; graded < plan->size; graded++) {
        Monomial wide = widened(&monomial, variables);
        reduced->place[plan->place[graded]] = (int32_t)plan_place(whole, &wide);
        if (graded + 1 < plan->size)
            monomial_advance(&monomial, plan->dimension);
    }
    return 0;
}

static Reduced *reduced_make(const Plan *whole, ActiveSet active)
{
    Reduced *reduced = calloc(1, sizeof *reduced);
    if (!reduced)
        return NULL;
    int32_t count = count_of(active);
    reduced->active = active;
    int32_t inner = plan_inner_variables(count, whole->order);
    if (plan_make(&reduced->plan, count, whole->order, inner) == PLAN_OK &&
        !fill_places(reduced, whole))
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
    int count = count_of(active);
    if (count >= plan->dimension)
        return NULL;
    for (int at = 0; at < plan->reductions; at++)
        if (plan->reduced[at]->active == active)
            return plan->reduced[at];
    if (plan->reductions == MOST_REDUCTIONS || !pays(plan, count))
        return NULL;
    Reduced *reduced = reduced_make(plan, active);
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
