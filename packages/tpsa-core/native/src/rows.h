/* Products of many pairs of real series, four pairs in the lanes of a vector. */
#ifndef TPSA_ROWS_H
#define TPSA_ROWS_H

#include "kernels.h"
#include "plan.h"

/* result, left and right are (rows, size) in block order. Returns 0, or -1 without memory. */
int multiply_rows(const Plan *plan, const KernelSet *set, int64_t rows, const double *left,
                  const double *right, double *result);

#endif
