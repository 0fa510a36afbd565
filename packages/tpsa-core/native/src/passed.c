/* Inner series that are a multiple of one variable; see horner.h. */
#include "horner.h"

int32_t passed_variable(const Plan *plan, const double *series, int lanes)
{
    int64_t found = -1;
    for (int64_t at = lanes; at < plan->size * lanes; at++)
        if (series[at] != 0) {
            if (found >= 0 || at % lanes)
                return -1;
            found = at / lanes;
        }
    for (int32_t variable = 0; plan->order && variable < plan->dimension; variable++)
        if (plan->place[variable + 1] == found)
            return variable;
    return -1;
}

int need_passed(Plan *plan, int64_t count, const double *series, int lanes)
{
    for (int64_t row = 0; plan->bounds.caps && row < count; row++) {
        int32_t variable = passed_variable(plan, series + row * plan->size * lanes, lanes);
        if (variable >= 0 && plan_need_neighbours(plan, variable))
            return -1;
    }
    return 0;
}
