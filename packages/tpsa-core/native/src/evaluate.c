/* Values of series at points: points go through the tree of monomials in blocks, so that only the
   monomials on the way to the present one are held, and terms that are zero in all series of a
   group cost nothing unless a later one needs them.

   Complex coefficients at real points are two real series. Complex points take a plain path. */
#include "evaluate.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t nodes;
    uint16_t *depth;
    uint16_t *variable;
    double *coefficients;
} Terms;

/* One row of real coefficients of a group: a series, or one part of a complex one. */
static double coefficient(const Evaluation *job, int64_t row, int64_t place)
{
    int64_t component = row / job->lanes;
    return job->series[(component * job->plan->size + place) * job->lanes + row % job->lanes];
}

/* Collect the terms from the last to the first: one is needed if it is not zero or if a needed one
   of greater depth follows before the depth falls back. They are stored from the end on. */
static void collect(const Evaluation *job, int64_t first_row, int rows, uint8_t *needed,
                    Terms *terms)
{
    const MonomialTree *tree = &job->plan->tree;
    int64_t size = job->plan->size;
    int64_t next = size;
    memset(needed, 0, (size_t)job->plan->order + 2);
    for (int64_t node = size - 1; node >= 0; node--) {
        int depth = tree->depth[node];
        double *target = terms->coefficients + (next - 1) * rows;
        int nonzero = 0;
        for (int row = 0; row < rows; row++) {
            target[row] = coefficient(job, first_row + row, tree->place[node]);
            nonzero |= target[row] != 0;
        }
        if (nonzero || needed[depth + 1]) {
            next--;
            terms->depth[next] = (uint16_t)depth;
            terms->variable[next] = tree->variable[node];
            needed[depth] = 1;
        }
        needed[depth + 1] = 0;
    }
    terms->nodes = size - next;
    memmove(terms->depth, terms->depth + next, (size_t)terms->nodes * sizeof *terms->depth);
    memmove(terms->variable, terms->variable + next,
            (size_t)terms->nodes * sizeof *terms->variable);
    memmove(terms->coefficients, terms->coefficients + next * rows,
            (size_t)(terms->nodes * rows) * sizeof *terms->coefficients);
}

typedef struct {
    Terms terms;
    uint8_t *needed;
    double *points;
    double *monomials;
    double *values;
} Scratch;

static void scratch_free(Scratch *scratch)
{
    free(scratch->terms.depth);
    free(scratch->terms.variable);
    free(scratch->terms.coefficients);
    free(scratch->needed);
    free(scratch->points);
    free(scratch->monomials);
    free(scratch->values);
}

/* Rows of a block of points start at cache lines: a kernel loads whole vectors from them. */
static double *block_rows(int64_t rows, int width)
{
    size_t bytes = (size_t)rows * (size_t)width * sizeof(double);
    return aligned_alloc(64, (bytes + 127) / 64 * 64);
}

static int scratch_make(Scratch *scratch, const Plan *plan, int width)
{
    size_t size = (size_t)plan->size;
    scratch->terms.depth = malloc(size * sizeof *scratch->terms.depth);
    scratch->terms.variable = malloc(size * sizeof *scratch->terms.variable);
    scratch->terms.coefficients =
        malloc(size * EVALUATION_OUTPUTS * sizeof *scratch->terms.coefficients);
    scratch->needed = malloc((size_t)plan->order + 2);
    scratch->points = block_rows(2 * (int64_t)plan->dimension, width);
    scratch->monomials = block_rows(2 * ((int64_t)plan->order + 1), width);
    scratch->values = block_rows(EVALUATION_OUTPUTS, width);
    return scratch->terms.depth && scratch->terms.variable && scratch->terms.coefficients &&
                   scratch->needed && scratch->points && scratch->monomials && scratch->values
               ? 0
               : -1;
}

/* The coordinates of a block of points, side by side; past the last point they are zero. */
static void load_points(const Evaluation *job, int64_t first, int width, double *points)
{
    int64_t columns = (int64_t)job->plan->dimension * job->point_lanes;
    for (int64_t column = 0; column < columns; column++)
        for (int point = 0; point < width; point++)
            points[column * width + point] =
                first + point < job->points ? job->at[(first + point) * columns + column] : 0;
}

static void store_values(const Evaluation *job, int64_t first, int64_t first_row, int rows,
                         int width, const double *values)
{
    int64_t count = job->points - first < width ? job->points - first : width;
    for (int row = 0; row < rows; row++) {
        int64_t component = (first_row + row) / job->lanes, part = (first_row + row) % job->lanes;
        double *target = job->values + (component * job->points + first) * job->lanes + part;
        for (int64_t point = 0; point < count; point++)
            target[point * job->lanes] = values[row * width + point];
    }
}

static void evaluate_rows(const Evaluation *job, const KernelSet *set, int64_t first_row, int rows,
                          Scratch *scratch)
{
    int width = set->evaluation_points;
    collect(job, first_row, rows, scratch->needed, &scratch->terms);
    EvaluationBlock block = {.nodes = scratch->terms.nodes,
                             .depth = scratch->terms.depth,
                             .variable = scratch->terms.variable,
                             .coefficients = scratch->terms.coefficients,
                             .points = scratch->points,
                             .monomials = scratch->monomials,
                             .values = scratch->values};
    for (int64_t first = 0; first < job->points; first += width) {
        load_points(job, first, width, scratch->points);
        set->evaluation[rows](&block);
        store_values(job, first, first_row, rows, width, scratch->values);
    }
}

/* One block of complex points, for one component: its coefficients are one or two rows. */
static void complex_block(const Evaluation *job, const Scratch *scratch, int width, double *real,
                          double *imaginary)
{
    memset(real, 0, (size_t)width * sizeof *real);
    memset(imaginary, 0, (size_t)width * sizeof *imaginary);
    for (int64_t node = 0; node < scratch->terms.nodes; node++) {
        int depth = scratch->terms.depth[node];
        double *x = scratch->monomials + (int64_t)2 * depth * width;
        double *y = x + width;
        const double *u = scratch->points + (int64_t)2 * scratch->terms.variable[node] * width;
        const double *coefficients = scratch->terms.coefficients + node * job->lanes;
        double p = coefficients[0];
        double q = job->lanes == 2 ? coefficients[1] : 0;
        for (int point = 0; point < width; point++) {
            /* The parent stands one depth before. */
            double a = depth ? x[point - 2 * width] : 1, b = depth ? y[point - 2 * width] : 0;
            x[point] = depth ? a * u[point] - b * u[point + width] : 1;
            y[point] = depth ? a * u[point + width] + b * u[point] : 0;
            real[point] += p * x[point];
            imaginary[point] += p * y[point];
            if (job->lanes == 2) {
                real[point] -= q * y[point];
                imaginary[point] += q * x[point];
            }
        }
    }
}

static void evaluate_complex(const Evaluation *job, int width, Scratch *scratch)
{
    for (int64_t component = 0; component < job->components; component++) {
        collect(job, component * job->lanes, job->lanes, scratch->needed, &scratch->terms);
        for (int64_t first = 0; first < job->points; first += width) {
            double *real = scratch->values, *imaginary = scratch->values + width;
            load_points(job, first, width, scratch->points);
            complex_block(job, scratch, width, real, imaginary);
            double *target = job->values + 2 * (component * job->points + first);
            for (int point = 0; point < width && first + point < job->points; point++) {
                target[2 * point] = real[point];
                target[2 * point + 1] = imaginary[point];
            }
        }
    }
}

int evaluate_series(const Evaluation *job, const KernelSet *set)
{
    Scratch scratch = {0};
    if (scratch_make(&scratch, job->plan, set->evaluation_points)) {
        scratch_free(&scratch);
        return -1;
    }
    if (job->point_lanes == 2) {
        evaluate_complex(job, set->evaluation_points, &scratch);
    } else {
        int64_t rows = job->components * job->lanes;
        /* Groups of nearly equal size: seven outputs are four and three. */
        int64_t groups = (rows + EVALUATION_OUTPUTS - 1) / EVALUATION_OUTPUTS;
        for (int64_t group = 0; group < groups; group++) {
            int64_t first = rows * group / groups, stop = rows * (group + 1) / groups;
            evaluate_rows(job, set, first, (int)(stop - first), &scratch);
        }
    }
    scratch_free(&scratch);
    return 0;
}
