/* The inverse of a map, order by order: with the map's linear part L and the rest N, the inverse I
   satisfies I = L^-1 (x - N(I)). As N starts at degree 2, putting in I right to order k - 1 gives the
   terms of degree k; together the steps cost about one and a half compositions. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#include <stdlib.h>

#include "compose.h"
#include "horner.h"

typedef struct {
    const Plan *plan;
    int lanes;
    int64_t rows;
    const double *linear;
    Horner horner;
    /* (rows, terms of a degree): N of the inverse so far. */
    double *rest;
} Inversion;

/* The map without its constant and linear parts, in the order of the tree. */
static void load_rest(const Inversion *job, const double *map)
{
    const Horner *horner = &job->horner;
    const Plan *plan = job->plan;
    for (int64_t row = 0; row < job->rows; row++) {
        int64_t group = row / horner->lanes, lane = row % horner->lanes;
        const double *from = map + row / job->lanes * plan->size * job->lanes + row % job->lanes;
        double *to = horner->coefficients + group * plan->size * horner->lanes + lane;
        for (int64_t node = 0; node < plan->size; node++)
            if (plan->tree.depth[node] > 1)
                to[node * horner->lanes] = from[(int64_t)plan->tree.place[node] * job->lanes];
    }
}

/* The inner series start as L^-1. */
static void load_linear(const Inversion *job)
{
    const Plan *plan = job->plan;
    int32_t dimension = plan->dimension;
    for (int32_t row = 0; row < dimension; row++)
        for (int32_t column = 0; column < dimension; column++) {
            const double *number = job->linear + ((int64_t)row * dimension + column) * job->lanes;
            int64_t at = (int64_t)row * plan->size + job->horner.linear[column];
            job->horner.inner[at] = number[0];
            if (job->lanes == 2)
                job->horner.inner_imaginary[at] = number[1];
        }
}

/* The number of terms of a degree, and their places. */
static int64_t degree_count(const Plan *plan, int32_t degree)
{
    return plan->graded_start[degree + 1] - plan->graded_start[degree];
}

static const int32_t *degree_places(const Plan *plan, int32_t degree)
{
    return plan->place + plan->graded_start[degree];
}

static void compose_rest(const Inversion *job, int32_t degree)
{
    const Horner *horner = &job->horner;
    int64_t count = degree_count(job->plan, degree);
    const int32_t *places = degree_places(job->plan, degree);
    for (int64_t group = 0; group < horner->groups; group++) {
        const double *level = horner_group(horner, group, degree);
        for (int lane = 0; lane < horner->lanes; lane++) {
            int64_t row = group * horner->lanes + lane;
            for (int64_t term = 0; row < job->rows && term < count; term++)
                job->rest[row * count + term] = level[(int64_t)places[term] * horner->lanes + lane];
        }
    }
}

/* target -= number * (first + i second), for the terms of a degree. */
static void subtract_multiple(const Inversion *job, int32_t degree, const double *number,
                              const double *rest, double *target, double *imaginary)
{
    int64_t count = degree_count(job->plan, degree);
    const int32_t *places = degree_places(job->plan, degree);
    for (int64_t term = 0; term < count; term++)
        target[places[term]] -= number[0] * rest[term];
    if (job->lanes == 1)
        return;
    const double *second = rest + count;
    for (int64_t term = 0; term < count; term++) {
        target[places[term]] += number[1] * second[term];
        imaginary[places[term]] -= number[0] * second[term] + number[1] * rest[term];
    }
}

/* The terms of a degree of L^-1 (x - rest); they were zero. */
static void apply_linear(const Inversion *job, int32_t degree)
{
    const Plan *plan = job->plan;
    int32_t dimension = plan->dimension;
    for (int32_t row = 0; row < dimension; row++)
        for (int32_t column = 0; column < dimension; column++) {
            int64_t at = (int64_t)row * plan->size;
            subtract_multiple(job, degree,
                              job->linear + ((int64_t)row * dimension + column) * job->lanes,
                              job->rest + (int64_t)column * job->lanes * degree_count(plan, degree),
                              job->horner.inner + at,
                              job->lanes == 2 ? job->horner.inner_imaginary + at : NULL);
        }
}

static void store_result(const Inversion *job, double *result)
{
    int64_t count = (int64_t)job->plan->dimension * job->plan->size;
    for (int64_t at = 0; at < count; at++) {
        result[at * job->lanes] = job->horner.inner[at];
        if (job->lanes == 2)
            result[at * 2 + 1] = job->horner.inner_imaginary[at];
    }
}

int inverse_map(const Plan *plan, const KernelSet *set, int lanes, const double *map,
                const double *linear, double *result)
{
    Inversion job = {.plan = plan,
                     .lanes = lanes,
                     .rows = (int64_t)plan->dimension * lanes,
                     .linear = linear};
    int64_t most = 0;
    for (int32_t degree = 0; degree <= plan->order; degree++)
        most = degree_count(plan, degree) > most ? degree_count(plan, degree) : most;
    job.rest = malloc((size_t)(job.rows * most) * sizeof *job.rest);
    if (!job.rest)
        return -1;
    if (horner_make(&job.horner, plan, plan, set, job.rows, lanes == 2)) {
        free(job.rest);
        return -1;
    }
    load_rest(&job, map);
    if (plan->order)
        load_linear(&job);
    for (int32_t degree = 2; degree <= plan->order; degree++) {
        compose_rest(&job, degree);
        apply_linear(&job, degree);
    }
    store_result(&job, result);
    horner_free(&job.horner);
    free(job.rest);
    return 0;
}
