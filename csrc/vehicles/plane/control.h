/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a plane: path and attitude loop are those of all vehicles that fly by wings (vehicles/winged/control.h,
 * which has the meaning of set-points), the rate loop gives deflections and throttle.  vehicles/control.h says what a family
 * has to define.
 *
 *     control_path       set-points                       -> bank_command, pitch_command, throttle_command
 *     control_attitude   those or att_sp                  -> rate_command
 *     control_rate       rate_command -> moment           -> servo commands; throttle_command -> throttle
 *
 * A moment M takes deflections in proportion to M / q, q the dynamic pressure; those against the damping of the air are
 * added beforehand.  On the ground the steered wheel keeps the heading, and the throttle is 0 where neither a height above
 * the ground nor a velocity is commanded. */

#include "parts/ground_plane/held.h"
#include "vehicles/winged/launch.h"

#define PLANE_GROUND_STEERING ((real)0.6)  /* rad, maximum angle of the steered wheel */
#define PLANE_GROUND_HEIGHT   ((real)0.05) /* m above standing: wheels are on the ground */
#define PLANE_CLEARANCE       ((real)0.3)  /* height over reach: clear of the ground, up to 17 deg nose up */

/* Commands of the servos for a moment over the dynamic pressure [m^3, FRD]; returns where none is at its limit. */
LANE_INLINE mask plane_allocate(const plane_gain *g, vec3 share, lane *command)
{
    const lane zero = lane_of(0), one = lane_of(1);
    mask within = mask_true();
    for (int i = 0; i < PLANE_SERVOS; i++) {
        const lane *row = g->surface_allocation + i;
        lane angle = row[0] * share.x + row[PLANE_SERVOS] * share.y + row[2 * PLANE_SERVOS] * share.z;
        lane up = g->control_surface_travel[i], down = g->control_surface_travel[PLANE_SERVOS + i];
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
LANE_INLINE lane plane_steering(const plane_state *s, const plane_gain *g, const winged_controller *c)
{
    vec2 course = {c->held_course[0], c->held_course[1]};
    direction nose = heading_of(rotation_from_quat(s->att), course);
    course = direction_select(direction_unset(course), nose, course);
    lane error = twice_sine_of_half(vec2_dot(nose, course), vec2_cross(nose, course));
    lane angle = lane_clamp(g->attitude_p[1] * error - s->rate.z, lane_of(-PLANE_GROUND_STEERING),
                            lane_of(PLANE_GROUND_STEERING));
    mask steered = g->control_gear_steering != 0;
    return lane_select(steered, -angle / lane_select(steered, g->control_gear_steering, lane_of(1)),
                       lane_of(0));
}

/* A yaw moment over the dynamic pressure [m^3] that the allocation makes a rudder deflection [rad] of. */
LANE_INLINE lane plane_rudder_share(const plane_gain *g, lane rudder)
{
    lane per_share = lane_of(0);
    for (int i = 0; i < PLANE_SERVOS; i++) {
        per_share += g->control_rudder_mix[i] * g->surface_allocation[2 * PLANE_SERVOS + i];
    }
    mask none = per_share == 0;
    return lane_select(none, lane_of(0), rudder / lane_select(none, lane_of(1), per_share));
}

LANE_INLINE void plane_rate_update(const plane_state *s, const plane_gain *g, const winged_gain *shared,
                                   const winged_air *at, mask armed, lane dt, winged_controller *c,
                                   lane *command)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    lane slowest = WINGED_SLOWEST * at->minimum,
         least = winged_least_pressure(at, g->control_reference_density);
    vec3 error = sub(c->rate_command, s->rate), moment = winged_moment(shared, at, c, error);
    mask rolls = plane_on_ground(s);
    moment = add(moment, vec3_select(rolls, zero, winged_level_moment(shared, at)));
    vec3 share = scale(1 / lane_max(at->pressure, least), moment);
    share.z = lane_select(rolls, plane_rudder_share(g, plane_steering(s, g, c)), share.z);
    mask within = plane_allocate(g, share, command);
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
    winged_motion motion;
    plane_gain g;
    winged_gain shared; /* of g */
    winged_setpoint sp;
    winged_controller c;
    winged_air air;
    lane push; /* m/s^2: of the launch */
    mask armed, bits;
} plane_known;

LANE_INLINE void plane_know(plane_known *k, const block *b)
{
    plane_input in;
    k->armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    k->bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    const lane shift = plane_load_known_state(&k->s, b);
    k->s.ground[0] += shift;
    plane_load_input(&in, b);
    plane_load_gain(&k->g, b);
    rows_copy((lane *)&k->shared, (const lane *)&k->g, ROWS_OF(winged_gain));
    plane_load_setpoint((plane_setpoint *)&k->sp, b);
    plane_load_controller((plane_controller *)&k->c, b);
    k->motion = (winged_motion){k->s.pos, k->s.vel, rotation_from_quat(k->s.att), k->s.rate};
    k->air = winged_air_known(&k->motion, in.wind, k->g.control_reference_density, &k->shared, b);
    k->push = in.launch_accel;
}

/* Rest and launch of an aircraft on the ground. */
LANE_INLINE void plane_leave_ground(plane_known *k, const block *b)
{
    const winged_ground at = {.touches = plane_on_ground(&k->s),
                              .velocity = ground_plane_below(b).velocity,
                              .floor = k->s.ground[0],
                              .clearance = PLANE_CLEARANCE * k->g.control_gear_reach,
                              .push = k->push,
                              .launch_airspeed = k->g.launch_airspeed,
                              .launch_accel = k->g.catapult_accel};
    lane push = winged_leave_ground(&k->motion, &at, &k->air, &k->sp, k->armed, k->bits, &k->c);
    push = lane_select(at.launch_airspeed > 0, push, k->push);
    lane_store(b->column + (plane_INPUT_ROW + offsetof(plane_input, launch_accel) / sizeof(lane)) * b->stride,
               push);
}

LANE_INLINE void plane_control_path(const block *b)
{
    plane_known k;
    plane_know(&k, b);
    mask arrived = winged_path_update(&k.motion, k.g.control_gravity, &k.shared, &k.sp, &k.air, k.armed,
                                      k.bits, lane_of(b->period), &k.c);
    plane_leave_ground(&k, b);
    plane_store_controller_rows((plane_controller *)&k.c, 0, PLANE_CONTROLLER_ROW(rate_command), b);
    plane_store_arrived(arrived, mask_true(), b);
}

LANE_INLINE void plane_control_attitude(const block *b)
{
    plane_known k;
    plane_know(&k, b);
    winged_attitude_update(&k.motion, k.g.control_gravity, &k.shared, &k.sp, &k.air, k.bits, &k.c);
    k.c.rate_command = estimator_measurable(b, k.c.rate_command);
    plane_store_controller_rows((plane_controller *)&k.c, PLANE_CONTROLLER_ROW(rate_command),
                                PLANE_CONTROLLER_ROW(rate_integral), b);
}

LANE_INLINE void plane_control_rate(const block *b)
{
    plane_known k;
    lane command[ACTUATORS];
    plane_know(&k, b);
    plane_rate_update(&k.s, &k.g, &k.shared, &k.air, k.armed, lane_of(b->period), &k.c, command);
    plane_store_controller_rows((plane_controller *)&k.c, PLANE_CONTROLLER_ROW(rate_integral),
                                ROWS_OF(plane_controller), b);
    plane_store_actuators(command, k.armed, b);
}
