/* SPDX-License-Identifier: BSD-3-Clause */
/* Lanes: one machine vector of values, one per vehicle, used like a scalar.
 *
 * The including file defines LANE_PRECISION (32 or 64) and LANE_WIDTH (vehicles per lane; 1 gives plain
 * scalars, the reference of the tests).  A lane holds the same quantity of LANE_WIDTH vehicles; + - * / and
 * comparisons work element by element.  A comparison gives a `mask`.  Models use operators and
 *
 *     lane_of(x)             every element x
 *     lane_select(m, a, b)   a where m, else b
 *     mask_not(m)            where m is false
 *     mask_true()            everywhere
 *     mask_any(m)            is any element of m true?
 *     lane_min, lane_max     second argument where either is NaN (the x86 rule, on every machine)
 *     lane_clamp(x, lo, hi)  hi where x is NaN
 *     lane_limit(x, most)    within +-most; NaN where x is NaN
 *     lane_abs, lane_sqrt
 *     lane_finite(x)         where x is neither NaN nor infinite
 *     lane_load, lane_store  LANE_WIDTH neighbouring elements of a column
 *     words_load, words_store   the same for 32-bit columns, as one integer per element
 *     words_have, words_of      bits of such integers to and from masks
 *     words_select(m, a, b)     integers a where m, else b
 *     words_store_where(m, column, words)   stores where m
 *     words_any                 bits that are set in an integer of any element
 *     words_any_at              the same of LANE_WIDTH neighbouring elements of a 32-bit column
 *     words_signed              integers of 32-bit two's complement
 *     lane_of_words             integers of up to 24 bits as a lane
 *     words_of_lane             whole numbers of a lane as integers
 *     packed_load, packed_store, packed_sign, words_of_packed   for arithmetic of 32-bit columns alone, as `packed`
 *
 * so there are no branches on the state of a vehicle, and all vehicles of a lane take the same time.  The exception
 * is work that no vehicle of a lane needs, such as the contact of vehicles in flight: `mask_any` skips it, without a
 * change of any bit. */
#ifndef RF_MATH_LANE_H
#define RF_MATH_LANE_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX__) && defined(__GNUC__) && !defined(__clang__) && !defined(_IMMINTRIN_H_INCLUDED)
/* Of GCC's <immintrin.h>, which takes it a third of a second to read, a sixth of a unit, what lanes use; the same
 * parts in GCC 12 to 15. */
#define _IMMINTRIN_H_INCLUDED
#include <smmintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#include <fmaintrin.h>
#if defined(__AVX512F__)
#include <avx512fintrin.h>
#endif
#undef _IMMINTRIN_H_INCLUDED
#elif defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#if LANE_PRECISION == 64
typedef double real;
typedef int64_t lane_int;
#elif LANE_PRECISION == 32
typedef float real;
typedef int32_t lane_int;
#else
#error "define LANE_PRECISION as 32 or 64"
#endif

#define LANE_BYTES  (LANE_WIDTH * LANE_PRECISION / 8)
#define LANE_INLINE static inline __attribute__((always_inline))

/* Unrolls the following loop of constant length completely.  clang reads the GCC form as "by 64" and does not unroll
 * shorter loops. */
#if defined(__clang__)
#define LANE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LANE_UNROLL _Pragma("GCC unroll 64")
#endif

#if LANE_WIDTH == 1
typedef real lane;
typedef lane_int mask;
typedef uint32_t packed;
typedef int32_t packed_signed;
#else
typedef real lane __attribute__((vector_size(LANE_BYTES)));
typedef lane_int mask __attribute__((vector_size(LANE_BYTES)));
typedef uint32_t packed __attribute__((vector_size(LANE_WIDTH * 4)));
typedef int32_t packed_signed __attribute__((vector_size(LANE_WIDTH * 4)));
typedef lane lane_in_column __attribute__((may_alias));
typedef packed words_in_column __attribute__((may_alias));
#endif


LANE_INLINE lane lane_of(real x)
{
#if LANE_WIDTH == 1
    return x;
#else
    return x - (lane){0};
#endif
}

LANE_INLINE mask mask_not(mask m)
{
#if LANE_WIDTH == 1
    return !m;
#else
    return ~m;
#endif
}

LANE_INLINE mask mask_true(void)
{
    return lane_of(0) == lane_of(0);
}

LANE_INLINE lane lane_select(mask m, lane a, lane b)
{
#if LANE_WIDTH == 1
    return m ? a : b;
#elif LANE_BYTES == 32 && LANE_PRECISION == 64 && defined(__AVX__)
    return (lane)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)m);
#elif LANE_BYTES == 32 && LANE_PRECISION == 32 && defined(__AVX__)
    return (lane)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
#else
    return (lane)(((mask)a & m) | ((mask)b & ~m));
#endif
}

LANE_INLINE int mask_any(mask m)
{
#if LANE_WIDTH == 1
    return m != 0;
#elif LANE_BYTES == 16 && LANE_PRECISION == 64 && defined(__SSE2__)
    return _mm_movemask_pd((__m128d)m) != 0;
#elif LANE_BYTES == 16 && LANE_PRECISION == 32 && defined(__SSE2__)
    return _mm_movemask_ps((__m128)m) != 0;
#elif LANE_BYTES == 32 && LANE_PRECISION == 64 && defined(__AVX__)
    return _mm256_movemask_pd((__m256d)m) != 0;
#elif LANE_BYTES == 32 && LANE_PRECISION == 32 && defined(__AVX__)
    return _mm256_movemask_ps((__m256)m) != 0;
#elif LANE_BYTES == 64 && defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)m, (__m512i)m) != 0;
#else
    lane_int any = 0;
    for (int i = 0; i < LANE_WIDTH; i++) any |= m[i];
    return any != 0;
#endif
}

LANE_INLINE lane lane_min(lane a, lane b)
{
#if LANE_WIDTH == 1
    return a < b ? a : b;
#elif LANE_BYTES == 16 && LANE_PRECISION == 64 && defined(__SSE2__)
    return (lane)_mm_min_pd((__m128d)a, (__m128d)b);
#elif LANE_BYTES == 16 && LANE_PRECISION == 32 && defined(__SSE2__)
    return (lane)_mm_min_ps((__m128)a, (__m128)b);
#elif LANE_BYTES == 32 && LANE_PRECISION == 64 && defined(__AVX__)
    return (lane)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif LANE_BYTES == 32 && LANE_PRECISION == 32 && defined(__AVX__)
    return (lane)_mm256_min_ps((__m256)a, (__m256)b);
#elif LANE_BYTES == 64 && LANE_PRECISION == 64 && defined(__AVX512F__)
    return (lane)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif LANE_BYTES == 64 && LANE_PRECISION == 32 && defined(__AVX512F__)
    return (lane)_mm512_min_ps((__m512)a, (__m512)b);
#else
    return lane_select(a < b, a, b);
#endif
}

LANE_INLINE lane lane_max(lane a, lane b)
{
#if LANE_WIDTH == 1
    return a > b ? a : b;
#elif LANE_BYTES == 16 && LANE_PRECISION == 64 && defined(__SSE2__)
    return (lane)_mm_max_pd((__m128d)a, (__m128d)b);
#elif LANE_BYTES == 16 && LANE_PRECISION == 32 && defined(__SSE2__)
    return (lane)_mm_max_ps((__m128)a, (__m128)b);
#elif LANE_BYTES == 32 && LANE_PRECISION == 64 && defined(__AVX__)
    return (lane)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif LANE_BYTES == 32 && LANE_PRECISION == 32 && defined(__AVX__)
    return (lane)_mm256_max_ps((__m256)a, (__m256)b);
#elif LANE_BYTES == 64 && LANE_PRECISION == 64 && defined(__AVX512F__)
    return (lane)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif LANE_BYTES == 64 && LANE_PRECISION == 32 && defined(__AVX512F__)
    return (lane)_mm512_max_ps((__m512)a, (__m512)b);
#else
    return lane_select(a > b, a, b);
#endif
}

LANE_INLINE lane lane_sqrt(lane x)
{
#if LANE_WIDTH == 1
    return LANE_PRECISION == 64 ? (real)__builtin_sqrt((double)x) : (real)__builtin_sqrtf((float)x);
#elif LANE_BYTES == 16 && LANE_PRECISION == 64 && defined(__SSE2__)
    return (lane)_mm_sqrt_pd((__m128d)x);
#elif LANE_BYTES == 16 && LANE_PRECISION == 32 && defined(__SSE2__)
    return (lane)_mm_sqrt_ps((__m128)x);
#elif LANE_BYTES == 32 && LANE_PRECISION == 64 && defined(__AVX__)
    return (lane)_mm256_sqrt_pd((__m256d)x);
#elif LANE_BYTES == 32 && LANE_PRECISION == 32 && defined(__AVX__)
    return (lane)_mm256_sqrt_ps((__m256)x);
#elif LANE_BYTES == 64 && LANE_PRECISION == 64 && defined(__AVX512F__)
    return (lane)_mm512_sqrt_pd((__m512d)x);
#elif LANE_BYTES == 64 && LANE_PRECISION == 32 && defined(__AVX512F__)
    return (lane)_mm512_sqrt_ps((__m512)x);
#else
    for (int i = 0; i < LANE_WIDTH; i++) {
        x[i] = LANE_PRECISION == 64 ? (real)__builtin_sqrt((double)x[i]) : (real)__builtin_sqrtf((float)x[i]);
    }
    return x;
#endif
}

LANE_INLINE lane lane_abs(lane x)
{
#if LANE_WIDTH == 1
    return LANE_PRECISION == 64 ? (real)__builtin_fabs((double)x) : (real)__builtin_fabsf((float)x);
#else
    const lane_int magnitude = (lane_int)(LANE_PRECISION == 64 ? INT64_MAX : INT32_MAX);
    return (lane)((mask)x & magnitude);
#endif
}

LANE_INLINE mask lane_finite(lane x)
{
    return x - x == 0;
}

LANE_INLINE lane lane_clamp(lane x, lane low, lane high)
{
    return lane_max(lane_min(x, high), low);
}

LANE_INLINE lane lane_limit(lane x, lane most)
{
    return lane_max(-most, lane_min(most, x));
}

LANE_INLINE lane lane_load(const real *column)
{
#if LANE_WIDTH == 1
    return *column;
#else
    return *(const lane_in_column *)column;
#endif
}

LANE_INLINE void lane_store(real *column, lane x)
{
#if LANE_WIDTH == 1
    *column = x;
#else
    *(lane_in_column *)column = x;
#endif
}

LANE_INLINE packed packed_load(const uint32_t *column)
{
#if LANE_WIDTH == 1
    return *column;
#else
    return *(const words_in_column *)column;
#endif
}

LANE_INLINE void packed_store(uint32_t *column, packed words)
{
#if LANE_WIDTH == 1
    *column = words;
#else
    *(words_in_column *)column = words;
#endif
}

/* All bits where the highest bit is set, else 0. */
LANE_INLINE packed packed_sign(packed words)
{
    return (packed)((packed_signed)words >> 31);
}

LANE_INLINE mask words_of_packed(packed words)
{
#if LANE_WIDTH == 1
    return (mask)words;
#elif LANE_BYTES == 32 && LANE_PRECISION == 64 &&                                                            \
    defined(__AVX2__) /* one instruction, which GCC does not find */
    return (mask)_mm256_cvtepu32_epi64((__m128i)words);
#elif LANE_BYTES == 64 && LANE_PRECISION == 64 && defined(__AVX512F__)
    return (mask)_mm512_cvtepu32_epi64((__m256i)words);
#else
    return __builtin_convertvector(words, mask);
#endif
}

LANE_INLINE mask words_load(const uint32_t *column)
{
    return words_of_packed(packed_load(column));
}

LANE_INLINE void words_store(uint32_t *column, mask words)
{
#if LANE_WIDTH == 1
    *column = (uint32_t)words;
#elif LANE_BYTES == 32 && LANE_PRECISION == 64 && defined(__AVX2__)
    const __m256i even =
        _mm256_permutevar8x32_epi32((__m256i)words, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    *(__m128i *)column = _mm256_castsi256_si128(even);
#elif LANE_BYTES == 64 && LANE_PRECISION == 64 && defined(__AVX512F__)
    *(__m256i *)column = _mm512_cvtepi64_epi32((__m512i)words);
#else
    *(words_in_column *)column = __builtin_convertvector(words, packed);
#endif
}

/* Where any of `bits` is set in the words. */
LANE_INLINE mask words_have(mask words, lane_int bits)
{
    return (words & bits) != 0;
}

/* Words that hold `bits` where m is true, else 0. */
LANE_INLINE mask words_of(mask m, lane_int bits)
{
#if LANE_WIDTH == 1
    return m ? bits : 0;
#else
    return m & bits;
#endif
}

/* Words a where m is true, else b. */
LANE_INLINE mask words_select(mask m, mask a, mask b)
{
#if LANE_WIDTH == 1
    return m ? a : b;
#else
    return (a & m) | (b & ~m);
#endif
}

/* Stores words where m is true. */
LANE_INLINE void words_store_where(mask m, uint32_t *column, mask words)
{
    words_store(column, words_select(m, words, words_load(column)));
}

/* Words stored as 32-bit two's complement, as integers. */
LANE_INLINE mask words_signed(mask words)
{
#if LANE_PRECISION == 64
    const lane_int sign = (lane_int)1 << 31;
    return (words ^ sign) - sign;
#else
    return words;
#endif
}

/* Bits that are set in any element. */
LANE_INLINE lane_int words_any(mask words)
{
#if LANE_WIDTH == 1
    return words;
#else
    uint64_t any = 0, pairs[LANE_BYTES / 8];
    memcpy(pairs, &words, sizeof pairs);
    LANE_UNROLL
    for (int i = 0; i < LANE_BYTES / 8; i++) any |= pairs[i];
#if LANE_PRECISION == 32
    any |= any >> 32;
#endif
    return (lane_int)any;
#endif
}

/* Bits that are set in any of the words from `column` on: by pairs from memory, without a way through lanes. */
LANE_INLINE lane_int words_any_at(const uint32_t *column)
{
#if LANE_WIDTH == 1
    return (lane_int)*column;
#else
    uint64_t any = 0, pairs[LANE_WIDTH / 2];
    memcpy(pairs, column, sizeof pairs);
    LANE_UNROLL
    for (int i = 0; i < LANE_WIDTH / 2; i++) any |= pairs[i];
    return (lane_int)(uint32_t)(any | any >> 32);
#endif
}

/* Whole numbers of a lane as words. */
LANE_INLINE mask words_of_lane(lane x)
{
#if LANE_WIDTH == 1
    return (mask)x;
#else
    return __builtin_convertvector(x, mask);
#endif
}

/* Words of up to 24 bits and a sign, as a lane. */
LANE_INLINE lane lane_of_words(mask words)
{
#if LANE_WIDTH == 1
    return (real)words;
#else
    return __builtin_convertvector(words, lane);
#endif
}

#endif
