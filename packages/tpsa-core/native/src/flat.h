/* The deepest levels of Horner's scheme at once: products of few inner series are computed
   beforehand, and a node's sum is a plain sum of numbers times these. */
#ifndef TPSA_FLAT_H
#define TPSA_FLAT_H

#include "kernels.h"
#include "plan.h"

/* The most numbers of memory that the products take. */
enum { FLAT_NUMBERS = 20000 };
/* So many levels at most: with more of them the products would take longer than they save. */
enum { FLAT_DEGREES = 3 };

/* Rows and columns are the monomials of degree 1 to `degrees`: rows in the order of the tree inside
   each degree, columns in graded order. */
struct Flat {
    int32_t degrees;
    int32_t size;
    /* (degrees + 2,) where each degree starts. */
    int32_t start[FLAT_DEGREES + 2];
    /* (size,) a row is its parent's times one variable. */
    int32_t *parent, *variable;
    /* By a node's variable: its nodes below, by degree, and the rows that they meet. */
    int32_t *list_start;
    int32_t *node, *row_at;
    /* (dimension, degrees) how many there are up to each degree. */
    int32_t *list_count;
    /* The variables that divide a column, and the quotients' columns. */
    int32_t *divisor_start, *divisor_variable, *divisor;
    const int32_t *places;
};

/* How many levels a plan computes so; 0 where that does not gain: a fixed rule. */
int32_t flat_degrees(const Plan *plan);
/* Build the tables, also of the tree. Returns 0, or -1 without memory. */
int plan_need_flat(Plan *plan);
void flat_free(Flat *flat);

/* Numbers of memory for flat_powers. */
int64_t flat_memory(const Flat *flat, const Plan *plan, const KernelFamily *family);
/* The products of inner series (dimension, plan size), at the start of the memory as (size, size): row
   times column. Columns of a lower degree than the row's are not written. */
void flat_powers(const Flat *outer, const Flat *inner, const KernelFamily *family,
                 const Plan *inner_plan, const double *series, double *memory);
/* The sum for a node of this variable, but for its own coefficient, from the coefficients of the
   nodes from it on. `scratch` has place for 2 * size numbers, if some nodes may be zero, else it is
   NULL. Returns 0, with nothing written, if all are. */
int flat_sum(const Flat *outer, const Flat *inner, const KernelFamily *family, int32_t variable,
             const double *coefficients, const double *powers, double *level, int32_t *scratch);

#endif
