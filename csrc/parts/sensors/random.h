/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers of the sensors of a block of vehicles. */
#ifndef RF_PARTS_SENSORS_RANDOM_H
#define RF_PARTS_SENSORS_RANDOM_H

#include "parts/random.h"

/* Streams of math/philox.h. */
enum {
    SENSORS_STREAM_FIRST = 0x53454E53,             /* IMU: three words; barometer */
    SENSORS_STREAM_SECOND,                         /* magnetometer: two words; pitot tube; range finder */
    SENSORS_STREAM_DRIFT,                          /* and the next */
    SENSORS_STREAM_GPS = SENSORS_STREAM_DRIFT + 2, /* and the next */
    SENSORS_STREAM_WATER = SENSORS_STREAM_GPS + 2 /* water pressure; Doppler log: two words */,
    SENSORS_STREAM_ACOUSTIC
};

/* Not inlined: two copies of the functions serve all sensors, and stay in the instruction cache. */
static __attribute__((noinline)) void sensors_random(random_block *random, const block *b, uint32_t stream)
{
    block_random(random, b, stream);
}

/* 2 `count` standard normal numbers of the words of a block from `first` on. */
static __attribute__((noinline)) void sensors_normals(const random_block *random, int first, int count,
                                                      lane *normal)
{
    for (int i = 0; i < count; i++) {
        noise_of_words(random->word[first + i], &normal[2 * i], &normal[2 * i + 1]);
    }
}

/* One normal number for each of two standard deviations, of a word; zeros where both are 0 for all vehicles. */
LANE_INLINE void sensors_noise(const random_block *random, int word_number, lane first, lane second,
                               lane *noise)
{
    noise[0] = noise[1] = lane_of(0);
    if (!mask_any((first != 0) | (second != 0))) return;
    sensors_normals(random, word_number, 1, noise);
    noise[0] *= first;
    noise[1] *= second;
}

#endif
