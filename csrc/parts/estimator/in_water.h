/* SPDX-License-Identifier: BSD-3-Clause */
/* What sensors in water tell the filter (filter.h): the depth by pressure, of which surface at rest and density of the water are
 * known, the velocity u over the bottom in axes of the body, and an acoustic position.
 *
 *     depth              its error: p_z error
 *     R u  =  v          R u - v: v error - theta x R u + noise
 *     position           its error: p error
 *
 * They are of the present.  The head of waves, of which the sea is known, counts as noise of the depth that lasts for
 * ESTIMATOR_WAVE_TIME: in samples at intervals T it has sqrt(1 + 2 time / T) of its deviation.
 *
 * What has a depth, but for ESTIMATOR_UNAIDED nothing that tells how it moves along the water, is taken to move as its controllers
 * want, with noise of ESTIMATOR_WANTED_VEL that lasts for ESTIMATOR_WANTED_TIME.  So gravity goes on telling its tilt, as by the
 * last known position of EKF2 [@px4 ekf2/EKF/aid_sources/fake_pos_control.cpp]; without that the velocity grows without bounds.  It
 * also flies on that velocity: loops that hold the estimated one would hide from the filter how wrong it is.
 *
 * The scale factor of the log and its place are left out. */
#ifndef RF_PARTS_ESTIMATOR_IN_WATER_H
#define RF_PARTS_ESTIMATOR_IN_WATER_H

#include "control/attitude.h"
#include "parts/estimator/filter.h"
#include "parts/estimator/update.h"

/* Estimated. */
#define ESTIMATOR_WAVE_TIME   ((real)2) /* s */
#define ESTIMATOR_WANTED_TIME ((real)2) /* s */
#define ESTIMATOR_WANTED_VEL  ((real)1) /* m/s */
#define ESTIMATOR_UNAIDED     ((real)5) /* s */

/* Samples, each where its sensor has a new one, as positions and velocities. */
typedef struct estimator_dive {
    mask sunk, logged, heard;
    lane z, z_deviation; /* m, NED: by the depth */
    vec3 vel;            /* m/s, FRD */
    lane vel_deviation;  /* m/s */
    vec3 pos;            /* m, NED */
    lane pos_deviation;  /* m */
} estimator_dive;

LANE_INLINE void estimator_dive_depth(estimator_dive *d, const estimator *e, const block *b,
                                      const estimator_truth *truth)
{
    sensors_water_pressure s;
    SENSORS_LOAD(&s, b, water_pressure_position);
    const lane arm = dot(rotation_from_quat(e->att_est).down, s.water_pressure_position);
    const lane step = s.water_pressure_resolution, period = sensors_period(b, SENSORS_CLOCK_WATER_PRESSURE);
    const lane noise =
        lane_sqrt(s.water_pressure_noise * s.water_pressure_noise + step * step * (real)(1 / 12.0));
    d->sunk = d->sunk & (truth->unit_weight > 0) & lane_finite(s.water_pressure_depth + noise);
    d->z = truth->water_level + s.water_pressure_depth - arm;
    const lane own = lane_max(noise / lane_select(d->sunk, truth->unit_weight, lane_of(1)),
                              lane_of(ESTIMATOR_HEIGHT_NOISE));
    const lane waves = truth->head_square * estimator_lasting(ESTIMATOR_WAVE_TIME, period);
    d->z_deviation = lane_sqrt(own * own + waves);
}

LANE_INLINE void estimator_dive_vel(estimator_dive *d, const block *b)
{
    sensors_dvl s;
    SENSORS_LOAD(&s, b, dvl_noise);
    const lane speed = lane_sqrt(norm2(s.dvl_vel));
    d->logged = d->logged & (words_load(SENSORS_WORD(b, dvl_valid)) != 0) & lane_finite(speed);
    d->vel = s.dvl_vel;
    d->vel_deviation =
        lane_max(sensors_deviation(s.dvl_noise, s.dvl_noise_share, speed), lane_of(ESTIMATOR_VEL_NOISE));
}

LANE_INLINE void estimator_dive_pos(estimator_dive *d, const block *b)
{
    sensors_acoustic s;
    SENSORS_LOAD(&s, b, acoustic_station);
    d->heard = d->heard & (words_load(SENSORS_WORD(b, acoustic_valid)) != 0) &
               lane_finite(norm2(s.acoustic_pos) + s.acoustic_accuracy);
    d->pos = s.acoustic_pos;
    d->pos_deviation = lane_max(s.acoustic_accuracy, lane_of(ESTIMATOR_POS_NOISE));
}

/* Corrects by one of them, by its number in `innovations`. */
LANE_INLINE void estimator_correct_dive(estimator *e, const estimator_dive *d, int number, uint32_t update)
{
    form f = {0};
    mask due = d->sunk;
    lane innovation = d->z - e->pos_est.z, deviation = d->z_deviation;
    if (number == INNOVATION_DEPTH) {
        form_add(&f, ERROR_POS + 2, lane_of(1));
    } else if (number < INNOVATION_ACOUSTIC) {
        const int i = number - INNOVATION_LOG;
        const vec3 vel = to_ned(rotation_from_quat(e->att_est), d->vel);
        form_add(&f, ERROR_VEL + i, lane_of(1));
        estimator_add_cross(&f, neg(vel), i);
        innovation = estimator_axis(vel, i) - estimator_axis(e->vel_est, i);
        deviation = d->vel_deviation;
        due = d->logged;
    } else {
        const int i = number - INNOVATION_ACOUSTIC;
        form_add(&f, ERROR_POS + i, lane_of(1));
        innovation = estimator_axis(d->pos, i) - estimator_axis(e->pos_est, i);
        deviation = d->pos_deviation;
        due = d->heard;
    }
    if (mask_any(due)) estimator_correct(e, &f, innovation, deviation, due, number, update);
}

/* The wanted velocity [m/s, NED]. */
LANE_INLINE vec3 estimator_wanted_vel(const estimator *e)
{
    const lane *wanted = e->wanted_vel;
    direction heading = heading_of(rotation_from_quat(e->att_est), (direction){lane_of(1), lane_of(0)});
    return vec3_of(wanted[0] * heading.north - wanted[1] * heading.east,
                   wanted[0] * heading.east + wanted[1] * heading.north, lane_of(0));
}

/* Where a vehicle has a depth, and nothing that tells how it moves along the water. */
LANE_INLINE mask estimator_reckons(const estimator *e)
{
    const lane *age = e->innovation_ages;
    const lane aided = lane_min(lane_min(age[INNOVATION_POS], age[INNOVATION_VEL]),
                                lane_min(age[INNOVATION_LOG], age[INNOVATION_ACOUSTIC]));
    return (aided > ESTIMATOR_UNAIDED) & (age[INNOVATION_DEPTH] < ESTIMATOR_UNAIDED);
}

/* Corrects by the wanted velocity, with each sample of the depth that is `due`. */
LANE_INLINE void estimator_correct_reckoned(estimator *e, const block *b, vec3 wanted, mask due)
{
    const lane period = sensors_period(b, SENSORS_CLOCK_WATER_PRESSURE);
    const lane lasting = estimator_lasting(ESTIMATOR_WANTED_TIME, period);
    for (int i = 0; i < 2; i++) {
        form f = {0};
        form_add(&f, ERROR_VEL + i, lane_of(1));
        covariance_gate gate = {.state = -1, .open = mask_true()};
        lane gain[ESTIMATOR_STATES], variance = ESTIMATOR_WANTED_VEL * ESTIMATOR_WANTED_VEL * lasting;
        lane innovation = estimator_axis(wanted, i) - estimator_axis(e->vel_est, i);
        mask used = covariance_correct(e->error_covariance, &f, innovation, &variance, &due, &gate, gain);
        for (int k = 0; k < ESTIMATOR_STATES; k++) gain[k] *= lane_select(used, innovation, lane_of(0));
        estimator_add_errors(e, gain, used, estimator_dither(b->update, ESTIMATOR_RECKONS + i, used));
    }
}

/* Takes what has a depth alone to move as it wants. */
LANE_INLINE void estimator_reckon(estimator *e, const block *b, mask updated, mask ready)
{
    const mask due = ready & estimator_reckons(e);
    if (!mask_any(due)) return;
    const vec3 wanted = estimator_wanted_vel(e);
    const mask sampled = due & words_have(updated, SENSOR_WATER_PRESSURE);
    if (mask_any(sampled)) estimator_correct_reckoned(e, b, wanted, sampled);
    e->vel_output = vec3_select(due, vec3_of(wanted.x, wanted.y, e->vel_output.z), e->vel_output);
}

/* Corrects by what sensors in water have `updated`, where `ready`. */
LANE_INLINE void estimator_use_water(estimator *e, const block *b, const estimator_truth *truth, mask updated,
                                     mask ready)
{
    estimator_dive d = {.sunk = ready & words_have(updated, SENSOR_WATER_PRESSURE),
                        .logged = ready & words_have(updated, SENSOR_DVL),
                        .heard = ready & words_have(updated, SENSOR_ACOUSTIC)};
    if (mask_any(d.sunk | d.logged | d.heard)) {
        estimator_dive_depth(&d, e, b, truth);
        estimator_dive_vel(&d, b);
        estimator_dive_pos(&d, b);
        for (int number = INNOVATION_DEPTH; number < WIDTH_estimator_innovations; number++) {
            estimator_correct_dive(e, &d, number, b->update);
        }
    }
    estimator_reckon(e, b, updated, ready);
}

#endif
