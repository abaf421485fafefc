/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples that are late: a sensor remembers what it measured, and gives what it did a delay earlier.  A delay is a whole
 * number of its samples, from 1 to LATE_SAMPLES - 1; before there are so many the first one counts. */
#ifndef RF_PARTS_LATE_SAMPLES_LATE_SAMPLES_H
#define RF_PARTS_LATE_SAMPLES_LATE_SAMPLES_H

#include <stddef.h>

#include "base/column.h"
#include "parts/faults/held.h"
#include "parts/late_samples/columns.h"

typedef lane late_values[WIDTH_late_values];
typedef mask late_sensors[WIDTH_late_sensors];

typedef struct late_samples {
    LATE_SAMPLES_PART(COLUMN_MEMBER)
} late_samples;

typedef struct late_samples_words {
    LATE_SAMPLES_PART_WORD(COLUMN_MEMBER)
} late_samples_words;

/* First value of each sensor in a sample of all of them: three of accelerometer, gyroscope and magnetometer, pressure and
 * temperature, differential pressure, position and velocity with their quality, distance and its validity, pressure, velocity and
 * distance, position, each with its quality. */
enum { LATE_VALUES = 35, LATE_MOST = 10 };
static const uint8_t late_first[] = {0, 3, 6, 9, 11, 12, 22, 24, 25, 30, LATE_VALUES};

_Static_assert(WIDTH_late_values == LATE_SAMPLES * LATE_VALUES, "past_samples: expected all values");
_Static_assert(sizeof late_first == FAULTY_SENSOR_COUNT + 1, "late_first: expected all sensors");

/* Samples by which a sensor with this period [s] is late, not more than there were. */
LANE_INLINE mask late_by(const block *b, int sensor, lane period, mask before)
{
    const lane time = faults_row(b, FAULTS_COLUMN(b, sensed_delay), sensor);
    const lane samples = lane_clamp(time / period, lane_of(1), lane_of(LATE_SAMPLES - 1));
    const mask late = words_of_lane((samples + LANE_ROUND) - LANE_ROUND) & words_of(time > 0, -1);
    return words_select(late < before, late, before);
}

/* Remembers the values of a sample where it is due, and replaces them by those of a delay earlier. */
static __attribute__((noinline)) void late_replace(const block *b, int sensor, lane period, mask due,
                                                   lane *values)
{
    const int first = late_first[sensor], count = late_first[sensor + 1] - first;
    uint32_t *past = PART_WORD(b, late_samples, late_samples_words, samples_past) + sensor * b->word_stride;
    real *ring = PART_COLUMN(b, late_samples, late_samples, past_samples);
    _Alignas(LANE_BYTES) uint32_t late[LANE_WIDTH], taken[LANE_WIDTH];
    _Alignas(LANE_BYTES) real value[LATE_MOST][LANE_WIDTH];
    words_store(late, late_by(b, sensor, period, words_load(past)));
    words_store(taken, words_of(due, 1));
    for (int k = 0; k < count; k++) lane_store(value[k], values[k]);
    for (size_t i = 0; i < LANE_WIDTH; i++) {
        if (taken[i] == 0) continue;
        const uint32_t now = past[i] % LATE_SAMPLES, then = (past[i] - late[i]) % LATE_SAMPLES;
        for (int k = 0; k < count; k++) {
            real *column = ring + (size_t)(first + k) * b->stride + i;
            column[(size_t)now * LATE_VALUES * b->stride] = value[k][i];
            value[k][i] = column[(size_t)then * LATE_VALUES * b->stride];
        }
        past[i] += 1;
    }
    for (int k = 0; k < count; k++) values[k] = lane_load(value[k]);
}

/* The values of a sample of a sensor with this period [s], late where a fault says so. */
LANE_INLINE void late_change(const block *b, int sensor, lane period, mask due, lane *values)
{
    if (part_enabled(b, RF_PART_late_samples) && part_enabled(b, RF_PART_faults)) {
        late_replace(b, sensor, period, due, values);
    }
}

#endif
