/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of faults, values of `fault_kind`, not all of which one has; what each is of; and the sensors and links that
 * may have some, bits of `fault_items`.  The effects on each place are in parts/faults/effects_of_*.h.
 *
 * A fault has four values, of which its kind uses some.  A share s of it acts: 0 before its onset and after its end,
 * growing from 0 to 1 during its ramp, else 1.  Of several faults on one thing factors are multiplied, terms added and limits
 * intersected, whatever their order is; docs/faults.md has a table of all rules. */
#ifndef RF_PARTS_FAULTS_KINDS_H
#define RF_PARTS_FAULTS_KINDS_H

/* clang-format off */
#define FAULT_KINDS(X)                                                                                       \
    X(NONE, 0, nothing, "no fault")                                                                          \
    X(MOTOR, 1, actuators, "an actuator follows a share of its command")                                     \
    X(PROPELLER, 2, actuators, "an actuator moves, with a share of its effect: a damaged or lost propeller or surface") \
    X(ACTUATOR_BIAS, 3, actuators, "an actuator follows its command and a constant")                         \
    X(ACTUATOR_STUCK, 4, actuators, "an actuator holds a value")                                             \
    X(ACTUATOR_LIMITS, 5, actuators, "an actuator follows its command within limits")                        \
    X(ACTUATOR_JITTER, 6, actuators, "an actuator follows its command and white noise")                      \
    X(SENSOR_BIAS, 7, sensors, "a sensor measures a constant more")                                          \
    X(SENSOR_SCALE, 8, sensors, "a sensor measures a multiple")                                              \
    X(SENSOR_DRIFT, 9, sensors, "a sensor measures more and more")                                           \
    X(SENSOR_NOISE, 10, sensors, "a sensor has a multiple of its noise, and other noise")                    \
    X(SENSOR_FREEZE, 11, sensors, "a sensor repeats its last value")                                         \
    X(SENSOR_DROPOUT, 12, clocks, "a sensor takes no samples")                                              \
    X(WIND, 13, air, "wind that is added")                                                                   \
    X(GUSTS, 14, air, "wind that is added in waves")                                                         \
    X(GPS_FIX, 15, receiver, "a satellite receiver has no better fix than this")                             \
    X(GPS_SATELLITES, 16, receiver, "a satellite receiver has no more satellites than these")                \
    X(GPS_VELOCITY, 17, receiver, "a satellite receiver measures a constant velocity more")                  \
    X(GPS_SPOOF, 18, receiver, "a satellite receiver is led away with a velocity that it measures, too")     \
    X(GPS_PLACE, 19, receiver, "a satellite receiver measures a fixed place")                                \
    X(SENSOR_RATE, 20, clocks, "a sensor has a multiple of its period")                                     \
    X(ESTIMATOR_OFF, 21, estimator, "the estimator is off: its output is the last one, and not valid")        \
    X(ESTIMATOR_FREEZE, 22, estimator, "the estimator repeats its last output, as if it were valid")        \
    X(ACTUATOR_DELAY, 23, actuators, "an actuator gets its command later")                                  \
    X(SENSOR_DELAY, 24, sensors, "a sensor measures what it did earlier")                                   \
    X(SENSOR_OUTAGES, 25, clocks, "a sensor takes no samples for a share of each period")                   \
    X(ESTIMATOR_POSITION, 26, estimator, "the estimated position has a bias")                               \
    X(ESTIMATOR_VELOCITY, 27, estimator, "the estimated velocity has a bias")                               \
    X(ESTIMATOR_ATTITUDE, 28, estimator, "the estimated attitude has a bias")                               \
    X(ACTUATOR_FREEZE, 29, actuators, "an actuator keeps the command that it got before")                  \
    X(POWER_OFF, 30, supply, "the drives have no voltage")                                                   \
    X(LOW_VOLTAGE, 31, supply, "the supply has a share of its voltage")                                      \
    X(LOW_CAPACITY, 32, supply, "the battery has at most a share of its charge")                             \
    X(HOVER_TIME, 33, supply, "the battery has at most the charge for a time of its nominal current")        \
    X(BATTERY_GAUGE, 34, supply, "what tells the charge of the battery tells at most a share")               \
    X(LOAD_FALL, 35, mass, "a share of the mass falls off")                                                  \
    X(LOAD_SHIFT, 36, mass, "a share of the mass moves away from the centre of mass")                        \
    X(LOAD_LEAK, 37, mass, "a share of the mass leaks")                                                      \
    X(LINK_LOSS, 40, links, "nothing gets over a link")                                                      \
    X(LINK_DELAY, 41, links, "what gets over a link is late")                                                \
    X(PACKET_LOSS, 42, links, "a share of the packets gets lost on a link")                                  \
    X(TURBULENCE, 45, air, "turbulence of a wind")                                                           \
    X(SHEAR, 46, air, "wind that is added and grows with the height")                                        \
    X(WIND_NOISE, 47, air, "noise of the wind")

/* What faults are of; `clocks`: when sensors take samples. */
#define FAULT_PLACES(X) X(actuators) X(sensors) X(clocks) X(receiver) X(estimator) X(air) X(supply) X(mass) X(links)

#define FAULTY_SENSORS(X)                                                                                    \
    X(ACCELEROMETER, 0, "specific force")                                                                    \
    X(GYROSCOPE, 1, "angular velocity")                                                                      \
    X(MAGNETOMETER, 2, "magnetic flux density")                                                              \
    X(BAROMETER, 3, "static pressure")                                                                       \
    X(AIRSPEED, 4, "differential pressure")                                                                  \
    X(GPS, 5, "position of the satellite receiver")                                                          \
    X(RANGE, 6, "distance to the ground")                                                                    \
    X(WATER_PRESSURE, 7, "pressure of the water")                                                            \
    X(DVL, 8, "velocity over the bottom of the water")                                                       \
    X(ACOUSTIC, 9, "position by sound in the water")

#define FAULTY_LINKS(X)                                                                                      \
    X(RC, 0, "sticks of a remote control")                                                                   \
    X(STATION, 1, "what a ground station sends, but for sticks and set-points")                              \
    X(SETPOINTS, 2, "set-points of a program outside of the vehicle")                                        \
    X(TELEMETRY, 3, "what the vehicle sends")
/* clang-format on */

/* Bits of `estimator_faults`. */
enum { FAULTY_ESTIMATOR_OFF = 1, FAULTY_ESTIMATOR_FROZEN = 2 };

#define FAULT_ENUM(name, value, of, doc) FAULT_##name = (value),
#define FAULTY_ENUM(name, value, doc)    FAULTY_##name = (value),
#define LINK_ENUM(name, value, doc)      FAULTY_LINK_##name = (value),

#define FAULT_PLACE(of) FAULT_PLACE_##of,

enum fault_kind { FAULT_KINDS(FAULT_ENUM) };
enum fault_place { FAULT_PLACE_nothing, FAULT_PLACES(FAULT_PLACE) };
enum faulty_sensor { FAULTY_SENSORS(FAULTY_ENUM) };
enum faulty_link { FAULTY_LINKS(LINK_ENUM) };

#define FAULTY_ONE(name, value, doc) +1

enum { FAULTY_SENSOR_COUNT = 0 FAULTY_SENSORS(FAULTY_ONE), FAULTY_LINK_COUNT = 0 FAULTY_LINKS(FAULTY_ONE) };

#endif
