/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a vehicle of blocks: the loops of vehicles that hover (vehicles/hovering/control.h), those of vehicles
 * that fly by wings (vehicles/winged/control.h), and transitions between them (transition.h).  vehicles/control.h says what
 * a family has to define.
 *
 *     control_path       set-points               -> vtol_state; thrust_direction, heading, thrust; bank_command, ...
 *     control_attitude   those or att_sp          -> rate_command
 *     control_rate       rate_command, thrusts    -> channels of motors and joints
 *
 * A vehicle hovers if its gains have a control_mass, flies by wings if they have a wing_cruise_airspeed, and has the loops
 * of what it does at present.  Set-points mean what they mean there.  The channels of vehicles without a set-point, and of
 * those that do neither, are left as they are.
 *
 * Motors for hover get thrusts by the mixer T = M d (control/allocation.h), motors forward the throttle's share of theirs,
 * and the speed w = sqrt(T / k); joints deflections in proportion to moments over dynamic pressure.  Channels invert
 * models/gazebo_esc.h.  The lag of the motors, and but for tailsitters thrust lost by airspeed, are not compensated.
 *
 * A tailsitter hovers with its body upright, and attitude and rates are those of the body in any flight, as PX4 has them;
 * the winged loops have the body turned by 90 degrees about its pitch axis, so that forward is up. */

#include "control/allocation.h"
#include "control/rate.h"
#include "math/euler.h"
#include "parts/free_inputs/held.h"
#include "parts/navigator/block.h"
#include "vehicles/hovering/control.h"
#include "vehicles/gazebo_blocks/load.h"
#include "vehicles/winged/launch.h"

#include "vehicles/gazebo_blocks/transition.h"

#define BLOCKS_CLEARANCE ((real)0.3) /* m above standing: a plane that is launched is clear of the ground */

#define BLOCKS_MOVES       ((real)1)   /* m/s: slower, a motion has no direction */
#define BLOCKS_LEAST_SHARE ((real)0.1) /* of the speed limit of hover: left to it in any wind */

/* Rows of the gains that all loops read: what they assume of motors and joints comes last. */
enum { BLOCKS_LOOP_GAINS = offsetof(blocks_gain, control_motor_channel) / sizeof(lane) };

/* Component k of motor or joint i, which has `of`, as the controllers assume, and that of one with one. */
#define BLOCKS_KNOWN_AT(b, name, of, i, k)                                                                   \
    blocks_row((b)->column + (blocks_GAIN_ROW + offsetof(blocks_gain, control_##name) / sizeof(lane) +       \
                              BLOCKS_ROW(blocks_gain, control_##name, of, i, k)) *                           \
                                 (b)->stride)
#define BLOCKS_KNOWN_OWN(b, name, i) BLOCKS_KNOWN_AT(b, name, 1, i, 0)

/* What all loops read. */
typedef struct blocks_known {
    blocks_state s;
    blocks_gain g;
    blocks_setpoint sp;
    blocks_controller c;
    winged_motion motion;
    winged_gain wing;
    winged_air air;
    mask armed, bits;
    mask acts, hovers, flies, turned; /* it has controllers; what it can; a tailsitter */
} blocks_known;

/* Where a vehicle has controllers and set-points. */
LANE_INLINE mask blocks_acts(const block *b)
{
    const real *gains = b->column + blocks_GAIN_ROW * b->stride;
    lane hovers = lane_load(gains + offsetof(blocks_gain, control_mass) / sizeof(lane) * b->stride);
    lane flies = lane_load(gains + offsetof(blocks_gain, wing_cruise_airspeed) / sizeof(lane) * b->stride);
    mask commanded = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK)) != 0;
    return commanded & ((hovers > 0) | (flies > 0));
}

/* Not inlined: one copy serves the three loops. */
static __attribute__((noinline)) void blocks_know(blocks_known *k, const block *b, mask acts)
{
    blocks_input in;
    k->acts = acts;
    k->armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    k->bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    const lane shift = blocks_load_known_state(&k->s, b);
    k->s.ground[0] += shift;
    blocks_load_input(&in, b);
    rows_load((lane *)&k->g, BLOCKS_LOOP_GAINS, b->column + blocks_GAIN_ROW * b->stride, b->stride);
    blocks_load_setpoint(&k->sp, b);
    blocks_load_controller(&k->c, b);
    k->hovers = k->g.control_mass > 0;
    k->flies = k->g.wing_cruise_airspeed > 0;
    k->turned = k->g.wing_turned != 0;
    rows_copy((lane *)&k->wing, (const lane *)&k->g.wing_speed_limit, ROWS_OF(winged_gain));
    rotation r = rotation_from_quat(k->s.att);
    r = (rotation){vtol_forward(r.north, k->turned), vtol_forward(r.east, k->turned),
                   vtol_forward(r.down, k->turned)};
    k->motion = (winged_motion){k->s.pos, k->s.vel, r, vtol_forward(k->s.rate, k->turned)};
    k->air = winged_air_known(&k->motion, in.wind, k->g.wing_density, &k->wing, b);
}

/* Without a position in its inputs a navigator lets its goal follow a vehicle until it is slow, which one that flies by
 * wings never is: it circles where it is instead. */
LANE_INLINE mask blocks_followed(const block *b, mask bits)
{
    if (!part_enabled(b, RF_PART_navigator)) return mask_not(mask_true());
    mask flags = words_load(NAVIGATOR_WORD(b, navigator_flags)), holds = bits == RF_SETPOINT_POSITION;
    mask mode = words_load(NAVIGATOR_WORD(b, navigator_mode));
    mask offboard = words_load(NAVIGATOR_WORD(b, sil_ints[SIL_INT_OFFBOARD]));
    holds = holds & mask_not(words_have(offboard, SIL_OFFBOARD_POSITION));
    return holds & (mode == NAVIGATOR_POSITION) & words_have(flags, NAVIGATOR_BRAKING);
}

/* Where its inputs have no north and east, or no height, the navigator has those of the vehicle, which one that hovers
 * stays at; by wings they are not given. */
LANE_INLINE vec3 blocks_position_given(const block *b, vec3 pos)
{
    if (!part_enabled(b, RF_PART_navigator)) return pos;
    const lane nan = lane_of((real)__builtin_nan(""));
    const real *raw = NAVIGATOR_COLUMN(b, sil_floats[SIL_POSITION]);
    mask mode = words_load(NAVIGATOR_WORD(b, navigator_mode)),
         flags = words_load(NAVIGATOR_WORD(b, navigator_flags)),
         offboard = words_load(NAVIGATOR_WORD(b, sil_ints[SIL_INT_OFFBOARD]));
    mask positioned = words_have(offboard, SIL_OFFBOARD_POSITION) & (mode == NAVIGATOR_POSITION) &
                      mask_not(words_have(flags, NAVIGATOR_OFFSET_FIXED));
    mask placed = lane_finite(lane_load(raw)) & lane_finite(lane_load(raw + b->stride));
    mask anywhere = positioned & mask_not(placed);
    mask level = positioned & mask_not(lane_finite(lane_load(raw + 2 * b->stride)));
    return vec3_of(lane_select(anywhere, nan, pos.x), lane_select(anywhere, nan, pos.y),
                   lane_select(level, nan, pos.z));
}

/* Where the winged loops fly it. */
LANE_INLINE mask blocks_winged(const blocks_known *k)
{
    return k->flies & (mask_not(k->hovers) | (k->c.vtol_state == VTOL_FW));
}

/* Replaces the set-points of the hovering loops in a transition by its own, and limits how it brakes. */
LANE_INLINE void blocks_transition_setpoints(blocks_known *k)
{
    const lane zero = lane_of(0);
    lane state = k->c.vtol_state, share = vtol_share(state, k->air.forward, &k->g);
    mask to_wings = state == VTOL_TRANSITION_TO_FW, to_hover = state == VTOL_TRANSITION_TO_MC,
         moves = to_wings | to_hover;
    mask glides = to_hover & mask_not(k->turned) & vtol_glides(&k->g, k->air.airspeed, k->air.climb);
    vec3 here = vec3_of(k->s.pos.x, k->s.pos.y, k->c.vtol_z), level = vec3_of(k->s.vel.x, k->s.vel.y, zero);
    lane cruise = winged_level_pitch(&k->wing, k->g.wing_cruise_airspeed * k->g.wing_cruise_airspeed);
    lane over = -lane_min(k->c.vtol_time * VTOL_PITCH_RATE, TRIG_PI / 2 - cruise);
    lane weight = lane_max(k->g.control_mass * k->g.control_gravity, lane_of((real)1e-3));
    lane braking = vtol_pitch(&k->g, weight, k->air.pressure * k->g.wing_lift[0], k->c.vtol_z - k->s.pos.z,
                              k->air.climb, k->air.airspeed);
    lane pitch = lane_select(glides, braking, share * k->c.pitch_command);
    pitch = lane_select(k->turned, over, pitch);
    quat att = quat_from_euler((euler){zero, pitch, k->c.vtol_heading});
    k->sp.pos_sp = vec3_select(moves, here, k->sp.pos_sp);
    k->sp.vel_sp = vec3_select(moves, vec3_select(to_wings, level, vec3_of(zero, zero, zero)), k->sp.vel_sp);
    k->sp.att_sp = quat_select(moves, att, k->sp.att_sp);
    lane_int kept = RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY;
    k->bits = words_select(to_hover, words_of(to_hover, kept), k->bits);
    k->bits =
        words_select(to_wings | glides, words_of(to_wings | glides, kept | RF_SETPOINT_ATTITUDE), k->bits);
    lane limited = lane_min(k->g.accel_limit, k->g.transition_braking);
    k->g.accel_limit = lane_select(to_hover, lane_select(glides, zero, limited), k->g.accel_limit);
}

/* Lets the speed limit of hover bound the airspeed, too, of a vehicle whose wings would lift it: in the direction of its
 * motion. */
LANE_INLINE void blocks_limit_airspeed(blocks_known *k)
{
    const lane limit = k->g.speed_limit;
    const vec2 moves = k->air.ground, wind = {moves.north - k->air.air.north, moves.east - k->air.air.east};
    lane speed = lane_max(lane_sqrt(vec2_dot(moves, moves)), lane_of(BLOCKS_MOVES));
    lane along = vec2_dot(wind, moves) / speed;
    lane left = limit * limit - vec2_dot(wind, wind) + along * along;
    lane allowed = along + lane_sqrt(lane_max(left, lane_of(0)));
    allowed = lane_clamp(allowed, BLOCKS_LEAST_SHARE * limit, limit);
    k->g.speed_limit = lane_select(k->flies, allowed, limit);
}

/* The columns of the winged loops. */
LANE_INLINE winged_controller blocks_winged_of(const blocks_controller *c, mask turned)
{
    winged_controller w;
    w.held_pos = c->held_pos;
    rows_copy((lane *)w.held_course, (const lane *)c->held_course, ROWS_OF(winged_path));
    w.rate_command = vtol_forward(c->rate_command, turned);
    w.rate_integral = vtol_forward(c->rate_integral, turned);
    return w;
}

/* Their set-points: those of the vehicle; in a transition straight on at its height. */
LANE_INLINE winged_setpoint blocks_winged_setpoint(const blocks_known *k, const block *b, mask *bits)
{
    const lane nan = lane_of((real)__builtin_nan(""));
    mask to_wings = k->c.vtol_state == VTOL_TRANSITION_TO_FW;
    *bits = words_select(blocks_followed(b, k->bits), words_of(to_wings, 0), k->bits);
    *bits = words_select(to_wings, words_of(to_wings, RF_SETPOINT_POSITION), *bits);
    vec3 pos = vec3_select(k->hovers, blocks_position_given(b, k->sp.pos_sp), k->sp.pos_sp);
    return (winged_setpoint){.pos_sp = vec3_select(to_wings, vec3_of(nan, nan, k->c.vtol_z), pos),
                             .vel_sp = k->sp.vel_sp,
                             .att_sp = k->sp.att_sp,
                             .rate_sp = k->sp.rate_sp,
                             .thrust_sp = k->sp.thrust_sp,
                             .yaw_sp = k->sp.yaw_sp,
                             .yaw_rate_sp = k->sp.yaw_rate_sp,
                             .airspeed_sp = k->sp.airspeed_sp,
                             .radius_sp = k->sp.radius_sp};
}

/* ---- path loop ---- */

LANE_INLINE void blocks_transition(blocks_known *k, const block *b, mask touches, lane dt)
{
    direction nose = heading_of(k->motion.att, (direction){k->c.heading[0], k->c.heading[1]});
    mask upright = k->turned & mask_not(k->c.vtol_state == VTOL_FW);
    nose = direction_select(upright, heading_of(rotation_from_quat(k->s.att), nose), nose);
    lane speed = lane_sqrt(k->s.vel.x * k->s.vel.x + k->s.vel.y * k->s.vel.y);
    const winged_turn turn = winged_narrowest(&k->wing, k->g.control_gravity);
    lane radius =
        winged_own_radius(&k->wing, &turn, k->wing.cruise_airspeed, k->air.minimum, winged_wind(&k->air));
    const vtol_motion at = {.able = k->hovers & k->flies,
                            .armed = k->armed,
                            .touches = touches,
                            .lands = vtol_lands(b, sub(k->sp.pos_sp, k->s.pos), radius),
                            .airspeed = k->air.forward,
                            .speed = speed,
                            .z = k->s.pos.z,
                            .heading = lane_atan2(nose.east, nose.north)};
    vtol_update(&at, &k->g, dt, &k->c);
    /* the hovering loops begin with the heading of the flight, and with wings that carry the vehicle */
    mask winged = blocks_winged(k);
    velocity_gains gains = velocity_gains_of(k->g.velocity_p, k->g.velocity_i);
    vec3 carried =
        vec3_of(gains.bandwidth[0] * k->s.vel.x, gains.bandwidth[0] * k->s.vel.y,
                gains.bandwidth[1] * k->s.vel.z + VELOCITY_VERTICAL_INTEGRAL * k->g.control_gravity);
    k->c.velocity_integral = vec3_select(winged, carried, k->c.velocity_integral);
    k->c.heading[0] = lane_select(winged, nose.north, k->c.heading[0]);
    k->c.heading[1] = lane_select(winged, nose.east, k->c.heading[1]);
    k->c.thrust = lane_select(winged, lane_of(0), k->c.thrust);
}

/* Looks after winged flight; the set-points are those of the winged loops. */
LANE_INLINE void blocks_quadchute(const blocks_known *k, const winged_setpoint *sp, mask bits, mask touches,
                                  const winged_controller *w, blocks_controller *c)
{
    const rotation r = k->motion.att;
    const tecs_demand to = winged_vertical(&k->motion, &k->wing, sp, bits, w);
    const lane_int direct = RF_SETPOINT_ATTITUDE | RF_SETPOINT_BODY_RATE;
    const vtol_flight at = {.flies = k->armed & mask_not(touches),
                            .keeps = mask_not(to.climbs | to.powerless | words_have(bits, direct)),
                            .z = k->s.pos.z,
                            .z_sp = -to.height,
                            .height = k->s.ground[0] - k->s.pos.z,
                            .pitch =
                                lane_atan2(-r.down.x, lane_sqrt(r.down.y * r.down.y + r.down.z * r.down.z)),
                            .roll = lane_atan2(r.down.y, r.down.z)};
    vtol_quadchute(&at, &k->g, c);
}

/* Rest and launch of planes on the ground, which have no wheels. */
LANE_INLINE void blocks_leave_ground(const blocks_known *k, const block *b, const ground_plane *below,
                                     const winged_setpoint *sp, mask touches, mask bits, mask winged,
                                     winged_controller *c)
{
    real *row =
        b->column + (blocks_INPUT_ROW + offsetof(blocks_input, launch_accel) / sizeof(lane)) * b->stride;
    const mask planes = winged & mask_not(k->hovers);
    const winged_ground at = {.touches = touches & planes,
                              .velocity = below->velocity,
                              .floor = k->s.ground[0] - contact_height_of(b),
                              .clearance = lane_of(BLOCKS_CLEARANCE),
                              .push = lane_load(row),
                              .launch_airspeed = k->g.launch_airspeed,
                              .launch_accel = k->g.catapult_accel};
    lane push = winged_leave_ground(&k->motion, &at, &k->air, sp, k->armed & planes, bits, c);
    rows_store_where(planes & (at.launch_airspeed > 0), &push, 1, row, b->stride);
}

LANE_INLINE void blocks_control_path(const block *b)
{
    mask acts = blocks_acts(b);
    if (!mask_any(acts)) return;
    blocks_known k;
    blocks_know(&k, b, acts);
    const ground_plane below = ground_plane_below(b);
    const mask touches = blocks_touches(b, &k.s, &below);
    const blocks_controller before = k.c;
    blocks_transition(&k, b, touches, lane_of(b->period));
    mask bits, winged = blocks_winged(&k), accelerates = k.flies & (k.c.vtol_state == VTOL_TRANSITION_TO_FW);
    mask arrived = mask_not(mask_true());
    blocks_controller c = k.c;
    if (mask_any(winged | accelerates)) {
        const winged_setpoint sp = blocks_winged_setpoint(&k, b, &bits);
        winged_controller w = blocks_winged_of(&k.c, k.turned);
        arrived = winged & winged_path_update(&k.motion, k.g.control_gravity, &k.wing, &sp, &k.air, k.armed,
                                              bits, lane_of(b->period), &w);
        blocks_leave_ground(&k, b, &below, &sp, touches, bits, winged & acts, &w);
        rows_select((lane *)c.held_course, winged | accelerates, (const lane *)w.held_course,
                    (const lane *)c.held_course, ROWS_OF(winged_path));
        c.held_pos = vec3_select(winged, w.held_pos, c.held_pos);
        blocks_quadchute(&k, &sp, bits, touches, &w, &c);
    }
    blocks_transition_setpoints(&k);
    if (mask_any(mask_not(winged))) {
        blocks_controller h = c;
        blocks_limit_airspeed(&k);
        blocks_velocity_update(&k.s, &k.g, &k.sp, touches, mask_true(), &below, k.armed, k.bits, b->period,
                               &h);
        rows_select((lane *)&c, winged, (const lane *)&c, (const lane *)&h, ROWS_OF(blocks_controller));
        arrived = arrived | (mask_not(winged) & blocks_has_arrived(&k.s, k.bits, &h));
    }
    rows_select((lane *)&c, acts, (const lane *)&c, (const lane *)&before, ROWS_OF(blocks_controller));
    blocks_store_controller_rows(&c, 0, CONTROLLER_ROW_OF(held_att), b);
    blocks_store_arrived(arrived, acts, b);
    free_inputs_tell(b, AUTOPILOT_INPUT_VTOL_STATE, acts & (c.vtol_state > 0), c.vtol_state);
}

/* ---- attitude loop ---- */

LANE_INLINE void blocks_control_attitude(const block *b)
{
    mask acts = blocks_acts(b);
    if (!mask_any(acts)) return;
    blocks_known k;
    blocks_know(&k, b, acts);
    mask bits, winged = blocks_winged(&k);
    blocks_controller c = k.c;
    if (mask_any(winged)) {
        const winged_setpoint sp = blocks_winged_setpoint(&k, b, &bits);
        winged_controller w = blocks_winged_of(&k.c, k.turned);
        winged_attitude_update(&k.motion, k.g.control_gravity, &k.wing, &sp, &k.air, bits, &w);
        c.rate_command = vtol_body(w.rate_command, k.turned);
    }
    if (mask_any(mask_not(winged))) {
        blocks_controller h = k.c;
        blocks_transition_setpoints(&k);
        blocks_attitude_update(&k.s, &k.g, &k.sp, k.armed, k.bits, &h);
        rows_select((lane *)&c, winged, (const lane *)&c, (const lane *)&h, ROWS_OF(blocks_controller));
    }
    c.rate_command = estimator_measurable(b, c.rate_command);
    rows_select((lane *)&c, acts, (const lane *)&c, (const lane *)&k.c, ROWS_OF(blocks_controller));
    blocks_store_controller_rows(&c, CONTROLLER_ROW_OF(thrust), CONTROLLER_ROW_OF(rate_integral), b);
}

/* ---- rate loop ---- */

/* Writes the channel that gives an actuator its target, where `writes`. */
LANE_INLINE void blocks_write_channel(gazebo_esc law, lane channel, lane target, mask writes, lane *command)
{
    mask still = law.scaling == 0;
    lane value = (target - law.zero_armed) / lane_select(still, lane_of(1), law.scaling) - law.offset;
    value = lane_clamp(lane_select(still, lane_of(0), value), lane_of(-1), lane_of(1));
    for (int j = 0; j < BLOCKS_CHANNELS; j++) {
        command[j] = lane_select(writes & (channel == (real)j), value, command[j]);
    }
}

#define BLOCKS_ESC(b, part, i)                                                                               \
    ((gazebo_esc){BLOCKS_KNOWN_OWN(b, part##_offset, i), BLOCKS_KNOWN_OWN(b, part##_scaling, i),             \
                  BLOCKS_KNOWN_AT(b, part##_zero, 2, i, 0), BLOCKS_KNOWN_AT(b, part##_zero, 2, i, 1)})

/* Moments about the axes that fly forward: that of the wings over the dynamic pressure [m^3], all [N m]; in what they act. */
typedef struct blocks_joint_demand {
    vec3 by_airflow, all;
    lane pressure, thrust; /* Pa, N */
} blocks_joint_demand;

/* Position of a joint for a moment about one axis, with `by_airflow` and `blown` of its gains: that of what it moves in the air
 * ahead, or with the slipstream, whose dynamic pressure adds to that of the air ahead. */
LANE_INLINE lane blocks_deflection(const blocks_joint_demand *of, lane by_airflow, lane blown, lane share,
                                   lane all)
{
    const lane one = lane_of(1);
    mask slipstream = blown != 0, ahead = by_airflow * blown > 0;
    lane effect = of->thrust / lane_select(slipstream, blown, one);
    effect += lane_select(ahead, of->pressure / lane_select(ahead, by_airflow, one), lane_of(0));
    lane in_slipstream = all / lane_select(slipstream, effect, one);
    return lane_select(slipstream, in_slipstream, by_airflow * share);
}

/* Channels of the joints for moments; returns where none is at its limit. */
BLOCKS_SHARED blocks_command_joints(const blocks_known *k, const block *b, const blocks_joint_demand *of,
                                    lane *command, mask *within)
{
    const int joints = blocks_greatest(k->g.control_joint_count, MOST_JOINTS);
    for (int i = 0; i < joints; i++) {
        const lane *ahead = k->g.wing_allocation + i, *blown = k->g.joint_mixer + i;
        lane wanted = blocks_deflection(of, ahead[0], blown[0], of->by_airflow.x, of->all.x);
        wanted += blocks_deflection(of, ahead[MOST_JOINTS], blown[MOST_JOINTS], of->by_airflow.y, of->all.y);
        wanted += blocks_deflection(of, ahead[2 * MOST_JOINTS], blown[2 * MOST_JOINTS], of->by_airflow.z,
                                    of->all.z);
        lane low = BLOCKS_KNOWN_AT(b, joint_limit, 2, i, 0), high = BLOCKS_KNOWN_AT(b, joint_limit, 2, i, 1);
        lane angle = lane_clamp(wanted, low, high);
        *within = *within & (angle == wanted);
        blocks_write_channel(BLOCKS_ESC(b, joint, i), BLOCKS_KNOWN_OWN(b, joint_channel, i), angle,
                             k->g.control_joint_count > (real)i, command);
    }
}

/* Shares of the moments about the axes that fly forward which joints leave to the motors of a tailsitter: none, within their
 * travel, so that its thrust can be low.  `full` is the share of `by_airflow` [m^3] that the air gives.  Joints in slipstreams share
 * moments with motors by the mixer. */
BLOCKS_SHARED blocks_left_by_joints(const blocks_known *k, const block *b, const vec3 *by_airflow, lane full,
                                    vec3 *left)
{
    const int joints = blocks_greatest(k->g.control_joint_count, MOST_JOINTS);
    const lane zero = lane_of(0), one = lane_of(1);
    lane reach = one, ahead[3] = {zero, zero, zero}, blown[3] = {zero, zero, zero};
    for (int i = 0; i < joints; i++) {
        const lane *per = k->g.wing_allocation + i;
        lane wanted =
            per[0] * by_airflow->x + per[MOST_JOINTS] * by_airflow->y + per[2 * MOST_JOINTS] * by_airflow->z;
        lane travel = lane_select(wanted > 0, BLOCKS_KNOWN_AT(b, joint_limit, 2, i, 1),
                                  -BLOCKS_KNOWN_AT(b, joint_limit, 2, i, 0));
        lane size = lane_abs(wanted);
        reach = lane_select(size > travel, lane_min(reach, travel / size), reach);
        for (int axis = 0; axis < 3; axis++) {
            ahead[axis] = lane_max(ahead[axis], lane_abs(per[axis * MOST_JOINTS]));
            blown[axis] = lane_max(blown[axis], lane_abs(k->g.joint_mixer[axis * MOST_JOINTS + i]));
        }
    }
    lane rest = 1 - full * lane_max(reach, zero);
    *left = vec3_of(lane_select((ahead[0] > 0) & (blown[0] == 0), rest, one),
                    lane_select((ahead[1] > 0) & (blown[1] == 0), rest, one),
                    lane_select((ahead[2] > 0) & (blown[2] == 0), rest, one));
}

/* Channels of the motors for their thrusts [N]. */
BLOCKS_SHARED blocks_command_motors(const blocks_known *k, const block *b, const lane *thrust, lane *command)
{
    const int motors = blocks_greatest(k->g.control_motor_count, MOST_MOTORS);
    for (int i = 0; i < motors; i++) {
        lane constant = BLOCKS_KNOWN_OWN(b, motor_thrust, i);
        mask works = constant > 0;
        lane square = lane_max(thrust[i], lane_of(0)) / lane_select(works, constant, lane_of(1));
        lane speed = lane_select(works, lane_sqrt(square), lane_of(0));
        speed = lane_select(BLOCKS_KNOWN_OWN(b, motor_reversible, i) < 0, -speed, speed);
        blocks_write_channel(BLOCKS_ESC(b, motor, i), BLOCKS_KNOWN_OWN(b, motor_channel, i), speed,
                             k->g.control_motor_count > (real)i, command);
    }
}

/* Thrusts [N], at rest, of all motors, and adds up those that act; `share` is that of the hovering loops.  Those of a
 * tailsitter, which flies along its motors' axes, make up for what airspeed takes from them.  They may stop in winged flight:
 * thrust near that of idle would leave no descent, nor differences of thrusts for moments. */
BLOCKS_SHARED blocks_thrusts(const blocks_known *k, const block *b, lane share, const vec3 *moment,
                             mask winged, lane throttle, lane *thrust, lane *acting,
                             allocation_result *result)
{
    const lane zero = lane_of(0), one = lane_of(1);
    lane minimum[MOST_MOTORS], maximum[MOST_MOTORS], left[MOST_MOTORS];
    mask lifts = k->hovers & (mask_not(winged) | k->turned);
    lane most = k->g.thrust_limit[1], still = lane_of(ALLOCATION_TINY), moving = still;
    for (int i = 0; i < MOST_MOTORS; i++) {
        lane lost = BLOCKS_KNOWN_OWN(b, motor_airspeed_loss, i) * lane_abs(k->air.forward);
        left[i] = lane_select(k->turned, lane_max(one - lost, lane_of((real)RF_THRUST_LEFT)), one);
        lane ceiling = lane_select(lifts, k->g.motor_ceiling[i], zero);
        maximum[i] = left[i] * ceiling;
        minimum[i] = lane_select(winged, zero, (real)RF_IDLE_THRUST * maximum[i]);
        still += ceiling;
        moving += maximum[i];
    }
    lane forward_thrust = throttle * most * lane_select(k->turned, moving / still, one);
    lane collective = lane_select(winged, forward_thrust, lane_min(k->c.thrust, share * most));
    *result = allocate(k->g.motor_mixer, MOST_MOTORS, lane_select(lifts, collective, zero),
                       vec3_select(lifts, scale(share, *moment), vec3_of(zero, zero, zero)), minimum, maximum,
                       thrust);
    mask forward = mask_not(k->turned);
    for (int i = 0; i < MOST_MOTORS; i++) {
        thrust[i] += lane_select(forward, throttle * k->g.forward_thrust[i], zero);
        *acting += thrust[i];
        thrust[i] /= left[i];
    }
}

/* Gains of the axes of the forward frame, which have no direction, by those of the body. */
LANE_INLINE vec3 blocks_gain_of_body(vec3 gain, mask turned)
{
    return vec3_of(lane_select(turned, gain.z, gain.x), gain.y, lane_select(turned, gain.x, gain.z));
}

/* Moment of the hovering loops [N m, FRD]; a tailsitter that pitches up to hover has to outrun the lift of its wings. */
LANE_INLINE vec3 blocks_hover_moment(const blocks_known *k, const winged_controller *w, vec3 error,
                                     mask pitches, lane dt)
{
    vec3 moment = rate_loop(error, sub(k->s.rate, k->c.rate_before), k->c.rate_integral, k->g.rate_p,
                            k->g.rate_d, 1 / dt);
    vec3 damping = vtol_body(winged_damping(&k->wing, &k->air, w), k->turned);
    return vec3_select(pitches, add(moment, damping), moment);
}

LANE_INLINE void blocks_rate_update(blocks_known *k, const block *b, lane dt, lane *command)
{
    const lane zero = lane_of(0), one = lane_of(1);
    const vec3 none = vec3_of(zero, zero, zero);
    mask winged = blocks_winged(k), accelerates = k->flies & (k->c.vtol_state == VTOL_TRANSITION_TO_FW);
    mask pitches = k->flies & k->turned & (k->c.vtol_state == VTOL_TRANSITION_TO_MC);
    lane wings = lane_select(winged, one, vtol_share(k->c.vtol_state, k->air.forward, &k->g));
    wings = lane_select(pitches & (k->air.forward > 0), one, wings);
    wings = lane_select(k->flies, wings, zero);
    lane rotors = lane_select(k->turned, one, 1 - wings);
    winged_controller w = blocks_winged_of(&k->c, k->turned);
    const ground_plane below = ground_plane_below(b);
    mask slides = mask_not(k->hovers) & blocks_touches(b, &k->s, &below);
    vec3 error = sub(k->c.rate_command, k->s.rate);
    /* about an axis without an integral in winged flight it is that of hover, and would hold it across the flow */
    w.rate_integral = vec3_of(lane_select(k->wing.rate_i.x == 0, zero, w.rate_integral.x),
                              lane_select(k->wing.rate_i.y == 0, zero, w.rate_integral.y),
                              lane_select(k->wing.rate_i.z == 0, zero, w.rate_integral.z));
    vec3 by_rotors = blocks_hover_moment(k, &w, error, pitches, dt);
    vec3 by_airflow = winged_moment(&k->wing, &k->air, &w, vtol_forward(error, k->turned));
    vec3 level = winged_level_moment(&k->wing, &k->air);
    by_airflow = add(by_airflow, vec3_select(pitches | slides, none, level));
    by_airflow = vec3_select(pitches, vtol_forward(by_rotors, k->turned), by_airflow);
    lane pressure = lane_max(k->air.pressure, winged_least_pressure(&k->air, k->g.wing_density));
    vec3 by_joints = vec3_select(k->flies, scale(wings / pressure, by_airflow), none);
    mask shares = k->turned & (winged | pitches);
    if (mask_any(shares)) {
        vec3 left;
        blocks_left_by_joints(k, b, &by_joints, wings * k->air.pressure / pressure, &left);
        by_rotors = vec3_select(shares, vtol_body(mul(left, by_airflow), k->turned), by_rotors);
    }

    lane ramp = lane_min(k->c.vtol_time * (1 / VTOL_SPOOL), one);
    lane throttle = lane_select(winged, k->c.throttle_command, zero);
    throttle = lane_select(accelerates, ramp * k->g.transition_throttle, throttle);
    lane thrust[MOST_MOTORS], acting = lane_of(ALLOCATION_TINY);
    allocation_result result;
    blocks_thrusts(k, b, rotors, &by_rotors, winged, throttle, thrust, &acting, &result);
    mask within = mask_true(), alone = winged & mask_not(k->turned);
    lane blown = zero;
    for (int i = 0; i < 3 * MOST_JOINTS; i++) blown = lane_max(blown, lane_abs(k->g.joint_mixer[i]));
    const blocks_joint_demand demand = {.by_airflow = by_joints,
                                        .all = vtol_forward(by_rotors, k->turned),
                                        .pressure = lane_select(k->flies, k->air.pressure, zero),
                                        .thrust = acting};
    blocks_command_motors(k, b, thrust, command);
    blocks_command_joints(k, b, &demand, command, &within);

    within = within | ((mask_not(wings > 0) | k->turned) & mask_not(blown > 0));
    vec3 p = vec3_select(winged, blocks_gain_of_body(k->wing.rate_p, k->turned), k->g.rate_p);
    vec3 i = vec3_select(winged, blocks_gain_of_body(k->wing.rate_i, k->turned), k->g.rate_i);
    vec3 integral =
        rate_integral(k->c.rate_integral, error, i, p, dt, within & (alone | result.tilt_allocated),
                      within & (alone | result.yaw_allocated));
    k->c.rate_integral = vec3_select(k->armed & mask_not(slides), integral, none);
    k->c.rate_before = k->s.rate;
    for (int j = 0; j < BLOCKS_CHANNELS; j++) command[j] = lane_select(k->armed, command[j], zero);
}

LANE_INLINE void blocks_control_rate(const block *b)
{
    mask acts = blocks_acts(b);
    if (!mask_any(acts)) return;
    blocks_known k;
    lane command[ACTUATORS], present[ACTUATORS];
    blocks_know(&k, b, acts);
    const blocks_controller before = k.c;
    for (int j = 0; j < ACTUATORS; j++) command[j] = lane_of(0);
    blocks_rate_update(&k, b, lane_of(b->period), command);
    rows_select((lane *)&k.c, acts, (const lane *)&k.c, (const lane *)&before, ROWS_OF(blocks_controller));
    blocks_store_controller_rows(&k.c, CONTROLLER_ROW_OF(rate_integral), ROWS_OF(blocks_controller), b);
    rows_load(present, ACTUATORS, b->column + blocks_INPUT_ROW * b->stride, b->stride);
    rows_select(command, acts, command, present, ACTUATORS);
    blocks_store_actuators(command, k.armed, b);
}
