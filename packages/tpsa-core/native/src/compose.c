/* Composition: the outer series as rows of real numbers, moved to the constant parts of the inner
   ones, then Horner's scheme for one group of rows after another. */
#include "compose.h"

#include <stdlib.h>
#include <string.h>

#include "horner.h"
#include "product.h"
#include "shift.h"

/* The widest vectors. */
enum { MOST_LANES = 8 };

static int parts_of(const Composition *job)
{
    return job->lanes > job->inner_lanes ? job->lanes : job->inner_lanes;
}

/* (outer size, rows): a component is one row, or two where any number is complex. */
static double *outer_rows(const Composition *job)
{
    int parts = parts_of(job);
    int64_t rows = job->components * parts, size = job->outer_plan->size;
    double *result = calloc((size_t)(size * rows) + 1, sizeof *result);
    for (int64_t component = 0; result && component < job->components; component++)
        for (int64_t place = 0; place < size; place++)
            for (int part = 0; part < job->lanes; part++)
                result[place * rows + component * parts + part] =
                    job->outer[(component * size + place) * job->lanes + part];
    return result;
}

static int move_to_constants(const Composition *job, double *rows)
{
    int32_t dimension = job->outer_plan->dimension;
    double *centre = calloc((size_t)dimension * 2, sizeof *centre);
    if (!centre)
        return -1;
    for (int32_t variable = 0; variable < dimension; variable++)
        for (int part = 0; part < job->inner_lanes; part++)
            centre[variable * job->inner_lanes + part] =
                job->inner[(int64_t)variable * job->inner_plan->size * job->inner_lanes + part];
    shift_polynomials(job->outer_plan, job->components * parts_of(job), job->inner_lanes == 2,
                      centre, rows);
    free(centre);
    return 0;
}

/* `moved` is NULL where the series stay where they are: then they are read as they were given. */
static void load_coefficients(const Composition *job, const Horner *horner, const double *moved)
{
    const Plan *outer = horner->outer_plan;
    int parts = parts_of(job), given = moved ? parts : job->lanes;
    int64_t rows = job->components * parts, stride = moved ? rows : given;
    for (int64_t group = 0; group < horner->groups; group++) {
        const double *from[MOST_LANES];
        int lanes[MOST_LANES], count = 0;
        for (int lane = 0; lane < horner->lanes; lane++) {
            int64_t row = group * horner->lanes + lane;
            if (row >= rows || row % parts >= given)
                continue;
            lanes[count] = lane;
            from[count++] =
                moved ? moved + row : job->outer + row / parts * outer->size * given + row % parts;
        }
        double *target = horner->coefficients + group * outer->size * horner->lanes;
        for (int64_t node = 0; node < outer->size; node++)
            for (int at = 0; at < count; at++)
                target[node * horner->lanes + lanes[at]] =
                    from[at][outer->tree.place[node] * stride];
    }
}

static void load_inner(const Composition *job, const Horner *horner)
{
    int64_t size = job->inner_plan->size;
    for (int32_t variable = 0; variable < job->outer_plan->dimension; variable++) {
        const double *from = job->inner + (int64_t)variable * size * job->inner_lanes;
        double *to = horner->inner + (int64_t)variable * size;
        if (job->inner_lanes == 2) {
            double *imaginary = horner->inner_imaginary + (int64_t)variable * size;
            split_planes(size, from, to, imaginary);
            imaginary[0] = 0;
        } else {
            memcpy(to, from, (size_t)size * sizeof *to);
        }
        to[0] = 0;
    }
}

static void store_group(const Composition *job, const Horner *horner, int64_t group,
                        const double *level)
{
    int64_t size = job->inner_plan->size, parts = parts_of(job);
    int64_t first = group * horner->lanes, left = job->components * parts - first;
    int count = left < horner->lanes ? (int)left : horner->lanes;
    double *targets[MOST_LANES];
    for (int lane = 0; lane < count; lane++)
        targets[lane] = job->result + (first + lane) / parts * size * parts + (first + lane) % parts;
    for (int64_t place = 0; place < size; place++)
        for (int lane = 0; lane < count; lane++)
            targets[lane][place * parts] = level[place * horner->lanes + lane];
}

double composition_bytes(const Plan *outer, const Plan *inner, int64_t components)
{
    return horner_bytes(outer, inner, 2 * components) +
           2.0 * sizeof(double) * (double)outer->size * (double)components;
}

static int has_constants(const Composition *job)
{
    for (int32_t variable = 0; variable < job->outer_plan->dimension; variable++)
        for (int part = 0; part < job->inner_lanes; part++)
            if (job->inner[(int64_t)variable * job->inner_plan->size * job->inner_lanes + part] != 0)
                return 1;
    return 0;
}

int compose_series(const Composition *job, const KernelSet *set)
{
    int64_t rows = job->components * parts_of(job);
    int moves = has_constants(job);
    double *values = moves ? outer_rows(job) : NULL;
    Horner horner;
    if (moves && !values)
        return -1;
    if ((moves && move_to_constants(job, values)) ||
        horner_make(&horner, job->outer_plan, job->inner_plan, set, rows, job->inner_lanes == 2)) {
        free(values);
        return -1;
    }
    load_coefficients(job, &horner, values);
    free(values);
    load_inner(job, &horner);
    for (int64_t group = 0; group < horner.groups; group++)
        store_group(job, &horner, group, horner_group(&horner, group, job->inner_plan->order));
    horner_free(&horner);
    return 0;
}
