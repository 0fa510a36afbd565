/* Monomials by their variables that occur, in graded order, and their places in it. */
#ifndef TPSA_MONOMIAL_H
#define TPSA_MONOMIAL_H

#include <stdint.h>

/* A plan has fewer than 2^25 monomials, by PLAN_LARGEST_BYTES, and all 2^f divisors of one with f
   variables are among them. */
enum { MONOMIAL_FACTORS = 24 };

/* Exponents by rising variable; only those above zero. */
typedef struct {
    int32_t degree;
    int32_t count;
    int32_t variable[MONOMIAL_FACTORS];
    int32_t exponent[MONOMIAL_FACTORS];
} Monomial;

/* binomial(variables + degree, degree), at [variables * (order + 1) + degree]. */
typedef struct {
    int32_t variables;
    int32_t order;
    int64_t *count;
} MonomialCounts;

/* binomial(variables + order, order) as a double: exact below 2^53, at least 1e18 far above. */
double monomials_number(int32_t variables, int32_t order);

/* Returns 0, or -1 without memory. */
int monomial_counts_make(MonomialCounts *counts, int32_t variables, int32_t order);
void monomial_counts_free(MonomialCounts *counts);

static inline int64_t monomials_up_to(const MonomialCounts *counts, int32_t variables,
                                      int32_t degree)
{
    return counts->count[(int64_t)variables * (counts->order + 1) + degree];
}

/* The monomial after this one in graded order. */
void monomial_advance(Monomial *monomial, int32_t variables);
/* Its place in graded order. */
int64_t monomial_place(const Monomial *monomial, int32_t variables, const MonomialCounts *counts);
/* The monomial times one variable; its degree must stay within the order. */
Monomial monomial_times(const Monomial *monomial, int32_t variable);
/* The variables from `first` on, before `stop`, counted from `first`. */
Monomial monomial_part(const Monomial *monomial, int32_t first, int32_t stop);

#endif
