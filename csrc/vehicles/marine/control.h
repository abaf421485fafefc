/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a marine craft: from set-points to a motion, to a force and a moment, to commands.
 *
 *     control_path      set-points  -> motion ahead, to the right and down, yaw rate, pitch         (this file)
 *     control_motion    those       -> references -> force and moment -> commands      (vehicles/marine/motion.h)
 *
 * Set-points by their bits (base/setpoint.h); velocities are over ground, so that a current is what the loops hold against:
 *
 *     POSITION                     go to the position and stay there, then turn to YAW
 *     POSITION, VELOCITY           follow a position that moves
 *     VELOCITY                     that velocity; with YAW, or a YAW_RATE other than 0, these control the heading
 *     VELOCITY, HEADING_FRAME      ahead, to the right and down
 *     YAW, YAW_RATE alone          turn on the spot
 *     none                         stop
 *
 * What is `holonomic` moves to any side with the heading that it is told.  What is not goes ahead, in the direction of the
 * velocity through the water that it needs: that over ground, less the part across its heading that it has, by current, wind and
 * turning, with a lag of MARINE_DRIFT_TIME, and with the speed ahead that its integrator holds against.  So its course is the
 * one that is wanted and its heading is not, and at a position it points into what drives it away.  Within `arrival_radius` of a position
 * it stays with ahead and astern alone; from half of that on it turns to the position, against what drives it away.
 *
 * What has a `pitch_limit` glides: it goes ahead only, and holds the z of `pos_sp` by its pitch, -(w_c / u) for the speed w_c down that
 * approach_p asks for, with an integral of what is missing of w_c.  Depths above the surface are on it.
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
#define MARINE_DRIFT_TIME      ((real)3)    /* s */
#define MARINE_ARRIVAL_SPEED   ((real)0.05) /* m/s: slower, a vehicle rests; and more by its length */
#define MARINE_GLIDE_SPEED     ((real)0.5)  /* m/s: slower, fins do not hold a depth */
#define MARINE_TRIM            ((real)0.2)  /* rad: of pitch by the integral */

/* A motion that is wanted, in the heading frame. */
typedef struct marine_wish {
    vec3 vel;      /* m/s: ahead, to the right, down */
    lane yaw_rate; /* rad/s */
} marine_wish;

/* Velocity over ground to a position [m/s, NED]. */
LANE_INLINE vec3 marine_approach(vec3 error, const marine_gain *g)
{
    lane distance = lane_sqrt(lane_max(error.x * error.x + error.y * error.y, lane_of(CONTROL_TINY)));
    lane brake = POSITION_DECELERATION_FRACTION * g->decel_limit;
    lane share = position_closing_speed(distance, g->approach_p, brake) / distance;
    return vec3_of(share * error.x, share * error.y, g->approach_p * error.z);
}

/* A velocity within the limits [m/s, NED], that does not leave the water from a depth [m]. */
LANE_INLINE vec3 marine_limited(vec3 vel, const marine_gain *g, lane depth)
{
    lane speed = lane_sqrt(lane_max(vel.x * vel.x + vel.y * vel.y, lane_of(CONTROL_TINY)));
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

/* What goes ahead and astern alone: turns to the velocity through the water that it needs, and goes along its heading; astern
 * where that is `near` and the shorter turn. */
LANE_INLINE marine_wish marine_steer(vec2 heading, vec2 ground, const marine_controller *c,
                                     const marine_gain *g, mask near)
{
    vec2 goal = {ground.north - c->drift_velocity[0], ground.east - c->drift_velocity[1]};
    lane headway = marine_headway(c, g), along = vec2_dot(heading, goal);
    headway = lane_select(near, headway, lane_max(headway, lane_of(0)));
    vec2 through = {goal.north + headway * heading.north, goal.east + headway * heading.east};
    lane sign = lane_select(near & (along + headway < 0), lane_of(-1), lane_of(1));
    vec2 course = {sign * through.north, sign * through.east};
    lane fraction = driving_speed_fraction(heading, course);
    return (marine_wish){vec3_of(fraction * along, lane_of(0), lane_of(0)),
                         marine_heading_control(heading, course, g)};
}

LANE_INLINE marine_wish marine_wish_blend(lane share, marine_wish a, marine_wish b)
{
    lane rest = 1 - share;
    return (marine_wish){add(scale(share, a.vel), scale(rest, b.vel)),
                         share * a.yaw_rate + rest * b.yaw_rate};
}

LANE_INLINE marine_wish marine_wish_select(mask m, marine_wish a, marine_wish b)
{
    return (marine_wish){vec3_select(m, a.vel, b.vel), lane_select(m, a.yaw_rate, b.yaw_rate)};
}

/* The motion of what goes ahead and astern alone, for a velocity over ground and a way to the position. */
LANE_INLINE marine_wish marine_course(vec2 heading, vec3 ground, vec2 error, const marine_controller *c,
                                      const marine_gain *g, mask bits, lane heading_rate)
{
    const lane zero = lane_of(0), one = lane_of(1);
    vec2 over = vec2_of(ground);
    mask position = words_have(bits, RF_SETPOINT_POSITION), velocity = words_have(bits, RF_SETPOINT_VELOCITY);
    mask turned =
        words_have(bits, RF_SETPOINT_YAW) | (words_have(bits, RF_SETPOINT_YAW_RATE) & (heading_rate != 0));
    lane least = MARINE_COURSE_FRACTION * g->speed_limit;
    marine_wish stay = {vec3_of(vec2_dot(heading, over), zero, zero), heading_rate};
    lane away = lane_sqrt(vec2_dot(error, error)) / g->arrival_radius;
    marine_wish course = marine_steer(heading, over, c, g, position & (away < MARINE_ASTERN));
    lane off = lane_select(position, lane_clamp(2 * away - 1, zero, one), zero);
    mask moves = velocity & mask_not(turned & mask_not(position)) & (vec2_dot(over, over) > least * least);
    lane share = lane_max(off, lane_select(moves, one, zero));
    return marine_wish_blend(share, course, stay);
}

/* The motion that the set-points ask for. */
LANE_INLINE marine_wish marine_wanted(const marine_state *s, const marine_gain *g, const marine_setpoint *sp,
                                      const marine_controller *c, lane surface, mask bits)
{
    const lane zero = lane_of(0);
    const vec3 none = vec3_of(zero, zero, zero);
    rotation r = rotation_from_quat(s->att);
    vec2 heading = heading_of(r, (direction){lane_of(1), zero});
    vec3 to = vec3_zero_unless_finite(sub(sp->pos_sp, s->pos));
    to.z = lane_max(to.z, surface - s->pos.z);
    vec3 vel_sp = vec3_zero_unless_finite(sp->vel_sp);
    mask position = words_have(bits, RF_SETPOINT_POSITION), velocity = words_have(bits, RF_SETPOINT_VELOCITY);
    mask own = velocity & words_have(bits, RF_SETPOINT_HEADING_FRAME) & mask_not(position);
    vec3 ground =
        add(vec3_select(position, marine_approach(to, g), none), vec3_select(velocity, vel_sp, none));
    ground = marine_limited(ground, g, s->pos.z - surface);
    lane heading_rate = marine_yaw_setpoints(heading, g, sp, bits);

    vec3 ahead = vec3_of(vec2_dot(heading, vec2_of(ground)), vec2_cross(heading, vec2_of(ground)), ground.z);
    marine_wish any = {vec3_select(own, ground, ahead), heading_rate};
    marine_wish course = marine_course(heading, ground, vec2_of(to), c, g, bits, heading_rate);
    course = marine_wish_select(own, (marine_wish){vec3_of(ground.x, zero, zero), heading_rate}, course);
    marine_wish wish = marine_wish_select(g->holonomic > 0, any, course);
    wish.yaw_rate = lane_clamp(wish.yaw_rate, -g->yaw_rate_limit, g->yaw_rate_limit);
    return wish;
}

/* Pitch that holds the depth at the speed ahead, and the integral of what it lacks. */
LANE_INLINE void marine_glide(const marine_state *s, const marine_gain *g, const marine_setpoint *sp,
                              lane surface, mask active, lane dt, marine_controller *c)
{
    const lane zero = lane_of(0);
    lane depth = lane_max(finite_or(sp->pos_sp.z, s->pos.z), surface);
    lane sink = g->approach_p * (depth - s->pos.z);
    sink = lane_clamp(sink, -g->climb_limit, g->descent_limit);
    lane ahead = lane_sqrt(lane_max(norm2(s->vel), lane_of(CONTROL_TINY)));
    mask glides = active & (ahead > MARINE_GLIDE_SPEED);
    lane speed = lane_max(ahead, lane_of(MARINE_GLIDE_SPEED));
    lane trim = c->trim_integral + dt * g->pitch_i * (s->vel.z - sink) / speed;
    trim = lane_clamp(trim, lane_of(-MARINE_TRIM), lane_of(MARINE_TRIM));
    c->trim_integral = lane_select(glides, trim, c->trim_integral);
    lane pitch = lane_clamp(c->trim_integral - sink / speed, -g->pitch_limit, g->pitch_limit);
    c->pitch_command = lane_select(glides, pitch, zero);
}

/* The velocity across the heading that it has [m/s, NED], after its lag. */
LANE_INLINE void marine_follow_drift(const marine_state *s, lane dt, marine_controller *c)
{
    vec2 heading = heading_of(rotation_from_quat(s->att), (direction){lane_of(1), lane_of(0)});
    lane across = vec2_cross(heading, vec2_of(s->vel)), share = dt / (dt + MARINE_DRIFT_TIME);
    c->drift_velocity[0] += share * (-(across * heading.east) - c->drift_velocity[0]);
    c->drift_velocity[1] += share * (across * heading.north - c->drift_velocity[1]);
}

/* Where a vehicle rests at its position set-point. */
LANE_INLINE mask marine_has_arrived(const marine_state *s, const marine_gain *g, const marine_setpoint *sp,
                                    lane surface, mask bits)
{
    vec3 to = vec3_zero_unless_finite(sub(sp->pos_sp, s->pos));
    to.z = lane_max(to.z, surface - s->pos.z) * g->holonomic;
    mask near = norm2(to) < g->arrival_radius * g->arrival_radius;
    lane slow = MARINE_ARRIVAL_SPEED + g->approach_p * g->arrival_radius;
    mask rests = s->vel.x * s->vel.x + s->vel.y * s->vel.y < slow * slow;
    mask follows =
        words_have(bits, RF_SETPOINT_VELOCITY) & mask_not(norm2(vec3_zero_unless_finite(sp->vel_sp)) == 0);
    return words_have(bits, RF_SETPOINT_POSITION) & mask_not(follows) & near & rests;
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
    marine_follow_drift(&s, dt, &c);
    marine_wish wish = marine_wanted(&s, &g, &sp, &c, surface, bits);
    c.speed_command = wish.vel.x;
    c.side_command[0] = wish.vel.y;
    c.side_command[1] = wish.vel.z;
    c.yaw_rate_command = wish.yaw_rate;
    marine_glide(&s, &g, &sp, surface, armed & words_have(bits, RF_SETPOINT_VELOCITY) & (g.pitch_limit > 0),
                 dt, &c);
    marine_store_controller(&c, b);
    marine_store_arrived(marine_has_arrived(&s, &g, &sp, surface, bits), mask_true(), b);
}

#include "vehicles/marine/motion.h"
