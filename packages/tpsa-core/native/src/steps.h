/* Steps that several recurrences share. */
#ifndef TPSA_STEPS_H
#define TPSA_STEPS_H

#include "recurrence.h"

/* Scratch of so many numbers, not set, or NULL. Lengths come from plans, which bound them. */
double *scratch_make(int64_t count);

/* The planes of a series of `lanes`: those of a complex one at `at`. */
static inline int64_t planes_scratch(const Plan *plan, int lanes)
{
    return lanes == 2 ? 2 * plan->size : 0;
}
Planes planes_of(const Plan *plan, int lanes, const double *series, double *at);
/* The first block of planes without its constant part, at two places of an inner count each. */
Planes lead_of(const Plan *plan, const Planes *planes, double *at);
/* Nothing of the first block has grown. */
void clear_lead(const Recurrence *job);

/* Each term times its degree: in the first block the inner one, in all others the outer one. */
void times_degree(const Plan *plan, int lanes, const double *series, double *result);
/* The opposite; the constant part becomes zero. */
void over_degree(const Plan *plan, int lanes, double *series);

/* exp: `known` holds the operand times its degrees. */
void grow_exp(Recurrence *job, Number constant);
/* The terms of one degree of the first block: inverse * (numerator - what stands in `sums`). */
void put_quotients(const Recurrence *job, const double *numerator, Number inverse, int32_t start,
                   int32_t stop);
/* The first block of numerator / (constant + known) up to an order; without a numerator it is one. */
void grow_lead_quotient(Recurrence *job, const double *numerator, Number constant, int32_t order);
/* A factor times the inverse of the first block of (constant + known), as planes at `at`, 4 inner
   counts long. What other blocks are multiplied by is needed up to one order less than the plan has. */
Planes inverse_lead(const Recurrence *job, Number constant, double factor, int32_t order, double *at);
/* The blocks of a degree of the result: lead * (numerator - what stands in `sums`). */
void put_blocks(const Recurrence *job, const Planes *lead, const double *numerator, int32_t degree);

#endif
