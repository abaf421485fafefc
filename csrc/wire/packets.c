/* SPDX-License-Identifier: BSD-3-Clause */
/* The packets of vehicles, a table each, byte for byte as RflySim's simulator sends them [@rfly-sdk]; and the payloads of the
 * messages of MAVLink that are measurements, in the order of the wire [@mavlink]. */
#include "wire/layout.h"
#include "wire/sources.h"

/* clang-format off */

/* A field with as many components of a source, from the first on; with those from `first` on, times a factor; one that is
 * a column, times a factor; one that is always the same. */
#define FIELD(number, count, name, source, meaning) {#name, RF_WIRE_##number, count, &source, 0, 1, meaning}
#define SCALED(number, count, name, source, first, scale, meaning) \
    {#name, RF_WIRE_##number, count, &source, first, scale, meaning}
#define COPIED(number, count, name, column, scale, meaning) \
    {#name, RF_WIRE_##number, count, &(const rf_wire_source){#column, count, NULL, {NULL}}, 0, scale, meaning}
#define CONSTANT(number, count, name, value, meaning) {#name, RF_WIRE_##number, count, NULL, 0, value, meaning}

/* Estimated state, here the true one unless a vehicle flies on its estimate; in the full UDP mode. */
static const rf_wire_field out_hil_state_data[] = {
    CONSTANT(I4, 1, tg, -1, "identifies the packet; from a simulator the CopterID of a collision, -1: none"),
    CONSTANT(I4, 1, len, 112, "identifies the packet"),
    FIELD(U4, 1, time_boot_ms, MILLISECONDS, "time [ms]"),
    FIELD(U4, 1, copterID, COPTER_ID, "the vehicle n"),
    FIELD(I4, 3, GpsPos, KNOWN_GEODETIC, "latitude, longitude [1e-7 deg], height [mm, up]"),
    SCALED(I4, 3, GpsVel, KNOWN_VEL, 0, 1e2, "velocity [cm/s, NED]"),
    FIELD(I4, 3, gpsHome, HOME_GEODETIC, "latitude, longitude [1e-7 deg], height [mm, up] of home"),
    SCALED(I4, 1, relative_alt, LOCAL_POS, 2, -1e3, "height above home [mm, up]"),
    FIELD(I4, 1, hdg, HEADING, "heading, 0 to 360 deg [1e-3 deg]"),
    CONSTANT(I4, 1, satellites_visible, 10, "number of satellites"), /* the fix as in RflySim's model */
    CONSTANT(I4, 1, fix_type, 3, "3: 3D fix"),
    CONSTANT(I4, 1, reserve, 0, "not used"),
    FIELD(F4, 3, AngEular, KNOWN_EULER, "roll, pitch, yaw [rad]"),
    FIELD(F4, 3, localPos, LOCAL_POS, "position from home [m, NED]"),
    FIELD(F4, 3, localVel, KNOWN_VEL, "velocity [m/s, NED]"),
    CONSTANT(F4, 1, pos_horiz_accuracy, 0.3f, "horizontal accuracy [m]"),
    CONSTANT(F4, 1, pos_vert_accuracy, 0.4f, "vertical accuracy [m]"),
    CONSTANT(F4, 1, ekf_3d_fixed, 1, "above 0.5: the position is known"),
};

/* The same, short, in the simple UDP mode. */
static const rf_wire_field out_hil_state_short[] = {
    CONSTANT(I4, 1, checksum, 1234567890, "identifies the packet"),
    FIELD(I4, 3, gpsHome, HOME_GEODETIC, NULL),
    FIELD(F4, 3, AngEular, KNOWN_EULER, NULL),
    FIELD(F4, 3, localPos, LOCAL_POS, NULL),
    FIELD(F4, 3, localVel, KNOWN_VEL, NULL),
};

/* True state. */
static const rf_wire_field sout2simulator[] = {
    CONSTANT(I4, 1, checksum, 123456789, NULL),
    FIELD(I4, 1, copterID, COPTER_ID, NULL),
    FIELD(I4, 1, vehicleType, VEHICLE_TYPE, "type, see Messages"),
    CONSTANT(I4, 1, reserve, 0, NULL),
    FIELD(F4, 3, VelE, vel, "velocity [m/s, NED]"),
    FIELD(F4, 3, AngEuler, euler, "roll, pitch, yaw [rad]"),
    COPIED(F4, 4, AngQuatern, att, 1, "attitude quaternion, scalar first, FRD to NED"),
    COPIED(F4, 8, MotorRPMS, displayed_actuators, 1, "speeds of the rotors or wheels [1/min]"),
    COPIED(F4, 3, AccB, accel, 1, "acceleration over ground [m/s^2, FRD]"),
    FIELD(F4, 3, RateB, rate, "angular velocity [rad/s, FRD]"),
    FIELD(F8, 1, runnedTime, SECONDS, "simulated time [s]"),
    FIELD(F8, 3, PosE, pos, "position from the map centre [m, NED]"),
    FIELD(F8, 3, PosGPS, GEODETIC, "latitude, longitude [deg], height [m, up]"),
};

/* Outputs of a model that the user defines. */
static const rf_wire_field out_copter_struct[] = {
    CONSTANT(I4, 1, checksum, 1234567890, NULL),
    FIELD(I4, 1, CopterID, COPTER_ID, "the vehicle n; 0 or -1: that of the port"),
    FIELD(F8, 32, outCopterData, COPTER_DATA, "free outputs, see Messages"),
};

/* True state as a vector of doubles, the output of a model to the 3D view. */
static const rf_wire_field vehicle_info_60d[] = {
    FIELD(F8, 1, copterID, COPTER_ID, NULL),
    FIELD(F8, 1, vehicleType, VEHICLE_TYPE, NULL),
    FIELD(F8, 1, runnedTime, SECONDS, NULL),
    FIELD(F8, 3, VelE, vel, NULL),
    FIELD(F8, 3, PosE, pos, NULL),
    FIELD(F8, 3, AngEuler, euler, NULL),
    COPIED(F8, 4, AngQuatern, att, 1, NULL),
    COPIED(F8, 8, MotorRPMS, displayed_actuators, 1, NULL),
    COPIED(F8, 3, AccB, accel, 1, NULL),
    FIELD(F8, 3, RateB, rate, NULL),
    FIELD(F8, 3, PosGPS, GEODETIC, NULL),
    CONSTANT(F8, 27, reserve, 0, NULL),
};

/* What the sensors measure: fields of MAVLink's HIL_SENSOR. */
#define HIL_SENSOR(time, number, bits) \
    FIELD(time, 1, time_usec, MICROSECONDS, "time of the last update of the sensors [us]"), \
    SCALED(number, 1, xacc, imu_accel, 0, 1, "specific force, forward [m/s^2]"), \
    SCALED(number, 1, yacc, imu_accel, 1, 1, "specific force, right [m/s^2]"), \
    SCALED(number, 1, zacc, imu_accel, 2, 1, "specific force, down [m/s^2]"), \
    SCALED(number, 1, xgyro, imu_gyro, 0, 1, "angular velocity about forward [rad/s]"), \
    SCALED(number, 1, ygyro, imu_gyro, 1, 1, "angular velocity about right [rad/s]"), \
    SCALED(number, 1, zgyro, imu_gyro, 2, 1, "angular velocity about down [rad/s]"), \
    SCALED(number, 1, xmag, magnetometer, 0, GAUSS, "magnetic field, forward [gauss]"), \
    SCALED(number, 1, ymag, magnetometer, 1, GAUSS, "magnetic field, right [gauss]"), \
    SCALED(number, 1, zmag, magnetometer, 2, GAUSS, "magnetic field, down [gauss]"), \
    COPIED(number, 1, abs_pressure, barometer_pressure, HECTOPASCAL, "static pressure [hPa]"), \
    COPIED(number, 1, diff_pressure, differential_pressure, HECTOPASCAL, "differential pressure [hPa]"), \
    COPIED(number, 1, pressure_alt, barometer_height, 1, "pressure altitude [m, up]"), \
    FIELD(number, 1, temperature, CELSIUS, "temperature [deg C]"), \
    FIELD(bits, 1, fields_updated, FIELDS_UPDATED, "which fields are new, see Messages")

static const rf_wire_field mav_hil_sensor[] = {HIL_SENSOR(U8, F4, U4)};
static const rf_wire_field hil_sensor[] = {HIL_SENSOR(U8, F4, U4), CONSTANT(U1, 1, id, 0, "number of the sensor")};

/* The same as a vector of doubles, an output of a model.  What follows fields_updated is pyrfly's own. */
static const rf_wire_field hil_sensor_30d[] = {
    HIL_SENSOR(F8, F8, F8),
    COPIED(F8, 1, airspeed, indicated_airspeed, 1, "indicated airspeed [m/s]"),
    COPIED(F8, 1, distance, range_distance, 1, "distance of the range finder [m]"),
    COPIED(F8, 1, distance_valid, range_valid, 1, "1: the range finder sees the ground"),
    CONSTANT(F8, 12, reserve, 0, NULL),
};

/* What the satellite receiver reports: fields of MAVLink's HIL_GPS. */
#define HIL_GPS(time, position, size, speed, small) \
    FIELD(time, 1, time_usec, MICROSECONDS, NULL), \
    SCALED(position, 1, lat, GPS_POSITION, 0, 1, "latitude [1e-7 deg]"), \
    SCALED(position, 1, lon, GPS_POSITION, 1, 1, "longitude [1e-7 deg]"), \
    SCALED(position, 1, alt, GPS_POSITION, 2, 1, "height above the ellipsoid [mm, up]"), \
    SCALED(size, 1, eph, GPS_SPREAD, 0, 1, "horizontal accuracy [cm], 65535: unknown"), \
    SCALED(size, 1, epv, GPS_SPREAD, 1, 1, "vertical accuracy [cm], 65535: unknown"), \
    FIELD(size, 1, vel, GPS_GROUND_SPEED, "speed over ground [cm/s], 65535: unknown"), \
    SCALED(speed, 1, vn, GPS_VELOCITY, 0, 1, "velocity, north [cm/s]"), \
    SCALED(speed, 1, ve, GPS_VELOCITY, 1, 1, "velocity, east [cm/s]"), \
    SCALED(speed, 1, vd, GPS_VELOCITY, 2, 1, "velocity, down [cm/s]"), \
    FIELD(size, 1, cog, GPS_COURSE, "course over ground, 0 to 359.99 deg [0.01 deg], 65535: unknown"), \
    FIELD(small, 1, fix_type, GPS_FIX, NULL), \
    FIELD(small, 1, satellites_visible, GPS_SATELLITES, NULL)

static const rf_wire_field mav_hil_gps[] = {HIL_GPS(U8, I4, U2, I2, U1)};
static const rf_wire_field hil_gps[] = {
    HIL_GPS(U8, I4, U2, I2, U1),
    CONSTANT(U1, 1, id, 0, NULL),
    CONSTANT(U2, 1, yaw, 0, "heading [0.01 deg], 0: unknown"),
};

/* The same as a vector of doubles, an output of a model.  What follows satellites_visible is pyrfly's own. */
static const rf_wire_field hil_gps_30d[] = {
    HIL_GPS(F8, F8, F8, F8, F8),
    FIELD(F8, 1, reports, gps_updates, "number of reports since the last reset"),
    CONSTANT(F8, 16, reserve, 0, NULL),
};

/* The inertial measurement unit, on request. */
static const rf_wire_field imu_data_copter[] = {
    CONSTANT(I4, 1, checksum, 1234567898, NULL),
    FIELD(I4, 1, seq, IMU_COUNT, "number of measurements since the last reset, or of steps"),
    FIELD(F8, 1, time, IMU_TIME, "time [s]"),
    FIELD(F4, 3, acc, IMU_ACC, "specific force [m/s^2, FRD]"),
    FIELD(F4, 3, gyro, IMU_GYRO, "angular velocity [rad/s, FRD]"),
};

/* Outputs of a model to the 3D view and to the autopilot. */
static const rf_wire_field ext_to_ue4[] = {
    COPIED(F8, 16, ExtToUE4, display_outputs, 1, "actuators 9 to 24 of the 3D view"),
};
static const rf_wire_field ext_to_px4[] = {
    COPIED(F4, 16, ExtToPX4, autopilot_outputs, 1, "numbers for the autopilot"),
};

/* clang-format on */

#define FIELDS(fields) sizeof(fields) / sizeof *(fields), fields

const rf_wire_structure rf_wire_structures[] = {
    {"outHILStateData", "state", FIELDS(out_hil_state_data)},
    {"outHILStateShort", "state", FIELDS(out_hil_state_short)},
    {"SOut2Simulator", "truth", FIELDS(sout2simulator)},
    {"outCopterStruct", "truth", FIELDS(out_copter_struct)},
    {"imuDataCopter", "imu", FIELDS(imu_data_copter)},
    {"VehileInfo60d", "model", FIELDS(vehicle_info_60d)},
    {"MavHILSensor", "model", FIELDS(mav_hil_sensor)},
    {"HILSensor30d", "model", FIELDS(hil_sensor_30d)},
    {"MavHILGPS", "model", FIELDS(mav_hil_gps)},
    {"HILGPS30d", "model", FIELDS(hil_gps_30d)},
    {"ExtToUE4", "model", FIELDS(ext_to_ue4)},
    {"ExtToPX4", "model", FIELDS(ext_to_px4)},
    {"HIL_SENSOR", "mavlink", FIELDS(hil_sensor)},
    {"HIL_GPS", "mavlink", FIELDS(hil_gps)},
};

const int rf_wire_structure_count = sizeof rf_wire_structures / sizeof *rf_wire_structures;
