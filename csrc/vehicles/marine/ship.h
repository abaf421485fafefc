/* SPDX-License-Identifier: BSD-3-Clause */
/* What moves a ship in the plane of the water, of vehicles with a `ship_size`: hull, the first thruster as its propeller, the
 * first fin as its rudder, by the standard method of MMG [@mmg].  With the force F_N of the rudder at the angle d,
 *
 *     X = X_H + (1 - t_P) T - (1 - t_R) F_N sin d
 *     Y = Y_H - (1 + a_H) F_N cos d
 *     N = N_H - (x_R + a_H x_H) F_N cos d                  about midship, which is `flow_position`
 *
 * 1 - t_P is the length of the thruster's axis.  These forces act at the height of `flow_position`, as the method has no roll.
 * A part of the family's model (vehicles/marine/model.h), included by it behind its plant. */

/* Velocity of midship through the water, the speed at the propeller [m/s], and its thrust before the deduction of the
 * hull [N]. */
typedef struct marine_propulsion {
    vec3 midship;
    ship_drift drift;
    lane advance, thrust;
} marine_propulsion;

LANE_INLINE marine_propulsion marine_propulsion_of(const marine_state *s, const marine_plant *m,
                                                   const marine_motion *at)
{
    const marine_param *p = &m->p;
    vec3 midship = add(at->through, cross(at->rate, p->flow_position));
    ship_drift drift = ship_drift_of(midship.x, midship.y, at->rate.z * p->ship_size[0]);
    lane advance = ship_propeller_wake(p->ship_wake, p->ship_propeller_place, &drift) * midship.x;
    lane thrust = ship_propeller_thrust(&m->law, p->ship_propeller_drag, s->thruster_speed[0], advance);
    lane wet = marine_in_water(at, marine_at(p->thruster_position, MARINE_THRUSTERS, 0), m->inverse_diameter);
    return (marine_propulsion){midship, drift, advance, wet * thrust};
}

LANE_INLINE ship_force marine_rudder(const marine_state *s, const marine_plant *m, const marine_motion *at,
                                     const marine_propulsion *by)
{
    const marine_param *p = &m->p;
    const ship_rudder rudder = {p->ship_rudder_flow, p->ship_rudder_straightening};
    const lane *hull = p->ship_rudder_hull;
    vec3 arm = marine_at(p->fin_position, MARINE_FINS, 0);
    vec3 vel = ship_rudder_velocity(&rudder, &by->drift, by->advance, m->first * by->thrust * m->disk);
    lane coef = p->fin_coef[0] * marine_in_water(at, arm, m->inverse_diameter);
    vec3 normal = marine_at(p->fin_normal, MARINE_FINS, 0);
    vec3 force = fin_force(coef, normal, s->fin_angle[0], lane_of(1), vel);
    lane lever = arm.x - p->flow_position.x + hull[0] * hull[1] * p->ship_size[0];
    return (ship_force){(1 - p->ship_rudder_deduction) * force.x, (1 + hull[0]) * force.y, lever * force.y};
}

/* Force and moment about the centre of mass.  Not inlined: other vehicles do without it. */
static __attribute__((noinline)) wrench marine_ship(const marine_state *s, const marine_plant *m,
                                                    const marine_motion *at, lane wet)
{
    const marine_param *p = &m->p;
    const ship_hull hull = {p->water_density,   p->ship_size[0],
                            p->ship_size[1],    p->ship_surge,
                            p->ship_sway,       p->ship_yaw,
                            p->ship_cross_flow, p->munk_share * (p->added_mass.y - p->added_mass.x)};
    marine_propulsion by = marine_propulsion_of(s, m, at);
    ship_force flow = ship_hull_force(&hull, by.midship.x, by.midship.y, at->rate.z);
    ship_force rudder = marine_rudder(s, m, at, &by);
    lane thrust = by.thrust * p->thruster_axis[0];
    vec3 force = vec3_of(wet * flow.x + thrust + rudder.x, wet * flow.y + rudder.y, lane_of(0));
    vec3 turning = vec3_of(lane_of(0), lane_of(0), wet * flow.n + rudder.n);
    return (wrench){force, add(turning, cross(p->flow_position, force))};
}

/* Power of the propeller [W]. */
LANE_INLINE lane marine_ship_power(const marine_state *s, const marine_plant *m, const marine_motion *at)
{
    const marine_propulsion by = marine_propulsion_of(s, m, at);
    return thruster_shaft_power(m->p.thruster_power, m->disk, m->first * by.thrust, by.advance);
}
