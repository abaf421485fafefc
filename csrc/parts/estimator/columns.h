/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the estimator: settings, the estimate, and the memory of the filter (filter.h).
 * Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_ESTIMATOR_COLUMNS_H
#define RF_PARTS_ESTIMATOR_COLUMNS_H

#define ESTIMATOR_STATES  19 /* error states */
#define ESTIMATOR_SAMPLES 4  /* of the satellite receiver, as many as it has on their way */

#define WIDTH_estimator_covariance  (ESTIMATOR_STATES * (ESTIMATOR_STATES + 1) / 2)
#define WIDTH_estimator_innovations 15
#define WIDTH_estimator_ages        WIDTH_estimator_innovations
#define WIDTH_estimator_since       (7 * ESTIMATOR_SAMPLES)

/* clang-format off */

#define ESTIMATOR_PART(X)                                                                                    \
    X(lane, initial_tilt_deviation, "rad", "", "standard deviation of the initial estimate of the tilt, about each axis") \
    X(lane, initial_heading_deviation, "rad", "", "standard deviation of the initial estimate of the heading") \
    X(lane, initial_vel_deviation, "m/s", "", "standard deviation of the initial estimate of the velocity, per axis") \
    X(lane, initial_pos_deviation, "m", "", "standard deviation of the initial estimate of the position, per axis") \
    X(lane, gyro_bias_deviation, "rad/s", "", "standard deviation of the gyroscope's constant bias, per axis, of which the first estimate is 0") \
    X(lane, accel_bias_deviation, "m/s^2", "", "standard deviation of the accelerometer's constant bias, per axis, of which the first estimate is 0") \
    X(lane, pos_output_tau, "s", "", "time in which the horizontal position that is flown on follows corrections of the estimate") \
    X(lane, vel_output_tau, "s", "", "time in which the horizontal velocity that is flown on follows them")   \
    X(lane, vertical_output_tau, "s", "", "time in which height and climb that are flown on follow them")     \
    X(lane, att_output_tau, "s", "", "time in which the attitude that is flown on follows them")              \
    X(lane, innovation_gate, "1", "", "innovations over so many of their standard deviations are not used")   \
    X(pair, wanted_vel, "m/s", "", "level velocity that the controllers want, ahead and to the right: what is known of the motion without sensors of it, under water") \
    X(vec3, pos_est, "m", "NED", "estimated position")                                                       \
    X(vec3, vel_est, "m/s", "NED", "estimated velocity")                                                     \
    X(quat, att_est, "1", "FRD to NED", "estimated attitude, scalar first")                                  \
    X(vec3, pos_output, "m", "NED", "position that is flown on: the estimate, but that corrections reach it within `pos_output_tau`, of its height `vertical_output_tau`") \
    X(vec3, vel_output, "m/s", "NED", "velocity that is flown on: the estimate, but that corrections reach it within `vel_output_tau` and `vertical_output_tau`")                                 \
    X(quat, att_output, "1", "FRD to NED", "attitude that is flown on: the estimate, but that corrections reach it within `att_output_tau`, scalar first")              \
    X(vec3, rate_est, "rad/s", "FRD", "estimated angular velocity: that of the gyroscope less its bias")     \
    X(vec3, gyro_bias_est, "rad/s", "FRD", "estimated bias of the gyroscope")                                \
    X(vec3, accel_bias_est, "m/s^2", "FRD", "estimated bias of the accelerometer")                           \
    X(vec3, gps_drift_est, "m", "NED", "estimated drift of the satellite receiver's position")               \
    X(lane, height_offset_est, "m", "", "estimated pressure altitude of the origin of the map")              \
    X(estimator_innovations, innovations, "1", "", "last innovations over their standard deviations: position and velocity of the satellite receiver, height of the barometer, heading of the magnetometer, depth, velocity over the bottom, acoustic position") \
    X(estimator_ages, innovation_ages, "s", "", "time since each was last used: since then none came, or they were outside the gate") \
    X(lane, imu_trusted_for, "s", "", "time since the IMU was last at a limit or paused; below 8 s all innovations are used, below 4 s `pos_output` and so on are the estimate") \
    X(vec3, force_before, "m/s^2", "FRD", "specific force at the centre of mass that was measured last")                           \
    X(vec3, gyro_before, "rad/s", "FRD", "angular velocity that was measured last")                          \
    X(estimator_since, since_samples, "SI", "NED", "of each of the receiver's last samples, newest first: change of the velocity since, first moment of the acceleration, age") \
    X(estimator_covariance, error_covariance, "SI", "NED, FRD", "covariance of the errors, upper triangle by rows: attitude, velocity, position, biases of gyroscope and accelerometer, drift, height offset")

#define ESTIMATOR_PART_WORD(X)                                                                               \
    X(word, estimator_on, "bool", "", "whether the state is estimated")                                      \
    X(word, flies_on_estimate, "bool", "", "whether navigator and control loops know the estimate instead of the true state") \
    X(word, estimator_state, "bits", "", "what the estimate has begun with: 1 the state, 2 the barometer, 4 a report of the satellite receiver; 8: it is off by a fault, and not valid") \
    X(word, estimator_updated, "1", "", "update of the sensors with the last sample of the IMU") \
    X(word, drift_predicted, "1", "", "update of the sensors to which the drift of the satellite receiver is predicted")

/* clang-format on */

/* All estimated, of a small multirotor that starts where its pilot knows it to be. */
#define ESTIMATOR_INITIAL(SETTING, VALUE, STATE)                                                             \
    SETTING(initial_tilt_deviation, 0.02)                                                                    \
    SETTING(initial_heading_deviation, 0.05)                                                                 \
    SETTING(initial_vel_deviation, 0.1)                                                                      \
    SETTING(initial_pos_deviation, 1)                                                                        \
    SETTING(gyro_bias_deviation, 0.002)                                                                      \
    SETTING(accel_bias_deviation, 0.05)                                                                      \
    SETTING(pos_output_tau, 3)                                                                               \
    SETTING(vel_output_tau, 1)                                                                               \
    SETTING(vertical_output_tau, 0.25)                                                                       \
    SETTING(att_output_tau, 0.25)                                                                            \
    SETTING(innovation_gate, 5)                                                                              \
    SETTING(estimator_on, 0)                                                                                 \
    SETTING(flies_on_estimate, 0)

#endif
