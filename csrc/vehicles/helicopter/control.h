/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a helicopter: position, velocity and attitude loops are those of all vehicles that hover, the rate
 * loop gives the swash plate, the tail rotor and the throttle.  A template; vehicles/control.h lists its functions.
 *
 *     control_rate       rate_command, thrust     -> throttle, tail_command, swash_command
 *
 * With the moments M of the rate loop, the tip-path plane is to be tilted by b = M_x / (J_xx Lb), a = M_y / (J_yy Ma), and
 * the cyclic controls are those with which it stays there at the commanded angular velocity (models/tip_path.h): most of
 * them is for that, as the plane lags behind a body that turns.  The collective control is that of the thrust T at the
 * present rotor speed and velocity over ground, as the wind is not known; where the rotor is slow, it is reduced and the
 * rotor recovers, also in autorotation:
 *
 *     c     = share (T_0 / m - n Zs s) / (Zc n^2)
 *     T_0/m = T/m + L - n D (h f - v) / (1 + d / 2)    without translational lift: models/rotor_inflow.h, laws.h
 *     share = (n - HELICOPTER_LOW) / (HELICOPTER_READY - HELICOPTER_LOW), 0 to 1
 *     L'    = k d / cos(tilt)                          k: the bandwidth w of velocity_integrator
 *
 * with v, h and f of T, to first order in h f - v, and n Zs s from -HELICOPTER_HEAVE to HELICOPTER_FLOAT: in fast air from
 * below, as while braking, the first order has too much lift already.  L is the lift that is lost otherwise, mostly to
 * wind.  It takes over what the velocity loop observes as a disturbance d downwards, so that limits of that loop are not
 * spent on what the collective can make up for, and T is the true thrust.  With k = w the two, s^2 / w + s + k = 0,
 * have a damping ratio of 0.5; with half of it height is lost in sudden winds (docs/models.md).  L waits while the plate is
 * at its limit or the rotor is slow, and is 0 where the thrust is a set-point.
 *
 * On the ground a helicopter stands until all thrust is there.
 *
 * The tail rotor gets M_z and the engine's reaction: that of models/governed_engine.h at the present throttle and rotor
 * speed, under a load that is linear in the thrust and goes with n^2, as the moment of the tail rotor does, and what the
 * velocity adds: the power of the climb and of the induced velocity, and the moment that goes with the climb. */

#include "control/rate.h"
#include "models/swash_plate.h"
#include "vehicles/helicopter/laws.h"
#include "vehicles/hovering/control.h"

#define HELICOPTER_LOW   ((real)0.8)  /* of the nominal rotor speed: no thrust below */
#define HELICOPTER_READY ((real)0.95) /* all thrust above */
#define HELICOPTER_HEAVE ((real)1)    /* g, at most for the lift that is lost by Zs s */
#define HELICOPTER_FLOAT ((real)0.25) /* g, at most for that which is gained */
#define HELICOPTER_SLOW  ((real)0.3)  /* the tail rotor is used as if it had that speed below it */
#define HELICOPTER_PLATE                                                                                     \
    ((real)0.6) /* of the servos' range, at most for the collective; the rest is cyclic */

LANE_INLINE mask helicopter_ready_to_lift_off(const helicopter_state *s, const helicopter_gain *g)
{
    return s->main_rotor_speed > HELICOPTER_READY * g->control_main_rotor_nominal;
}

#include "vehicles/hovering/stage.h"

LANE_INLINE void helicopter_control_attitude(const block *b)
{
    mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    mask bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    helicopter_state s;
    helicopter_gain g;
    helicopter_setpoint sp;
    helicopter_controller c;
    helicopter_load_known_state(&s, b);
    helicopter_load_gain(&g, b);
    helicopter_load_setpoint(&sp, b);
    helicopter_load_controller(&c, b);
    helicopter_attitude_update(&s, &g, &sp, armed, bits, &c);
    c.rate_command = estimator_measurable(b, c.rate_command);
    helicopter_store_controller_rows(&c, CONTROLLER_ROW_OF(thrust), CONTROLLER_ROW_OF(rate_integral), b);
}

/* What a thrust takes at a velocity. */
typedef struct helicopter_demand {
    lane linear; /* m/s^2: n^2 Zc c */
    lane power;  /* W, of the air at the main rotor, over that in hover */
} helicopter_demand;

/* Of a thrust [N] at n times the nominal speed and a velocity [m/s, FRD]. */
LANE_INLINE helicopter_demand helicopter_demand_of(const helicopter_known *p, lane n, lane thrust, vec3 vel)
{
    const helicopter_flow flow = helicopter_flow_of(p);
    lane accel = thrust / p->mass, hover = lane_sqrt(flow.square * lane_max(accel, lane_of(0)));
    lane across = lane_sqrt(vel.x * vel.x + vel.y * vel.y), h = lane_max(hover, lane_of(INFLOW_TINY));
    lane induced = rotor_inflow_of(hover, -vel.z, across, lane_of(0)).induced;
    lane less = h * rotor_inflow_axial(-vel.z / h) - induced;
    lane lift = n * flow.loss / flow.square * less / (1 + (real)0.5 * helicopter_loss(&flow, n, hover));
    lane heave = lane_clamp(n * p->heave_damping * vel.z, -HELICOPTER_HEAVE * p->gravity,
                            HELICOPTER_FLOAT * p->gravity);
    lane power = thrust * (p->induced_factor * (induced - hover) - vel.z);
    return (helicopter_demand){accel - lift - heave, power};
}

/* Height of the plate for n^2 Zc c. */
LANE_INLINE lane helicopter_collective(const helicopter_known *p, lane n, lane linear)
{
    lane share = (n - HELICOPTER_LOW) * (1 / (HELICOPTER_READY - HELICOPTER_LOW));
    share = lane_clamp(share, lane_of(0), lane_of(1));
    lane square = lane_max(n * n, lane_of(HELICOPTER_LOW * HELICOPTER_LOW));
    lane per_plate = p->collective_accel * p->collective_travel * square;
    return lane_clamp(share * linear / per_plate, lane_of(-HELICOPTER_PLATE), lane_of(HELICOPTER_PLATE));
}

/* Height and tilt of the plate; returns where the moments are those demanded. */
LANE_INLINE mask helicopter_plate(const helicopter_known *p, lane height, vec3 moment, vec3 rate, vec3 *plate)
{
    const tip_path disk = helicopter_disk(p);
    lane tilt[2] = {moment.x / (p->inertia.xx * p->tip_path_moment[0]),
                    moment.y / (p->inertia.yy * p->tip_path_moment[1])};
    lane turning[2] = {rate.x, rate.y}, control[2];
    tip_path_controls(&disk, tilt, turning, control);
    lane right = control[0] / p->cyclic_travel[0], back = control[1] / p->cyclic_travel[1];
    lane square = right * right + back * back, factor = limiting_factor(square, 1 - lane_abs(height));
    *plate = vec3_of(height, factor * back, factor * right);
    return mask_not(factor < 1);
}

/* Command of the tail rotor for a yaw moment, at n times the nominal speed; returns where it has it. */
LANE_INLINE mask helicopter_tail(const helicopter_state *s, const helicopter_known *p, lane n, lane throttle,
                                 lane load, lane moment, lane down, lane *tail)
{
    const lane least = lane_of(HELICOPTER_SLOW * HELICOPTER_SLOW), one = lane_of(1);
    const governed_engine engine = helicopter_engine(p);
    lane reaction = governed_engine_torque(&engine, throttle, s->main_rotor_speed, load);
    lane by_climb = p->inertia.zz * p->yaw_per_speed[1] * lane_min(one, n) * down;
    lane wanted =
        (moment + reaction - by_climb) / (p->inertia.zz * p->tail_authority * lane_max(n * n, least));
    *tail = lane_clamp(wanted, lane_of(-1), one);
    return *tail == wanted;
}

/* Lift lost after dt; `open`: where the collective control is that of the thrust. */
LANE_INLINE lane helicopter_lift_lost(const helicopter_gain *g, const helicopter_controller *c, lane upright,
                                      mask open, lane dt)
{
    lane bandwidth = velocity_gains_of(g->velocity_p, g->velocity_i).bandwidth[1];
    lane missing = c->disturbance.z / lane_max(upright, lane_of(VELOCITY_MINIMUM_LIFT));
    return c->lift_lost + lane_select(open, bandwidth * dt * missing, lane_of(0));
}

LANE_INLINE void helicopter_rate_update(const helicopter_state *s, const helicopter_known *p,
                                        const helicopter_gain *g, mask armed, mask direct, lane dt,
                                        helicopter_controller *c, lane *command)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    vec3 error = sub(c->rate_command, s->rate), plate;
    vec3 moment = rate_loop(error, zero, c->rate_integral, g->rate_p, zero, lane_of(0));
    vec3 feed_forward = vec3_of(c->rate_command.x, c->rate_command.y, zero.z);
    const rotation r = rotation_from_quat(s->att);
    vec3 vel = to_body(r, s->vel);
    lane n = s->main_rotor_speed / p->main_rotor_nominal;
    const helicopter_demand demand = helicopter_demand_of(p, n, c->thrust, vel);
    lane load = n * n * (g->tail_load[0] + g->tail_load[1] * c->thrust) +
                demand.power / (p->main_rotor_nominal * lane_max(n, lane_of(HELICOPTER_LOW)));
    lane height = helicopter_collective(p, n, demand.linear + c->lift_lost);
    mask tilt_allocated = helicopter_plate(p, height, moment, feed_forward, &plate);
    mask yaw_allocated = helicopter_tail(s, p, n, c->spool, load, moment.z, vel.z, &command[1]);

    /* the integral may hold a whole moment of any rate that is commanded */
    vec3 whole = vec3_of(p->inertia.xx * p->tip_path_moment[0] * p->tip_path_tau,
                         p->inertia.yy * p->tip_path_moment[1] * p->tip_path_tau, g->rate_p.z);
    vec3 integral =
        rate_integral(c->rate_integral, error, g->rate_i, whole, dt, tilt_allocated, yaw_allocated);
    c->rate_integral = vec3_select(armed, integral, zero);
    mask open = (n > HELICOPTER_READY) & (lane_abs(height) < HELICOPTER_PLATE);
    lane lost = helicopter_lift_lost(g, c, r.down.z, open, dt);
    c->lift_lost = lane_select(armed & mask_not(direct), lost, zero.x);
    c->spool = lane_select(armed, lane_min(c->spool + dt * g->spool_rate, lane_of(1)), zero.x);

    const swash_plate servos = swash_plate_of(p->swash_count, p->swash_angle, p->swash_arm);
    command[0] = c->spool;
    for (int i = 0; i < SWASH_SERVOS; i++) {
        command[2 + i] = lane_clamp(swash_plate_servo(&servos, i, plate), lane_of(-1), lane_of(1));
    }
    for (int i = 0; i < ACTUATORS; i++) command[i] = lane_select(armed, command[i], zero.x);
}

LANE_INLINE void helicopter_control_rate(const block *b)
{
    mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    helicopter_state s;
    helicopter_gain g;
    helicopter_controller c;
    lane command[ACTUATORS];
    helicopter_load_known_state(&s, b);
    helicopter_load_gain(&g, b);
    const helicopter_known p = helicopter_known_of(&g.control_mass);
    helicopter_load_controller(&c, b);
    mask direct = helicopter_thrust_is_direct(words_load(block_flag(b, RF_FLAG_SETPOINT_MASK)));
    helicopter_rate_update(&s, &p, &g, armed, direct, lane_of(b->period), &c, command);
    helicopter_store_controller_rows(&c, CONTROLLER_ROW_OF(rate_integral), ROWS_OF(helicopter_controller), b);
    helicopter_store_actuators(command, armed, b);
}
