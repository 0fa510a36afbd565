/* The extension module tpsa_core._native. */
#include "bind.h"
#include "kernels.h"
#include "plan_object.h"
#include "series_object.h"

static int fill_module(PyObject *module)
{
    PyMethodDef *const tables[] = {arithmetic_functions, elementary_functions, map_functions,
                                   level_functions, series_functions,  row_functions,
                                   whole_functions};
    for (size_t at = 0; at < sizeof tables / sizeof tables[0]; at++)
        if (PyModule_AddFunctions(module, tables[at]))
            return -1;
    /* The functions need the types as long as the process runs: these references stay. */
    PyObject *plan = plan_type_make();
    if (!plan || PyModule_AddObjectRef(module, "Plan", plan))
        return -1;
    PyObject *series = series_type_make();
    if (!series || PyModule_AddObjectRef(module, "SeriesBase", series))
        return -1;
    return series_view_type_make() ? series_names_make() : -1;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_native",
    .m_doc = "Kernels for truncated power series in block order.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    if (fill_module(module)) {
        Py_DECREF(module);
        return NULL;
    }
    tpsa_choose_level(tpsa_level_count() - 1);
    return module;
}
