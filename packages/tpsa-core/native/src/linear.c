/* Gauss and Jordan's elimination with the largest pivots of each column: as good as any where the
   matrix is far from singular, and judged afterwards. */
#include "linear.h"

#include <string.h>

#include "number.h"
#include "scratch.h"

/* Far below what is singular to working precision: about 1e15. */
static const double REGULAR_CONDITION = 1e8;

static double square_of(Number value)
{
    return value.first * value.first + value.second * value.second;
}

static double squares_of(int32_t dimension, const double *matrix, int lanes)
{
    double sum = 0;
    for (int64_t at = 0; at < (int64_t)dimension * dimension; at++)
        sum += square_of(number_at(matrix + at * lanes, lanes));
    return sum;
}

static void exchange(int32_t width, Number *left, Number *right)
{
    for (int32_t at = 0; at < width; at++) {
        Number kept = left[at];
        left[at] = right[at];
        right[at] = kept;
    }
}

/* Make a column that of the identity, in (dimension, width); 0 where it has no pivot. */
static int clear_column(int32_t dimension, int32_t width, int32_t column, Number *rows)
{
    int32_t best = column;
    for (int32_t row = column + 1; row < dimension; row++)
        if (square_of(rows[row * width + column]) > square_of(rows[best * width + column]))
            best = row;
    Number *pivot = rows + column * width;
    if (best != column)
        exchange(width, pivot, rows + best * width);
    /* Not above zero: NaN as well. */
    if (!(square_of(pivot[column]) > 0))
        return 0;
    Number factor = number_inverse(pivot[column]);
    for (int32_t at = 0; at < width; at++)
        pivot[at] = number_times(pivot[at], factor);
    for (int32_t row = 0; row < dimension; row++) {
        Number *other = rows + row * width;
        Number much = other[column];
        if (row == column || (much.first == 0 && much.second == 0))
            continue;
        for (int32_t at = 0; at < width; at++) {
            Number part = number_times(pivot[at], much);
            other[at].first -= part.first;
            other[at].second -= part.second;
        }
    }
    return 1;
}

int regular_inverse(const Plan *plan, int lanes, const double *map, double *result)
{
    int32_t dimension = plan->dimension, width = 2 * dimension;
    if (plan->bounds.caps || !plan->order)
        return 0;
    double *scratch = scratch_take(2 * (int64_t)dimension * width);
    if (!scratch)
        return -1;
    Number *rows = memset(scratch, 0, 2 * sizeof *scratch * (size_t)dimension * (size_t)width);
    double squares = 0;
    for (int32_t row = 0; row < dimension; row++) {
        for (int32_t column = 0; column < dimension; column++) {
            int64_t place = (int64_t)row * plan->size + plan->place[column + 1];
            rows[row * width + column] = number_at(map + place * lanes, lanes);
            squares += square_of(rows[row * width + column]);
        }
        rows[row * width + dimension + row].first = 1;
    }
    int regular = 1;
    for (int32_t column = 0; regular && column < dimension; column++)
        regular = clear_column(dimension, width, column, rows);
    for (int32_t row = 0; regular && row < dimension; row++)
        for (int32_t column = 0; column < dimension; column++)
            number_put(result + ((int64_t)row * dimension + column) * lanes, lanes,
                       rows[row * width + dimension + column]);
    scratch_give(scratch);
    /* The root of the product is a condition number. Where a sum overflows or vanishes it is not
       below the limit. */
    return regular && squares * squares_of(dimension, result, lanes) <
                          REGULAR_CONDITION * REGULAR_CONDITION;
}
