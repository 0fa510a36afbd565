/* Elementary functions of a series in block order. `lanes` is 1 for real series and 2 for
   complex ones, whose real and imaginary parts stand side by side. Domains are the caller's to
   check: out of them the results follow from the floating-point numbers. All return 0, or -1
   without memory; results must not overlap operands. */
#ifndef TPSA_FUNCTIONS_H
#define TPSA_FUNCTIONS_H

#include "kernels.h"
#include "plan.h"

int series_exp(const Plan *plan, const KernelSet *set, int lanes, const double *series,
               double *result);
int series_log(const Plan *plan, const KernelSet *set, int lanes, const double *series,
               double *result);
int series_quotient(const Plan *plan, const KernelSet *set, int lanes, const double *numerator,
                    const double *denominator, double *result);
/* A number over a series. */
int series_inverse(const Plan *plan, const KernelSet *set, int lanes, double number,
                   const double *series, double *result);
int series_sqrt(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                double *result);
int series_power(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                 double exponent, double *result);
int series_sine_cosine(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                       double *sine, double *cosine);
int series_hyperbolic(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                      double *sine, double *cosine);

#endif
