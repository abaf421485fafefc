/* SPDX-License-Identifier: BSD-3-Clause */
/* Error-state Kalman filter of a vehicle's motion ([@sola 7] with errors in the global frame, [@crassidis-markley 6.2]):
 * equations, without columns.
 *
 * Estimated are attitude R (FRD to NED), velocity v and position p (NED), the biases b_w and b_f of gyroscope and
 * accelerometer (FRD), the drift d of the satellite receiver's position (NED) and the pressure altitude h_0 of the origin.
 * An error is the true value less the estimate; that of the attitude is the small rotation theta [rad, NED] of
 *
 *     R_true = (I + [theta]x) R
 *
 * Prediction over dt, from the means w, f of two samples of the IMU, which are noisy with the densities n_w, n_f:
 *
 *     R <- R exp([w - b_w]x dt)                      theta <- theta - R dt (b_w error + n_w)
 *     a  = R_m (f - b_f) + g                         R_m in the middle of dt
 *     v <- v + a dt                                  v error <- v error + theta x (a - g) dt - R_m dt (b_f error + n_f)
 *     p <- p + v dt + a dt^2 / 2                     p error <- p error + v error dt
 *
 * At a distance r from the centre of mass the IMU measures w' x r + w x (w x r) more (parts/sensors/imu.h).  That is taken
 * off each sample f, with w' from the difference to the one before: the noise of the gyroscope adds up to N x r / sqrt(T)
 * in the velocity, and does not grow: it counts as noise of the receiver's velocity.
 *
 * The bandwidth of the IMU delays its samples: their change over dt, times delay / dt, is added to the means.  Where a
 * sensor is at its limit, its noise has a density of ESTIMATOR_CLIPPED_NOISE of that.  The biases are random walks with
 * the densities of the IMU's drifts, and h_0 with that of the barometer's, or of the weather where that is more.
 *
 * Satellite receiver.  A report is of the time D ago.  With A = int a ds and B = int (s - s_0) a ds over that time,
 *
 *     v(s_0) = v - A,        its error: v error - theta x (A - g D) + R D b_f error
 *     p(s_0) = p - D v + B,  its error: p error - D v error + theta x (B - g D^2 / 2) - R D^2 / 2 b_f error
 *     reported velocity = v(s_0) + noise,    reported position = p(s_0) + d + noise
 *
 * exactly, but for what the IMU's noise adds in the time D, and the turning of R in the last terms.  d is the Gauss-Markov
 * process that the receiver's settings describe (models/gauss_markov.h), from one report to the next, and where none comes.
 *
 * Barometer.  Its pressure altitude is h_0 - p_z + noise, that of its static port included; the first one sets h_0.
 *
 * Magnetometer.  With the measured field m, the known one B (NED) and its horizontal magnitude B_h,
 *
 *     ((R m) x B)_z / B_h^2 = theta_z - B_z (B_x theta_x + B_y theta_y) / B_h^2 + noise / B_h
 *
 * that is the error of the heading.  The vertical part of the field, which would tell of the tilt, is left out.
 *
 * Gate.  An innovation beyond `innovation_gate` of its standard deviations is not used.
 *
 * What sensors in water measure: in_water.h.
 *
 * A position, height or depth that has not been used for ESTIMATOR_POS_TIMEOUT or ESTIMATOR_HEIGHT_TIMEOUT is: the state that it
 * measures, p or h_0, is forgotten before, that is, it gets the innovation for its deviation, without correlations.
 *
 * A velocity or heading that has not been used for ESTIMATOR_TIMEOUT puts the IMU in doubt: until all pass their gates for
 * ESTIMATOR_DOUBT all are used, rather a receiver that is wrong by some m/s than an attitude that is lost.  Samples of the
 * IMU at its limits, and a pause of more than ESTIMATOR_PAUSE, do so for twice that, and in the first half of it the output
 * is the estimate.
 *
 * Leaves out: misalignment and scale factors of the IMU; its vibration; rotation of the earth; magnetic disturbances. */
#ifndef RF_PARTS_ESTIMATOR_FILTER_H
#define RF_PARTS_ESTIMATOR_FILTER_H

#include "models/gauss_markov.h"
#include "parts/estimator/covariance.h"
#include "parts/estimator/output.h"

/* First error state of each quantity. */
enum {
    ERROR_ATT = 0,
    ERROR_VEL = 3,
    ERROR_POS = 6,
    ERROR_GYRO_BIAS = 9,
    ERROR_ACCEL_BIAS = 12,
    ERROR_DRIFT = 15,
    ERROR_HEIGHT_OFFSET = 18
};

/* Members of `innovations`. */
enum {
    INNOVATION_POS = 0,
    INNOVATION_VEL = 3,
    INNOVATION_HEIGHT = 6,
    INNOVATION_HEADING = 7,
    INNOVATION_DEPTH = 8,
    INNOVATION_LOG = 9, /* velocity over the bottom of the water */
    INNOVATION_ACOUSTIC = 12
};

/* What no sensor is better than, so that ideal sensors leave a sound covariance, in float32 too: with less noise of the
 * gyroscope there rounding makes variances of a hover negative within 20 s.  Estimated. */
#define ESTIMATOR_GYRO_NOISE    ((real)(LANE_PRECISION == 32 ? 1e-4 : 1e-5)) /* rad/s/Hz^0.5 */
#define ESTIMATOR_ACCEL_NOISE   ((real)5e-4)                                 /* m/s^2/Hz^0.5 */
#define ESTIMATOR_CLIPPED_NOISE ((real)0.25)                                 /* s^0.5 */
#define ESTIMATOR_POS_NOISE     ((real)0.01)                                 /* m */
#define ESTIMATOR_VEL_NOISE     ((real)0.01)                                 /* m/s */
#define ESTIMATOR_HEIGHT_NOISE  ((real)0.01)                                 /* m */
#define ESTIMATOR_HEADING_NOISE ((real)1e-3)                                 /* rad */

/* Times of EKF2 [@px4 v1.16.1 ekf2/EKF/common.h]: reset_timeout_max, hgt_fusion_timeout_max, no_aid_timeout_max.  The
 * others are estimated. */
#define ESTIMATOR_POS_TIMEOUT    ((real)7)   /* s */
#define ESTIMATOR_HEIGHT_TIMEOUT ((real)5)   /* s */
#define ESTIMATOR_TIMEOUT        ((real)1)   /* s */
#define ESTIMATOR_DOUBT          ((real)4)   /* s */
#define ESTIMATOR_PAUSE          ((real)0.1) /* s */

/* Random walk of h_0 by the weather: with it the error of the height stays within 3 of its standard deviations while the
 * pressure changes by 3 hPa an hour, which is 25 m.  Estimated; EKF2 has 0.13 [@px4 v1.16.1 ekf2/EKF/common.h]. */
#define ESTIMATOR_HEIGHT_WALK ((real)0.04) /* m/s^0.5 */

/* What the filter expects of the wind at the static port.  Estimated. */
#define ESTIMATOR_WIND      ((real)5) /* m/s */
#define ESTIMATOR_PORT_TIME ((real)1) /* s, for which a gust lasts */

/* Variance of samples at intervals of `period` [s], over that of a noise that lasts for a time [s]. */
LANE_INLINE lane estimator_lasting(real time, lane period)
{
    return 1 + 2 * time / period;
}

/* Standard deviations and densities of the sensors. */
typedef struct estimator_imu {
    vec3 position;                /* from the centre of mass: m, FRD */
    vec3 force, rate;             /* samples: m/s^2, rad/s, FRD */
    vec3 accel_noise, gyro_noise; /* m/s^2/Hz^0.5, rad/s/Hz^0.5 */
    lane accel_walk, gyro_walk;   /* per root second */
    lane lag;                     /* of the samples: s */
    mask clipped;                 /* where a sample is at its limit */
} estimator_imu;

LANE_INLINE lane estimator_axis(vec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/* The row i of a rotation. */
LANE_INLINE vec3 estimator_row(rotation r, int i)
{
    return i == 0 ? r.north : i == 1 ? r.east : r.down;
}

/* Adds a factor times three states, or the axis i of theta x v. */
LANE_INLINE void estimator_add_vector(form *f, int first, vec3 factors)
{
    form_add(f, first, factors.x);
    form_add(f, first + 1, factors.y);
    form_add(f, first + 2, factors.z);
}

LANE_INLINE void estimator_add_cross(form *f, vec3 v, int i)
{
    int next = (i + 1) % 3, last = (i + 2) % 3;
    form_add(f, ERROR_ATT + next, estimator_axis(v, last));
    form_add(f, ERROR_ATT + last, -estimator_axis(v, next));
}

/* Adds R diag(noise^2) R^T dt to three states. */
LANE_INLINE void estimator_add_noise(lane *p, int first, rotation r, vec3 noise, lane dt)
{
    vec3 variance = scale(dt, mul(noise, noise));
    for (int i = 0; i < 3; i++) {
        for (int k = i; k < 3; k++) {
            p[covariance_at(first + i, first + k)] +=
                dot(mul(estimator_row(r, i), variance), estimator_row(r, k));
        }
    }
}

LANE_INLINE void estimator_add_walk(lane *p, int first, lane density, lane dt)
{
    for (int i = first; i < first + 3; i++) p[covariance_at(i, i)] += density * density * dt;
}

LANE_INLINE vec3 estimator_noise_floor(vec3 noise, real least)
{
    return vec3_of(lane_max(noise.x, lane_of(least)), lane_max(noise.y, lane_of(least)),
                   lane_max(noise.z, lane_of(least)));
}

/* The covariance after dt, with the attitude r and the specific force [m/s^2, NED] in its middle. */
LANE_INLINE void estimator_predict_covariance(lane *p, rotation r, vec3 force, const estimator_imu *imu,
                                              lane dt)
{
    vec3 moved = scale(dt, force);
    for (int i = 0; i < 3; i++) {
        form f = {0};
        form_add(&f, ERROR_VEL + i, dt);
        covariance_combine(p, ERROR_POS + i, &f);
    }
    for (int i = 0; i < 3; i++) {
        form f = {0};
        estimator_add_cross(&f, moved, i);
        estimator_add_vector(&f, ERROR_ACCEL_BIAS, scale(-dt, estimator_row(r, i)));
        covariance_combine(p, ERROR_VEL + i, &f);
    }
    for (int i = 0; i < 3; i++) {
        form f = {0};
        estimator_add_vector(&f, ERROR_GYRO_BIAS, scale(-dt, estimator_row(r, i)));
        covariance_combine(p, ERROR_ATT + i, &f);
    }
    vec3 gyro_noise = estimator_noise_floor(imu->gyro_noise, ESTIMATOR_GYRO_NOISE);
    vec3 accel_noise = estimator_noise_floor(imu->accel_noise, ESTIMATOR_ACCEL_NOISE);
    estimator_add_noise(p, ERROR_ATT, r, gyro_noise, dt);
    estimator_add_noise(p, ERROR_VEL, r, accel_noise, dt);
    estimator_add_walk(p, ERROR_GYRO_BIAS, imu->gyro_walk, dt);
    estimator_add_walk(p, ERROR_ACCEL_BIAS, imu->accel_walk, dt);
}

/* Adds the motion of dt to that since the samples of the satellite receiver. */
LANE_INLINE void estimator_move_samples(estimator_sample *since, vec3 accel, lane dt)
{
    vec3 change = scale(dt, accel);
    for (estimator_sample *s = since; s < since + ESTIMATOR_SAMPLES; s++) {
        s->moment = add(s->moment, scale(s->age + (real)0.5 * dt, change));
        s->vel_change = add(s->vel_change, change);
        s->age += dt;
    }
}

/* Where the IMU has been trusted for less than a time [s]. */
LANE_INLINE mask estimator_doubted(const estimator *e, real time)
{
    return e->imu_trusted_for < time;
}

/* Measured specific force at the centre of mass, with an angular acceleration [rad/s^2]. */
LANE_INLINE vec3 estimator_at_centre(const estimator *e, const estimator_imu *imu, vec3 accel)
{
    vec3 rate = sub(imu->rate, e->gyro_bias_est);
    vec3 turning = cross(rate, cross(rate, imu->position));
    return sub(imu->force, add(cross(accel, imu->position), turning));
}

/* Predicts over dt [s], 0 where no sample of the IMU is `due`, with gravity g [m/s^2], in an update with a number. */
LANE_INLINE void estimator_predict(estimator *e, const estimator_imu *imu, lane gravity, lane dt, mask due,
                                   uint32_t update)
{
    const lane half = lane_of((real)0.5);
    lane per_dt = 1 / lane_max(dt, lane_of((real)1e-6));
    vec3 change = sub(imu->rate, e->gyro_before), centre = estimator_at_centre(e, imu, scale(per_dt, change));
    vec3 rate = sub(scale(half, add(imu->rate, e->gyro_before)), e->gyro_bias_est);
    vec3 force = sub(scale(half, add(centre, e->force_before)), e->accel_bias_est);
    lane lead = imu->lag * per_dt;
    rate = add(rate, scale(lead, change));
    force = add(force, scale(lead, sub(centre, e->force_before)));
    rate = vec3_select(due, rate, vec3_of(lane_of(0), lane_of(0), lane_of(0)));
    force = vec3_select(due, force, vec3_of(lane_of(0), lane_of(0), lane_of(0)));
    vec3 turn = scale(dt, rate);
    rotation r = rotation_from_quat(estimator_rotated(e->att_est, scale(half, turn)));
    vec3 pushed = to_ned(r, force), accel = vec3_of(pushed.x, pushed.y, pushed.z + gravity);
    estimator_predict_covariance(e->error_covariance, r, pushed, imu, dt);
    estimator_move_samples(e->since_samples, accel, dt);
    estimator_move(&e->pos_est, &e->vel_est, accel, dt, estimator_dither(update, ESTIMATOR_PREDICTS, due));
    e->att_est = quat_select(due, estimator_rotated(e->att_est, turn), e->att_est);
    for (int i = 0; i < WIDTH_estimator_ages; i++) e->innovation_ages[i] += dt;
    mask doubted = due & (imu->clipped | (dt > ESTIMATOR_PAUSE));
    e->imu_trusted_for = lane_select(doubted, lane_of(0), e->imu_trusted_for + dt);
    estimator_predict_output(e, accel, turn, dt, due, estimator_doubted(e, ESTIMATOR_DOUBT), update);
    e->force_before = vec3_select(due, centre, e->force_before);
    e->gyro_before = vec3_select(due, imu->rate, e->gyro_before);
    e->rate_est = vec3_select(due, sub(imu->rate, e->gyro_bias_est), e->rate_est);
}

LANE_INLINE vec3 estimator_vector(const lane *rows, int first)
{
    return vec3_of(rows[first], rows[first + 1], rows[first + 2]);
}

/* Adds errors to the estimate, where `due`. */
LANE_INLINE void estimator_add_errors(estimator *e, const lane *error, mask due, lane dither)
{
    vec3 half = scale(lane_of((real)0.5), estimator_vector(error, ERROR_ATT));
    e->att_est = quat_select(due, estimator_turned(e->att_est, half), e->att_est);
    e->vel_est = add(e->vel_est, estimator_vector(error, ERROR_VEL));
    e->pos_est = vec3_add_dithered(e->pos_est, estimator_vector(error, ERROR_POS), dither);
    e->gyro_bias_est = add(e->gyro_bias_est, estimator_vector(error, ERROR_GYRO_BIAS));
    e->accel_bias_est = add(e->accel_bias_est, estimator_vector(error, ERROR_ACCEL_BIAS));
    e->gps_drift_est = add(e->gps_drift_est, estimator_vector(error, ERROR_DRIFT));
    e->height_offset_est = lane_add_dithered(e->height_offset_est, error[ERROR_HEIGHT_OFFSET], dither);
}

/* The error state that an innovation measures alone, -1 without one. */
LANE_INLINE int estimator_measured(int number)
{
    if (number < INNOVATION_VEL) return ERROR_POS + number;
    if (number == INNOVATION_HEIGHT) return ERROR_HEIGHT_OFFSET;
    if (number == INNOVATION_DEPTH) return ERROR_POS + 2;
    return number < INNOVATION_ACOUSTIC ? -1 : ERROR_POS + number - INNOVATION_ACOUSTIC;
}

/* Corrects by a measurement: an innovation, its form and the standard deviation of its noise, where it is due. */
LANE_INLINE void estimator_correct(estimator *e, const form *h, lane innovation, lane deviation, mask due,
                                   int number, uint32_t update)
{
    const int height = number == INNOVATION_HEIGHT || number == INNOVATION_DEPTH;
    const int state = estimator_measured(number);
    lane gain[ESTIMATOR_STATES], variance = deviation * deviation, *age = &e->innovation_ages[number];
    covariance_gate gate = {
        .limit = e->innovation_gate * e->innovation_gate,
        .state = state,
        .late = *age > (height       ? ESTIMATOR_HEIGHT_TIMEOUT
                        : state >= 0 ? ESTIMATOR_POS_TIMEOUT
                                     : ESTIMATOR_TIMEOUT),
        .open = estimator_doubted(e, 2 * ESTIMATOR_DOUBT),
    };
    mask used = covariance_correct(e->error_covariance, h, innovation, &variance, &due, &gate, gain);
    lane *last = &e->innovations[number];
    *last = lane_select(due, innovation / lane_sqrt(variance), *last);
    *age = lane_select(used, lane_of(0), *age);
    lane least = lane_min(e->imu_trusted_for, lane_of(ESTIMATOR_DOUBT));
    if (gate.state < 0) e->imu_trusted_for = lane_select(used & gate.outside, least, e->imu_trusted_for);
    innovation = lane_select(used, innovation, lane_of(0));
    for (int i = 0; i < ESTIMATOR_STATES; i++) gain[i] *= innovation;
    const int change = number < INNOVATION_DEPTH ? number : number + ESTIMATOR_CHANGES;
    estimator_add_errors(e, gain, used, estimator_dither(update, change, used));
}

/* The drift of the receiver after the time `elapsed` [s], where `due`; where it is `fresh`, its stationary
 * distribution. */
LANE_INLINE void estimator_predict_drift(estimator *e, const lane *walk, lane tau, lane elapsed, mask fresh,
                                         mask due)
{
    lane *drift = (lane *)&e->gps_drift_est;
    for (int i = 0; i < 3; i++) {
        gauss_markov process = gauss_markov_of(walk[i == 2], tau, elapsed, fresh);
        lane decay = lane_select(due, process.decay, lane_of(1)), spread = process.spread * process.spread;
        drift[i] *= decay;
        covariance_scale(e->error_covariance, ERROR_DRIFT + i, decay);
        lane *own = &e->error_covariance[covariance_at(ERROR_DRIFT + i, ERROR_DRIFT + i)];
        *own += lane_select(due, spread, lane_of(0));
    }
}

/* A reported position [m, NED], of the time of a sample. */
LANE_INLINE void estimator_correct_pos(estimator *e, const estimator_sample *then, vec3 reported,
                                       vec3 deviation, lane gravity, mask due, uint32_t update)
{
    for (int i = 0; i < 3; i++) {
        rotation r = rotation_from_quat(e->att_est);
        vec3 weight = vec3_of(lane_of(0), lane_of(0), (real)0.5 * then->age * then->age * gravity);
        vec3 pos = add(sub(e->pos_est, scale(then->age, e->vel_est)), then->moment);
        form f = {0};
        form_add(&f, ERROR_POS + i, lane_of(1));
        form_add(&f, ERROR_DRIFT + i, lane_of(1));
        form_add(&f, ERROR_VEL + i, -then->age);
        estimator_add_cross(&f, sub(then->moment, weight), i);
        estimator_add_vector(&f, ERROR_ACCEL_BIAS,
                             scale((real)-0.5 * then->age * then->age, estimator_row(r, i)));
        lane expected = estimator_axis(pos, i) + estimator_axis(e->gps_drift_est, i);
        estimator_correct(e, &f, estimator_axis(reported, i) - expected, estimator_axis(deviation, i), due,
                          INNOVATION_POS + i, update);
    }
}

/* A reported velocity [m/s, NED], likewise. */
LANE_INLINE void estimator_correct_vel(estimator *e, const estimator_sample *then, vec3 reported,
                                       vec3 deviation, lane gravity, mask due, uint32_t update)
{
    for (int i = 0; i < 3; i++) {
        rotation r = rotation_from_quat(e->att_est);
        vec3 weight = vec3_of(lane_of(0), lane_of(0), then->age * gravity);
        vec3 vel = sub(e->vel_est, then->vel_change);
        form f = {0};
        form_add(&f, ERROR_VEL + i, lane_of(1));
        estimator_add_cross(&f, sub(weight, then->vel_change), i);
        estimator_add_vector(&f, ERROR_ACCEL_BIAS, scale(then->age, estimator_row(r, i)));
        estimator_correct(e, &f, estimator_axis(reported, i) - estimator_axis(vel, i),
                          estimator_axis(deviation, i), due, INNOVATION_VEL + i, update);
    }
}

/* The first pressure altitude [m] sets that of the origin, whose error is then that of the height, and the noise. */
LANE_INLINE void estimator_begin_height(estimator *e, lane height, lane deviation, mask due)
{
    lane *p = e->error_covariance;
    e->height_offset_est = lane_select(due, height + e->pos_est.z, e->height_offset_est);
    for (int k = 0; k < ERROR_HEIGHT_OFFSET; k++) {
        lane *with = &p[covariance_at(k, ERROR_HEIGHT_OFFSET)];
        *with = lane_select(due, p[covariance_at(k, ERROR_POS + 2)], *with);
    }
    lane *own = &p[covariance_at(ERROR_HEIGHT_OFFSET, ERROR_HEIGHT_OFFSET)];
    *own = lane_select(due, p[covariance_at(ERROR_POS + 2, ERROR_POS + 2)] + deviation * deviation, *own);
}

/* A pressure altitude [m], where that of the origin has drifted by `drift` [m] since the last one. */
LANE_INLINE void estimator_correct_height(estimator *e, lane height, lane deviation, lane drift, mask due,
                                          uint32_t update)
{
    form f = {0};
    lane *own = &e->error_covariance[covariance_at(ERROR_HEIGHT_OFFSET, ERROR_HEIGHT_OFFSET)];
    *own += lane_select(due, drift * drift, lane_of(0));
    form_add(&f, ERROR_POS + 2, lane_of(-1));
    form_add(&f, ERROR_HEIGHT_OFFSET, lane_of(1));
    estimator_correct(e, &f, height - (e->height_offset_est - e->pos_est.z), deviation, due,
                      INNOVATION_HEIGHT, update);
}

/* A magnetic field [T, FRD] where `known` is the true one [T, NED]; deviation per axis [T]. */
LANE_INLINE void estimator_correct_heading(estimator *e, vec3 measured, vec3 known, lane deviation, mask due,
                                           uint32_t update)
{
    vec3 field = to_ned(rotation_from_quat(e->att_est), measured);
    lane level2 = known.x * known.x + known.y * known.y, inverse = 1 / level2;
    lane tilt = -(known.z * inverse);
    form f = {0};
    estimator_add_vector(&f, ERROR_ATT, vec3_of(tilt * known.x, tilt * known.y, lane_of(1)));
    lane noise = lane_max(deviation / lane_sqrt(level2), lane_of(ESTIMATOR_HEADING_NOISE));
    estimator_correct(e, &f, inverse * (field.x * known.y - field.y * known.x), noise, due & (level2 > 0),
                      INNOVATION_HEADING, update);
}

#endif
