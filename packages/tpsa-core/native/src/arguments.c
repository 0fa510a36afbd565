/* Checking arguments: every array's kind, shape and place before a kernel sees a pointer. */
#include "arguments.h"

#include <string.h>

/* About twenty microseconds at five products a nanosecond. */
static const double PRODUCTS_WITHOUT_RELEASE = 1e5;

int check_count(const char *name, Py_ssize_t given, Py_ssize_t least, Py_ssize_t most)
{
    if (given >= least && given <= most)
        return 1;
    PyErr_Format(PyExc_TypeError, "%s takes from %zd to %zd arguments, not %zd", name, least, most,
                 given);
    return 0;
}

Plan *plan_argument(PyObject *argument)
{
    if (PyObject_TypeCheck(argument, tpsa_plan_type))
        return ((PlanObject *)argument)->plan;
    PyErr_Format(PyExc_TypeError, "expected a Plan, not %.100s", Py_TYPE(argument)->tp_name);
    return NULL;
}

int check_kernels(const Plan *plan)
{
    if (plan->has_kernels)
        return 1;
    PyErr_Format(PyExc_ValueError, "there are no kernels for one block of %d variables at order %d",
                 (int)plan->dimension, (int)plan->order);
    return 0;
}

Plan *kernel_plan_argument(PyObject *argument)
{
    Plan *plan = plan_argument(argument);
    return plan && check_kernels(plan) ? plan : NULL;
}

static int lanes_of(const char *format)
{
    if (!format)
        return 0;
    if (!strcmp(format, "d"))
        return 1;
    return strcmp(format, "Zd") ? 0 : 2;
}

static int fill_array(Array *array, const char *name)
{
    array->lanes = lanes_of(array->view.format);
    if (!array->lanes) {
        PyErr_Format(PyExc_TypeError, "%s has to hold float64 or complex128 numbers", name);
        return 0;
    }
    array->axes = array->view.ndim;
    if (array->axes < 1 || array->axes > MOST_AXES) {
        PyErr_Format(PyExc_ValueError, "%s has %d axes, not one or two", name, array->axes);
        return 0;
    }
    for (int axis = 0; axis < array->axes; axis++)
        array->shape[axis] = array->view.shape[axis];
    array->numbers = array->view.buf;
    if ((uintptr_t)array->numbers % sizeof(double)) {
        PyErr_Format(PyExc_ValueError, "%s is not aligned to its numbers", name);
        return 0;
    }
    return 1;
}

static Array *take_array(Arrays *arrays, PyObject *argument, const char *name, int flags)
{
    Array *array = &arrays->array[arrays->count];
    if (PyObject_GetBuffer(argument, &array->view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | flags))
        return NULL;
    arrays->count++;
    return fill_array(array, name) ? array : NULL;
}

Array *input_array(Arrays *arrays, PyObject *argument, const char *name)
{
    return take_array(arrays, argument, name, 0);
}

static int overlap(const Array *first, const Array *second)
{
    uintptr_t start = (uintptr_t)first->numbers, other = (uintptr_t)second->numbers;
    return start < other + (uintptr_t)second->view.len &&
           other < start + (uintptr_t)first->view.len;
}

Array *output_array(Arrays *arrays, PyObject *argument, const char *name)
{
    Array *array = take_array(arrays, argument, name, PyBUF_WRITABLE);
    for (int other = 0; array && other < arrays->count - 1; other++)
        if (overlap(array, &arrays->array[other])) {
            PyErr_Format(PyExc_ValueError, "%s overlaps another array of the call", name);
            return NULL;
        }
    return array;
}

static Array *check_series(Array *array, const char *name, const Plan *plan)
{
    if (!array || (array->axes == 1 && array->shape[0] == plan->size))
        return array;
    PyErr_Format(PyExc_ValueError, "%s is not of shape (%lld,)", name, (long long)plan->size);
    return NULL;
}

Array *input_series(Arrays *arrays, PyObject *argument, const char *name, const Plan *plan)
{
    return check_series(input_array(arrays, argument, name), name, plan);
}

Array *output_series(Arrays *arrays, PyObject *argument, const char *name, const Plan *plan,
                     int lanes)
{
    Array *array = check_series(output_array(arrays, argument, name), name, plan);
    return array && check_lanes(array, name, lanes) ? array : NULL;
}

int check_matrix(const Array *array, const char *name, int64_t rows, int64_t columns)
{
    if (array->axes == 2 && array->shape[0] == rows && array->shape[1] == columns)
        return 1;
    PyErr_Format(PyExc_ValueError, "%s is not of shape (%lld, %lld)", name, (long long)rows,
                 (long long)columns);
    return 0;
}

int check_lanes(const Array *array, const char *name, int lanes)
{
    if (array->lanes == lanes)
        return 1;
    PyErr_Format(PyExc_TypeError, "%s has to hold %s numbers", name,
                 lanes == 2 ? "complex128" : "float64");
    return 0;
}

void release_arrays(Arrays *arrays)
{
    while (arrays->count)
        PyBuffer_Release(&arrays->array[--arrays->count].view);
}

PyObject *finish(Arrays *arrays, int failed)
{
    release_arrays(arrays);
    if (failed)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyThreadState *begin_work(double products)
{
    return products > PRODUCTS_WITHOUT_RELEASE ? PyEval_SaveThread() : NULL;
}

void end_work(PyThreadState *state)
{
    if (state)
        PyEval_RestoreThread(state);
}
