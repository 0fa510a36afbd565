/* The linear part of a map. */
#ifndef TPSA_LINEAR_H
#define TPSA_LINEAR_H

#include "plan.h"

/* The inverse of the linear part of a map (dimension, size), of `lanes`: 1, or 0 where that part is
   near to singular as it stands, or where the plan does not keep all of it; -1 without memory. */
int regular_inverse(const Plan *plan, int lanes, const double *map, double *result);

#endif
