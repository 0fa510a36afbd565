/* Monomials in graded order: degree by degree, and inside a degree with the higher power of the
   earlier variable first. The place is the rank in the combinatorial number system (Knuth, The Art
   of Computer Programming 4A, section 7.2.1.3), summed over runs of variables that do not occur. */
#include "monomial.h"

#include <stdlib.h>

/* binomial(n, k) as a double: exact below 2^53, and only compared with limits above. */
static double binomial(double n, int32_t k)
{
    double result = 1;
    for (int32_t step = 1; step <= k && result < 1e18; step++)
        result = result * (n - k + step) / step;
    return result;
}

double monomials_number(int32_t variables, int32_t order)
{
    int32_t least = variables < order ? variables : order;
    return binomial((double)variables + order, least);
}

int monomial_counts_make(MonomialCounts *counts, int32_t variables, int32_t order)
{
    size_t width = (size_t)order + 1;
    counts->variables = variables;
    counts->order = order;
    counts->count = calloc((size_t)(variables + 1) * width, sizeof *counts->count);
    if (!counts->count)
        return -1;
    for (int32_t degree = 0; degree <= order; degree++)
        counts->count[degree] = 1;
    for (int32_t used = 1; used <= variables; used++) {
        int64_t *row = counts->count + (size_t)used * width;
        row[0] = 1;
        for (int32_t degree = 1; degree <= order; degree++)
            row[degree] = row[degree - 1] + row[degree - (int64_t)width];
    }
    return 0;
}

void monomial_counts_free(MonomialCounts *counts)
{
    free(counts->count);
    counts->count = NULL;
}

/* Appends factors; the caller argues that no more than MONOMIAL_FACTORS variables occur. */
static void push(Monomial *monomial, int32_t variable, int32_t exponent)
{
    monomial->variable[monomial->count] = variable;
    monomial->exponent[monomial->count] = exponent;
    monomial->count++;
}

void monomial_advance(Monomial *monomial, int32_t variables)
{
    int32_t last = monomial->count - 1;
    int32_t tail = 0;
    if (last >= 0 && monomial->variable[last] == variables - 1) {
        tail = monomial->exponent[last];
        monomial->count--;
        last--;
    }
    if (last < 0) {
        /* It was the last one of its degree. */
        monomial->degree++;
        push(monomial, 0, monomial->degree);
        return;
    }
    int32_t variable = monomial->variable[last];
    if (--monomial->exponent[last] == 0)
        monomial->count--;
    push(monomial, variable + 1, tail + 1);
}

int64_t monomial_place(const Monomial *monomial, int32_t variables, const MonomialCounts *counts)
{
    int64_t place = 0;
    int32_t rest = monomial->degree;
    int32_t left = variables;
    for (int32_t factor = 0; factor < monomial->count; factor++) {
        int32_t after = variables - monomial->variable[factor] - 1;
        place += monomials_up_to(counts, left, rest) - monomials_up_to(counts, after, rest);
        rest -= monomial->exponent[factor];
        left = after;
    }
    return place;
}

Monomial monomial_times(const Monomial *monomial, int32_t variable)
{
    Monomial product = {.degree = monomial->degree + 1};
    int32_t factor = 0;
    for (; factor < monomial->count && monomial->variable[factor] < variable; factor++)
        push(&product, monomial->variable[factor], monomial->exponent[factor]);
    int32_t exponent = 1;
    if (factor < monomial->count && monomial->variable[factor] == variable)
        exponent += monomial->exponent[factor++];
    push(&product, variable, exponent);
    for (; factor < monomial->count; factor++)
        push(&product, monomial->variable[factor], monomial->exponent[factor]);
    return product;
}

Monomial monomial_part(const Monomial *monomial, int32_t first, int32_t stop)
{
    Monomial part = {0};
    for (int32_t factor = 0; factor < monomial->count; factor++) {
        int32_t variable = monomial->variable[factor];
        if (variable < first || variable >= stop)
            continue;
        push(&part, variable - first, monomial->exponent[factor]);
        part.degree += monomial->exponent[factor];
    }
    return part;
}
