/* SPDX-License-Identifier: BSD-3-Clause */
/* Sensors whose truth is that of models/pose_sensors.h: settings and switch. */
#ifndef RF_PARTS_SENSORS_POSE_H
#define RF_PARTS_SENSORS_POSE_H

#include "models/pose_sensors.h"
#include "parts/sensors/block.h"

/* The true specific force, or that of the pose where the IMU has this source. */
LANE_INLINE vec3 sensors_felt_by_pose(const block *b, const sensors_truth *truth, vec3 force)
{
    if (!(truth->any_source & SENSOR_IMU << SENSORS_POSE)) return force;
    mask pose = sensors_have_source(truth, SENSOR_IMU, SENSORS_POSE);
    sensors_pose s;
    SENSORS_LOAD(&s, b, pose_gravity);
    mask printed = sensors_have_source(truth, SENSOR_IMU, SENSORS_PRINTED);
    return vec3_select(pose, pose_specific_force(truth->att, s.pose_gravity, printed), force);
}

/* The true magnetic field in the body, or that of the pose. */
LANE_INLINE vec3 sensors_field_by_pose(const block *b, const sensors_truth *truth, vec3 field)
{
    if (!(truth->any_source & SENSOR_MAGNETOMETER << SENSORS_POSE)) return field;
    mask pose = sensors_have_source(truth, SENSOR_MAGNETOMETER, SENSORS_POSE);
    sensors_pose s;
    SENSORS_LOAD(&s, b, pose_gravity);
    mask printed = sensors_have_source(truth, SENSOR_MAGNETOMETER, SENSORS_PRINTED);
    return vec3_select(pose, pose_magnetic_field(truth->att, s.pose_field, printed), field);
}

/* Replaces the true pressure and temperature at the static port by those of the pose. */
LANE_INLINE void sensors_air_by_pose(const block *b, const sensors_truth *truth, lane *pressure,
                                     lane *temperature)
{
    if (!(truth->any_source & SENSOR_BAROMETER << SENSORS_POSE)) return;
    mask pose = sensors_have_source(truth, SENSOR_BAROMETER, SENSORS_POSE);
    sensors_pose s;
    SENSORS_LOAD(&s, b, pose_gravity);
    mask printed = sensors_have_source(truth, SENSOR_BAROMETER, SENSORS_PRINTED);
    lane height = s.pose_ground - truth->pos.z;
    lane there = pose_pressure_at(height, s.pose_temperature, s.pose_pressure, printed);
    *pressure = lane_select(pose, there, *pressure);
    *temperature = lane_select(pose, s.pose_temperature, *temperature);
}

#endif
