/* Python functions: elementary functions of a series. */
#include "bind.h"
#include "functions.h"
#include "product.h"

typedef int (*OneToOne)(const Plan *, const KernelSet *, int, const double *, double *);
typedef int (*OneToTwo)(const Plan *, const KernelSet *, int, const double *, double *, double *);

static PyObject *one_to_one(PyObject *const *arguments, Py_ssize_t count, const char *name,
                            OneToOne function)
{
    Arrays arrays = {0};
    Plan *plan = check_count(name, count, 3, 3) ? kernel_plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    Array *series = input_series(&arrays, arguments[1], "series", plan);
    Array *out = series ? output_series(&arrays, arguments[2], "out", plan, series->lanes) : NULL;
    if (!out) {
        release_arrays(&arrays);
        return NULL;
    }
    PyThreadState *state = begin_work(plan_work(plan) * series->lanes);
    int failed = function(plan, tpsa_kernels(), series->lanes, series->numbers, out->numbers);
    end_work(state);
    return finish(&arrays, failed);
}

static PyObject *one_to_two(PyObject *const *arguments, Py_ssize_t count, const char *name,
                            OneToTwo function)
{
    Arrays arrays = {0};
    Plan *plan = check_count(name, count, 4, 4) ? kernel_plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    Array *series = input_series(&arrays, arguments[1], "series", plan);
    int lanes = series ? series->lanes : 1;
    Array *sine = series ? output_series(&arrays, arguments[2], "sine", plan, lanes) : NULL;
    Array *cosine = sine ? output_series(&arrays, arguments[3], "cosine", plan, lanes) : NULL;
    if (!cosine) {
        release_arrays(&arrays);
        return NULL;
    }
    PyThreadState *state = begin_work(plan_work(plan) * lanes);
    int failed =
        function(plan, tpsa_kernels(), lanes, series->numbers, sine->numbers, cosine->numbers);
    end_work(state);
    return finish(&arrays, failed);
}

static PyObject *exponential(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return one_to_one(arguments, count, "exp", series_exp);
}

static PyObject *logarithm(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return one_to_one(arguments, count, "log", series_log);
}

static PyObject *square_root(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return one_to_one(arguments, count, "sqrt", series_sqrt);
}

static int inverse_of(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                      double *result)
{
    return series_inverse(plan, set, lanes, 1, series, result);
}

static PyObject *reciprocal(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return one_to_one(arguments, count, "reciprocal", inverse_of);
}

static PyObject *sine_cosine(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return one_to_two(arguments, count, "sine_cosine", series_sine_cosine);
}

static PyObject *hyperbolic(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    return one_to_two(arguments, count, "hyperbolic", series_hyperbolic);
}

static PyObject *divide(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Arrays arrays = {0};
    Plan *plan = check_count("divide", count, 4, 4) ? kernel_plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    Array *numerator = input_series(&arrays, arguments[1], "numerator", plan);
    int lanes = numerator ? numerator->lanes : 1;
    Array *denominator =
        numerator ? input_series(&arrays, arguments[2], "denominator", plan) : NULL;
    if (!denominator || !check_lanes(denominator, "denominator", lanes))
        goto failed;
    Array *out = output_series(&arrays, arguments[3], "out", plan, lanes);
    if (!out)
        goto failed;
    PyThreadState *state = begin_work(plan_work(plan) * lanes);
    int no_memory = series_quotient(plan, tpsa_kernels(), lanes, numerator->numbers,
                                    denominator->numbers, out->numbers);
    end_work(state);
    return finish(&arrays, no_memory);
failed:
    release_arrays(&arrays);
    return NULL;
}

static PyObject *power(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    Arrays arrays = {0};
    Plan *plan = check_count("power", count, 4, 4) ? kernel_plan_argument(arguments[0]) : NULL;
    if (!plan)
        return NULL;
    double exponent = PyFloat_AsDouble(arguments[2]);
    if (exponent == -1.0 && PyErr_Occurred())
        return NULL;
    Array *series = input_series(&arrays, arguments[1], "series", plan);
    Array *out = series ? output_series(&arrays, arguments[3], "out", plan, series->lanes) : NULL;
    if (!out) {
        release_arrays(&arrays);
        return NULL;
    }
    PyThreadState *state = begin_work(plan_work(plan) * series->lanes);
    int failed = series_power(plan, tpsa_kernels(), series->lanes, series->numbers, exponent,
                              out->numbers);
    end_work(state);
    return finish(&arrays, failed);
}

PyMethodDef elementary_functions[] = {
    {"exp", FUNCTION(exponential), "exp(plan, series, out)\n--\n\nThe exponential."},
    {"log", FUNCTION(logarithm), "log(plan, series, out)\n--\n\nThe natural logarithm."},
    {"sqrt", FUNCTION(square_root), "sqrt(plan, series, out)\n--\n\nThe square root."},
    {"reciprocal", FUNCTION(reciprocal), "reciprocal(plan, series, out)\n--\n\n1 / series."},
    {"divide", FUNCTION(divide),
     "divide(plan, numerator, denominator, out)\n--\n\nnumerator / denominator."},
    {"power", FUNCTION(power),
     "power(plan, series, exponent, out)\n--\n\nseries ** exponent, for a real exponent."},
    {"sine_cosine", FUNCTION(sine_cosine),
     "sine_cosine(plan, series, sine, cosine)\n--\n\nSine and cosine together."},
    {"hyperbolic", FUNCTION(hyperbolic),
     "hyperbolic(plan, series, sine, cosine)\n--\n\nHyperbolic sine and cosine together."},
    {0},
};
