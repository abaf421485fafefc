/* SPDX-License-Identifier: BSD-3-Clause */
/* A path of circles and straight lines to a position with a heading, driven forward and backward by what cannot turn on the
 * spot (of the words of [@reeds-shepp] those below, and two besides), and the motion that begins it.
 *
 * It is the rear axle that goes where the vehicle points.  In units of the radius and axes of the vehicle (x forward, y right),
 * the goal is (x, y, p), p clockwise.  A path has three
 * pieces of signed lengths, negative backward; L is a circle to the right, R one to the left, S straight:
 *
 *     L S L    t = angle of (x - sin p, y - 1 + cos p), s its length, v = p - t
 *     L S R    (x + sin p, y - 1 - cos p) of the length d >= 2 and the angle a:  s = sqrt(d^2 - 4), t = a + arctan(2 / s),
 *              v = t - p
 *     L R S    h = (y - 1) cos p - x sin p,  cos w = (1 - h) / 2,  t = p + w, w,  s = x cos p + (y - 1) sin p - 2 sin w
 *     S R L    that from the goal to the vehicle, driven the other way round
 *
 * with the angles within +-pi, and their reflections: left for right (y, p -> -y, -p), backward for forward (x, p -> -x, -p).
 * The shortest is driven, of circles of several sizes, where each change of direction counts PARKING_CUSP more, that from the present direction too.  It is
 * planned anew in each step: the rest of a path is a path, so that the length to go falls as the vehicle moves along it.
 *
 * Pieces below PARKING_PIECE are done.  The first other one gives the direction, and the yaw rate at the speed v
 *
 *     v / sqrt(R^2 + l^2), in proportion to the angle to go below PARKING_BEND
 *
 * with the distance l of the rear axle from the position, whose speed is v: that of a stop at the next change of direction, and
 * within what is given for circles, and for where they begin and end, as wheels take time to turn.
 * Leaves out: obstacles. */
#ifndef RF_VEHICLES_DRIVING_PARKING_H
#define RF_VEHICLES_DRIVING_PARKING_H

#include "control/position.h"
#include "math/rows.h"
#include "vehicles/driving/motion.h"

#define PARKING_CUSP       ((real)1.5)  /* radii */
#define PARKING_PIECE      ((real)0.01) /* radii */
#define PARKING_BEND       ((real)0.2)  /* rad */
#define PARKING_BEGUN      ((real)0.04) /* radii: a piece that is done once the wheels are turned for the next */
#define PARKING_BEND_LEAST ((real)0.04)  /* rad, before what is not straight */
#define PARKING_LONG       ((real)1)     /* radii: a straight piece that bends are corrections of */
#define PARKING_TURN       ((real)0.3)   /* radii per bend */
#define PARKING_BESIDE     ((real)0.04)  /* radii */
#define PARKING_BEFORE     ((real)0.1)   /* radii */
#define PARKING_ASKEW      ((real)0.1)   /* rad */
#define PARKING_WIDE       ((real)2)     /* radii of the last circle */
#define PARKING_HEADING    ((real)0.015) /* rad */
#define PARKING_BRAKE      ((real)1.5)   /* m/s^2 at most */
#define PARKING_CLOSING    ((real)2)     /* 1/s: speed per distance to a stop */
#define PARKING_RADII      4             /* circles of several sizes */

/* Place and heading of a goal; the heading also by its sine and cosine. */
typedef struct parking_goal {
    lane x, y, angle, sine, cosine;
} parking_goal;

/* Three pieces: signed lengths, and how they bend, 1 to the right, -1 to the left, 0 not. */
typedef struct parking_path {
    lane length[3], bend[3];
    lane cost, radius;
} parking_path;

/* Limits of the motion. */
typedef struct parking_limits {
    lane radius, brake, speed;
    lane circle_speed, bend_speed; /* m/s: on circles, and where these begin and end */
    lane rear;                     /* m: the rear axle, which drives the path, behind the position */
} parking_limits;

LANE_INLINE lane parking_sign(lane x)
{
    const lane zero = lane_of(0);
    return lane_select(x > PARKING_PIECE, lane_of(1), lane_select(x < -PARKING_PIECE, lane_of(-1), zero));
}

/* What a vehicle does already: its direction, 1 forward and -1 backward, 0 neither, and how it bends. */
typedef struct parking_present {
    lane sense, bend;
} parking_present;

/* Length, and changes of direction and of the steering. */
LANE_INLINE lane parking_cost(const lane *length, const lane *bend, lane radius, parking_present now)
{
    lane cost = lane_of(0), sense = now.sense, bent = now.bend;
    for (int i = 0; i < 3; i++) {
        lane next = parking_sign(length[i]);
        lane turned = lane_select(next == 0, bent, bend[i]);
        cost += PARKING_TURN * lane_abs(turned - bent);
        bent = turned;
        cost +=
            radius * lane_abs(length[i]) + lane_select(next * sense < 0, lane_of(PARKING_CUSP), lane_of(0));
        sense = lane_select(next == 0, sense, next);
    }
    return cost;
}

/* Keeps the better of two paths, of which the other one is reflected and `valid` where it exists. */
LANE_INLINE void parking_keep(parking_path *best, const lane *length, const real *bend, real turned,
                              real driven, parking_present now, mask valid)
{
    lane lengths[3], bends[3];
    for (int i = 0; i < 3; i++) {
        lengths[i] = driven * length[i];
        bends[i] = lane_of(turned * bend[i]);
    }
    lane cost = parking_cost(lengths, bends, best->radius, now);
    mask better = valid & (cost < best->cost);
    best->cost = lane_select(better, cost, best->cost);
    rows_select(best->length, better, lengths, best->length, 3);
    rows_select(best->bend, better, bends, best->bend, 3);
}

LANE_INLINE parking_path parking_better(parking_path a, parking_path b)
{
    mask first = a.cost < b.cost;
    rows_select((lane *)&a, first, (const lane *)&a, (const lane *)&b, ROWS_OF(parking_path));
    return a;
}

/* L R S; returns where there is one. */
LANE_INLINE mask parking_shift(parking_goal g, lane *length)
{
    lane side = (g.y - 1) * g.cosine - g.x * g.sine, cosine = (real)0.5 * (1 - side);
    lane sine = lane_sqrt(lane_max(lane_of(0), 1 - cosine * cosine));
    length[1] = lane_atan2(sine, cosine);
    length[0] = wrap_angle(g.angle + length[1]);
    length[2] = g.x * g.cosine + (g.y - 1) * g.sine - 2 * sine;
    return lane_abs(cosine) <= 1;
}

/* The better of `best` and the paths to a reflected goal. */
LANE_INLINE void parking_plan_reflected(parking_path *best, parking_goal g, real turned, real driven,
                                        parking_present now)
{
    static const real same[3] = {1, 0, 1}, other[3] = {1, 0, -1}, shift[3] = {1, -1, 0},
                      shifted[3] = {0, -1, 1};
    lane length[3], x = g.x - g.sine, y = g.y - 1 + g.cosine;
    length[0] = lane_atan2(y, x);
    length[1] = lane_sqrt(x * x + y * y);
    length[2] = wrap_angle(g.angle - length[0]);
    parking_keep(best, length, same, turned, driven, now, mask_true());

    x = g.x + g.sine, y = g.y - 1 - g.cosine;
    lane square = x * x + y * y - 4;
    length[1] = lane_sqrt(lane_max(lane_of(0), square));
    length[0] = wrap_angle(lane_atan2(y, x) + lane_atan2(lane_of(2), length[1]));
    length[2] = wrap_angle(length[0] - g.angle);
    parking_keep(best, length, other, turned, driven, now, square >= 0);

    mask valid = parking_shift(g, length);
    parking_keep(best, length, shift, turned, driven, now, valid);

    const parking_goal back = {g.x * g.cosine + g.y * g.sine, g.x * g.sine - g.y * g.cosine, g.angle, g.sine,
                               g.cosine};
    lane reversed[3];
    valid = parking_shift(back, reversed);
    for (int i = 0; i < 3; i++) length[i] = reversed[2 - i];
    parking_keep(best, length, shifted, turned, driven, now, valid);
}

/* The goal in units of another radius. */
LANE_INLINE parking_goal parking_scaled(parking_goal g, real by)
{
    g.x *= by;
    g.y *= by;
    return g;
}

/* The best path; its circles are `radius` times as large as the unit of the goal.  Errors are mended by tighter ones, which
 * count `extra` radii more. */
LANE_INLINE parking_path parking_plan(parking_goal g, parking_present now)
{
    static const real radii[PARKING_RADII] = {(real)0.85, 1, (real)1.3, 2};
    static const real extra[PARKING_RADII] = {(real)1.6, (real)0.8, (real)0.4, 0};
    const lane zero = lane_of(0), far = lane_of((real)1e30);
    parking_path best = {{zero, zero, zero}, {zero, zero, zero}, far, lane_of(1)};
    for (int k = 0; k < 4 * PARKING_RADII; k++) {
        const real radius = radii[k / 4], turned = k & 1 ? -1 : 1, driven = k & 2 ? -1 : 1,
                   both = turned * driven;
        parking_goal goal = parking_scaled(g, 1 / radius);
        goal = (parking_goal){driven * goal.x, turned * goal.y, both * g.angle, both * g.sine, g.cosine};
        parking_path path = {{zero, zero, zero}, {zero, zero, zero}, far, lane_of(radius)};
        parking_plan_reflected(&path, goal, turned, driven, now);
        path.cost += extra[k / 4];
        best = parking_better(path, best);
    }
    return best;
}

/* Drops a first piece that is done, or that is a correction of a long straight one; the angle that it leaves is added to `left`. */
LANE_INLINE void parking_drop(parking_path *path, parking_present now, lane *left)
{
    const lane size = lane_abs(path->length[0]);
    mask straight_on = (path->bend[1] == 0) & (lane_abs(path->length[1]) > PARKING_LONG);
    mask begun = (path->bend[1] == now.bend) &
                 (path->bend[0] != now.bend); /* the wheels are turned for the next one */
    lane least = lane_select(begun, lane_of(PARKING_BEGUN), lane_of(PARKING_PIECE));
    mask done = (size <= least) | (straight_on & (path->bend[0] != 0) & (size < PARKING_BEND));
    *left += lane_select(done, path->bend[0] * path->length[0], lane_of(0));
    for (int i = 0; i < 3; i++) {
        const lane length = i < 2 ? path->length[i + 1] : lane_of(0),
                   bend = i < 2 ? path->bend[i + 1] : lane_of(0);
        path->length[i] = lane_select(done, length, path->length[i]);
        path->bend[i] = lane_select(done, bend, path->bend[i]);
    }
}

/* The motion that begins a path. */
LANE_INLINE driving_motion parking_begin(parking_path path, parking_present now, const parking_limits *l)
{
    const lane zero = lane_of(0), one = lane_of(1);
    lane left = zero;
    parking_drop(&path, now, &left);
    parking_drop(&path, now, &left);
    const lane first = path.length[0], sense = lane_select(first < 0, -one, one);
    mask on = mask_true(), bends = path.bend[0] != 0, turns = mask_not(on);
    lane way = lane_abs(first);
    for (int i = 1; i < 3; i++) {
        mask done = lane_abs(path.length[i]) <= PARKING_PIECE, next = path.length[i] * sense > 0;
        on = on & (done | next);
        way += lane_select(on & next, lane_abs(path.length[i]), zero);
        turns = turns | (on & mask_not(done) & (path.bend[i] != path.bend[0]));
    }
    lane angle = lane_select(bends, path.bend[0] * first, left), radius = path.radius * l->radius;
    const lane closing = lane_of(PARKING_CLOSING), brake = lane_min(l->brake, lane_of(PARKING_BRAKE));
    lane before = l->bend_speed + position_closing_speed(radius * lane_abs(first), closing, brake);
    lane speed =
        lane_min(lane_select(bends, l->circle_speed, l->speed), lane_select(turns, before, l->speed));
    speed = lane_min(speed, position_closing_speed(radius * way, closing, brake));
    lane ease = lane_select(bends, lane_of(PARKING_BEND_LEAST), lane_of(PARKING_BEND));
    lane rate = speed / lane_sqrt(radius * radius + l->rear * l->rear);
    return (driving_motion){sense * speed, rate * lane_clamp(angle / ease, -one, one)};
}

/* Where a goal is so near that only the heading and the distance along it are still mended; `slack` widens that. */
LANE_INLINE mask parking_near(parking_goal g, lane slack)
{
    mask place = (lane_abs(g.y) < slack * PARKING_BESIDE) & (lane_abs(g.x) < slack * PARKING_BEFORE);
    return place & (lane_abs(g.angle) < slack * PARKING_ASKEW);
}

/* The last motion: on a wide circle until the heading is that of the goal, then straight. */
LANE_INLINE driving_motion parking_end(parking_goal g, parking_present now, mask rests,
                                       const parking_limits *l)
{
    const lane zero = lane_of(0), one = lane_of(1);
    lane ahead = lane_select(g.x < 0, -one, one), kept = lane_select(now.sense < 0, -one, one);
    lane sense = lane_select(lane_abs(g.x) < (real)0.5 * PARKING_BEFORE, kept, ahead);
    lane slow = lane_min(PARKING_CLOSING * PARKING_BEFORE * l->radius, l->circle_speed);
    lane rate = slow / (PARKING_WIDE * l->radius);
    lane share = lane_clamp(g.angle * (1 / PARKING_BEND_LEAST), -one, one);
    driving_motion turn = {sense * slow, rate * share};
    lane along = l->radius * g.x;
    mask there = rests | (lane_abs(along) < DRIVING_STOP_DISTANCE);
    driving_motion straight = {lane_select(there, zero, PARKING_CLOSING * along), zero};
    lane tolerance = lane_select(rests, lane_of(PARKING_HEADING), lane_of((real)0.7 * PARKING_HEADING));
    return driving_motion_select(lane_abs(g.angle) > tolerance, turn, straight);
}

/* Where a vehicle that rests is at its goal. */
LANE_INLINE mask parking_done(parking_goal g)
{
    return parking_near(g, lane_of(2)) & (lane_abs(g.angle) < PARKING_HEADING);
}

#endif
