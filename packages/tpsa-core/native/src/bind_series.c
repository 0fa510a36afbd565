/* Python functions of whole series objects: what is called so often that moving coefficients to and
   from arrays would show. Domains are the caller's to check, as for the functions of arrays. */
#include "bind.h"
#include "calculus.h"
#include "functions.h"
#include "kernels.h"
#include "product.h"
#include "series_object.h"

typedef int (*OneToOne)(const Plan *, const KernelSet *, int, const double *, double *);
typedef int (*OneToTwo)(const Plan *, const KernelSet *, int, const double *, double *, double *);
typedef void (*Calculus)(const Plan *, int, int32_t, const double *, double *);

static SeriesObject *series_argument(PyObject *argument)
{
    if (is_series(argument)) {
        SeriesObject *series = (SeriesObject *)argument;
        if (!series->limits)
            return series;
        PyErr_SetString(PyExc_ValueError, "the series is not known up to a degree");
        return NULL;
    }
    PyErr_Format(PyExc_TypeError, "expected a series, not %.100s", Py_TYPE(argument)->tp_name);
    return NULL;
}

/* One whose plan has kernels. */
static SeriesObject *kernel_series_argument(PyObject *argument)
{
    SeriesObject *series = series_argument(argument);
    return series && check_kernels(series->plan->plan) ? series : NULL;
}

static SeriesObject *empty_like(const SeriesObject *series)
{
    return series_like(Py_TYPE((PyObject *)series), series, series->lanes);
}

/* The same of a series of few variables: 1, 0 if it does not pay, or -1 without memory. */
static int reduced_one_to_one(const SeriesObject *series, SeriesObject *result, OneToOne function)
{
    Plan *plan = series->plan->plan;
    const Reduced *reduced = plan_reduced(plan, series->active);
    double *memory = reduced ? reduced_memory(reduced, 2) : NULL;
    if (!memory)
        return 0;
    double *values = memory + reduced->plan->size * series->lanes;
    take_active(reduced, series->lanes, series->numbers, memory);
    PyThreadState *state = begin_work(plan_work(reduced->plan) * series->lanes);
    int failed = function(reduced->plan, tpsa_kernels(), series->lanes, memory, values);
    end_work(state);
    put_active(reduced, plan, series->lanes, values, result->numbers);
    PyMem_RawFree(memory);
    return failed ? -1 : 1;
}

static int reduced_one_to_two(const SeriesObject *series, SeriesObject *sine, SeriesObject *cosine,
                              OneToTwo function)
{
    Plan *plan = series->plan->plan;
    const Reduced *reduced = plan_reduced(plan, series->active);
    double *memory = reduced ? reduced_memory(reduced, 3) : NULL;
    if (!memory)
        return 0;
    int64_t size = reduced->plan->size * series->lanes;
    take_active(reduced, series->lanes, series->numbers, memory);
    PyThreadState *state = begin_work(plan_work(reduced->plan) * series->lanes);
    int failed = function(reduced->plan, tpsa_kernels(), series->lanes, memory, memory + size,
                          memory + 2 * size);
    end_work(state);
    put_active(reduced, plan, series->lanes, memory + size, sine->numbers);
    put_active(reduced, plan, series->lanes, memory + 2 * size, cosine->numbers);
    PyMem_RawFree(memory);
    return failed ? -1 : 1;
}

static PyObject *one_to_one(PyObject *argument, OneToOne function)
{
    const SeriesObject *series = kernel_series_argument(argument);
    SeriesObject *result = series ? empty_like(series) : NULL;
    if (!result)
        return NULL;
    int reduced = reduced_one_to_one(series, result, function);
    if (reduced)
        return series_finish(result, series->valid_order, reduced < 0);
    const Plan *plan = series->plan->plan;
    PyThreadState *state = begin_work(plan_work(plan) * series->lanes);
    int failed = function(plan, tpsa_kernels(), series->lanes, series->numbers, result->numbers);
    end_work(state);
    return series_finish(result, series->valid_order, failed);
}

static PyObject *pair_of(PyObject *first, PyObject *second)
{
    PyObject *result = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return result;
}

static PyObject *one_to_two(PyObject *argument, OneToTwo function)
{
    const SeriesObject *series = kernel_series_argument(argument);
    if (!series)
        return NULL;
    SeriesObject *sine = empty_like(series), *cosine = sine ? empty_like(series) : NULL;
    if (!cosine) {
        Py_XDECREF((PyObject *)sine);
        return NULL;
    }
    const Plan *plan = series->plan->plan;
    int reduced = reduced_one_to_two(series, sine, cosine, function);
    int failed = reduced < 0;
    if (!reduced) {
        PyThreadState *state = begin_work(plan_work(plan) * series->lanes);
        failed = function(plan, tpsa_kernels(), series->lanes, series->numbers, sine->numbers,
                          cosine->numbers);
        end_work(state);
    }
    return pair_of(series_finish(sine, series->valid_order, failed),
                   series_finish(cosine, series->valid_order, failed));
}

/* Constant parts that Python's functions of real series ask for. */
typedef enum { FINITE_CONSTANT, POSITIVE_CONSTANT, NONZERO_CONSTANT, CONSTANTS } ConstantKind;

static int constant_is(double constant, long kind)
{
    switch ((ConstantKind)kind) {
    case POSITIVE_CONSTANT:
        return constant > 0;
    case NONZERO_CONSTANT:
        return constant != 0;
    default:
        return constant - constant == 0;
    }
}

static PyObject *is_plain(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (!check_count("is_plain", count, 2, 2))
        return NULL;
    if (!is_series(arguments[0])) {
        PyErr_Format(PyExc_TypeError, "expected a series, not %.100s",
                     Py_TYPE(arguments[0])->tp_name);
        return NULL;
    }
    long kind = PyLong_AsLong(arguments[1]);
    if (kind == -1 && PyErr_Occurred())
        return NULL;
    if (kind < 0 || kind >= CONSTANTS) {
        PyErr_Format(PyExc_ValueError, "there is no kind %ld of constant parts", kind);
        return NULL;
    }
    const SeriesObject *series = (SeriesObject *)arguments[0];
    return PyBool_FromLong(series->lanes == 1 && !series->limits &&
                           series->plan->plan->has_kernels &&
                           constant_is(series->numbers[0], kind));
}

static PyObject *exponential(PyObject *module, PyObject *argument)
{
    (void)module;
    return one_to_one(argument, series_exp);
}

static PyObject *logarithm(PyObject *module, PyObject *argument)
{
    (void)module;
    return one_to_one(argument, series_log);
}

static PyObject *square_root(PyObject *module, PyObject *argument)
{
    (void)module;
    return one_to_one(argument, series_sqrt);
}

static int inverse_of(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                      double *result)
{
    return series_inverse(plan, set, lanes, 1, series, result);
}

static PyObject *reciprocal(PyObject *module, PyObject *argument)
{
    (void)module;
    return one_to_one(argument, inverse_of);
}

static PyObject *sine_cosine(PyObject *module, PyObject *argument)
{
    (void)module;
    return one_to_two(argument, series_sine_cosine);
}

static PyObject *hyperbolic(PyObject *module, PyObject *argument)
{
    (void)module;
    return one_to_two(argument, series_hyperbolic);
}

static PyObject *power(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    const SeriesObject *series =
        check_count("series_power", count, 2, 2) ? kernel_series_argument(arguments[0]) : NULL;
    if (!series)
        return NULL;
    double exponent = PyFloat_AsDouble(arguments[1]);
    if (exponent == -1.0 && PyErr_Occurred())
        return NULL;
    SeriesObject *result = empty_like(series);
    if (!result)
        return NULL;
    const Plan *plan = series->plan->plan;
    PyThreadState *state = begin_work(plan_work(plan) * series->lanes);
    int failed = series_power(plan, tpsa_kernels(), series->lanes, series->numbers, exponent,
                              result->numbers);
    end_work(state);
    return series_finish(result, series->valid_order, failed);
}

/* Whether a variable has a lower order than its plan, by itself or jointly with others. */
static int is_bound(const Plan *plan, long variable)
{
    const Bounds *bounds = &plan->bounds;
    if (!bounds->caps || variable < 0 || variable >= bounds->dimension)
        return 0;
    return bounds->caps[variable] < bounds->order || variable >= bounds->dimension - bounds->group;
}

/* Whether Python has to say on which terms the result is known. */
static int is_left_to_python(PyObject *const *arguments, Py_ssize_t count, int is_derivative)
{
    if (count != 2 || !is_series(arguments[0]))
        return 0;
    const SeriesObject *series = (SeriesObject *)arguments[0];
    if (series->limits)
        return 1;
    if (!is_derivative || !series->plan->plan->bounds.caps || !PyLong_Check(arguments[1]))
        return 0;
    int overflow;
    return is_bound(series->plan->plan, PyLong_AsLongAndOverflow(arguments[1], &overflow));
}

/* A derivative or an antiderivative, whose degrees and valid order the caller still has to set. */
static SeriesObject *differentiated(PyObject *const *arguments, Py_ssize_t count, const char *name,
                                    Calculus operation)
{
    const SeriesObject *series =
        check_count(name, count, 2, 2) ? series_argument(arguments[0]) : NULL;
    if (!series)
        return NULL;
    Plan *plan = series->plan->plan;
    long variable = PyLong_AsLong(arguments[1]);
    if (variable == -1 && PyErr_Occurred())
        return NULL;
    if (variable < 0 || variable >= plan->dimension) {
        PyErr_Format(PyExc_ValueError, "there is no variable %ld among %d", variable,
                     (int)plan->dimension);
        return NULL;
    }
    if (plan_need_neighbours(plan, (int32_t)variable))
        return (SeriesObject *)PyErr_NoMemory();
    SeriesObject *result = empty_like(series);
    if (result)
        operation(plan, series->lanes, (int32_t)variable, series->numbers, result->numbers);
    return result;
}

static PyObject *derivative(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (is_left_to_python(arguments, count, 1))
        Py_RETURN_NONE;
    SeriesObject *result =
        differentiated(arguments, count, "series_derivative", series_derivative);
    if (!result)
        return NULL;
    if (!result->valid_order) {
        Py_DECREF((PyObject *)result);
        PyErr_SetString(PyExc_ValueError, "the series is valid to order 0 only");
        return NULL;
    }
    result->valid_order--;
    result->low = most(result->low - 1, 0);
    result->high = most(result->high - 1, 0);
    return (PyObject *)result;
}

static PyObject *antiderivative(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (is_left_to_python(arguments, count, 0))
        Py_RETURN_NONE;
    SeriesObject *result =
        differentiated(arguments, count, "series_antiderivative", series_antiderivative);
    if (!result)
        return NULL;
    int32_t order = result->plan->plan->order;
    /* Checked where it was integrated. */
    result->active |= (ActiveSet)1 << (PyLong_AsLong(arguments[1]) & 63);
    result->valid_order = least(result->valid_order + 1, order);
    /* All of it may lie past the order: the series of zeros. */
    result->high = result->low < order ? least(result->high + 1, order) : 0;
    result->low = result->low < order ? result->low + 1 : 0;
    return (PyObject *)result;
}

PyMethodDef series_functions[] = {
    {"is_plain", FUNCTION(is_plain),
     "is_plain(series, kind)\n--\n\n"
     "Whether a series is real, known up to a degree, and of a plan with kernels, and its constant "
     "part finite (0), positive (1) or other than zero (2)."},
    {"series_exp", exponential, METH_O, "series_exp(series)\n--\n\nThe exponential."},
    {"series_log", logarithm, METH_O, "series_log(series)\n--\n\nThe natural logarithm."},
    {"series_sqrt", square_root, METH_O, "series_sqrt(series)\n--\n\nThe square root."},
    {"series_reciprocal", reciprocal, METH_O, "series_reciprocal(series)\n--\n\nOne over it."},
    {"series_sine_cosine", sine_cosine, METH_O,
     "series_sine_cosine(series)\n--\n\nSine and cosine."},
    {"series_hyperbolic", hyperbolic, METH_O,
     "series_hyperbolic(series)\n--\n\nHyperbolic sine and cosine."},
    {"series_power", FUNCTION(power),
     "series_power(series, exponent)\n--\n\nA power with a real exponent."},
    {"series_derivative", FUNCTION(derivative),
     "series_derivative(series, variable)\n--\n\n"
     "The derivative, valid to one order less; None where that does not say which terms are known."},
    {"series_antiderivative", FUNCTION(antiderivative),
     "series_antiderivative(series, variable)\n--\n\n"
     "The antiderivative, valid to one order more if the plan has it."},
    {0},
};
