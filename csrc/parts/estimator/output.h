/* SPDX-License-Identifier: BSD-3-Clause */
/* Output of the filter, on which vehicles fly: the state that the IMU predicts, like the estimate, but that follows each
 * correction of it within a time tau, so that the steps which measurements make do not reach the control loops ([@px4
 * output_predictor.cpp], there with the names EKF2_TAU_POS and EKF2_TAU_VEL):
 *
 *     x <- predicted x + dt / (dt + tau) (estimate - predicted x)
 *
 * for position, velocity and, by the small rotation between the two, attitude.  The motion itself is not delayed.  After
 * the IMU was at its limits (filter.h) the output is the estimate: corrections are large then, and needed at once.
 *
 * Changes of a position are far below what float32 resolves far from the origin.  They are added with a dither
 * (math/dither.h): u of the number of the update, and of which of the changes in it, so that those of one update are not
 * all rounded alike. */
#ifndef RF_PARTS_ESTIMATOR_OUTPUT_H
#define RF_PARTS_ESTIMATOR_OUTPUT_H

#include "math/dither.h"
#include "parts/estimator/held.h"

/* Changes of positions in an update, after those by the first members of `innovations`; the other members follow. */
enum {
    ESTIMATOR_PREDICTS = 8, /* the estimate */
    ESTIMATOR_MOVES,        /* the output */
    ESTIMATOR_FOLLOWS,      /* the output, to the estimate */
    ESTIMATOR_CHANGES = 3,  /* number of these */
    ESTIMATOR_RECKONS = 18  /* the estimate, as it is wanted: north, east; after all members */
};

/* The dither of a change in an update with this number, 0 where none is due: there the position stays. */
LANE_INLINE lane estimator_dither(uint32_t update, int change, mask due)
{
    const packed zero = {0};
    return lane_select(due, dither_of(zero + (update + (uint32_t)change)), lane_of(0));
}

/* (1, h) q normalized: the attitude q after a small rotation by 2 h [rad, NED]. */
LANE_INLINE quat estimator_turned(quat q, vec3 h)
{
    quat turned = {q.w - (h.x * q.x + h.y * q.y + h.z * q.z), q.x + (q.w * h.x + h.y * q.z - h.z * q.y),
                   q.y + (q.w * h.y + h.z * q.x - h.x * q.z), q.z + (q.w * h.z + h.x * q.y - h.y * q.x)};
    lane s = 1 / lane_sqrt(lane_max(quat_norm2(turned), lane_of((real)1e-9)));
    return (quat){s * turned.w, s * turned.x, s * turned.y, s * turned.z};
}

/* q exp(0, angle / 2): the attitude q after a turn by `angle` [rad, FRD], below a radian. */
LANE_INLINE quat estimator_rotated(quat q, vec3 angle)
{
    lane square = norm2(angle);
    lane cosine = 1 - square * ((real)(1 / 8.0) - square * (real)(1 / 384.0));
    quat change = quat_derivative(q, scale(1 - square * (real)(1 / 24.0), angle));
    return quat_normalize((quat){cosine * q.w + change.w, cosine * q.x + change.x, cosine * q.y + change.y,
                                 cosine * q.z + change.z});
}

/* Twice the vector part of a b^-1: the small rotation [rad, NED] that leads from b to a. */
LANE_INLINE vec3 estimator_turn_between(quat a, quat b)
{
    lane w = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    vec3 v =
        vec3_of(a.x * b.w - a.w * b.x - a.y * b.z + a.z * b.y, a.y * b.w - a.w * b.y - a.z * b.x + a.x * b.z,
                a.z * b.w - a.w * b.z - a.x * b.y + a.y * b.x);
    return scale(lane_select(w < 0, lane_of(-2), lane_of(2)), v);
}

/* Position and velocity after dt of an acceleration. */
LANE_INLINE void estimator_move(vec3 *pos, vec3 *vel, vec3 accel, lane dt, lane dither)
{
    *pos = vec3_add_dithered(*pos, scale(dt, add(*vel, scale((real)0.5 * dt, accel))), dither);
    *vel = add(*vel, scale(dt, accel));
}

/* dt / (dt + tau), 0 where dt is 0; `direct`: with tau = 0. */
LANE_INLINE lane estimator_share(lane dt, lane tau, mask direct)
{
    return dt / lane_max(dt + lane_select(direct, lane_of(0), tau), lane_of((real)1e-6));
}

/* By shares of the difference, horizontal and vertical. */
LANE_INLINE vec3 estimator_towards(vec3 estimate, vec3 x, lane level, lane vertical)
{
    return mul(vec3_of(level, level, vertical), sub(estimate, x));
}

/* The output after dt, 0 where none is `due`, with a turn [rad, FRD], and closer to the estimate; there where `direct`. */
LANE_INLINE void estimator_predict_output(estimator *e, vec3 accel, vec3 turn, lane dt, mask due, mask direct,
                                          uint32_t update)
{
    lane vertical = estimator_share(dt, e->vertical_output_tau, direct);
    lane pos_share = estimator_share(dt, e->pos_output_tau, direct),
         vel_share = estimator_share(dt, e->vel_output_tau, direct);
    estimator_move(&e->pos_output, &e->vel_output, accel, dt, estimator_dither(update, ESTIMATOR_MOVES, due));
    vec3 way = estimator_towards(e->pos_est, e->pos_output, pos_share, vertical);
    e->pos_output = vec3_add_dithered(e->pos_output, way, estimator_dither(update, ESTIMATOR_FOLLOWS, due));
    vec3 change = estimator_towards(e->vel_est, e->vel_output, vel_share, vertical);
    e->vel_output = add(e->vel_output, change);
    lane half = (real)0.5 * estimator_share(dt, e->att_output_tau, direct);
    quat turned = estimator_rotated(e->att_output, turn);
    turned = estimator_turned(turned, scale(half, estimator_turn_between(e->att_est, turned)));
    e->att_output = quat_select(due, turned, e->att_output);
}

/* Bias of the estimate by faults. */
typedef struct estimator_bias {
    vec3 pos, vel, turn; /* m, m/s, NED; rotation vector [rad, FRD] */
} estimator_bias;

_Static_assert(sizeof(estimator_bias) == sizeof(estimate_shift), "estimator_bias: expected all of a shift");

/* Adds a bias to the output, where `due`. */
LANE_INLINE void estimator_shift_output(estimator *e, const estimator_bias *by, lane sign, mask due)
{
    e->pos_output = vec3_select(due, add(e->pos_output, scale(sign, by->pos)), e->pos_output);
    e->vel_output = vec3_select(due, add(e->vel_output, scale(sign, by->vel)), e->vel_output);
    e->att_output = quat_select(due, estimator_rotated(e->att_output, scale(sign, by->turn)), e->att_output);
}

/* Takes the bias that the output has out of it, so that it follows the estimate, where `due`. */
LANE_INLINE void estimator_take_bias(estimator *e, const block *b, mask due)
{
    estimator_bias had;
    if (!part_enabled(b, RF_PART_faults)) return;
    const mask biased = due & (words_load(FAULTS_WORD(b, estimate_is_biased)) != 0);
    if (!mask_any(biased)) return;
    rows_load((lane *)&had, ROWS_OF(had), FAULTS_COLUMN(b, estimate_biased), b->stride);
    estimator_shift_output(e, &had, lane_of(-1), biased);
}

/* Puts the present bias in, and remembers it. */
LANE_INLINE void estimator_put_bias(estimator *e, const block *b, mask due)
{
    estimator_bias has;
    if (!part_enabled(b, RF_PART_faults)) return;
    uint32_t *biased = FAULTS_WORD(b, estimate_is_biased);
    if (!faults_are_of(b, FAULT_PLACE_estimator) && !words_any_at(biased)) return;
    rows_load((lane *)&has, ROWS_OF(has), FAULTS_COLUMN(b, estimate_bias), b->stride);
    const mask any = due & ((norm2(has.pos) + norm2(has.vel) + norm2(has.turn)) > 0);
    estimator_shift_output(e, &has, lane_of(1), any);
    rows_store_where(due, (const lane *)&has, ROWS_OF(has), FAULTS_COLUMN(b, estimate_biased), b->stride);
    words_store_where(due, biased, words_of(any, 1));
}

/* Begins with the estimate, where it is the `first`. */
LANE_INLINE void estimator_begin_output(estimator *e, mask first)
{
    e->pos_output = vec3_select(first, e->pos_est, e->pos_output);
    e->vel_output = vec3_select(first, e->vel_est, e->vel_output);
    e->att_output = quat_select(first, e->att_est, e->att_output);
}

#endif
