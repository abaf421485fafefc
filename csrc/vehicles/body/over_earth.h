/* SPDX-License-Identifier: BSD-3-Clause */
/* Motion over an earth that is not flat (parts/earth), of a type with TYPE_EXTENDED.  A template, included by the model of
 * the type after its plant.  It uses
 *
 *     of the state    pos, vel, rate
 *     of the plant    p.gravity, p.inertia, inverse_inertia, below (earth_below) */

/* Puts free fall and rotation over the earth into the derivative, under a moment [N m, FRD]. */
LANE_INLINE void TYPED(add_earth)(const TYPED(state) * s, const TYPED(plant) * m, rotation r, vec3 moment,
                                  TYPED(state) * d)
{
    vec3 fall = earth_below_free_fall(&m->below, s->pos, s->vel, m->p.gravity);
    d->vel = vec3_of(d->vel.x + fall.x, d->vel.y + fall.y, d->vel.z + (fall.z - m->p.gravity));
    vec3 spin = to_body(r, earth_below_spin(&m->below));
    vec3 turning =
        rigid_body_angular_acceleration(m->p.inertia, m->inverse_inertia, add(s->rate, spin), moment);
    d->rate = add(turning, cross(s->rate, spin));
}
