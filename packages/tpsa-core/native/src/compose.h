/* Composition of maps, and their inverses. */
#ifndef TPSA_COMPOSE_H
#define TPSA_COMPOSE_H

#include "kernels.h"
#include "plan.h"

typedef struct {
    const Plan *outer_plan;
    const Plan *inner_plan;
    int64_t components;
    int lanes;
    /* (components, outer size, lanes) */
    const double *outer;
    int inner_lanes;
    /* (outer dimension, inner size, inner lanes) */
    const double *inner;
    /* (components, inner size, lanes or inner lanes, whichever is more) */
    double *result;
} Composition;

/* outer(inner(x)) up to the order of the inner plan. Inner series may have a constant part: the
   outer ones, taken as polynomials, are moved there first. The outer plan's tree must be there, and
   its neighbours for all inner series with a constant part. Returns 0, or -1 without memory. */
int compose_series(const Composition *job, const KernelSet *set);

/* The bytes of scratch that a composition takes. */
double composition_bytes(const Plan *outer, const Plan *inner, int64_t components);

/* The inverse of a map without a constant part, (dimension, size, lanes), given the inverse of its
   linear part, (dimension, dimension, lanes). The plan's tree must be there. */
int inverse_map(const Plan *plan, const KernelSet *set, int lanes, const double *map,
                const double *linear, double *result);

#endif
