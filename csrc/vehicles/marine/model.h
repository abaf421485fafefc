/* SPDX-License-Identifier: BSD-3-Clause */
/* Model of a marine craft at or under the surface [@fossen 6, 8]: a rigid body with the water that moves with it
 * (models/added_mass.h), buoyancy (models/buoyancy.h), thrusters (models/thruster.h), fins (models/fin.h), and, with the
 * velocity u through the water and the angular velocity w at `flow_position`:
 *
 *     drag      F = -(d_1 u + d_2 |u| u),  M = -(c_1 w + c_2 |w| w)                by components
 *     strips    models/cross_flow.h, of (v, r) to the side and of (w, -q) downwards
 *     lift      Y = -l_y u v, X = l_y v^2, and Z = -l_z u w, X = l_z w^2           of the hull: it does no work
 *     ship      vehicles/marine/ship.h, of one, in place of thrusters, fins and lift
 *     wind      F = -k |v| v by components, of the velocity through the air, times the share out of the water, doubled, up to 1
 *     ground    corners of a box (models/hull_contact.h); thrusters and fins in it give nothing
 *
 * What the water does is in proportion to the share e = V / V_e of the hull that is immersed, up to 1, where V_e is
 * MARINE_WET of the volume at which it floats or of its whole one: a hull that floats is wet, one on land or in the air is
 * not.  NED, FRD, SI; commands are limited to -1..1.  The position is that of the centre of mass, but its z is shifted by
 * rest_height, so that a vehicle that floats at rest has that of the water.  Forces are summed about the origin, the centre of
 * mass without what is carried; accelerations are found about that with it.
 * Leaves out: planing, trim and squat by speed, water on deck and in the hull, wakes of others, the earth's curvature. */

#include "models/cross_flow.h"
#include "models/fin.h"
#include "models/hull_contact.h"
#include "models/ship_hull.h"
#include "models/ship_rudder.h"
#include "vehicles/marine/plant.h"

/* A vehicle in the water. */
typedef struct marine_motion {
    rotation r;
    int under;   /* whether all vehicles of the block are deep: nothing of them is out of the water */
    int aground; /* whether a thruster or a fin of the block may be in the ground */
    int whole; /* whether all thrusters and fins of the block are all in the water: under it and over the ground */
    vec3 deeper;        /* water_deeper */
    vec3 pull, accel;   /* 1: pressure gradient over rho g; m/s^2: of the water; FRD */
    lane depth;         /* m: of the centre of mass */
    vec3 sinks;         /* 1, FRD: change of the depth below the ground per metre */
    lane grounded;      /* m: depth of the centre of mass below the ground */
    vec3 through, rate; /* m/s, rad/s, FRD: through the water */
} marine_motion;

/* Where the ground is; whether a thruster or a fin of the block may be in it. */
LANE_INLINE int marine_aground(const marine_state *s, const marine_plant *m, marine_motion *at)
{
    lane reach = m->submerged;
    at->grounded = s->pos.z - s->ground[0] - m->p.rest_height;
    at->sinks = at->r.down;
    if (!m->plane.level) {
        const lane *slope = m->plane.gradient;
        at->sinks = sub(at->r.down, add(scale(slope[0], at->r.north), scale(slope[1], at->r.east)));
        reach *= 1 + lane_abs(slope[0]) + lane_abs(slope[1]);
    }
    return mask_any(mask_not(at->grounded < -reach));
}

LANE_INLINE void marine_move(const marine_state *s, const marine_plant *m, marine_motion *at)
{
    const water *w = &m->water;
    lane submerged = m->submerged;
    at->r = rotation_from_quat(s->att);
    at->rate = s->rate;
    at->depth = s->pos.z - m->p.rest_height - w->height;
    at->deeper = at->pull = at->r.down;
    at->accel = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    at->through = to_body(at->r, s->vel);
    if (!w->still) {
        at->accel = to_body(at->r, w->accel);
        at->deeper = water_deeper(w, at->r);
        at->pull = sub(at->r.down, scale(m->inverse_gravity, at->accel));
        at->through = to_body(at->r, sub(s->vel, water_velocity(w, at->depth)));
        submerged *= 1 + lane_abs(w->gradient[0]) + lane_abs(w->gradient[1]);
    }
    at->under = !mask_any(mask_not(at->depth > submerged));
    at->aground = marine_aground(s, m, at);
    at->whole = at->under && !at->aground;
}

/* Share of something `size` across around a point that is in the water, and not in the ground. */
LANE_INLINE lane marine_in_water(const marine_motion *at, vec3 point, lane inverse_size)
{
    lane share = (real)0.5 + (at->depth + dot(at->deeper, point)) * inverse_size;
    if (at->aground) {
        lane clear = (real)0.5 - (at->grounded + dot(at->sinks, point)) * inverse_size;
        share = lane_min(share, clear);
    }
    return lane_max(lane_of(0), lane_min(lane_of(1), share)); /* keeps NaN */
}

/* a x + b |x| x, by components. */
LANE_INLINE vec3 marine_resistance(vec3 a, vec3 b, vec3 x)
{
    return mul(add(a, mul(b, vec3_abs(x))), x);
}

/* Drag, damping, strips and lift at the flow's point, for a velocity through the water there. */
LANE_INLINE wrench marine_drag(const marine_plant *m, vec3 u, vec3 w)
{
    const marine_param *p = &m->p;
    const lane *lift = p->hull_lift, *strip = p->cross_flow_drag;
    wrench by = {neg(marine_resistance(p->drag_linear, p->drag_quadratic, u)),
                 neg(marine_resistance(p->damping_linear, p->damping_quadratic, w))};
    if (m->lifts) {
        by.force = add(by.force, vec3_of(lift[0] * u.y * u.y + lift[1] * u.z * u.z, -(lift[0] * u.x * u.y),
                                         -(lift[1] * u.x * u.z)));
    }
    if (m->strips[0]) {
        cross_flow side = cross_flow_drag(strip[0], p->cross_flow_length, u.y, w.z);
        by.force.y += side.force;
        by.moment.z += side.moment;
    }
    if (m->strips[1]) {
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
        const marine_lever *lever = &m->lever[i];
        vec3 axis = marine_at(m->p.thruster_axis, MARINE_THRUSTERS, i);
        lane advance = lane_of(0);
        if (m->advances) advance = dot(axis, at->through) + dot(lever->turn, at->rate);
        lane thrust = thruster_thrust(&m->law, s->thruster_speed[i], advance);
        if (!at->whole) {
            vec3 arm = marine_at(m->p.thruster_position, MARINE_THRUSTERS, i);
            thrust *= marine_in_water(at, arm, m->inverse_diameter);
        }
        if (i == 0) *race = lane_max(lane_of(0), thrust) * m->race;
        sum = wrench_add(sum, (wrench){scale(thrust, axis), scale(thrust, lever->moment)});
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
        lane coef = m->p.fin_coef[i];
        if (!at->whole) coef *= marine_in_water(at, arm, m->inverse_diameter);
        vec3 force = fin_force(coef, normal, s->fin_angle[i], m->p.fin_straightening, vel);
        sum = wrench_add(sum, (wrench){force, cross(arm, force)});
    }
    return sum;
}

#include "vehicles/marine/ship.h"

/* What the wind does to the share of the hull that is dry. */
LANE_INLINE wrench marine_wind(const marine_state *s, const marine_plant *m, const marine_motion *at,
                               lane dry)
{
    vec3 blown = to_body(at->r, sub(s->vel, m->wind));
    vec3 force = scale(-lane_min(lane_of(1), 2 * dry), mul(m->p.wind_drag, mul(vec3_abs(blown), blown)));
    return (wrench){force, cross(m->p.wind_position, force)};
}

/* Not inlined: it is needed near the ground alone. */
static __attribute__((noinline)) hull_hold marine_ground(const marine_state *s, const marine_plant *m)
{
    const marine_param *p = &m->p;
    const hull_box box = {
        p->hull_position,
        p->hull_size,
        {p->hull_stiffness, p->hull_damping, p->hull_grip * m->plane.grip, m->deepest},
    };
    lane height = s->pos.z - s->ground[0] - p->rest_height;
    hull_hold hold =
        hull_contact(&box, height, rotation_from_quat(s->att), s->vel, s->rate, s->hull_stretch, &m->plane);
    if (m->shifted) {
        hold.by.force = scale(m->load_share, hold.by.force);
        hold.by.moment = add(hold.by.moment, cross(m->centre, hold.by.force));
    }
    return hold;
}

/* Adds what the ground does, and stretches the hull on it. */
LANE_INLINE void marine_touch(const marine_state *s, const marine_plant *m, wrench *sum, lane *stretching)
{
    const vec3 none = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    stretching[0] = stretching[1] = lane_of(0);
    const mask near = mask_not(s->pos.z - s->ground[0] - m->p.rest_height < -4 * m->reach);
    if (!mask_any(near)) return;
    const hull_hold hold = marine_ground(s, m);
    sum->force = add(sum->force, vec3_select(near, hold.by.force, none));
    sum->moment = add(sum->moment, vec3_select(near, hold.by.moment, none));
    for (int i = 0; i < 2; i++) stretching[i] = lane_select(near, hold.stretching[i], lane_of(0));
}

/* How much of a vehicle is in the water. */
typedef struct marine_share {
    lane wet, growing; /* 1; 1/s */
    lane dry;          /* 1: of the hull's volume */
} marine_share;

/* Forces of buoyancy, of the wind on what is dry, and of weight, about the centre of mass. */
LANE_INLINE wrench marine_carry(const marine_state *s, const marine_plant *m, const marine_motion *at,
                                marine_share *share)
{
    const lane zero = lane_of(0);
    const vec3 weight = scale(m->p.mass * m->p.gravity, at->r.down);
    const immersion in = floats_immersed(&m->floats, at->under, at->depth, at->deeper, at->pull);
    *share = (marine_share){lane_of(1), zero, zero};
    wrench sum = in.force;
    sum.force = add(sum.force, weight);
    if (!at->under) {
        share->wet = lane_min(lane_of(1), in.volume * m->inverse_wet);
        share->dry = lane_select(in.volume < m->whole, 1 - in.volume * m->inverse_whole, zero);
        if (mask_any(share->wet < 1)) {
            lane grows = floats_growing(&m->floats, at->depth, at->deeper, at->through, at->rate);
            share->growing = lane_select(share->wet < 1, lane_max(zero, grows * m->inverse_wet), zero);
        }
        sum = wrench_add(sum, marine_wind(s, m, at, share->dry));
    }
    if (m->shifted) sum.moment = add(sum.moment, cross(m->centre, weight));
    return sum;
}

/* Forces of the water at the flow's point, without those of accelerations. */
LANE_INLINE wrench marine_flow(const marine_plant *m, const moved_body *moves, const marine_motion *at,
                               const marine_share *share)
{
    const marine_param *p = &m->p;
    vec3 through = add(at->through, cross(at->rate, p->flow_position));
    wrench by = marine_drag(m, through, at->rate);
    by = (wrench){scale(share->wet, by.force), scale(share->wet, by.moment)};
    vec3 vel = at->through;
    if (m->shifted) vel = add(vel, cross(at->rate, m->centre));
    by = wrench_add(by, added_mass_coriolis(&moves->fluid, vel, at->rate, through, at->accel));
    if (mask_any(share->growing > 0)) {
        by.force = sub(by.force, scale(share->growing, mul(p->added_mass, through)));
        by.moment = sub(by.moment, scale(share->growing, mul(p->added_inertia, at->rate)));
    }
    return by;
}

/* Accelerations of the origin under forces about it and those of the flow at its point. */
LANE_INLINE body_accel marine_solve(const marine_plant *m, const moved_body *moves, vec3 rate, wrench about,
                                    vec3 flow)
{
    if (m->shifted) about.moment = sub(about.moment, cross(m->centre, about.force));
    body_accel a = moved_body_accelerate(moves, rate, about, flow);
    if (m->shifted) a.linear = sub(a.linear, mass_change_around(m->centre, rate, a.angular));
    return a;
}

/* Adds the forces of thrusters and fins, or of what moves a ship, about the centre of mass. */
LANE_INLINE void marine_drive(const marine_state *s, const marine_plant *m, const marine_motion *at, lane wet,
                              wrench *sum)
{
    const wrench others = *sum;
    if (mask_any(mask_not(m->ship))) {
        lane race;
        *sum = wrench_add(*sum, marine_thrust(s, m, at, &race));
        if (m->fins > 0) *sum = wrench_add(*sum, marine_fins(s, m, at, race));
    }
    if (!mask_any(m->ship)) return;
    const marine_motion shown = *at; /* so that `at` may be in registers */
    const wrench ship = wrench_add(others, marine_ship(s, m, &shown, wet));
    sum->force = vec3_select(m->ship, ship.force, sum->force);
    sum->moment = vec3_select(m->ship, ship.moment, sum->moment);
}

/* Accelerations.  Not inlined: one copy serves all models; it is long. */
static __attribute__((noinline)) void marine_accelerate(const marine_state *s, const marine_plant *m,
                                                        marine_state *d)
{
    marine_motion at;
    marine_share share;
    moved_body partly;
    const moved_body *moves = &m->wet;
    marine_move(s, m, &at);
    wrench sum = marine_carry(s, m, &at, &share);
    marine_touch(s, m, &sum, d->hull_stretch);
    if (mask_any(share.wet < 1)) {
        marine_moved_body(&partly, m, share.wet);
        moves = &partly;
    }
    marine_drive(s, m, &at, share.wet, &sum);
    if (!m->water.still) {
        const lane *drift = m->water.drift, per_volume = share.wet * m->floats.unit_weight;
        vec3 push = add(scale(drift[0], at.r.north), scale(drift[1], at.r.east));
        sum.force = add(sum.force, scale(per_volume, push));
    }
    if (m->loaded) {
        const vec3 pull = to_body(at.r, m->tether.force);
        sum = wrench_add(
            sum, (wrench){add(to_body(at.r, m->force), pull), add(m->torque, cross(m->tether.place, pull))});
    }

    wrench flow = marine_flow(m, moves, &at, &share);
    sum.moment = add(sum.moment, flow.moment);
    body_accel a = marine_solve(m, moves, s->rate, sum, flow.force);
    d->vel = to_ned(at.r, a.linear);
    d->rate = a.angular;
}

/* The body with the water that moves with it. */
LANE_INLINE void marine_moved(const marine_state *s, const marine_plant *m, moved_body *of)
{
    marine_motion at;
    marine_move(s, m, &at);
    const immersion in = floats_immersed(&m->floats, at.under, at.depth, at.deeper, at.pull);
    marine_moved_body(of, m, lane_min(lane_of(1), in.volume * m->inverse_wet));
}

LANE_INLINE void marine_derivative(const marine_state *s, const marine_plant *m, int full, marine_state *d)
{
    (void)full;
    marine_accelerate(s, m, d);
    d->pos = s->vel;
    d->att = quat_derivative(s->att, s->rate);
    d->ground[0] = ground_plane_rate(&m->plane, s->vel);
    for (int i = 0; i < m->thrusters; i++) {
        d->thruster_speed[i] = (m->target[i] - s->thruster_speed[i]) * m->lever[i].rate;
    }
    for (int i = 0; i < m->fins; i++) {
        d->fin_angle[i] = servo_derivative(&m->servo[i], s->fin_angle[i], m->angle[i]);
    }
}

/* out = a + k b of the rows that a step integrates: actuators that no vehicle of the block has stay. */
LANE_INLINE void marine_add_scaled(lane *out, const lane *a, lane k, const lane *b, const marine_plant *m)
{
    enum {
        THRUSTER = offsetof(marine_state, thruster_speed) / sizeof(lane),
        FIN = offsetof(marine_state, fin_angle) / sizeof(lane),
        GROUND = offsetof(marine_state, ground) / sizeof(lane)
    };
    rows_add_scaled(out, a, k, b, THRUSTER);
    for (int i = THRUSTER; i < THRUSTER + m->thrusters; i++) out[i] = a[i] + k * b[i];
    for (int i = FIN; i < FIN + m->fins; i++) out[i] = a[i] + k * b[i];
    out[GROUND] = a[GROUND] + k * b[GROUND];
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
    marine_motion at;
    marine_move(s, m, &at);
    lane sum = lane_of(0);
    for (int i = 0; i < m->thrusters; i++) {
        vec3 arm = marine_at(m->p.thruster_position, MARINE_THRUSTERS, i);
        vec3 axis = marine_at(m->p.thruster_axis, MARINE_THRUSTERS, i);
        lane share = lane_sqrt(norm2(axis)), advance = dot(axis, at.through);
        lane thrust = thruster_thrust(&m->law, s->thruster_speed[i], advance);
        thrust *= share * marine_in_water(&at, arm, m->inverse_diameter);
        sum += thruster_shaft_power(m->p.thruster_power, m->disk, thrust, advance);
    }
    return mask_any(m->ship) ? lane_select(m->ship, marine_ship_power(s, m, &at), sum) : sum;
}

/* Speeds of the thrusters [1/min]; from the fifth on plus the angles of the fins [rad], which come without thrusters there. */
LANE_INLINE void marine_show(const marine_state *s, lane *displayed)
{
    for (int i = 0; i < MARINE_THRUSTERS; i++) {
        displayed[i] = RPM_OF_RAD_PER_S * s->thruster_speed[i];
    }
    for (int i = 0; i < MARINE_FINS; i++) displayed[MARINE_THRUSTERS - MARINE_FINS + i] += s->fin_angle[i];
}
