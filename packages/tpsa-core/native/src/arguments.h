/* Arguments of the Python functions: plans, and arrays by the buffer protocol. */
#ifndef TPSA_ARGUMENTS_H
#define TPSA_ARGUMENTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "plan.h"

/* Memory of dead series that the next ones of the plan take; see series_memory.c. */
enum { MOST_SPARES = 16 };

typedef struct {
    PyObject_HEAD
    Plan *plan;
    PyVarObject *spare[MOST_SPARES];
    int spares;
} PlanObject;

extern PyTypeObject *tpsa_plan_type;

/* The arrays of one call; all are released together. */
enum { MOST_ARRAYS = 4, MOST_AXES = 2 };

typedef struct {
    Py_buffer view;
    double *numbers;
    /* 1 for float64, 2 for complex128. */
    int lanes;
    int axes;
    int64_t shape[MOST_AXES];
} Array;

typedef struct {
    Array array[MOST_ARRAYS];
    int count;
} Arrays;

/* All of these return 0 or NULL with a Python exception set where something is wrong. */

/* Whether a function of this name got as many arguments as it takes. */
int check_count(const char *name, Py_ssize_t given, Py_ssize_t least, Py_ssize_t most);
Plan *plan_argument(PyObject *argument);
/* A plan whose series can be multiplied. */
Plan *kernel_plan_argument(PyObject *argument);
int check_kernels(const Plan *plan);
/* A C-contiguous array of one or two axes. */
Array *input_array(Arrays *arrays, PyObject *argument, const char *name);
/* One that can be written and overlaps none of those taken before. */
Array *output_array(Arrays *arrays, PyObject *argument, const char *name);
/* One series of the plan, real or complex. */
Array *input_series(Arrays *arrays, PyObject *argument, const char *name, const Plan *plan);
Array *output_series(Arrays *arrays, PyObject *argument, const char *name, const Plan *plan,
                     int lanes);
/* Whether a matrix has this shape, and an output this kind of numbers. */
int check_matrix(const Array *array, const char *name, int64_t rows, int64_t columns);
int check_lanes(const Array *array, const char *name, int lanes);
void release_arrays(Arrays *arrays);

/* None, or MemoryError if the work has failed; the arrays are released. */
PyObject *finish(Arrays *arrays, int failed);

/* Let other threads run while much is to be done: about twenty microseconds. */
PyThreadState *begin_work(double products);
void end_work(PyThreadState *state);

#endif
