/* SPDX-License-Identifier: BSD-3-Clause */
/* Normal numbers for noise: two of one random word, in float32 whatever the precision of the lanes.
 *
 *     a = r cos(2 pi v),  b = r sin(2 pi v),  r^2 = -2 ln u [@box-muller]
 *     u = (k + 1/2) 2^-18, v = (j + 1/2) 2^-14          k: the upper 18 bits, j: the lower 14
 *     r^2 = (18 - e) 2 ln 2 - f P(f)                    k + 1/2 = 2^e (1 + f), 0 <= f < 1
 *
 * so that a and b are within 5.1 standard deviations.  P(f) = 2 ln(1 + f) / f is a near-minimax polynomial of Chebyshev
 * nodes, error 7e-8; moments and distribution are right to 1e-5. */
#ifndef RF_MATH_NOISE_H
#define RF_MATH_NOISE_H

#include "math/lane.h"

typedef packed_signed single_bits;
#if LANE_WIDTH == 1
typedef float single;
#define NOISE_OF(x, type) ((type)(x))
#else
typedef float single __attribute__((vector_size(LANE_WIDTH * 4)));
#define NOISE_OF(x, type) __builtin_convertvector(x, type)
#endif

LANE_INLINE single_bits noise_to_bits(single x)
{
    single_bits bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

LANE_INLINE single noise_from_bits(single_bits bits)
{
    single x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

LANE_INLINE single noise_sqrt(single x)
{
#if LANE_PRECISION == 32
    return lane_sqrt(x);
#elif LANE_WIDTH == 4 && defined(__SSE2__)
    return (single)_mm_sqrt_ps((__m128)x);
#elif LANE_WIDTH == 8 && defined(__AVX__)
    return (single)_mm256_sqrt_ps((__m256)x);
#elif LANE_WIDTH == 1
    return __builtin_sqrtf(x);
#else
    for (int i = 0; i < LANE_WIDTH; i++) x[i] = __builtin_sqrtf(x[i]);
    return x;
#endif
}

/* r of k.  Positive: r^2 is at least 4e-6. */
LANE_INLINE single noise_radius(single_bits k)
{
    static const float terms[] = {1.99999993f,   -0.9999889f,  0.666362434f,   -0.49670798f, 0.381537615f,
                                  -0.272044952f, 0.155032173f, -0.0581481294f, 0.0102522043f};
    const float octave = 1.38629436f; /* 2 ln 2 */
    single_bits bits = noise_to_bits(NOISE_OF(k, single) + 0.5f);
    single below = NOISE_OF(18 + 127 - (bits >> 23), single);
    single f = noise_from_bits((bits & 0x7FFFFF) | 0x3F800000) - 1, sum = f * 0 + terms[8];
    LANE_UNROLL
    for (int i = 7; i >= 0; i--) sum = sum * f + terms[i];
    return noise_sqrt(below * octave - f * sum);
}

/* Cosine and sine of the angle of j, from that of its 12 lower bits in the first quadrant, less the diagonal. */
LANE_INLINE void noise_direction(single_bits j, single *cosine, single *sine)
{
    const float step = 1.57079633f / 4096, diagonal = 0.707106781f;
    single a = NOISE_OF(j & 0xFFF, single) * step - (0.785398163f - step / 2), z = a * a;
    single s = a * (1 - z * (1 / 6.0f - z * (1 / 120.0f - z * (1 / 5040.0f))));
    single c = 1 - z * (0.5f - z * (1 / 24.0f - z * (1 / 720.0f - z * (1 / 40320.0f))));
    const single_bits west = -(j >> 12 & 1) & INT32_MIN, south = -(j >> 13 & 1) & INT32_MIN; /* signs */
    *cosine = noise_from_bits(noise_to_bits(diagonal * (c - s)) | west);
    *sine = noise_from_bits(noise_to_bits(diagonal * (c + s)) | south);
}

/* Two independent standard normal numbers of a word of each vehicle. */
LANE_INLINE void noise_of_words(const uint32_t *words, lane *a, lane *b)
{
    single_bits bits = (single_bits)packed_load(words);
    single radius = noise_radius(bits >> 14 & 0x3FFFF), cosine, sine;
    noise_direction(bits, &cosine, &sine);
    *a = NOISE_OF(radius * cosine, lane);
    *b = NOISE_OF(radius * sine, lane);
}

#endif
