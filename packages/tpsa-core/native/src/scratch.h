/* Memory for the length of one call. */
#ifndef TPSA_SCRATCH_H
#define TPSA_SCRATCH_H

#include <stdint.h>

/* So many numbers of any value, from the start of a cache line on; NULL without memory. A little of what
   was given back is taken again: for a small map it takes longer to get new pages than to compute. */
double *scratch_take(int64_t numbers);
/* Give it back; NULL is nothing. */
void scratch_give(double *scratch);

/* Numbers that so many take up, where the next ones start at a cache line again. */
static inline int64_t scratch_lines(int64_t numbers)
{
    return (numbers + 7) / 8 * 8;
}

#endif
