/* SPDX-License-Identifier: BSD-3-Clause */
/* Doppler velocity log: models/dvl.h with scale factor, bias and noise, n of each axis:
 *
 *     measured = k v + b + sqrt(c^2 + (a |v|)^2) n          c: dvl_noise, a: dvl_noise_share
 *
 * It is at the centre of mass.  Leaves out: its place below, the four beams and their losses one by one, tracking of the water,
 * the time that sound takes. */
#ifndef RF_PARTS_SENSORS_DVL_H
#define RF_PARTS_SENSORS_DVL_H

#include "models/dvl.h"
#include "parts/sensors/vector.h"

LANE_INLINE void sensors_sample_dvl(const block *b, const sensors_truth *truth, const random_block *random,
                                    mask due)
{
    sensors_dvl s;
    SENSORS_LOAD(&s, b, dvl_noise);
    const vec3 vel = to_body(truth->att, truth->vel);
    const lane speed = lane_sqrt(norm2(vel));
    const dvl_view view = {truth->water.altitude, truth->att.down.z, speed};
    const dvl_limits limits = {s.dvl_limits[0], s.dvl_limits[1], s.dvl_speed_max, s.dvl_tilt_max};
    const mask locked = sensors_in_water(truth) & dvl_sees_bottom(&view, &limits);
    lane deviation = sensors_deviation(s.dvl_noise, s.dvl_noise_share, speed);
    const vec3 error = vector_error(b, truth, FAULTY_DVL, &deviation, random, 1);
    faults_change_scale(b, truth->at_fault, FAULTY_DVL, &s.dvl_scale);
    vector_sample sample = {add(scale(s.dvl_scale, vel), error), dvl_distance(&view),
                            lane_select(locked, lane_of(1), lane_of(0))};
    const vector_columns to = {FAULTY_DVL, SENSORS_CLOCK_DVL, SENSORS_COLUMN(b, dvl_vel),
                               SENSORS_WORD(b, dvl_valid), SENSORS_WORD(b, dvl_updates)};
    vector_store(b, truth, &to, &sample, due);
}

#endif
