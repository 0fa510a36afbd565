/* Which monomials a plan keeps: those up to an order, and where there are bounds beside it, those
   within the highest power of each variable and the highest joint degree of the last ones. With a
   monomial all its divisors are kept. */
#ifndef TPSA_BOUNDS_H
#define TPSA_BOUNDS_H

#include <stdint.h>

#include "monomial.h"

typedef struct {
    int32_t dimension;
    int32_t order;
    /* (dimension,) the highest powers; NULL where only the order binds. */
    int32_t *caps;
    /* So many of the last variables have a joint degree up to `joint`; without `caps` none. */
    int32_t group, joint;
} Bounds;

/* Whether a monomial that is kept is still kept when multiplied by a variable. */
int bounds_allow(const Bounds *bounds, const Monomial *monomial, int32_t variable);
int bounds_equal(const Bounds *first, const Bounds *second);
/* A copy with caps of its own. Returns 0, or -1 without memory. */
int bounds_copy(const Bounds *from, Bounds *to);
void bounds_free(Bounds *bounds);

/* The number of monomials, and that of pairs whose product is kept: exact below 2^53, at least 1e18
   far above or without memory. */
double bounds_monomials(const Bounds *bounds);
double bounds_pairs(const Bounds *bounds);

/* All monomials, one after the other in graded order. */
typedef struct {
    const Bounds *bounds;
    Monomial monomial;
    /* With caps only: (dimension,) the powers, and how much the variables from each on can take. */
    int32_t *power;
    int64_t *room;
} MonomialWalk;

/* Starts at 1. Returns 0, or -1 without memory. */
int walk_make(MonomialWalk *walk, const Bounds *bounds);
/* The next one; there must be one. */
void walk_advance(MonomialWalk *walk);
void walk_free(MonomialWalk *walk);

/* The places of monomials within bounds. */
typedef struct {
    /* (order + 2,) the number of monomials of a lower degree. */
    int64_t *start;
    /* (dimension + 1, order + 1) the place is a sum of differences of two rows; see bounds.c. */
    int64_t *sum;
} BoundedPlaces;

/* With caps only. Returns 0, or -1 without memory. */
int places_make(BoundedPlaces *places, const Bounds *bounds);
void places_free(BoundedPlaces *places);
int64_t bounded_place(const BoundedPlaces *places, const Bounds *bounds, const Monomial *monomial);

#endif
