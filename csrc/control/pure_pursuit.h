/* SPDX-License-Identifier: BSD-3-Clause */
/* Pure pursuit: the arc that leads a vehicle which goes where its nose points back to its path (Coulter,
 * Implementation of the Pure Pursuit Path Tracking Algorithm, CMU-RI-TR-92-01, 1992).
 *
 * The path is a straight line through a point with a direction.  From the foot of the perpendicular on it, e away, the
 * goal lies sqrt(L^2 - e^2) ahead: L from the vehicle, the look-ahead distance.  Further than L from the line, the foot
 * itself is the goal.  With the goal (x forward, y right) at the distance l, the arc through it has the curvature
 *
 *     k = 2 y / l^2                            [1/m], positive to the right
 *
 * and small errors decay as e'' + 2 e' / L + 2 e / L^2 = 0 along the path: damping 0.71, wavelength 2 pi L.
 * m, in the horizontal plane.
 *
 * Leaves out: paths that bend within the look-ahead distance. */
#ifndef RF_CONTROL_PURE_PURSUIT_H
#define RF_CONTROL_PURE_PURSUIT_H

#include "control/attitude.h"

/* A vector in the horizontal plane, north and east [m]. */
typedef direction vec2;

LANE_INLINE vec2 vec2_of(vec3 v)
{
    return (vec2){v.x, v.y};
}

LANE_INLINE lane vec2_dot(vec2 a, vec2 b)
{
    return a.north * b.north + a.east * b.east;
}

/* Its length, at least a tiny one to divide by. */
LANE_INLINE lane vec2_length(vec2 a)
{
    return lane_sqrt(lane_max(vec2_dot(a, a), lane_of(CONTROL_TINY)));
}

/* Component of b to the right of a. */
LANE_INLINE lane vec2_cross(vec2 a, vec2 b)
{
    return a.north * b.east - a.east * b.north;
}

/* From the vehicle to the goal; `to_point` leads to a point of the line, `along` is its direction, of length 1. */
LANE_INLINE vec2 pursuit_goal(vec2 to_point, vec2 along, lane look_ahead)
{
    lane ahead = vec2_dot(to_point, along), across = vec2_cross(along, to_point);
    lane reach = lane_sqrt(lane_max(look_ahead * look_ahead - across * across, lane_of(0)));
    lane shift = reach - ahead; /* from the point to the goal */
    return (vec2){to_point.north + shift * along.north, to_point.east + shift * along.east};
}

/* Curvature [1/m] of the arc to a goal; `nose` is where the vehicle points, of length 1. */
LANE_INLINE lane pursuit_curvature(vec2 goal, vec2 nose)
{
    lane distance2 = lane_max(vec2_dot(goal, goal), lane_of(CONTROL_TINY));
    return 2 * vec2_cross(nose, goal) / distance2;
}

#endif
