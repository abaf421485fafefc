/* SPDX-License-Identifier: BSD-3-Clause */
/* Bits of RflySim's synthesis protocol: inSILInts[0], the command, and inSILInts[1], what inSILFloats holds.
 *
 * Values of class RflySimCP [@rfly-sdk]; the manual's tables [@rfly-model-api 9.1.3] label bits 11 and 12 of
 * inSILInts[1] inconsistently, and add LOITER, HEIGHT and INTEGER_POSITION, which the SDK does not name.  The
 * lists are expanded into the enums below and into the tables of Python and docs/protocol.md. */
#ifndef RF_BASE_SIL_H
#define RF_BASE_SIL_H

/* clang-format off */
#define SIL_COMMAND_BITS(X)                                                                                  \
    X(ENABLE, 0, "hasCMD", "accept this command word, once")                                                 \
    X(SIL, 1, "SIL", "1: throttle from the internal controllers; 0: from inPWMs, while armed")               \
    X(ARMED, 2, "Armed", "1: the motors may run; 0: they stop")                                              \
    X(TAKEOFF, 8, "Takeoff", "climb to a height, then hold position; fixed wings fly straight on")           \
    X(POSITION, 9, "Position", "track the set-points; hold position without them")                           \
    X(LAND, 10, "Land", "descend, detect ground contact, disarm")                                            \
    X(RETURN, 11, "Return", "fly to the position above home and hold it; fixed wings circle it")             \
    X(LOITER, 12, "Loiter", "fixed wings: circle where they are, or the position; others: as POSITION")      \
    X(HEIGHT, 13, "Height", "fixed wings: height and airspeed only, straight on; others: as POSITION")       \
    X(HORIZONTAL, 14, "Hor", "fixed wings: horizontal position only, at the present height; others: as POSITION") \
    X(OFFBOARD_POSITION, 16, "OffboardPos", "set-points of the position class follow; as POSITION, and ends a take-off")          \
    X(OFFBOARD_ATTITUDE, 17, "OffboardAtt", "set-points of the attitude class follow; as POSITION, and ends a take-off")

#define SIL_OFFBOARD_BITS(X)                                                                                 \
    X(POSITION, 0, "hasPos", "position, inSILFloats[0..2]")                                                  \
    X(VELOCITY, 1, "hasVel", "velocity [m/s], inSILFloats[3..5]; with POSITION feed-forward")                \
    X(ACCELERATION, 2, "hasAcc", "acceleration [m/s^2], inSILFloats[6..8]; with the above feed-forward")     \
    X(YAW, 3, "hasYaw", "heading [rad], inSILFloats[11]")                                                    \
    X(YAW_RATE, 4, "hasYawRate", "heading rate [rad/s], inSILFloats[14]")                                    \
    X(ATTITUDE, 8, "hasAtt", "roll, pitch, yaw [rad], inSILFloats[9..11]")                                   \
    X(ROLL_RATE, 9, "hasRollRate", "angular velocity [rad/s, FRD], inSILFloats[12..14]")                     \
    X(PITCH_RATE, 10, "hasPitchRate", "as ROLL_RATE")                                                        \
    X(THRUST, 11, "hasThrust", "normalized thrust (0 to 1), inSILFloats[15]; with ATTITUDE or ROLL_RATE")    \
    X(FRD, 12, "FRD", "velocity and acceleration forward, right, down; position an offset in that frame")    \
    X(LOCAL, 13, "Local", "position relative to home; with GLOBAL only the height above home")               \
    X(FULL, 15, "HasFull", "position, velocity and acceleration together; bits 0 to 2 select them")          \
    X(NED, 16, "NED", "position relative to the origin of the map, as without any frame bit")                \
    X(GLOBAL, 17, "Global", "position as latitude and longitude [deg] and height [m, up]")                   \
    X(INTEGER_POSITION, 24, "integer", "with GLOBAL: latitude and longitude are inSILInts[6], [7] [1e-7 deg]")

/* inSILInts[2]: the airframe of a mixed model. */
#define SIL_FRAME_BITS(X)                                                                                    \
    X(QUADROTOR, 0, "Quadrotor", "four rotors")                                                              \
    X(HEXACOPTER, 1, "Hexacopter", "six rotors")                                                             \
    X(OCTOCOPTER, 2, "Octocopter", "eight rotors")                                                           \
    X(COAXIAL_OCTOCOPTER, 3, "FourAxOctocopter", "eight rotors on four arms")

/* Values of inSILFloats that must be finite: X(command, offboard, first, count, optional).  `count` floats from `first`
 * are in use where inSILInts[0] has a bit of `command` or inSILInts[1] a bit of `offboard`, except, if `optional`,
 * where SIL_OPTIONAL holds.  A heading may be NaN: it is then not controlled, as with PX4. */
#define SIL_FINITE(X)                                                                                        \
    X(0, SIL_OFFBOARD_POSITION, SIL_POSITION, 2, 1)                                                          \
    X(SIL_TASKS, SIL_OFFBOARD_POSITION, SIL_POSITION + 2, 1, 0)                                              \
    X(0, SIL_OFFBOARD_VELOCITY, SIL_VELOCITY, 3, 0)                                                          \
    X(0, SIL_OFFBOARD_ACCELERATION, SIL_ACCELERATION, 3, 0)                                                  \
    X(0, SIL_OFFBOARD_ATTITUDE, SIL_ATTITUDE, 3, 0)                                                          \
    X(0, SIL_RATES, SIL_BODY_RATE, 2, 0)                                                                     \
    X(0, SIL_OFFBOARD_YAW_RATE, SIL_BODY_RATE + 2, 1, 0)                                                     \
    X(0, SIL_OFFBOARD_THRUST, SIL_THRUST, 1, 0)

/* Where x and y of a position may be non-finite: a task has defaults, with an attitude the position is a height only,
 * and integers replace degrees.  SIL_OPTIONAL(any of inSILInts[0], any of inSILInts[1], all of inSILInts[1]). */
#define SIL_OPTIONAL(X) X(SIL_TASKS, SIL_ATTITUDE_CLASS, SIL_OFFBOARD_GLOBAL | SIL_OFFBOARD_INTEGER_POSITION)
/* clang-format on */

/* clang-format off */
/* Fault injection of RflySim shares inSILInts with commands: numbers, not bits [@rfly-sdk].  None of them is a valid word
 * of a command or set-point, so they are told apart by value.  Who writes the inputs injects them (pyrfly/sim/faults.py),
 * and the navigator removes what is written to the column. */
#define SIL_FAULTS(X)                                                                                        \
    X(MOTOR, 123450, "loss of effectiveness of motors")                                                      \
    X(PROPELLER, 123451, "loss of effectiveness of propellers")                                              \
    X(BATTERY_TIME, 123452, "hover time of the battery")                                                     \
    X(POWER_OFF, 123453, "loss of power")                                                                    \
    X(LOW_VOLTAGE, 123454, "low voltage")                                                                    \
    X(LOW_CAPACITY, 123455, "low capacity")                                                                  \
    X(LOAD_FALL, 123456, "loss of the load")                                                                 \
    X(LOAD_SHIFT, 123457, "shift of the load")                                                               \
    X(LOAD_LEAK, 123458, "leak of the load")                                                                 \
    X(CONSTANT_WIND, 123459, "constant wind")                                                                \
    X(GUST, 123540, "gusts")                                                                                 \
    X(TURBULENCE, 123541, "turbulence")                                                                      \
    X(WIND_SHEAR, 123542, "wind shear")                                                                      \
    X(WIND_NOISE, 123543, "noise of the wind")                                                               \
    X(ACCELEROMETER, 123544, "noise of the accelerometer")                                                   \
    X(GYROSCOPE, 123545, "noise of the gyroscope")                                                           \
    X(MAGNETOMETER, 123546, "noise of the magnetometer")                                                     \
    X(BAROMETER, 123547, "offset of the barometer")                                                          \
    X(GPS, 123548, "noise, fix and satellites of the GPS")                                                   \
    X(MOTOR_NOISE, 123549, "loss of effectiveness of motors, with noise")
/* clang-format on */

#define SIL_FAULT_ENUM(name, id, doc)             SIL_FAULT_##name = (id),
#define SIL_COMMAND_ENUM(name, bit, vendor, doc)  SIL_COMMAND_##name = 1 << (bit),
#define SIL_OFFBOARD_ENUM(name, bit, vendor, doc) SIL_OFFBOARD_##name = 1 << (bit),
#define SIL_FRAME_ENUM(name, bit, vendor, doc)    SIL_FRAME_##name = 1 << (bit),
#define SIL_SUM(name, bit, vendor, doc)           +(1 << (bit))

enum sil_command { SIL_COMMAND_BITS(SIL_COMMAND_ENUM) SIL_COMMAND_KNOWN = 0 SIL_COMMAND_BITS(SIL_SUM) };
enum sil_offboard { SIL_OFFBOARD_BITS(SIL_OFFBOARD_ENUM) SIL_OFFBOARD_KNOWN = 0 SIL_OFFBOARD_BITS(SIL_SUM) };
enum sil_frame { SIL_FRAME_BITS(SIL_FRAME_ENUM) };
enum sil_fault { SIL_FAULTS(SIL_FAULT_ENUM) };

/* Bits of one meaning. */
enum {
    SIL_TASKS = SIL_COMMAND_TAKEOFF | SIL_COMMAND_RETURN | SIL_COMMAND_LAND,
    SIL_SWITCH_TO_OFFBOARD = SIL_COMMAND_OFFBOARD_POSITION | SIL_COMMAND_OFFBOARD_ATTITUDE,
    SIL_RATES = SIL_OFFBOARD_ROLL_RATE | SIL_OFFBOARD_PITCH_RATE,
    SIL_ATTITUDE_CLASS = SIL_OFFBOARD_ATTITUDE | SIL_RATES
};

/* Indices into inSILInts and inSILFloats. */
enum {
    SIL_INTS = 8,
    SIL_INT_COMMAND = 0,
    SIL_INT_OFFBOARD = 1,
    SIL_INT_FRAME = 2,
    SIL_INT_LATITUDE = 6,
    SIL_INT_LONGITUDE = 7,

    SIL_FLOATS = 20,
    SIL_POSITION = 0,
    SIL_VELOCITY = 3, /* without VELOCITY: sticks of the remote control, pitch, roll, yaw [us] */
    SIL_ACCELERATION = 6,
    SIL_ATTITUDE = 9,
    SIL_BODY_RATE = 12,
    SIL_THRUST = 15,

    SIL_AIRFRAMES = 4 /* maximum of a mixed model */
};

#endif
