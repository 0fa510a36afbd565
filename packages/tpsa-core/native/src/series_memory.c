/* Memory of series: Python's own pools for tiny ones, and for those past them some that have died. */
#include "series_object.h"

#include <string.h>

/* Up to so many bytes Python has pools; larger series than this are kept by nobody. */
enum { POOLED_BYTES = 512, LARGEST_BYTES = 32768, CACHE_LINE = 64 };

/* Whether objects of a type are no more than a series of its plan's size. */
static int is_bare(const PyTypeObject *type)
{
    unsigned long managed = 0;
#if defined(Py_TPFLAGS_MANAGED_DICT)
    managed |= Py_TPFLAGS_MANAGED_DICT;
#endif
#if defined(Py_TPFLAGS_MANAGED_WEAKREF)
    managed |= Py_TPFLAGS_MANAGED_WEAKREF;
#endif
    return type->tp_basicsize == tpsa_series_type->tp_basicsize && !(type->tp_flags & managed) &&
           !type->tp_finalize && type->tp_free == PyObject_GC_Del;
}

/* Where the numbers begin: vectors that cross a cache line cost twice as much. */
static SeriesObject *with_numbers(SeriesObject *self, int is_tiny)
{
    uintptr_t at = (uintptr_t)self->room;
    self->numbers = is_tiny ? self->room : self->room + (-at % CACHE_LINE) / sizeof(double);
    return self;
}

SeriesObject *series_memory_take(PyTypeObject *type, PlanObject *plan, int lanes)
{
    size_t numbers = (size_t)plan->plan->size * (size_t)lanes;
    int is_tiny = numbers * sizeof(double) <= POOLED_BYTES;
    Py_ssize_t room = (Py_ssize_t)(is_tiny ? numbers : numbers + CACHE_LINE / sizeof(double));
    if (lanes == 1 && plan->spares && is_bare(type))
        return with_numbers(
            (SeriesObject *)PyObject_InitVar(plan->spare[--plan->spares], type, room), is_tiny);
    SeriesObject *self = PyObject_GC_NewVar(SeriesObject, type, room);
    if (!self)
        return NULL;
    /* A class of Python's may keep a dictionary behind the numbers. */
    Py_ssize_t behind = type->tp_basicsize - tpsa_series_type->tp_basicsize;
    if (behind > 0)
        memset(self->room + room, 0, (size_t)behind);
    return with_numbers(self, is_tiny);
}

void series_memory_give(SeriesObject *series)
{
    PlanObject *plan = series->plan;
    PyTypeObject *type = Py_TYPE((PyObject *)series);
    size_t bytes = (size_t)plan->plan->size * sizeof(double);
    if (series->lanes == 1 && bytes > POOLED_BYTES && bytes <= LARGEST_BYTES &&
        plan->spares < MOST_SPARES && is_bare(type))
        plan->spare[plan->spares++] = (PyVarObject *)series;
    else
        type->tp_free(series);
}

void series_memory_clear(PlanObject *plan)
{
    while (plan->spares) {
        PyVarObject *spare = plan->spare[--plan->spares];
        /* Their own type may be gone. */
        Py_SET_TYPE((PyObject *)spare, tpsa_series_type);
        PyObject_GC_Del(spare);
    }
}
