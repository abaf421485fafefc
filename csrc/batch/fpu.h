/* SPDX-License-Identifier: BSD-3-Clause */
/* Flush-to-zero during a kernel: squares of decaying angular velocities become denormals, which cost a hundred cycles
 * each.  The setting of the caller is restored afterwards. */
#ifndef RF_BATCH_FPU_H
#define RF_BATCH_FPU_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

typedef unsigned rf_fpu_state;

static inline rf_fpu_state rf_fpu_flush_denormals(void)
{
    unsigned state = _mm_getcsr();
    _mm_setcsr(state | 0x8040u); /* flush to zero, denormals are zero */
    return state;
}

static inline void rf_fpu_restore(rf_fpu_state state)
{
    _mm_setcsr(state);
}

#elif defined(__aarch64__)
typedef uint64_t rf_fpu_state;

static inline rf_fpu_state rf_fpu_flush_denormals(void)
{
    uint64_t state;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(state));
    __asm__ __volatile__("msr fpcr, %0" : : "r"(state | (UINT64_C(1) << 24)));
    return state;
}

static inline void rf_fpu_restore(rf_fpu_state state)
{
    __asm__ __volatile__("msr fpcr, %0" : : "r"(state));
}

#else
typedef int rf_fpu_state;

static inline rf_fpu_state rf_fpu_flush_denormals(void)
{
    return 0;
}

static inline void rf_fpu_restore(rf_fpu_state state)
{
    (void)state;
}
#endif

#endif
