/* Tables of a plan that only some operations need: monomials times one variable, and the tree. */
#include <stdlib.h>

#include "plan.h"

static int32_t exponent_of(const Monomial *monomial, int32_t variable)
{
    for (int32_t factor = 0; factor < monomial->count; factor++)
        if (monomial->variable[factor] == variable)
            return monomial->exponent[factor];
    return 0;
}

/* Returns 0, or -1 without memory. */
static int fill_neighbours(const Plan *plan, int32_t variable, const Neighbours *table)
{
    MonomialWalk walk;
    if (walk_make(&walk, &plan->bounds))
        return -1;
    for (int64_t graded = 0; graded < plan->size; graded++) {
        int32_t place = plan->place[graded];
        table->product[place] = -1;
        table->exponent[place] = (uint16_t)(exponent_of(&walk.monomial, variable) + 1);
        if (bounds_allow(&plan->bounds, &walk.monomial, variable)) {
            Monomial product = monomial_times(&walk.monomial, variable);
            table->product[place] = (int32_t)plan_place(plan, &product);
        }
        if (graded + 1 < plan->size)
            walk_advance(&walk);
    }
    walk_free(&walk);
    return 0;
}

int plan_need_neighbours(Plan *plan, int32_t variable)
{
    Neighbours *present = &plan->neighbours[variable];
    if (present->product)
        return 0;
    Neighbours table = {malloc((size_t)plan->size * sizeof *table.product),
                        malloc((size_t)plan->size * sizeof *table.exponent)};
    if (!table.product || !table.exponent || fill_neighbours(plan, variable, &table)) {
        free(table.product);
        free(table.exponent);
        return -1;
    }
    *present = table;
    return 0;
}

/* Depth first: down by the last variable that occurs, else up until a later variable is left. */
static void fill_tree(const Plan *plan, const MonomialTree *tree)
{
    Monomial monomial = {0};
    for (int64_t node = 0; node < plan->size; node++) {
        int32_t last = monomial.count - 1;
        tree->depth[node] = (uint16_t)monomial.degree;
        tree->variable[node] = last < 0 ? 0 : (uint16_t)monomial.variable[last];
        tree->place[node] = (int32_t)plan_place(plan, &monomial);
        if (node + 1 == plan->size)
            break;
        if (monomial.degree < plan->order) {
            monomial = monomial_times(&monomial, last < 0 ? 0 : monomial.variable[last]);
            continue;
        }
        /* All that ends in powers of the last variable is done. */
        if (monomial.variable[last] == plan->dimension - 1) {
            monomial.degree -= monomial.exponent[last];
            monomial.count = last--;
        }
        int32_t next = monomial.variable[last] + 1;
        monomial.degree--;
        if (--monomial.exponent[last] == 0)
            monomial.count = last;
        monomial = monomial_times(&monomial, next);
    }
}

/* The same where not all products are kept: the first variable that is allowed, or back. */
static int fill_restricted_tree(const Plan *plan, const MonomialTree *tree)
{
    int32_t *path = malloc(((size_t)plan->order + 1) * sizeof *path);
    if (!path)
        return -1;
    Monomial monomial = {0};
    int64_t node = 0;
    int32_t variable = 0;
    for (;;) {
        tree->depth[node] = (uint16_t)monomial.degree;
        tree->variable[node] = monomial.degree ? (uint16_t)path[monomial.degree - 1] : 0;
        tree->place[node] = (int32_t)plan_place(plan, &monomial);
        if (++node == plan->size)
            break;
        while (variable == plan->dimension || !bounds_allow(&plan->bounds, &monomial, variable)) {
            if (variable < plan->dimension) {
                variable++;
                continue;
            }
            /* There are more nodes: so there is a way back. */
            monomial.degree--;
            if (--monomial.exponent[monomial.count - 1] == 0)
                monomial.count--;
            variable = path[monomial.degree] + 1;
        }
        path[monomial.degree] = variable;
        monomial = monomial_times(&monomial, variable);
    }
    free(path);
    return 0;
}

int plan_need_tree(Plan *plan)
{
    if (plan->tree.place)
        return 0;
    MonomialTree tree = {malloc((size_t)plan->size * sizeof *tree.depth),
                         malloc((size_t)plan->size * sizeof *tree.variable),
                         malloc((size_t)plan->size * sizeof *tree.place)};
    int failed = !tree.depth || !tree.variable || !tree.place;
    if (!failed && plan->bounds.caps)
        failed = fill_restricted_tree(plan, &tree);
    else if (!failed)
        fill_tree(plan, &tree);
    if (failed) {
        free(tree.depth);
        free(tree.variable);
        free(tree.place);
        return -1;
    }
    plan->tree = tree;
    return 0;
}
