/* The kernels for any processor: what the compiler makes of plain C and of pairs of numbers. */
#include <string.h>

#include "kernels.h"

/* Keeps the loads of a kernel where they are written: moved to its top they would all be spilled,
   and compilation would take minutes. */
#define KEEP_IN_ORDER(pointer) __asm__("" : "+r"(pointer))

#define PLANE_LANES 2
#define LANES 1
#define KERNEL(name) portable_1_##name
#include "lanes.inc"
#define LANES 2
#define KERNEL(name) portable_2_##name
#include "lanes.inc"

#define POINT_LANES 2
#define POINT_VECTORS 2
#include "evaluations.inc"

#define SWEEP(name) portable_sweep_##name
#include "sweeps.inc"

static const SweepSet portable_sweeps = SWEEPS;

static const KernelFamily portable_families[2] = {
    FAMILY(1, portable_1, portable_1_fast_plane),
    FAMILY(2, portable_2, portable_2_plane),
};

const KernelSet tpsa_portable_kernels = {
    .name = "portable",
    .families = {&portable_families[0], &portable_families[1]},
    .family_count = 2,
    .sweeps = &portable_sweeps,
    .evaluation_points = POINT_LANES * POINT_VECTORS,
    .evaluation = EVALUATION_KERNELS,
};
