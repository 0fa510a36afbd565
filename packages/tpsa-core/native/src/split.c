/* How many variables the blocks have, and what a plan will cost.

   Many inner variables mean few, long, straight-line products; past the generated kernels there is
   only one inner variable, in rows. The choices were measured (see the README) and are fixed. */
#include <math.h>

#include "kernels.h"
#include "plan.h"

int plan_can_split(int32_t dimension, int32_t order, int32_t inner_variables)
{
    if (inner_variables < 1 || inner_variables > dimension || inner_variables > BLOCK_VARIABLES)
        return 0;
    return inner_variables == 1 || order <= block_highest_order[inner_variables];
}

int32_t plan_inner_variables(int32_t dimension, int32_t order)
{
    int32_t inner = BLOCK_VARIABLES;
    while (inner > 1 && !plan_can_split(dimension, order, inner))
        inner--;
    return inner;
}

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

double plan_bytes(int32_t dimension, int32_t order, int32_t inner_variables)
{
    int32_t outer = dimension - inner_variables;
    int32_t most = outer > inner_variables ? outer : inner_variables;
    double size = monomials_number(dimension, order);
    double blocks = monomials_number(outer, order);
    double pairs = monomials_number(2 * outer, order);
    /* A block has one cut for each degree up to its own, and two more. */
    double cuts = blocks * ((outer ? order : 0) + 2.0);
    double counts = ((double)most + 1) * ((double)order + 1);
    return size * (sizeof(int32_t) + sizeof(uint64_t)) + blocks * (2 * sizeof(int32_t) + sizeof(int64_t)) +
           pairs * 2 * sizeof(int32_t) + cuts * sizeof(int64_t) + counts * sizeof(int64_t);
}
