/* The operators of SeriesBase: a fast path for two series of one algebra and for a series and a
   float or an int, and the subclass's own methods for all else. Algebras are compared by identity.

   Where the fast path does not apply, `a + b` calls `a._plus(b)`, or `b._plus(a)` if only b is a
   series, and so on for the other operators; a class without these methods gives NotImplemented. */
#include <string.h>

#include "functions.h"
#include "kernels.h"
#include "product.h"
#include "series_object.h"
#include "sweep.h"

typedef enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, OPERATORS } Operator;

static PyObject *method_names[OPERATORS][2];

int series_names_make(void)
{
    static const char *const names[OPERATORS][2] = {{"_plus", "_plus"},
                                                    {"_minus", "_subtracted_from"},
                                                    {"_times", "_times"},
                                                    {"_divided_by", "_dividing"}};
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

/* Whether an object is an ordinary number: a float, numpy's float64 among them, or an int that is
   no bool. An int too large for a float is no fast case. */
static int plain_number(PyObject *object, double *value)
{
    if (PyFloat_Check(object)) {
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

/* Two threads may have made one each. */
static int same_plan(const Plan *first, const Plan *second)
{
    return first == second || (first->inner_variables == second->inner_variables &&
                               bounds_equal(&first->bounds, &second->bounds));
}

/* Whether two series can meet in a kernel: of one class, one algebra and one plan, and known up to
   a degree. */
static int same_algebra(PyObject *first, PyObject *second)
{
    const SeriesObject *left = (SeriesObject *)first, *right = (SeriesObject *)second;
    return Py_TYPE(first) == Py_TYPE(second) && left->algebra == right->algebra &&
           !left->limits && !right->limits && same_plan(left->plan->plan, right->plan->plan);
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
    result->active = left->active | right->active;
    if (left->valid_order != right->valid_order)
        series_cut(result);
    return (PyObject *)result;
}

/* scale * series + constant. */
static PyObject *affine(const SeriesObject *series, double scale, double constant, int adds)
{
    int64_t count = series->plan->plan->size * series->lanes;
    SeriesObject *result = series_like(Py_TYPE((PyObject *)series), series, series->lanes);
    if (!result)
        return NULL;
    scale_numbers(count, scale, series->numbers, result->numbers);
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

/* The product of two real series of few variables: 1, or 0 if it does not pay to reduce them. */
static int reduced_product(const SeriesObject *left, const SeriesObject *right,
                           SeriesObject *result, const ProductRange *range)
{
    Plan *plan = left->plan->plan;
    const Reduced *reduced = plan_reduced(plan, left->active | right->active);
    double *memory = reduced ? reduced_memory(reduced, 3) : NULL;
    if (!memory)
        return 0;
    int64_t size = reduced->plan->size;
    take_active(reduced, 1, left->numbers, memory);
    take_active(reduced, 1, right->numbers, memory + size);
    PyThreadState *state = begin_work(plan_work(reduced->plan));
    real_product(reduced->plan, tpsa_kernels(), memory, memory + size, memory + 2 * size, range);
    end_work(state);
    put_active(reduced, plan, 1, memory + 2 * size, result->numbers);
    PyMem_RawFree(memory);
    return 1;
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
    /* A square has half of the products, if all of them are wanted and there is more than a block. */
    if (left->lanes == 1 && reduced_product(left, right, result, &range))
        return 0;
    int is_square = left == right && plan->blocks > 1 && left->lanes == 1 && left->low < 2 &&
                    left->high == plan->order && result->valid_order == plan->order;
    PyThreadState *state = begin_work(plan_work(plan) * left->lanes * right->lanes);
    const KernelSet *set = tpsa_kernels();
    int failed = 0;
    if (is_square) {
        real_square(plan, set, left->numbers, result->numbers);
    } else if (left->lanes == 1) {
        real_product(plan, set, left->numbers, right->numbers, result->numbers, &range);
    } else if (right->lanes == 1) {
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
    result->active = left->active | right->active;
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
            if (same_algebra(left, right) && ((SeriesObject *)left)->plan->plan->has_kernels)
                return product_of_series(left, right);
        } else if (plain_number(right, &number) && is_finite(number)) {
            return affine((SeriesObject *)left, number, 0, 0);
        }
    } else if (plain_number(left, &number) && is_finite(number)) {
        return affine((SeriesObject *)right, number, 0, 0);
    }
    return fall_back(left, right, MULTIPLY);
}

/* The terms are divided, not multiplied by a rounded inverse. */
static PyObject *over_number(const SeriesObject *series, double number)
{
    int64_t count = series->plan->plan->size * series->lanes;
    SeriesObject *result = series_like(Py_TYPE((PyObject *)series), series, series->lanes);
    if (result)
        divide_numbers(count, number, series->numbers, result->numbers);
    return (PyObject *)result;
}

/* The quotient of series of few variables: 1, 0 if it does not pay, or -1 without memory. */
static int reduced_quotient(const SeriesObject *numerator, const SeriesObject *denominator,
                            SeriesObject *result)
{
    Plan *plan = denominator->plan->plan;
    const Reduced *reduced = plan_reduced(plan, result->active);
    double *memory = reduced ? reduced_memory(reduced, 3) : NULL;
    if (!memory)
        return 0;
    int64_t size = reduced->plan->size;
    take_active(reduced, 1, numerator->numbers, memory);
    take_active(reduced, 1, denominator->numbers, memory + size);
    PyThreadState *state = begin_work(plan_work(reduced->plan));
    int failed = series_quotient(reduced->plan, tpsa_kernels(), 1, memory, memory + size,
                                 memory + 2 * size);
    end_work(state);
    put_active(reduced, plan, 1, memory + 2 * size, result->numbers);
    PyMem_RawFree(memory);
    return failed ? -1 : 1;
}

static PyObject *over_series(const SeriesObject *numerator, const SeriesObject *denominator)
{
    const Plan *plan = denominator->plan->plan;
    SeriesObject *result = series_like(Py_TYPE((PyObject *)denominator), numerator, 1);
    if (!result)
        return NULL;
    result->active = numerator->active | denominator->active;
    int32_t valid_order = least(numerator->valid_order, denominator->valid_order);
    int reduced = reduced_quotient(numerator, denominator, result);
    if (reduced)
        return series_finish(result, valid_order, reduced < 0);
    PyThreadState *state = begin_work(plan_work(plan));
    int failed = series_quotient(plan, tpsa_kernels(), 1, numerator->numbers,
                                 denominator->numbers, result->numbers);
    end_work(state);
    return series_finish(result, valid_order, failed);
}

/* A number over a series of few variables: 1, 0 if it does not pay, or -1 without memory. */
static int reduced_inverse(double number, const SeriesObject *series, SeriesObject *result)
{
    Plan *plan = series->plan->plan;
    const Reduced *reduced = plan_reduced(plan, series->active);
    double *memory = reduced ? reduced_memory(reduced, 2) : NULL;
    if (!memory)
        return 0;
    int64_t size = reduced->plan->size;
    take_active(reduced, 1, series->numbers, memory);
    PyThreadState *state = begin_work(plan_work(reduced->plan));
    int failed = series_inverse(reduced->plan, tpsa_kernels(), 1, number, memory, memory + size);
    end_work(state);
    put_active(reduced, plan, 1, memory + size, result->numbers);
    PyMem_RawFree(memory);
    return failed ? -1 : 1;
}

static PyObject *number_over(double number, const SeriesObject *series)
{
    const Plan *plan = series->plan->plan;
    SeriesObject *result = series_like(Py_TYPE((PyObject *)series), series, 1);
    if (!result)
        return NULL;
    int reduced = reduced_inverse(number, series, result);
    if (reduced)
        return series_finish(result, series->valid_order, reduced < 0);
    PyThreadState *state = begin_work(plan_work(plan));
    int failed =
        series_inverse(plan, tpsa_kernels(), 1, number, series->numbers, result->numbers);
    end_work(state);
    return series_finish(result, series->valid_order, failed);
}

/* Whether a series is real, and can be divided by: else Python has the rule, or the message. */
static int plain_divisor(PyObject *object)
{
    const SeriesObject *series = (SeriesObject *)object;
    return series->lanes == 1 && series->numbers[0] != 0 && !series->limits &&
           series->plan->plan->has_kernels;
}

PyObject *series_divide(PyObject *left, PyObject *right)
{
    double number;
    if (is_series(right)) {
        if (!plain_divisor(right))
            return fall_back(left, right, DIVIDE);
        if (!is_series(left)) {
            if (plain_number(left, &number) && is_finite(number))
                return number_over(number, (SeriesObject *)right);
        } else if (((SeriesObject *)left)->lanes == 1 && same_algebra(left, right)) {
            return over_series((SeriesObject *)left, (SeriesObject *)right);
        }
    } else if (plain_number(right, &number) && is_finite(number) && number != 0) {
        return over_number((SeriesObject *)left, number);
    }
    return fall_back(left, right, DIVIDE);
}
