/* SPDX-License-Identifier: BSD-3-Clause */
/* Attitude loop: attitude error to angular velocity command (third loop of [@rfly-model-api 9.2.1.3]).
 *
 * The target is two directions, of the down axis d and of the forward axis f; d_b and f_b in body axes.  The error is
 * split into the shortest rotation of the down axis to d_b (tilt) and the remaining rotation about it (yaw):
 *
 *     tilt:  angle t with cos t = d_b.z, about (-d_b.y, d_b.x, 0)
 *     yaw:   angle y of (f_b.x - d_b.x k, f_b.y - d_b.y k), k = f_b.z / (1 + d_b.z)
 *     rate = p_tilt 2 sin(t / 2) (tilt axis) + p_yaw 2 sin(y / 2) e_z + r_ff (down axis of NED, in the body)
 *
 * Without Euler angles the only singular attitude is the inverted one, where the vehicle rolls; there, and at a yaw
 * error of half a turn, both directions are equally short.  The half-angle form increases with the error up to half a
 * turn, as in PX4.  Yaw feedback is about the body axis, so a yaw error does not tilt the thrust away from its target.
 * p in 1/s, rates in rad/s, FRD.
 *
 * Leaves out: feed-forward of the angular velocity of a moving attitude target, except that of the heading. */
#ifndef RF_CONTROL_ATTITUDE_H
#define RF_CONTROL_ATTITUDE_H

#include "control/velocity.h"
#include "math/trig.h"

/* A direction in the horizontal plane, or an angle by its cosine and sine. */
typedef struct direction {
    lane north, east;
} direction;

LANE_INLINE direction direction_of_angle(lane angle)
{
    direction d;
    lane_sincos(angle, &d.east, &d.north);
    return d;
}

LANE_INLINE direction direction_select(mask m, direction a, direction b)
{
    return (direction){lane_select(m, a.north, b.north), lane_select(m, a.east, b.east)};
}

/* `d` rotated clockwise seen from above by the angle of `by`. */
LANE_INLINE direction direction_rotated(direction d, direction by)
{
    return (direction){d.north * by.north - d.east * by.east, d.east * by.north + d.north * by.east};
}

/* True where no direction is stored. */
LANE_INLINE mask direction_unset(direction d)
{
    return d.north * d.north + d.east * d.east < (real)0.25;
}

/* Heading of an attitude; `otherwise` where the forward axis is vertical, and north where that is zero too. */
LANE_INLINE direction heading_of(rotation r, direction otherwise)
{
    const lane zero = lane_of(0), one = lane_of(1);
    otherwise = direction_select(direction_unset(otherwise), (direction){one, zero}, otherwise);
    lane length2 = r.north.x * r.north.x + r.east.x * r.east.x;
    lane s = 1 / lane_sqrt(lane_max(length2, lane_of(CONTROL_TINY)));
    return direction_select(length2 > (real)1e-6, (direction){s * r.north.x, s * r.east.x}, otherwise);
}

/* Maximum lead of a heading set-point over the heading, under heading rate control. */
#define HEADING_LEAD     0.5                    /* rad */
#define HEADING_LEAD_COS 0.87758256189037271612 /* cos HEADING_LEAD */
#define HEADING_LEAD_SIN 0.47942553860420300027 /* sin HEADING_LEAD */

/* A heading set-point advanced by `step` [rad], within HEADING_LEAD of the actual heading. */
LANE_INLINE direction heading_advanced(direction target, direction actual, lane step)
{
    target = direction_rotated(target, direction_of_angle(step));
    lane s = (real)1.5 - (real)0.5 * (target.north * target.north + target.east * target.east);
    target = (direction){s * target.north, s * target.east};

    lane cosine = actual.north * target.north + actual.east * target.east;
    lane sine = actual.north * target.east - actual.east * target.north;
    lane lead = lane_select(sine < 0, lane_of((real)-HEADING_LEAD_SIN), lane_of((real)HEADING_LEAD_SIN));
    direction bound = direction_rotated(actual, (direction){lane_of((real)HEADING_LEAD_COS), lead});
    return direction_select(cosine < (real)HEADING_LEAD_COS, bound, target);
}

/* A vector (forward, right, down) of the heading frame, in NED. */
LANE_INLINE vec3 heading_to_ned(direction heading, vec3 v)
{
    return vec3_of(heading.north * v.x - heading.east * v.y, heading.east * v.x + heading.north * v.y, v.z);
}

/* Target directions of the body axes, NED.  `down` is a unit vector; `forward` is normal to it, of any length. */
typedef struct attitude_target {
    vec3 down, forward;
} attitude_target;

/* Thrust along the unit vector `thrust` and the forward axis above `heading`. */
LANE_INLINE attitude_target attitude_target_of_thrust(vec3 thrust, direction heading)
{
    vec3 down = neg(thrust);
    /* (heading, z) normal to `down`, times down.z > 0 to avoid the division */
    return (attitude_target){down, vec3_of(heading.north * down.z, heading.east * down.z,
                                           -(heading.north * down.x + heading.east * down.y))};
}

LANE_INLINE lane quat_largest(quat q)
{
    return lane_max(lane_max(lane_abs(q.w), lane_abs(q.x)), lane_max(lane_abs(q.y), lane_abs(q.z)));
}

LANE_INLINE mask quat_finite(quat q)
{
    return lane_finite(q.w) & lane_finite(q.x) & lane_finite(q.y) & lane_finite(q.z);
}

/* `q` of any length but zero. */
LANE_INLINE attitude_target attitude_target_of_quat(quat q)
{
    lane s =
        1 / lane_max(quat_largest(q), lane_of(CONTROL_TINY)); /* the squares neither overflow nor vanish */
    q = (quat){s * q.w, s * q.x, s * q.y, s * q.z};
    s = 1 / lane_sqrt(lane_max(quat_norm2(q), lane_of(CONTROL_TINY)));
    rotation r = rotation_from_quat((quat){s * q.w, s * q.x, s * q.y, s * q.z});
    return (attitude_target){vec3_of(r.north.z, r.east.z, r.down.z), vec3_of(r.north.x, r.east.x, r.down.x)};
}

LANE_INLINE attitude_target attitude_target_select(mask m, attitude_target a, attitude_target b)
{
    return (attitude_target){vec3_select(m, a.down, b.down), vec3_select(m, a.forward, b.forward)};
}

/* 2 sin(angle / 2) for the angle of the vector (c, s), of any length. */
LANE_INLINE lane twice_sine_of_half(lane c, lane s)
{
    lane length = lane_sqrt(c * c + s * s);
    mask acute = c > 0; /* length - c would cancel */
    lane numerator = lane_select(acute, s * s, length - c);
    lane denominator = lane_select(acute, length * (length + c), length);
    lane size = lane_sqrt(2 * numerator / lane_max(denominator, lane_of(CONTROL_TINY)));
    return lane_select(s < 0, -size, size);
}

/* Attitude error [rad, FRD] of magnitude 2 sin(angle / 2): tilt in x and y, yaw in z. */
LANE_INLINE vec3 attitude_error(rotation r, attitude_target target)
{
    const real threshold = (real)1e-6;
    vec3 down = to_body(r, target.down), forward = to_body(r, target.forward);
    lane from_inverted = 1 + down.z;
    mask inverted = mask_not(from_inverted > threshold);
    lane divisor = lane_max(from_inverted, lane_of(threshold));
    lane k = forward.z / divisor;
    lane yaw = twice_sine_of_half(forward.x - down.x * k, forward.y - down.y * k);
    lane s = lane_sqrt(2 / divisor);
    return vec3_of(lane_select(inverted, lane_of(2), -(s * down.y)),
                   lane_select(inverted, lane_of(0), s * down.x), yaw);
}

/* Angular velocity command [rad/s, FRD] for an error; p and limit of tilt and yaw. */
LANE_INLINE vec3 attitude_loop(vec3 error, const lane p[2], const lane limit[2])
{
    lane x = p[0] * error.x, y = p[0] * error.y;
    lane s = limiting_factor(x * x + y * y, limit[0]);
    return vec3_of(s * x, s * y, lane_clamp(p[1] * error.z, -limit[1], limit[1]));
}

#endif
