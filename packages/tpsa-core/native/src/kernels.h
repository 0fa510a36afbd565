/* The inner loops, compiled once per instruction set and number of lanes. */
#ifndef TPSA_KERNELS_H
#define TPSA_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "block_limits.h"

/* Pairs of blocks whose products are added up in one block of the result.
   a_at counts coefficients of the left operand (a coefficient has as many numbers as there are
   lanes), b_at numbers of the right one. */
typedef struct {
    const int32_t *a_at;
    const int32_t *b_at;
    int32_t count;
    /* Outputs before this one need not be computed; what is stored there is not specified. */
    int32_t first;
    /* Add to what stands in the result instead of replacing it. */
    int32_t keep;
} BlockPairs;

typedef void (*BlockKernel)(const double *a, const double *b, double *c, const BlockPairs *pairs);
/* For any order. */
typedef void (*OrderKernel)(int32_t order, const double *a, const double *b, double *c,
                            const BlockPairs *pairs);

/* The number of terms of a block of two variables. */
static inline int32_t plane_count(int32_t order)
{
    return (order + 1) * (order + 2) / 2;
}

/* The degree of one of its terms. */
static inline int32_t plane_degree(int32_t order, int32_t term)
{
    int32_t degree = 0;
    while (degree < order && plane_count(degree) <= term)
        degree++;
    return degree;
}

/* Such blocks are computed in buffers up to this order; there are so many zeros between degrees, and
   so many numbers in a buffer. */
enum { PLANE_ORDER = 40, PLANE_GAP = 8, PLANE_NUMBERS = (PLANE_ORDER + 8) * (PLANE_ORDER + 24) / 2 };

/* Sums of lanes at a_at, each times a row of numbers at b_at, one sum for every number of a row;
   they replace what stands at these places of c. */
typedef void (*FlatKernel)(const double *a, const double *b, double *c, const int32_t *places,
                           const BlockPairs *pairs);

/* For each output its pairs, from starts[output] up to the next one's: sums of lanes times numbers. */
typedef void (*SparseKernel)(int32_t outputs, const int32_t *starts, const double *a, const double *b,
                             double *c, const BlockPairs *pairs);

/* All kernels for one number of lanes: each coefficient of the left operand and of the result is
   that many numbers, the right operand is one plain series. */
typedef struct {
    int lanes;
    const BlockKernel (*block)[BLOCK_ORDER + 1];
    /* One variable, and two. */
    OrderKernel row, plane;
    /* By the number of sums, from one up. */
    const FlatKernel *flat;
    int flat_width;
    SparseKernel sparse;
} KernelFamily;

/* That of the kernels whose names begin so. */
#define FAMILY(lanes, name, plane)                                                                \
    {                                                                                             \
        lanes, name##_block_kernels, name##_row, plane, name##_flat_kernels, name##_flat_width,   \
            name##_sparse                                                                         \
    }

/* Kernels of four lanes whose right operand has lanes as well, b_at then counts coefficients; and how
   rows of numbers, one for each lane, become such operands. A row has at least four numbers. Eight
   lanes would be filled less well, and moving numbers to them costs more than it saves. */
#define WIDE_LANES 4
typedef struct {
    const BlockKernel (*block)[BLOCK_ORDER + 1];
    OrderKernel row, plane;
    void (*gather)(int32_t count, const double *const *rows, double *lanes);
    void (*scatter)(int32_t count, const double *lanes, double *const *rows);
} WideFamily;

/* One block of points goes through all monomials at once. */
typedef struct {
    int64_t nodes;
    const uint16_t *depth;
    const uint16_t *variable;
    /* (nodes, outputs) */
    const double *coefficients;
    /* (dimension, points of a block) */
    const double *points;
    /* (highest depth + 1, points of a block): the monomials on the way to the present one. */
    double *monomials;
    /* (outputs, points of a block) */
    double *values;
} EvaluationBlock;

enum { EVALUATION_OUTPUTS = 6, FAMILIES = 4 };

typedef void (*EvaluationKernel)(const EvaluationBlock *block);

/* The passes of sweep.h, for operands that are there. */
typedef struct {
    void (*add)(int64_t count, double sign, const double *left, const double *right,
                double *restrict out);
    void (*scale)(int64_t count, double factor, const double *from, double *restrict out);
    void (*rescale)(int64_t count, double factor, double *numbers);
    void (*divide)(int64_t count, double divisor, const double *from, double *restrict out);
    void (*redivide)(int64_t count, double divisor, double *numbers);
    void (*negate)(int64_t count, double *numbers);
    void (*subtract)(int64_t count, const double *minuend, double *restrict numbers);
    void (*scale_difference)(int64_t count, double factor, const double *minuend,
                             const double *subtrahend, double *restrict out);
} SweepSet;

/* What one instruction set offers. Families stand in rising order of lanes; the first has one. */
typedef struct {
    const char *name;
    const KernelFamily *families[FAMILIES];
    int family_count;
    /* NULL where vectors are too short for it. */
    const WideFamily *wide;
    /* Whether the blocks of one product gain by being computed side by side, with those kernels. */
    int side_by_side;
    const SweepSet *sweeps;
    int evaluation_points;
    EvaluationKernel evaluation[EVALUATION_OUTPUTS + 1];
} KernelSet;

extern const KernelSet tpsa_portable_kernels;
#if defined(__x86_64__)
extern const KernelSet tpsa_avx2_kernels;
extern const KernelSet tpsa_avx512_kernels;
/* Two lanes, and the passes; AVX-512 has little to add to these. */
extern const KernelFamily tpsa_avx2_family_of_pairs;
extern const SweepSet tpsa_avx2_sweeps;
#endif

/* The sets that this processor can run, the best one last. */
int tpsa_level_count(void);
const KernelSet *tpsa_level(int position);
/* The set in use: the best one, unless a test has chosen another. */
const KernelSet *tpsa_kernels(void);
void tpsa_choose_level(int position);

/* The family with just enough lanes, or else the widest. */
static inline const KernelFamily *family_for(const KernelSet *set, int64_t wanted)
{
    int at = 0;
    while (at + 1 < set->family_count && set->families[at]->lanes < wanted)
        at++;
    return set->families[at];
}

/* Add up truncated products of series in `variables` variables up to `order`. The layout never has
   more than two variables past the highest order of the generated kernels. */
static inline void block_product(const KernelFamily *family, int variables, int32_t order,
                                 const double *a, const double *b, double *c,
                                 const BlockPairs *pairs)
{
    if (order <= BLOCK_ORDER && family->block[variables][order])
        family->block[variables][order](a, b, c, pairs);
    else if (variables == 1)
        family->row(order, a, b, c, pairs);
    else
        family->plane(order, a, b, c, pairs);
}

/* The same for operands that both have lanes. */
static inline void wide_product(const WideFamily *family, int variables, int32_t order,
                                const double *a, const double *b, double *c,
                                const BlockPairs *pairs)
{
    if (order <= BLOCK_ORDER && family->block[variables][order])
        family->block[variables][order](a, b, c, pairs);
    else if (variables == 1)
        family->row(order, a, b, c, pairs);
    else
        family->plane(order, a, b, c, pairs);
}

#endif
