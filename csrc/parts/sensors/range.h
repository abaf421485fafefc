/* SPDX-License-Identifier: BSD-3-Clause */
/* Range finder to `terrain`: models/range_finder.h with noise. */
#ifndef RF_PARTS_SENSORS_RANGE_H
#define RF_PARTS_SENSORS_RANGE_H

#include "models/range_finder.h"
#include "parts/late_samples/late_samples.h"
#include "parts/sensors/block.h"
#include "parts/sensors/random.h"

LANE_INLINE void sensors_sample_range(const block *b, const sensors_truth *truth, const random_block *random,
                                      mask due)
{
    sensors_range s;
    lane noise[2];
    SENSORS_LOAD(&s, b, range_noise);
    faults_change_noise(b, truth->at_fault, FAULTY_RANGE, lane_of(1), &s.range_noise);
    lane error = lane_of(0);
    faults_change_bias(b, truth->at_fault, FAULTY_RANGE, 0, &error);
    sensors_noise(random, 3, s.range_noise, lane_of(0), noise);
    lane height = truth->terrain - truth->pos.z;
    faults_change_scale(b, truth->at_fault, FAULTY_RANGE, &height);
    range_echo echo =
        range_finder_echo(height, truth->att.down.z, noise[0] + error, s.range_limits[0], s.range_limits[1]);
    if (mask_any(truth->look.sees)) {
        lane distance = truth->look.distance;
        faults_change_scale(b, truth->at_fault, FAULTY_RANGE, &distance);
        const range_echo seen =
            range_finder_seen(distance, noise[0] + error, s.range_limits[0], s.range_limits[1]);
        echo.distance = lane_select(truth->look.sees, seen.distance, echo.distance);
        echo.valid = words_select(truth->look.sees, seen.valid, echo.valid);
    }
    lane measured[2] = {echo.distance, lane_select(echo.valid, lane_of(1), lane_of(0))};
    late_change(b, FAULTY_RANGE, sensors_period(b, SENSORS_CLOCK_RANGE), due, measured);
    s.range_distance = measured[0];
    const mask fresh = faults_fresh(b, truth->at_fault, FAULTY_RANGE, due);
    SENSORS_STORE(&s, b, range_distance, fresh);
    uint32_t *valid = SENSORS_WORD(b, range_valid);
    words_store_where(fresh, valid, words_of(measured[1] > 0, 1));
    sensors_count(SENSORS_WORD(b, range_updates), due);
}

#endif
