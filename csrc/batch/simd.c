/* SPDX-License-Identifier: BSD-3-Clause */
#include "batch/simd.h"

#include <string.h>

#define KERNELS(set_name) RF_JOIN(RF_JOIN(rf_kernels, TYPE), set_name)

/* The kernels of every type, in the order of vehicles/types.inc, for one set and precision. */
#define RF_SET_KERNELS base_f64
#include "batch/set_kernels.inc"
#undef RF_SET_KERNELS
#define RF_SET_KERNELS base_f32
#include "batch/set_kernels.inc"
#undef RF_SET_KERNELS

#define SET(set, bytes)                                                                                      \
    {                                                                                                        \
        .name = #set, .width = {bytes / 8, bytes / 4},                                                       \
        .kernels = {kernels_##set##_f64, kernels_##set##_f32},                                               \
        .env = {&rf_env_kernels_##set##_f64, &rf_env_kernels_##set##_f32},                                   \
        .own = &rf_own_arithmetic_##set##_f64, .cast_rays = rf_rays_cast_##set##_f32,                        \
        .watch = {rf_watch_look_##set##_f64, rf_watch_look_##set##_f32}, .peak_gflops = {                    \
            rf_peak_gflops_##set##_f64,                                                                      \
            rf_peak_gflops_##set##_f32                                                                       \
        }                                                                                                    \
    }

extern const rf_own_arithmetic rf_own_arithmetic_base_f64;
void rf_rays_cast_base_f32(const rf_scene *scene, const rf_rays *rays, size_t first, size_t count);

static const rf_simd base = SET(base, 16);

#if defined(__x86_64__)
/* The base set has no fused multiply-add, so it has the same bits on every x86-64 processor. */
static const rf_simd strict = {.name = "strict",
                               .width = {2, 4},
                               .kernels = {kernels_base_f64, kernels_base_f32},
                               .env = {&rf_env_kernels_base_f64, &rf_env_kernels_base_f32},
                               .own = &rf_own_arithmetic_base_f64,
                               .cast_rays = rf_rays_cast_base_f32,
                               .watch = {rf_watch_look_base_f64, rf_watch_look_base_f32},
                               .peak_gflops = {rf_peak_gflops_base_f64, rf_peak_gflops_base_f32}};

static const rf_simd *const without[] = {&base, &strict, NULL};
#else
static const rf_simd *const without[] = {&base, NULL};
#endif

/* GCC for 64-bit Windows does not align the stack for vectors of 32 bytes (GCC bug 54412). */
#if defined(_WIN32) && !defined(__clang__)
#define RF_BASE_ONLY 1
#endif

#if defined(__x86_64__) && !defined(RF_BASE_ONLY)
#define RF_SET_KERNELS avx2_f64
#include "batch/set_kernels.inc"
#undef RF_SET_KERNELS
#define RF_SET_KERNELS avx2_f32
#include "batch/set_kernels.inc"
#undef RF_SET_KERNELS
#define RF_SET_KERNELS avx512_f64
#include "batch/set_kernels.inc"
#undef RF_SET_KERNELS
#define RF_SET_KERNELS avx512_f32
#include "batch/set_kernels.inc"
#undef RF_SET_KERNELS

extern const rf_own_arithmetic rf_own_arithmetic_avx2_f64, rf_own_arithmetic_avx512_f64;
void rf_rays_cast_avx2_f32(const rf_scene *scene, const rf_rays *rays, size_t first, size_t count);
void rf_rays_cast_avx512_f32(const rf_scene *scene, const rf_rays *rays, size_t first, size_t count);

static const rf_simd avx2 = SET(avx2, 32);
static const rf_simd avx512 = SET(avx512, 64);

static const rf_simd *const with_avx512[] = {&avx512, &avx2, &base, &strict, NULL};
static const rf_simd *const with_avx2[] = {&avx2, &base, &strict, NULL};

const rf_simd *const *rf_simd_available(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return without;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
        return with_avx512;
    }
    return with_avx2;
}
#else /* another processor, or a quick build: RF_BASE_ONLY */
const rf_simd *const *rf_simd_available(void)
{
    return without;
}
#endif

const rf_simd *rf_simd_find(const char *name)
{
    for (const rf_simd *const *set = rf_simd_available(); *set != NULL; set++) {
        if (strcmp((*set)->name, name) == 0) return *set;
    }
    return NULL;
}
