/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of a call of the model of a marine craft (vehicles/marine/model.h). */

#include "math/trig.h"
#include "models/added_mass.h"
#include "models/buoyancy.h"
#include "models/contact.h"
#include "models/ground_plane.h"
#include "models/servo.h"
#include "models/thruster.h"
#include "models/water.h"
#include "parts/ground_plane/held.h"
#include "parts/loads/held.h"
#include "parts/payload/held.h"
#include "parts/tether/held.h"
#include "parts/strength/held.h"
#include "vehicles/marine/rows.h"

#define MARINE_WET ((real)0.5) /* of the volume at rest: from there on a hull is wet */
#define MARINE_DEEPEST                                                                                       \
    ((real)0.5) /* of m g / k: z_0 of a corner, so that four of them bear twice the weight */

/* A thruster: velocity along its axis, and moment of its thrust, about the centre of mass. */
typedef struct marine_lever {
    vec3 turn, moment; /* m, FRD */
    lane rate;         /* 1/s: of its lag; 0: there is none */
} marine_lever;

/* Constants of a call. */
typedef struct marine_plant {
    marine_param p;
    vec3 wind;
    lane terrain;
    water water;
    ground_plane plane;
    lane target[MARINE_THRUSTERS], angle[MARINE_FINS]; /* rad/s, rad */
    int thrusters, fins;                               /* so many a vehicle of the block may have */
    int advances, lifts, strips[2];                    /* whether one has such a term */
    int loaded, shifted;                               /* by external forces; the centre of mass, by a load */
    mask ship;                                         /* whether it is one */
    marine_lever lever[MARINE_THRUSTERS];
    servo servo[MARINE_FINS];
    floats floats;
    thruster_law law;
    lane inverse_wet, whole, inverse_whole; /* 1/m^3, m^3, 1/m^3 */
    lane inverse_diameter, inverse_gravity;
    lane race, disk;       /* m^2/s^2 per N: of the race that meets the fins, and of all of it */
    lane first;            /* 1: what the first thruster has left of its thrust */
    lane reach;            /* m: of the corners of the box */
    lane submerged;        /* m: depth from which on all of it is under level water */
    moved_body wet;        /* all in the water */
    vec3 force, torque;    /* N, NED; N m, FRD: external ones, and */
    tether_hold tether;    /* whose torque turns with the vehicle */
    lane deepest;          /* m: z_0 of the hull on the ground */
    lane load_share;       /* 1: of the mass that has changed, at least */
    vec3 centre;           /* m, FRD: of a mass that has changed, from the origin, the unchanged one */
    const block *weakened; /* the block with strengths, or NULL */
} marine_plant;

LANE_INLINE void marine_scale_air(marine_param *p, lane ratio, lane near_ground)
{
    (void)near_ground; /* of rotors that carry */
    p->wind_drag = scale(ratio, p->wind_drag);
}

/* Full thrust is in proportion to the voltage: that takes a torque in proportion to the square of the speed, for which a motor
 * that is loaded takes most of its voltage.  The maker's figures of a T200 at 12, 16 and 20 V are 0.55, 0.78, 1 [@bluerov2-doc]. */
LANE_INLINE void marine_scale_voltage(marine_param *p, lane ratio)
{
    const lane slower = lane_sqrt(ratio);
    for (int i = 0; i < 2; i++) p->thruster_speed_max[i] *= slower;
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

LANE_INLINE int marine_any(vec3 v)
{
    return mask_any((v.x != 0) | (v.y != 0) | (v.z != 0));
}

/* Mass and inertia with what faults leave and a payload adds; its centre, at which the weight acts. */
LANE_INLINE void marine_change_mass(marine_plant *m, const block *b)
{
    const mass_change load = marine_carried(b, m->p.mass);
    m->shifted = load.any;
    if (!load.any) return;
    m->p.inertia = mass_change_inertia(&load, m->p.mass, m->p.inertia);
    m->p.mass *= load.left;
    m->centre = load.centre;
    m->load_share = lane_max(lane_of(1), load.left);
}

LANE_INLINE void marine_extend(marine_plant *m, const block *b)
{
    m->plane = ground_plane_below(b);
    loads external = loads_of(b);
    m->tether = tether_of(b);
    m->force = external.external_force;
    m->torque = external.external_torque;
    m->loaded = marine_any(external.external_force) || marine_any(external.external_torque) ||
                marine_any(m->tether.force);
    marine_change_mass(m, b);
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
    m->first = left[0];
    m->race *= left[0];
    for (int i = 0; i < MARINE_FINS; i++) m->p.fin_coef[i] *= left[MARINE_THRUSTERS + i];
}

/* Where element i is used. */
LANE_INLINE mask marine_has(const lane *columns, int count, int i)
{
    return mask_not(norm2(marine_at(columns, count, i)) == 0);
}

/* How many of the first elements are used by a vehicle of the block. */
LANE_INLINE int marine_used(const lane *columns, int count)
{
    int used = count;
    while (used > 0 && !mask_any(marine_has(columns, count, used - 1))) used--;
    return used;
}

/* Distance that a point is at most from the centre of mass. */
LANE_INLINE lane marine_distance(vec3 point)
{
    return lane_abs(point.x) + lane_abs(point.y) + lane_abs(point.z);
}

LANE_INLINE void marine_prepare_thrusters(marine_plant *m, const marine_input *in)
{
    const marine_param *p = &m->p;
    const lane rate = 1 / p->thruster_tau;
    m->law =
        (thruster_law){p->thruster_ahead, p->thruster_astern, 1 / p->thruster_rated, p->thruster_advance};
    m->advances = mask_any(p->thruster_advance != 0);
    m->inverse_diameter = 1 / p->thruster_diameter;
    m->race = p->fin_race * 8 / (TRIG_PI * p->water_density) * (m->inverse_diameter * m->inverse_diameter);
    m->disk = 8 / (TRIG_PI * p->water_density) * (m->inverse_diameter * m->inverse_diameter);
    m->first = lane_of(1);
    m->ship = p->ship_size[0] > 0;
    m->thrusters = marine_used(p->thruster_axis, MARINE_THRUSTERS);
    for (int i = 0; i < m->thrusters; i++) {
        const mask has = marine_has(p->thruster_axis, MARINE_THRUSTERS, i);
        m->target[i] = thruster_target(in->thruster_command[i], p->thruster_speed_max[0],
                                       p->thruster_speed_max[1], p->thruster_dead_zone);
        m->target[i] = lane_select(has, m->target[i], lane_of(0)); /* also of a command that is none */
        m->lever[i].rate = lane_select(has, rate, lane_of(0));
    }
}

LANE_INLINE void marine_prepare_fins(marine_plant *m, const marine_input *in)
{
    const marine_param *p = &m->p;
    const lane rate = 1 / p->fin_tau;
    m->fins = marine_used(p->fin_normal, MARINE_FINS);
    for (int i = 0; i < m->fins; i++) {
        const mask has = marine_has(p->fin_normal, MARINE_FINS, i);
        m->angle[i] = servo_target(in->fin_command[i], lane_of(0), p->fin_travel, p->fin_travel);
        m->angle[i] = lane_select(has, m->angle[i], lane_of(0));
        m->servo[i] = (servo){rate, lane_select(has, p->fin_rate, lane_of(0)), lane_of(0)};
    }
}

/* Levers of thrusters that may be weakened, and how deep all of them and the fins are under water. */
LANE_INLINE void marine_prepare_levers(marine_plant *m)
{
    const marine_param *p = &m->p;
    for (int i = 0; i < m->thrusters; i++) {
        vec3 axis = marine_at(p->thruster_axis, MARINE_THRUSTERS, i);
        vec3 arm = marine_at(p->thruster_position, MARINE_THRUSTERS, i);
        m->lever[i].turn = cross(arm, axis);
        m->lever[i].moment = add(m->lever[i].turn, scale(p->thruster_reaction[i], axis));
        m->submerged = lane_max(m->submerged, marine_distance(arm) + p->thruster_diameter);
    }
    for (int i = 0; i < m->fins; i++) {
        vec3 arm = marine_at(p->fin_position, MARINE_FINS, i);
        m->submerged = lane_max(m->submerged, marine_distance(arm) + p->thruster_diameter);
    }
}

LANE_INLINE void marine_prepare_hull(marine_plant *m)
{
    const marine_param *p = &m->p;
    const lane mass = m->shifted ? p->mass / m->load_share : p->mass;
    m->deepest = lane_max(lane_of(CONTACT_DEEPEST), MARINE_DEEPEST * p->gravity * mass / p->hull_stiffness);
    m->whole = p->buoyancy_area * p->buoyancy_height;
    m->floats = (floats){.middle = p->buoyancy_position,
                         .spread = {p->buoyancy_spread[0], p->buoyancy_spread[1]},
                         .area = p->buoyancy_area,
                         .height = p->buoyancy_height,
                         .offset = p->buoyancy_offset,
                         .unit_weight = p->water_density * p->gravity};
    m->inverse_wet = 1 / (MARINE_WET * lane_min(p->mass / p->water_density, m->whole));
    m->inverse_whole = 1 / m->whole;
    m->inverse_gravity = 1 / p->gravity;
    m->reach = lane_sqrt(norm2(add(vec3_abs(p->hull_position), scale(lane_of((real)0.5), p->hull_size))));
    m->submerged = marine_distance(p->buoyancy_position) + (p->buoyancy_spread[0] + p->buoyancy_spread[1]) +
                   (p->buoyancy_height + lane_abs(p->buoyancy_offset));
    m->lifts = mask_any((p->hull_lift[0] != 0) | (p->hull_lift[1] != 0));
    for (int i = 0; i < 2; i++) m->strips[i] = mask_any(p->cross_flow_drag[i] != 0);
}

/* The body with the water that moves with it, of which it has a share, about its centre of mass.  Not inlined, as shares of 1
 * must have the same bits whatever other vehicles of the block have. */
static __attribute__((noinline)) void marine_moved_body(moved_body *of, const marine_plant *m, lane share)
{
    const marine_param *p = &m->p;
    of->fluid.at = p->flow_position;
    if (m->shifted) of->fluid.at = sub(of->fluid.at, m->centre);
    of->fluid.munk = p->munk_share;
    moved_body_with(of, p->mass, p->inertia, scale(share, p->added_mass), scale(share, p->added_inertia));
}

/* Not inlined: one copy serves all models. */
static __attribute__((noinline)) void marine_prepare_parts(marine_plant *m, const marine_input *in)
{
    marine_prepare_hull(m);
    marine_prepare_thrusters(m, in);
    marine_prepare_fins(m, in);
    if (m->weakened != NULL) marine_weaken(m);
    marine_prepare_levers(m);
    marine_moved_body(&m->wet, m, lane_of(1));
}

LANE_INLINE void marine_prepare(marine_plant *m, const marine_input *in, int full)
{
    (void)full; /* one model only */
    m->wind = in->wind;
    m->terrain = in->terrain;
    marine_prepare_parts(m, in);
}
