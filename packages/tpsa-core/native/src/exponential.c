/* exp, sine with cosine, and their hyperbolic counterparts: s f_s = sum p a_p f_{s-p}.

   Sine and cosine of a real series are the parts of exp(j a), j*j = -1; the hyperbolic pair those
   of exp(j a) with j*j = +1. Both cost one product of pairs, which two lanes do at once. */
#include <math.h>
#include <stdlib.h>

#include "functions.h"
#include "product.h"
#include "steps.h"

int series_exp(const Plan *plan, const KernelSet *set, int lanes, const double *series,
               double *result)
{
    double *scratch = scratch_make(recurrence_scratch(plan) + lanes * plan->size +
                                   planes_scratch(plan, lanes));
    if (!scratch)
        return -1;
    Recurrence job = recurrence_make(plan, set, lanes, -1, scratch);
    double *weighted = scratch + recurrence_scratch(plan);
    times_degree(plan, lanes, series, weighted);
    /* A constant part that is not finite must not enter the sums as nan. */
    number_put(weighted, lanes, (Number){0, 0});
    Planes known = planes_of(plan, lanes, weighted, weighted + lanes * plan->size);
    recurrence_know(&job, known, known);
    job.grown = result;
    grow_exp(&job, number_exp(number_at(series, lanes), lanes));
    recurrence_free(&job);
    free(scratch);
    return 0;
}

/* exp(j a) of a plain series, as a pair at `pair`, 2 * size long; `weighted` is size long. */
static void exp_of_unit(const Plan *plan, const KernelSet *set, double square,
                        const double *series, double *pair, double *weighted, double *scratch)
{
    Recurrence job = recurrence_make(plan, set, 2, square, scratch);
    times_degree(plan, 1, series, weighted);
    weighted[0] = 0;
    Planes known = {NULL, weighted};
    recurrence_know(&job, known, known);
    job.grown = pair;
    Number constant = {cos(series[0]), sin(series[0])};
    if (square > 0)
        constant = (Number){cosh(series[0]), sinh(series[0])};
    grow_exp(&job, constant);
}

static int real_pair(const Plan *plan, const KernelSet *set, double square, const double *series,
                     double *sine, double *cosine)
{
    double *scratch = scratch_make(recurrence_scratch(plan) + 3 * plan->size);
    if (!scratch)
        return -1;
    double *pair = scratch + recurrence_scratch(plan);
    exp_of_unit(plan, set, square, series, pair, pair + 2 * plan->size, scratch);
    split_planes(plan->size, pair, cosine, sine);
    free(scratch);
    return 0;
}

/* The four series of the two parts of a complex one. */
typedef struct {
    double *sine, *cosine, *sinh, *cosh;
} Quartet;

static void complex_results(const Plan *plan, const KernelSet *set, double square,
                            const Quartet *of, double *product, double *sine, double *cosine)
{
    const ProductRange range = full_range(plan->order);
    const double *factors[4][2] = {{of->sine, of->cosh},
                                   {of->cosine, of->sinh},
                                   {of->cosine, of->cosh},
                                   {of->sine, of->sinh}};
    for (int part = 0; part < 4; part++) {
        double *target = (part < 2 ? sine : cosine) + part % 2;
        double sign = part == 3 ? square : 1;
        real_product(plan, set, factors[part][0], factors[part][1], product, &range);
        for (int64_t at = 0; at < plan->size; at++)
            target[2 * at] = sign * product[at];
    }
}

/* sin(x + i y) = sin x cosh y + i cos x sinh y and cos(x + i y) = cos x cosh y - i sin x sinh y;
   the same with the two kinds exchanged, and a plus, for the hyperbolic pair of x + i y. */
static int complex_pair(const Plan *plan, const KernelSet *set, double square,
                        const double *series, double *sine, double *cosine)
{
    int64_t size = plan->size;
    double *scratch = scratch_make(recurrence_scratch(plan) + 10 * size);
    if (!scratch)
        return -1;
    double *at = scratch + recurrence_scratch(plan);
    double *pair = at, *weighted = at + 2 * size, *parts = at + 3 * size;
    const Quartet of = {at + 5 * size, at + 6 * size, at + 7 * size, at + 8 * size};
    split_planes(size, series, parts, parts + size);
    exp_of_unit(plan, set, square, parts, pair, weighted, scratch);
    split_planes(size, pair, of.cosine, of.sine);
    exp_of_unit(plan, set, -square, parts + size, pair, weighted, scratch);
    split_planes(size, pair, of.cosh, of.sinh);
    complex_results(plan, set, square, &of, at + 9 * size, sine, cosine);
    free(scratch);
    return 0;
}

int series_sine_cosine(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                       double *sine, double *cosine)
{
    if (lanes == 1)
        return real_pair(plan, set, -1, series, sine, cosine);
    return complex_pair(plan, set, -1, series, sine, cosine);
}

int series_hyperbolic(const Plan *plan, const KernelSet *set, int lanes, const double *series,
                      double *sine, double *cosine)
{
    if (lanes == 1)
        return real_pair(plan, set, 1, series, sine, cosine);
    return complex_pair(plan, set, 1, series, sine, cosine);
}
