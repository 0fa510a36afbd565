/* The Python type Plan. */
#ifndef TPSA_PLAN_OBJECT_H
#define TPSA_PLAN_OBJECT_H

#include "arguments.h"

/* The type, or NULL with an exception set. */
PyObject *plan_type_make(void);

#endif
