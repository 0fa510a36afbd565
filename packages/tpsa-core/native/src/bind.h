/* The Python functions, by subject; module.c puts them together. */
#ifndef TPSA_BIND_H
#define TPSA_BIND_H

#include "arguments.h"

#define FUNCTION(name) (PyCFunction)(void (*)(void))name, METH_FASTCALL

extern PyMethodDef arithmetic_functions[];
extern PyMethodDef elementary_functions[];
extern PyMethodDef map_functions[];
extern PyMethodDef level_functions[];
extern PyMethodDef series_functions[];
extern PyMethodDef row_functions[];

#endif
