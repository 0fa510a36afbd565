/* Composition: the outer series as rows of real numbers, moved to the constant parts of the inner
   ones, then Horner's scheme for one group of rows after another. */
#include "compose.h"

#include <stdlib.h>
#include <string.h>

#include "horner.h"
#include "product.h"
#include "shift.h"

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

static int any_constant(const Composition *job)
{
    int64_t stride = job->inner_plan->size * job->inner_lanes;
    for (int32_t variable = 0; variable < job->outer_plan->dimension; variable++)
        for (int part = 0; part < job->inner_lanes; part++)
            if (job->inner[variable * stride + part] != 0)
                return 1;
    return 0;
}

/* The outer series as they are, in the order of the tree. */
static void load_outer(const Composition *job, const Horner *horner)
{
    const Plan *outer = horner->outer_plan;
    int parts = parts_of(job);
    for (int64_t component = 0; component < job->components; component++)
        for (int part = 0; part < job->lanes; part++) {
            int64_t row = component * parts + part;
            int64_t group = row / horner->lanes, lane = row % horner->lanes;
            const double *from = job->outer + component * outer->size * job->lanes + part;
            double *to = horner->coefficients + group * outer->size * horner->lanes + lane;
            for (int64_t node = 0; node < outer->size; node++)
                to[node * horner->lanes] = from[(int64_t)outer->tree.place[node] * job->lanes];
        }
}

static void load_coefficients(const Horner *horner, int64_t rows, const double *values)
{
    const Plan *outer = horner->outer_plan;
    for (int64_t row = 0; row < rows; row++) {
        int64_t group = row / horner->lanes, lane = row % horner->lanes;
        double *target = horner->coefficients + group * outer->size * horner->lanes + lane;
        for (int64_t node = 0; node < outer->size; node++)
            target[node * horner->lanes] = values[outer->tree.place[node] * rows + row];
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
    int64_t size = job->inner_plan->size;
    int parts = parts_of(job);
    for (int lane = 0; lane < horner->lanes; lane++) {
        int64_t row = group * horner->lanes + lane;
        if (row >= job->components * parts)
            return;
        double *target = job->result + row / parts * size * parts + row % parts;
        for (int64_t place = 0; place < size; place++)
            target[place * parts] = level[place * horner->lanes + lane];
    }
}

double composition_bytes(const Plan *outer, const Plan *inner, int64_t components)
{
    return horner_bytes(outer, inner, 2 * components) +
           2.0 * sizeof(double) * (double)outer->size * (double)components;
}

/* The outer series moved to the constant parts of the inner ones. Returns 0, or -1 without memory. */
static int load_moved(const Composition *job, const Horner *horner)
{
    double *values = outer_rows(job);
    int failed = !values || move_to_constants(job, values);
    if (!failed)
        load_coefficients(horner, job->components * parts_of(job), values);
    free(values);
    return failed ? -1 : 0;
}

int compose_series(const Composition *job, const KernelSet *set)
{
    int64_t rows = job->components * parts_of(job);
    Horner horner;
    if (horner_make(&horner, job->outer_plan, job->inner_plan, set, rows, job->inner_lanes == 2))
        return -1;
    int failed = 0;
    if (any_constant(job))
        failed = load_moved(job, &horner);
    else
        load_outer(job, &horner);
    if (!failed)
        load_inner(job, &horner);
    for (int64_t group = 0; !failed && group < horner.groups; group++)
        store_group(job, &horner, group, horner_group(&horner, group, job->inner_plan->order));
    horner_free(&horner);
    return failed;
}
