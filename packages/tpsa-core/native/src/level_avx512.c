/* The kernels for x86-64 with AVX-512: eight lanes; narrower work is AVX2's. */
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

#define LANES 8
#define KERNEL(name) avx512_8_##name
#include "lanes.inc"

#define POINT_LANES 8
#define POINT_VECTORS 3
#include "evaluations.inc"

#if defined(__clang__)
#pragma clang attribute pop
#endif

static const KernelFamily avx512_family = {8, avx512_8_block_kernels, avx512_8_row};

const KernelSet tpsa_avx512_kernels = {
    .name = "avx512",
    .families = {&tpsa_avx2_families[0], &tpsa_avx2_families[1], &tpsa_avx2_families[2],
                 &avx512_family},
    .family_count = 4,
    .wide = &tpsa_avx2_wide,
    .evaluation_points = POINT_LANES * POINT_VECTORS,
    .evaluation = EVALUATION_KERNELS,
};
#else
typedef int tpsa_no_avx512;
#endif
