/* Sums of products with one block of the result in each lane: four blocks of one degree are
   computed side by side, each lane with its own pairs of factors. */
#ifndef TPSA_WIDE_H
#define TPSA_WIDE_H

#include "kernels.h"
#include "plan.h"

typedef struct {
    const Plan *plan;
    const WideFamily *family;
    /* The factors, moved to lanes, and the sums. */
    double *left, *right, *sums;
    /* A block of zeros, for lanes that have no more pairs, and one that nobody reads. */
    double *zeros, *unused;
} WideJob;

/* The sums of one degree that are wanted. */
typedef struct {
    int32_t degree;
    /* The outer degrees of the left factors. */
    int32_t from, to;
    /* The inner order, and the first of the inner coefficients. */
    int32_t order, first;
    /* Only the first half of each block's pairs, without the one in the middle. */
    int half;
    const double *left, *right;
    /* Series in block order, without the coefficients before `origin`; only blocks of the degree are
       written, up to the inner order. */
    double *result;
    int32_t origin;
} WideSums;

/* Whether blocks gain by it on this processor, those of some degree of the plan among them. */
int wide_is_worth_it(const Plan *plan, const KernelSet *set);
/* Returns 0, or -1 without memory. */
int wide_make(WideJob *job, const Plan *plan, const KernelSet *set);
void wide_free(WideJob *job);
/* Whether the blocks of a degree gain: by a fixed rule, so that results never depend on timing. */
int wide_gains(const WideJob *job, int32_t degree);
void wide_sums(const WideJob *job, const WideSums *wanted);

#endif
