/* The Python type Plan: immutable, and shared by as many threads as like. */
#include "plan_object.h"

#include "series_object.h"

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

static PyObject *refuse_size(const Bounds *bounds, int32_t inner_variables)
{
    double needed = plan_bytes(bounds, inner_variables) / (1 << 20);
    PyErr_Format(PyExc_ValueError,
                 "a plan for %d variables at order %d needs %s%lld MiB, more than the %lld allowed",
                 (int)bounds->dimension, (int)bounds->order, needed < 1e12 ? "" : "over ",
                 (long long)(needed < 1e12 ? needed + 1 : 1e12),
                 (long long)(PLAN_LARGEST_BYTES / (1 << 20)));
    return NULL;
}

/* The highest powers of the variables, to be freed by the caller. Returns 0, or -1 with an exception
   set. */
static int read_caps(PyObject *caps, Bounds *bounds)
{
    if (!PyTuple_Check(caps) || PyTuple_GET_SIZE(caps) != bounds->dimension) {
        PyErr_Format(PyExc_ValueError, "caps has to be a tuple of %d numbers",
                     (int)bounds->dimension);
        return -1;
    }
    bounds->caps = PyMem_Calloc((size_t)bounds->dimension, sizeof *bounds->caps);
    for (int32_t variable = 0; bounds->caps && variable < bounds->dimension; variable++) {
        long cap = PyLong_AsLong(PyTuple_GET_ITEM(caps, variable));
        if (cap == -1 && PyErr_Occurred())
            return -1;
        if (cap < 1 || cap > bounds->order) {
            PyErr_Format(PyExc_ValueError, "the cap %ld is not from 1 to %d", cap,
                         (int)bounds->order);
            return -1;
        }
        bounds->caps[variable] = (int32_t)cap;
    }
    if (!bounds->caps)
        PyErr_NoMemory();
    return bounds->caps ? 0 : -1;
}

/* The bounds of the arguments. Returns 0, or -1 with an exception set. */
static int read_bounds(PyObject *caps, long group, long joint, Bounds *bounds)
{
    if (caps == Py_None) {
        if (!group)
            return 0;
        PyErr_SetString(PyExc_ValueError, "a group needs caps");
        return -1;
    }
    if (group < 0 || group >= bounds->dimension || joint < (group > 0) || joint > bounds->order) {
        PyErr_Format(PyExc_ValueError,
                     "a group of %ld up to %ld does not suit %d variables at order %d", group,
                     joint, (int)bounds->dimension, (int)bounds->order);
        return -1;
    }
    bounds->group = (int32_t)group;
    bounds->joint = (int32_t)joint;
    return read_caps(caps, bounds);
}

static PyObject *plan_of_bounds(PyTypeObject *type, const Bounds *bounds, long inner)
{
    if (!inner)
        inner = plan_inner_of(bounds);
    int32_t free = plan_free_variables(bounds);
    int fits = inner >= 1 && inner <= (free ? free : 1) &&
               plan_can_split(bounds->dimension, bounds->order, (int32_t)inner);
    /* One block of everything can be had for any series, if without kernels. */
    if (inner != bounds->dimension && !fits)
        return refuse_split(inner, bounds->dimension, bounds->order);
    PlanObject *self = (PlanObject *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    if (!fits && bounds->caps)
        inner = 0;
    PlanStatus status = plan_make(&self->plan, bounds, (int32_t)inner);
    if (status == PLAN_OK)
        return (PyObject *)self;
    Py_DECREF(self);
    if (status == PLAN_NO_MEMORY)
        return PyErr_NoMemory();
    return refuse_size(bounds, (int32_t)inner);
}

static PyObject *plan_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"dimension", "order", "inner_variables", "caps",
                            "group",     "joint", NULL};
    long dimension, order, inner = 0, group = 0, joint = 0;
    PyObject *caps = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "ll|lOll", names, &dimension, &order,
                                     &inner, &caps, &group, &joint))
        return NULL;
    if (dimension < 1 || dimension > 65000 || order < 0 || order > 65000)
        return refuse(dimension, order);
    Bounds bounds = {.dimension = (int32_t)dimension, .order = (int32_t)order};
    PyObject *result = NULL;
    if (!read_bounds(caps, group, joint, &bounds))
        result = plan_of_bounds(type, &bounds, inner);
    PyMem_Free(bounds.caps);
    return result;
}

static void plan_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    series_memory_clear((PlanObject *)self);
    plan_free(((PlanObject *)self)->plan);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *plan_repr(PyObject *self)
{
    const Plan *plan = ((PlanObject *)self)->plan;
    return PyUnicode_FromFormat("Plan(%d, %d, inner_variables=%d%s)", (int)plan->dimension,
                                (int)plan->order, (int)plan->inner_variables,
                                plan->bounds.caps ? ", restricted" : "");
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
    for (int32_t degree = 0; plan->wide_gains && degree <= plan->order; degree++)
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
    double bytes = plan_bytes(&plan->bounds, plan->inner_variables);
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
    {Py_tp_doc, "Plan(dimension, order, inner_variables=0, caps=None, group=0, joint=0)\n--\n\n"
                "Where the coefficients of a series stand, and which of them meet in a product. With "
                "caps, the highest power of each variable, and a bound on the joint degree of the "
                "last variables."},
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
