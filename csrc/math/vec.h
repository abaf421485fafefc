/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors, quaternions and rotations of lanes.
 *
 *   +---------------------------------------------------------------------------------------------+
 *   | Frames: NED (north, east, down), local; FRD (forward, right, down), fixed to the body.       |
 *   | Quaternion: scalar first (w, x, y, z), unit, rotates FRD components into NED components.      |
 *   | Euler angles: roll, pitch, yaw of the Z-Y-X sequence.                                        |
 *   +---------------------------------------------------------------------------------------------+
 *
 *   vec3_of vec3_select add sub neg scale mul cross dot norm2  vec3
 *   sym3_mul sym3_inverse                                     symmetric 3x3 (xx yy zz xy xz yz)
 *   rotation_from_quat to_body to_ned                         3x3 FRD to NED
 *   quat_select quat_derivative quat_normalize               attitude kinematics */
#ifndef RF_MATH_VEC_H
#define RF_MATH_VEC_H

#include "math/lane.h"

typedef lane pair[2];
typedef lane quartet[4];
typedef lane octet[8];
typedef lane matrix[9]; /* rows first */

typedef struct vec3 {
    lane x, y, z;
} vec3;

typedef struct quat {
    lane w, x, y, z;
} quat;

/* A symmetric matrix; an off-diagonal member is the matrix element, not the product of inertia (its negative). */
typedef struct sym3 {
    lane xx, yy, zz, xy, xz, yz;
} sym3;

/* Rows of the direction cosine matrix: ned = rotation * frd. */
typedef struct rotation {
    vec3 north, east, down;
} rotation;

LANE_INLINE vec3 vec3_of(lane x, lane y, lane z)
{
    return (vec3){x, y, z};
}

LANE_INLINE vec3 add(vec3 a, vec3 b)
{
    return vec3_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

LANE_INLINE vec3 sub(vec3 a, vec3 b)
{
    return vec3_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

LANE_INLINE vec3 neg(vec3 a)
{
    return vec3_of(-a.x, -a.y, -a.z);
}

LANE_INLINE vec3 scale(lane s, vec3 a)
{
    return vec3_of(s * a.x, s * a.y, s * a.z);
}

/* Element by element. */
LANE_INLINE vec3 mul(vec3 a, vec3 b)
{
    return vec3_of(a.x * b.x, a.y * b.y, a.z * b.z);
}

LANE_INLINE vec3 vec3_abs(vec3 a)
{
    return vec3_of(lane_abs(a.x), lane_abs(a.y), lane_abs(a.z));
}

LANE_INLINE vec3 vec3_select(mask m, vec3 a, vec3 b)
{
    return vec3_of(lane_select(m, a.x, b.x), lane_select(m, a.y, b.y), lane_select(m, a.z, b.z));
}

LANE_INLINE lane dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

LANE_INLINE lane norm2(vec3 a)
{
    return dot(a, a);
}

LANE_INLINE vec3 cross(vec3 a, vec3 b)
{
    return vec3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

LANE_INLINE vec3 sym3_mul(sym3 m, vec3 v)
{
    return vec3_of(m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                   m.xz * v.x + m.yz * v.y + m.zz * v.z);
}

/* Inverse by cofactors; the matrix must be positive definite. */
LANE_INLINE sym3 sym3_inverse(sym3 m)
{
    sym3 c = {.xx = m.yy * m.zz - m.yz * m.yz,
              .yy = m.xx * m.zz - m.xz * m.xz,
              .zz = m.xx * m.yy - m.xy * m.xy,
              .xy = m.xz * m.yz - m.xy * m.zz,
              .xz = m.xy * m.yz - m.xz * m.yy,
              .yz = m.xy * m.xz - m.xx * m.yz};
    lane s = 1 / (m.xx * c.xx + m.xy * c.xy + m.xz * c.xz);
    return (sym3){s * c.xx, s * c.yy, s * c.zz, s * c.xy, s * c.xz, s * c.yz};
}

/* [@rfly-model-api 6.5]: R = C(q). */
LANE_INLINE rotation rotation_from_quat(quat q)
{
    lane x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    lane xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    lane xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    lane wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (rotation){.north = vec3_of(1 - (yy + zz), xy - wz, xz + wy),
                      .east = vec3_of(xy + wz, 1 - (xx + zz), yz - wx),
                      .down = vec3_of(xz - wy, yz + wx, 1 - (xx + yy))};
}

LANE_INLINE vec3 to_ned(rotation r, vec3 frd)
{
    return vec3_of(dot(r.north, frd), dot(r.east, frd), dot(r.down, frd));
}

LANE_INLINE vec3 to_body(rotation r, vec3 ned)
{
    return vec3_of(r.north.x * ned.x + r.east.x * ned.y + r.down.x * ned.z,
                   r.north.y * ned.x + r.east.y * ned.y + r.down.y * ned.z,
                   r.north.z * ned.x + r.east.z * ned.y + r.down.z * ned.z);
}

/* q' = q * (0, rate) / 2, rate in FRD [rad/s] [@rfly-model-api 6.5]. */
LANE_INLINE quat quat_derivative(quat q, vec3 rate)
{
    vec3 h = scale(lane_of((real)0.5), rate);
    return (quat){-(q.x * h.x) - q.y * h.y - q.z * h.z, q.w * h.x + q.y * h.z - q.z * h.y,
                  q.w * h.y + q.z * h.x - q.x * h.z, q.w * h.z + q.x * h.y - q.y * h.x};
}

LANE_INLINE quat quat_select(mask m, quat a, quat b)
{
    return (quat){lane_select(m, a.w, b.w), lane_select(m, a.x, b.x), lane_select(m, a.y, b.y),
                  lane_select(m, a.z, b.z)};
}

LANE_INLINE lane quat_norm2(quat q)
{
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

/* One Newton step towards |q| = 1: the error after it is 3/2 of the square of the error before, so a quaternion
 * integrated with a small step stays normalized to rounding without a square root. */
LANE_INLINE quat quat_normalize(quat q)
{
    lane s = (real)1.5 - (real)0.5 * quat_norm2(q);
    return (quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

#endif
