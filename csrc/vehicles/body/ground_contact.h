/* SPDX-License-Identifier: BSD-3-Clause */
/* Ground contact of a type with TYPE_GROUND, TYPE_EXTENDED and TYPE_ADVANCE: at the centre of mass (models/ground.h), or of
 * the extended model at contact points.  A template, included by the model of the type after its plant.  It uses
 *
 *     of the state    pos, vel, att, rate, ground_pull, ground
 *     of the plant    p.gravity, terrain, plane (ground_plane), contact (the block with contact points, or NULL),
 *                     contact_reach (m, of the farthest one), both of the extended model alone
 *     TYPED(ground)(plant)   the law of the contact at the centre of mass */

/* The body above the ground. */
LANE_INLINE contact_body TYPED(contact_body)(const TYPED(state) * s)
{
    return (contact_body){s->pos.z - s->ground[0], s->vel, s->rate, rotation_from_quat(s->att)};
}

/* Where contact points may reach the ground, whose slope is at most 75 degrees. */
LANE_INLINE mask TYPED(points_near)(const TYPED(state) * s, const TYPED(plant) * m)
{
    mask near = mask_not(s->pos.z - s->ground[0] < -4 * m->contact_reach);
    return near & (contact_count_of(m->contact) > 0);
}

/* Force [N] and moment [N m] at the contact points, FRD; zero where there are none. */
LANE_INLINE wrench TYPED(points)(const TYPED(state) * s, const TYPED(plant) * m)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    mask near = TYPED(points_near)(s, m);
    if (!mask_any(near)) return (wrench){zero, zero};
    const contact_body above = TYPED(contact_body)(s);
    wrench w = contact_wrench(m->contact, &above, &m->plane);
    return (wrench){vec3_select(near, w.force, zero), vec3_select(near, w.moment, zero)};
}

/* Adds the reaction of the ground to the derivatives of vehicles that touch it, and leaves the bits of the others. */
LANE_INLINE void TYPED(add_contact)(const TYPED(state) * s, const TYPED(plant) * m, rotation r, mask touches,
                                    TYPED(state) * d)
{
    const ground g = TYPED(ground)(m);
    ground_reaction by = ground_react(&g, &m->plane, m->p.gravity, s->pos.z - s->ground[0], s->ground_pull,
                                      s->vel, r, s->rate);
    d->vel = vec3_select(touches, add(d->vel, by.accel), d->vel);
    d->rate = vec3_select(touches, add(d->rate, by.angular_accel), d->rate);
    for (int i = 0; i < 2; i++) d->ground_pull[i] = lane_select(touches, by.pull_rate[i], lane_of(0));
}

/* After a step: the pull of the spring within the friction. */
LANE_INLINE void TYPED(slip)(TYPED(state) * s, const TYPED(plant) * m)
{
    if (!mask_any((s->ground_pull[0] != 0) | (s->ground_pull[1] != 0))) return;
    const ground g = TYPED(ground)(m);
    ground_slip(&g, &m->plane, m->p.gravity, s->pos.z - s->ground[0], s->vel, s->ground_pull);
}

/* After a step of dt: the anchors of the contact points. */
LANE_INLINE void TYPED(advance_points)(const TYPED(state) * s, const TYPED(plant) * m, lane dt)
{
    if (m->contact == NULL) return;
    mask near = TYPED(points_near)(s, m);
    if (!mask_any(near)) return;
    const contact_body above = TYPED(contact_body)(s);
    contact_advance(m->contact, &above, &m->plane, dt, near);
}

/* A change of `terrain` is a new height of the ground below the vehicle, which goes with it where it stands. */
LANE_INLINE void TYPED(see_ground)(TYPED(state) * s, const TYPED(plant) * m, int full)
{
    mask changed = s->ground[1] != m->terrain;
    if (!full || !mask_any(changed)) return;
    lane after = lane_select(changed, m->terrain, s->ground[0]);
    lane height = full == EXTENDED && m->contact != NULL ? contact_height_of(m->contact) : lane_of(0);
    lane speed2 = norm2(sub(s->vel, m->plane.velocity));
    s->pos.z = ground_follow(s->pos.z, speed2, s->ground[0] - height, after - height);
    s->ground[0] = after;
    s->ground[1] = m->terrain;
}
