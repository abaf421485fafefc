/* SPDX-License-Identifier: BSD-3-Clause */
/* How much an IMU vibrates, as PX4 finds out of its samples [@px4 v1.16.1 VehicleIMU.cpp, Integrator.hpp], which it
 * integrates by trapezoids, here one sample at a time as with its simulators, 250 Hz.  With the means m of the last two
 * samples, of specific forces f or angular velocities w, and m' those one sample earlier:
 *
 *     shaking = 0.99 shaking + 0.01 |m - m'|           m/s^2, rad/s
 *     coning  = 0.99 coning  + 0.01 |m_w x m_w'|       rad^2/s^2
 *
 * White noise of the standard deviation s on every axis has the shaking 2 s / sqrt(pi).  The first sample counts as
 * mean, where PX4 begins at 0 and forgets that within a second. */
#ifndef RF_PARTS_SENSORS_SHAKING_H
#define RF_PARTS_SENSORS_SHAKING_H

#include "parts/sensors/block.h"

/* Number of axes at the limit, in words. */
LANE_INLINE mask imu_clipped(vec3 force, lane limit)
{
    return words_of(lane_abs(force.x) >= limit, 1) + words_of(lane_abs(force.y) >= limit, 1) +
           words_of(lane_abs(force.z) >= limit, 1);
}

LANE_INLINE lane imu_smoothed(lane level, lane length2)
{
    return (real)0.99 * level + (real)0.01 * lane_sqrt(length2);
}

/* Takes a new sample; `before` are force and angular velocity of the one before it. */
LANE_INLINE void imu_shaking(sensors_imu *s, const block *b, const vec3 before[2], mask due)
{
    mask first = words_load(SENSORS_WORD(b, imu_updates)) == 0;
    vec3 accel = scale(lane_of((real)0.5), add(s->imu_accel, vec3_select(first, s->imu_accel, before[0])));
    vec3 gyro = scale(lane_of((real)0.5), add(s->imu_gyro, vec3_select(first, s->imu_gyro, before[1])));
    vec3 earlier[2] = {vec3_select(first, accel, s->imu_accel_mean),
                       vec3_select(first, gyro, s->imu_gyro_mean)};
    s->imu_accel_shaking = imu_smoothed(s->imu_accel_shaking, norm2(sub(accel, earlier[0])));
    s->imu_gyro_shaking = imu_smoothed(s->imu_gyro_shaking, norm2(sub(gyro, earlier[1])));
    s->imu_coning = imu_smoothed(s->imu_coning, norm2(cross(gyro, earlier[1])));
    s->imu_accel_mean = accel;
    s->imu_gyro_mean = gyro;
    SENSORS_STORE(s, b, imu_accel_mean, due);
    SENSORS_STORE(s, b, imu_gyro_mean, due);
    SENSORS_STORE(s, b, imu_accel_shaking, due);
    SENSORS_STORE(s, b, imu_gyro_shaking, due);
    SENSORS_STORE(s, b, imu_coning, due);
    uint32_t *clippings = SENSORS_WORD(b, imu_clippings);
    words_store(clippings, words_load(clippings) + (imu_clipped(s->imu_accel, s->imu_accel_limit) & due));
}

#endif
