/* SPDX-License-Identifier: BSD-3-Clause */
/* Model of a marine craft at or under the surface [@fossen 6, 8]: a rigid body with the water that moves with it
 * (models/added_mass.h), buoyancy (models/buoyancy.h), thrusters (models/thruster.h), fins (models/fin.h), and, with the
 * velocity u through the water and the angular velocity w at `flow_position`:
 *
 *     drag      F = -(d_1 u + d_2 |u| u),  M = -(c_1 w + c_2 |w| w)                by components
 *     strips    models/cross_flow.h, of (v, r) to the side and of (w, -q) downwards
 *     lift      Y = -l_y u v, X = l_y v^2, and Z = -l_z u w, X = l_z w^2           of the hull: it does no work
 *     wind      F = -k |v| v by components, of the velocity through the air, times the share out of the water, doubled, up to 1
 *     ground    corners of a box (models/hull_contact.h)
 *
 * What the water does is in proportion to the share e = V / V_e of the hull that is immersed, up to 1, where V_e is
 * MARINE_WET of the volume at which it floats or of its whole one: a hull that floats is wet, one on land or in the air is
 * not.  NED, FRD, SI; commands are limited to -1..1.  The position is that of the centre of mass, but its z is shifted by
 * rest_height, so that a vehicle that floats at rest has that of the water.
 * Leaves out: planing, trim and squat by speed, water on deck and in the hull, wakes of others, the earth's curvature. */

#include "models/added_mass.h"
#include "models/buoyancy.h"
#include "models/cross_flow.h"
#include "models/fin.h"
#include "models/hull_contact.h"
#include "models/servo.h"
#include "parts/ground_plane/held.h"
#include "parts/loads/held.h"
#include "parts/payload/held.h"
#include "parts/strength/held.h"
#include "vehicles/marine/rows.h"

#define MARINE_WET ((real)0.5) /* of the volume at rest */

/* Constants of a call. */
typedef struct marine_plant {
    marine_param p;
    vec3 wind;
    lane terrain;
    water water;
    ground_plane plane;
    lane target[MARINE_THRUSTERS], angle[MARINE_FINS]; /* rad/s, rad */
    int thrusters, fins;                               /* so many a vehicle of the block may have */
    servo servo;
    floats floats;
    thruster_law law;
    lane inverse_wet, inverse_volume; /* 1/m^3 */
    lane inverse_tau, inverse_diameter;
    lane race;             /* m^2/s^2 per N */
    lane reach;            /* m: of the corners of the box */
    vec3 force, torque;    /* N, NED; N m, FRD: external ones */
    vec3 centre;           /* m, FRD: of a mass that has changed, about the unchanged one */
    const block *weakened; /* the block with strengths, or NULL */
} marine_plant;

LANE_INLINE void marine_scale_air(marine_param *p, lane ratio, lane near_ground)
{
    (void)near_ground; /* of rotors that carry */
    p->wind_drag = scale(ratio, p->wind_drag);
}

LANE_INLINE void marine_scale_voltage(marine_param *p, lane ratio)
{
    for (int i = 0; i < 2; i++) p->thruster_speed_max[i] *= ratio;
}

#include "vehicles/body/above_ground.h"

LANE_INLINE sym3 marine_inertia(const marine_plant *m)
{
    return m->p.inertia;
}

/* What faults and payloads change of the mass. */
LANE_INLINE mass_change marine_carried(const block *b, lane mass)
{
    return changed_mass_of(b, mass);
}

/* Mass and inertia with what faults leave and a payload adds; its centre, at which the weight acts. */
LANE_INLINE vec3 marine_change_mass(marine_param *p, const block *b)
{
    const mass_change load = marine_carried(b, p->mass);
    if (!load.any) return vec3_of(lane_of(0), lane_of(0), lane_of(0));
    p->inertia = mass_change_inertia(&load, p->mass, p->inertia);
    p->mass *= load.left;
    return load.centre;
}

LANE_INLINE void marine_extend(marine_plant *m, const block *b)
{
    m->plane = ground_plane_below(b);
    const loads external = loads_of(b);
    m->force = external.external_force;
    m->torque = external.external_torque;
    m->centre = marine_change_mass(&m->p, b);
    m->weakened = strength_block(b);
}

/* Of a thruster its thrust, of a fin its force. */
LANE_INLINE void marine_weaken(marine_plant *m)
{
    lane left[ACTUATORS];
    strengths_of(m->weakened, ACTUATORS, left);
    for (int k = 0; k < WIDTH_per_thruster_vec3; k++) {
        m->p.thruster_axis[k] *= left[k % MARINE_THRUSTERS];
    }
    for (int i = 0; i < MARINE_FINS; i++) m->p.fin_coef[i] *= left[MARINE_THRUSTERS + i];
}

/* How many of the first elements are used by a vehicle of the block. */
LANE_INLINE int marine_used(const lane *columns, int count)
{
    int used = count;
    while (used > 0 && !mask_any(mask_not(norm2(marine_at(columns, count, used - 1)) == 0))) used--;
    return used;
}

LANE_INLINE void marine_prepare_thrusters(marine_plant *m, const marine_input *in)
{
    const marine_param *p = &m->p;
    m->law =
        (thruster_law){p->thruster_ahead, p->thruster_astern, 1 / p->thruster_rated, p->thruster_advance};
    m->inverse_tau = 1 / p->thruster_tau;
    m->inverse_diameter = 1 / p->thruster_diameter;
    m->race = p->fin_race * 8 / (TRIG_PI * p->water_density) * (m->inverse_diameter * m->inverse_diameter);
    m->thrusters = marine_used(p->thruster_axis, MARINE_THRUSTERS);
    for (int i = 0; i < MARINE_THRUSTERS; i++) {
        m->target[i] = thruster_target(in->thruster_command[i], p->thruster_speed_max[0],
                                       p->thruster_speed_max[1], p->thruster_dead_zone);
    }
}

LANE_INLINE void marine_prepare_fins(marine_plant *m, const marine_input *in)
{
    const marine_param *p = &m->p;
    m->servo = (servo){1 / p->fin_tau, p->fin_rate, lane_of(0)};
    m->fins = marine_used(p->fin_normal, MARINE_FINS);
    for (int i = 0; i < MARINE_FINS; i++) {
        m->angle[i] = servo_target(in->fin_command[i], lane_of(0), p->fin_travel, p->fin_travel);
    }
}

LANE_INLINE void marine_prepare_hull(marine_plant *m)
{
    const marine_param *p = &m->p;
    lane whole = p->buoyancy_area * p->buoyancy_height, rest = lane_min(p->mass / p->water_density, whole);
    m->floats = (floats){.middle = p->buoyancy_position,
                         .spread = {p->buoyancy_spread[0], p->buoyancy_spread[1]},
                         .area = p->buoyancy_area,
                         .height = p->buoyancy_height,
                         .offset = p->buoyancy_offset,
                         .unit_weight = p->water_density * p->gravity};
    m->inverse_wet = 1 / (MARINE_WET * rest);
    m->inverse_volume = 1 / whole;
    m->reach = lane_sqrt(norm2(add(vec3_abs(p->hull_position), scale(lane_of((real)0.5), p->hull_size))));
}

/* Not inlined: one copy serves all models. */
static __attribute__((noinline)) void marine_prepare_parts(marine_plant *m, const marine_input *in)
{
    marine_prepare_hull(m);
    marine_prepare_thrusters(m, in);
    marine_prepare_fins(m, in);
}

LANE_INLINE void marine_prepare(marine_plant *m, const marine_input *in, int full)
{
    (void)full; /* one model only */
    m->wind = in->wind;
    m->terrain = in->terrain;
    marine_prepare_parts(m, in);
    if (m->weakened != NULL) marine_weaken(m);
}

/* A vehicle in the water. */
typedef struct marine_motion {
    rotation r;
    vec3 deeper;        /* water_deeper */
    vec3 pull, accel;   /* 1: pressure gradient over rho g; m/s^2: of the water; FRD */
    lane depth;         /* m: of the centre of mass */
    vec3 through, rate; /* m/s, rad/s, FRD: through the water */
} marine_motion;

LANE_INLINE marine_motion marine_motion_of(const marine_state *s, const marine_plant *m)
{
    const water *w = &m->water;
    marine_motion at = {.r = rotation_from_quat(s->att), .rate = s->rate};
    at.depth = s->pos.z - m->p.rest_height - w->height;
    at.deeper = at.pull = at.r.down;
    if (w->still) {
        at.through = to_body(at.r, s->vel);
        return at;
    }
    at.accel = to_body(at.r, w->accel);
    at.deeper = water_deeper(w, at.r);
    at.pull = sub(at.r.down, scale(1 / m->p.gravity, at.accel));
    at.through = to_body(at.r, sub(s->vel, water_velocity(w, at.depth)));
    return at;
}

/* Share of something `size` across around a point that is in the water. */
LANE_INLINE lane marine_in_water(const marine_motion *at, vec3 point, lane inverse_size)
{
    lane share = (real)0.5 + (at->depth + dot(at->deeper, point)) * inverse_size;
    return lane_max(lane_of(0), lane_min(lane_of(1), share)); /* keeps NaN */
}

LANE_INLINE lane marine_square(lane x)
{
    return lane_abs(x) * x;
}

/* Drag, damping, strips and lift at the flow's point, for a velocity through the water there. */
LANE_INLINE wrench marine_drag(const marine_param *p, vec3 u, vec3 w)
{
    vec3 force = vec3_of(p->drag_linear.x * u.x + p->drag_quadratic.x * marine_square(u.x),
                         p->drag_linear.y * u.y + p->drag_quadratic.y * marine_square(u.y),
                         p->drag_linear.z * u.z + p->drag_quadratic.z * marine_square(u.z));
    vec3 moment = vec3_of(p->damping_linear.x * w.x + p->damping_quadratic.x * marine_square(w.x),
                          p->damping_linear.y * w.y + p->damping_quadratic.y * marine_square(w.y),
                          p->damping_linear.z * w.z + p->damping_quadratic.z * marine_square(w.z));
    wrench by = {neg(force), neg(moment)};
    const lane *lift = p->hull_lift, *strip = p->cross_flow_drag;
    if (mask_any((lift[0] != 0) | (lift[1] != 0))) {
        by.force = add(by.force, vec3_of(lift[0] * u.y * u.y + lift[1] * u.z * u.z, -(lift[0] * u.x * u.y),
                                         -(lift[1] * u.x * u.z)));
    }
    if (mask_any(strip[0] != 0)) {
        cross_flow side = cross_flow_drag(strip[0], p->cross_flow_length, u.y, w.z);
        by.force.y += side.force;
        by.moment.z += side.moment;
    }
    if (mask_any(strip[1] != 0)) {
        cross_flow down = cross_flow_drag(strip[1], p->cross_flow_length, u.z, -w.y);
        by.force.z += down.force;
        by.moment.y -= down.moment;
    }
    return by;
}

/* Thrust of all thrusters, about the centre of mass; `race` is that of the first one. */
LANE_INLINE wrench marine_thrust(const marine_state *s, const marine_plant *m, const marine_motion *at,
                                 lane *race)
{
    const vec3 none = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    wrench sum = {none, none};
    *race = lane_of(0);
    for (int i = 0; i < m->thrusters; i++) {
        vec3 arm = marine_at(m->p.thruster_position, MARINE_THRUSTERS, i);
        vec3 axis = marine_at(m->p.thruster_axis, MARINE_THRUSTERS, i);
        lane advance = dot(axis, add(at->through, cross(at->rate, arm)));
        lane thrust = thruster_thrust(&m->law, s->thruster_speed[i], advance);
        thrust *= marine_in_water(at, arm, m->inverse_diameter);
        if (i == 0) *race = lane_max(lane_of(0), thrust) * m->race;
        vec3 force = scale(thrust, axis);
        sum.force = add(sum.force, force);
        sum.moment = add(sum.moment, add(cross(arm, force), scale(m->p.thruster_reaction[i], force)));
    }
    return sum;
}

/* Forces of all fins, about the centre of mass. */
LANE_INLINE wrench marine_fins(const marine_state *s, const marine_plant *m, const marine_motion *at,
                               lane race)
{
    const vec3 none = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    wrench sum = {none, none};
    for (int i = 0; i < m->fins; i++) {
        vec3 arm = marine_at(m->p.fin_position, MARINE_FINS, i);
        vec3 normal = marine_at(m->p.fin_normal, MARINE_FINS, i);
        vec3 vel = add(at->through, cross(at->rate, arm));
        lane ahead = lane_sqrt(vel.x * vel.x + race);
        vel.x = lane_select(vel.x < 0, vel.x, ahead);
        lane coef = m->p.fin_coef[i] * marine_in_water(at, arm, m->inverse_diameter);
        vec3 force = fin_force(coef, normal, s->fin_angle[i], m->p.fin_straightening, vel);
        sum = wrench_add(sum, (wrench){force, cross(arm, force)});
    }
    return sum;
}

/* What the wind does to the share of the hull that is dry. */
LANE_INLINE wrench marine_wind(const marine_state *s, const marine_plant *m, const marine_motion *at,
                               lane dry)
{
    const vec3 k = m->p.wind_drag;
    vec3 blown = to_body(at->r, sub(s->vel, m->wind));
    vec3 force =
        vec3_of(k.x * marine_square(blown.x), k.y * marine_square(blown.y), k.z * marine_square(blown.z));
    force = scale(-lane_min(lane_of(1), 2 * dry), force);
    return (wrench){force, cross(m->p.wind_position, force)};
}

/* Not inlined: it is needed near the ground alone. */
static __attribute__((noinline)) wrench marine_ground(const marine_state *s, const marine_plant *m)
{
    const marine_param *p = &m->p;
    const hull_box box = {
        p->hull_position, p->hull_size, {p->hull_stiffness, p->hull_damping, p->hull_grip * m->plane.grip}};
    lane height = s->pos.z - s->ground[0] - p->rest_height;
    return hull_contact(&box, height, rotation_from_quat(s->att), s->vel, s->rate, &m->plane);
}

/* All forces about the centre of mass but those of the water that moves with the hull, `growing` its share per
 * second.  Not inlined: one copy serves all models; it is long. */
static __attribute__((noinline)) wrench marine_forces(const marine_state *s, const marine_plant *m,
                                                      const marine_motion *at, lane *wet, lane *growing)
{
    const marine_param *p = &m->p;
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    immersion in = floats_immersed(&m->floats, at->depth, at->deeper, at->pull);
    *wet = lane_min(lane_of(1), in.volume * m->inverse_wet);
    *growing = lane_of(0);
    if (mask_any(*wet < 1)) {
        lane grows = floats_growing(&m->floats, at->depth, at->deeper, at->through, at->rate);
        *growing = lane_select(*wet < 1, lane_max(lane_of(0), grows * m->inverse_wet), lane_of(0));
    }

    wrench flow = marine_drag(p, add(at->through, cross(at->rate, p->flow_position)), at->rate);
    vec3 drag = scale(*wet, flow.force);
    wrench sum = {drag, add(scale(*wet, flow.moment), cross(p->flow_position, drag))};
    lane race;
    sum = wrench_add(sum, in.force);
    sum = wrench_add(sum, marine_thrust(s, m, at, &race));
    if (m->fins > 0) sum = wrench_add(sum, marine_fins(s, m, at, race));
    sum = wrench_add(sum, marine_wind(s, m, at, 1 - in.volume * m->inverse_volume));
    if (!m->water.still) {
        const lane *drift = m->water.drift, per_volume = *wet * m->floats.unit_weight;
        vec3 push = add(scale(drift[0], at->r.north), scale(drift[1], at->r.east));
        sum.force = add(sum.force, scale(per_volume, push));
    }
    vec3 weight = scale(p->mass * p->gravity, at->r.down);
    sum = wrench_add(sum, (wrench){weight, cross(m->centre, weight)});

    mask near = mask_not(s->pos.z - s->ground[0] - p->rest_height < -4 * m->reach);
    if (mask_any(near)) {
        wrench ground = marine_ground(s, m);
        sum = wrench_add(
            sum, (wrench){vec3_select(near, ground.force, zero), vec3_select(near, ground.moment, zero)});
    }
    return sum;
}

/* Forces of the water that moves with the hull, without those of accelerations, about the centre of mass. */
LANE_INLINE wrench marine_added(const added_mass *moves, const marine_param *p, const marine_motion *at,
                                lane growing)
{
    vec3 through = add(at->through, cross(at->rate, moves->at));
    wrench by = added_mass_coriolis(moves, at->through, at->rate, through, at->accel);
    if (mask_any(growing > 0)) {
        by.force = sub(by.force, scale(growing, mul(p->added_mass, through)));
        by.moment = sub(by.moment, scale(growing, mul(p->added_inertia, at->rate)));
    }
    by.moment = add(by.moment, cross(moves->at, by.force));
    return by;
}

LANE_INLINE void marine_derivative(const marine_state *s, const marine_plant *m, int full, marine_state *d)
{
    (void)full;
    const marine_param *p = &m->p;
    marine_motion at = marine_motion_of(s, m);
    lane wet, growing;
    wrench sum = marine_forces(s, m, &at, &wet, &growing);
    const added_mass moves = {scale(wet, p->added_mass), scale(wet, p->added_inertia), p->flow_position,
                              p->munk_share};
    sum = wrench_add(sum, marine_added(&moves, p, &at, growing));
    sum.moment = sub(sum.moment, cross(s->rate, sym3_mul(p->inertia, s->rate)));
    sum = wrench_add(sum, (wrench){to_body(at.r, m->force), m->torque});
    body_accel a = added_mass_accelerate(&moves, p->mass, p->inertia, sum);

    d->pos = s->vel;
    d->att = quat_derivative(s->att, s->rate);
    d->vel = to_ned(at.r, a.linear);
    d->rate = a.angular;
    d->ground[0] = ground_plane_rate(&m->plane, s->vel);
    d->ground[1] = lane_of(0);
    for (int i = 0; i < MARINE_THRUSTERS; i++) {
        d->thruster_speed[i] = (m->target[i] - s->thruster_speed[i]) * m->inverse_tau;
    }
    for (int i = 0; i < MARINE_FINS; i++) {
        d->fin_angle[i] = servo_derivative(&m->servo, s->fin_angle[i], m->angle[i]);
    }
}

LANE_INLINE mask marine_check_envelope(const marine_state *s)
{
    const real over = (real)RF_MAX_ROTOR_SPEED;
    lane squares = s->ground[0] * s->ground[0], fastest = lane_of(0);
    for (int i = 0; i < MARINE_FINS; i++) squares += s->fin_angle[i] * s->fin_angle[i];
    for (int i = 0; i < MARINE_THRUSTERS; i++) {
        lane squared = s->thruster_speed[i] * s->thruster_speed[i];
        squares += squared;
        fastest = lane_max(fastest, squared);
    }
    mask bits = body_check_envelope(body_of(s)) | body_not_finite(squares);
    return bits | words_of(fastest > over * over, RF_VEHICLE_OVERSPEED);
}

/* Power of the thrusters [W]. */
LANE_INLINE lane marine_shaft_power(const marine_state *s, const marine_plant *m)
{
    const marine_motion at = marine_motion_of(s, m);
    lane sum = lane_of(0);
    for (int i = 0; i < m->thrusters; i++) {
        vec3 arm = marine_at(m->p.thruster_position, MARINE_THRUSTERS, i);
        vec3 axis = marine_at(m->p.thruster_axis, MARINE_THRUSTERS, i);
        lane share = lane_sqrt(norm2(axis));
        lane thrust = thruster_thrust(&m->law, s->thruster_speed[i], dot(axis, at.through));
        thrust = lane_abs(thrust * share) * marine_in_water(&at, arm, m->inverse_diameter);
        sum += thrust * lane_sqrt(thrust);
    }
    return m->p.thruster_power * sum;
}

/* Speeds of the thrusters [1/min]. */
LANE_INLINE void marine_show(const marine_state *s, lane *displayed)
{
    for (int i = 0; i < MARINE_THRUSTERS; i++) {
        displayed[i] = (real)9.549296585513720146 * s->thruster_speed[i];
    }
}
