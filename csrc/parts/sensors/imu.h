/* SPDX-License-Identifier: BSD-3-Clause */
/* Inertial measurement unit at the position r from the centre of mass, with the specific force f_0 there and the angular
 * velocity w:
 *
 *     f = f_0 + w' x r + w x (w x r)
 *
 * then, for f and w alike, the turned axes of models/triad.h, the bandwidth of models/second_order.h, and scale, bias,
 * drift, noise and limits.  White noise of a density N has the standard deviation N / sqrt(T) in samples at intervals
 * T; models/vibration.h is its factor, as far as `imu_vibration` says.
 *
 * The bandwidth holds its input from one sample to the next, which adds half a period to its delay. */
#ifndef RF_PARTS_SENSORS_IMU_H
#define RF_PARTS_SENSORS_IMU_H

#include "models/triad.h"
#include "models/vibration.h"
#include "parts/late_samples/late_samples.h"
#include "parts/sensors/imu_design.h"
#include "parts/sensors/pose.h"
#include "parts/sensors/random.h"
#include "parts/sensors/shaking.h"

LANE_INLINE vec3 imu_specific_force(const sensors_truth *truth, vec3 position)
{
    if (!truth->apart) return truth->specific_force;
    vec3 turning = cross(truth->rate, cross(truth->rate, position));
    return add(truth->specific_force, add(cross(truth->angular_accel, position), turning));
}

/* Output of the bandwidth for the inputs u, which then are its inputs until the next sample.  It begins settled. */
LANE_INLINE void imu_bandwidth(sensors_imu *s, const imu_design *design, mask fresh, lane u[6])
{
    mask limited = s->imu_frequency > 0;
    if (mask_any(fresh)) {
        for (int i = 0; i < 6; i++) {
            s->imu_memory[2 * i] = lane_select(fresh, u[i], s->imu_memory[2 * i]);
            s->imu_memory[2 * i + 1] = lane_select(fresh, lane_of(0), s->imu_memory[2 * i + 1]);
        }
    }
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        lane *x = &s->imu_memory[2 * i], output = lane_select(limited, x[0], u[i]);
        second_order_step(&design->filter, x, u[i]);
        u[i] = output;
    }
}

LANE_INLINE void sensors_sample_imu(const block *b, const sensors_truth *truth, const random_block *random,
                                    imu_design *design, mask due)
{
    sensors_imu s;
    vec3 drift[2], inputs[2];
    lane noise[6];
    SENSORS_LOAD(&s, b, imu_position);
    rows_load((lane *)drift, 6, SENSORS_COLUMN(b, imu_accel_drift), b->stride);
    imu_design_for(design, &s, sensors_period(b, SENSORS_CLOCK_IMU));
    vec3 force = sensors_felt_by_pose(b, truth, imu_specific_force(truth, s.imu_position));
    inputs[0] = triad_turned(force, s.imu_misalignment);
    inputs[1] = triad_turned(truth->rate, s.imu_misalignment);
    if (mask_any(s.imu_frequency > 0)) {
        mask fresh = words_load(SENSORS_WORD(b, imu_updates)) == 0;
        imu_bandwidth(&s, design, fresh, (lane *)inputs);
        SENSORS_STORE(&s, b, imu_memory, due);
    }
    sensors_normals(random, 0, 3, noise);
    lane factor = 1 + s.imu_vibration * (vibration_factor(truth->mean_command) - 1);
    factor *= design->per_root;
    faults_change_triad(b, truth->at_fault, FAULTY_ACCELEROMETER, factor, &s.imu_accel_scale,
                        &s.imu_accel_bias, &s.imu_accel_noise);
    faults_change_triad(b, truth->at_fault, FAULTY_GYROSCOPE, factor, &s.imu_gyro_scale, &s.imu_gyro_bias,
                        &s.imu_gyro_noise);
    vec3 accel_noise = scale(factor, mul(s.imu_accel_noise, vec3_of(noise[0], noise[1], noise[2])));
    vec3 gyro_noise = scale(factor, mul(s.imu_gyro_noise, vec3_of(noise[3], noise[4], noise[5])));
    vec3 before[2] = {s.imu_accel, s.imu_gyro};
    s.imu_accel = triad_measured(inputs[0], s.imu_accel_scale, add(s.imu_accel_bias, drift[0]), accel_noise,
                                 s.imu_accel_limit);
    s.imu_gyro = triad_measured(inputs[1], s.imu_gyro_scale, add(s.imu_gyro_bias, drift[1]), gyro_noise,
                                s.imu_gyro_limit);
    const lane period = sensors_period(b, SENSORS_CLOCK_IMU);
    late_change(b, FAULTY_ACCELEROMETER, period, due, (lane *)&s.imu_accel);
    late_change(b, FAULTY_GYROSCOPE, period, due, (lane *)&s.imu_gyro);
    s.imu_accel =
        vec3_select(faults_fresh(b, truth->at_fault, FAULTY_ACCELEROMETER, due), s.imu_accel, before[0]);
    s.imu_gyro = vec3_select(faults_fresh(b, truth->at_fault, FAULTY_GYROSCOPE, due), s.imu_gyro, before[1]);
    imu_shaking(&s, b, before, due);
    SENSORS_STORE(&s, b, imu_accel, due);
    SENSORS_STORE(&s, b, imu_gyro, due);
    sensors_count(SENSORS_WORD(b, imu_updates), due);
}

#endif
