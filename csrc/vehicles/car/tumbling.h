/* SPDX-License-Identifier: BSD-3-Clause */
/* The body of the detailed car on the ground, when it has rolled over or hits it; a part of its model, after the plant.  The corners of a box
 * are points with spring, damper and friction (models/landing_gear.h). */

/* Half of the box along its axes [m]. */
LANE_INLINE vec3 car_half(const car_plant *m)
{
    return scale(lane_of((real)0.5), m->p.shell_size);
}

/* Height of the centre of mass above the plane of the ground, along its normal, is at least that of the lowest corner. */
LANE_INLINE mask car_body_touches(const car_state *s, const car_plant *m, rotation r)
{
    vec3 n = to_body(r, m->ground.down), half = car_half(m);
    lane lowest = dot(n, m->p.shell_position) + lane_abs(n.x) * half.x + lane_abs(n.y) * half.y +
                  lane_abs(n.z) * half.z;
    /* true with NaN, which sets a fault flag */
    return mask_not(car_mass_depth(s, m) * m->ground.down.z + lowest <= 0);
}

/* Force [N, NED] and moment [N m, NED] on the corners.  Not inlined: it is seldom needed. */
static __attribute__((noinline)) void car_tumble(const car_state *s, const car_plant *m, rotation r,
                                                 vec3 *force, vec3 *moment)
{
    const vec3 half = car_half(m), turning = to_ned(r, s->rate);
    const gear_law law = {
        {m->p.body_stiffness, m->p.body_damping, m->p.body_grip * m->plane.grip, lane_of(CONTACT_DEEPEST)},
        lane_of(0)};
    const lane sunk = car_mass_depth(s, m);
    for (int i = 0; i < 8; i++) {
        const lane x = (i & 1) ? half.x : -half.x, y = (i & 2) ? half.y : -half.y;
        const vec3 corner = vec3_of(x, y, (i & 4) ? half.z : -half.z);
        vec3 arm = to_ned(r, add(m->p.shell_position, corner));
        vec3 ground = add(m->plane.velocity, ground_turning(&m->plane, arm.x, arm.y));
        vec3 vel = sub(add(s->vel, cross(turning, arm)), ground);
        lane height = sunk + arm.z - ground_fall(&m->plane, arm.x, arm.y);
        contact_motion at = contact_motion_of(m->ground.down, height, vel);
        vec3 friction = gear_skid_friction(&law, at.along);
        vec3 by = scale(contact_support(&law.contact, &at), sub(friction, m->ground.down));
        *force = add(*force, by);
        *moment = add(*moment, cross(arm, by));
    }
}
