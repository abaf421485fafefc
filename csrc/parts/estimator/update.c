/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimator of a block: begins at the first sample of the IMU, predicts at every further one, corrects by what else
 * the sensors have measured. */
#include "base/sets.h"

SET_BEGIN
#include "parts/estimator/update.h"

#include "models/atmosphere.h"
#include "models/gps.h"
#include "parts/environment/held.h"
#include "parts/estimator/filter.h"
#include "parts/estimator/in_water.h"
#include "parts/random.h"
#include "parts/sensors/clock.h"

#define ESTIMATOR_NEVER ((real)1e6) /* s */

#define ESTIMATOR_STREAM 0x45535449 /* of math/philox.h, and the two next */

/* The noise of an axis, more where it is at its limit. */
LANE_INLINE lane estimator_clipped(lane measured, lane limit, lane noise)
{
    return lane_select(lane_abs(measured) < limit, noise, ESTIMATOR_CLIPPED_NOISE * limit);
}

LANE_INLINE vec3 estimator_noise_of(vec3 measured, lane limit, vec3 noise)
{
    return vec3_of(estimator_clipped(measured.x, limit, noise.x),
                   estimator_clipped(measured.y, limit, noise.y),
                   estimator_clipped(measured.z, limit, noise.z));
}

LANE_INLINE lane estimator_largest(vec3 v)
{
    return lane_max(lane_max(lane_abs(v.x), lane_abs(v.y)), lane_abs(v.z));
}

/* Delay of the IMU's bandwidth, with half an interval in which it holds its input [s]. */
LANE_INLINE lane estimator_lag(const sensors_imu *s, lane period)
{
    lane lag = 2 * s->imu_damping / s->imu_frequency + (real)0.5 * period;
    return lane_select(s->imu_frequency > 0, lag, lane_of(0));
}

LANE_INLINE estimator_imu estimator_imu_of(const block *b)
{
    sensors_imu s;
    SENSORS_LOAD(&s, b, imu_position);
    return (estimator_imu){.position = s.imu_position,
                           .force = s.imu_accel,
                           .rate = s.imu_gyro,
                           .accel_noise =
                               estimator_noise_of(s.imu_accel, s.imu_accel_limit, s.imu_accel_noise),
                           .gyro_noise = estimator_noise_of(s.imu_gyro, s.imu_gyro_limit, s.imu_gyro_noise),
                           .clipped = mask_not((estimator_largest(s.imu_accel) < s.imu_accel_limit) &
                                               (estimator_largest(s.imu_gyro) < s.imu_gyro_limit)),
                           .lag = estimator_lag(&s, sensors_period(b, SENSORS_CLOCK_IMU)),
                           .accel_walk = lane_load(SENSORS_COLUMN(b, imu_accel_walk)),
                           .gyro_walk = lane_load(SENSORS_COLUMN(b, imu_gyro_walk))};
}

/* Where a sample of the IMU is one: an IMU without a limit measures 1e30 for what is not a number. */
LANE_INLINE mask estimator_sound(vec3 v)
{
    return norm2(v) < (real)1e12;
}

/* Variance of a drift, that of a Gauss-Markov process. */
LANE_INLINE lane estimator_drift_variance(lane walk, lane tau)
{
    return (real)0.5 * tau * walk * walk;
}

/* The initial variances of the error states. */
LANE_INLINE void estimator_initial_variances(const estimator *e, const block *b, lane *variance)
{
    sensors_drift d;
    SENSORS_LOAD(&d, b, imu_accel_walk);
    lane tilt = e->initial_tilt_deviation * e->initial_tilt_deviation;
    for (int i = 0; i < ESTIMATOR_STATES; i++) variance[i] = lane_of(0);
    for (int i = 0; i < 3; i++) {
        variance[ERROR_ATT + i] = i < 2 ? tilt : e->initial_heading_deviation * e->initial_heading_deviation;
        variance[ERROR_VEL + i] = e->initial_vel_deviation * e->initial_vel_deviation;
        variance[ERROR_POS + i] = e->initial_pos_deviation * e->initial_pos_deviation;
        variance[ERROR_GYRO_BIAS + i] = e->gyro_bias_deviation * e->gyro_bias_deviation +
                                        estimator_drift_variance(d.imu_gyro_walk, d.imu_gyro_tau);
        variance[ERROR_ACCEL_BIAS + i] = e->accel_bias_deviation * e->accel_bias_deviation +
                                         estimator_drift_variance(d.imu_accel_walk, d.imu_accel_tau);
    }
}

/* Begins the estimate: the true state with errors that are drawn from the initial covariance. */
LANE_INLINE void estimator_begin(estimator *e, const block *b, const estimator_truth *truth,
                                 const estimator_imu *imu, mask due)
{
    estimator begun = *e;
    lane variance[ESTIMATOR_STATES], error[12], deviation[ERROR_POS + 3];
    estimator_initial_variances(e, b, variance);
    for (int i = 0; i < 3; i++) {
        random_block random;
        block_random(&random, b, ESTIMATOR_STREAM + (uint32_t)i);
        for (int k = 0; k < 2; k++) {
            noise_of_words(random.word[k], &error[4 * i + 2 * k], &error[4 * i + 2 * k + 1]);
        }
    }
    for (int i = 0; i < ERROR_POS + 3; i++) {
        deviation[i] = lane_sqrt(variance[i]);
        error[i] *= deviation[i];
    }
    for (int i = 0; i < WIDTH_estimator_covariance; i++) begun.error_covariance[i] = lane_of(0);
    for (int i = 0; i < WIDTH_estimator_ages; i++) begun.innovation_ages[i] = lane_of(0);
    for (int i = 0; i < ESTIMATOR_STATES; i++) begun.error_covariance[covariance_at(i, i)] = variance[i];
    begun.pos_est = add(truth->motion.pos, estimator_vector(error, ERROR_POS));
    begun.vel_est = add(truth->motion.vel, estimator_vector(error, ERROR_VEL));
    begun.att_est =
        estimator_turned(truth->motion.att, scale(lane_of((real)0.5), estimator_vector(error, ERROR_ATT)));
    begun.imu_trusted_for = lane_of(2 * ESTIMATOR_DOUBT);
    begun.force_before = estimator_at_centre(e, imu, vec3_of(lane_of(0), lane_of(0), lane_of(0)));
    begun.gyro_before = begun.rate_est = imu->rate;
    rows_select((lane *)e, due, (const lane *)&begun, (const lane *)e, ROWS_OF(estimator));
}

/* A new sample of the satellite receiver, reported or not yet: motion since then begins. */
LANE_INLINE void estimator_take_sample(estimator *e, mask sampled)
{
    estimator_since moved = {0};
    for (int i = 1; i < ESTIMATOR_SAMPLES; i++) moved[i] = e->since_samples[i - 1];
    rows_select((lane *)e->since_samples, sampled, (const lane *)moved, (const lane *)e->since_samples,
                WIDTH_estimator_since);
}

/* Standard deviations of the receiver's position, without its drift, and velocity. */
LANE_INLINE vec3 estimator_pos_deviation(const sensors_gps *s)
{
    lane least =
        s->gps_uniform * s->gps_uniform * (real)(1 / 3.0) + ESTIMATOR_POS_NOISE * ESTIMATOR_POS_NOISE;
    lane level = lane_sqrt(least + s->gps_noise[0] * s->gps_noise[0]);
    return vec3_of(level, level, lane_sqrt(least + s->gps_noise[1] * s->gps_noise[1]));
}

/* Variance of the estimated velocity by the noise n of the last two samples of the gyroscope, at a distance r from the centre
 * of mass: that of ((1/2 + k) n + (1/2 - k) n_before) x r, with the share k = lag / T that makes up for the bandwidth. */
LANE_INLINE lane estimator_arm_variance(const block *b)
{
    sensors_imu s;
    SENSORS_LOAD(&s, b, imu_position);
    lane period = sensors_period(b, SENSORS_CLOCK_IMU), lead = estimator_lag(&s, period) / period;
    lane noise = estimator_largest(s.imu_gyro_noise);
    return noise * noise / period * ((real)0.5 + 2 * lead * lead) * norm2(s.imu_position);
}

LANE_INLINE vec3 estimator_vel_deviation(const sensors_gps *s, lane arm)
{
    lane level = lane_max(s->gps_vel_noise[0], lane_of(ESTIMATOR_VEL_NOISE)),
         down = lane_max(s->gps_vel_noise[1], lane_of(ESTIMATOR_VEL_NOISE));
    level = lane_sqrt(level * level + arm);
    return vec3_of(level, level, lane_sqrt(down * down + arm));
}

/* Whole updates since one with this number. */
LANE_INLINE mask estimator_updates_since(const block *b, const uint32_t *number)
{
    return (sensors_now(b) - words_load(number)) & (lane_int)0xFFFFFF;
}

/* Predicts the drift of the satellite receiver to a report, and where one is missing for more than a period. */
LANE_INLINE void estimator_age_drift(estimator *e, const block *b, mask *state, mask report, mask ready)
{
    uint32_t *predicted = ESTIMATOR_WORD(b, drift_predicted);
    mask elapsed = estimator_updates_since(b, predicted), has = words_have(*state, ESTIMATOR_HAS_DRIFT);
    mask due = report | (ready & has & (elapsed > sensors_interval(b, SENSORS_CLOCK_GPS)));
    if (!mask_any(due)) return;
    sensors_gps s;
    SENSORS_LOAD(&s, b, gps_delay);
    lane time = lane_of_words(elapsed) * b->period;
    estimator_predict_drift(e, s.gps_walk, s.gps_tau, time, mask_not(has), due);
    *state |= words_of(due, ESTIMATOR_HAS_DRIFT);
    words_store_where(due, predicted, sensors_now(b));
}

/* Where reports of the satellite receiver are the user's: a sample each, of the time at which it is new. */
LANE_INLINE mask estimator_gps_is_given(const block *b)
{
    return words_have(words_load(SENSORS_WORD(b, sensor_sources)), SENSOR_GPS << SENSORS_GIVEN);
}

/* A report of the satellite receiver. */
LANE_INLINE void estimator_use_gps(estimator *e, const block *b, lane gravity, mask due)
{
    sensors_gps s;
    SENSORS_LOAD(&s, b, gps_delay);
    mask number = words_load(SENSORS_WORD(b, gps_reported));
    number = words_select(estimator_gps_is_given(b), words_of(mask_true(), 1), number);
    estimator_sample then = e->since_samples[0];
    for (int i = 1; i < ESTIMATOR_SAMPLES; i++) {
        rows_select((lane *)&then, number == i + 1, (const lane *)&e->since_samples[i], (const lane *)&then,
                    ROWS_OF(estimator_sample));
    }
    estimator_correct_pos(e, &then, s.gps_pos, estimator_pos_deviation(&s), gravity, due, b->update);
    estimator_correct_vel(e, &then, s.gps_vel, estimator_vel_deviation(&s, estimator_arm_variance(b)),
                          gravity, due, b->update);
}

/* Standard deviation [m] of the height by the error of the static port, C_p V^2 / (2 g), whose airspeed V no sensor of the
 * filter tells: that over ground and of a wind that is as likely.  It lasts a while, longer than the sampling period: as
 * white noise of the same density it is larger. */
LANE_INLINE lane estimator_port_deviation(const estimator *e, lane coefficient, lane period)
{
    lane square = norm2(e->vel_est) + ESTIMATOR_WIND * ESTIMATOR_WIND;
    lane once = lane_abs(coefficient) * square * (real)(0.5 / ATMOSPHERE_GRAVITY);
    return once * lane_sqrt(estimator_lasting(ESTIMATOR_PORT_TIME, period));
}

/* A sample of the barometer.  A pressure p is RT / (p g) p of height [m]. */
LANE_INLINE void estimator_use_barometer(estimator *e, const block *b, mask *state, mask due)
{
    sensors_barometer s;
    SENSORS_LOAD(&s, b, barometer_noise);
    lane per_pascal =
        ATMOSPHERE_GAS_CONSTANT / ATMOSPHERE_GRAVITY * s.barometer_temperature / s.barometer_pressure;
    lane noise = per_pascal * s.barometer_noise, period = sensors_period(b, SENSORS_CLOCK_BAROMETER);
    lane port = estimator_port_deviation(e, s.barometer_airspeed, period);
    lane deviation = lane_max(lane_sqrt(noise * noise + port * port), lane_of(ESTIMATOR_HEIGHT_NOISE));
    lane walk = per_pascal * lane_load(SENSORS_COLUMN(b, barometer_walk));
    lane drift = lane_max(walk, lane_of(ESTIMATOR_HEIGHT_WALK)) * lane_sqrt(period);
    due = due & lane_finite(s.barometer_height) & lane_finite(noise + port);
    mask has = words_have(*state, ESTIMATOR_HAS_HEIGHT);
    estimator_begin_height(e, s.barometer_height, deviation, due & mask_not(has));
    *state |= words_of(due, ESTIMATOR_HAS_HEIGHT);
    estimator_correct_height(e, s.barometer_height, deviation, drift, due & has, b->update);
}

/* A sample of the magnetometer; its drift counts as noise.  What is not a number is 1e30 here, as of the IMU. */
LANE_INLINE void estimator_use_magnetometer(estimator *e, const block *b, mask due)
{
    sensors_magnetometer s;
    sensors_drift d;
    SENSORS_LOAD(&s, b, magnetometer_noise);
    SENSORS_LOAD(&d, b, imu_accel_walk);
    lane density = lane_max(lane_max(s.magnetometer_noise.x, s.magnetometer_noise.y), s.magnetometer_noise.z);
    lane variance = density * density / sensors_period(b, SENSORS_CLOCK_MAGNETOMETER) +
                    estimator_drift_variance(d.magnetometer_walk, d.magnetometer_tau);
    due = due & (norm2(s.magnetometer) < 1);
    estimator_correct_heading(e, s.magnetometer, environment_magnetic_field(b), lane_sqrt(variance), due,
                              b->update);
}

/* The estimate where a fault stops it: only the gyroscope is heard, as the rate loop does without a filter.  Of one that is
 * off nothing was used since ESTIMATOR_NEVER, and its state says so. */
LANE_INLINE void estimator_stop(estimator *e, const estimator_imu *imu, mask moved, mask off)
{
    e->rate_est = vec3_select(moved, sub(imu->rate, e->gyro_bias_est), e->rate_est);
    for (int i = 0; i < WIDTH_estimator_ages; i++) {
        e->innovation_ages[i] = lane_select(off, lane_of(ESTIMATOR_NEVER), e->innovation_ages[i]);
    }
}

/* Time since the last sample of the IMU that was used [s]. */
LANE_INLINE lane estimator_interval(const block *b)
{
    return lane_of_words(estimator_updates_since(b, ESTIMATOR_WORD(b, estimator_updated))) * b->period;
}

void RF_SET_NAME(rf_estimator_update)(const block *b, const estimator_truth *truth)
{
    mask on = words_load(ESTIMATOR_WORD(b, estimator_on)) != 0;
    mask updated = words_load(SENSORS_WORD(b, sensors_updated));
    mask state = words_load(ESTIMATOR_WORD(b, estimator_state));
    estimator_imu imu = estimator_imu_of(b);
    mask sound = estimator_sound(imu.force) & estimator_sound(imu.rate);
    mask moved = on & sound & words_have(updated, SENSOR_IMU), begun = words_have(state, ESTIMATOR_BEGUN);
    if (!mask_any(on & (moved | begun))) return;
    mask wrong = faults_of_the_estimator(b), stopped = begun & (wrong != 0);
    mask off = stopped & words_have(wrong, FAULTY_ESTIMATOR_OFF), lost = words_have(state, ESTIMATOR_LOST);
    estimator e;
    rows_load((lane *)&e, ROWS_OF(estimator), part_columns(b, RF_PART_estimator), b->stride);
    mask first = moved & mask_not(stopped) & (mask_not(begun) | lost);
    mask next = moved & begun & mask_not(stopped | lost);
    estimator_take_bias(&e, b, next);
    if (mask_any(first)) estimator_begin(&e, b, truth, &imu, first);
    if (mask_any(next)) {
        lane dt = lane_select(next, estimator_interval(b), lane_of(0));
        estimator_predict(&e, &imu, truth->gravity, dt, next, b->update);
    }
    if (mask_any(stopped)) estimator_stop(&e, &imu, moved & stopped, off);
    state =
        words_select(first, words_of(mask_true(), ESTIMATOR_BEGUN), state | words_of(off, ESTIMATOR_LOST));
    mask known = on & words_have(state, ESTIMATOR_BEGUN);
    mask given = estimator_gps_is_given(b) & words_have(updated, SENSOR_GPS);
    mask sampled = known & (given | sensors_gps_sampled(b));
    mask ready = known & mask_not(stopped | words_have(state, ESTIMATOR_LOST));
    mask fixed = words_load(SENSORS_WORD(b, gps_fix)) >= GPS_3D;
    mask report = ready & fixed & words_have(updated, SENSOR_GPS),
         height = ready & words_have(updated, SENSOR_BAROMETER);
    mask field = ready & words_have(updated, SENSOR_MAGNETOMETER);
    if (mask_any(sampled)) estimator_take_sample(&e, sampled);
    if (mask_any(field)) estimator_use_magnetometer(&e, b, field);
    if (mask_any(height)) estimator_use_barometer(&e, b, &state, height);
    estimator_age_drift(&e, b, &state, report, ready);
    if (mask_any(report)) estimator_use_gps(&e, b, truth->gravity, report);
    estimator_use_water(&e, b, truth, updated, ready);
    if (mask_any(first)) estimator_begin_output(&e, first);
    estimator_put_bias(&e, b, first | next);
    rows_store((const lane *)&e, ROWS_OF(estimator), part_columns(b, RF_PART_estimator), b->stride);
    words_store(ESTIMATOR_WORD(b, estimator_state), state);
    uint32_t *last = ESTIMATOR_WORD(b, estimator_updated);
    words_store_where(first | next, last, sensors_now(b));
}
SET_END
