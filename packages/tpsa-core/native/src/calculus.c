/* Derivatives and antiderivatives: each term comes from, or goes to, one neighbour. */
#include "calculus.h"

#include <string.h>

void series_derivative(const Plan *plan, int lanes, int32_t variable, const double *series,
                       double *result)
{
    const Neighbours *table = &plan->neighbours[variable];
    for (int64_t at = 0; at < plan->size; at++) {
        int64_t from = table->product[at];
        for (int lane = 0; lane < lanes; lane++)
            result[at * lanes + lane] =
                from < 0 ? 0 : table->exponent[at] * series[from * lanes + lane];
    }
}

void series_antiderivative(const Plan *plan, int lanes, int32_t variable, const double *series,
                           double *result)
{
    const Neighbours *table = &plan->neighbours[variable];
    memset(result, 0, (size_t)(plan->size * lanes) * sizeof *result);
    for (int64_t at = 0; at < plan->size; at++) {
        int64_t to = table->product[at];
        for (int lane = 0; to >= 0 && lane < lanes; lane++)
            result[to * lanes + lane] = series[at * lanes + lane] / table->exponent[at];
    }
}
