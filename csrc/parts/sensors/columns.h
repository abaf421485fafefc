/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the sensors: of each its settings, then what it measures and its memory.
 * Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_SENSORS_COLUMNS_H
#define RF_PARTS_SENSORS_COLUMNS_H

#define WIDTH_imu_filter    12 /* x, x' of each axis: accelerometer, gyroscope */
#define WIDTH_gps_queue     24 /* GPS_QUEUE samples of position and velocity */
#define WIDTH_sensor_clocks 10

#define GPS_QUEUE 4

/* clang-format off */

#define SENSORS_IMU(X)                                                                                       \
    X(vec3, imu_position, "m", "FRD", "position of the IMU from the centre of mass; over 0.3 m the estimator expects too little noise") \
    X(vec3, imu_misalignment, "rad", "FRD", "small rotation vector of the IMU's axes from the body's")       \
    X(lane, imu_frequency, "rad/s", "", "natural frequency of the IMU's bandwidth; 0: not limited")          \
    X(lane, imu_damping, "1", "", "damping ratio of the IMU's bandwidth")                            \
    X(lane, imu_vibration, "1", "", "how much the IMU's noise follows the actuator commands, 0 to 1")        \
    X(vec3, imu_accel_noise, "m/s^2/Hz^0.5", "FRD", "density of the accelerometer's white noise")                \
    X(vec3, imu_accel_bias, "m/s^2", "FRD", "constant bias of the accelerometer")                                \
    X(vec3, imu_accel_scale, "1", "FRD", "scale factors of the accelerometer")                                   \
    X(lane, imu_accel_limit, "m/s^2", "", "largest magnitude that the accelerometer measures")                   \
    X(vec3, imu_gyro_noise, "rad/s/Hz^0.5", "FRD", "density of the gyroscope's white noise")                     \
    X(vec3, imu_gyro_bias, "rad/s", "FRD", "constant bias of the gyroscope")                                     \
    X(vec3, imu_gyro_scale, "1", "FRD", "scale factors of the gyroscope")                                        \
    X(lane, imu_gyro_limit, "rad/s", "", "largest magnitude that the gyroscope measures")                        \
    X(vec3, imu_accel, "m/s^2", "FRD", "measured specific force")                                            \
    X(vec3, imu_gyro, "rad/s", "FRD", "measured angular velocity")                                           \
    X(imu_filter, imu_memory, "SI", "FRD", "state of the IMU's bandwidth: value and derivative of each axis")    \
    X(vec3, imu_accel_mean, "m/s^2", "FRD", "mean of the last two specific forces")                          \
    X(vec3, imu_gyro_mean, "rad/s", "FRD", "mean of the last two angular velocities")                        \
    X(lane, imu_accel_shaking, "m/s^2", "", "PX4's vibration of the accelerometer: smoothed change of these means") \
    X(lane, imu_gyro_shaking, "rad/s", "", "PX4's vibration of the gyroscope: smoothed change of these means") \
    X(lane, imu_coning, "rad^2/s^2", "", "PX4's coning vibration: smoothed cross product of these means")

#define SENSORS_DRIFT(X)                                                                                     \
    X(lane, imu_accel_walk, "m/s^2/s^0.5", "", "density of the random walk of the accelerometer's drift")        \
    X(lane, imu_accel_tau, "s", "", "correlation time of the accelerometer's drift")                             \
    X(lane, imu_gyro_walk, "rad/s/s^0.5", "", "density of the random walk of the gyroscope's drift")             \
    X(lane, imu_gyro_tau, "s", "", "correlation time of the gyroscope's drift")                                  \
    X(lane, magnetometer_walk, "T/s^0.5", "", "density of the random walk of the magnetometer's drift")      \
    X(lane, magnetometer_tau, "s", "", "correlation time of the magnetometer's drift")                       \
    X(lane, barometer_walk, "Pa/s^0.5", "", "density of the random walk of the barometer's drift")           \
    X(lane, barometer_tau, "s", "", "correlation time of the barometer's drift")                             \
    X(vec3, imu_accel_drift, "m/s^2", "FRD", "drift of the accelerometer")                                       \
    X(vec3, imu_gyro_drift, "rad/s", "FRD", "drift of the gyroscope")                                            \
    X(vec3, magnetometer_drift, "T", "FRD", "drift of the magnetometer")                                     \
    X(lane, barometer_drift, "Pa", "", "drift of the barometer")

#define SENSORS_MAGNETOMETER(X)                                                                              \
    X(vec3, magnetometer_noise, "T/Hz^0.5", "FRD", "density of the magnetometer's white noise")              \
    X(vec3, magnetometer_bias, "T", "FRD", "constant bias of the magnetometer: hard iron")                   \
    X(vec3, magnetometer_scale, "1", "FRD", "scale factors of the magnetometer")                             \
    X(lane, magnetometer_limit, "T", "", "largest magnitude that the magnetometer measures")                 \
    X(vec3, magnetometer, "T", "FRD", "measured magnetic flux density")

#define SENSORS_BAROMETER(X)                                                                                 \
    X(lane, barometer_noise, "Pa", "", "standard deviation of the barometer's noise")                        \
    X(lane, barometer_bias, "Pa", "", "constant bias of the barometer")                                      \
    X(lane, barometer_airspeed, "1", "", "pressure coefficient of the static port: its error over dynamic pressure") \
    X(lane, temperature_noise, "K", "", "standard deviation of the noise of the temperature")                \
    X(lane, temperature_bias, "K", "", "constant bias of the temperature, such as by self-heating")          \
    X(lane, barometer_pressure, "Pa", "", "measured static pressure")                                        \
    X(lane, barometer_height, "m", "", "pressure altitude: height of the measured pressure in the standard atmosphere") \
    X(lane, barometer_temperature, "K", "", "measured temperature of the air")

#define SENSORS_AIRSPEED(X)                                                                                  \
    X(lane, airspeed_noise, "Pa", "", "standard deviation of the noise of the differential pressure")        \
    X(lane, airspeed_bias, "Pa", "", "constant bias of the differential pressure")                           \
    X(lane, differential_pressure, "Pa", "", "measured differential pressure, negative from behind")         \
    X(lane, indicated_airspeed, "m/s", "", "airspeed of the differential pressure at sea level, signed alike")

#define SENSORS_GPS(X)                                                                                       \
    X(lane, gps_delay, "s", "", "time from a sample of the receiver to its report, up to 4 of its periods")  \
    X(pair, gps_noise, "m", "", "standard deviation of the noise of the position: horizontal, vertical")     \
    X(lane, gps_uniform, "m", "", "bound of uniform noise of the position, on every axis")                   \
    X(pair, gps_walk, "m/s^0.5", "", "density of the random walk of the position's drift: horizontal, vertical") \
    X(lane, gps_tau, "s", "", "correlation time of the position's drift")                                    \
    X(pair, gps_vel_noise, "m/s", "", "standard deviation of the noise of the velocity: horizontal, vertical") \
    X(pair, gps_accuracy, "m", "", "accuracy that is reported without faults: eph, epv")                     \
    X(lane, gps_antenna, "m", "", "height of the antenna over the water of a vehicle that floats at rest")   \
    X(lane, gps_regain, "s", "", "time until a receiver whose antenna was under water has a fix again")      \
    X(vec3, gps_pos, "m", "NED", "reported position")                                                        \
    X(vec3, gps_vel, "m/s", "NED", "reported velocity")                                                      \
    X(lane, gps_speed, "m/s", "", "reported speed over ground")                                              \
    X(lane, gps_course, "rad", "NED", "reported course over ground, 0 to 2 pi; 0 below 1 m/s")               \
    X(pair, gps_reported_accuracy, "m", "", "reported accuracy: eph, epv")                                   \
    X(vec3, gps_drift, "m", "NED", "drift of the position")                                                  \
    X(gps_queue, gps_samples, "SI", "NED", "samples on their way, newest first: position, velocity")

#define SENSORS_RANGE(X)                                                                                     \
    X(lane, range_noise, "m", "", "standard deviation of the range finder's noise")                          \
    X(pair, range_limits, "m", "", "distances that the range finder measures: minimum, maximum")             \
    X(lane, range_distance, "m", "", "measured distance to `terrain` along the down axis, within the limits")

#define SENSORS_WATER_PRESSURE(X)                                                                            \
    X(vec3, water_pressure_position, "m", "FRD", "position of the water pressure sensor from the centre of mass") \
    X(lane, water_pressure_noise, "Pa", "", "standard deviation of the noise of the water pressure")         \
    X(lane, water_pressure_bias, "Pa", "", "constant bias of the water pressure, such as by the weather")    \
    X(lane, water_pressure_resolution, "Pa", "", "step between two values of the water pressure; 0: none")   \
    X(lane, water_pressure, "Pa", "", "measured absolute pressure of the water; above it that of standard air") \
    X(lane, water_pressure_depth, "m", "", "depth of its sensor by it, in water of `water_density` under standard air")

#define SENSORS_DVL(X)                                                                                       \
    X(lane, dvl_noise, "m/s", "", "standard deviation of the noise of the Doppler log at rest, on every axis") \
    X(lane, dvl_noise_share, "1", "", "what it has more, per speed")                                         \
    X(lane, dvl_scale, "1", "", "scale factor of its velocity, such as by an unknown speed of sound")        \
    X(pair, dvl_limits, "m", "", "distances to the bottom at which it sees that: minimum, maximum")          \
    X(lane, dvl_speed_max, "m/s", "", "speed up to which it sees the bottom")                                \
    X(lane, dvl_tilt_max, "rad", "", "tilt up to which it does")                                             \
    X(vec3, dvl_vel, "m/s", "FRD", "measured velocity over the bottom, the last one while it is not seen")   \
    X(lane, dvl_altitude, "m", "", "measured distance to the bottom along the down axis, likewise")

#define SENSORS_ACOUSTIC(X)                                                                                  \
    X(vec3, acoustic_station, "m", "NED", "place of the station to whose sound the vehicle answers")         \
    X(lane, acoustic_noise, "m", "", "standard deviation of the noise of the acoustic position beside the station, on every axis") \
    X(lane, acoustic_noise_share, "1", "", "what it has more, per distance from the station")                \
    X(lane, acoustic_range_max, "m", "", "distance up to which the station hears the vehicle")               \
    X(vec3, acoustic_pos, "m", "NED", "measured position, the last one while there is none")                 \
    X(lane, acoustic_accuracy, "m", "", "standard deviation of its noise that is told with it")

#define SENSORS_POSE(X)                                                                                      \
    X(lane, pose_gravity, "m/s^2", "", "gravity of an accelerometer that is computed from the pose alone")   \
    X(lane, pose_field, "T", "NED", "field to the north of a magnetometer that is computed from the pose alone") \
    X(lane, pose_ground, "m", "NED", "z of the ground of a barometer that is computed from the pose alone")  \
    X(lane, pose_pressure, "Pa", "", "pressure there")                                                       \
    X(lane, pose_temperature, "K", "", "temperature there")

#define SENSORS_PART(X)                                                                                      \
    SENSORS_IMU(X) SENSORS_DRIFT(X) SENSORS_MAGNETOMETER(X) SENSORS_BAROMETER(X) SENSORS_AIRSPEED(X)         \
        SENSORS_GPS(X) SENSORS_RANGE(X) SENSORS_WATER_PRESSURE(X) SENSORS_DVL(X) SENSORS_ACOUSTIC(X)         \
        SENSORS_POSE(X)

#define SENSORS_PART_WORD(X)                                                                                 \
    X(word, sensors_on, "bits", "", "sensors that are on, a pyrfly.protocol.bits.Sensor")                    \
    X(word, imu_period, "1", "", "updates of the sensors from one sample of the IMU to the next")            \
    X(word, magnetometer_period, "1", "", "updates from one sample of the magnetometer to the next")         \
    X(word, barometer_period, "1", "", "updates from one sample of the barometer to the next")               \
    X(word, airspeed_period, "1", "", "updates from one sample of the airspeed to the next")                 \
    X(word, gps_period, "1", "", "updates from one sample of the satellite receiver to the next")            \
    X(word, range_period, "1", "", "updates from one sample of the range finder to the next")                \
    X(word, water_pressure_period, "1", "", "updates from one sample of the water pressure to the next")     \
    X(word, dvl_period, "1", "", "updates from one sample of the Doppler log to the next")                   \
    X(word, acoustic_period, "1", "", "updates from one acoustic position to the next")                      \
    X(word, drift_period, "1", "", "updates from one step of the drifts to the next, but of that of the GPS") \
    X(word, gps_satellites, "1", "", "number of satellites that is reported without faults")                 \
    X(word, sensors_updated, "bits", "", "sensors with a new value at the last update, a pyrfly.protocol.bits.Sensor") \
    X(word, imu_updates, "1", "", "number of samples of the IMU since the last reset")                       \
    X(word, imu_clippings, "1", "", "number of specific forces at the limit since the last reset, each axis") \
    X(word, magnetometer_updates, "1", "", "number of samples of the magnetometer since the last reset")     \
    X(word, barometer_updates, "1", "", "number of samples of the barometer since the last reset")           \
    X(word, airspeed_updates, "1", "", "number of samples of the airspeed since the last reset")             \
    X(word, gps_updates, "1", "", "number of reports of the satellite receiver since the last reset")        \
    X(word, range_updates, "1", "", "number of samples of the range finder since the last reset")            \
    X(word, water_pressure_updates, "1", "", "number of samples of the water pressure since the last reset") \
    X(word, dvl_updates, "1", "", "number of samples of the Doppler log since the last reset")               \
    X(word, acoustic_updates, "1", "", "number of samples of the acoustic position since the last reset")    \
    X(word, gps_fix, "1", "", "fix type that is reported: 0 none, 2 2D, 3 3D")                               \
    X(word, gps_reported_satellites, "1", "", "number of satellites that is reported")                       \
    X(word, range_valid, "bool", "", "whether the range finder sees the ground within its limits")           \
    X(word, dvl_valid, "bool", "", "whether the Doppler log sees the bottom")                                \
    X(word, acoustic_valid, "bool", "", "whether the acoustic position is that of its last sample")          \
    X(sensor_clocks, sensor_next, "1", "", "update of the next sample of each sensor, and of the drifts; 0: the next one") \
    X(word, drift_updates, "1", "", "number of steps of the drifts since the last reset")                    \
    X(word, gps_taken, "1", "", "number of samples of the satellite receiver at its present rate, reported or not, up to 4") \
    X(word, gps_sampled, "1", "", "update after that of the receiver's last sample; 0: none since the last reset") \
    X(word, gps_pace, "1", "", "updates from the last one of them to the next")                              \
    X(word, gps_reported, "1", "", "sample that was reported last, 1: then the newest")                      \
    X(word, gps_pending, "1", "", "sample to report next, 1: the newest; 0: none")                         \
    X(word, gps_report, "1", "", "update at which it is reported")                                           \
    X(word, gps_wet, "1", "", "update after that of the last sample with the antenna under water; 0: none since the reset") \
    X(word, sensor_sources, "bits", "", "bits of sensors that are given; 12 higher: given anew; 24 higher: from the pose; 28 higher: as printed")

/* clang-format on */

/* Ideal sensors with a value at every update; 1e30: without a limit.  The field of the pose is about that at RflySim's
 * origin, estimated.  The drifts take 0.1 s where updates are 4 ms
 * apart, well below any correlation time. */
#define SENSORS_INITIAL(SETTING, VALUE, STATE)                                                               \
    SETTING(imu_position, 0)                                                                                 \
    SETTING(imu_misalignment, 0)                                                                             \
    SETTING(imu_frequency, 0)                                                                                \
    SETTING(imu_damping, 1)                                                                                  \
    SETTING(imu_vibration, 0)                                                                                \
    SETTING(imu_accel_noise, 0)                                                                              \
    SETTING(imu_accel_bias, 0)                                                                               \
    SETTING(imu_accel_scale, 1)                                                                              \
    SETTING(imu_accel_limit, 1e30)                                                                           \
    SETTING(imu_gyro_noise, 0)                                                                               \
    SETTING(imu_gyro_bias, 0)                                                                                \
    SETTING(imu_gyro_scale, 1)                                                                               \
    SETTING(imu_gyro_limit, 1e30)                                                                            \
    SETTING(imu_accel_walk, 0)                                                                               \
    SETTING(imu_accel_tau, 1)                                                                                \
    SETTING(imu_gyro_walk, 0)                                                                                \
    SETTING(imu_gyro_tau, 1)                                                                                 \
    SETTING(magnetometer_walk, 0)                                                                            \
    SETTING(magnetometer_tau, 1)                                                                             \
    SETTING(barometer_walk, 0)                                                                               \
    SETTING(barometer_tau, 1)                                                                                \
    SETTING(magnetometer_noise, 0)                                                                           \
    SETTING(magnetometer_bias, 0)                                                                            \
    SETTING(magnetometer_scale, 1)                                                                           \
    SETTING(magnetometer_limit, 1e30)                                                                        \
    SETTING(barometer_noise, 0)                                                                              \
    SETTING(barometer_bias, 0)                                                                               \
    SETTING(barometer_airspeed, 0)                                                                           \
    SETTING(temperature_noise, 0)                                                                            \
    SETTING(temperature_bias, 0)                                                                             \
    SETTING(airspeed_noise, 0)                                                                               \
    SETTING(airspeed_bias, 0)                                                                                \
    SETTING(gps_delay, 0)                                                                                    \
    SETTING(gps_noise, 0)                                                                                    \
    SETTING(gps_uniform, 0)                                                                                  \
    SETTING(gps_walk, 0)                                                                                     \
    SETTING(gps_tau, 1)                                                                                      \
    SETTING(gps_vel_noise, 0)                                                                                \
    SETTING(gps_accuracy, 0)                                                                                 \
    SETTING(gps_antenna, 0.1)                                                                                \
    SETTING(gps_regain, 0)                                                                                   \
    SETTING(range_noise, 0)                                                                                  \
    SETTING(range_limits, 0)                                                                                 \
    SETTING(water_pressure_position, 0)                                                                      \
    SETTING(water_pressure_noise, 0)                                                                         \
    SETTING(water_pressure_bias, 0)                                                                          \
    SETTING(water_pressure_resolution, 0)                                                                    \
    SETTING(dvl_noise, 0)                                                                                    \
    SETTING(dvl_noise_share, 0)                                                                              \
    SETTING(dvl_scale, 1)                                                                                    \
    SETTING(dvl_limits, 0)                                                                                   \
    SETTING(dvl_speed_max, 1e30)                                                                             \
    SETTING(dvl_tilt_max, 1.5)                                                                               \
    SETTING(acoustic_station, 0)                                                                             \
    SETTING(acoustic_noise, 0)                                                                               \
    SETTING(acoustic_noise_share, 0)                                                                         \
    SETTING(acoustic_range_max, 1e30)                                                                        \
    SETTING(sensors_on, 0)                                                                                   \
    SETTING(imu_period, 1)                                                                                   \
    SETTING(magnetometer_period, 1)                                                                          \
    SETTING(barometer_period, 1)                                                                             \
    SETTING(airspeed_period, 1)                                                                              \
    SETTING(gps_period, 1)                                                                                   \
    SETTING(range_period, 1)                                                                                 \
    SETTING(water_pressure_period, 1)                                                                        \
    SETTING(dvl_period, 1)                                                                                   \
    SETTING(acoustic_period, 1)                                                                              \
    SETTING(drift_period, 25)                                                                                \
    SETTING(gps_satellites, 0)                                                                               \
    SETTING(pose_gravity, 9.80665)                                                                           \
    SETTING(pose_field, 2.8e-5)                                                                              \
    SETTING(pose_ground, 0)                                                                                  \
    SETTING(pose_pressure, 101325)                                                                           \
    SETTING(pose_temperature, 288.15)                                                                        \
    SETTING(sensor_sources, 0)

#endif
