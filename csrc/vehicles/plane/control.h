/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a plane; vehicles/control.h says what a family has to define.
 *
 *     control_path       set-points -> path following (control/path_following.h), energies (control/tecs.h)
 *                                                         -> bank_command, pitch_command, throttle_command
 *     control_attitude   those or att_sp                  -> rate_command
 *     control_rate       rate_command -> moment           -> servo commands; throttle_command -> throttle
 *
 * Set-points by their bits (base/setpoint.h):
 *
 *     POSITION                     circle around the position at its height, with the radius radius_sp; without finite x, y
 *                                  keep its height on the course yaw_sp with YAW, or the present one
 *     POSITION, VELOCITY           follow the line through the position along the velocity, up or down with it
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
 * that of the sea level, grows in thin air by the root of the density.
 *
 * A moment M takes deflections in proportion to M / q, q the dynamic pressure; those against the damping of the air are
 * added beforehand.  On the ground the steered wheel keeps the heading.
 *
 * Airspeed and wind are known without error.  Leaves out: a lag of the airspeed sensor, sideslip control. */

#include "base/setpoint.h"
#include "control/path_following.h"
#include "control/position.h"
#include "control/rate.h"
#include "control/tecs.h"
#include "parts/environment/held.h"

#define PLANE_ACCEL_TAU ((real)0.3) /* s: filter of the rate of the airspeed */
/* Airspeed per climb rate at a constant pitch angle: 1 over twice the angle of attack above that of no lift. */
#define PLANE_SPEED_PER_CLIMB ((real)5)
#define PLANE_SLOWEST         ((real)0.5)  /* of the minimum airspeed: slower, deflections do not grow */
#define PLANE_GROUND_STEERING ((real)0.6)  /* rad, maximum angle of the steered wheel */
#define PLANE_GROUND_HEIGHT   ((real)0.05) /* m above standing: wheels are on the ground */

/* What the controllers know of the motion through the air. */
typedef struct plane_air {
    vec2 ground, air; /* m/s: horizontal velocities */
    lane airspeed;    /* m/s */
    lane minimum;     /* m/s: the minimum airspeed of level flight in this air */
    lane pressure;    /* Pa: dynamic pressure */
    lane density;     /* over that at sea level */
} plane_air;

LANE_INLINE plane_air plane_air_known(const plane_state *s, const plane_param *p, const plane_gain *g,
                                      const block *b)
{
    plane_input in;
    plane_load_input(&in, b);
    vec3 wind = environment_enabled(b) ? environment_wind(b, in.wind) : in.wind, v = sub(s->vel, wind);
    lane square = norm2(v), ratio = environment_enabled(b) ? environment_density_ratio(b) : lane_of(1);
    return (plane_air){.ground = {s->vel.x, s->vel.y},
                       .air = {v.x, v.y},
                       .airspeed = lane_sqrt(square),
                       .minimum = g->minimum_airspeed / lane_sqrt(ratio),
                       .pressure = (real)0.5 * p->reference_density * ratio * square,
                       .density = ratio};
}

/* ---- path loop ---- */

LANE_INLINE tecs_gains plane_tecs_gains(const plane_gain *g, const plane_air *at, lane gravity)
{
    return (tecs_gains){.height_p = g->height_p,
                        .airspeed_p = g->airspeed_p,
                        .integral = g->energy_i,
                        .damping = g->energy_damping,
                        .trim_throttle = g->cruise_throttle,
                        .throttle = {lane_of(0), lane_of(1)},
                        .trim_pitch = g->cruise_pitch,
                        .pitch = {g->pitch_limit[0], g->pitch_limit[1]},
                        .climb = g->climb_limit,
                        .sink = g->gliding_sink,
                        .descent = g->descent_limit,
                        .minimum_airspeed = at->minimum,
                        .gravity = gravity};
}

/* The position to circle around, which is held from when there was none. */
LANE_INLINE void plane_hold(const plane_state *s, const plane_setpoint *sp, mask bits, mask holds,
                            plane_controller *c)
{
    mask given = words_have(bits, RF_SETPOINT_POSITION), first = c->airspeed_before == 0;
    vec3 before = vec3_select(first | mask_not(holds | given), s->pos, c->held_pos);
    c->held_pos = vec3_select(given, vec3_finite_or(sp->pos_sp, before), before);
    c->held_pos = setpoint_bounded(c->held_pos, (real)RF_MAX_DISTANCE);
}

/* The course of YAW and of YAW_RATE, or the present one from when there was none. */
LANE_INLINE vec2 plane_held_course(const plane_setpoint *sp, const plane_air *at, mask bits, mask free,
                                   lane dt, plane_controller *c)
{
    vec2 last = {c->held_course[0], c->held_course[1]};
    lane speed = lane_sqrt(lane_max(vec2_dot(at->ground, at->ground), lane_of(CONTROL_TINY)));
    vec2 present = {at->ground.north / speed, at->ground.east / speed};
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

/* Lateral acceleration [m/s^2] of the set-points. */
LANE_INLINE lane plane_lateral(const plane_state *s, const plane_gain *g, const plane_setpoint *sp,
                               const plane_air *at, mask bits, lane dt, plane_controller *c)
{
    const path_gains path = {g->path_period, g->path_damping};
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
    vec2 held = plane_held_course(sp, at, bits, free, dt, c);
    lane inverse = 1 / lane_max(size, lane_of((real)1e-3));
    vec2 course = direction_select(along, (vec2){inverse * vel.north, inverse * vel.east}, held);

    vec2 to_point = {c->held_pos.x - s->pos.x, c->held_pos.y - s->pos.y};
    lane radius =
        lane_select(lane_finite(sp->radius_sp) & (sp->radius_sp != 0), sp->radius_sp, g->loiter_radius);
    path_point line = path_of_line(to_point, course), circle = path_of_circle(to_point, radius);
    mask straight = positioned & along;
    path_point path_here = {direction_select(straight, line.along, circle.along),
                            lane_select(straight, line.error, circle.error),
                            lane_select(straight, line.curvature, circle.curvature),
                            lane_select(straight, line.steepest, circle.steepest)};
    lane speed = lane_sqrt(vec2_dot(at->ground, at->ground));
    vec2 wind = {at->ground.north - at->air.north, at->ground.east - at->air.east};
    lane turn = path_course_accel(&path, course, at->air, wind, speed);
    mask courses = mask_not(positioned) & (along | free);
    return lane_select(courses, turn, path_accel(&path, &path_here, at->ground, at->air));
}

/* Height, climb rate and airspeed of the set-points. */
LANE_INLINE tecs_demand plane_vertical(const plane_state *s, const plane_gain *g, const plane_setpoint *sp,
                                       mask bits, const plane_controller *c)
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
    mask by_velocity = moves & (mask_not(positioned) | forward) & (commanded > (real)1e-3);
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

/* Filtered rate of the airspeed. */
LANE_INLINE void plane_airspeed_rate(const plane_air *at, lane dt, plane_controller *c)
{
    lane first = lane_select(c->airspeed_before > 0, c->airspeed_before, at->airspeed);
    lane rate = (at->airspeed - first) / dt;
    c->airspeed_rate += lane_min(dt * (1 / PLANE_ACCEL_TAU), lane_of(1)) * (rate - c->airspeed_rate);
    c->airspeed_before = at->airspeed;
}

/* Maximum bank angle [rad]. */
LANE_INLINE lane plane_bank_limit(const plane_gain *g, const plane_air *at)
{
    lane ratio = at->minimum / lane_max(at->airspeed, lane_of((real)1e-3));
    lane cosine = lane_min(ratio * ratio, lane_of(1));
    lane carried = lane_atan2(lane_sqrt(lane_max(1 - cosine * cosine, lane_of(0))), cosine);
    return lane_min(g->tilt_limit, lane_max(carried, lane_of((real)0.1)));
}

LANE_INLINE void plane_path_update(const plane_state *s, lane gravity, const plane_gain *g,
                                   const plane_setpoint *sp, const plane_air *at, mask armed, mask bits,
                                   lane dt, plane_controller *c)
{
    const lane zero = lane_of(0);
    mask direct = words_have(bits, RF_SETPOINT_ATTITUDE | RF_SETPOINT_BODY_RATE);
    plane_hold(s, sp, bits, mask_not(direct | words_have(bits, RF_SETPOINT_VELOCITY)), c);
    lane lateral = plane_lateral(s, g, sp, at, bits, dt, c);
    lateral = lane_clamp(lateral, -g->accel_limit, g->accel_limit);
    lane limit = plane_bank_limit(g, at);
    c->bank_command = lane_clamp(lane_atan2(lateral, gravity), -limit, limit);

    plane_airspeed_rate(at, dt, c);
    tecs_demand to = plane_vertical(s, g, sp, bits, c);
    lane sine, cosine;
    lane_sincos(c->bank_command, &sine, &cosine);
    lane load = 1 / lane_max(cosine, lane_of((real)0.2));
    lane slowest = at->minimum * lane_sqrt(load);
    mask by_throttle = direct & words_have(bits, RF_SETPOINT_POSITION) & lane_finite(sp->pos_sp.z);
    lane climb = lane_clamp(g->height_p * (to.height + s->pos.z), -g->descent_limit, g->climb_limit);
    lane faster = at->airspeed + PLANE_SPEED_PER_CLIMB * (climb + s->vel.z);
    to.airspeed = lane_select(by_throttle, faster, to.airspeed);
    to.airspeed = lane_min(lane_max(to.airspeed, slowest), g->speed_limit);
    to.turn_drag = lane_select(direct, zero, g->turn_sink * (load * load - 1));
    to.height = lane_select(direct, -s->pos.z, to.height);
    to.climb = lane_select(direct, -s->vel.z, to.climb);
    const tecs_gains gains = plane_tecs_gains(g, at, gravity);
    const tecs_motion motion = {-s->pos.z, -s->vel.z, at->airspeed, c->airspeed_rate};
    tecs_state energy = {lane_select(armed, c->throttle_integral, zero),
                         lane_select(armed & mask_not(direct), c->pitch_integral, zero)};
    tecs_command by = tecs_update(&gains, &motion, &to, &energy, dt);
    c->throttle_integral = energy.throttle_integral;
    c->pitch_integral = energy.pitch_integral;
    c->pitch_command = by.pitch;
    lane thrust = lane_clamp(finite_or(sp->thrust_sp, c->throttle_command), zero, lane_of(1));
    lane throttle = lane_select(words_have(bits, RF_SETPOINT_THRUST), thrust, by.throttle);
    c->throttle_command = lane_select(armed, throttle, zero);
}

/* ---- attitude loop ---- */

/* The down axis of NED, in a body with these angles [rad]. */
LANE_INLINE vec3 plane_down(lane bank, lane pitch)
{
    lane sine_bank, cosine_bank, sine, cosine;
    lane_sincos(bank, &sine_bank, &cosine_bank);
    lane_sincos(pitch, &sine, &cosine);
    return vec3_of(-sine, sine_bank * cosine, cosine_bank * cosine);
}

/* Angular velocity [rad/s, FRD] that turns the down axis, in the body, to `target`: p times 2 sin of half the angle. */
LANE_INLINE vec3 plane_tilt_rate(vec3 down, vec3 target, lane p, lane limit)
{
    lane from_opposite = 1 + dot(down, target);
    mask opposite = mask_not(from_opposite > (real)1e-6);
    vec3 axis = cross(target, down);
    lane gain = p * lane_sqrt(2 / lane_max(from_opposite, lane_of((real)1e-6)));
    vec3 rate = vec3_select(opposite, vec3_of(2 * p, lane_of(0), lane_of(0)), scale(gain, axis));
    return scale(limiting_factor(norm2(rate), limit), rate);
}

LANE_INLINE void plane_attitude_update(const plane_state *s, lane gravity, const plane_gain *g,
                                       const plane_setpoint *sp, const plane_air *at, mask bits,
                                       plane_controller *c)
{
    rotation r = rotation_from_quat(s->att);
    mask attitude =
        words_have(bits, RF_SETPOINT_ATTITUDE) & quat_finite(sp->att_sp) & (quat_largest(sp->att_sp) > 0);
    rotation wanted = rotation_from_quat(quat_normalize(sp->att_sp));
    vec3 target = vec3_select(attitude, wanted.down, plane_down(c->bank_command, c->pitch_command));
    vec3 rate = plane_tilt_rate(r.down, target, g->attitude_p[0], g->rate_limit[0]);

    /* the heading rate of the present bank angle: g tan(bank) / V about the vertical */
    lane cosine = lane_max(r.down.z, lane_of((real)0.2));
    lane slowest = PLANE_SLOWEST * at->minimum;
    lane turn = gravity * r.down.y / (cosine * lane_max(at->airspeed, slowest));
    turn = lane_clamp(turn, -g->rate_limit[1], g->rate_limit[1]);
    rate = add(rate, scale(lane_select(at->airspeed > slowest, turn, lane_of(0)), r.down));
    vec3 direct = vec3_finite_or(sp->rate_sp, c->rate_command);
    rate = vec3_select(words_have(bits, RF_SETPOINT_BODY_RATE), direct, rate);
    c->rate_command = rate_bounded(rate, (real)RF_MAX_RATE);
}

/* ---- rate loop ---- */

/* Commands of the servos for a moment over the dynamic pressure [m^3, FRD]; returns where none is at its limit. */
LANE_INLINE mask plane_allocate(const plane_gain *g, const plane_param *p, vec3 share, lane *command)
{
    const lane zero = lane_of(0), one = lane_of(1);
    mask within = mask_true();
    for (int i = 0; i < PLANE_SERVOS; i++) {
        const lane *row = g->surface_allocation + i;
        lane angle = row[0] * share.x + row[PLANE_SERVOS] * share.y + row[2 * PLANE_SERVOS] * share.z;
        lane up = p->surface_travel[i], down = p->surface_travel[PLANE_SERVOS + i];
        lane above = angle / lane_select(up == 0, one, up), below = angle / lane_select(down == 0, one, down);
        lane wanted = lane_select(up == 0, zero, lane_select(above < 0, below, above));
        command[i] = lane_clamp(wanted, -one, one);
        within = within & (command[i] == wanted);
    }
    return within;
}

/* Where the wheels are on the ground. */
LANE_INLINE mask plane_on_ground(const plane_state *s)
{
    return s->pos.z - s->ground[0] > -PLANE_GROUND_HEIGHT;
}

/* The rudder deflection [rad] that steers an aircraft on the ground to its course. */
LANE_INLINE lane plane_steering(const plane_state *s, const plane_gain *g, const plane_param *p,
                                const plane_controller *c)
{
    vec2 course = {c->held_course[0], c->held_course[1]};
    direction nose = heading_of(rotation_from_quat(s->att), course);
    course = direction_select(direction_unset(course), nose, course);
    lane error = twice_sine_of_half(vec2_dot(nose, course), vec2_cross(nose, course));
    lane angle = lane_clamp(g->attitude_p[1] * error - s->rate.z, lane_of(-PLANE_GROUND_STEERING),
                            lane_of(PLANE_GROUND_STEERING));
    mask steered = p->gear_steering != 0;
    return lane_select(steered, -angle / lane_select(steered, p->gear_steering, lane_of(1)), lane_of(0));
}

/* A yaw moment over the dynamic pressure [m^3] that the allocation makes a rudder deflection [rad] of. */
LANE_INLINE lane plane_rudder_share(const plane_gain *g, const plane_param *p, lane rudder)
{
    lane per_share = lane_of(0);
    for (int i = 0; i < PLANE_SERVOS; i++) {
        per_share += p->surface_mix[2 * PLANE_SERVOS + i] * g->surface_allocation[2 * PLANE_SERVOS + i];
    }
    mask none = per_share == 0;
    return lane_select(none, lane_of(0), rudder / lane_select(none, lane_of(1), per_share));
}

LANE_INLINE void plane_rate_update(const plane_state *s, const plane_param *p, const plane_gain *g,
                                   const plane_air *at, mask armed, lane dt, plane_controller *c,
                                   lane *command)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    lane slowest = PLANE_SLOWEST * at->minimum;
    lane least = (real)0.5 * p->reference_density * at->density * slowest * slowest;
    vec3 error = sub(c->rate_command, s->rate);
    vec3 damping = scale(at->density * at->airspeed, mul(g->air_damping, c->rate_command));
    vec3 moment = add(add(mul(g->rate_p, error), c->rate_integral), damping);
    vec3 share = scale(1 / lane_max(at->pressure, least), moment);
    mask rolls = plane_on_ground(s);
    share.z = lane_select(rolls, plane_rudder_share(g, p, plane_steering(s, g, p, c)), share.z);
    mask within = plane_allocate(g, p, share, command);
    vec3 integral = rate_integral(c->rate_integral, error, g->rate_i, g->rate_p, dt, within, within);
    c->rate_integral = vec3_select(armed & mask_not(rolls) & (at->airspeed > slowest), integral, zero);
    for (int i = 0; i < PLANE_SERVOS; i++) command[i] = lane_select(armed, command[i], lane_of(0));
    command[PLANE_SERVOS] = lane_select(armed, c->throttle_command, lane_of(0));
}

/* Row of a controller column. */
#define PLANE_CONTROLLER_ROW(column) ((int)(offsetof(plane_controller, column) / sizeof(lane)))

/* What all loops of a plane read. */
typedef struct plane_known {
    plane_state s;
    plane_param p;
    plane_gain g;
    plane_setpoint sp;
    plane_controller c;
    plane_air air;
    lane gravity;
    mask armed, bits;
} plane_known;

LANE_INLINE void plane_know(plane_known *k, const block *b)
{
    k->armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    k->bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    plane_load_known_state(&k->s, b);
    plane_load_param(&k->p, b);
    plane_load_gain(&k->g, b);
    plane_load_setpoint(&k->sp, b);
    plane_load_controller(&k->c, b);
    k->air = plane_air_known(&k->s, &k->p, &k->g, b);
}

LANE_INLINE void plane_control_path(const block *b)
{
    plane_known k;
    plane_know(&k, b);
    plane_path_update(&k.s, k.p.gravity, &k.g, &k.sp, &k.air, k.armed, k.bits, lane_of(b->period), &k.c);
    plane_store_controller_rows(&k.c, 0, PLANE_CONTROLLER_ROW(rate_command), b);
}

LANE_INLINE void plane_control_attitude(const block *b)
{
    plane_known k;
    plane_know(&k, b);
    plane_attitude_update(&k.s, k.p.gravity, &k.g, &k.sp, &k.air, k.bits, &k.c);
    plane_store_controller_rows(&k.c, PLANE_CONTROLLER_ROW(rate_command), PLANE_CONTROLLER_ROW(rate_integral),
                                b);
}

LANE_INLINE void plane_control_rate(const block *b)
{
    plane_known k;
    lane command[ACTUATORS];
    plane_know(&k, b);
    plane_rate_update(&k.s, &k.p, &k.g, &k.air, k.armed, lane_of(b->period), &k.c, command);
    plane_store_controller_rows(&k.c, PLANE_CONTROLLER_ROW(rate_integral), ROWS_OF(plane_controller), b);
    plane_store_actuators(command, k.armed, b);
}
