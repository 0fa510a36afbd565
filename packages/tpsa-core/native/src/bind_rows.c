/* Python functions: series to the rows of a matrix in block order, and back. */
#include <string.h>

#include "bind.h"
#include "product.h"
#include "rows.h"
#include "series_object.h"

/* The series of a tuple that can form a matrix with `out`: of its plan's size and of its lanes. */
static int check_row(PyObject *item, const Array *out)
{
    if (!is_series(item)) {
        PyErr_Format(PyExc_TypeError, "expected a series, not %.100s", Py_TYPE(item)->tp_name);
        return 0;
    }
    const SeriesObject *series = (SeriesObject *)item;
    if (series->plan->plan->size == out->shape[1] && series->lanes == out->lanes)
        return 1;
    PyErr_SetString(PyExc_ValueError, "a series has another size, or other numbers, than out");
    return 0;
}

static PyObject *pack(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Arrays arrays = {0};
    if (!check_count("pack", count, 2, 2))
        return NULL;
    if (!PyTuple_Check(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple of series");
        return NULL;
    }
    Array *out = output_array(&arrays, arguments[1], "out");
    int64_t rows = PyTuple_GET_SIZE(arguments[0]);
    if (!out || !check_matrix(out, "out", rows, out->axes == 2 ? out->shape[1] : 0))
        goto failed;
    int64_t width = out->shape[1] * out->lanes;
    for (int64_t row = 0; row < rows; row++) {
        PyObject *item = PyTuple_GET_ITEM(arguments[0], (Py_ssize_t)row);
        if (!check_row(item, out))
            goto failed;
        memcpy(out->numbers + row * width, ((SeriesObject *)item)->numbers,
               (size_t)width * sizeof(double));
    }
    return finish(&arrays, 0);
failed:
    release_arrays(&arrays);
    return NULL;
}

PyObject *series_of_rows(PyTypeObject *type, const SeriesObject *model, const Array *rows)
{
    PyObject *result = PyTuple_New((Py_ssize_t)rows->shape[0]);
    int64_t width = model->plan->plan->size * rows->lanes;
    for (int64_t row = 0; result && row < rows->shape[0]; row++) {
        SeriesObject *series = series_like(type, model, rows->lanes);
        if (!series) {
            Py_DECREF(result);
            return NULL;
        }
        memcpy(series->numbers, rows->numbers + row * width, (size_t)width * sizeof(double));
        PyTuple_SET_ITEM(result, (Py_ssize_t)row, series_finish(series, model->valid_order, 0));
    }
    return result;
}

PyObject *series_from_rows(PyObject *class, PyObject *const *arguments, Py_ssize_t count)
{
    Arrays arrays = {0};
    SeriesObject model = {0};
    if (!check_count("from_rows", count, 4, 4) || !series_model(arguments, arguments[3], &model))
        return NULL;
    Array *rows = input_array(&arrays, arguments[2], "rows");
    PyObject *result = NULL;
    if (rows && check_matrix(rows, "rows", rows->shape[0], model.plan->plan->size))
        result = series_of_rows((PyTypeObject *)class, &model, rows);
    release_arrays(&arrays);
    return result;
}

static PyObject *multiply_many(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Arrays arrays = {0};
    Plan *plan =
        check_count("multiply_rows", count, 4, 4) ? kernel_plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    Array *left = input_array(&arrays, arguments[1], "left");
    Array *right = left ? input_array(&arrays, arguments[2], "right") : NULL;
    Array *out = right ? output_array(&arrays, arguments[3], "out") : NULL;
    if (!out || !check_matrix(left, "left", left->shape[0], plan->size) ||
        !check_matrix(right, "right", left->shape[0], plan->size) ||
        !check_matrix(out, "out", left->shape[0], plan->size) || !check_lanes(left, "left", 1) ||
        !check_lanes(right, "right", 1) || !check_lanes(out, "out", 1)) {
        release_arrays(&arrays);
        return NULL;
    }
    PyThreadState *state = begin_work(plan_work(plan) * (double)left->shape[0]);
    int failed = multiply_rows(plan, tpsa_kernels(), left->shape[0], left->numbers,
                               right->numbers, out->numbers);
    end_work(state);
    return finish(&arrays, failed);
}

PyMethodDef row_functions[] = {
    {"multiply_rows", FUNCTION(multiply_many),
     "multiply_rows(plan, left, right, out)\n--\n\n"
     "out = left * right, row by row, for real series in block order, (rows, size)."},
    {"pack", FUNCTION(pack),
     "pack(series, out)\n--\n\nWrite a tuple of series in block order to the rows of out."},
    {0},
};
