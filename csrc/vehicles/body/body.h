/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid body of all vehicle types: envelope check, outputs, semi-implicit Euler.
 *
 * A body is passed by value: the state of a type begins with the same members, but a cast between the two structs
 * would violate the aliasing rules. */
#ifndef RF_VEHICLES_BODY_BODY_H
#define RF_VEHICLES_BODY_BODY_H

#include "base/column.h"
#include "base/status.h"
#include "math/euler.h"
#include "math/rows.h"
#include "vehicles/body/columns.h"

typedef struct body {
    BODY_STATE(COLUMN_MEMBER)
} body;

typedef struct body_output {
    BODY_OUTPUT(COLUMN_MEMBER)
} body_output;

enum { BODY_ROWS = ROWS_OF(body) };

/* The body of a vehicle's state. */
#define body_of(s) ((body){(s)->pos, (s)->vel, (s)->att, (s)->rate})

/* z of the ground below [m, NED] by the column `ground` of a state, or `terrain` where this has changed. */
LANE_INLINE lane body_ground(const lane *ground, lane terrain)
{
    return lane_select(ground[1] == terrain, ground[0], terrain);
}

/* Where a sum of squares of state variables is not finite. */
LANE_INLINE mask body_not_finite(lane squares)
{
    return words_of(mask_not(squares - squares == 0), RF_VEHICLE_NOT_FINITE);
}

/* Fault flags of a body.  Comparisons with NaN are false; only the first test detects NaN. */
LANE_INLINE mask body_check_envelope(body s)
{
    const real far = (real)RF_MAX_DISTANCE, fast = (real)RF_MAX_SPEED, spin = (real)RF_MAX_RATE;
    lane distance = norm2(s.pos), speed = norm2(s.vel), rate = norm2(s.rate), unit = quat_norm2(s.att);
    mask bits = body_not_finite(distance + speed + rate + unit);
    bits |= words_of(distance > far * far, RF_VEHICLE_FAR);
    bits |= words_of(speed > fast * fast, RF_VEHICLE_FAST);
    bits |= words_of(rate > spin * spin, RF_VEHICLE_SPINNING);
    bits |= words_of((unit < (real)0.25) | (unit > (real)2.25), RF_VEHICLE_BAD_ATTITUDE);
    return bits;
}

/* 30 / pi: rotors of the 3D packets turn in 1/min. */
#define RPM_OF_RAD_PER_S ((real)9.549296585513720146)

/* Outputs of a body with an acceleration and that of a free fall [m/s^2, NED], and an angular acceleration
 * [rad/s^2, FRD]; `displayed_actuators` is filled by the family. */
LANE_INLINE body_output body_outputs(body s, vec3 accel, vec3 free_fall, vec3 angular_accel)
{
    rotation r = rotation_from_quat(s.att);
    euler angles = euler_from_quat(s.att);
    body_output out = {
        .vel_body = to_body(r, s.vel),
        .accel = to_body(r, accel),
        .angular_accel = angular_accel,
        .euler = vec3_of(angles.roll, angles.pitch, angles.yaw),
        .dcm = {r.north.x, r.east.x, r.down.x, r.north.y, r.east.y, r.down.y, r.north.z, r.east.z, r.down.z}};
    out.specific_force = sub(out.accel, to_body(r, free_fall));
    return out;
}

/* After an explicit Euler step from `before` to `s`: the way, in place of the position, and the attitude with the new
 * velocities, which makes the step semi-implicit.  Both are rows of a whole state. */
LANE_INLINE void body_semi_implicit(lane *s, const lane *before, lane dt)
{
    enum { POS = 0, VEL = 3, ATT = 6, RATE = 10 };
    for (int i = 0; i < 3; i++) s[POS + i] = dt * s[VEL + i];
    const quat att = {before[ATT], before[ATT + 1], before[ATT + 2], before[ATT + 3]};
    quat q = quat_derivative(att, vec3_of(s[RATE], s[RATE + 1], s[RATE + 2]));
    const lane att_derivative[4] = {q.w, q.x, q.y, q.z};
    rows_add_scaled(s + ATT, before + ATT, dt, att_derivative, 4);
}

#endif
