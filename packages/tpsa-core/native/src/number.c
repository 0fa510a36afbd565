/* Numbers in pairs. */
#include "number.h"

#include <complex.h>
#include <math.h>

/* Smith's method (Communications of the ACM 5, 1962): no overflow where the result has none. */
Number number_inverse(Number value)
{
    if (value.second == 0)
        return (Number){1 / value.first, 0};
    if (fabs(value.first) >= fabs(value.second)) {
        double ratio = value.second / value.first;
        double scale = value.first + value.second * ratio;
        return (Number){1 / scale, -ratio / scale};
    }
    double ratio = value.first / value.second;
    double scale = value.first * ratio + value.second;
    return (Number){ratio / scale, -1 / scale};
}

/* The standard gives a complex number the layout of its two parts; not every compiler that the
   system's headers know has the macro that would make one. */
typedef union {
    double parts[2];
    double complex value;
} Parts;

static double complex complex_of(Number value)
{
    Parts parts = {{value.first, value.second}};
    return parts.value;
}

static Number number_of(double complex value)
{
    return (Number){creal(value), cimag(value)};
}

Number number_exp(Number value, int lanes)
{
    if (lanes == 1)
        return (Number){exp(value.first), 0};
    return number_of(cexp(complex_of(value)));
}

Number number_log(Number value, int lanes)
{
    if (lanes == 1)
        return (Number){log(value.first), 0};
    return number_of(clog(complex_of(value)));
}

Number number_sqrt(Number value, int lanes)
{
    if (lanes == 1)
        return (Number){sqrt(value.first), 0};
    return number_of(csqrt(complex_of(value)));
}

Number number_power(Number value, double exponent, int lanes)
{
    if (lanes == 1)
        return (Number){pow(value.first, exponent), 0};
    return number_of(cpow(complex_of(value), complex_of((Number){exponent, 0})));
}
