/* Python functions: sums, products, derivatives. */
#include "bind.h"
#include "calculus.h"
#include "product.h"

typedef enum { ADD, SUBTRACT } SumKind;

static PyObject *sum(PyObject *const *arguments, Py_ssize_t count, SumKind kind)
{
    Arrays arrays = {0};
    if (!check_count(kind == ADD ? "add" : "subtract", count, 3, 3))
        return NULL;
    Array *left = input_array(&arrays, arguments[0], "left");
    Array *right = left ? input_array(&arrays, arguments[1], "right") : NULL;
    Array *out = right ? output_array(&arrays, arguments[2], "out") : NULL;
    if (!out || !check_lanes(right, "right", left->lanes) || !check_lanes(out, "out", left->lanes))
        goto failed;
    if (left->view.len != right->view.len || left->view.len != out->view.len) {
        PyErr_SetString(PyExc_ValueError, "left, right and out are not of one length");
        goto failed;
    }
    Py_ssize_t numbers = left->view.len / (Py_ssize_t)sizeof(double);
    const double *a = left->numbers, *b = right->numbers;
    double *restrict c = out->numbers;
    if (kind == ADD)
        for (Py_ssize_t at = 0; at < numbers; at++)
            c[at] = a[at] + b[at];
    else
        for (Py_ssize_t at = 0; at < numbers; at++)
            c[at] = a[at] - b[at];
    return finish(&arrays, 0);
failed:
    release_arrays(&arrays);
    return NULL;
}

static PyObject *add(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return sum(arguments, count, ADD);
}

static PyObject *subtract(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return sum(arguments, count, SUBTRACT);
}

/* factor * series to out, or added to it. */
static PyObject *multiple(PyObject *const *arguments, Py_ssize_t count, const char *name, int keep)
{
    Arrays arrays = {0};
    if (!check_count(name, count, 3, 3))
        return NULL;
    double factor = PyFloat_AsDouble(arguments[0]);
    if (factor == -1.0 && PyErr_Occurred())
        return NULL;
    Array *series = input_array(&arrays, arguments[1], "series");
    Array *out = series ? output_array(&arrays, arguments[2], "out") : NULL;
    if (!out || !check_lanes(out, "out", series->lanes))
        goto failed;
    if (series->view.len != out->view.len) {
        PyErr_SetString(PyExc_ValueError, "series and out are not of one length");
        goto failed;
    }
    Py_ssize_t numbers = series->view.len / (Py_ssize_t)sizeof(double);
    const double *a = series->numbers;
    double *restrict c = out->numbers;
    for (Py_ssize_t at = 0; at < numbers; at++)
        c[at] = (keep ? c[at] : 0) + factor * a[at];
    return finish(&arrays, 0);
failed:
    release_arrays(&arrays);
    return NULL;
}

static PyObject *scale(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return multiple(arguments, count, "scale", 0);
}

static PyObject *add_scaled(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return multiple(arguments, count, "add_scaled", 1);
}

/* One degree, within the order of a plan. */
static int degree_argument(PyObject *argument, const Plan *plan, int32_t *degree)
{
    long value = PyLong_AsLong(argument);
    if (value == -1 && PyErr_Occurred())
        return 0;
    if (value < 0 || value > plan->order) {
        PyErr_Format(PyExc_ValueError, "degree %ld is not from 0 to %d", value, (int)plan->order);
        return 0;
    }
    *degree = (int32_t)value;
    return 1;
}

static int range_arguments(PyObject *const *arguments, Py_ssize_t count, const Plan *plan,
                           ProductRange *range)
{
    int32_t *const degrees[] = {&range->left_low, &range->left_high, &range->right_low,
                                &range->right_high, &range->order};
    for (Py_ssize_t at = 0; at < count; at++)
        if (!degree_argument(arguments[at], plan, degrees[at]))
            return 0;
    return 1;
}

static int run_product(const Plan *plan, const Array *left, const Array *right, Array *out,
                       const ProductRange *range)
{
    const KernelSet *set = tpsa_kernels();
    if (left->lanes == 1 && right->lanes == 2) {
        const Array *exchanged = left;
        left = right;
        right = exchanged;
    }
    if (left->lanes == 1) {
        real_product(plan, set, left->numbers, right->numbers, out->numbers, range);
        return 0;
    }
    if (right->lanes == 1) {
        lane_product(plan, family_for(set, left->lanes), left->numbers, right->numbers,
                     out->numbers, range);
        return 0;
    }
    double *scratch = PyMem_RawMalloc((size_t)complex_product_scratch(plan) * sizeof *scratch);
    if (!scratch)
        return -1;
    complex_product(plan, set, left->numbers, right->numbers, out->numbers, range, scratch);
    PyMem_RawFree(scratch);
    return 0;
}

/* The bounds belong to the operands, also where a real left one changes places with a complex
   one. */
static void exchange_bounds(ProductRange *range)
{
    *range = (ProductRange){range->right_low, range->right_high, range->left_low,
                            range->left_high, range->order,      range->keep};
}

static PyObject *multiply(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Arrays arrays = {0};
    Plan *plan = check_count("multiply", count, 4, 9) ? kernel_plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    ProductRange range = full_range(plan->order);
    if (!range_arguments(arguments + 4, count - 4, plan, &range))
        return NULL;
    Array *left = input_series(&arrays, arguments[1], "left", plan);
    Array *right = left ? input_series(&arrays, arguments[2], "right", plan) : NULL;
    int lanes = right && (left->lanes == 2 || right->lanes == 2) ? 2 : 1;
    Array *out = right ? output_series(&arrays, arguments[3], "out", plan, lanes) : NULL;
    if (!out) {
        release_arrays(&arrays);
        return NULL;
    }
    if (left->lanes < right->lanes)
        exchange_bounds(&range);
    PyThreadState *state = begin_work(plan_work(plan) * left->lanes * right->lanes);
    int failed = run_product(plan, left, right, out, &range);
    end_work(state);
    return finish(&arrays, failed);
}

static PyObject *square(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Arrays arrays = {0};
    Plan *plan = check_count("square", count, 3, 3) ? kernel_plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    Array *series = input_series(&arrays, arguments[1], "series", plan);
    Array *out = series ? output_series(&arrays, arguments[2], "out", plan, series->lanes) : NULL;
    if (!out) {
        release_arrays(&arrays);
        return NULL;
    }
    ProductRange range = full_range(plan->order);
    int failed = 0;
    PyThreadState *state = begin_work(plan_work(plan) * series->lanes);
    if (series->lanes == 1)
        real_square(plan, tpsa_kernels(), series->numbers, out->numbers);
    else
        failed = run_product(plan, series, series, out, &range);
    end_work(state);
    return finish(&arrays, failed);
}

static PyObject *differentiate(PyObject *const *arguments, Py_ssize_t count, const char *name,
                               void (*operation)(const Plan *, int, int32_t, const double *,
                                                 double *))
{
    Arrays arrays = {0};
    Plan *plan = check_count(name, count, 4, 4) ? plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    long variable = PyLong_AsLong(arguments[2]);
    if (variable == -1 && PyErr_Occurred())
        return NULL;
    if (variable < 0 || variable >= plan->dimension) {
        PyErr_Format(PyExc_ValueError, "there is no variable %ld among %d", variable,
                     (int)plan->dimension);
        return NULL;
    }
    Array *series = input_series(&arrays, arguments[1], "series", plan);
    Array *out = series ? output_series(&arrays, arguments[3], "out", plan, series->lanes) : NULL;
    if (!out) {
        release_arrays(&arrays);
        return NULL;
    }
    int failed = plan_need_neighbours(plan, (int32_t)variable);
    if (!failed)
        operation(plan, series->lanes, (int32_t)variable, series->numbers, out->numbers);
    return finish(&arrays, failed);
}

static PyObject *derivative(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return differentiate(arguments, count, "derivative", series_derivative);
}

static PyObject *antiderivative(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return differentiate(arguments, count, "antiderivative", series_antiderivative);
}

PyMethodDef arithmetic_functions[] = {
    {"add", FUNCTION(add), "add(left, right, out)\n--\n\nout = left + right, number by number."},
    {"subtract", FUNCTION(subtract),
     "subtract(left, right, out)\n--\n\nout = left - right, number by number."},
    {"scale", FUNCTION(scale), "scale(factor, series, out)\n--\n\nout = factor * series."},
    {"add_scaled", FUNCTION(add_scaled),
     "add_scaled(factor, series, out)\n--\n\nout += factor * series."},
    {"multiply", FUNCTION(multiply),
     "multiply(plan, left, right, out, left_low=0, left_high=order, right_low=0, "
     "right_high=order, order=order)\n--\n\n"
     "out = left * right, truncated at an order; operands are zero outside their degrees."},
    {"square", FUNCTION(square), "square(plan, series, out)\n--\n\nout = series * series."},
    {"derivative", FUNCTION(derivative),
     "derivative(plan, series, variable, out)\n--\n\nThe derivative by a variable, from 0."},
    {"antiderivative", FUNCTION(antiderivative),
     "antiderivative(plan, series, variable, out)\n--\n\n"
     "The antiderivative in a variable, from 0; zero where it is zero."},
    {0},
};
