/* SPDX-License-Identifier: BSD-3-Clause */
/* The instruction sets that kernels are compiled for.  The build defines RF_SET (base, avx2 or avx512) and
 * LANE_PRECISION; this header gives
 *
 *     LANE_WIDTH             vehicles per lane: one machine vector
 *     RF_SET_NAME(name)      `name` of this set and precision
 *     SET_BEGIN ... SET_END  code in between is compiled for the set, independent of the command line
 *
 * base is SSE2 on x86-64, NEON on aarch64, pairs of scalars elsewhere.  It has no fused multiply-add on x86-64, so it
 * is also the set with the same bits on all those machines. */
#ifndef RF_BASE_SETS_H
#define RF_BASE_SETS_H

#include "base/column.h"
#include "base/target.h"

#define RF_SET_NUMBER_base   1
#define RF_SET_NUMBER_avx2   2
#define RF_SET_NUMBER_avx512 3

#if RF_JOIN(RF_SET_NUMBER, RF_SET) == RF_SET_NUMBER_base
#define SET_BYTES 16
#elif RF_JOIN(RF_SET_NUMBER, RF_SET) == RF_SET_NUMBER_avx2
#define SET_BYTES  32
#define SET_TARGET "avx2,fma"
#elif RF_JOIN(RF_SET_NUMBER, RF_SET) == RF_SET_NUMBER_avx512
#define SET_BYTES  64
#define SET_TARGET "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma"
#else
#error "define RF_SET as base, avx2 or avx512"
#endif

#define LANE_WIDTH (SET_BYTES * 8 / LANE_PRECISION)

#if LANE_PRECISION == 64
#define RF_SET_NAME(name) RF_JOIN(name, RF_JOIN(RF_SET, f64))
#else
#define RF_SET_NAME(name) RF_JOIN(name, RF_JOIN(RF_SET, f32))
#endif

#if defined(SET_TARGET)
#define SET_BEGIN TARGET_BEGIN(SET_TARGET)
#define SET_END   TARGET_END
#else
#define SET_BEGIN
#define SET_END
#endif

#endif
