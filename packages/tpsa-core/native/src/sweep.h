/* Passes over numbers in a row, in the vectors of the level in use; arrays are either the same one or
   do not overlap. */
#ifndef TPSA_SWEEP_H
#define TPSA_SWEEP_H

#include <stdint.h>

/* out = left + sign * right */
void add_numbers(int64_t count, double sign, const double *left, const double *right,
                 double *restrict out);
/* out = factor * from */
void scale_numbers(int64_t count, double factor, const double *from, double *restrict out);
/* numbers *= factor */
void rescale_numbers(int64_t count, double factor, double *numbers);
/* out = from / divisor; a rounded inverse would cost accuracy */
void divide_numbers(int64_t count, double divisor, const double *from, double *restrict out);
/* numbers /= divisor */
void redivide_numbers(int64_t count, double divisor, double *numbers);
/* numbers = minuend - numbers; without a minuend: their opposite */
void subtract_numbers(int64_t count, const double *minuend, double *restrict numbers);
/* out = factor * (minuend - subtrahend); without a minuend it is zero */
void scale_difference(int64_t count, double factor, const double *minuend,
                      const double *subtrahend, double *restrict out);

#endif
