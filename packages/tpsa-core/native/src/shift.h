/* Polynomials moved to another centre. */
#ifndef TPSA_SHIFT_H
#define TPSA_SHIFT_H

#include "plan.h"

/* In place: p(x) becomes p(x + centre), for `lanes` polynomials of (size, lanes) coefficients.
   Pairs of lanes are complex numbers if `complex`, and then the centre's numbers are pairs as
   well. The neighbours of all variables with a centre other than zero must be there. */
void shift_polynomials(const Plan *plan, int64_t lanes, int is_complex, const double *centre,
                       double *polynomials);

#endif
