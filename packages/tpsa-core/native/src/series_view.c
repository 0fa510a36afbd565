/* The coefficients of a series as a buffer. An object of its own exports it: if series did, numpy
   would take lists of them for matrices of numbers. */
#include "series_object.h"

typedef struct {
    PyObject_HEAD
    SeriesObject *series;
    Py_ssize_t size;
} ViewObject;

static PyTypeObject *view_type;

static int view_get_buffer(PyObject *object, Py_buffer *buffer, int flags)
{
    ViewObject *self = (ViewObject *)object;
    SeriesObject *series = self->series;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "the coefficients of a series are read-only");
        return -1;
    }
    Py_ssize_t itemsize = (Py_ssize_t)sizeof(double) * series->lanes;
    *buffer = (Py_buffer){.buf = series->numbers,
                          .obj = Py_NewRef(object),
                          .len = self->size * itemsize,
                          .itemsize = itemsize,
                          .readonly = 1,
                          .ndim = 1,
                          .format = series->lanes == 2 ? "Zd" : "d",
                          .shape = &self->size};
    buffer->strides = &buffer->itemsize;
    return 0;
}

static void view_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Py_DECREF((PyObject *)((ViewObject *)object)->series);
    type->tp_free(object);
    Py_DECREF(type);
}

PyObject *series_view(SeriesObject *series)
{
    ViewObject *view = PyObject_New(ViewObject, view_type);
    if (!view)
        return NULL;
    view->series = (SeriesObject *)Py_NewRef((PyObject *)series);
    view->size = (Py_ssize_t)series->plan->plan->size;
    PyObject *result = PyMemoryView_FromObject((PyObject *)view);
    Py_DECREF(view);
    return result;
}

PyObject *series_view_type_make(void)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, view_dealloc},
        {Py_bf_getbuffer, view_get_buffer},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "tpsa_core._native._Coefficients",
        .basicsize = sizeof(ViewObject),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    PyObject *type = PyType_FromSpec(&spec);
    view_type = (PyTypeObject *)type;
    return type;
}
