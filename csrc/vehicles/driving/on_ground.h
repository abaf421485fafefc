/* SPDX-License-Identifier: BSD-3-Clause */
/* A type on the plane of vehicles/driving/ground.h.  A template, included by the model of the type after its plant.  It uses
 *
 *     of the state    pos, vel, att, rate, suspension_speed, ground
 *     of the plant    p.mass, p.gravity, p.yaw_inertia, p.suspension_tau, ground (driving_ground), and
 *                     weakened, the block with strengths or NULL
 *
 * and, with DRIVING_BY_ACCEL, whose forces of drive, brakes and drag are p.accel_max, p.brake_accel and p.drive_damping times
 * the mass before it changed,
 *
 * and defines, of the functions that vehicles/type.h lists, extend, inertia, carried, see_ground and normalize. */

/* What faults and payloads change of its mass and yaw inertia.  Leaves out an offset of the centre of mass. */
LANE_INLINE mass_change TYPED(carried)(const block *b, lane mass)
{
    mass_change load = changed_mass_of(b, mass);
    if (!load.any) return load;
    const lane yaw = load.added.zz, none = lane_of(0);
    load.added = (sym3){yaw, yaw, yaw, none, none, none};
    load.centre = vec3_of(none, none, none);
    return load;
}

/* Ground that is inclined or moves, external loads, and strengths, of the extended model. */
LANE_INLINE void TYPED(extend)(TYPED(plant) * m, const block *b)
{
    const loads external = loads_of(b);
    const mass_change load = TYPED(carried)(b, m->p.mass);
    if (load.any) {
        m->p.yaw_inertia += m->p.mass * load.added.zz;
        m->p.mass *= load.left;
#ifdef DRIVING_BY_ACCEL
        const lane per_left = 1 / load.left;
        m->p.accel_max *= per_left;
        m->p.brake_accel *= per_left;
        m->p.drive_damping *= per_left;
#endif
    }
    m->ground.plane = ground_plane_below(b);
    m->ground.fall = scale(1 / m->p.mass, external.external_force);
    m->ground.fall.z += m->p.gravity;
    m->ground.yaw_load = external.external_torque.z / m->p.yaw_inertia;
    m->weakened = strength_block(b);
}

/* What the actuators have left of their strengths, 0 to 1. */
LANE_INLINE void TYPED(strengths_left)(const TYPED(plant) * m, int full, lane *left)
{
    for (int i = 0; i < ACTUATORS; i++) left[i] = lane_of(1);
    if (full == EXTENDED && m->weakened != NULL) strengths_of(m->weakened, ACTUATORS, left);
}

LANE_INLINE void TYPED(prepare_ground)(TYPED(plant) * m, lane terrain, int full)
{
    driving_ground *g = &m->ground;
    g->terrain = terrain;
    g->inverse_suspension_tau = 1 / m->p.suspension_tau;
    if (full != EXTENDED) {
        g->plane = ground_plane_level();
        g->fall = vec3_of(lane_of(0), lane_of(0), m->p.gravity);
        g->yaw_load = lane_of(0);
    }
    g->normal = ground_normal(&g->plane);
    lane onto = dot(g->fall, g->normal);
    g->gravity = sub(g->fall, scale(onto, g->normal));
    g->load = lane_max(lane_of(0), onto);
}

/* A sphere's, which turns about the vertical as the vehicle. */
LANE_INLINE sym3 TYPED(inertia)(const TYPED(plant) * m)
{
    const lane yaw = m->p.yaw_inertia, none = lane_of(0);
    return (sym3){yaw, yaw, yaw, none, none, none};
}

/* True where the wheels are in contact with the ground. */
LANE_INLINE mask TYPED(ground_contact)(const TYPED(state) * s, const TYPED(plant) * m)
{
    return body_ground(s->ground, m->ground.terrain) - s->pos.z < DRIVING_DROOP;
}

/* Velocity relative to the ground, without the part of the suspension. */
LANE_INLINE vec3 TYPED(ground_velocity)(const TYPED(state) * s, const TYPED(plant) * m)
{
    return ground_relative(&m->ground.plane, vec3_of(s->vel.x, s->vel.y, s->vel.z - s->suspension_speed));
}

/* The derivative but that of the family's own state, with the acceleration [m/s^2, NED] and the yaw acceleration [rad/s^2]
 * on the ground. */
LANE_INLINE void TYPED(move_on_ground)(const TYPED(state) * s, const TYPED(plant) * m, mask contact,
                                       vec3 accel, lane yaw_accel, TYPED(state) * d)
{
    const lane zero = lane_of(0), tau = m->ground.inverse_suspension_tau;
    d->pos = s->vel;
    d->att = quat_derivative(s->att, s->rate);
    d->ground[0] = ground_plane_rate(&m->ground.plane, s->vel);
    d->ground[1] = zero;
    d->suspension_speed = lane_select(contact, -(tau * s->suspension_speed), zero);
    accel.z = (m->ground.plane.level ? zero : accel.z) + d->suspension_speed;
    d->vel = vec3_select(contact, accel, m->ground.fall);
    lane level = lane_select(contact, tau, zero);
    d->rate = vec3_of(-(level * s->rate.x), -(level * s->rate.y),
                      lane_select(contact, yaw_accel, m->ground.yaw_load));
}

/* Sets roll and pitch rate [rad/s] so that the down axis turns to the ground normal `n` [FRD]: 2 sin of half the angle
 * between them over the time constant.  An inverted vehicle rolls. */
LANE_INLINE void TYPED(align)(TYPED(state) * s, vec3 n, mask contact, lane inverse_tau)
{
    const lane tiny = lane_of((real)1e-6);
    lane from_inverted = 1 + n.z;
    lane gain = inverse_tau * lane_sqrt(2 / lane_max(tiny, from_inverted));
    lane roll = lane_select(from_inverted < tiny, 2 * inverse_tau, -(gain * n.y));
    s->rate.x = lane_select(contact, roll, s->rate.x);
    s->rate.y = lane_select(contact, gain * n.x, s->rate.y);
}

/* Puts the velocity along the ground, and sets the vertical one of the suspension. */
LANE_INLINE void TYPED(settle)(TYPED(state) * s, const TYPED(plant) * m, mask contact)
{
    const driving_ground *g = &m->ground;
    vec3 along = driving_along(g, TYPED(ground_velocity)(s, m));
    lane gap = s->ground[0] - s->pos.z;
    lane speed = lane_limit(g->inverse_suspension_tau * gap, lane_of(DRIVING_SUSPENSION_SPEED));
    s->suspension_speed = lane_select(contact, speed, lane_of(0));
    along.z += speed;
    s->vel = vec3_select(contact, add(along, g->plane.velocity), s->vel);
}

/* A change of `terrain` is a new height of the ground below. */
LANE_INLINE void TYPED(see_ground)(TYPED(state) * s, const TYPED(plant) * m, int full)
{
    (void)full;
    s->ground[0] = body_ground(s->ground, m->ground.terrain);
    s->ground[1] = m->ground.terrain;
}

LANE_INLINE void TYPED(normalize)(TYPED(state) * s, const TYPED(plant) * m, int full)
{
    (void)full;
    s->att = quat_normalize(s->att);
    mask contact = TYPED(ground_contact)(s, m);
    TYPED(settle)(s, m, contact);
    const rotation r = rotation_from_quat(s->att);
    vec3 n = m->ground.plane.level ? r.down : to_body(r, m->ground.normal);
    TYPED(align)(s, n, contact, m->ground.inverse_suspension_tau);
}
