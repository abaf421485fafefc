/* SPDX-License-Identifier: BSD-3-Clause */
/* Magnetometer: the environment's magnetic field in the body's axes, by models/triad.h, with drift and white noise. */
#ifndef RF_PARTS_SENSORS_MAGNETOMETER_H
#define RF_PARTS_SENSORS_MAGNETOMETER_H

#include "models/triad.h"
#include "parts/environment/held.h"
#include "parts/late_samples/late_samples.h"
#include "parts/sensors/pose.h"
#include "parts/sensors/random.h"

LANE_INLINE void sensors_sample_magnetometer(const block *b, const sensors_truth *truth,
                                             const random_block *random, mask due)
{
    sensors_magnetometer s;
    vec3 drift;
    lane noise[4];
    SENSORS_LOAD(&s, b, magnetometer_noise);
    rows_load((lane *)&drift, 3, SENSORS_COLUMN(b, magnetometer_drift), b->stride);
    sensors_normals(random, 0, 2, noise);
    const lane period = sensors_period(b, SENSORS_CLOCK_MAGNETOMETER), factor = 1 / lane_sqrt(period);
    faults_change_triad(b, truth->at_fault, FAULTY_MAGNETOMETER, factor, &s.magnetometer_scale,
                        &s.magnetometer_bias, &s.magnetometer_noise);
    vec3 white = scale(factor, mul(s.magnetometer_noise, vec3_of(noise[0], noise[1], noise[2])));
    vec3 field = sensors_field_by_pose(b, truth, to_body(truth->att, environment_magnetic_field(b)));
    s.magnetometer = triad_measured(field, s.magnetometer_scale, add(s.magnetometer_bias, drift), white,
                                    s.magnetometer_limit);
    late_change(b, FAULTY_MAGNETOMETER, period, due, (lane *)&s.magnetometer);
    SENSORS_STORE(&s, b, magnetometer, faults_fresh(b, truth->at_fault, FAULTY_MAGNETOMETER, due));
    sensors_count(SENSORS_WORD(b, magnetometer_updates), due);
}

#endif
