/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers of the vehicles of a lane: the words of math/philox.h, as uniform and normal numbers.
 *
 *     random_block_of(...)          four words per vehicle of a seed, vehicle, stream and step
 *     uniform_of_word(w)            in (0, 1): (w + 1/2) 2^-32; in float32 the upper 24 bits of w, likewise
 *     normal_pair(u, v, &a, &b)     two standard normal numbers of two uniform ones [@box-muller]:
 *                                   a = sqrt(-2 ln u) cos(2 pi v),  b = sqrt(-2 ln u) sin(2 pi v)
 *
 * Normal numbers are within 6.7 standard deviations (float32: 5.9). */
#ifndef RF_MATH_RANDOM_H
#define RF_MATH_RANDOM_H

#include "math/exponential.h"
#include "math/philox.h"

/* The words of each vehicle of a lane. */
typedef struct random_block {
    _Alignas(4 * LANE_WIDTH) uint32_t word[4][LANE_WIDTH];
} random_block;

/* The seed is two 32-bit words, its low half first; the arguments are LANE_WIDTH neighbouring elements each. */
LANE_INLINE void random_block_of(random_block *out, const uint32_t *seed_low, const uint32_t *seed_high,
                                 const uint32_t *vehicle, uint32_t stream, uint64_t step)
{
    for (int i = 0; i < LANE_WIDTH; i++) {
        philox_block words = random_words((uint64_t)seed_high[i] << 32 | seed_low[i], vehicle[i], stream, step);
        for (int k = 0; k < 4; k++) out->word[k][i] = words.word[k];
    }
}

LANE_INLINE lane uniform_of_word(mask word)
{
#if LANE_PRECISION == 64
    const lane_int whole = 0x4330000000000000; /* bits of 2^52 */
    return ((lane_from_bits(word | whole) - 0x1p52) + 0.5) * 0x1p-32;
#else
    return (lane_of_words((word >> 8) & 0xFFFFFF) + 0.5f) * 0x1p-24f;
#endif
}

LANE_INLINE void normal_pair(lane u, lane v, lane *a, lane *b)
{
    lane radius = lane_sqrt(lane_max(lane_of(0), -2 * lane_log(u))), sine, cosine;
    lane_sincos((2 * TRIG_PI) * v, &sine, &cosine);
    *a = radius * cosine;
    *b = radius * sine;
}

#endif
