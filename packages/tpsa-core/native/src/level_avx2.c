/* The kernels for x86-64 with AVX2 and FMA: up to four lanes. */
#if defined(__x86_64__)
#include <string.h>

#include "kernels.h"

#define KEEP_IN_ORDER(pointer) __asm__("" : "+r"(pointer))

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#define PLANE_LANES 4
#define WINDOWS
#define LANES 1
#define KERNEL(name) avx2_1_##name
#include "lanes.inc"
#undef WINDOWS
#define LANES 2
#define KERNEL(name) avx2_2_##name
#include "lanes.inc"
#define LANES 4
#define KERNEL(name) avx2_4_##name
#include "lanes.inc"

#define WIDE
#define LANES WIDE_LANES
#define KERNEL(name) avx2_wide_##name
#include "lanes.inc"
#undef WIDE

#define POINT_LANES 4
#define POINT_VECTORS 2
#include "evaluations.inc"

#define SWEEP(name) avx2_sweep_##name
#include "sweeps.inc"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const SweepSet tpsa_avx2_sweeps = SWEEPS;

const KernelFamily tpsa_avx2_family_of_pairs = FAMILY(2, avx2_2, avx2_2_plane);

static const KernelFamily avx2_families[2] = {
    FAMILY(1, avx2_1, avx2_1_fast_plane),
    FAMILY(4, avx2_4, avx2_4_plane),
};

static const WideFamily avx2_wide = {avx2_wide_block_kernels, avx2_wide_row, avx2_wide_plane,
                                     avx2_wide_gather, avx2_wide_scatter};

const KernelSet tpsa_avx2_kernels = {
    .name = "avx2",
    .families = {&avx2_families[0], &tpsa_avx2_family_of_pairs, &avx2_families[1]},
    .family_count = 3,
    .wide = &avx2_wide,
    .side_by_side = 1,
    .sweeps = &tpsa_avx2_sweeps,
    .evaluation_points = POINT_LANES * POINT_VECTORS,
    .evaluation = EVALUATION_KERNELS,
};
#else
typedef int tpsa_no_avx2;
#endif
