/* Python functions: the instruction sets. */
#include "bind.h"
#include "kernels.h"

static PyObject *levels(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    (void)arguments;
    if (!check_count("levels", count, 0, 0))
        return NULL;
    PyObject *names = PyTuple_New(tpsa_level_count());
    for (int at = 0; names && at < tpsa_level_count(); at++) {
        PyObject *name = PyUnicode_FromString(tpsa_level(at)->name);
        if (!name) {
            Py_DECREF(names);
            return NULL;
        }
        PyTuple_SET_ITEM(names, at, name);
    }
    return names;
}

static PyObject *level(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    (void)arguments;
    if (!check_count("level", count, 0, 0))
        return NULL;
    return PyUnicode_FromString(tpsa_kernels()->name);
}

static PyObject *set_level(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    (void)module;
    if (!check_count("set_level", count, 1, 1))
        return NULL;
    for (int at = 0; PyUnicode_Check(arguments[0]) && at < tpsa_level_count(); at++)
        if (!PyUnicode_CompareWithASCIIString(arguments[0], tpsa_level(at)->name)) {
            tpsa_choose_level(at);
            Py_RETURN_NONE;
        }
    PyErr_Format(PyExc_ValueError, "this processor has no level %R", arguments[0]);
    return NULL;
}

PyMethodDef level_functions[] = {
    {"levels", FUNCTION(levels),
     "levels()\n--\n\nThe instruction sets that this processor can run, the best one last."},
    {"level", FUNCTION(level), "level()\n--\n\nThe instruction set in use."},
    {"set_level", FUNCTION(set_level),
     "set_level(name)\n--\n\nUse another instruction set, for tests."},
    {0},
};
