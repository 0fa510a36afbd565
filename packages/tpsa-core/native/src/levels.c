/* Which kernels this processor can run, and which are in use. */
#include <stdatomic.h>

#include "kernels.h"

#if defined(__x86_64__)
int tpsa_level_count(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return 1;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return 2;
    return 3;
}

const KernelSet *tpsa_level(int position)
{
    static const KernelSet *const sets[] = {&tpsa_portable_kernels, &tpsa_avx2_kernels,
                                            &tpsa_avx512_kernels};
    return sets[position];
}
#else
int tpsa_level_count(void)
{
    return 1;
}

const KernelSet *tpsa_level(int position)
{
    (void)position;
    return &tpsa_portable_kernels;
}
#endif

/* The only state of the library: written once at import, and by tests. Each kernel call reads it
   once, so that one result never mixes levels. */
static _Atomic(const KernelSet *) chosen = &tpsa_portable_kernels;

const KernelSet *tpsa_kernels(void)
{
    return atomic_load_explicit(&chosen, memory_order_relaxed);
}

void tpsa_choose_level(int position)
{
    atomic_store_explicit(&chosen, tpsa_level(position), memory_order_relaxed);
}
