/* SPDX-License-Identifier: BSD-3-Clause */
/* Roll, pitch and yaw of an attitude.
 *
 * Z-Y-X sequence: yaw about down, then pitch about the new right, then roll about the new forward axis, so that
 *
 *     R = R_z(yaw) R_y(pitch) R_x(roll),      FRD to NED, R = C(q) of [@rfly-model-api 6.5].
 *
 * The first column of R is (cos pitch cos yaw, cos pitch sin yaw, -sin pitch), which gives yaw and pitch; pitch by the
 * arc tangent, because the arc sine loses half the digits near +-pi/2.  The second row of R_z(-yaw) R is
 * (0, cos roll, -sin roll), which gives roll for that yaw.  So the three angles compose to the attitude within
 * rounding, also near gimbal lock, where only the yaw is arbitrary.  At gimbal lock (no horizontal component of the
 * forward axis) yaw is 0.  ([@diebel 5.6] for the sequence, [@diebel 5.8] for its singularity.) */
#ifndef RF_MATH_EULER_H
#define RF_MATH_EULER_H

#include "math/trig.h"
#include "math/vec.h"

typedef struct euler {
    lane roll;  /* rad, -pi to pi, positive right wing down */
    lane pitch; /* rad, -pi/2 to pi/2, positive nose up */
    lane yaw;   /* rad, -pi to pi, from north towards east */
} euler;

/* Angles of a unit quaternion; the compiler removes those that are not used. */
LANE_INLINE euler euler_from_quat(quat q)
{
    rotation r = rotation_from_quat(q);
    lane level = lane_sqrt(r.north.x * r.north.x + r.east.x * r.east.x); /* cos pitch */
    mask locked = level == 0;
    lane north = lane_select(locked, lane_of(1), r.north.x); /* heading, of any length */
    lane east = lane_select(locked, lane_of(0), r.east.x);
    return (euler){.roll =
                       lane_atan2(east * r.north.z - north * r.east.z, north * r.east.y - east * r.north.y),
                   .pitch = lane_atan2(0 - r.down.x, level),
                   .yaw = lane_atan2(east, north)};
}

/* Unit quaternion of angles of any size. */
LANE_INLINE quat quat_from_euler(euler angles)
{
    lane sr, cr, sp, cp, sy, cy;
    lane_sincos((real)0.5 * angles.roll, &sr, &cr);
    lane_sincos((real)0.5 * angles.pitch, &sp, &cp);
    lane_sincos((real)0.5 * angles.yaw, &sy, &cy);
    return (quat){cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
                  cr * cp * sy - sr * sp * cy};
}

#endif
