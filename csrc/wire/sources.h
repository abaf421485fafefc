/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the values of packets come from: columns, and what is computed of them. */
#ifndef RF_WIRE_SOURCES_H
#define RF_WIRE_SOURCES_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/scalar.h"
#include "parts/sensors/kinds.h"
#include "wire/layout.h"

#define DEGREE 57.29577951308232088 /* of 1 rad */

/* A whole number within limits, NaN as the lower one. */
static inline double limited(double value, double lowest, double highest)
{
    if (!(value > lowest)) return lowest;
    return value < highest ? rint(value) : highest;
}

static void fill(const rf_wire_block *block, double value, rf_wire_values *to)
{
    for (size_t i = 0; i < block->n; i++) to[0][i] = value;
}

/* ---- who and when ---- */

static void copter_id(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    (void)from;
    for (size_t i = 0; i < block->n; i++)
        to[0][i] = (double)(block->context->first_id + (int64_t)(block->begin + i));
}

static void vehicle_type(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    (void)from;
    fill(block, block->context->vehicle_type, to);
}

static void seconds(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    (void)from;
    fill(block, block->time, to);
}

/* Modulo 2^32. */
static void milliseconds(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    (void)from;
    fill(block, fmax(fmod(rint(block->time * 1e3), 4294967296.0), 0), to);
}

/* Of the last update of the sensors. */
static void microseconds(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    (void)from;
    fill(block, rint(block->sensor_time * 1e6), to);
}

static const rf_wire_source COPTER_ID = {.width = 1, .compute = copter_id};
static const rf_wire_source VEHICLE_TYPE = {.width = 1, .compute = vehicle_type};
static const rf_wire_source SECONDS = {.width = 1, .compute = seconds};
static const rf_wire_source MILLISECONDS = {.width = 1, .compute = milliseconds};
static const rf_wire_source MICROSECONDS = {.width = 1, .compute = microseconds};

/* ---- where ---- */

#define COLUMN(column, width) static const rf_wire_source column = {#column, width, NULL, {NULL}}

COLUMN(pos, 3);
COLUMN(vel, 3);
COLUMN(euler, 3);
COLUMN(home, 3); /* without it the origin of the map */
COLUMN(rate, 3);
COLUMN(pos_output, 3);
COLUMN(vel_output, 3);
COLUMN(att_output, 4);
COLUMN(estimator_state, 1);
COLUMN(flies_on_estimate, 1);

static bool on_estimate(const rf_wire_values *flies, const rf_wire_values *state, size_t i)
{
    return flies[0][i] != 0 && state[0][i] != 0;
}

/* What a vehicle knows of a vector: the output of the estimator of those that fly on it, else the truth. */
static void known(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    memcpy(to, from[0], 3 * sizeof *to);
    for (size_t i = 0; i < block->n; i++) {
        if (!on_estimate(from[2], from[3], i)) continue;
        for (int k = 0; k < 3; k++) to[k][i] = from[1][k][i];
    }
}

static void known_euler(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    const rf_wire_values *att = from[1];
    memcpy(to, from[0], 3 * sizeof *to);
    for (size_t i = 0; i < block->n; i++) {
        if (!on_estimate(from[2], from[3], i)) continue;
        double w = att[0][i], x = att[1][i], y = att[2][i], z = att[3][i];
        double north = 1 - 2 * (y * y + z * z), east = 2 * (x * y + w * z);
        double down = 2 * (x * z - w * y); /* of the forward axis */
        to[0][i] = rf_atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
        to[1][i] = rf_atan2(-down, sqrt(north * north + east * east));
        to[2][i] = rf_atan2(east, north);
    }
}

static void difference(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < block->n; i++) to[k][i] = from[0][k][i] - from[1][k][i];
    }
}

/* 0 to 359999 [1e-3 deg]. */
static void heading(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    const double *yaw = from[0][2];
    for (size_t i = 0; i < block->n; i++) {
        double turns = yaw[i] < 0 ? yaw[i] * DEGREE + 360 : yaw[i] * DEGREE;
        double whole = rint(turns * 1e3);
        to[0][i] = whole == 360000 ? 0 : whole;
    }
}

/* Latitude, longitude [deg], height [m]. */
static void geodetic(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    rf_local_frame_to_lla(&block->frame, block->n, from[0], to);
}

/* Latitude, longitude [1e-7 deg], height [mm]. */
static void geodetic_fine(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    geodetic(block, from, to);
    for (size_t i = 0; i < block->n; i++) {
        to[0][i] *= 1e7;
        to[1][i] *= 1e7;
        to[2][i] *= 1e3;
    }
}

static const rf_wire_source KNOWN_POS = {
    .width = 3, .compute = known, .from = {&pos, &pos_output, &flies_on_estimate, &estimator_state}};
static const rf_wire_source KNOWN_VEL = {
    .width = 3, .compute = known, .from = {&vel, &vel_output, &flies_on_estimate, &estimator_state}};
static const rf_wire_source KNOWN_EULER = {
    .width = 3, .compute = known_euler, .from = {&euler, &att_output, &flies_on_estimate, &estimator_state}};
static const rf_wire_source LOCAL_POS = {.width = 3, .compute = difference, .from = {&KNOWN_POS, &home}};
static const rf_wire_source HEADING = {.width = 1, .compute = heading, .from = {&KNOWN_EULER}};
static const rf_wire_source GEODETIC = {.width = 3, .compute = geodetic, .from = {&pos}};
static const rf_wire_source KNOWN_GEODETIC = {.width = 3, .compute = geodetic_fine, .from = {&KNOWN_POS}};
static const rf_wire_source HOME_GEODETIC = {.width = 3, .compute = geodetic_fine, .from = {&home}};

/* ---- outputs of the user ---- */

COLUMN(free_outputs, 32);
COLUMN(actuators, 16);
COLUMN(thrust, 1);
COLUMN(armed, 1);
COLUMN(status, 1);

/* The free outputs.  Without them: 0 to 15 the actuator commands, 0 where there is no actuator; 16 the collective thrust
 * commanded to the allocation [N]; 17 whether it is armed; 18 its fault flags of base/status.h; else 0. */
static void copter_data(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    bool user = from[0] != rf_wire_absent;
    for (int k = 0; k < 32; k++) {
        const double *data = user     ? from[0][k]
                             : k < 16 ? from[1][k]
                             : k < 19 ? from[k - 14][0]
                                      : rf_wire_absent[0];
        for (size_t i = 0; i < block->n; i++) to[k][i] = data[i];
    }
}

static const rf_wire_source COPTER_DATA = {
    .width = 32, .compute = copter_data, .from = {&free_outputs, &actuators, &thrust, &armed, &status}};

/* ---- sensors ---- */

#define GAUSS        1e4    /* per tesla */
#define HECTOPASCAL  1e-2   /* per pascal */
#define ZERO_CELSIUS 273.15 /* K */

COLUMN(sensors_on, 1);
COLUMN(sensor_sources, 1);
COLUMN(sensors_updated, 1);
COLUMN(imu_accel, 3);
COLUMN(imu_gyro, 3);
COLUMN(imu_updates, 1);
COLUMN(specific_force, 3);
COLUMN(magnetometer, 3);
COLUMN(barometer_temperature, 1);

/* Bits of the sensors of a vehicle that are on, or given by the user. */
static uint32_t sensors_of(const rf_wire_values *on, const rf_wire_values *sources, size_t i)
{
    return (uint32_t)on[0][i] | (uint32_t)sources[0][i] >> SENSORS_GIVEN;
}

static void celsius(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    for (size_t i = 0; i < block->n; i++) {
        bool on = sensors_of(from[0], from[1], i) & SENSOR_BAROMETER;
        to[0][i] = (on ? from[2][0][i] : ZERO_CELSIUS) - ZERO_CELSIUS;
    }
}

/* Bit k: field k after the time; PX4 reads a sensor where all of its bits are set [@px4].  Bit 31, which says that the state
 * was reset, stays. */
static void fields_updated(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    for (size_t i = 0; i < block->n; i++) {
        const uint32_t *updated = block->context->updated;
        uint32_t sensors = updated != NULL ? updated[block->begin + i] : (uint32_t)from[0][0][i];
        to[0][i] = (sensors & SENSOR_IMU ? 0x003F : 0) | (sensors & SENSOR_MAGNETOMETER ? 0x01C0 : 0) |
                   (sensors & SENSOR_BAROMETER ? 0x1A00 : 0) | (sensors & SENSOR_AIRSPEED ? 0x0400 : 0) |
                   (sensors & 1u << 31);
    }
}

/* Whether a vehicle's inertial measurement unit has measured. */
static bool measured(const rf_wire_values *const from[], size_t i)
{
    return (sensors_of(from[0], from[1], i) & SENSOR_IMU) && from[2][0][i] > 0;
}

/* Of the measurements, or of steps where there are none. */
static void imu_count(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    for (size_t i = 0; i < block->n; i++) {
        uint64_t count = measured(from, i) ? (uint64_t)from[2][0][i] : block->tick;
        to[0][i] = (double)(count & INT32_MAX);
    }
}

static void imu_time(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    for (size_t i = 0; i < block->n; i++) to[0][i] = measured(from, i) ? block->sensor_time : block->time;
}

/* What is measured, else the truth. */
static void imu_vector(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    for (size_t i = 0; i < block->n; i++) {
        bool imu = measured(from, i);
        for (int k = 0; k < 3; k++) to[k][i] = imu ? from[3][k][i] : from[4][k][i];
    }
}

#define IMU(compute_, width_, ...)                                                                           \
    {                                                                                                        \
        .width = width_, .compute = compute_, .from = { &sensors_on, &sensor_sources, __VA_ARGS__ }          \
    }

static const rf_wire_source CELSIUS = IMU(celsius, 1, &barometer_temperature);
static const rf_wire_source FIELDS_UPDATED = {
    .width = 1, .compute = fields_updated, .from = {&sensors_updated}};
static const rf_wire_source IMU_COUNT = IMU(imu_count, 1, &imu_updates);
static const rf_wire_source IMU_TIME = IMU(imu_time, 1, &imu_updates);
static const rf_wire_source IMU_ACC = IMU(imu_vector, 3, &imu_updates, &imu_accel, &specific_force);
static const rf_wire_source IMU_GYRO = IMU(imu_vector, 3, &imu_updates, &imu_gyro, &rate);

/* ---- the satellite receiver ---- */

COLUMN(gps_updates, 1);
COLUMN(gps_pos, 3);
COLUMN(gps_vel, 3);
COLUMN(gps_speed, 1);
COLUMN(gps_course, 1);
COLUMN(gps_reported_accuracy, 2);
COLUMN(gps_fix, 1);
COLUMN(gps_reported_satellites, 1);

/* As geodetic_fine, in whole numbers of 32 bits; 0 before the first report. */
static void gps_position(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    geodetic_fine(block, from, to);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < block->n; i++) {
            bool reported = from[1][0][i] != 0 && to[k][i] == to[k][i];
            to[k][i] = reported ? limited(to[k][i], INT32_MIN, INT32_MAX) : 0;
        }
    }
}

/* cm/s; 0 before the first report. */
static void gps_velocity(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < block->n; i++)
            to[k][i] = from[1][0][i] == 0 ? 0 : limited(from[0][k][i] * 1e2, INT16_MIN, INT16_MAX);
    }
}

/* cm or cm/s below UINT16_MAX: unknown, before the first report. */
static void hundredths(const rf_wire_block *block, const rf_wire_values *from, const rf_wire_values *updates,
                       rf_wire_values *to)
{
    for (size_t i = 0; i < block->n; i++)
        to[0][i] = updates[0][i] == 0 ? UINT16_MAX : limited(from[0][i] * 1e2, 0, UINT16_MAX - 1);
}

static void gps_spread(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    hundredths(block, from[0], from[1], to);
    hundredths(block, from[0] + 1, from[1], to + 1);
}

static void gps_ground_speed(const rf_wire_block *block, const rf_wire_values *const from[],
                             rf_wire_values *to)
{
    hundredths(block, from[0], from[1], to);
}

/* 0 to 35999 [0.01 deg]; UINT16_MAX: unknown. */
static void course_over_ground(const rf_wire_block *block, const rf_wire_values *const from[],
                               rf_wire_values *to)
{
    for (size_t i = 0; i < block->n; i++) {
        double course = limited(from[0][0][i] * (DEGREE * 1e2), 0, 36000);
        to[0][i] = from[1][0][i] == 0 ? UINT16_MAX : course == 36000 ? 0 : course;
    }
}

static void fix_type(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    for (size_t i = 0; i < block->n; i++)
        to[0][i] = from[1][0][i] == 0 ? 0 : limited(from[0][0][i], 0, UINT8_MAX);
}

/* UINT8_MAX: unknown. */
static void satellites(const rf_wire_block *block, const rf_wire_values *const from[], rf_wire_values *to)
{
    for (size_t i = 0; i < block->n; i++)
        to[0][i] = from[1][0][i] == 0 ? UINT8_MAX : limited(from[0][0][i], 0, UINT8_MAX - 1);
}

#define REPORTED(compute_, column, width_)                                                                   \
    {                                                                                                        \
        .width = width_, .compute = compute_, .from = { &column, &gps_updates }                              \
    }

static const rf_wire_source GPS_POSITION = REPORTED(gps_position, gps_pos, 3);
static const rf_wire_source GPS_VELOCITY = REPORTED(gps_velocity, gps_vel, 3);
static const rf_wire_source GPS_SPREAD = REPORTED(gps_spread, gps_reported_accuracy, 2);
static const rf_wire_source GPS_GROUND_SPEED = REPORTED(gps_ground_speed, gps_speed, 1);
static const rf_wire_source GPS_COURSE = REPORTED(course_over_ground, gps_course, 1);
static const rf_wire_source GPS_FIX = REPORTED(fix_type, gps_fix, 1);
static const rf_wire_source GPS_SATELLITES = REPORTED(satellites, gps_reported_satellites, 1);

#endif
