/* SPDX-License-Identifier: BSD-3-Clause */
/* Philox4x32-10, a counter-based random number generator.
 *
 * A block of four 32-bit words is a keyed bijection of its 128-bit counter, so a random number is a function of seed,
 * vehicle, stream and step.  The generator has no state, and its numbers do not depend on the size of the batch, the
 * order of the vehicles or the threads.
 *
 *   +--------------------------------------------------------------------------------------------+
 *   | key       0  seed, low half         counter   0  vehicle: its index in the simulation        |
 *   |           1  seed, high half                  1  stream: consumer (wind, reset, a sensor)    |
 *   |                                               2  step, low half                              |
 *   |                                               3  step, high half                             |
 *   +--------------------------------------------------------------------------------------------+
 *
 * More than four words per vehicle and step take more streams.  The numbers of a (seed, vehicle, stream, step) are the
 * same in all versions.
 *
 * The generator is that of [@salmon].  Ten rounds; the authors report that seven already pass
 * TestU01's BigCrush. */
#ifndef RF_MATH_PHILOX_H
#define RF_MATH_PHILOX_H

#include <stdint.h>

#define PHILOX_ROUNDS 10
#define PHILOX_M0     0xD2511F53u /* multipliers */
#define PHILOX_M1     0xCD9E8D57u
#define PHILOX_W0     0x9E3779B9u /* Weyl increments of the key: golden ratio, sqrt 3 - 1 */
#define PHILOX_W1     0xBB67AE85u

typedef struct philox_key {
    uint32_t word[2];
} philox_key;

typedef struct philox_block {
    uint32_t word[4];
} philox_block;

static inline philox_block philox_round(philox_block x, philox_key key)
{
    uint64_t a = (uint64_t)PHILOX_M0 * x.word[0];
    uint64_t b = (uint64_t)PHILOX_M1 * x.word[2];
    return (philox_block){{(uint32_t)(b >> 32) ^ x.word[1] ^ key.word[0], (uint32_t)b,
                           (uint32_t)(a >> 32) ^ x.word[3] ^ key.word[1], (uint32_t)a}};
}

/* The four words of a counter. */
static inline philox_block philox(philox_block counter, philox_key key)
{
    for (int i = 0; i < PHILOX_ROUNDS; i++) {
        counter = philox_round(counter, key);
        key.word[0] += PHILOX_W0;
        key.word[1] += PHILOX_W1;
    }
    return counter;
}

/* Four independent uniform words for a vehicle and step. */
static inline philox_block random_words(uint64_t seed, uint32_t vehicle, uint32_t stream, uint64_t step)
{
    return philox((philox_block){{vehicle, stream, (uint32_t)step, (uint32_t)(step >> 32)}},
                  (philox_key){{(uint32_t)seed, (uint32_t)(seed >> 32)}});
}

/* A multiple of 2^-53 in [0, 1) from two words; the 11 lowest bits of `low` are not used. */
static inline double uniform_double(uint32_t high, uint32_t low)
{
    return (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
}

/* A multiple of 2^-24 in [0, 1) from one word; its 8 lowest bits are not used. */
static inline float uniform_float(uint32_t bits)
{
    return (float)(bits >> 8) * 0x1p-24f;
}

#endif
