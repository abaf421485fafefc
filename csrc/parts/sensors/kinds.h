/* SPDX-License-Identifier: BSD-3-Clause */
/* The sensors, the bits of `sensors_on` and `sensors_updated`. */
#ifndef RF_PARTS_SENSORS_KINDS_H
#define RF_PARTS_SENSORS_KINDS_H

/* clang-format off */
#define SENSOR_KINDS(X)                                                                                      \
    X(IMU, 0, "inertial measurement unit: specific force, angular velocity")                                 \
    X(MAGNETOMETER, 1, "magnetic field in the body")                                                         \
    X(BAROMETER, 2, "static pressure, pressure altitude, temperature")                                       \
    X(AIRSPEED, 3, "differential pressure of a pitot tube, indicated airspeed")                              \
    X(GPS, 4, "position and velocity of a satellite receiver")                                               \
    X(RANGE, 5, "distance to the ground along the body's down axis")                                         \
    X(WATER_PRESSURE, 6, "pressure of the water, the depth by it")                                           \
    X(DVL, 7, "velocity over the bottom of the water by Doppler's effect, distance to it")                   \
    X(ACOUSTIC, 8, "position by sound in the water")
/* clang-format on */

#define SENSOR_ENUM(name, bit, doc) SENSOR_##name = 1 << (bit),

enum sensor_kind { SENSOR_KINDS(SENSOR_ENUM) };

#define SENSOR_ONE(name, bit, doc) +1
#define SENSOR_OR(name, bit, doc)  | SENSOR_##name

enum { SENSORS_COUNT = 0 SENSOR_KINDS(SENSOR_ONE), SENSORS_ALL = 0 SENSOR_KINDS(SENSOR_OR) };

/* Shifts of these bits in `sensor_sources`: whose values the user gives, and has given since the last update; which of the
 * first three are computed from the pose alone, and those in the form in which the equations are printed. */
enum { SENSORS_GIVEN = 0, SENSORS_OFFERED = 12, SENSORS_POSE = 24, SENSORS_PRINTED = 28 };

enum { SENSORS_IN_WATER = SENSOR_WATER_PRESSURE | SENSOR_DVL | SENSOR_ACOUSTIC };

#endif
