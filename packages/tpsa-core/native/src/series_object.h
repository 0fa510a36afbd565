/* The Python type SeriesBase: a series with the operators that must be fast for tiny ones. */
#ifndef TPSA_SERIES_OBJECT_H
#define TPSA_SERIES_OBJECT_H

#include "arguments.h"
#include "reduced.h"

typedef struct {
    PyObject_VAR_HEAD
    PyObject *algebra;
    PlanObject *plan;
    /* Python's own note on which terms are known, or NULL if the valid order says it: what has one
       is left to Python. */
    PyObject *limits;
    uint16_t lanes;
    /* Terms past the valid order are zero, and so are those outside of low … high; a plan has at most
       the order 65000. */
    uint16_t valid_order;
    uint16_t low, high;
    /* Terms with other variables are zero. */
    ActiveSet active;
    /* In `room`: of all but tiny series at the start of a cache line. */
    double *numbers;
    double room[];
} SeriesObject;

extern PyTypeObject *tpsa_series_type;

/* The number slots. */
PyObject *series_add(PyObject *left, PyObject *right);
PyObject *series_subtract(PyObject *left, PyObject *right);
PyObject *series_multiply(PyObject *left, PyObject *right);
PyObject *series_divide(PyObject *left, PyObject *right);
PyObject *series_negative(PyObject *series);

/* The types, or NULL with an exception set. */
PyObject *series_type_make(void);
PyObject *series_view_type_make(void);

/* A new series of a type, its numbers not set; algebra and plan are taken from another one. */
SeriesObject *series_like(PyTypeObject *type, const SeriesObject *model, int lanes);

/* The memory of a new series, of which only the head is set, or NULL with an exception set; and back,
   when all but the plan has been let go. */
SeriesObject *series_memory_take(PyTypeObject *type, PlanObject *plan, int lanes);
void series_memory_give(SeriesObject *series);
void series_memory_clear(PlanObject *plan);

/* Terms past the valid order become zero. */
void series_cut(SeriesObject *series);
/* A result that a kernel has filled in all degrees: what is not known becomes zero. Without memory
   for the kernel, NULL with an exception set. */
PyObject *series_finish(SeriesObject *result, int32_t valid_order, int failed);

static inline int32_t least(int32_t first, int32_t second)
{
    return first < second ? first : second;
}

static inline int32_t most(int32_t first, int32_t second)
{
    return first > second ? first : second;
}

/* Nothing but a series adds by this slot, unless its class has operators of its own: a shorter way than
   to look through the bases. */
static inline int is_series(PyObject *object)
{
    const PyNumberMethods *numbers = Py_TYPE(object)->tp_as_number;
    return (numbers && numbers->nb_add == series_add) || PyObject_TypeCheck(object, tpsa_series_type);
}

/* Memory for so many reduced series of two lanes at most, to be freed with PyMem_RawFree. */
static inline double *reduced_memory(const Reduced *reduced, int series)
{
    return PyMem_RawMalloc((size_t)series * 2 * (size_t)reduced->plan->size * sizeof(double));
}

/* What a new series takes its algebra, plan and valid order from: an argument each, borrowed. */
int series_model(PyObject *const *arguments, PyObject *order, SeriesObject *model);
/* A tuple of series of a type; algebra, plan and valid order are those of a model. */
PyObject *series_of_rows(PyTypeObject *type, const SeriesObject *model, const Array *rows);
PyObject *series_from_rows(PyObject *type, PyObject *const *arguments, Py_ssize_t count);

/* A memoryview of the coefficients in block order, read-only. */
PyObject *series_view(SeriesObject *series);

/* Names of the methods that operators fall back to; 0, or -1 with an exception set. */
int series_names_make(void);

#endif
