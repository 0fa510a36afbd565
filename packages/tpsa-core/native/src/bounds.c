/* Monomials within bounds: how many there are, and one after the other. */
#include "bounds.h"

#include <stdlib.h>
#include <string.h>

static const double LARGEST_COUNT = 1e300;

static int32_t least(int32_t first, int32_t second)
{
    return first < second ? first : second;
}

int bounds_allow(const Bounds *bounds, const Monomial *monomial, int32_t variable)
{
    if (monomial->degree >= bounds->order)
        return 0;
    if (!bounds->caps)
        return 1;
    int32_t joint = 0, power = 0;
    for (int32_t factor = 0; factor < monomial->count; factor++) {
        if (monomial->variable[factor] >= bounds->dimension - bounds->group)
            joint += monomial->exponent[factor];
        if (monomial->variable[factor] == variable)
            power = monomial->exponent[factor];
    }
    int in_group = variable >= bounds->dimension - bounds->group;
    return power < bounds->caps[variable] && (!in_group || joint < bounds->joint);
}

int bounds_equal(const Bounds *first, const Bounds *second)
{
    if (first->dimension != second->dimension || first->order != second->order ||
        first->group != second->group || first->joint != second->joint)
        return 0;
    if (!first->caps || !second->caps)
        return first->caps == second->caps;
    return !memcmp(first->caps, second->caps, (size_t)first->dimension * sizeof *first->caps);
}

int bounds_copy(const Bounds *from, Bounds *to)
{
    *to = *from;
    if (!from->caps)
        return 0;
    size_t bytes = (size_t)from->dimension * sizeof *from->caps;
    to->caps = malloc(bytes + 1);
    if (to->caps)
        memcpy(to->caps, from->caps, bytes);
    return to->caps ? 0 : -1;
}

void bounds_free(Bounds *bounds)
{
    free(bounds->caps);
    bounds->caps = NULL;
}

/* One more variable: the counts by degree, convolved with 1 for each power, or with power + 1. */
static void count_powers(double *row, double *once, double *twice, const Bounds *bounds,
                         int32_t variable, int divisors)
{
    int32_t past = bounds->caps[variable] + 1;
    int in_group = variable >= bounds->dimension - bounds->group;
    for (int32_t degree = 0; degree <= bounds->order; degree++) {
        once[degree] = row[degree] + (degree ? once[degree - 1] : 0);
        twice[degree] = once[degree] + (degree ? twice[degree - 1] : 0);
    }
    for (int32_t degree = 0; degree <= bounds->order; degree++) {
        double before = degree >= past ? once[degree - past] : 0;
        if (divisors)
            before = past * before + (degree >= past ? twice[degree - past] : 0);
        double count = (divisors ? twice : once)[degree] - before;
        row[degree] = in_group && degree > bounds->joint ? 0
                      : count > LARGEST_COUNT            ? LARGEST_COUNT
                                                         : count;
    }
}

static double count_all(const Bounds *bounds, int divisors)
{
    size_t width = (size_t)bounds->order + 1;
    double *row = calloc(3 * width, sizeof *row);
    if (!row)
        return LARGEST_COUNT;
    row[0] = 1;
    for (int32_t variable = bounds->dimension - 1; variable >= 0; variable--)
        count_powers(row, row + width, row + 2 * width, bounds, variable, divisors);
    double total = 0;
    for (size_t degree = 0; degree < width; degree++)
        total += row[degree];
    free(row);
    return total;
}

double bounds_monomials(const Bounds *bounds)
{
    return bounds->caps ? count_all(bounds, 0) : monomials_number(bounds->dimension, bounds->order);
}

double bounds_pairs(const Bounds *bounds)
{
    return bounds->caps ? count_all(bounds, 1)
                        : monomials_number(2 * bounds->dimension, bounds->order);
}

int walk_make(MonomialWalk *walk, const Bounds *bounds)
{
    *walk = (MonomialWalk){.bounds = bounds};
    if (!bounds->caps)
        return 0;
    size_t dimension = (size_t)bounds->dimension;
    walk->power = calloc(dimension + 1, sizeof *walk->power);
    walk->room = calloc(dimension + 1, sizeof *walk->room);
    if (!walk->power || !walk->room) {
        walk_free(walk);
        return -1;
    }
    int32_t first = bounds->dimension - bounds->group;
    for (int32_t variable = bounds->dimension - 1; variable >= 0; variable--) {
        walk->room[variable] = walk->room[variable + 1] + bounds->caps[variable];
        /* Inside the group the powers before have left enough. */
        if (variable == first && walk->room[variable] > bounds->joint)
            walk->room[variable] = bounds->joint;
    }
    return 0;
}

void walk_free(MonomialWalk *walk)
{
    free(walk->power);
    free(walk->room);
}

/* As high powers as possible, the earlier variables first. */
static void fill_from(MonomialWalk *walk, int32_t variable, int32_t rest)
{
    for (; variable < walk->bounds->dimension; variable++) {
        walk->power[variable] = least(rest, walk->bounds->caps[variable]);
        rest -= walk->power[variable];
    }
}

static void collect_factors(MonomialWalk *walk)
{
    Monomial *monomial = &walk->monomial;
    monomial->count = 0;
    for (int32_t variable = 0; variable < walk->bounds->dimension; variable++)
        if (walk->power[variable]) {
            monomial->variable[monomial->count] = variable;
            monomial->exponent[monomial->count] = walk->power[variable];
            monomial->count++;
        }
}

void walk_advance(MonomialWalk *walk)
{
    if (!walk->bounds->caps) {
        monomial_advance(&walk->monomial, walk->bounds->dimension);
        return;
    }
    /* One power less of the last variable that leaves what those after it can take. */
    int32_t variable = walk->bounds->dimension - 1, rest = 0;
    for (; variable >= 0; variable--) {
        if (walk->power[variable] && rest + 1 <= walk->room[variable + 1])
            break;
        rest += walk->power[variable];
    }
    if (variable >= 0) {
        walk->power[variable]--;
        fill_from(walk, variable + 1, rest + 1);
    } else {
        walk->monomial.degree++;
        fill_from(walk, 0, walk->monomial.degree);
    }
    collect_factors(walk);
}

/* With c_k(t) monomials of degree t in the variables from k on, and C_k(t) of a lower degree, the
   place of a monomial with the tail sums t_k of exponents is the number of those of a lower degree
   and the sum of C_{k+1}(t_{k+1}) - C_{k+1}(t_k - min(cap_k, t_k)) over all k: of one term for each
   tail sum, added up over k in `sum`, because tail sums change only at variables that occur. */
int places_make(BoundedPlaces *places, const Bounds *bounds)
{
    int32_t order = bounds->order;
    size_t width = (size_t)order + 1, rows = (size_t)bounds->dimension + 1;
    places->start = calloc(width + 1, sizeof *places->start);
    places->sum = calloc(rows * width, sizeof *places->sum);
    double *row = calloc(3 * width, sizeof *row);
    /* (rows, width + 1): C_k */
    int64_t *below = calloc(rows * (width + 1), sizeof *below);
    int failed = !places->start || !places->sum || !row || !below;
    if (!failed)
        row[0] = 1;
    for (int32_t variable = bounds->dimension; !failed && variable >= 0; variable--) {
        if (variable < bounds->dimension)
            count_powers(row, row + width, row + 2 * width, bounds, variable, 0);
        int64_t *counts = below + (size_t)variable * (width + 1);
        for (size_t degree = 0; degree < width; degree++)
            counts[degree + 1] = counts[degree] + (int64_t)row[degree];
    }
    for (int32_t variable = 0; !failed && variable < bounds->dimension; variable++) {
        const int64_t *here = below + (size_t)variable * (width + 1), *after = here + width + 1;
        int64_t *sum = places->sum + (size_t)variable * width;
        for (int32_t tail = 0; tail <= order; tail++)
            sum[width + (size_t)tail] =
                sum[tail] + here[tail] - after[tail - least(tail, bounds->caps[variable])];
    }
    if (!failed)
        memcpy(places->start, below, (width + 1) * sizeof *below);
    free(row);
    free(below);
    if (failed)
        places_free(places);
    return failed ? -1 : 0;
}

void places_free(BoundedPlaces *places)
{
    free(places->start);
    free(places->sum);
    *places = (BoundedPlaces){0};
}

int64_t bounded_place(const BoundedPlaces *places, const Bounds *bounds, const Monomial *monomial)
{
    int64_t width = (int64_t)bounds->order + 1, place = 0;
    int32_t tail = monomial->degree, first = 0;
    for (int32_t factor = 0; factor < monomial->count; factor++) {
        int32_t stop = monomial->variable[factor] + 1;
        place += places->sum[stop * width + tail] - places->sum[first * width + tail];
        tail -= monomial->exponent[factor];
        first = stop;
    }
    return place;
}
