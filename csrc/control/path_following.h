/* SPDX-License-Identifier: BSD-3-Clause */
/* Following lines and circles in wind: the L1 law [@park-2004], with the air-mass-relative references of [@stastny-2019].
 *
 * Of a path, t is its direction at the point closest to the aircraft, k its curvature (positive to the right), and e the
 * distance from the aircraft to it, positive to the right.  With the ground speed v, the period T and the damping z of the
 * response,
 *
 *     L1 = z T v / pi                                       look-ahead distance
 *     b  = sqrt(1 - x^2) t + x n,  x = e / L1               course: to the point of the path that far ahead; n is right of t
 *     a  = 4 z^2 v / L1 (V sin y) + w k v^2 / cos c         lateral acceleration [m/s^2], to the right
 *
 * where |x| is at most 1, straight to the path, and onto a line at most sqrt(1 - (1 - |e| / R)^2), R = v^2 / A, |e| < R:
 * the tangent of the circle that ends on it, so that a turn with the lateral acceleration A overshoots no line.  Far from a
 * circle of radius r, at the distance d > r from its centre, it is at most sqrt(1 - (r / d)^2), along the tangent to it.  y is
 * the angle from the air velocity, of size V, to the one with which the aircraft moves along b in the wind: without wind the
 * angle to b, and a = 4 z^2 v^2 / L1 sin y, the law of the source.
 * Behind, y counts as a right angle.  The weight w = sqrt(1 - (e / L1)^2) max(0, t.v / v) of the curvature is 1 on the path;
 * c is the angle between air and ground velocity: a is normal to the former, and its component normal to the latter turns
 * the course.  Small errors of a line decay, in any steady wind, as
 *
 *     e'' + 2 z (2 pi / T) e' + (2 pi / T)^2 e = 0.
 *
 * A wind W across a course b takes a heading asin(W_across / V) into it.  Where the wind is too strong for the course, the
 * heading is the one that loses least.  m, m/s; north and east.
 * Leaves out: the roll lag. */
#ifndef RF_CONTROL_PATH_FOLLOWING_H
#define RF_CONTROL_PATH_FOLLOWING_H

#include "control/pure_pursuit.h"

#define PATH_LEAST_COSINE ((real)0.5) /* of c: further from its course an aircraft does not follow a path */

typedef struct path_gains {
    lane period, damping; /* s, 1 */
    lane accel;           /* m/s^2: lateral acceleration of a turn onto a line; 0: any */
} path_gains;

/* The path at the point closest to an aircraft. */
typedef struct path_point {
    vec2 along;     /* t */
    lane error;     /* m: e */
    lane curvature; /* 1/m: k */
    lane steepest;  /* maximum of |x| */
} path_point;

/* The line through a point, to which `to_point` [m] leads, along a direction of length 1. */
LANE_INLINE path_point path_of_line(vec2 to_point, vec2 along)
{
    return (path_point){along, vec2_cross(along, to_point), lane_of(0), lane_of(1)};
}

/* The circle about a point; a positive radius [m] is flown to the right, clockwise seen from above. */
LANE_INLINE path_point path_of_circle(vec2 to_centre, lane radius)
{
    lane distance = lane_sqrt(vec2_dot(to_centre, to_centre)),
         side = lane_select(radius < 0, lane_of(-1), lane_of(1));
    lane inverse = side / lane_max(distance, lane_of(CONTROL_TINY));
    mask inside = distance < (real)1e-3; /* at the centre any direction will do */
    vec2 along = {lane_select(inside, lane_of(1), inverse * to_centre.east),
                  lane_select(inside, lane_of(0), -(inverse * to_centre.north))};
    lane share = lane_min(side * radius / lane_max(distance, lane_of(CONTROL_TINY)), lane_of(1));
    lane steepest = lane_select(share < 1, lane_sqrt(lane_max(1 - share * share, lane_of(0))), lane_of(1));
    return (path_point){along, side * (distance - side * radius), 1 / radius, steepest};
}

/* Air velocity [m/s] of size V that moves along the course b, of length 1, in a wind; in too strong a wind the one that is
 * closest to that. */
LANE_INLINE vec2 path_air_velocity(vec2 course, vec2 wind, lane airspeed)
{
    lane across = vec2_cross(course, wind);
    lane left = airspeed * airspeed - across * across;
    lane along = lane_sqrt(lane_max(left, lane_of(0)));
    lane sideways = -lane_clamp(across, -airspeed, airspeed);
    return (vec2){along * course.north - sideways * course.east,
                  along * course.east + sideways * course.north};
}

/* Airspeed [m/s] with which the ground speed along a course is at least `minimum`. */
LANE_INLINE lane path_airspeed(vec2 course, vec2 wind, lane minimum)
{
    lane across = vec2_cross(course, wind), along = minimum - vec2_dot(course, wind);
    along = lane_max(along, lane_of(0));
    return lane_sqrt(across * across + along * along);
}

/* Maximum of |x| at a ground speed [m/s]: the tangent of the narrowest turn onto a line. */
LANE_INLINE lane path_steepest(const path_gains *g, const path_point *p, lane speed)
{
    lane left = 1 - lane_abs(p->error) * g->accel / lane_max(speed * speed, lane_of(CONTROL_TINY));
    lane turning = lane_sqrt(lane_max(1 - left * left, lane_of(0)));
    mask turns = (left > 0) & (g->accel > 0) & (p->curvature == 0);
    return lane_select(turns, lane_min(turning, p->steepest), p->steepest);
}

/* Course b of length 1, for a look-ahead distance and the maximum of |x|. */
LANE_INLINE vec2 path_course(const path_point *p, lane look_ahead, lane steepest)
{
    lane across = lane_clamp(p->error / look_ahead, -steepest, steepest);
    lane along = lane_sqrt(lane_max(1 - across * across, lane_of(0)));
    return (vec2){along * p->along.north - across * p->along.east,
                  along * p->along.east + across * p->along.north};
}

/* V sin y for a wanted air velocity, V where it points backwards. */
LANE_INLINE lane path_turn(vec2 through, vec2 wanted)
{
    lane speed = vec2_length(through);
    lane size = vec2_length(wanted);
    lane sine = vec2_cross(through, wanted) / size;
    lane full = lane_select(sine < 0, -speed, speed);
    return lane_select(vec2_dot(through, wanted) < 0, full, sine);
}

/* Look-ahead distance [m] at a ground speed [m/s]. */
LANE_INLINE lane path_look_ahead(const path_gains *g, lane speed)
{
    return g->damping * g->period * lane_max(speed, lane_of(1)) * (real)0.31830988618379067154;
}

/* Lateral acceleration [m/s^2] that turns an air velocity to the course; `speed` is that over the ground [m/s]. */
LANE_INLINE lane path_course_accel(const path_gains *g, vec2 course, vec2 through, vec2 wind, lane speed)
{
    lane airspeed = vec2_length(through);
    lane turn = path_turn(through, path_air_velocity(course, wind, airspeed));
    return 4 * g->damping * g->damping * speed / path_look_ahead(g, speed) * turn;
}

/* Lateral acceleration [m/s^2] that follows a path, for velocities over the ground and through the air [m/s]. */
LANE_INLINE lane path_accel(const path_gains *g, const path_point *p, vec2 over_ground, vec2 through)
{
    const lane zero = lane_of(0);
    vec2 wind = {over_ground.north - through.north, over_ground.east - through.east};
    lane speed = vec2_length(over_ground);
    lane ahead = path_look_ahead(g, speed);
    vec2 course = path_course(p, ahead, path_steepest(g, p, speed));
    lane across = lane_clamp(p->error / ahead, lane_of(-1), lane_of(1));
    lane weight = lane_sqrt(lane_max(1 - across * across, zero)) *
                  lane_max(vec2_dot(p->along, over_ground) / speed, zero);
    lane airspeed = vec2_length(through);
    lane cosine = lane_max(vec2_dot(through, over_ground) / (airspeed * speed), lane_of(PATH_LEAST_COSINE));
    return path_course_accel(g, course, through, wind, speed) +
           weight * p->curvature * speed * speed / cosine;
}

#endif
