/* SPDX-License-Identifier: BSD-3-Clause */
/* Motion with a mass that faults or payloads changed, of a type with TYPE_EXTENDED.  A template, included by the model of the type
 * after its plant.  It uses
 *
 *     of the state    pos, vel, rate
 *     of the plant    p.gravity, p.mass, p.inertia, below (earth_below), load (mass_change) */

/* About the centre of mass of the unchanged body [kg m^2, FRD]. */
LANE_INLINE sym3 TYPED(inertia)(const TYPED(plant) * m)
{
    return m->p.inertia;
}

/* What faults and payloads change of it. */
LANE_INLINE mass_change TYPED(carried)(const block *b, lane mass)
{
    return changed_mass_of(b, mass);
}

/* Puts the changed mass into the derivative under all forces but those of the ground at the centre of mass, which are per
 * mass and inertia. */
LANE_INLINE void TYPED(change_mass)(const TYPED(state) * s, const TYPED(plant) * m, rotation r,
                                    TYPED(state) * d)
{
    if (!m->load.any) return;
    const vec3 fall = earth_below_free_fall(&m->below, s->pos, s->vel, m->p.gravity);
    const vec3 spin = to_body(r, earth_below_spin(&m->below)), turned = cross(s->rate, spin);
    vec3 force = to_body(r, sub(d->vel, fall)), turning = sub(d->rate, turned);
    mass_change_motion(&m->load, m->p.mass, m->p.inertia, add(s->rate, spin), &force, &turning);
    d->vel = vec3_select(m->load.changed, add(fall, to_ned(r, force)), d->vel);
    d->rate = vec3_select(m->load.changed, add(turning, turned), d->rate);
}
