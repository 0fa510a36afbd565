/* Python functions of tuples of series that are known altogether, which need no arrays between. */
#include <string.h>

#include "bind.h"
#include "scratch.h"
#include "series_object.h"

/* Whether series of a tuple form rows of one plan and one kind, all known to the order of the plan; -1
   with an exception set for what is no such tuple. */
static int rows_are_whole(PyObject *tuple)
{
    if (!PyTuple_Check(tuple) || !PyTuple_GET_SIZE(tuple)) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple of series");
        return -1;
    }
    const SeriesObject *first = (SeriesObject *)PyTuple_GET_ITEM(tuple, 0);
    for (Py_ssize_t row = 0; row < PyTuple_GET_SIZE(tuple); row++) {
        PyObject *item = PyTuple_GET_ITEM(tuple, row);
        if (!is_series(item)) {
            PyErr_Format(PyExc_TypeError, "expected a series, not %.100s", Py_TYPE(item)->tp_name);
            return -1;
        }
        const SeriesObject *series = (SeriesObject *)item;
        if (!series->plan->plan->has_kernels || series->plan != first->plan || series->limits ||
            series->lanes != first->lanes || series->valid_order < series->plan->plan->order)
            return 0;
    }
    return 1;
}

static PyObject *are_whole(PyObject *module, PyObject *argument)
{
    (void)module;
    int whole = rows_are_whole(argument);
    return whole < 0 ? NULL : PyBool_FromLong(whole);
}

/* Write the numbers of a tuple's series one after another, and give where they end. */
static double *put_rows(PyObject *tuple, double *to)
{
    for (Py_ssize_t row = 0; row < PyTuple_GET_SIZE(tuple); row++) {
        const SeriesObject *series = (SeriesObject *)PyTuple_GET_ITEM(tuple, row);
        int64_t numbers = series->plan->plan->size * series->lanes;
        memcpy(to, series->numbers, (size_t)numbers * sizeof(double));
        to += numbers;
    }
    return to;
}

/* What the results of a composition have in common: the variables that some inner series has. */
static void fill_model(PyObject *inner, SeriesObject *model)
{
    const SeriesObject *first = (SeriesObject *)PyTuple_GET_ITEM(inner, 0);
    model->algebra = first->algebra;
    model->plan = first->plan;
    model->valid_order = first->valid_order;
    for (Py_ssize_t row = 0; row < PyTuple_GET_SIZE(inner); row++)
        model->active |= ((SeriesObject *)PyTuple_GET_ITEM(inner, row))->active;
}

/* The composition of rows that are whole, as many as the outer plan has variables. */
static PyObject *composed(PyObject *outer, PyObject *inner)
{
    const SeriesObject *first = (SeriesObject *)PyTuple_GET_ITEM(outer, 0);
    const SeriesObject *model = (SeriesObject *)PyTuple_GET_ITEM(inner, 0);
    Plan *outer_plan = first->plan->plan, *inner_plan = model->plan->plan;
    Array rows = {.lanes = most(first->lanes, model->lanes), .axes = 2};
    rows.shape[0] = PyTuple_GET_SIZE(outer);
    rows.shape[1] = inner_plan->size;
    int64_t of_outer = rows.shape[0] * outer_plan->size * first->lanes;
    int64_t of_inner = outer_plan->dimension * inner_plan->size * model->lanes;
    double *scratch = scratch_take(of_outer + of_inner + rows.shape[0] * rows.shape[1] * rows.lanes);
    if (!scratch)
        return PyErr_NoMemory();
    double *inner_rows = put_rows(outer, scratch);
    rows.numbers = put_rows(inner, inner_rows);
    Composition job = {.outer_plan = outer_plan,
                       .inner_plan = inner_plan,
                       .components = rows.shape[0],
                       .lanes = first->lanes,
                       .outer = scratch,
                       .inner_lanes = model->lanes,
                       .inner = inner_rows,
                       .result = rows.numbers};
    PyObject *result = NULL;
    if (run_composition(&job, outer_plan, inner_plan)) {
        SeriesObject common = {0};
        fill_model(inner, &common);
        result = series_of_rows(Py_TYPE((PyObject *)model), &common, &rows);
    }
    scratch_give(scratch);
    return result;
}

static PyObject *compose_whole(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (!check_count("compose_whole", count, 2, 2))
        return NULL;
    PyObject *outer = arguments[0], *inner = arguments[1];
    int whole = rows_are_whole(outer);
    if (whole > 0)
        whole = rows_are_whole(inner);
    if (whole < 0)
        return NULL;
    if (!whole)
        Py_RETURN_NONE;
    const Plan *outer_plan = ((SeriesObject *)PyTuple_GET_ITEM(outer, 0))->plan->plan;
    const Plan *inner_plan = ((SeriesObject *)PyTuple_GET_ITEM(inner, 0))->plan->plan;
    if (PyTuple_GET_SIZE(inner) != outer_plan->dimension) {
        PyErr_Format(PyExc_ValueError, "%zd series for %d variables", PyTuple_GET_SIZE(inner),
                     (int)outer_plan->dimension);
        return NULL;
    }
    if (outer_plan->order < inner_plan->order)
        Py_RETURN_NONE;
    return composed(outer, inner);
}

PyMethodDef whole_functions[] = {
    {"are_whole", are_whole, METH_O,
     "are_whole(series)\n--\n\n"
     "Whether a tuple of series has one plan with kernels and one kind of numbers, all known to its "
     "order."},
    {"compose_whole", FUNCTION(compose_whole),
     "compose_whole(outer, inner)\n--\n\n"
     "The outer series at the inner ones, as series like these; None where not all are whole, or the "
     "outer ones are of a lower order."},
    {0},
};
