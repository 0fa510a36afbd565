/* The inverse of a map: with the map's linear part L and the rest N, the inverse I satisfies
   I = L^-1 (x - N(I)). As N starts at degree 2, putting in I right to order k gives the terms of degree
   k + 1.

   It gives more: where I is right to order k, the map takes it to x + N'(I), of which all to order k
   is x. To undo the rest R a step of Newton's subtracts the inverse of the map's derivative at I,
   times R; and that inverse is the derivative of I itself. What is left is of degree 2 k + 1. So the
   last step, from half the order, costs little more than one composition, and those before it less. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#include <string.h>

#include "compose.h"
#include "horner.h"
#include "scratch.h"

typedef struct {
    const Plan *plan;
    int lanes;
    int64_t rows;
    const double *linear;
    Horner horner;
    /* (dimension, size): N of the inverse so far, and its imaginary part. */
    double *rest;
    double *rest_imaginary;
    /* (size, lanes): derivatives of the inverse, and what they give. */
    double *derivative;
    double *change;
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

static double *part_of(const Inversion *job, double *real, double *imaginary, int64_t row)
{
    double *part = row % job->lanes ? imaginary : real;
    return part + row / job->lanes * job->plan->size;
}

/* N of the inverse so far, which is right to order `from`: its terms of the degrees after it. */
static void compose_rest(Inversion *job, int32_t from, int32_t order)
{
    const Plan *plan = job->plan;
    Horner *horner = &job->horner;
    for (int64_t group = 0; group < horner->groups; group++) {
        const double *level = horner_group(horner, group, order);
        for (int lane = 0; lane < horner->lanes; lane++) {
            int64_t row = group * horner->lanes + lane;
            if (row >= job->rows)
                break;
            double *rest = part_of(job, job->rest, job->rest_imaginary, row);
            for (int64_t term = 0; term < plan->graded_start[from + 1]; term++)
                rest[plan->place[term]] = 0;
            for (int64_t term = plan->graded_start[from + 1]; term < plan->graded_start[order + 1];
                 term++)
                rest[plan->place[term]] = level[(int64_t)plan->place[term] * horner->lanes + lane];
        }
    }
}

/* The derivative of the inverse so far by one variable, up to an order, for a group of rows. */
static void take_derivative(const Inversion *job, int64_t group, int32_t variable, int32_t order)
{
    const Plan *plan = job->plan;
    const Horner *horner = &job->horner;
    const Neighbours *table = &plan->neighbours[variable];
    for (int lane = 0; lane < horner->lanes; lane++) {
        int64_t row = group * horner->lanes + lane;
        if (row >= job->rows)
            break;
        const double *series = part_of(job, horner->inner, horner->inner_imaginary, row);
        for (int64_t term = 0; term < plan->graded_start[order + 1]; term++) {
            int32_t place = plan->place[term];
            job->derivative[(int64_t)place * horner->lanes + lane] =
                table->exponent[place] * series[table->product[place]];
        }
    }
}

/* The terms of the degrees after `from` of I - I' R; they were zero. */
static void correct(const Inversion *job, int32_t from, int32_t order)
{
    const Plan *plan = job->plan;
    const Horner *horner = &job->horner;
    int32_t high = order - from - 1;
    for (int64_t group = 0; group < horner->groups; group++) {
        memset(job->change, 0, (size_t)(plan->size * horner->lanes) * sizeof *job->change);
        for (int32_t variable = 0; variable < plan->dimension; variable++) {
            int64_t row = variable * plan->size;
            take_derivative(job, group, variable, high);
            horner_multiply(horner, job->derivative, high, job->rest + row,
                            job->lanes == 2 ? job->rest_imaginary + row : NULL, job->change, order);
        }
        for (int lane = 0; lane < horner->lanes; lane++) {
            int64_t row = group * horner->lanes + lane;
            if (row >= job->rows)
                break;
            double *series = part_of(job, horner->inner, horner->inner_imaginary, row);
            for (int64_t term = plan->graded_start[from + 1]; term < plan->graded_start[order + 1];
                 term++)
                series[plan->place[term]] =
                    -job->change[(int64_t)plan->place[term] * horner->lanes + lane];
        }
    }
}

/* target -= number * (first + i second), for the terms of a degree. */
static void subtract_multiple(const Inversion *job, int32_t degree, const double *number,
                              const double *first, const double *second, double *target,
                              double *imaginary)
{
    const Plan *plan = job->plan;
    for (int64_t term = plan->graded_start[degree]; term < plan->graded_start[degree + 1]; term++) {
        int32_t place = plan->place[term];
        target[place] -= number[0] * first[place];
        if (job->lanes == 1)
            continue;
        target[place] += number[1] * second[place];
        imaginary[place] -= number[0] * second[place] + number[1] * first[place];
    }
}

/* The terms of a degree of L^-1 (x - rest); they were zero. */
static void apply_linear(const Inversion *job, int32_t degree)
{
    int64_t size = job->plan->size;
    int32_t dimension = job->plan->dimension;
    for (int32_t row = 0; row < dimension; row++)
        for (int32_t column = 0; column < dimension; column++) {
            const double *second = job->lanes == 2 ? job->rest_imaginary + column * size : NULL;
            double *imaginary = job->lanes == 2 ? job->horner.inner_imaginary + row * size : NULL;
            subtract_multiple(job, degree,
                              job->linear + ((int64_t)row * dimension + column) * job->lanes,
                              job->rest + column * size, second, job->horner.inner + row * size,
                              imaginary);
        }
}

/* From an inverse that is right to one order to one that is right to another. */
static void extend(Inversion *job, int32_t from, int32_t order)
{
    job->horner.reach = from;
    compose_rest(job, from, order);
    job->horner.reach = job->plan->order;
    if (order == from + 1)
        apply_linear(job, order);
    else
        correct(job, from, order);
}

static void invert_to(Inversion *job, int32_t order)
{
    /* A restricted plan does not hold all that a derivative needs. */
    int32_t from = job->plan->bounds.caps ? order - 1 : (order + 1) / 2;
    if (order < 2)
        return;
    invert_to(job, from);
    extend(job, from, order);
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
    int64_t numbers = plan->dimension * plan->size;
    int64_t wide = scratch_lines(plan->size * family_for(set, job.rows)->lanes);
    int64_t of_rest = scratch_lines(lanes * numbers);
    double *memory = scratch_take(of_rest + 2 * wide);
    if (!memory)
        return -1;
    memset(memory, 0, (size_t)(of_rest + 2 * wide) * sizeof *memory);
    job.rest = memory;
    job.rest_imaginary = memory + numbers;
    job.derivative = memory + of_rest;
    job.change = job.derivative + wide;
    if (horner_make(&job.horner, plan, plan, set, job.rows, lanes == 2)) {
        scratch_give(memory);
        return -1;
    }
    load_rest(&job, map);
    if (plan->order)
        load_linear(&job);
    invert_to(&job, plan->order);
    store_result(&job, result);
    horner_free(&job.horner);
    scratch_give(memory);
    return 0;
}
