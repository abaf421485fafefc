/* SPDX-License-Identifier: BSD-3-Clause */
/* A vehicle of blocks: a rigid body with motors, servo joints, lifting surfaces, flat-plate segments and the coefficients of
 * a whole aircraft, each at its place; RflySim's Gazebo blocks ESC, MOTOR and LIFTDRAG [@rfly-model-api 6.8].
 *
 * A channel drives a motor or a joint (models/gazebo_esc.h), a joint deflects any of the surfaces and segments.  The
 * velocity of a place r is that of the body relative to the air plus w x r; forces act there.  Loops end with the last part
 * that a vehicle of the block has; parts that another vehicle of it lacks have no thrust and no area.  All parts but
 * motors, and segments, which may be in slipstreams, get no energy from still air (models/still_air.h): where the laws of
 * Gazebo's plug-ins give some, in flow from behind and fast turns, the vehicle has less motion.
 *
 * There is one model.  A hand or a catapult may carry it (models/launch.h).  Ground contact as of the multirotor; thrust, lift
 * and drag are proportional to the air density, each at the one that its plug-in assumes.  Leaves out: masses that move (rotors, surfaces), hinge moments. */

#include "models/drag.h"
#include "models/ground.h"
#include "models/launch.h"
#include "models/rigid_body.h"
#include "models/still_air.h"
#include "parts/contact/held.h"
#include "parts/earth/held.h"
#include "parts/environment/held.h"
#include "parts/payload/held.h"
#include "parts/ground_plane/held.h"
#include "parts/loads/held.h"
#include "parts/strength/held.h"

#include "vehicles/gazebo_blocks/load.h"

/* Constants of a call. */
typedef struct blocks_plant {
    blocks_own p;
    vec3 wind;
    lane terrain;
    lane launch; /* m/s^2 */
    lane inverse_mass;
    sym3 inverse_inertia;
    int motors, joints, surfaces, segments, aeros;
    ground_plane plane;
    loads external;
    mass_change load;
    earth_below below;
    const block *contact;  /* the block with contact points, or NULL */
    lane contact_reach;    /* m: of the farthest contact point from the centre of mass */
    const block *weakened; /* the block with strengths, or NULL */
    blocks_motor motor[MOST_MOTORS];
    blocks_joint joint[MOST_JOINTS];
    blocks_surface surface[MOST_SURFACES];
    blocks_segment segment[BLOCKS_SEGMENTS];
    blocks_aero aero;
} blocks_plant;

/* Lift, drag and thrust in proportion to the air density.  Gazebo has no ground effect. */
LANE_INLINE void blocks_scale_air(blocks_own *p, lane ratio, lane near_ground)
{
    (void)near_ground;
    p->density_ratio = ratio;
}

/* Motors at a voltage of `ratio` times that at which the parameters hold: their speeds are in proportion, at any
 * command. */
LANE_INLINE void blocks_scale_voltage(blocks_own *p, lane ratio)
{
    p->voltage_ratio = ratio;
}

LANE_INLINE ground blocks_ground(const blocks_plant *m)
{
    const blocks_own *p = &m->p;
    return (ground){.stiffness = p->ground_stiffness,
                    .damping = p->ground_damping,
                    .hardening = p->ground_hardening,
                    .preload = p->ground_preload,
                    .friction = p->ground_friction,
                    .grip = p->ground_grip * m->plane.grip,
                    .leveling = p->ground_leveling,
                    .level_damping = p->ground_level_damping,
                    .published = mask_not(mask_true())};
}

#include "vehicles/body/ground_contact.h"
#include "vehicles/body/over_earth.h"
#include "vehicles/body/changed_mass.h"

LANE_INLINE void blocks_extend(blocks_plant *m, const block *b)
{
    m->plane = ground_plane_below(b);
    m->external = loads_of(b);
    m->load = changed_mass_of(b, m->p.mass);
    m->below = earth_of(b);
    m->contact = contact_enabled(b) ? b : NULL;
    m->contact_reach = m->contact != NULL ? contact_reach(b) : lane_of(0);
    m->weakened = strength_block(b);
}

/* The strength of the channel of a part. */
LANE_INLINE lane blocks_left(const lane *strength, lane channel)
{
    const blocks_index at = blocks_index_of(channel, BLOCKS_CHANNELS);
    return blocks_pick(strength, &at);
}

/* Of a channel the forces of its motors, and what its joints deflect. */
BLOCKS_SHARED blocks_weaken(blocks_plant *m)
{
    lane strength[BLOCKS_CHANNELS], left[MOST_JOINTS];
    strengths_of(m->weakened, BLOCKS_CHANNELS, strength);
    for (int i = 0; i < m->motors; i++) {
        lane own = blocks_left(strength, BLOCKS_OWN(m->weakened, motor_channel, i));
        m->motor[i].law.thrust *= own;
        m->motor[i].law.drag *= own;
        m->motor[i].law.rolling *= own;
    }
    left[0] = lane_of(1); /* of vehicles without joints, whose parts read the first */
    for (int i = 0; i < m->joints; i++) {
        left[i] = blocks_left(strength, BLOCKS_OWN(m->weakened, joint_channel, i));
        for (int k = 0; m->aeros && k < CONTROL_EFFECTS; k++) m->aero.joint[k][i] *= left[i];
    }
    for (int i = 0; i < m->motors; i++) m->motor[i].joint_gain *= blocks_pick(left, &m->motor[i].joint);
    for (int i = 0; i < m->surfaces; i++) {
        lane own = blocks_pick(left, &m->surface[i].joint);
        m->surface[i].joint_lift *= own;
        m->surface[i].joint_moment *= own;
    }
    for (int i = 0; i < m->segments; i++) m->segment[i].joint_gain *= blocks_pick(left, &m->segment[i].joint);
}

BLOCKS_SHARED blocks_prepare_parts(blocks_plant *m, const blocks_input *in)
{
    const blocks_own *p = &m->p;
    const block *b = m->p.columns;
    const lane density_ratio = m->p.density_ratio;
    const mask armed = m->p.armed;
    m->motors = blocks_greatest(p->motor_count, MOST_MOTORS);
    m->joints = blocks_greatest(p->joint_count, MOST_JOINTS);
    m->surfaces = blocks_greatest(p->surface_count, MOST_SURFACES);
    m->segments = blocks_greatest(p->segment_count, BLOCKS_SEGMENTS);
    m->aeros = blocks_greatest(p->aero_count, 1);
    for (int i = 0; i < m->motors; i++) {
        m->motor[i] = blocks_motor_of(p, i, p->motor_count > (real)i, in);
    }
    for (int i = 0; i < m->joints; i++) {
        m->joint[i] = blocks_joint_of(b, i, p->joint_count > (real)i, in, armed);
    }
    for (int i = 0; i < m->surfaces; i++) {
        m->surface[i] = blocks_surface_of(b, i, p->surface_count > (real)i, density_ratio, p->joint_count);
    }
    for (int i = 0; i < m->segments; i++) {
        mask has = p->segment_count > (real)i;
        m->segment[i] = blocks_segment_of(b, i, has, density_ratio, p->joint_count, p->motor_count);
    }
    if (m->aeros) {
        blocks_load_aero(&m->aero, b, p->aero_count > 0, density_ratio, m->joints, p->joint_count);
    }
}

LANE_INLINE void blocks_prepare(blocks_plant *m, const blocks_input *in, int full)
{
    m->wind = in->wind;
    m->terrain = in->terrain;
    m->launch = in->launch_accel;
    if (full != EXTENDED) m->plane = ground_plane_level();
    m->inverse_mass = 1 / m->p.mass;
    m->inverse_inertia = sym3_inverse(m->p.inertia);
    blocks_prepare_parts(m, in);
    if (full == EXTENDED && m->weakened != NULL) blocks_weaken(m);
}

/* The position of joint i [rad]. */
LANE_INLINE lane blocks_angle(const blocks_state *s, const blocks_joint *joint, int i)
{
    return lane_select(joint->at_once, joint->target, s->joint_angle[i]);
}

LANE_INLINE void blocks_actuators(const blocks_state *s, const blocks_plant *m, blocks_state *d)
{
    for (int i = 0; i < m->motors; i++) {
        const blocks_motor *motor = &m->motor[i];
        d->motor_speed[i] = gazebo_motor_derivative(s->motor_speed[i], motor->target, motor->inverse_lag);
    }
    for (int i = 0; i < m->joints; i++) {
        const blocks_joint *joint = &m->joint[i];
        lane rate = (joint->target - s->joint_angle[i]) * joint->inverse_lag;
        d->joint_angle[i] = lane_limit(rate, joint->rate);
    }
    for (int i = m->motors; i < MOST_MOTORS; i++) d->motor_speed[i] = lane_of(0);
    for (int i = m->joints; i < MOST_JOINTS; i++) d->joint_angle[i] = lane_of(0);
}

/* Velocity of a place relative to the air [m/s, FRD]. */
LANE_INLINE vec3 blocks_flow(vec3 airspeed, vec3 rate, vec3 place)
{
    return add(airspeed, cross(rate, place));
}

/* Axis of a motor on a joint: a cos x + e x a sin x + e (e.a) (1 - cos x), a turned about e by the position x. */
LANE_INLINE vec3 blocks_tilted(const blocks_motor *motor, const lane *angle)
{
    lane sine, cosine;
    vec3 a = motor->law.axis, e = motor->tilt_axis;
    lane_sincos(motor->joint_gain * blocks_pick(angle, &motor->joint), &sine, &cosine);
    vec3 turned = add(scale(cosine, a), scale(sine, cross(e, a)));
    turned = add(turned, scale((1 - cosine) * dot(e, a), e));
    return vec3_select(motor->tilts, turned, a);
}

/* Adds a force and a moment that act at a place. */
LANE_INLINE void blocks_add(wrench *sum, wrench w, vec3 place)
{
    *sum = wrench_add(*sum, (wrench){w.force, add(w.moment, cross(place, w.force))});
}

/* Forces of the segments; `thrust` is that of the motors, less by air speed [N]. */
BLOCKS_SHARED blocks_segments(const blocks_plant *m, const lane *angle, const lane *thrust,
                              const vec3 *airspeed, const vec3 *rate, wrench *sum)
{
    for (int i = 0; i < m->segments; i++) {
        const blocks_segment *at = &m->segment[i];
        vec3 flow = blocks_flow(*airspeed, *rate, at->position);
        lane deflection = at->joint_gain * blocks_pick(angle, &at->joint);
        lane jet2 = at->jet * blocks_pick(thrust, &at->motor);
        blocks_add(sum, plate_segment_wrench(&at->law, flow, deflection, jet2), at->position);
    }
}

BLOCKS_SHARED blocks_add_aero(const blocks_plant *m, const lane *angle, const vec3 *airspeed,
                              const vec3 *rate, wrench *sum)
{
    const blocks_aero *a = &m->aero;
    lane controls[CONTROL_EFFECTS];
    for (int k = 0; k < CONTROL_EFFECTS; k++) {
        controls[k] = lane_of(0);
        for (int i = 0; i < m->joints; i++) controls[k] += a->joint[k][i] * angle[i];
    }
    vec3 flow = blocks_flow(*airspeed, *rate, a->position);
    const vec3 none = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    wrench whole = {none, none};
    if (mask_any(mask_not(a->any_angle))) whole = lift_drag_advanced_wrench(&a->law, flow, *rate, controls);
    if (mask_any(a->any_angle)) {
        wrench other = any_angle_wrench(&a->law, &a->beyond, flow, *rate, controls);
        whole = (wrench){vec3_select(a->any_angle, other.force, whole.force),
                         vec3_select(a->any_angle, other.moment, whole.moment)};
    }
    blocks_add(sum, whole, a->position);
}

/* Sum of the forces of all parts, about the centre of mass. */
BLOCKS_SHARED blocks_parts(const blocks_state *s, const blocks_plant *m, const vec3 *airspeed, wrench *sum)
{
    const blocks_own *p = &m->p;
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    lane angle[MOST_JOINTS], thrust[MOST_MOTORS];
    angle[0] = thrust[0] = lane_of(0); /* of vehicles without any, whose parts read the first */
    for (int i = 0; i < m->joints; i++) angle[i] = blocks_angle(s, &m->joint[i], i);
    wrench still = {drag_law(scale(m->p.density_ratio, p->drag_linear), zero, *airspeed),
                    drag_law(scale(m->p.density_ratio, p->damping_linear), zero, s->rate)};
    wrench driven = {zero, zero};
    for (int i = 0; i < m->motors; i++) {
        const blocks_motor *at = &m->motor[i];
        vec3 flow = blocks_flow(*airspeed, s->rate, at->position);
        gazebo_motor law = at->law;
        if (mask_any(at->tilts)) law.axis = blocks_tilted(at, angle);
        thrust[i] = gazebo_motor_acting(&law, s->motor_speed[i], flow);
        blocks_add(&driven, gazebo_motor_wrench(&law, s->motor_speed[i], flow), at->position);
    }
    for (int i = 0; i < m->surfaces; i++) {
        const blocks_surface *at = &m->surface[i];
        vec3 flow = blocks_flow(*airspeed, s->rate, at->position);
        lane x = blocks_pick(angle, &at->joint);
        blocks_add(&still, lift_drag_wrench(&at->law, flow, at->joint_lift * x, at->joint_moment * x),
                   at->position);
    }
    if (m->segments) blocks_segments(m, angle, thrust, airspeed, &s->rate, &driven);
    if (m->aeros) blocks_add_aero(m, angle, airspeed, &s->rate, &still);
    *sum = wrench_add(driven, still_air_limited(still, p->mass, p->inertia, *airspeed, s->rate));
}

LANE_INLINE void blocks_derivative_of(const blocks_state *s, const blocks_plant *m, int full, blocks_state *d)
{
    wrench w;
    rotation r = rotation_from_quat(s->att);
    vec3 airspeed = to_body(r, sub(s->vel, m->wind));
    blocks_actuators(s, m, d);
    blocks_parts(s, m, &airspeed, &w);
    if (full == EXTENDED && m->contact != NULL) w = wrench_add(w, blocks_points(s, m));

    d->pos = s->vel;
    d->att = quat_derivative(s->att, s->rate);
    d->ground[1] = d->ground_pull[0] = d->ground_pull[1] = lane_of(0);
    d->ground[0] = ground_plane_rate(&m->plane, s->vel);
    d->vel = rigid_body_acceleration(r, w.force, m->inverse_mass, m->p.gravity);
    if (full == EXTENDED) {
        d->vel = add(d->vel, scale(m->inverse_mass, m->external.external_force));
        w.moment = add(w.moment, m->external.external_torque);
    }
    d->rate = rigid_body_angular_acceleration(m->p.inertia, m->inverse_inertia, s->rate, w.moment);
    if (full == EXTENDED && mask_any(m->below.curved)) blocks_add_earth(s, m, r, w.moment, d);
    if (full == EXTENDED) blocks_change_mass(s, m, r, d);
    mask touches = ground_touches(s->pos.z - s->ground[0]);
    if (full == EXTENDED && m->contact != NULL) touches &= contact_count_of(m->contact) == 0;
    if (mask_any(touches)) blocks_add_contact(s, m, r, touches, d);
    if (mask_any(m->launch > 0)) launch_carry(m->launch, r, s->rate, &d->vel, &d->rate);
}

BLOCKS_SHARED blocks_derivative_level(const blocks_state *s, const blocks_plant *m, blocks_state *d)
{
    blocks_derivative_of(s, m, 1, d);
}

BLOCKS_SHARED blocks_derivative_extended(const blocks_state *s, const blocks_plant *m, blocks_state *d)
{
    blocks_derivative_of(s, m, EXTENDED, d);
}

LANE_INLINE void blocks_derivative(const blocks_state *s, const blocks_plant *m, int full, blocks_state *d)
{
    if (full == EXTENDED) {
        blocks_derivative_extended(s, m, d);
    } else {
        blocks_derivative_level(s, m, d);
    }
}

LANE_INLINE void blocks_normalize(blocks_state *s, const blocks_plant *m, int full)
{
    (void)full;
    s->att = quat_normalize(s->att);
    for (int i = 0; i < m->joints; i++) s->joint_angle[i] = blocks_angle(s, &m->joint[i], i);
    blocks_slip(s, m);
}

LANE_INLINE void blocks_begin_step(const blocks_state *s, blocks_plant *m)
{
    (void)s, (void)m; /* no state in parts but the anchors of the contact points */
}

LANE_INLINE void blocks_advance(blocks_state *s, const blocks_plant *m, lane dt)
{
    blocks_advance_points(s, m, dt);
}

LANE_INLINE void blocks_keep(const blocks_plant *m, const block *b, mask faulty)
{
    (void)m, (void)b, (void)faulty;
}

LANE_INLINE mask blocks_check_envelope(const blocks_state *s)
{
    const real over = (real)RF_MAX_ROTOR_SPEED;
    lane speeds = lane_of(0), angles = lane_of(0);
    for (int i = 0; i < MOST_MOTORS; i++) speeds += s->motor_speed[i] * s->motor_speed[i];
    for (int i = 0; i < MOST_JOINTS; i++) angles += s->joint_angle[i] * s->joint_angle[i];
    lane contact = s->ground_pull[0] * s->ground_pull[0] + s->ground_pull[1] * s->ground_pull[1] +
                   s->ground[0] * s->ground[0];
    mask bits = body_check_envelope(body_of(s)) | body_not_finite(speeds + angles + contact);
    return bits | words_of(speeds > over * over, RF_VEHICLE_OVERSPEED);
}

/* Power of the motors' torques k_M T [W].  Leaves out: the inertia of the rotors, braking by the motors. */
LANE_INLINE lane blocks_shaft_power(const blocks_state *s, const blocks_plant *m)
{
    lane sum = lane_of(0);
    for (int i = 0; i < m->motors; i++) {
        const gazebo_motor *law = &m->motor[i].law;
        sum += lane_abs(law->moment * gazebo_motor_thrust(law, s->motor_speed[i]) * s->motor_speed[i]);
    }
    return sum;
}

/* Motor speeds in 1/min from the first place on, joint positions in rad from the last one back, where no motor turns; of the
 * first eight of both. */
LANE_INLINE void blocks_show(const blocks_state *s, lane *displayed)
{
    for (int i = 0; i < 8; i++) {
        lane turns = RPM_OF_RAD_PER_S * s->motor_speed[i];
        displayed[i] = lane_select(s->motor_speed[i] == 0, s->joint_angle[7 - i], turns);
    }
}
