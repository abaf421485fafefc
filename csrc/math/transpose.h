/* SPDX-License-Identifier: BSD-3-Clause */
/* Between lanes and rows of float32, [LANE_WIDTH][count]: a transposition in squares of 4 x 4, which are vectors of four
 * and four shuffles of pairs. */
#ifndef RF_MATH_TRANSPOSE_H
#define RF_MATH_TRANSPOSE_H

#include "math/lane.h"

#define TRANSPOSE_SQUARES (LANE_WIDTH % 4 == 0)

#if TRANSPOSE_SQUARES
typedef float four __attribute__((vector_size(16)));
typedef four four_in_row __attribute__((aligned(4), may_alias));

#if defined(__clang__)
#define FOUR_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int32_t four_index __attribute__((vector_size(16)));
#define FOUR_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (four_index){i, j, k, l})
#endif

LANE_INLINE void four_transpose(four m[4])
{
    const four a = FOUR_SHUFFLE(m[0], m[1], 0, 4, 1, 5), b = FOUR_SHUFFLE(m[0], m[1], 2, 6, 3, 7);
    const four c = FOUR_SHUFFLE(m[2], m[3], 0, 4, 1, 5), d = FOUR_SHUFFLE(m[2], m[3], 2, 6, 3, 7);
    m[0] = FOUR_SHUFFLE(a, c, 0, 1, 4, 5);
    m[1] = FOUR_SHUFFLE(a, c, 2, 3, 6, 7);
    m[2] = FOUR_SHUFFLE(b, d, 0, 1, 4, 5);
    m[3] = FOUR_SHUFFLE(b, d, 2, 3, 6, 7);
}
#endif

/* The values of a lane as float32, and back. */
LANE_INLINE void singles_of_lane(lane x, float out[LANE_WIDTH])
{
#if LANE_PRECISION == 32
    lane_store(out, x);
#else
    _Alignas(64) real values[LANE_WIDTH];
    lane_store(values, x);
    for (int j = 0; j < LANE_WIDTH; j++) out[j] = (float)values[j];
#endif
}

LANE_INLINE lane lane_of_singles(const float values[LANE_WIDTH])
{
#if LANE_PRECISION == 32
    return lane_load(values);
#else
    _Alignas(64) real out[LANE_WIDTH];
    for (int j = 0; j < LANE_WIDTH; j++) out[j] = (real)values[j];
    return lane_load(out);
#endif
}

#if TRANSPOSE_SQUARES
/* Elements j to j + 3 of a lane, as float32. */
LANE_INLINE four four_of_lane(const lane *x, int j)
{
#if LANE_PRECISION == 32
    return *(const four_in_row *)((const real *)x + j);
#else
    typedef double four_reals __attribute__((vector_size(32), may_alias));
    return __builtin_convertvector(*(const four_reals *)((const real *)x + j), four);
#endif
}
#endif

/* Stores lanes as rows at a distance of `stride` values.  The last square overlaps the one before where `count` is no
 * multiple of four. */
LANE_INLINE void rows_of_lanes(const lane *values, int count, float *to, size_t stride)
{
#if TRANSPOSE_SQUARES
    for (int j = 0; j < LANE_WIDTH && count >= 4; j += 4) {
        float *const rows[4] = {to, to + stride, to + 2 * stride, to + 3 * stride};
        for (int k = 0; k < count; k += 4) {
            const int first = k + 4 <= count ? k : count - 4;
            four m[4];
            for (int i = 0; i < 4; i++) m[i] = four_of_lane(&values[first + i], j);
            four_transpose(m);
            for (int i = 0; i < 4; i++) *(four_in_row *)(rows[i] + first) = m[i];
        }
        to += 4 * stride;
    }
    if (count >= 4) return;
#endif
    for (int i = 0; i < count; i++) {
        _Alignas(64) float row[LANE_WIDTH];
        singles_of_lane(values[i], row);
        for (int j = 0; j < LANE_WIDTH; j++) to[(size_t)j * stride + (size_t)i] = row[j];
    }
}

#if TRANSPOSE_SQUARES
/* A lane of its fours, in registers: loads of what was stored in smaller pieces wait for the cache. */
LANE_INLINE lane lane_of_fours(const four parts[LANE_WIDTH / 4])
{
#if LANE_PRECISION == 32 && LANE_BYTES == 32 && defined(__AVX__)
    const __m256 low = _mm256_castps128_ps256((__m128)parts[0]);
    return (lane)_mm256_insertf128_ps(low, (__m128)parts[1], 1);
#elif LANE_PRECISION == 32 && LANE_BYTES == 64 && defined(__AVX512F__)
    __m512 all = _mm512_castps128_ps512((__m128)parts[0]);
    all = _mm512_insertf32x4(all, (__m128)parts[1], 1);
    all = _mm512_insertf32x4(all, (__m128)parts[2], 2);
    return (lane)_mm512_insertf32x4(all, (__m128)parts[3], 3);
#elif LANE_WIDTH == 4
    return __builtin_convertvector(parts[0], lane);
#else
    _Alignas(64) float values[LANE_WIDTH];
    memcpy(values, parts, sizeof values);
    return lane_of_singles(values);
#endif
}
#endif

/* The lanes of rows, likewise. */
LANE_INLINE void lanes_of_rows(const float *from, int count, lane *values)
{
    for (int k = 0; k < count; k += 4) {
#if TRANSPOSE_SQUARES
        if (count >= 4) {
            const int first = k + 4 <= count ? k : count - 4;
            four parts[4][LANE_WIDTH / 4];
            LANE_UNROLL
            for (int j = 0; j < LANE_WIDTH; j += 4) {
                four m[4];
                for (int i = 0; i < 4; i++) m[i] = *(const four_in_row *)(from + (j + i) * count + first);
                four_transpose(m);
                for (int i = 0; i < 4; i++) parts[i][j / 4] = m[i];
            }
            for (int i = 0; i < 4; i++) values[first + i] = lane_of_fours(parts[i]);
            continue;
        }
#endif
        for (int i = k; i < k + 4 && i < count; i++) {
            _Alignas(64) float row[LANE_WIDTH];
            for (int j = 0; j < LANE_WIDTH; j++) row[j] = from[j * count + i];
            values[i] = lane_of_singles(row);
        }
    }
}

#endif
