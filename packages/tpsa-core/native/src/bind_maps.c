/* Python functions: evaluation, composition, inversion. */
#include "bind.h"
#include "compose.h"
#include "evaluate.h"
#include "horner.h"
#include "linear.h"

/* The most scratch that one composition may take. */
static const double LARGEST_SCRATCH_BYTES = 1024.0 * 1024 * 1024;

static int larger(int first, int second)
{
    return first > second ? first : second;
}

static int check_rank(const Array *array, const char *name)
{
    if (array->axes == 2)
        return 1;
    PyErr_Format(PyExc_ValueError, "%s has one axis, not two", name);
    return 0;
}

static PyObject *evaluate(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Arrays arrays = {0};
    Plan *plan = check_count("evaluate", count, 4, 4) ? kernel_plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    Array *series = input_array(&arrays, arguments[1], "coefficients");
    Array *points = series ? input_array(&arrays, arguments[2], "points") : NULL;
    Array *out = points ? output_array(&arrays, arguments[3], "out") : NULL;
    if (!out || !check_rank(series, "coefficients") || !check_rank(points, "points") ||
        !check_matrix(series, "coefficients", series->shape[0], plan->size) ||
        !check_matrix(points, "points", points->shape[0], plan->dimension) ||
        !check_matrix(out, "out", series->shape[0], points->shape[0]) ||
        !check_lanes(out, "out", larger(series->lanes, points->lanes))) {
        release_arrays(&arrays);
        return NULL;
    }
    Evaluation job = {.plan = plan,
                      .components = series->shape[0],
                      .lanes = series->lanes,
                      .series = series->numbers,
                      .points = points->shape[0],
                      .point_lanes = points->lanes,
                      .at = points->numbers,
                      .values = out->numbers};
    int failed = plan_need_tree(plan);
    if (!failed) {
        PyThreadState *state =
            begin_work((double)plan->size * (double)job.components * (double)job.points);
        failed = evaluate_series(&job, tpsa_kernels());
        end_work(state);
    }
    return finish(&arrays, failed);
}

static int check_scratch(const Plan *outer, const Plan *inner, int64_t components)
{
    double needed = composition_bytes(outer, inner, components);
    if (needed <= LARGEST_SCRATCH_BYTES)
        return 1;
    PyErr_Format(PyExc_ValueError, "the composition needs %lld MiB, more than the %lld allowed",
                 (long long)(needed / (1 << 20)),
                 (long long)(LARGEST_SCRATCH_BYTES / (1 << 20)));
    return 0;
}

/* The tables that the outer plan needs: its tree, and neighbours where there is a constant part. */
static int prepare_outer(Plan *plan, const Composition *job)
{
    if (plan_need_flat(plan))
        return -1;
    int64_t row = job->inner_plan->size * job->inner_lanes;
    for (int32_t variable = 0; variable < plan->dimension; variable++) {
        const double *constant = job->inner + variable * row;
        if ((constant[0] != 0 || (job->inner_lanes == 2 && constant[1] != 0)) &&
            plan_need_neighbours(plan, variable))
            return -1;
    }
    return 0;
}

/* Far above the threshold wherever it matters, and cheap to compute. */
static double composition_work(const Plan *outer, const Plan *inner, int64_t components)
{
    return (double)outer->size * (double)inner->size * (double)components;
}

int run_composition(const Composition *job, Plan *outer, Plan *inner)
{
    if (!check_scratch(outer, inner, job->components))
        return 0;
    int failed = prepare_outer(outer, job) || plan_need_flat(inner) ||
                 need_passed(inner, outer->dimension, job->inner, job->inner_lanes);
    if (!failed && job->components) {
        PyThreadState *state = begin_work(composition_work(outer, inner, job->components));
        failed = compose_series(job, tpsa_kernels());
        end_work(state);
    }
    if (failed)
        PyErr_NoMemory();
    return !failed;
}

static PyObject *compose(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Arrays arrays = {0};
    Plan *outer_plan = check_count("compose", count, 5, 5) ? kernel_plan_argument(arguments[0]) : NULL;
    Plan *inner_plan = outer_plan ? kernel_plan_argument(arguments[2]) : NULL;
    if (!inner_plan)
        return NULL;
    Array *outer = input_array(&arrays, arguments[1], "outer");
    Array *inner = outer ? input_array(&arrays, arguments[3], "inner") : NULL;
    Array *out = inner ? output_array(&arrays, arguments[4], "out") : NULL;
    if (!out || !check_rank(outer, "outer") ||
        !check_matrix(outer, "outer", outer->shape[0], outer_plan->size) ||
        !check_matrix(inner, "inner", outer_plan->dimension, inner_plan->size) ||
        !check_matrix(out, "out", outer->shape[0], inner_plan->size) ||
        !check_lanes(out, "out", larger(outer->lanes, inner->lanes))) {
        release_arrays(&arrays);
        return NULL;
    }
    Composition job = {.outer_plan = outer_plan,
                       .inner_plan = inner_plan,
                       .components = outer->shape[0],
                       .lanes = outer->lanes,
                       .outer = outer->numbers,
                       .inner_lanes = inner->lanes,
                       .inner = inner->numbers,
                       .result = out->numbers};
    if (run_composition(&job, outer_plan, inner_plan))
        return finish(&arrays, 0);
    release_arrays(&arrays);
    return NULL;
}

static PyObject *inverse(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Arrays arrays = {0};
    Plan *plan = check_count("inverse", count, 4, 4) ? kernel_plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    Array *map = input_array(&arrays, arguments[1], "map");
    Array *linear = map ? input_array(&arrays, arguments[2], "linear_inverse") : NULL;
    Array *out = linear ? output_array(&arrays, arguments[3], "out") : NULL;
    if (!out || !check_matrix(map, "map", plan->dimension, plan->size) ||
        !check_matrix(linear, "linear_inverse", plan->dimension, plan->dimension) ||
        !check_matrix(out, "out", plan->dimension, plan->size) ||
        !check_lanes(linear, "linear_inverse", map->lanes) ||
        !check_lanes(out, "out", map->lanes) || !check_scratch(plan, plan, plan->dimension)) {
        release_arrays(&arrays);
        return NULL;
    }
    int failed = plan_need_flat(plan) ||
                 need_passed(plan, plan->dimension, map->numbers, map->lanes);
    for (int32_t at = 0; !failed && !plan->bounds.caps && at < plan->dimension; at++)
        failed = plan_need_neighbours(plan, at);
    if (!failed) {
        PyThreadState *state = begin_work(composition_work(plan, plan, plan->dimension));
        failed = inverse_map(plan, tpsa_kernels(), map->lanes, map->numbers, linear->numbers,
                             out->numbers);
        end_work(state);
    }
    return finish(&arrays, failed);
}

static PyObject *linear_inverse(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Arrays arrays = {0};
    Plan *plan =
        check_count("linear_inverse", count, 3, 3) ? kernel_plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    Array *map = input_array(&arrays, arguments[1], "map");
    Array *out = map ? output_array(&arrays, arguments[2], "out") : NULL;
    if (!out || !check_matrix(map, "map", plan->dimension, plan->size) ||
        !check_matrix(out, "out", plan->dimension, plan->dimension) ||
        !check_lanes(out, "out", map->lanes)) {
        release_arrays(&arrays);
        return NULL;
    }
    int regular = regular_inverse(plan, map->lanes, map->numbers, out->numbers);
    release_arrays(&arrays);
    return regular < 0 ? PyErr_NoMemory() : PyBool_FromLong(regular);
}

PyMethodDef map_functions[] = {
    {"evaluate", FUNCTION(evaluate),
     "evaluate(plan, coefficients, points, out)\n--\n\n"
     "Values of series (m, size) at points (n, dimension): out (m, n)."},
    {"compose", FUNCTION(compose),
     "compose(outer_plan, outer, inner_plan, inner, out)\n--\n\n"
     "Outer series (m, outer size) at inner ones (outer dimension, inner size): (m, inner size)."},
    {"inverse", FUNCTION(inverse),
     "inverse(plan, map, linear_inverse, out)\n--\n\n"
     "The inverse of a map (dimension, size) without its constant part, given the inverse of its "
     "linear part."},
    {"linear_inverse", FUNCTION(linear_inverse),
     "linear_inverse(plan, map, out)\n--\n\n"
     "Write the inverse of the linear part of a map (dimension, size); False where that is near to "
     "singular as it stands, or the plan is a restricted one."},
    {0},
};
