/* The Python type Plan: immutable, and shared by as many threads as like. */
#include "plan_object.h"

#include <string.h>

PyTypeObject *tpsa_plan_type;

static PyObject *refuse(long dimension, long order)
{
    PyErr_Format(PyExc_ValueError,
                 "a plan needs from 1 to 65000 variables and an order from 0 to 65000, not %ld "
                 "and %ld",
                 dimension, order);
    return NULL;
}

static PyObject *refuse_split(long inner_variables, long dimension, long order)
{
    PyErr_Format(PyExc_ValueError, "blocks of %ld variables do not suit %ld variables at order %ld",
                 inner_variables, dimension, order);
    return NULL;
}

static PyObject *refuse_size(int32_t dimension, int32_t order, int32_t inner_variables)
{
    double needed = plan_bytes(dimension, order, inner_variables) / (1 << 20);
    PyErr_Format(PyExc_ValueError,
                 "a plan for %d variables at order %d needs %s%lld MiB, more than the %lld allowed",
                 (int)dimension, (int)order, needed < 1e12 ? "" : "over ",
                 (long long)(needed < 1e12 ? needed + 1 : 1e12),
                 (long long)(PLAN_LARGEST_BYTES / (1 << 20)));
    return NULL;
}

static PyObject *plan_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"dimension", "order", "inner_variables", NULL};
    long dimension, order, inner = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "ll|l", names, &dimension, &order,
                                     &inner))
        return NULL;
    if (dimension < 1 || dimension > 65000 || order < 0 || order > 65000)
        return refuse(dimension, order);
    if (!inner)
        inner = plan_inner_variables((int32_t)dimension, (int32_t)order);
    /* One block of everything can be had for any series, if without kernels. */
    if (inner != dimension &&
        (inner < 1 || inner > dimension ||
         !plan_can_split((int32_t)dimension, (int32_t)order, (int32_t)inner)))
        return refuse_split(inner, dimension, order);
    PlanObject *self = (PlanObject *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    PlanStatus status =
        plan_make(&self->plan, (int32_t)dimension, (int32_t)order, (int32_t)inner);
    if (status == PLAN_OK)
        return (PyObject *)self;
    Py_DECREF(self);
    if (status == PLAN_NO_MEMORY)
        return PyErr_NoMemory();
    return refuse_size((int32_t)dimension, (int32_t)order, (int32_t)inner);
}

static void plan_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    plan_free(((PlanObject *)self)->plan);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *plan_repr(PyObject *self)
{
    const Plan *plan = ((PlanObject *)self)->plan;
    return PyUnicode_FromFormat("Plan(%d, %d, inner_variables=%d)", (int)plan->dimension,
                                (int)plan->order, (int)plan->inner_variables);
}

/* Moves rows of coefficients to or from the places of a plan. */
static void permute(const Plan *plan, const Array *from, const Array *to, int forth)
{
    int lanes = from->lanes;
    int64_t rows = from->axes == 2 ? from->shape[0] : 1;
    for (int64_t row = 0; row < rows; row++) {
        const double *source = from->numbers + row * plan->size * lanes;
        double *target = to->numbers + row * plan->size * lanes;
        for (int64_t graded = 0; graded < plan->size; graded++) {
            int64_t place = plan->place[graded];
            int64_t read = forth ? graded : place, write = forth ? place : graded;
            for (int lane = 0; lane < lanes; lane++)
                target[write * lanes + lane] = source[read * lanes + lane];
        }
    }
}

static PyObject *move(PyObject *self, PyObject *const *arguments, Py_ssize_t count, int forth)
{
    const Plan *plan = ((PlanObject *)self)->plan;
    Arrays arrays = {0};
    const char *name = forth ? "to_block" : "from_block";
    if (!check_count(name, count, 2, 2))
        return NULL;
    Array *from = input_array(&arrays, arguments[0], "coefficients");
    Array *to = from ? output_array(&arrays, arguments[1], "out") : NULL;
    if (!to || !check_lanes(to, "out", from->lanes))
        goto failed;
    if (from->shape[from->axes - 1] != plan->size) {
        PyErr_Format(PyExc_ValueError, "coefficients have to have %lld columns",
                     (long long)plan->size);
        goto failed;
    }
    if (from->axes != to->axes || memcmp(from->shape, to->shape, (size_t)from->axes * 8)) {
        PyErr_SetString(PyExc_ValueError, "out has another shape than the coefficients");
        goto failed;
    }
    permute(plan, from, to, forth);
    return finish(&arrays, 0);
failed:
    release_arrays(&arrays);
    return NULL;
}

static PyObject *plan_to_block(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    return move(self, arguments, count, 1);
}

static PyObject *plan_from_block(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    return move(self, arguments, count, 0);
}

static PyObject *plan_dimension(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((PlanObject *)self)->plan->dimension);
}

static PyObject *plan_order(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((PlanObject *)self)->plan->order);
}

static PyObject *plan_inner(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((PlanObject *)self)->plan->inner_variables);
}

static PyObject *plan_has_kernels(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((PlanObject *)self)->plan->has_kernels);
}

static PyObject *plan_wide_degrees(PyObject *self, void *closure)
{
    (void)closure;
    const Plan *plan = ((PlanObject *)self)->plan;
    long degrees = 0;
    for (int32_t degree = 0; degree <= plan->order; degree++)
        degrees += plan->wide_gains[degree];
    return PyLong_FromLong(degrees);
}

static PyObject *plan_size(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLongLong(((PlanObject *)self)->plan->size);
}

static PyObject *plan_nbytes(PyObject *self, void *closure)
{
    (void)closure;
    const Plan *plan = ((PlanObject *)self)->plan;
    double bytes = plan_bytes(plan->dimension, plan->order, plan->inner_variables);
    return PyLong_FromDouble(bytes);
}

static PyGetSetDef plan_properties[] = {
    {"dimension", plan_dimension, NULL, "The number of variables.", NULL},
    {"order", plan_order, NULL, "The highest total degree that is kept.", NULL},
    {"inner_variables", plan_inner, NULL, "The number of variables inside a block.", NULL},
    {"has_kernels", plan_has_kernels, NULL,
     "Whether series of this plan can be multiplied; one block of all variables may be too large.",
     NULL},
    {"wide_degrees", plan_wide_degrees, NULL,
     "In how many degrees blocks are computed side by side, where vectors have four lanes.", NULL},
    {"size", plan_size, NULL, "The number of coefficients of a series.", NULL},
    {"nbytes", plan_nbytes, NULL, "The most bytes that its tables take, lazy ones excluded.", NULL},
    {0},
};

static PyMethodDef plan_methods[] = {
    {"to_block", (PyCFunction)(void (*)(void))plan_to_block, METH_FASTCALL,
     "to_block(coefficients, out)\n--\n\n"
     "Write coefficients in graded order, (size,) or (rows, size), in block order to out."},
    {"from_block", (PyCFunction)(void (*)(void))plan_from_block, METH_FASTCALL,
     "from_block(coefficients, out)\n--\n\n"
     "Write coefficients in block order, (size,) or (rows, size), in graded order to out."},
    {0},
};

static PyType_Slot plan_slots[] = {
    {Py_tp_new, plan_new},
    {Py_tp_dealloc, plan_dealloc},
    {Py_tp_repr, plan_repr},
    {Py_tp_getset, plan_properties},
    {Py_tp_methods, plan_methods},
    {Py_tp_doc, "Plan(dimension, order, inner_variables=0)\n--\n\n"
                "Where the coefficients of a series stand, and which of them meet in a product."},
    {0, NULL},
};

static PyType_Spec plan_spec = {
    .name = "tpsa_core._native.Plan",
    .basicsize = sizeof(PlanObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = plan_slots,
};

PyObject *plan_type_make(void)
{
    PyObject *type = PyType_FromSpec(&plan_spec);
    tpsa_plan_type = (PyTypeObject *)type;
    return type;
}
