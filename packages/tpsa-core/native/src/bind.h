/* The Python functions, by subject; module.c puts them together. */
#ifndef TPSA_BIND_H
#define TPSA_BIND_H

#include "arguments.h"
#include "compose.h"

#define FUNCTION(name) (PyCFunction)(void (*)(void))name, METH_FASTCALL

/* Compose, with the tables that it takes; 0 with an exception set where that is not possible. */
int run_composition(const Composition *job, Plan *outer, Plan *inner);

extern PyMethodDef arithmetic_functions[];
extern PyMethodDef elementary_functions[];
extern PyMethodDef map_functions[];
extern PyMethodDef level_functions[];
extern PyMethodDef series_functions[];
extern PyMethodDef row_functions[];
extern PyMethodDef whole_functions[];

#endif
