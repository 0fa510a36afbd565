/* Horner's scheme over the tree of monomials: the common part of composition and inversion. */
#ifndef TPSA_HORNER_H
#define TPSA_HORNER_H

#include "flat.h"
#include "kernels.h"
#include "plan.h"

typedef struct {
    const Plan *outer_plan;
    const Plan *inner_plan;
    const KernelFamily *family;
    /* Lanes per group, groups of lanes: all lanes are lanes * groups. */
    int lanes;
    int64_t groups;
    int is_complex;
    /* All numbers that follow. */
    double *scratch;
    /* (groups, nodes of the tree, lanes) */
    double *coefficients;
    /* (outer dimension, inner size) real parts, then imaginary parts if complex; constants zero. */
    double *inner;
    double *inner_imaginary;
    /* (levels, inner size, lanes): what has been summed up for the next node of each depth. */
    double *levels;
    double *turned;
    uint8_t *filled;
    /* No inner series has a term of a higher degree. */
    int32_t reach;
    /* Where the monomials of degree 1 of the inner plan stand. */
    int32_t *linear;
    /* For each outer variable the one that its inner series is a multiple of, or -1; stands behind
       `linear`. */
    int32_t *passed;
    /* Where the deepest levels are computed at once: products of inner series, and the lists of the
       nodes that are not zero; NULL elsewhere. */
    const KernelFamily *power_family;
    double *powers;
    int32_t *used;
    /* Whether any node of these levels is zero, or all are. */
    int has_zeros, all_zeros;
} Horner;

/* The variable that a series (size, lanes), but for its constant part, is a real multiple of; -1 if
   there is none. In restricted plans such a series moves coefficients instead of multiplying them,
   if the variable's neighbours are there: parameters are mostly left to themselves. */
int32_t passed_variable(const Plan *plan, const double *series, int lanes);
/* Build these neighbours for series (count, size, lanes); only where they will be used. Returns 0, or
   -1 without memory. */
int need_passed(Plan *plan, int64_t count, const double *series, int lanes);

/* Returns 0, or -1 without memory; all is zero. `rows` real rows of outer coefficients. */
int horner_make(Horner *horner, const Plan *outer, const Plan *inner, const KernelSet *set,
                int64_t rows, int is_complex);
void horner_free(Horner *horner);

/* The bytes that horner_make takes with the widest lanes. */
double horner_bytes(const Plan *outer, const Plan *inner, int64_t rows);

/* One group of outer series at the inner ones, truncated at `order`. The result stands in the first
   level until the next call. Orders must not fall from one call to the next: a level must be
   zero past its own order. */
const double *horner_group(Horner *horner, int64_t group, int32_t order);

/* level += sum * factor up to an order, with (size, lanes) and a plain series, which is real where
   its imaginary part is NULL; `sum` has no term whose degree is above `high`. */
void horner_multiply(const Horner *horner, const double *sum, int32_t high, const double *factor,
                     const double *imaginary, double *level, int32_t order);

#endif
