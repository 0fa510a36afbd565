/* Functions of a series by recurrences in the degree: what all of them share.

   Euler's operator multiplies each term by its degree. Taken in the degree s of the outer
   variables it turns f = exp(a) into s f_s = sum p a_p f_{s-p}: every block is a sum of products of
   blocks known before, so that the whole function costs about one product. The first block, a
   series in the inner variables alone, comes before by the same recurrence in its own degree. */
#ifndef TPSA_RECURRENCE_H
#define TPSA_RECURRENCE_H

#include "kernels.h"
#include "number.h"
#include "plan.h"
#include "wide.h"

/* A plain series, or two as the parts of a complex one; a part may be missing. */
typedef struct {
    const double *first, *second;
} Planes;

typedef struct {
    const Plan *plan;
    const KernelFamily *family;
    /* 1 for real series, 2 for pairs. */
    int lanes;
    double square;
    /* The operand that is given; and its first block, in which the constant part must be zero: the
       recurrences never use the term of degree 0, and the products of the first block contain it. */
    Planes known, lead;
    /* It has no terms of a higher outer degree: what is sparse is cheap. */
    int32_t known_high;
    /* The result: grows block by block, (size, lanes). The first block is zero where it has not. */
    double *grown;
    /* The last sums, of the blocks of one degree, and one block; with lanes. */
    double *sums, *turned;
    /* For real series, where blocks gain by being computed side by side: then is_wide. */
    WideJob wide;
    int is_wide;
} Recurrence;

/* Where the blocks of a degree begin. */
static inline int32_t degree_offset(const Plan *plan, int32_t degree)
{
    return plan->offset[plan->degree_start[degree]];
}

/* The most coefficients that the blocks of one degree have. */
static inline int64_t largest_degree(const Plan *plan)
{
    int64_t largest = 0;
    for (int32_t degree = 0; degree <= plan->order; degree++) {
        int64_t count = degree_offset(plan, degree + 1) - degree_offset(plan, degree);
        largest = count > largest ? count : largest;
    }
    return largest;
}

/* Numbers of scratch for `sums` and `turned`. */
static inline int64_t recurrence_scratch(const Plan *plan)
{
    return 2 * (largest_degree(plan) + inner_count(plan, plan->order));
}
Recurrence recurrence_make(const Plan *plan, const KernelSet *set, int lanes, double square,
                           double *scratch);
void recurrence_free(Recurrence *job);

/* Take a series that will not change any more as the known one, with its first block. */
void recurrence_know(Recurrence *job, Planes known, Planes lead);

/* In `sums`: the products of the first block that have this degree; they stand from
   inner_start[degree] on. */
void sum_of_degree(const Recurrence *job, int32_t degree);
/* In `sums`: the products for the blocks of an outer degree whose known factor has an outer degree in
   from … to. Degrees come in order. */
void sums_of_blocks(Recurrence *job, int32_t degree, int32_t from, int32_t to);
/* The same for the square of what has grown, of which half is computed: the known operand is the
   result itself, and the factors' degrees are in 1 … degree - 1. */
void sums_of_square(Recurrence *job, int32_t degree);
/* `block` times a series in the inner variables, truncated at an inner order. */
void times_lead(const Recurrence *job, const Planes *lead, const double *block, int32_t order,
                double *result);

#endif
