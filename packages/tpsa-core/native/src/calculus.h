/* Derivatives and antiderivatives; `lanes` numbers are one coefficient. */
#ifndef TPSA_CALCULUS_H
#define TPSA_CALCULUS_H

#include "plan.h"

/* The neighbours of the variable must be there; the result must not overlap the series. */
void series_derivative(const Plan *plan, int lanes, int32_t variable, const double *series,
                       double *result);
/* Zero where the variable is zero; terms past the order are dropped. */
void series_antiderivative(const Plan *plan, int lanes, int32_t variable, const double *series,
                           double *result);

#endif
