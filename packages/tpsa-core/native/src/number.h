/* Numbers in pairs: real, complex, or x + j y with j*j = 1. */
#ifndef TPSA_NUMBER_H
#define TPSA_NUMBER_H

/* The second part is zero where numbers are real. */
typedef struct {
    double first, second;
} Number;

/* The first coefficient of a series of `lanes`, read and written. */
static inline Number number_at(const double *numbers, int lanes)
{
    return (Number){numbers[0], lanes == 2 ? numbers[1] : 0};
}

static inline void number_put(double *numbers, int lanes, Number value)
{
    numbers[0] = value.first;
    if (lanes == 2)
        numbers[1] = value.second;
}

/* Complex arithmetic; real operands stay real. */
static inline Number number_times(Number left, Number right)
{
    /* Real numbers alone, so that an infinite one is not spoilt by a zero imaginary part. */
    if (left.second == 0 && right.second == 0)
        return (Number){left.first * right.first, 0};
    return (Number){left.first * right.first - left.second * right.second,
                    left.first * right.second + left.second * right.first};
}

Number number_inverse(Number value);

/* With the branch cuts of C, which are numpy's; `lanes` says whether numbers are complex. */
Number number_exp(Number value, int lanes);
Number number_log(Number value, int lanes);
Number number_sqrt(Number value, int lanes);
Number number_power(Number value, double exponent, int lanes);

#endif
