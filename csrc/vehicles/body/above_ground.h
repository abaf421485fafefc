/* SPDX-License-Identifier: BSD-3-Clause */
/* A body with a height of the ground below, on which it is by forces alone.  A template, included by the model of the type after its
 * plant.  It uses
 *
 *     of the state    att, ground
 *     of the plant    terrain */

LANE_INLINE void TYPED(normalize)(TYPED(state) * s, const TYPED(plant) * m, int full)
{
    (void)m, (void)full;
    s->att = quat_normalize(s->att);
}

/* A change of `terrain` is a new height of the ground below. */
LANE_INLINE void TYPED(see_ground)(TYPED(state) * s, const TYPED(plant) * m, int full)
{
    (void)full;
    s->ground[0] = body_ground(s->ground, m->terrain);
    s->ground[1] = m->terrain;
}
