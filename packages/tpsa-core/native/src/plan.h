/* A plan: where each coefficient of a series stands, and which blocks meet in a product.

   The variables are split in two: the outer ones come first, the inner ones last. A series is a
   list of blocks, one for each monomial of the outer variables in graded order; a block holds the
   coefficients of a series in the inner variables, in graded order, up to what the order leaves.

   In a restricted plan, which does not keep all monomials up to its order, the inner variables are
   some that nothing but the order binds, and the outer ones all others. Blocks are as long as ever;
   there are fewer of them. If every variable is bound, one of them is the inner one. */
#ifndef TPSA_PLAN_H
#define TPSA_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "bounds.h"
#include "monomial.h"

/* Where the monomials of a series stand that are one variable times another one. */
typedef struct {
    /* At [place]: the place of this monomial times the variable, or -1 past the order. */
    int32_t *product;
    /* At [place]: the exponent of the variable in the product. */
    uint16_t *exponent;
} Neighbours;

/* The monomials depth first: each one after the monomial that it is one variable times of. */
typedef struct {
    uint16_t *depth;
    /* The variable times which the parent is this monomial; the last one that occurs. */
    uint16_t *variable;
    int32_t *place;
} MonomialTree;

/* Plans of some of the variables alone; see reduced.h. */
typedef struct Reduced Reduced;
enum { MOST_REDUCTIONS = 32 };

/* Tables for compositions; see flat.h. */
typedef struct Flat Flat;

typedef struct {
    int32_t dimension;
    int32_t order;
    int32_t outer_variables;
    int32_t inner_variables;
    /* The highest degree inside a block: the order, unless every variable is bound. */
    int32_t inner_order;
    /* Whether there are kernels for the blocks; else only sums, derivatives and moves work. */
    int has_kernels;
    int64_t size;
    int64_t pairs;
    /* The number of coefficient products in one dense product. */
    double work;
    MonomialCounts counts;

    /* All monomials, those of the outer variables, and in restricted plans the places of those. */
    Bounds bounds, outer_bounds;
    BoundedPlaces outer_places;
    /* (dimension,) in restricted plans: the number of each variable among the outer ones, or, from
       outer_variables on, among the inner ones. */
    int32_t *position;

    int32_t blocks;
    /* (blocks,) the degree of each block's outer monomial. */
    int32_t *degree;
    /* (blocks + 1,) where each block starts. */
    int32_t *offset;
    /* (order + 2,) the first block of each degree. */
    int32_t *degree_start;
    /* (order + 2,) where each degree starts inside a block. */
    int32_t *inner_start;

    /* (pairs of blocks,) by result and by rising degree of the left factor: where both start. */
    int32_t *left_at;
    int32_t *right_at;
    /* At [cut_start[block] + degree]: the first pair of a block with this degree of the left
       factor; one more entry ends the last degree. */
    int64_t *cut;
    int64_t *cut_start;

    /* (blocks,) the blocks, inside each degree those with the most pairs first. */
    int32_t *wide_order;
    /* (order + 1,) whether the blocks of a degree are better computed side by side. */
    uint8_t *wide_gains;

    /* (size,) the place of each monomial in graded order. */
    int32_t *place;
    /* (order + 2,) where each degree starts in graded order. */
    int64_t *graded_start;

    /* (size,) the variables of each monomial in graded order, a bit each; all bits past 64. */
    uint64_t *variables;

    /* Built on first use, under the caller's lock, and never changed again. */
    Neighbours *neighbours;
    MonomialTree tree;
    Flat *flat;
    int reductions;
    Reduced *reduced[MOST_REDUCTIONS];
    /* The last set of variables that it did not pay for. */
    uint64_t not_reduced;
} Plan;

typedef enum { PLAN_OK, PLAN_NO_MEMORY, PLAN_TOO_LARGE } PlanStatus;

/* The largest plan, in bytes of its tables. */
#define PLAN_LARGEST_BYTES ((double)(256 << 20))

/* How the variables are split: the number of inner variables. A fixed rule, so that a result
   never depends on a measurement. */
int32_t plan_inner_variables(int32_t dimension, int32_t order);
/* Whether the kernels can work with so many inner variables. */
int plan_can_split(int32_t dimension, int32_t order, int32_t inner_variables);
/* The number of inner variables for some bounds, by that rule; 0 where there can be none. */
int32_t plan_inner_of(const Bounds *bounds);
/* How many variables nothing but the order binds. */
int32_t plan_free_variables(const Bounds *bounds);
/* Where the variables of a restricted plan go, and the bounds of the outer ones. Returns 0, or -1
   without memory. */
int plan_split(Plan *plan);
/* The most bytes that a plan will take, before anything is allocated; lazy tables excluded. */
double plan_bytes(const Bounds *bounds, int32_t inner_variables);

/* The tables for blocks side by side; 0, or -1 without memory. */
int plan_make_wide(Plan *plan);
/* Restricted bounds without inner variables make blocks of one coefficient each, without kernels:
   then block order is graded order, as in a single block. */
PlanStatus plan_make(Plan **result, const Bounds *bounds, int32_t inner_variables);
void plan_free(Plan *plan);

/* Both return 0, or -1 without memory. */
int plan_need_neighbours(Plan *plan, int32_t variable);
int plan_need_tree(Plan *plan);

/* The place of a monomial in block order. */
int64_t plan_place(const Plan *plan, const Monomial *monomial);

/* The first pair of a block whose left factor has at least this degree. */
static inline int64_t plan_cut(const Plan *plan, int32_t block, int32_t degree)
{
    return plan->cut[plan->cut_start[block] + degree];
}

/* The degree that a block has where its outer monomial leaves so much of the order. */
static inline int32_t inner_degree(const Plan *plan, int32_t left)
{
    return left < plan->inner_order ? left : plan->inner_order;
}

/* The number of coefficients in a block up to some inner order, or all of them. */
static inline int32_t inner_count(const Plan *plan, int32_t order)
{
    return plan->inner_start[order + 1];
}

#endif
