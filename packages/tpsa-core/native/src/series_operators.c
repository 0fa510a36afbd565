/* The operators of SeriesBase: a fast path for two series of one algebra and for a series and a
   float or an int, and the subclass's own methods for all else.

   The fast path compares algebras by identity. Where it does not apply, `a + b` calls
   `a._add(b)`, or `b._add_reflected(a)` if only b is a series, and so on for the other
   operators; a class without these methods gives NotImplemented. */
#include <string.h>

#include "kernels.h"
#include "product.h"
#include "series_object.h"

typedef enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, OPERATORS } Operator;

static PyObject *method_names[OPERATORS][2];

int series_names_make(void)
{
    static const char *const names[OPERATORS][2] = {{"_add", "_add_reflected"},
                                                    {"_subtract", "_subtract_reflected"},
                                                    {"_multiply", "_multiply_reflected"},
                                                    {"_divide", "_divide_reflected"}};
    for (int operator = 0; operator < OPERATORS; operator++)
        for (int side = 0; side < 2; side++) {
            method_names[operator][side] = PyUnicode_InternFromString(names[operator][side]);
            if (!method_names[operator][side])
                return -1;
        }
    return 0;
}

static PyObject *fall_back(PyObject *left, PyObject *right, Operator operator)
{
    int reflected = !is_series(left);
    PyObject *self = reflected ? right : left;
    PyObject *name = method_names[operator][reflected];
    /* Looked up on the type, as Python looks up operators. */
    PyObject *method = PyObject_GetAttr((PyObject *)Py_TYPE(self), name);
    if (!method) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError))
            return NULL;
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *result =
        PyObject_CallFunctionObjArgs(method, self, reflected ? left : right, NULL);
    Py_DECREF(method);
    return result;
}

/* Whether an object is an ordinary number; bool and subclasses are left to Python. An int too
   large for a float is no fast case either. */
static int plain_number(PyObject *object, double *value)
{
    if (PyFloat_CheckExact(object)) {
        *value = PyFloat_AS_DOUBLE(object);
        return 1;
    }
    if (!PyLong_CheckExact(object))
        return 0;
    *value = PyLong_AsDouble(object);
    if (*value == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        return 0;
    }
    return 1;
}

static int same_algebra(PyObject *left, PyObject *right)
{
    return Py_TYPE(left) == Py_TYPE(right) &&
           ((SeriesObject *)left)->algebra == ((SeriesObject *)right)->algebra &&
           ((SeriesObject *)left)->plan == ((SeriesObject *)right)->plan;
}

static int32_t least(int32_t first, int32_t second)
{
    return first < second ? first : second;
}

static int32_t most(int32_t first, int32_t second)
{
    return first > second ? first : second;
}

/* Terms past the valid order become zero. */
static void cut(SeriesObject *series)
{
    const Plan *plan = series->plan->plan;
    for (int32_t block = 0; block < plan->blocks; block++) {
        int32_t left = series->valid_order - plan->degree[block];
        int32_t kept = left < 0 ? 0 : inner_count(plan, left);
        int32_t all = plan->offset[block + 1] - plan->offset[block];
        memset(series->numbers + (int64_t)(plan->offset[block] + kept) * series->lanes, 0,
               (size_t)(all - kept) * (size_t)series->lanes * sizeof(double));
    }
}

static void add_numbers(int64_t count, double sign, const double *restrict left,
                        const double *restrict right, double *restrict result)
{
    for (int64_t at = 0; at < count; at++)
        result[at] = left[at] + sign * right[at];
}

/* Sums of a real and a complex series: the real one meets every other number. */
static void add_mixed(const SeriesObject *left, const SeriesObject *right, double sign,
                      SeriesObject *result)
{
    int64_t size = left->plan->plan->size;
    for (int64_t at = 0; at < size; at++) {
        double first = left->numbers[at * left->lanes];
        double second = right->numbers[at * right->lanes];
        double imaginary = left->lanes == 2 ? left->numbers[2 * at + 1]
                                            : sign * right->numbers[2 * at + 1];
        result->numbers[2 * at] = first + sign * second;
        result->numbers[2 * at + 1] = imaginary;
    }
}

static PyObject *sum_of_series(PyObject *first, PyObject *second, double sign)
{
    const SeriesObject *left = (SeriesObject *)first, *right = (SeriesObject *)second;
    int lanes = most(left->lanes, right->lanes);
    SeriesObject *result = series_like(Py_TYPE(first), left, lanes);
    if (!result)
        return NULL;
    if (left->lanes == right->lanes)
        add_numbers(left->plan->plan->size * lanes, sign, left->numbers, right->numbers,
                    result->numbers);
    else
        add_mixed(left, right, sign, result);
    result->valid_order = least(left->valid_order, right->valid_order);
    result->low = least(least(left->low, right->low), result->valid_order);
    result->high = least(most(left->high, right->high), result->valid_order);
    if (left->valid_order != right->valid_order)
        cut(result);
    return (PyObject *)result;
}

/* scale * series + constant. */
static PyObject *affine(const SeriesObject *series, double scale, double constant, int adds)
{
    int64_t count = series->plan->plan->size * series->lanes;
    SeriesObject *result = series_like(Py_TYPE((PyObject *)series), series, series->lanes);
    if (!result)
        return NULL;
    for (int64_t at = 0; at < count; at++)
        result->numbers[at] = scale * series->numbers[at];
    if (adds) {
        result->numbers[0] += constant;
        result->low = 0;
    }
    return (PyObject *)result;
}

/* A number that is not finite spoils the terms that are zero as well, past the valid order, too:
   left to Python, which knows the rules. */
static int is_finite(double value)
{
    return value - value == 0;
}

static PyObject *add_or_subtract(PyObject *left, PyObject *right, double sign, Operator operator)
{
    double number;
    if (is_series(left)) {
        if (is_series(right)) {
            if (same_algebra(left, right))
                return sum_of_series(left, right, sign);
        } else if (plain_number(right, &number)) {
            return affine((SeriesObject *)left, 1, sign * number, 1);
        }
    } else if (plain_number(left, &number)) {
        return affine((SeriesObject *)right, sign, number, 1);
    }
    return fall_back(left, right, operator);
}

PyObject *series_add(PyObject *left, PyObject *right)
{
    return add_or_subtract(left, right, 1, ADD);
}

PyObject *series_subtract(PyObject *left, PyObject *right)
{
    return add_or_subtract(left, right, -1, SUBTRACT);
}

PyObject *series_negative(PyObject *series)
{
    return affine((SeriesObject *)series, -1, 0, 0);
}

static int product_numbers(const SeriesObject *left, const SeriesObject *right,
                           SeriesObject *result)
{
    const Plan *plan = left->plan->plan;
    if (left->lanes < right->lanes) {
        const SeriesObject *exchanged = left;
        left = right;
        right = exchanged;
    }
    ProductRange range = {left->low,   left->high,          right->low,
                          right->high, result->valid_order, 0};
    PyThreadState *state = begin_work(plan_work(plan) * left->lanes * right->lanes);
    const KernelSet *set = tpsa_kernels();
    int failed = 0;
    if (right->lanes == 1) {
        lane_product(plan, family_for(set, left->lanes), left->numbers, right->numbers,
                     result->numbers, &range);
    } else {
        double *scratch =
            PyMem_RawMalloc((size_t)complex_product_scratch(plan) * sizeof *scratch);
        failed = !scratch;
        if (scratch)
            complex_product(plan, set, left->numbers, right->numbers, result->numbers, &range,
                            scratch);
        PyMem_RawFree(scratch);
    }
    end_work(state);
    return failed;
}

static PyObject *product_of_series(PyObject *first, PyObject *second)
{
    const SeriesObject *left = (SeriesObject *)first, *right = (SeriesObject *)second;
    SeriesObject *result = series_like(Py_TYPE(first), left, most(left->lanes, right->lanes));
    if (!result)
        return NULL;
    result->valid_order = least(left->valid_order, right->valid_order);
    int32_t low = left->low + right->low;
    result->high = least(left->high + right->high, result->valid_order);
    /* All of it lies past the order: the series of zeros. */
    result->low = low > result->valid_order ? 0 : low;
    result->high = low > result->valid_order ? 0 : result->high;
    if (product_numbers(left, right, result)) {
        Py_DECREF(result);
        return PyErr_NoMemory();
    }
    return (PyObject *)result;
}

PyObject *series_multiply(PyObject *left, PyObject *right)
{
    double number;
    if (is_series(left)) {
        if (is_series(right)) {
            if (same_algebra(left, right))
                return product_of_series(left, right);
        } else if (plain_number(right, &number) && is_finite(number)) {
            return affine((SeriesObject *)left, number, 0, 0);
        }
    } else if (plain_number(left, &number) && is_finite(number)) {
        return affine((SeriesObject *)right, number, 0, 0);
    }
    return fall_back(left, right, MULTIPLY);
}

/* Series over number; the terms are divided, not multiplied by a rounded inverse. */
PyObject *series_divide(PyObject *left, PyObject *right)
{
    double number;
    if (!is_series(left) || !plain_number(right, &number) || !is_finite(number) || number == 0)
        return fall_back(left, right, DIVIDE);
    const SeriesObject *series = (SeriesObject *)left;
    int64_t count = series->plan->plan->size * series->lanes;
    SeriesObject *result = series_like(Py_TYPE(left), series, series->lanes);
    for (int64_t at = 0; result && at < count; at++)
        result->numbers[at] = series->numbers[at] / number;
    return (PyObject *)result;
}
