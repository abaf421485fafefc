/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a marine craft: from set-points to a motion, to a force and a moment, to commands.
 *
 *     control_path      set-points  -> motion ahead, to the right and down, yaw rate, pitch         (this file)
 *     control_motion    those       -> references -> force and moment -> commands      (vehicles/marine/motion.h)
 *
 * Set-points by their bits (base/setpoint.h); velocities are over ground, so that a current is what the loops hold against:
 *
 *     POSITION                     go to the position and stay there, then turn to YAW
 *     POSITION, VELOCITY           follow a position that moves, a boat with its bow ahead, also where that turns it round
 *     VELOCITY                     that velocity; with YAW, or a YAW_RATE other than 0, these control the heading
 *     VELOCITY, HEADING_FRAME      ahead, to the right and down; with POSITION at the depth of that
 *     YAW, YAW_RATE alone          turn on the spot
 *     ATTITUDE                     that heading, roll and pitch, as far as thrusters and fins tilt it; with THRUST ahead,
 *                                  with that share of speed_limit; with POSITION at the depth of that
 *     none                         stop
 *     BACKWARD, with POSITION      what goes ahead and astern alone goes astern: its stern is its bow
 *
 * What is `holonomic` moves to any side with the heading that it is told.  What is not goes ahead, in the direction of the
 * velocity through the water that it needs: that over ground, less the part across its heading that it has, by current, wind and
 * turning, with a lag of MARINE_DRIFT_TIME, and with the speed ahead that its integrator holds against.  So its course is the
 * one that is wanted and its heading is not.  Near a position it stays by vehicles/marine/station.h.
 *
 * What has a rudder alone or no thrust astern, a `turning_radius` without a `pitch_limit`, turns while it goes ahead, arrives at a
 * position with the heading that it comes with, and lies there until it has drifted MARINE_HOLD arrival radii away.
 *
 * What has a `pitch_limit` glides: it goes ahead only, and holds a depth by its pitch, -(w_c / u) for the speed w_c down,
 * with an integral of what is missing of w_c.  It steers its way over ground.  Along a velocity, also with a heading that it is
 * told, and the line of a position that moves, it is not slower than MARINE_GLIDE_LEAST.  About a position that does not move it
 * circles clockwise: from a distance d with the radius R = turning_radius, it goes
 *
 *     d - R towards the position for R to the left of that
 *
 * and comes to the depth on the way.  Depths above the surface are on it.
 *
 * m, s, rad.  Leaves out: the acceleration of positions that move, depths of the surface by waves. */

#include "base/setpoint.h"
#include "control/attitude.h"
#include "control/position.h"
#include "parts/water/held.h"
#include "vehicles/driving/heading.h"
#include "vehicles/driving/motion.h"
#include "vehicles/marine/rows.h"

#define MARINE_COURSE_FRACTION ((real)0.02) /* of speed_limit: a slower velocity has no course */
#define MARINE_ASTERN          ((real)6) /* arrival radii from a position: nearer, it also goes astern to it */
#define MARINE_HOLD            ((real)4) /* arrival radii that what has a rudder may drift from where it has arrived */
#define MARINE_STEERAGE        ((real)0.1)  /* of heading_p, at rest */
#define MARINE_DRIFT_TIME      ((real)3)    /* s */
#define MARINE_ARRIVAL_SPEED   ((real)0.05) /* m/s: slower, a vehicle rests; and more by its length */
#define MARINE_GLIDE_SPEED     ((real)0.5)  /* m/s: slower, fins do not hold a depth */
#define MARINE_GLIDE_LEAST     ((real)0.4)  /* of speed_limit: slower, fins do not turn it soon */
#define MARINE_DEPTH_REACHED   ((real)1)    /* m: nearer, what circles is at its depth */
#define MARINE_TRIM            ((real)0.2)  /* rad: of pitch by the integral */

#include "vehicles/marine/station.h"

/* The way to the position set-point [m, NED], which is at the surface at most. */
LANE_INLINE vec3 marine_way(const marine_state *s, const marine_setpoint *sp, lane surface)
{
    vec3 to = vec3_zero_unless_finite(sub(sp->pos_sp, s->pos));
    to.z = lane_max(to.z, surface - s->pos.z);
    return to;
}

/* Velocity over ground to a position [m/s, NED]. */
LANE_INLINE vec3 marine_approach(vec3 error, const marine_gain *g)
{
    lane distance = vec2_length(vec2_of(error));
    lane brake = POSITION_DECELERATION_FRACTION * g->decel_limit;
    lane share = position_closing_speed(distance, g->approach_p, brake) / distance;
    return vec3_of(share * error.x, share * error.y, g->approach_p * error.z);
}

/* A velocity within the limits [m/s, NED], that does not leave the water from a depth [m]. */
LANE_INLINE vec3 marine_limited(vec3 vel, const marine_gain *g, lane depth)
{
    lane speed = vec2_length(vec2_of(vel));
    lane share = lane_min(lane_of(1), g->speed_limit / speed);
    lane climb = lane_min(g->climb_limit, g->approach_p * lane_max(lane_of(0), depth));
    return vec3_of(share * vel.x, share * vel.y, lane_max(-climb, lane_min(vel.z, g->descent_limit)));
}

/* Speed through the water beyond that over ground [m/s], ahead: by what the integrator holds against. */
LANE_INLINE lane marine_headway(const marine_controller *c, const marine_gain *g)
{
    lane drag = g->control_drag_linear.x + g->control_drag_quadratic.x * g->speed_limit;
    return c->force_integral.x / lane_max(drag, lane_of(CONTROL_TINY));
}

/* What goes ahead alone: turns to the velocity through the water that it needs, and goes along its heading. */
LANE_INLINE marine_wish marine_steer(vec2 heading, vec2 ground, lane headway, const marine_controller *c,
                                     const marine_gain *g)
{
    vec2 goal = {ground.north - c->drift_velocity[0], ground.east - c->drift_velocity[1]};
    lane along = vec2_dot(heading, goal);
    headway = lane_max(headway, lane_of(0));
    vec2 course = {goal.north + headway * heading.north, goal.east + headway * heading.east};
    lane fraction = driving_speed_fraction(heading, course);
    return (marine_wish){vec3_of(fraction * along, lane_of(0), lane_of(0)),
                         marine_heading_control(heading, course, g)};
}

LANE_INLINE marine_wish marine_wish_select(mask m, marine_wish a, marine_wish b)
{
    return (marine_wish){vec3_select(m, a.vel, b.vel), lane_select(m, a.yaw_rate, b.yaw_rate)};
}

/* Where the heading is one that is told. */
LANE_INLINE mask marine_turned(mask bits, lane heading_rate)
{
    return words_have(bits, RF_SETPOINT_YAW) | (words_have(bits, RF_SETPOINT_YAW_RATE) & (heading_rate != 0));
}

/* What turns while it goes ahead, on circles. */
LANE_INLINE mask marine_steams(const marine_gain *g)
{
    return (g->turning_radius > 0) & mask_not(g->pitch_limit > 0);
}

/* Share of `heading_p` for a course over ground at a speed: what has a rudder drifts as it turns, which leads its course, the more
 * the slower it goes. */
LANE_INLINE lane marine_steerage(lane speed, const marine_gain *g)
{
    lane share = speed / lane_max(g->speed_limit, lane_of(CONTROL_TINY));
    return lane_clamp(share, lane_of(MARINE_STEERAGE), lane_of(1));
}

/* The course of what has a rudder: it turns while it goes ahead, at the speed over `ground` that it is told, on circles of
 * `turning_radius`; to a position that stays within these, `far` away, it goes straight on until it is out of them. */
LANE_INLINE marine_wish marine_steaming(marine_wish course, vec2 heading, vec2 ground, vec2 error,
                                        const marine_gain *g, mask far)
{
    lane radius = g->turning_radius, speed = lane_sqrt(vec2_dot(ground, ground));
    mask within = far & driving_encircles(error, heading, radius);
    lane turning = lane_select(within, speed, lane_min(speed, radius * lane_abs(course.yaw_rate)));
    course.yaw_rate = lane_select(within, lane_of(0), course.yaw_rate);
    course.vel.x = lane_max(course.vel.x, turning);
    return course;
}

/* Where there is a velocity set-point other than 0: a position that moves. */
LANE_INLINE mask marine_follows(const marine_setpoint *sp, mask bits)
{
    mask stands = norm2(vec3_zero_unless_finite(sp->vel_sp)) == 0;
    return words_have(bits, RF_SETPOINT_VELOCITY) & mask_not(stands);
}

/* The motion of what goes ahead and astern alone, for a velocity over ground and a way to the position.  What has a rudder has a
 * course at a position that moves by itself alone, so that it does not steam about one that stays. */
LANE_INLINE marine_wish marine_course(vec2 heading, vec3 ground, vec2 error, const marine_controller *c,
                                      const marine_gain *g, mask bits, mask led, lane heading_rate)
{
    const lane zero = lane_of(0);
    vec2 over = vec2_of(ground);
    mask position = words_have(bits, RF_SETPOINT_POSITION), velocity = words_have(bits, RF_SETPOINT_VELOCITY);
    mask backs = position & words_have(bits, RF_SETPOINT_BACKWARD);
    lane headway = lane_negate_where(backs, marine_headway(c, g));
    heading.north = lane_negate_where(backs, heading.north);
    heading.east = lane_negate_where(backs, heading.east);
    mask turned = marine_turned(bits, heading_rate);
    lane slowest = MARINE_COURSE_FRACTION * g->speed_limit;
    marine_wish stay = {vec3_of(vec2_dot(heading, over), zero, zero), heading_rate};
    lane least = g->arrival_radius + marine_sway(c), away = vec2_length(error) / least;
    mask steams = marine_steams(g);
    marine_wish course = marine_steer(heading, over, headway, c, g);
    if (mask_any(steams)) {
        mask still = position & (away > 1) & mask_not(led);
        marine_wish ahead = marine_steaming(course, heading, over, error, g, still);
        ahead.yaw_rate *= lane_select(position, lane_of(1), marine_steerage(ahead.vel.x, g));
        course = marine_wish_select(steams, ahead, course);
        stay.yaw_rate = lane_select(steams & position, zero, stay.yaw_rate); /* it cannot turn there */
        stay.vel.x = lane_max(stay.vel.x, g->turning_radius * lane_abs(stay.yaw_rate));
    }
    mask off = position & (away > 1);
    mask moves =
        velocity & mask_not(turned & mask_not(position)) & (vec2_dot(over, over) > slowest * slowest);
    moves = moves & mask_not(steams & position & mask_not(led));
    marine_wish wish = marine_wish_select(off | moves, course, stay);
    mask driven = mask_not(steams) | marine_driven(g, c);
    mask holds = position & driven & mask_not(moves & (led | backs)) & (away < MARINE_ASTERN);
    wish = marine_wish_select(holds, marine_hold(heading, over, c, g, least, heading_rate), wish);
    wish.vel.x = lane_negate_where(backs, wish.vel.x);
    return wish;
}

/* Where there is a velocity set-point that is one of its own. */
LANE_INLINE mask marine_moves(const marine_gain *g, const marine_setpoint *sp, mask bits)
{
    vec2 vel = vec2_of(vec3_zero_unless_finite(sp->vel_sp));
    lane least = MARINE_COURSE_FRACTION * g->speed_limit;
    return words_have(bits, RF_SETPOINT_VELOCITY) & (vec2_dot(vel, vel) > least * least);
}

/* Where a vehicle goes over ground, of length 1; where it hardly goes, its heading. */
LANE_INLINE vec2 marine_track(vec2 heading, vec3 vel)
{
    vec2 over = vec2_of(vel);
    lane speed = vec2_length(over), per = 1 / speed;
    vec2 track = {per * over.north, per * over.east};
    return direction_select(speed > MARINE_GLIDE_SPEED, track, heading);
}

/* The circle of what glides about a position. */
LANE_INLINE marine_wish marine_circle(vec2 track, vec2 error, const marine_gain *g)
{
    lane distance = vec2_length(error), per = 1 / distance;
    vec2 centre = {per * error.north, per * error.east}, left = {centre.east, -centre.north};
    lane radius = g->turning_radius, closing = distance - radius;
    vec2 course = {closing * centre.north + radius * left.north, closing * centre.east + radius * left.east};
    lane speed = (real)MARINE_GLIDE_CRUISE * g->speed_limit,
         size = lane_sqrt(closing * closing + radius * radius);
    lane swept = speed * radius / (lane_max(size, lane_of(CONTROL_TINY)) * lane_max(distance, radius));
    return (marine_wish){vec3_of(speed, lane_of(0), lane_of(0)),
                         swept + marine_heading_control(track, course, g)};
}

/* The line along the velocity, through the position where there is one: what glides aims at a point of it that is
 * `turning_radius` ahead, so that it never circles about a position that moves slowly. */
LANE_INLINE marine_wish marine_line(vec2 track, vec2 error, vec2 vel, const marine_gain *g, mask position)
{
    lane speed = vec2_length(vel), per = 1 / speed;
    vec2 line = {per * vel.north, per * vel.east}, right = {-line.east, line.north};
    lane along = lane_select(position, vec2_dot(line, error), lane_of(0));
    lane across = lane_select(position, vec2_cross(line, error), lane_of(0)), ahead = g->turning_radius;
    vec2 course = {ahead * line.north + across * right.north, ahead * line.east + across * right.east};
    lane least = MARINE_GLIDE_LEAST * g->speed_limit;
    speed = lane_clamp(speed + g->approach_p * along, least, g->speed_limit);
    return (marine_wish){vec3_of(speed, lane_of(0), lane_of(0)), marine_heading_control(track, course, g)};
}

/* What glides: in circles about a position that stays, along the line of one that moves and of a velocity, or as wanted. */
LANE_INLINE marine_wish marine_gliding(marine_wish wish, const marine_state *s, const marine_gain *g,
                                       const marine_setpoint *sp, vec2 heading, vec3 to, vec3 ground,
                                       mask bits, lane heading_rate)
{
    vec2 track = marine_track(heading, s->vel), vel = vec2_of(vec3_zero_unless_finite(sp->vel_sp));
    mask position = words_have(bits, RF_SETPOINT_POSITION), moves = marine_moves(g, sp, bits);
    mask other = words_have(bits, RF_SETPOINT_ATTITUDE) |
                 (words_have(bits, RF_SETPOINT_VELOCITY) & words_have(bits, RF_SETPOINT_HEADING_FRAME));
    mask turned = marine_turned(bits, heading_rate) & mask_not(position);
    mask line = moves & mask_not(other | turned), circle = position & mask_not(moves | other);
    lane least = MARINE_GLIDE_LEAST * g->speed_limit;
    wish.vel.x = lane_select(moves & turned & mask_not(other), lane_max(wish.vel.x, least), wish.vel.x);
    wish = marine_wish_select(line, marine_line(track, vec2_of(to), vel, g, position), wish);
    wish = marine_wish_select(circle, marine_circle(track, vec2_of(to), g), wish);
    wish.vel.z = ground.z;
    return wish;
}

/* An attitude: its heading, ahead with its thrust. */
LANE_INLINE marine_wish marine_held(const marine_gain *g, const marine_setpoint *sp, vec2 heading, lane down,
                                    mask bits)
{
    vec2 goal = heading_of(rotation_from_quat(sp->att_sp), (direction){heading.north, heading.east});
    mask glides = (g->pitch_limit > 0) & words_have(bits, RF_SETPOINT_POSITION);
    lane idle = lane_select(glides, lane_of((real)MARINE_GLIDE_CRUISE), lane_of(0));
    lane share = lane_clamp(zero_unless_finite(sp->thrust_sp), lane_of(0), lane_of(1));
    share = lane_select(words_have(bits, RF_SETPOINT_THRUST), share, idle);
    return (marine_wish){vec3_of(share * g->speed_limit, lane_of(0), down),
                         marine_heading_control(heading, goal, g)};
}

/* The motion that the set-points ask for. */
LANE_INLINE marine_wish marine_wanted(const marine_state *s, const marine_gain *g, const marine_setpoint *sp,
                                      const marine_controller *c, lane surface, mask bits)
{
    const lane zero = lane_of(0);
    const vec3 none = vec3_of(zero, zero, zero);
    rotation r = rotation_from_quat(s->att);
    vec2 heading = heading_of(r, (direction){lane_of(1), zero});
    vec3 to = marine_way(s, sp, surface);
    vec3 vel_sp = vec3_zero_unless_finite(sp->vel_sp);
    mask position = words_have(bits, RF_SETPOINT_POSITION), velocity = words_have(bits, RF_SETPOINT_VELOCITY);
    mask own = velocity & words_have(bits, RF_SETPOINT_HEADING_FRAME);
    mask tilts = words_have(bits, RF_SETPOINT_ATTITUDE);
    vec3 approach = vec3_select(position, marine_approach(to, g), none);
    approach = vec3_select(own | tilts, vec3_of(zero, zero, approach.z), approach);
    vec3 ground = add(approach, vec3_select(velocity & mask_not(tilts), vel_sp, none));
    ground = marine_limited(ground, g, s->pos.z - surface);
    lane heading_rate = marine_yaw_setpoints(heading, g, sp, bits);

    vec3 ahead = vec3_of(vec2_dot(heading, vec2_of(ground)), vec2_cross(heading, vec2_of(ground)), ground.z);
    marine_wish any = {vec3_select(own, ground, ahead), heading_rate};
    marine_wish course =
        marine_course(heading, ground, vec2_of(to), c, g, bits, marine_follows(sp, bits), heading_rate);
    course = marine_wish_select(own, (marine_wish){vec3_of(ground.x, zero, zero), heading_rate}, course);
    mask glides = g->pitch_limit > 0;
    if (mask_any(glides)) {
        marine_wish glide = marine_gliding(course, s, g, sp, heading, to, ground, bits, heading_rate);
        course = marine_wish_select(glides, glide, course);
    }
    marine_wish wish = marine_wish_select(g->holonomic > 0, any, course);
    if (mask_any(tilts)) {
        wish = marine_wish_select(tilts, marine_held(g, sp, heading, ground.z, bits), wish);
    }
    wish.yaw_rate = lane_clamp(wish.yaw_rate, -g->yaw_rate_limit, g->yaw_rate_limit);
    lane radius = lane_select(marine_steams(g) & mask_not(marine_turns(g)), g->turning_radius, zero);
    wish.yaw_rate = driving_on_circle(wish.yaw_rate, vec2_dot(heading, vec2_of(s->vel)), radius);
    return wish;
}

/* Pitch for a speed down at the speed ahead, and the integral of what it lacks. */
LANE_INLINE void marine_glide(const marine_state *s, const marine_gain *g, lane sink, mask active, lane dt,
                              marine_controller *c)
{
    lane ahead = lane_sqrt(lane_max(norm2(s->vel), lane_of(CONTROL_TINY)));
    mask glides = active & (ahead > MARINE_GLIDE_SPEED);
    lane speed = lane_max(ahead, lane_of(MARINE_GLIDE_SPEED));
    lane trim = c->trim_integral + dt * g->pitch_i * (s->vel.z - sink) / speed;
    trim = lane_clamp(trim, lane_of(-MARINE_TRIM), lane_of(MARINE_TRIM));
    c->trim_integral = lane_select(glides, trim, c->trim_integral);
    lane pitch = lane_clamp(c->trim_integral - sink / speed, -g->pitch_limit, g->pitch_limit);
    c->pitch_command = lane_select(glides, pitch, lane_of(0));
}

/* Roll and pitch: those of an attitude, 0, and what glides its pitch for the speed down. */
LANE_INLINE void marine_tilt(const marine_state *s, const marine_gain *g, const marine_setpoint *sp,
                             lane sink, mask bits, mask armed, lane dt, marine_controller *c)
{
    mask tilts = words_have(bits, RF_SETPOINT_ATTITUDE), position = words_have(bits, RF_SETPOINT_POSITION);
    mask glides =
        armed & (g->pitch_limit > 0) & words_have(bits, RF_SETPOINT_VELOCITY | RF_SETPOINT_POSITION);
    marine_glide(s, g, sink, glides, dt, c);
    vec3 down = rotation_from_quat(sp->att_sp).down;
    lane roll = lane_atan2(down.y, down.z), pitch = lane_asin(lane_clamp(-down.x, lane_of(-1), lane_of(1)));
    c->roll_command = lane_select(tilts, roll, lane_of(0));
    c->pitch_command = lane_select(tilts & mask_not(glides & position), pitch, c->pitch_command);
}

/* The velocity across the heading that it has [m/s, NED], after its lag. */
LANE_INLINE void marine_follow_drift(const marine_state *s, lane dt, marine_controller *c)
{
    vec2 heading = heading_of(rotation_from_quat(s->att), (direction){lane_of(1), lane_of(0)});
    lane across = vec2_cross(heading, vec2_of(s->vel)), share = dt / (dt + MARINE_DRIFT_TIME);
    c->drift_velocity[0] += share * (-(across * heading.east) - c->drift_velocity[0]);
    c->drift_velocity[1] += share * (across * heading.north - c->drift_velocity[1]);
}

/* Where a vehicle rests at its position set-point, or circles about it. */
LANE_INLINE mask marine_has_arrived(const marine_state *s, const marine_gain *g, const marine_setpoint *sp,
                                    const marine_controller *c, lane surface, mask bits)
{
    vec3 to = marine_way(s, sp, surface);
    lane round = driving_round(g->turning_radius);
    mask circles = words_have(bits, RF_SETPOINT_POSITION) & mask_not(marine_moves(g, sp, bits)) &
                   (to.x * to.x + to.y * to.y < round * round) & (lane_abs(to.z) < MARINE_DEPTH_REACHED);
    to.z *= g->holonomic;
    lane radius = g->arrival_radius + marine_sway(c);
    mask near = norm2(to) < radius * radius;
    lane slow = MARINE_ARRIVAL_SPEED + g->approach_p * g->arrival_radius + 2 * marine_stir(c);
    mask rests = s->vel.x * s->vel.x + s->vel.y * s->vel.y < slow * slow;
    mask rests_there =
        words_have(bits, RF_SETPOINT_POSITION) & mask_not(marine_follows(sp, bits)) & near & rests;
    return (circles & (g->pitch_limit > 0)) | (rests_there & mask_not(g->pitch_limit > 0));
}

LANE_INLINE void marine_control_path(const block *b)
{
    mask bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    const lane dt = lane_of(b->period), surface = water_at_rest(b).height;
    marine_state s;
    marine_gain g;
    marine_setpoint sp;
    marine_controller c;
    marine_load_known_state(&s, b);
    marine_load_gain(&g, b);
    marine_load_setpoint(&sp, b);
    marine_load_controller(&c, b);
    g.yaw_rate_limit = estimator_measurable(b, vec3_of(lane_of(0), lane_of(0), g.yaw_rate_limit)).z;
    mask rests = (words_load(block_flag(b, RF_FLAG_ARRIVED)) != 0) & marine_steams(&g) &
                 mask_not(marine_driven(&g, &c));
    g.arrival_radius *= lane_select(rests, lane_of(MARINE_HOLD), lane_of(1));
    marine_follow_drift(&s, dt, &c);
    marine_follow_current(&s, &g, dt, &c);
    marine_follow_waves(&s, &g, surface, dt, &c);
    marine_wish wish = marine_wanted(&s, &g, &sp, &c, surface, bits);
    c.speed_command = wish.vel.x;
    c.side_command[0] = wish.vel.y;
    c.side_command[1] = lane_select(g.pitch_limit > 0, lane_of(0), wish.vel.z);
    c.yaw_rate_command = wish.yaw_rate;
    marine_tilt(&s, &g, &sp, wish.vel.z, bits, armed, dt, &c);
    marine_store_controller(&c, b);
    marine_store_arrived(marine_has_arrived(&s, &g, &sp, &c, surface, bits), mask_true(), b);
}

#include "vehicles/marine/motion.h"
