/* Values of several series at several points. */
#ifndef TPSA_EVALUATE_H
#define TPSA_EVALUATE_H

#include "kernels.h"
#include "plan.h"

/* The series and where their values go; `lanes` is 2 where numbers are complex. */
typedef struct {
    const Plan *plan;
    int64_t components;
    int lanes;
    /* (components, size, lanes) in block order */
    const double *series;
    int64_t points;
    int point_lanes;
    /* (points, dimension, point lanes) */
    const double *at;
    /* (components, points, lanes or point lanes, whichever is more) */
    double *values;
} Evaluation;

/* The tree of the plan must be there. Returns 0, or -1 without memory. */
int evaluate_series(const Evaluation *job, const KernelSet *set);

#endif
