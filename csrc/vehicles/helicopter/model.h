/* SPDX-License-Identifier: BSD-3-Clause */
/* Model of a helicopter with a main rotor, clockwise seen from above, and a tail rotor.
 *
 * It is the linear model about hover of an identified helicopter, made one of large motions: with the speed w of the main
 * rotor, n = w / w_0, the air speed (u, v, s) [FRD] and the controls c (collective), x, y (cyclic) of the swash plate,
 * accelerations are
 *
 *     T/m = t (n^2 Zc c + n Zs s),  at most n^2 S                  thrust along the up axis of the body
 *     F/m = T/m (-a, b, -1) - k (Xu u, Yv v, 0) + (0, k Yp p - n^2 (Y_0 + Y_1 t), 0) - drag
 *     L   = h Lb b + h/n (Lu u + Lv v)                             roll, of the tip-path plane (a, b: models/tip_path.h)
 *     M   = h Ma a + h/n (Mu u + Mv v)                             pitch
 *     N   = n^2 Nt t + k (Nv v + Nw s - Nr r) - Q / J_zz           yaw: tail rotor t, engine torque Q
 *
 *     k = n, h = n^2, each at most 1;  t: translational lift, models/rotor_inflow.h, 1 without speed across the rotor
 *
 * At n = 1 the derivatives are the published ones.  Away from it they go as blade elements have it [@padfield 3]: forces
 * of rotors with the square of their speed, the change of thrust with inflow (Zs) with the speed, up to the stall; the
 * tilt by air speed with its inverse, the advance ratio.  Moments of the tilt are those of the thrust at the hub below
 * n = 1, and those of the hub's spring, which do not grow, beyond.  Xu and Yv, the drag of the blades along the disk and
 * the inflow of the tail rotor, go with the speed as Zs does, and so do Nv and Nr, of the tail rotor's inflow: a rotor at
 * rest has none.  They, Yp and Nw, which stand for several effects, do not grow beyond what was identified.
 *
 * Zc and Zs are those of hover; vehicles/helicopter/laws.h has what they become with speed.  The rotor takes the power
 *
 *     P    = n^3 P_0 (1 + K mu^2) + k |T| v_i + T V,    V = b v - a u - s, the climb along T;  v_i: models/rotor_inflow.h
 *     J w' = Q - P / w
 *
 * with the advance ratio mu = sqrt(u^2 + v^2) / (w R), of which K mu^2 is known up to 0.5 [@leishman 5] and held beyond,
 * and Q of models/governed_engine.h: in a descent without engine the air drives it.  The body gets the torque of the
 * engine, not that of the air.  K counts the drag of the blades along the disk, too, which an identified Xu has as well:
 * twice, by less than 4 mu^2 P_0.
 *
 * Leaves out: moments of the air on fuselage and fins, download of the main rotor's wake on them, flapping and gyroscopic
 * moments beyond the identified ones, the rise of Zc with mu^2 (3 % at mu = 0.15), retreating-blade stall, compressibility,
 * dissymmetry at speed, power and speed of the tail rotor. */

#include "models/drag.h"
#include "models/ground_twist.h"
#include "models/rigid_body.h"
#include "models/servo.h"
#include "models/swash_plate.h"
#include "parts/earth/held.h"
#include "parts/environment/held.h"
#include "parts/payload/held.h"
#include "parts/ground_plane/held.h"
#include "parts/loads/held.h"
#include "parts/strength/held.h"
#include "vehicles/helicopter/laws.h"

#define HELICOPTER_MOST_ADVANCE ((real)0.25) /* mu^2 of the profile power */

/* Tail rotor of the 3D packets: its speed over that of the main rotor, that of the X-Cell 60 [@gavrilets]; throw of the
 * servos' arms [rad]. */
#define HELICOPTER_TAIL_RATIO ((real)4.66)
#define HELICOPTER_THROW      ((real)0.785398163397448309616)

/* Constants of a call. */
typedef struct helicopter_plant {
    helicopter_param p;
    vec3 wind;
    lane terrain;
    lane throttle;
    lane target[1 + SWASH_SERVOS]; /* of the tail, and of the swash plate's servos */
    servo tail, swash;
    swash_plate plate;
    tip_path disk;
    helicopter_flow flow;
    governed_engine engine;
    lane inverse_mass;
    sym3 inverse_inertia;
    lane per_nominal;    /* s/rad */
    lane per_tip_square; /* s^2/m^2: mu^2 per air speed squared, at the nominal speed */
    lane inverse_rotor_inertia;
    lane twist_per_support; /* rad/m: moment of the ground's friction per support, per inertia and mass */
    ground_plane plane;
    loads external;
    mass_change load;
    earth_below below;
    const block *weakened; /* the block with strengths, or NULL */
} helicopter_plant;

/* Forces of the air in proportion to its density; near the ground the rotor has `near_ground` times the thrust for the
 * same power.  The radius becomes that of the disk through which as much mass flows at sea level, and K that of its tips. */
LANE_INLINE void helicopter_scale_air(helicopter_param *p, lane ratio, lane near_ground)
{
    lane thrust = ratio * near_ground;
    p->drag_quadratic = scale(ratio, p->drag_quadratic);
    p->collective_accel *= thrust;
    p->heave_damping *= thrust;
    p->stall_accel *= thrust;
    p->induced_factor /= near_ground * lane_sqrt(near_ground);
    p->main_rotor_radius *= lane_sqrt(ratio);
    p->profile_power *= ratio;
    p->profile_advance *= ratio;
    p->yaw_damping *= ratio;
    p->tail_authority *= ratio;
    p->side_per_roll_rate *= ratio;
    for (int i = 0; i < 2; i++) {
        p->speed_damping[i] *= ratio;
        p->roll_per_speed[i] *= ratio;
        p->pitch_per_speed[i] *= ratio;
        p->yaw_per_speed[i] *= ratio;
        p->tail_side[i] *= ratio;
    }
}

/* The engine at a voltage of `ratio` times that at which its parameters hold. */
LANE_INLINE void helicopter_scale_voltage(helicopter_param *p, lane ratio)
{
    p->engine_torque *= ratio;
    p->engine_speed *= ratio;
}

LANE_INLINE void helicopter_extend(helicopter_plant *m, const block *b)
{
    m->plane = ground_plane_below(b);
    m->external = loads_of(b);
    m->load = changed_mass_of(b, m->p.mass);
    m->below = earth_of(b);
    m->weakened = strength_block(b);
}

/* Of the engine the torque that it can give, of tail and swash plate what a servo's deflection does. */
LANE_INLINE void helicopter_weaken(helicopter_plant *m)
{
    lane left[ACTUATORS];
    strengths_of(m->weakened, ACTUATORS, left);
    m->engine.stall_torque *= left[0];
    m->p.tail_authority *= left[1];
    m->p.tail_side[1] *= left[1];
    for (int i = 0; i < SWASH_SERVOS; i++) m->plate.row[i] = scale(left[2 + i], m->plate.row[i]);
}

LANE_INLINE void helicopter_prepare(helicopter_plant *m, const helicopter_input *in, int full)
{
    const helicopter_param *p = &m->p;
    const helicopter_known known = helicopter_known_of(&p->mass);
    const lane zero = lane_of(0), one = lane_of(1);
    m->wind = in->wind;
    m->terrain = in->terrain;
    m->throttle = in->engine_throttle;
    if (full != EXTENDED) m->plane = ground_plane_level();
    m->target[0] = servo_target(in->tail_command, zero, one, one);
    for (int i = 0; i < SWASH_SERVOS; i++) {
        m->target[1 + i] = servo_target(in->swash_command[i], zero, one, one);
    }
    m->tail = (servo){1 / p->tail_tau, 2 / p->tail_tau, zero}; /* a step is never faster: no limit */
    m->swash = (servo){1 / p->swash_tau, p->swash_rate, zero};
    m->plate = swash_plate_of(p->swash_count, p->swash_angle, p->swash_arm);
    m->disk = helicopter_disk(&known);
    m->flow = helicopter_flow_of(&known);
    m->engine = helicopter_engine(&known);
    m->inverse_mass = 1 / p->mass;
    m->inverse_inertia = sym3_inverse(p->inertia);
    m->per_nominal = 1 / p->main_rotor_nominal;
    lane tip = p->main_rotor_nominal * p->main_rotor_radius;
    m->per_tip_square = 1 / (tip * tip);
    m->inverse_rotor_inertia = 1 / p->main_rotor_inertia;
    m->twist_per_support = p->ground_grip * m->plane.grip * p->ground_radius * p->mass / p->inertia.zz;
    if (full == EXTENDED && m->weakened != NULL) helicopter_weaken(m);
}

/* What the air does at a state: the main rotor, and what the body feels of it and of the tail rotor. */
typedef struct helicopter_air {
    lane thrust;  /* m/s^2, up */
    lane load;    /* N m: torque that turns the main rotor */
    lane engine;  /* N m: torque of the engine */
    vec3 control; /* collective, cyclic to the right and backwards */
    vec3 accel;   /* m/s^2, FRD */
    vec3 turning; /* rad/s^2, FRD, without the engine's reaction */
} helicopter_air;

/* Inflow of the main rotor at n times its nominal speed, with a thrust per mass without speed across it. */
LANE_INLINE rotor_inflow helicopter_inflow(const helicopter_plant *m, lane n, lane thrust, lane climb,
                                           lane across)
{
    lane hover = lane_sqrt(lane_abs(thrust) * m->flow.square), loss = helicopter_loss(&m->flow, n, hover);
    return rotor_inflow_of(hover, lane_select(thrust < 0, -climb, climb), across, loss);
}

/* Torque that turns the main rotor, with a thrust per mass and the induced velocity, climbing along it. */
LANE_INLINE lane helicopter_load(const helicopter_plant *m, lane speed, lane n, lane thrust, lane induced,
                                 lane climb, lane across)
{
    lane n2 = n * n;
    lane advance = lane_min(across * across * m->per_tip_square, HELICOPTER_MOST_ADVANCE * n2);
    lane profile = m->p.profile_power * n * (n2 + m->p.profile_advance * advance);
    lane power = m->p.mass * (m->p.induced_factor * lane_abs(thrust) * induced + thrust * climb);
    return (power + profile) / lane_max(lane_of(HELICOPTER_SLOWEST), speed);
}

LANE_INLINE helicopter_air helicopter_air_at(const helicopter_state *s, const helicopter_plant *m,
                                             vec3 airspeed)
{
    const helicopter_param *p = &m->p;
    helicopter_air aero;
    lane n = m->per_nominal * s->main_rotor_speed, n2 = n * n, t = s->tail_position;
    lane held = lane_min(lane_of(1), n), hub = held * held, by_advance = lane_min(n, 1 / n);
    lane right = s->tip_path[0], back = s->tip_path[1];
    vec3 plate = swash_plate_on(&m->plate, s->swash_position);
    aero.control =
        vec3_of(p->collective_travel * plate.x, p->cyclic_travel[0] * plate.z, p->cyclic_travel[1] * plate.y);

    lane stall = n2 * p->stall_accel;
    lane thrust = n2 * p->collective_accel * aero.control.x + n * p->heave_damping * airspeed.z;
    thrust = lane_limit(thrust, stall);
    lane climb = right * airspeed.y - back * airspeed.x - airspeed.z;
    lane across = lane_sqrt(airspeed.x * airspeed.x + airspeed.y * airspeed.y);
    const rotor_inflow inflow = helicopter_inflow(m, n, thrust, climb, across);
    aero.thrust = lane_limit(inflow.lift * thrust, stall);
    aero.load = helicopter_load(m, s->main_rotor_speed, n, aero.thrust, inflow.induced, climb, across);
    aero.engine = governed_engine_torque(&m->engine, m->throttle, s->main_rotor_speed, aero.load);

    vec3 drag = scale(m->inverse_mass, drag_quadratic_only(p->drag_quadratic, airspeed));
    lane along = -held * p->speed_damping[0] * airspeed.x;
    lane side = held * (p->side_per_roll_rate * s->rate.x - p->speed_damping[1] * airspeed.y) -
                n2 * (p->tail_side[0] + p->tail_side[1] * t);
    aero.accel = add(drag, vec3_of(along - aero.thrust * back, aero.thrust * right + side, -aero.thrust));
    lane by_speed[2] = {p->roll_per_speed[0] * airspeed.x + p->roll_per_speed[1] * airspeed.y,
                        p->pitch_per_speed[0] * airspeed.x + p->pitch_per_speed[1] * airspeed.y};
    lane yaw = held * (p->yaw_per_speed[0] * airspeed.y + p->yaw_per_speed[1] * airspeed.z -
                       p->yaw_damping * s->rate.z);
    aero.turning = vec3_of(hub * p->tip_path_moment[0] * right + by_advance * by_speed[0],
                           hub * p->tip_path_moment[1] * back + by_advance * by_speed[1],
                           n2 * p->tail_authority * t + yaw);
    return aero;
}

LANE_INLINE ground helicopter_ground(const helicopter_plant *m)
{
    const helicopter_param *p = &m->p;
    return (ground){p->ground_stiffness, p->ground_damping,       p->ground_hardening,
                    p->ground_preload,   p->ground_friction,      p->ground_grip * m->plane.grip,
                    p->ground_leveling,  p->ground_level_damping, mask_not(mask_true())};
}

LANE_INLINE ground_twist helicopter_twist(const helicopter_state *s, const helicopter_plant *m,
                                          const ground *g)
{
    return ground_twist_of(g, &m->plane, m->p.gravity, s->pos.z - s->ground[0], s->vel, m->twist_per_support);
}

/* Adds the reaction of the ground to the derivatives of vehicles that touch it. */
LANE_INLINE void helicopter_add_contact(const helicopter_state *s, const helicopter_plant *m, rotation r,
                                        helicopter_state *d)
{
    mask touches = ground_touches(s->pos.z - s->ground[0]);
    if (!mask_any(touches)) return;
    const ground g = helicopter_ground(m);
    ground_reaction by = ground_react(&g, &m->plane, m->p.gravity, s->pos.z - s->ground[0], s->ground_pull,
                                      s->vel, r, s->rate);
    const ground_twist twist = helicopter_twist(s, m, &g);
    lane yaw_rate = m->plane.level ? s->rate.z : s->rate.z - m->plane.yaw_rate * r.down.z;
    by.angular_accel.z = ground_twist_moment(&twist, s->ground_twist, yaw_rate);
    d->ground_twist = lane_select(touches, ground_twist_rate(&twist, yaw_rate), lane_of(0));
    d->vel = vec3_select(touches, add(d->vel, by.accel), d->vel);
    d->rate = vec3_select(touches, add(d->rate, by.angular_accel), d->rate);
    for (int i = 0; i < 2; i++) d->ground_pull[i] = lane_select(touches, by.pull_rate[i], lane_of(0));
}

#include "vehicles/body/changed_mass.h"

/* Tip-path plane, rotor, tail and servos. */
LANE_INLINE void helicopter_drives(const helicopter_state *s, const helicopter_plant *m,
                                   const helicopter_air *aero, helicopter_state *d)
{
    lane n = lane_min(lane_of(1), m->per_nominal * s->main_rotor_speed);
    tip_path_derivative(&m->disk, s->tip_path, s->rate, n, aero->control.y, aero->control.z, d->tip_path);
    d->main_rotor_speed = (aero->engine - aero->load) * m->inverse_rotor_inertia;
    d->tail_position = servo_derivative(&m->tail, s->tail_position, m->target[0]);
    for (int i = 0; i < SWASH_SERVOS; i++) {
        d->swash_position[i] = servo_derivative(&m->swash, s->swash_position[i], m->target[1 + i]);
    }
}

/* One copy for all integrators and outputs: the model is long. */
static __attribute__((noinline)) void helicopter_derivative_of(const helicopter_state *s,
                                                               const helicopter_plant *m, int extended,
                                                               helicopter_state *d)
{
    rotation r = rotation_from_quat(s->att);
    vec3 airspeed = to_body(r, sub(s->vel, m->wind));
    const helicopter_air aero = helicopter_air_at(s, m, airspeed);
    helicopter_drives(s, m, &aero, d);

    const lane zero = lane_of(0);
    vec3 torque = vec3_of(zero, zero, -aero.engine), fall = vec3_of(zero, zero, m->p.gravity);
    vec3 rate = s->rate, spin = vec3_of(zero, zero, zero);
    d->vel = to_ned(r, aero.accel);
    if (extended) {
        d->vel = add(d->vel, scale(m->inverse_mass, m->external.external_force));
        torque = add(torque, m->external.external_torque);
        fall = earth_below_free_fall(&m->below, s->pos, s->vel, m->p.gravity);
        spin = to_body(r, earth_below_spin(&m->below));
        rate = add(rate, spin);
    }
    d->vel = add(d->vel, fall);
    vec3 turning = rigid_body_angular_acceleration(m->p.inertia, m->inverse_inertia, rate, torque);
    d->rate = add(add(turning, cross(s->rate, spin)), aero.turning);
    d->pos = s->vel;
    d->att = quat_derivative(s->att, s->rate);
    d->ground[1] = d->ground_pull[0] = d->ground_pull[1] = d->ground_twist = zero;
    d->ground[0] = ground_plane_rate(&m->plane, s->vel);
    if (extended) helicopter_change_mass(s, m, r, d);
    helicopter_add_contact(s, m, r, d);
}

LANE_INLINE void helicopter_derivative(const helicopter_state *s, const helicopter_plant *m, int full,
                                       helicopter_state *d)
{
    helicopter_derivative_of(s, m, full == EXTENDED, d);
}

LANE_INLINE void helicopter_normalize(helicopter_state *s, const helicopter_plant *m, int full)
{
    (void)full;
    s->att = quat_normalize(s->att);
    s->main_rotor_speed = lane_max(lane_of(0), s->main_rotor_speed);
    mask held = (s->ground_pull[0] != 0) | (s->ground_pull[1] != 0) | (s->ground_twist != 0);
    if (!mask_any(held)) return;
    const ground g = helicopter_ground(m);
    const ground_twist twist = helicopter_twist(s, m, &g);
    s->ground_twist = ground_twist_slip(&twist, s->ground_twist);
    ground_slip(&g, &m->plane, m->p.gravity, s->pos.z - s->ground[0], s->vel, s->ground_pull);
}

/* A change of `terrain` is a new height of the ground below the vehicle, which goes with it where it stands. */
LANE_INLINE void helicopter_see_ground(helicopter_state *s, const helicopter_plant *m, int full)
{
    (void)full;
    mask changed = s->ground[1] != m->terrain;
    if (!mask_any(changed)) return;
    lane after = lane_select(changed, m->terrain, s->ground[0]);
    s->pos.z = ground_follow(s->pos.z, norm2(sub(s->vel, m->plane.velocity)), s->ground[0], after);
    s->ground[0] = after;
    s->ground[1] = m->terrain;
}

/* Power of the engine [W]. */
LANE_INLINE lane helicopter_shaft_power(const helicopter_state *s, const helicopter_plant *m)
{
    vec3 airspeed = to_body(rotation_from_quat(s->att), sub(s->vel, m->wind));
    return helicopter_air_at(s, m, airspeed).engine * s->main_rotor_speed;
}

/* Force of the main rotor [N, FRD], all of which the air below gets. */
LANE_INLINE vec3 helicopter_rotor_force(const helicopter_state *s, const helicopter_plant *m)
{
    vec3 airspeed = to_body(rotation_from_quat(s->att), sub(s->vel, m->wind));
    lane thrust = lane_max(lane_of(0), helicopter_air_at(s, m, airspeed).thrust);
    return vec3_of(lane_of(0), lane_of(0), -(m->p.mass * thrust));
}

LANE_INLINE mask helicopter_check_envelope(const helicopter_state *s)
{
    lane actuators = s->main_rotor_speed + s->tail_position + s->tip_path[0] + s->tip_path[1];
    for (int i = 0; i < SWASH_SERVOS; i++) actuators += s->swash_position[i];
    lane contact = s->ground_pull[0] * s->ground_pull[0] + s->ground_pull[1] * s->ground_pull[1] +
                   s->ground[0] * s->ground[0] + s->ground_twist * s->ground_twist;
    mask bits = body_check_envelope(body_of(s)) | body_not_finite(actuators * actuators + contact);
    return bits | words_of(s->main_rotor_speed > (real)RF_MAX_ROTOR_SPEED, RF_VEHICLE_OVERSPEED);
}

/* Speeds of main and tail rotor [1/min], angles of the servos' arms [rad]. */
LANE_INLINE void helicopter_show(const helicopter_state *s, lane *displayed)
{
    displayed[0] = RPM_OF_RAD_PER_S * s->main_rotor_speed;
    displayed[1] = HELICOPTER_TAIL_RATIO * displayed[0];
    for (int i = 0; i < SWASH_SERVOS; i++) displayed[2 + i] = HELICOPTER_THROW * s->swash_position[i];
    displayed[6] = displayed[7] = lane_of(0);
}
