/* Passes over numbers in a row. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#include "sweep.h"

void add_numbers(int64_t count, double sign, const double *left, const double *right,
                 double *restrict out)
{
    for (int64_t at = 0; at < count; at++)
        out[at] = left[at] + sign * right[at];
}

void scale_numbers(int64_t count, double factor, const double *from, double *restrict out)
{
    for (int64_t at = 0; at < count; at++)
        out[at] = factor * from[at];
}

void rescale_numbers(int64_t count, double factor, double *numbers)
{
    for (int64_t at = 0; at < count; at++)
        numbers[at] *= factor;
}

void divide_numbers(int64_t count, double divisor, const double *from, double *restrict out)
{
    for (int64_t at = 0; at < count; at++)
        out[at] = from[at] / divisor;
}

void redivide_numbers(int64_t count, double divisor, double *numbers)
{
    for (int64_t at = 0; at < count; at++)
        numbers[at] /= divisor;
}

void subtract_numbers(int64_t count, const double *minuend, double *restrict numbers)
{
    if (!minuend) {
        for (int64_t at = 0; at < count; at++)
            numbers[at] = -numbers[at];
        return;
    }
    for (int64_t at = 0; at < count; at++)
        numbers[at] = minuend[at] - numbers[at];
}

void scale_difference(int64_t count, double factor, const double *minuend,
                      const double *subtrahend, double *restrict out)
{
    if (!minuend) {
        scale_numbers(count, -factor, subtrahend, out);
        return;
    }
    for (int64_t at = 0; at < count; at++)
        out[at] = factor * (minuend[at] - subtrahend[at]);
}
