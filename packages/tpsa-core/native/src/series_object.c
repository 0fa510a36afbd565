/* The Python type SeriesBase: construction, attributes and coefficients.

   The numbers stand in the object itself, so that a tiny series is one allocation out of
   Python's own pools. Values never change after construction. */
#include "series_object.h"

#include <string.h>

PyTypeObject *tpsa_series_type;

SeriesObject *series_like(PyTypeObject *type, const SeriesObject *model, int lanes)
{
    SeriesObject *self = series_memory_take(type, model->plan, lanes);
    if (!self)
        return NULL;
    self->algebra = Py_NewRef(model->algebra);
    self->plan = (PlanObject *)Py_NewRef((PyObject *)model->plan);
    self->limits = Py_XNewRef(model->limits);
    self->lanes = lanes;
    self->valid_order = model->valid_order;
    self->low = model->low;
    self->high = model->high;
    self->active = model->active;
    PyObject_GC_Track(self);
    return self;
}

void series_cut(SeriesObject *series)
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

PyObject *series_finish(SeriesObject *result, int32_t valid_order, int failed)
{
    if (failed) {
        Py_DECREF((PyObject *)result);
        return PyErr_NoMemory();
    }
    result->valid_order = valid_order;
    result->low = 0;
    result->high = valid_order;
    if (valid_order < result->plan->plan->order)
        series_cut(result);
    return (PyObject *)result;
}

/* An algebra may hold series, so that there are cycles; it is the algebra that breaks them. */
static int series_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((SeriesObject *)object)->algebra);
    Py_VISIT(((SeriesObject *)object)->plan);
    Py_VISIT(((SeriesObject *)object)->limits);
    return 0;
}

static void series_dealloc(PyObject *object)
{
    SeriesObject *self = (SeriesObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    Py_DECREF(self->algebra);
    Py_XDECREF(self->limits);
    PlanObject *plan = self->plan;
    series_memory_give(self);
    Py_DECREF((PyObject *)plan);
    Py_DECREF(type);
}

static int copy_term(double *target, const double *source, int lanes)
{
    int nonzero = 0;
    for (int lane = 0; lane < lanes; lane++) {
        target[lane] = source[lane];
        nonzero |= source[lane] != 0;
    }
    return nonzero;
}

/* Take coefficients in graded order up to the valid order, and find the degrees that are there. A
   series of zeros has the degrees of a constant. */
static void load_graded(SeriesObject *self, const double *graded)
{
    const Plan *plan = self->plan->plan;
    int lanes = self->lanes;
    memset(self->numbers, 0, (size_t)(plan->size * lanes) * sizeof *self->numbers);
    self->low = self->high = 0;
    self->active = 0;
    int found = 0;
    for (int32_t degree = 0; degree <= self->valid_order; degree++) {
        int nonzero = 0;
        for (int64_t at = plan->graded_start[degree]; at < plan->graded_start[degree + 1]; at++) {
            int is_there = copy_term(self->numbers + (int64_t)plan->place[at] * lanes,
                                     graded + at * lanes, lanes);
            nonzero |= is_there;
            self->active |= is_there ? plan->variables[at] : 0;
        }
        if (nonzero) {
            self->low = found ? self->low : degree;
            self->high = degree;
            found = 1;
        }
    }
}

int series_model(PyObject *const *arguments, PyObject *order, SeriesObject *model)
{
    Plan *plan = plan_argument(arguments[1]);
    if (!plan)
        return 0;
    long valid_order = PyLong_AsLong(order);
    if (valid_order == -1 && PyErr_Occurred())
        return 0;
    if (valid_order < 0 || valid_order > plan->order) {
        PyErr_Format(PyExc_ValueError, "the valid order %ld is not from 0 to %d", valid_order,
                     (int)plan->order);
        return 0;
    }
    model->algebra = arguments[0];
    model->plan = (PlanObject *)arguments[1];
    model->valid_order = (int32_t)valid_order;
    /* Any of them, as far as is known. */
    model->active = ~(ActiveSet)0;
    return 1;
}

static PyObject *of_graded(PyObject *class, PyObject *const *arguments, PyObject *limits)
{
    Arrays arrays = {0};
    SeriesObject model = {0};
    if (!series_model(arguments, arguments[3], &model))
        return NULL;
    model.limits = limits;
    Array *graded = input_series(&arrays, arguments[2], "coefficients", model.plan->plan);
    SeriesObject *self =
        graded ? series_like((PyTypeObject *)class, &model, graded->lanes) : NULL;
    if (self)
        load_graded(self, graded->numbers);
    release_arrays(&arrays);
    return (PyObject *)self;
}

static PyObject *series_from_graded(PyObject *class, PyObject *const *arguments, Py_ssize_t count)
{
    return check_count("from_graded", count, 4, 4) ? of_graded(class, arguments, NULL) : NULL;
}

static PyObject *series_within(PyObject *class, PyObject *const *arguments, Py_ssize_t count)
{
    return check_count("within", count, 5, 5) ? of_graded(class, arguments, arguments[4]) : NULL;
}

static PyObject *series_to_graded(PyObject *object, PyObject *const *arguments, Py_ssize_t count)
{
    SeriesObject *self = (SeriesObject *)object;
    const Plan *plan = self->plan->plan;
    Arrays arrays = {0};
    if (!check_count("to_graded", count, 1, 1))
        return NULL;
    Array *out = output_series(&arrays, arguments[0], "out", plan, self->lanes);
    if (!out) {
        release_arrays(&arrays);
        return NULL;
    }
    for (int64_t at = 0; at < plan->size; at++)
        copy_term(out->numbers + at * self->lanes,
                  self->numbers + (int64_t)plan->place[at] * self->lanes, self->lanes);
    return finish(&arrays, 0);
}

static PyObject *series_constant(PyObject *object, void *closure)
{
    (void)closure;
    const SeriesObject *self = (SeriesObject *)object;
    /* The constant part stands first in any order. */
    if (self->lanes == 2)
        return PyComplex_FromDoubles(self->numbers[0], self->numbers[1]);
    return PyFloat_FromDouble(self->numbers[0]);
}

static PyObject *series_algebra(PyObject *object, void *closure)
{
    (void)closure;
    return Py_NewRef(((SeriesObject *)object)->algebra);
}

static PyObject *series_plan(PyObject *object, void *closure)
{
    (void)closure;
    return Py_NewRef((PyObject *)((SeriesObject *)object)->plan);
}

static PyObject *series_valid_order(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((SeriesObject *)object)->valid_order);
}

static PyObject *series_limits(PyObject *object, void *closure)
{
    (void)closure;
    PyObject *limits = ((SeriesObject *)object)->limits;
    return Py_NewRef(limits ? limits : Py_None);
}

static PyObject *series_low(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((SeriesObject *)object)->low);
}

static PyObject *series_high(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((SeriesObject *)object)->high);
}

static PyObject *series_is_complex(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((SeriesObject *)object)->lanes == 2);
}

static PyObject *series_block(PyObject *object, void *closure)
{
    (void)closure;
    return series_view((SeriesObject *)object);
}

static PyGetSetDef series_properties[] = {
    {"algebra", series_algebra, NULL, "The algebra that the series belongs to.", NULL},
    {"plan", series_plan, NULL, "The plan of its coefficients.", NULL},
    {"valid_order", series_valid_order, NULL, "The order to which it is known.", NULL},
    {"limits", series_limits, NULL, "Which terms are known, if the valid order does not say it.",
     NULL},
    {"low_order", series_low, NULL, "All terms of a lower degree are zero.", NULL},
    {"high_order", series_high, NULL, "All terms of a higher degree are zero.", NULL},
    {"is_complex", series_is_complex, NULL, "Whether the coefficients are complex.", NULL},
    {"constant", series_constant, NULL, "The constant part.", NULL},
    {"block", series_block, NULL, "The coefficients in block order, read-only.", NULL},
    {0},
};

static PyMethodDef series_methods[] = {
    {"from_graded", (PyCFunction)(void (*)(void))series_from_graded, METH_FASTCALL | METH_CLASS,
     "from_graded(algebra, plan, coefficients, valid_order)\n--\n\n"
     "A series of this class from its coefficients in graded order."},
    {"within", (PyCFunction)(void (*)(void))series_within, METH_FASTCALL | METH_CLASS,
     "within(algebra, plan, coefficients, valid_order, limits)\n--\n\n"
     "The same with a note of which terms are known, an object of any kind."},
    {"from_rows", (PyCFunction)(void (*)(void))series_from_rows, METH_FASTCALL | METH_CLASS,
     "from_rows(algebra, plan, rows, valid_order)\n--\n\n"
     "A tuple of series of this class from rows of coefficients in block order."},
    {"to_graded", (PyCFunction)(void (*)(void))series_to_graded, METH_FASTCALL,
     "to_graded(out)\n--\n\nWrite the coefficients in graded order to out."},
    {0},
};

PyObject *series_type_make(void)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, series_dealloc},
        {Py_tp_traverse, series_traverse},
        {Py_tp_getset, series_properties},
        {Py_tp_methods, series_methods},
        {Py_nb_add, series_add},
        {Py_nb_subtract, series_subtract},
        {Py_nb_multiply, series_multiply},
        {Py_nb_true_divide, series_divide},
        {Py_nb_negative, series_negative},
        {Py_tp_doc, "A series in block order: the base of the class that users see."},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "tpsa_core._native.SeriesBase",
        .basicsize = offsetof(SeriesObject, room),
        .itemsize = sizeof(double),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC |
                 Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    PyObject *type = PyType_FromSpec(&spec);
    tpsa_series_type = (PyTypeObject *)type;
    return type;
}
