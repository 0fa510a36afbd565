/* Passes over numbers in a row. Every level rounds them alike. */
#include "sweep.h"

#include "kernels.h"

void add_numbers(int64_t count, double sign, const double *left, const double *right,
                 double *restrict out)
{
    tpsa_kernels()->sweeps->add(count, sign, left, right, out);
}

void scale_numbers(int64_t count, double factor, const double *from, double *restrict out)
{
    tpsa_kernels()->sweeps->scale(count, factor, from, out);
}

void rescale_numbers(int64_t count, double factor, double *numbers)
{
    tpsa_kernels()->sweeps->rescale(count, factor, numbers);
}

void divide_numbers(int64_t count, double divisor, const double *from, double *restrict out)
{
    tpsa_kernels()->sweeps->divide(count, divisor, from, out);
}

void redivide_numbers(int64_t count, double divisor, double *numbers)
{
    tpsa_kernels()->sweeps->redivide(count, divisor, numbers);
}

void subtract_numbers(int64_t count, const double *minuend, double *restrict numbers)
{
    const SweepSet *sweeps = tpsa_kernels()->sweeps;
    if (minuend)
        sweeps->subtract(count, minuend, numbers);
    else
        sweeps->negate(count, numbers);
}

void scale_difference(int64_t count, double factor, const double *minuend,
                      const double *subtrahend, double *restrict out)
{
    const SweepSet *sweeps = tpsa_kernels()->sweeps;
    if (minuend)
        sweeps->scale_difference(count, factor, minuend, subtrahend, out);
    else
        sweeps->scale(count, -factor, subtrahend, out);
}
