/* SPDX-License-Identifier: BSD-3-Clause */
/* Path and attitude loops of vehicles that fly by wings, and the moment of their rate loop, in a frame that flies forward.
 *
 *     winged_path_update       set-points -> path following (control/path_following.h), energies (control/tecs.h)
 *                                                         -> bank_command, pitch_command, throttle_command
 *     winged_attitude_update   those or att_sp            -> rate_command
 *     winged_moment            rate_command               -> moment
 *
 * The family makes actuator commands of throttle and moment.  Columns: vehicles/winged/columns.h.  Set-points by their bits
 * (base/setpoint.h):
 *
 *     POSITION                     circle around the position at its height, with the radius radius_sp; without finite x, y
 *                                  keep its height on the course yaw_sp with YAW, or the present one
 *     POSITION, VELOCITY           follow the line through the position along the velocity, up or down with it; without
 *                                  finite x, y its horizontal speed is the airspeed
 *     VELOCITY                     fly on its course with its horizontal speed as airspeed and its climb rate; in the heading
 *                                  frame the forward speed alone counts, on the course of YAW, or the present one
 *     YAW, YAW_RATE alone          the course, or the rate at which it turns, at the present height
 *     ATTITUDE, BODY_RATE          roll and pitch, or angular velocities; without THRUST the throttle controls the airspeed,
 *                                  or the height of POSITION, if that has one
 *     THRUST with any other        the throttle is thrust_sp, and the pitch angle controls the height; the airspeed where
 *                                  POSITION has no height
 *     none                         circle where the aircraft is
 *
 * A turn is coordinated: a heading rate g tan(bank) / V goes with a bank angle, and needs no rudder set-point.  The
 * airspeed set-point is at least the minimum airspeed times the root of the load factor, and the bank angle at most what
 * the present airspeed carries: cos(bank) >= (minimum airspeed / V)^2.  Airspeeds are true airspeeds; the minimum, which is
 * that of the sea level, grows in thin air by the root of the density.  In a wind that is too strong for it the airspeed is
 * what moves the aircraft along its path with RF_LEAST_GROUND_SPEED, up to its limit.
 *
 * Throttle, pitch angle and pitching moment of level flight are known for every airspeed; the loops find what is different.
 *
 * An aircraft whose pitch angle is more than the angle of attack angle_of_attack_limit above its path through the air is commanded no
 * more than that: a stalled one lowers its nose, however high it is to be.  Below WINGED_SLOWEST of the minimum airspeed
 * surfaces are not relied on.  Airspeed and wind are known without error.  Leaves out: a lag of the airspeed sensor, sideslip control. */
#ifndef RF_VEHICLES_WINGED_CONTROL_H
#define RF_VEHICLES_WINGED_CONTROL_H

#include "base/limits.h"
#include "base/setpoint.h"
#include "control/attitude.h"
#include "control/path_following.h"
#include "control/position.h"
#include "control/rate.h"
#include "control/tecs.h"
#include "parts/environment/held.h"
#include "vehicles/winged/columns.h"

#define WINGED_ACCEL_TAU ((real)0.3) /* s: filter of the rate of the airspeed */
/* Airspeed per climb rate at a constant pitch angle: 1 over twice the angle of attack above that of no lift. */
#define WINGED_SPEED_PER_CLIMB ((real)5)
#define WINGED_SLOWEST         ((real)0.5) /* of the minimum airspeed: slower, deflections do not grow */
#define WINGED_RISE            ((real)1) /* m: a height that is that much above the ground is one to fly at */
#define WINGED_TURN_SHARE                                                                                    \
    ((real)0.5) /* of the maximum lateral acceleration, in turns onto lines: the bank angle lags */
#define WINGED_ARRIVAL ((real)3) /* m from a circle or a line: on it */
#define WINGED_STANDS  ((real)2) /* m/s over the ground: slower, the present course is that of the nose */

/* The motion of the frame that flies forward, which is the body's or one that is fixed to it. */
typedef struct winged_motion {
    vec3 pos, vel; /* m, m/s: NED */
    rotation att;
    vec3 rate; /* rad/s, FRD */
} winged_motion;

typedef struct winged_gain {
    WINGED_GAIN(COLUMN_MEMBER, )
} winged_gain;

typedef struct winged_setpoint {
    WINGED_SETPOINT(COLUMN_MEMBER)
} winged_setpoint;

/* The rows of the path loop, by their number. */
typedef struct winged_path {
    WINGED_PATH(COLUMN_MEMBER)
} winged_path;

typedef struct winged_controller {
    WINGED_CONTROLLER(COLUMN_MEMBER)
} winged_controller;

/* What the controllers know of the motion through the air. */
typedef struct winged_air {
    vec2 ground, air; /* m/s: horizontal velocities */
    lane climb;       /* m/s: upwards through the air */
    lane airspeed;    /* m/s */
    lane forward;     /* m/s: airspeed along the nose */
    lane minimum;     /* m/s: the minimum airspeed of level flight in this air */
    lane pressure;    /* Pa: dynamic pressure */
    lane density;     /* over that at sea level */
} winged_air;

LANE_INLINE winged_air winged_air_known(const winged_motion *s, vec3 wind, lane reference_density,
                                        const winged_gain *g, const block *b)
{
    vec3 v = sub(s->vel, environment_wind(b, wind));
    lane square = norm2(v), ratio = environment_density_ratio(b);
    return (winged_air){.ground = {s->vel.x, s->vel.y},
                        .air = {v.x, v.y},
                        .climb = -v.z,
                        .airspeed = lane_sqrt(square),
                        .forward = to_body(s->att, v).x,
                        .minimum = g->minimum_airspeed / lane_sqrt(ratio),
                        .pressure = (real)0.5 * reference_density * ratio * square,
                        .density = ratio};
}

/* ---- level flight ---- */

/* Square of the airspeed [m^2/s^2] at sea level with the same dynamic pressure. */
LANE_INLINE lane winged_square(const winged_air *at)
{
    return at->density * at->airspeed * at->airspeed;
}

/* Pitch angle [rad], at the minimum airspeed below it. */
LANE_INLINE lane winged_level_pitch(const winged_gain *g, lane square)
{
    return g->level_pitch[0] +
           g->level_pitch[1] / lane_max(square, g->minimum_airspeed * g->minimum_airspeed);
}

LANE_INLINE lane winged_level_throttle(const winged_gain *g, const winged_air *at)
{
    lane airspeed = lane_min(lane_max(at->airspeed, at->minimum), g->speed_limit);
    lane throttle = g->level_throttle.x + airspeed * (g->level_throttle.y + airspeed * g->level_throttle.z);
    return lane_clamp(throttle, lane_of(0), lane_of(1));
}

/* Moment [N m, FRD] of the surfaces against that of the air.  As the angle of attack of level flight is linear in the inverse
 * of the dynamic pressure, the moment is linear in the pressure; an angle of attack beyond it is left to the stability. */
LANE_INLINE vec3 winged_level_moment(const winged_gain *g, const winged_air *at)
{
    const lane zero = lane_of(0);
    lane least = g->minimum_airspeed * g->minimum_airspeed;
    lane flies = lane_min(winged_square(at) / least, lane_of(1));
    return vec3_of(zero, flies * g->level_moment[0] + at->pressure * g->level_moment[1], zero);
}

/* ---- path loop ---- */

LANE_INLINE tecs_gains winged_tecs_gains(const winged_gain *g, const winged_air *at, lane gravity)
{
    lane level = winged_level_throttle(g, at), gliding = lane_min(g->gliding_throttle * at->airspeed, level);
    return (tecs_gains){.height_p = g->height_p,
                        .airspeed_p = g->airspeed_p,
                        .integral = g->energy_i,
                        .damping = g->energy_damping,
                        .trim_throttle = level,
                        .throttle = {gliding, lane_of(1)},
                        .trim_pitch = winged_level_pitch(g, winged_square(at)),
                        .pitch = {g->pitch_limit[0], g->pitch_limit[1]},
                        .climb = g->climb_limit,
                        .sink = g->gliding_sink,
                        .descent = g->descent_limit,
                        .minimum_airspeed = at->minimum,
                        .gravity = gravity};
}

/* The position to circle around, which is held from when there was none. */
LANE_INLINE void winged_hold(const winged_motion *s, const winged_setpoint *sp, mask bits, mask holds,
                             winged_controller *c)
{
    mask given = words_have(bits, RF_SETPOINT_POSITION), first = c->airspeed_before == 0;
    vec3 before = vec3_select(first | mask_not(holds | given), s->pos, c->held_pos);
    c->held_pos = vec3_select(given, vec3_finite_or(sp->pos_sp, before), before);
    c->held_pos = setpoint_bounded(c->held_pos, (real)RF_MAX_DISTANCE);
}

/* The course of YAW and of YAW_RATE, or the present one from when there was none. */
LANE_INLINE vec2 winged_held_course(const winged_motion *s, const winged_setpoint *sp, const winged_air *at,
                                    mask bits, mask free, lane dt, winged_controller *c)
{
    vec2 last = {c->held_course[0], c->held_course[1]};
    lane speed = vec2_length(at->ground);
    vec2 present = {at->ground.north / speed, at->ground.east / speed};
    present = direction_select(speed < WINGED_STANDS, heading_of(s->att, present), present);
    vec2 course = direction_select(direction_unset(last) | mask_not(free), present, last);
    lane rate =
        lane_select(words_have(bits, RF_SETPOINT_YAW_RATE), zero_unless_finite(sp->yaw_rate_sp), lane_of(0));
    course = direction_select(rate != 0, heading_advanced(course, present, rate * dt), course);
    mask given = words_have(bits, RF_SETPOINT_YAW) & lane_finite(sp->yaw_sp);
    course = direction_select(given, direction_of_angle(sp->yaw_sp), course);
    c->held_course[0] = course.north;
    c->held_course[1] = course.east;
    return course;
}

/* Horizontal speed of the air over ground [m/s]. */
LANE_INLINE lane winged_wind(const winged_air *at)
{
    lane north = at->ground.north - at->air.north, east = at->ground.east - at->air.east;
    return lane_sqrt(north * north + east * east);
}

/* The narrowest turn that the bank angle allows: its lateral acceleration [m/s^2], and the cosine of its bank angle. */
typedef struct winged_turn {
    lane lateral, cosine;
} winged_turn;

LANE_INLINE winged_turn winged_narrowest(const winged_gain *g, lane gravity)
{
    lane sine, cosine;
    lane_sincos(g->tilt_limit, &sine, &cosine);
    cosine = lane_max(cosine, lane_of((real)0.2));
    lane lateral = lane_min(g->accel_limit, gravity * sine / cosine);
    return (winged_turn){lane_max(lateral, lane_of((real)1e-3)), cosine};
}

/* Radius [m] of a circle, above 0 clockwise: the wanted one, or what the narrowest turn has at a ground speed. */
LANE_INLINE lane winged_radius(const winged_turn *turn, lane wanted, lane speed)
{
    lane radius = lane_max(lane_abs(wanted), speed * speed / turn->lateral);
    return lane_select(wanted < 0, -radius, radius);
}

/* Radius [m] of the circles of an aircraft without a radius set-point: one that it holds at an airspeed in a wind. */
LANE_INLINE lane winged_own_radius(const winged_gain *g, const winged_turn *turn, lane airspeed, lane minimum,
                                   lane wind)
{
    lane through = lane_min(lane_max(airspeed, minimum / lane_sqrt(turn->cosine)), g->speed_limit);
    return winged_radius(turn, g->loiter_radius, through + wind);
}

/* How the set-points are followed: the lateral acceleration [m/s^2], the airspeed [m/s] that the wind along their path asks
 * for, and where the aircraft is on their circle or line. */
typedef struct winged_course {
    lane lateral, against_wind;
    mask arrived;
} winged_course;

LANE_INLINE winged_course winged_lateral(const winged_motion *s, lane gravity, const winged_gain *g,
                                         const winged_setpoint *sp, const winged_air *at, mask bits,
                                         lane airspeed, lane dt, winged_controller *c)
{
    const path_gains path = {g->path_period, g->path_damping, WINGED_TURN_SHARE * g->accel_limit};
    mask positioned =
        words_have(bits, RF_SETPOINT_POSITION) & lane_finite(sp->pos_sp.x) & lane_finite(sp->pos_sp.y);
    mask moves = words_have(bits, RF_SETPOINT_VELOCITY),
         forward = words_have(bits, RF_SETPOINT_HEADING_FRAME);
    mask height_alone = words_have(bits, RF_SETPOINT_POSITION) & mask_not(positioned);
    mask heading = words_have(bits, RF_SETPOINT_YAW | RF_SETPOINT_YAW_RATE) & mask_not(positioned);
    vec2 vel = {zero_unless_finite(sp->vel_sp.x), zero_unless_finite(sp->vel_sp.y)};
    lane size = lane_sqrt(vec2_dot(vel, vel));
    mask along = moves & mask_not(forward) & (size > (real)1e-3);
    mask free = mask_not(positioned) & (height_alone | heading | (moves & forward)) & mask_not(along);
    vec2 held = winged_held_course(s, sp, at, bits, free, dt, c);
    lane inverse = 1 / lane_max(size, lane_of((real)1e-3));
    vec2 course = direction_select(along, (vec2){inverse * vel.north, inverse * vel.east}, held);

    vec2 to_point = {c->held_pos.x - s->pos.x, c->held_pos.y - s->pos.y};
    /* a radius set-point may be that of an arc, which need not be held around the whole circle */
    const winged_turn turn = winged_narrowest(g, gravity);
    lane given = winged_radius(&turn, sp->radius_sp, lane_sqrt(vec2_dot(at->ground, at->ground)));
    lane own = winged_own_radius(g, &turn, airspeed, at->minimum, winged_wind(at));
    lane radius = lane_select(lane_finite(sp->radius_sp) & (sp->radius_sp != 0), given, own);
    path_point line = path_of_line(to_point, course), circle = path_of_circle(to_point, radius);
    mask straight = positioned & along;
    path_point path_here = {direction_select(straight, line.along, circle.along),
                            lane_select(straight, line.error, circle.error),
                            lane_select(straight, line.curvature, circle.curvature),
                            lane_select(straight, line.steepest, circle.steepest)};
    lane speed = lane_sqrt(vec2_dot(at->ground, at->ground));
    vec2 wind = {at->ground.north - at->air.north, at->ground.east - at->air.east};
    lane turning = path_course_accel(&path, course, at->air, wind, speed);
    mask courses = mask_not(positioned) & (along | free);
    vec2 ahead = direction_select(courses, course, path_here.along);
    return (winged_course){
        .lateral = lane_select(courses, turning, path_accel(&path, &path_here, at->ground, at->air)),
        .against_wind = path_airspeed(ahead, wind, lane_of(RF_LEAST_GROUND_SPEED)),
        .arrived = positioned & (lane_abs(path_here.error) < WINGED_ARRIVAL)};
}

/* Height, climb rate and airspeed of the set-points. */
LANE_INLINE tecs_demand winged_vertical(const winged_motion *s, const winged_gain *g,
                                        const winged_setpoint *sp, mask bits, const winged_controller *c)
{
    const lane zero = lane_of(0);
    mask positioned = words_have(bits, RF_SETPOINT_POSITION), moves = words_have(bits, RF_SETPOINT_VELOCITY);
    mask forward = words_have(bits, RF_SETPOINT_HEADING_FRAME);
    vec3 vel = setpoint_bounded(vec3_zero_unless_finite(sp->vel_sp), (real)RF_MAX_SPEED);
    lane size = lane_sqrt(vel.x * vel.x + vel.y * vel.y);

    /* along a line that climbs the height is that of the line where the aircraft is */
    lane ahead = (s->pos.x - c->held_pos.x) * vel.x + (s->pos.y - c->held_pos.y) * vel.y;
    mask line = positioned & moves & mask_not(forward) & (size > (real)1e-3);
    lane slope = lane_select(line, vel.z / lane_max(size, lane_of((real)1e-3)), zero);
    lane z = c->held_pos.z + slope * lane_select(line, ahead / lane_max(size, lane_of((real)1e-3)), zero);
    lane speed = lane_sqrt(s->vel.x * s->vel.x + s->vel.y * s->vel.y);

    mask climbs = moves & mask_not(positioned);
    lane commanded = lane_select(forward, vel.x, size);
    mask placed = positioned & lane_finite(sp->pos_sp.x) & lane_finite(sp->pos_sp.y);
    mask by_velocity = moves & (mask_not(placed) | forward) & (commanded > (real)1e-3);
    mask given = lane_finite(sp->airspeed_sp) & (sp->airspeed_sp > 0);
    lane airspeed = lane_select(given, sp->airspeed_sp, g->cruise_airspeed);
    airspeed = lane_select(by_velocity, commanded, airspeed);
    mask powerless = words_have(bits, RF_SETPOINT_THRUST);
    return (tecs_demand){.height = -z,
                         .climb = lane_select(climbs, -vel.z, -(slope * speed)),
                         .airspeed = airspeed,
                         .turn_drag = zero,
                         .climbs = climbs,
                         .powerless = powerless,
                         .glides = powerless & positioned & mask_not(lane_finite(sp->pos_sp.z))};
}

/* Filtered rate of the airspeed by the acceleration along the motion through the air: what a gust takes or gives is no
 * energy of the throttle, which would answer it from stop to stop. */
LANE_INLINE void winged_airspeed_rate(const winged_motion *s, const winged_air *at, lane dt,
                                      winged_controller *c)
{
    vec3 through = vec3_of(at->air.north, at->air.east, -at->climb), change = sub(s->vel, c->vel_before);
    lane rate = dot(change, through) / (dt * lane_max(at->airspeed, lane_of(TECS_MINIMUM_SPEED)));
    rate = lane_select(c->airspeed_before > 0, rate, lane_of(0));
    c->airspeed_rate += lane_min(dt * (1 / WINGED_ACCEL_TAU), lane_of(1)) * (rate - c->airspeed_rate);
    c->airspeed_before = at->airspeed;
    c->vel_before = s->vel;
}

/* Maximum bank angle [rad]. */
LANE_INLINE lane winged_bank_limit(const winged_gain *g, const winged_air *at)
{
    lane ratio = at->minimum / lane_max(at->airspeed, lane_of((real)1e-3));
    lane cosine = lane_min(ratio * ratio, lane_of(1));
    lane carried = lane_atan2(lane_sqrt(lane_max(1 - cosine * cosine, lane_of(0))), cosine);
    return lane_min(g->tilt_limit, lane_max(carried, lane_of((real)0.1)));
}

/* The pitch angle [rad] at which the angle of attack is at its limit, on the present path through the air. */
LANE_INLINE lane winged_steepest_pitch(const winged_gain *g, const winged_air *at, lane cosine_of_bank)
{
    lane level = lane_sqrt(lane_max(vec2_dot(at->air, at->air), lane_of((real)1e-6)));
    return lane_atan2(at->climb, level) + g->angle_of_attack_limit * cosine_of_bank;
}

/* Path loop; returns where an aircraft is on the circle or the line of its position set-point. */
LANE_INLINE mask winged_path_update(const winged_motion *s, lane gravity, const winged_gain *g,
                                    const winged_setpoint *sp, const winged_air *at, mask armed, mask bits,
                                    lane dt, winged_controller *c)
{
    const lane zero = lane_of(0);
    mask direct = words_have(bits, RF_SETPOINT_ATTITUDE | RF_SETPOINT_BODY_RATE);
    winged_hold(s, sp, bits, mask_not(direct | words_have(bits, RF_SETPOINT_VELOCITY)), c);
    tecs_demand to = winged_vertical(s, g, sp, bits, c);
    const winged_course by_path = winged_lateral(s, gravity, g, sp, at, bits, to.airspeed, dt, c);
    lane lateral = lane_clamp(by_path.lateral, -g->accel_limit, g->accel_limit);
    lane limit = winged_bank_limit(g, at);
    lane bank = lane_clamp(lane_atan2(lateral, gravity), -g->tilt_limit, g->tilt_limit);
    c->bank_command = lane_clamp(bank, -limit, limit);

    winged_airspeed_rate(s, at, dt, c);
    lane sine, cosine, wanted;
    lane_sincos(bank, &sine, &wanted); /* the airspeed for it is asked for before it is flown */
    lane_sincos(c->bank_command, &sine, &cosine);
    lane load = 1 / lane_max(cosine, lane_of((real)0.2));
    lane slowest = at->minimum / lane_sqrt(lane_max(wanted, lane_of((real)0.2)));
    mask by_throttle = direct & words_have(bits, RF_SETPOINT_POSITION) & lane_finite(sp->pos_sp.z);
    lane climb = lane_clamp(g->height_p * (to.height + s->pos.z), -g->descent_limit, g->climb_limit);
    lane faster = at->airspeed + WINGED_SPEED_PER_CLIMB * (climb + s->vel.z);
    to.airspeed = lane_select(by_throttle, faster, lane_max(to.airspeed, by_path.against_wind));
    to.airspeed = lane_min(lane_max(to.airspeed, slowest), g->speed_limit);
    to.turn_drag = lane_select(direct, zero, g->turn_sink * (load * load - 1));
    to.height = lane_select(direct, -s->pos.z, to.height);
    to.climb = lane_select(direct, -s->vel.z, to.climb);
    const tecs_gains gains = winged_tecs_gains(g, at, gravity);
    const tecs_motion motion = {-s->pos.z, -s->vel.z, at->airspeed, c->airspeed_rate};
    tecs_state energy = {lane_select(armed, c->throttle_integral, zero),
                         lane_select(armed & mask_not(direct), c->pitch_integral, zero)};
    tecs_command by = tecs_update(&gains, &motion, &to, &energy, dt);
    c->throttle_integral = energy.throttle_integral;
    lane steepest = lane_max(winged_steepest_pitch(g, at, cosine), g->pitch_limit[0]);
    lane level = lane_sqrt(lane_max(1 - s->att.down.x * s->att.down.x, lane_of(0)));
    mask stalls = (by.pitch > steepest) & (lane_atan2(-s->att.down.x, level) > steepest);
    c->pitch_integral =
        lane_select(stalls, lane_min(energy.pitch_integral, c->pitch_integral), energy.pitch_integral);
    c->pitch_command = lane_select(stalls, steepest, by.pitch);
    lane thrust = lane_clamp(finite_or(sp->thrust_sp, c->throttle_command), zero, lane_of(1));
    lane throttle = lane_select(words_have(bits, RF_SETPOINT_THRUST), thrust, by.throttle);
    c->throttle_command = lane_select(armed, throttle, zero);
    return by_path.arrived & mask_not(direct);
}

/* ---- attitude loop ---- */

/* The down axis of NED, in a body with these angles [rad]. */
LANE_INLINE vec3 winged_down(lane bank, lane pitch)
{
    lane sine_bank, cosine_bank, sine, cosine;
    lane_sincos(bank, &sine_bank, &cosine_bank);
    lane_sincos(pitch, &sine, &cosine);
    return vec3_of(-sine, sine_bank * cosine, cosine_bank * cosine);
}

/* Angular velocity [rad/s, FRD] that turns the down axis, in the body, to `target`: p times 2 sin of half the angle. */
LANE_INLINE vec3 winged_tilt_rate(vec3 down, vec3 target, lane p, lane limit)
{
    lane from_opposite = 1 + dot(down, target);
    mask opposite = mask_not(from_opposite > (real)1e-6);
    vec3 axis = cross(target, down);
    lane gain = p * lane_sqrt(2 / lane_max(from_opposite, lane_of((real)1e-6)));
    vec3 rate = vec3_select(opposite, vec3_of(2 * p, lane_of(0), lane_of(0)), scale(gain, axis));
    return scale(limiting_factor(norm2(rate), limit), rate);
}

LANE_INLINE void winged_attitude_update(const winged_motion *s, lane gravity, const winged_gain *g,
                                        const winged_setpoint *sp, const winged_air *at, mask bits,
                                        winged_controller *c)
{
    const rotation r = s->att;
    mask attitude =
        words_have(bits, RF_SETPOINT_ATTITUDE) & quat_finite(sp->att_sp) & (quat_largest(sp->att_sp) > 0);
    rotation wanted = rotation_from_quat(quat_normalize(sp->att_sp));
    vec3 target = vec3_select(attitude, wanted.down, winged_down(c->bank_command, c->pitch_command));
    vec3 rate = winged_tilt_rate(r.down, target, g->attitude_p[0], g->rate_limit[0]);

    /* the heading rate of the present bank angle: g tan(bank) / V about the vertical */
    lane cosine = lane_max(r.down.z, lane_of((real)0.2));
    lane slowest = WINGED_SLOWEST * at->minimum;
    lane turn = gravity * r.down.y / (cosine * lane_max(at->airspeed, slowest));
    turn = lane_clamp(turn, -g->rate_limit[1], g->rate_limit[1]);
    rate = add(rate, scale(lane_select(at->airspeed > slowest, turn, lane_of(0)), r.down));
    vec3 direct = vec3_finite_or(sp->rate_sp, c->rate_command);
    rate = vec3_select(words_have(bits, RF_SETPOINT_BODY_RATE), direct, rate);
    c->rate_command = rate_bounded(rate, (real)RF_MAX_RATE);
}

/* ---- rate loop ---- */

/* The least dynamic pressure [Pa] that deflections are computed for. */
LANE_INLINE lane winged_least_pressure(const winged_air *at, lane reference_density)
{
    lane slowest = WINGED_SLOWEST * at->minimum;
    return (real)0.5 * reference_density * at->density * slowest * slowest;
}

/* Moment [N m, FRD] against the damping of the air at the commanded angular velocity. */
LANE_INLINE vec3 winged_damping(const winged_gain *g, const winged_air *at, const winged_controller *c)
{
    return scale(at->density * at->airspeed, mul(g->air_damping, c->rate_command));
}

/* Moment [N m, FRD] for an error of the angular velocity, with that against the damping of the air. */
LANE_INLINE vec3 winged_moment(const winged_gain *g, const winged_air *at, const winged_controller *c,
                               vec3 error)
{
    return add(add(mul(g->rate_p, error), c->rate_integral), winged_damping(g, at, c));
}

#endif
