/* SPDX-License-Identifier: BSD-3-Clause */
/* Water pressure sensor: models/water_pressure.h with bias and noise, in whole steps of its resolution. */
#ifndef RF_PARTS_SENSORS_WATER_PRESSURE_H
#define RF_PARTS_SENSORS_WATER_PRESSURE_H

#include "models/water_pressure.h"
#include "parts/late_samples/late_samples.h"
#include "parts/sensors/block.h"
#include "parts/sensors/random.h"

/* Depth of something on the vehicles below the surface at rest [m]. */
LANE_INLINE lane sensors_depth_at(const sensors_truth *truth, vec3 position)
{
    return truth->water.depth + dot(truth->att.down, position);
}

LANE_INLINE void sensors_sample_water_pressure(const block *b, const sensors_truth *truth,
                                               const random_block *random, mask due)
{
    sensors_water_pressure s;
    lane noise[2];
    SENSORS_LOAD(&s, b, water_pressure_position);
    const water_column at = {truth->water.unit_weight, sensors_depth_at(truth, s.water_pressure_position),
                             truth->water.head};
    faults_change_noise(b, truth->at_fault, FAULTY_WATER_PRESSURE, lane_of(1), &s.water_pressure_noise);
    faults_change_bias(b, truth->at_fault, FAULTY_WATER_PRESSURE, 0, &s.water_pressure_bias);
    sensors_noise(random, 0, s.water_pressure_noise, lane_of(0), noise);
    lane pressure = water_pressure_of(&at);
    faults_change_scale(b, truth->at_fault, FAULTY_WATER_PRESSURE, &pressure);
    s.water_pressure =
        water_pressure_in_steps(pressure + (s.water_pressure_bias + noise[0]), s.water_pressure_resolution);
    const lane period = sensors_period(b, SENSORS_CLOCK_WATER_PRESSURE);
    late_change(b, FAULTY_WATER_PRESSURE, period, due, &s.water_pressure);
    s.water_pressure_depth = water_pressure_depth_of(s.water_pressure, at.unit_weight);
    const mask fresh = faults_fresh(b, truth->at_fault, FAULTY_WATER_PRESSURE, due);
    SENSORS_STORE(&s, b, water_pressure, fresh);
    SENSORS_STORE(&s, b, water_pressure_depth, fresh);
    sensors_count(SENSORS_WORD(b, water_pressure_updates), due);
}

#endif
