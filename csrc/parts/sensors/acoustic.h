/* SPDX-License-Identifier: BSD-3-Clause */
/* Acoustic position fix: a station in the water, such as one of an ultra-short base line (USBL) below a ship, finds the
 * position of the vehicle and tells it.  At the distance r its noise has the standard deviation sqrt(c^2 + (a r)^2) on every
 * axis, c: acoustic_noise, a: acoustic_noise_share, the error of a bearing.
 *
 * Leaves out: what is in the way of sound, its refraction and echoes; its time (a fault `sensor_delay` has that). */
#ifndef RF_PARTS_SENSORS_ACOUSTIC_H
#define RF_PARTS_SENSORS_ACOUSTIC_H

#include "parts/sensors/vector.h"

LANE_INLINE void sensors_sample_acoustic(const block *b, const sensors_truth *truth,
                                         const random_block *random, mask due)
{
    sensors_acoustic s;
    SENSORS_LOAD(&s, b, acoustic_station);
    const lane distance = lane_sqrt(norm2(sub(truth->pos, s.acoustic_station)));
    const mask heard = sensors_in_water(truth) & (distance <= s.acoustic_range_max);
    lane deviation = sensors_deviation(s.acoustic_noise, s.acoustic_noise_share, distance);
    const vec3 error = vector_error(b, truth, FAULTY_ACOUSTIC, &deviation, random, 0);
    vector_sample sample = {add(truth->pos, error), deviation, lane_select(heard, lane_of(1), lane_of(0))};
    const vector_columns to = {FAULTY_ACOUSTIC, SENSORS_CLOCK_ACOUSTIC, SENSORS_COLUMN(b, acoustic_pos),
                               SENSORS_WORD(b, acoustic_valid), SENSORS_WORD(b, acoustic_updates)};
    vector_store(b, truth, &to, &sample, due);
}

#endif
