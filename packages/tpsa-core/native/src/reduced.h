/* Series that depend on few of the variables: computed with as if there were no others. */
#ifndef TPSA_REDUCED_H
#define TPSA_REDUCED_H

#include "plan.h"

/* The variables of a series, a bit each; in plans of more than 64 variables all bits are set. */
typedef uint64_t ActiveSet;

struct Reduced {
    ActiveSet active;
    /* A plan of these variables alone, of the same order. */
    Plan *plan;
    /* (plan->size,) where its coefficients stand in the whole series. */
    int32_t *place;
};

/* The reduction to these variables, or NULL where it does not pay, or without memory for it. Kept
   in the plan, built under the caller's lock, and never changed again. */
const Reduced *plan_reduced(Plan *plan, ActiveSet active);
void reduced_free(Reduced *reduced);

/* Take the coefficients of the active variables out of a series, or put them into one that is zero
   elsewhere. */
void take_active(const Reduced *reduced, int lanes, const double *series, double *active);
void put_active(const Reduced *reduced, const Plan *plan, int lanes, const double *active,
                double *series);

#endif
