/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers of the vehicles of a lane: the words of math/philox.h, and uniform numbers.  Normal ones are those of
 * math/noise.h.
 *
 *     random_block_at(...)          four words per vehicle of a seed, vehicle, stream and step
 *     uniform_of_word(w)            in (0, 1): (w + 1/2) 2^-32; in float32 the upper 24 bits of w, likewise */
#ifndef RF_MATH_RANDOM_H
#define RF_MATH_RANDOM_H

#include <stdbool.h>

#include "math/elementary.h"
#include "math/philox.h"

/* The words of each vehicle of a lane. */
typedef struct random_block {
    _Alignas(4 * LANE_WIDTH) uint32_t word[4][LANE_WIDTH];
} random_block;

#if LANE_BYTES >= 16
/* A machine vector of 64-bit integers: a word of RANDOM_WIDTH vehicles, each in the lower half of an element. */
#define RANDOM_WIDTH (LANE_BYTES / 8)
typedef uint64_t random_vector __attribute__((vector_size(LANE_BYTES)));
typedef uint32_t random_words_of __attribute__((vector_size(LANE_BYTES / 2), aligned(4), may_alias));

/* Products of lower halves: one instruction, which compilers do not find by themselves. */
LANE_INLINE random_vector random_product(random_vector a, uint32_t b)
{
    const random_vector factor = (random_vector){0} + b;
#if LANE_BYTES == 16 && defined(__SSE2__)
    return (random_vector)_mm_mul_epu32((__m128i)a, (__m128i)factor);
#elif LANE_BYTES == 32 && defined(__AVX2__)
    return (random_vector)_mm256_mul_epu32((__m256i)a, (__m256i)factor);
#elif LANE_BYTES == 64 && defined(__AVX512F__)
    return (random_vector)_mm512_mul_epu32((__m512i)a, (__m512i)factor);
#else
    return (a & 0xFFFFFFFF) * factor;
#endif
}

LANE_INLINE random_vector random_load(const uint32_t *words)
{
#if LANE_PRECISION == 64
    return (random_vector)words_load(words);
#else
    return __builtin_convertvector(*(const random_words_of *)words, random_vector);
#endif
}

LANE_INLINE void random_store(uint32_t *words, random_vector x)
{
#if LANE_PRECISION == 64
    words_store(words, (mask)x);
#else
    *(random_words_of *)words = __builtin_convertvector(x, random_words_of);
#endif
}

/* math/philox.h for the vehicles of a vector; upper halves are ignored.  Not unrolled: compilers would make a constant of
 * each round's part of the key, and load it. */
LANE_INLINE void random_philox(random_vector counter[4], random_vector key[2])
{
#pragma GCC unroll 1
    for (int i = 0; i < PHILOX_ROUNDS; i++) {
        random_vector a = random_product(counter[0], PHILOX_M0), b = random_product(counter[2], PHILOX_M1);
        counter[0] = (b >> 32) ^ counter[1] ^ key[0];
        counter[1] = b;
        counter[2] = (a >> 32) ^ counter[3] ^ key[1];
        counter[3] = a;
        key[0] += PHILOX_W0;
        key[1] += PHILOX_W1;
    }
}
#endif

/* Rows of counters and keys of math/philox.h, LANE_WIDTH neighbouring elements each. */
typedef struct random_rows {
    const uint32_t *seed_low, *seed_high, *vehicle;
    const uint32_t *step_low, *step_high; /* NULL: the same step for all */
} random_rows;

/* The words of a stream, at a step for all vehicles, or those of the rows. */
LANE_INLINE void random_block_at(random_block *out, const random_rows *rows, uint32_t stream, uint64_t step)
{
    const bool own = rows->step_low != NULL;
#if LANE_BYTES >= 16
    for (int i = 0; i < LANE_WIDTH; i += RANDOM_WIDTH) {
        const random_vector zero = {0};
        random_vector counter[4] = {random_load(rows->vehicle + i), zero + stream,
                                    own ? random_load(rows->step_low + i) : zero + (uint32_t)step,
                                    own ? random_load(rows->step_high + i) : zero + (uint32_t)(step >> 32)};
        random_vector key[2] = {random_load(rows->seed_low + i), random_load(rows->seed_high + i)};
        random_philox(counter, key);
        for (int k = 0; k < 4; k++) random_store(&out->word[k][i], counter[k]);
    }
#else
    for (int i = 0; i < LANE_WIDTH; i++) {
        uint64_t at = own ? (uint64_t)rows->step_high[i] << 32 | rows->step_low[i] : step;
        philox_block words = random_words((uint64_t)rows->seed_high[i] << 32 | rows->seed_low[i],
                                          rows->vehicle[i], stream, at);
        for (int k = 0; k < 4; k++) out->word[k][i] = words.word[k];
    }
#endif
}

LANE_INLINE lane uniform_of_word(mask bits)
{
#if LANE_PRECISION == 64
    const lane_int whole = 0x4330000000000000; /* bits of 2^52 */
    return ((lane_from_bits(bits | whole) - 0x1p52) + 0.5) * 0x1p-32;
#else
    return (lane_of_words((bits >> 8) & 0xFFFFFF) + 0.5f) * 0x1p-24f;
#endif
}

#endif
