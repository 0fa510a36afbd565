/* The kernels for x86-64 with AVX-512: eight lanes, and twice the registers for fewer of them. Pairs of
   numbers are AVX2's. */
#if defined(__x86_64__)
#include <string.h>

#include "kernels.h"

#define KEEP_IN_ORDER(pointer) __asm__("" : "+r"(pointer))

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"))),      \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512vl,avx2,fma")
#endif

#define REGISTERS 32

#define PLANE_LANES 4
#define WINDOWS
#define LANES 1
#define KERNEL(name) avx512_1_##name
#include "lanes.inc"
#undef WINDOWS
#define LANES 4
#define KERNEL(name) avx512_4_##name
#include "lanes.inc"
#define LANES 8
#define KERNEL(name) avx512_8_##name
#include "lanes.inc"

#define WIDE
#define LANES WIDE_LANES
#define KERNEL(name) avx512_wide_##name
#include "lanes.inc"
#undef WIDE

#define POINT_LANES 8
#define POINT_VECTORS 3
#include "evaluations.inc"

#if defined(__clang__)
#pragma clang attribute pop
#endif

static const KernelFamily avx512_families[3] = {
    FAMILY(1, avx512_1, avx512_1_fast_plane),
    FAMILY(4, avx512_4, avx512_4_plane),
    FAMILY(8, avx512_8, avx512_8_plane),
};

static const WideFamily avx512_wide = {avx512_wide_block_kernels, avx512_wide_row, avx512_wide_plane,
                                       avx512_wide_gather, avx512_wide_scatter};

const KernelSet tpsa_avx512_kernels = {
    .name = "avx512",
    .families = {&avx512_families[0], &tpsa_avx2_family_of_pairs, &avx512_families[1],
                 &avx512_families[2]},
    .family_count = 4,
    .wide = &avx512_wide,
    /* Kernels that leave lanes alone at no cost are faster. */
    .side_by_side = 0,
    .sweeps = &tpsa_avx2_sweeps,
    .evaluation_points = POINT_LANES * POINT_VECTORS,
    .evaluation = EVALUATION_KERNELS,
};
#else
typedef int tpsa_no_avx512;
#endif
