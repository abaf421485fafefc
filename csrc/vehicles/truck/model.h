/* SPDX-License-Identifier: BSD-3-Clause */
/* A tractor that steers its front wheels, with a trailer, on the plane of vehicles/driving/ground.h: two bodies in the plane
 * (vehicles/truck/articulated.h), with tyres that do not slip at low speed and with linear ones above it.
 *
 * `pos`, `vel` and `rate` are of the tractor's centre of mass, the mass M is that of both.  Signs: x forward, y right, z down;
 * angles and rates to the right.  Steering, drive and brakes, of the speed u and commands c in -1..1:
 *
 *     d'   = clamp((d_max c_s - d) / t_d, +-steering rate limit)
 *     a'   = (a_max c - a) / t_a
 *     f    = a - k u,     at most a_max, above the switch speed v_s a_max v_s / |u| where it speeds up (constant power),
 *                         and (v_max - u) / t_a ahead and (v_min - u) / t_a back          [@commonroad acceleration limits]
 *                         but not less than -k u, the drag above the maximum speed
 *
 * is the force of the tyres per mass.  Below the dead zone of c the brakes take over: f goes to -u / t_s - h, at most the
 * deceleration of the brakes, where h is gravity along the vehicle, so it stops and stands.  What speeds up is the force of the
 * rear axle, what slows down is that of all axles by their loads, at most TRUCK_GRIP of their friction, as by anti-lock brakes
 * and traction control.  Loads N of the axles are static: those of level ground at rest, times what gravity and forces onto the
 * ground leave of it.
 *
 *     |u| <= v_b       no slip: what differs from its motion decays with the time constant t_s, within the friction
 *     |u| >= 2 v_b     tyres: F_y = -C N v_y / |v_x|, at most sqrt((mu N)^2 - F_x^2), of the velocity in the axes of the wheel
 *
 * and between the accelerations are blended in proportion to |u|.  Off the ground the hitch angle keeps its value.
 *
 * m, kg, s, rad; 0 < speeds < 50 m/s, slopes below 60 deg.  A hitch angle beyond RF_MAX_HITCH_ANGLE is a jack-knife: the vehicle
 * gets the fault flag.
 *
 * Leaves out: load transfer and roll, rolling resistance and air drag beside k, aligning moments and relaxation of tyres, friction
 * of the hitch, more axles than one of the trailer, slopes that differ below the trailer, the trailer's part of collisions
 * (its mass counts, its inertia does not), roll and pitch torques. */

#include "math/euler.h"
#include "vehicles/driving/ground.h"
#include "vehicles/truck/articulated.h"
#include "vehicles/truck/hitch.h"

#define TRUCK_GRIP ((real)0.9) /* of the friction, along the wheels */
#define TRUCK_SIDEWAYS                                                                                       \
    ((real)1e-6) /* share of friction squared that is left across them, so that the root is not of 0 */

enum { TRUCK_FRONT, TRUCK_REAR, TRUCK_TRAILER, TRUCK_AXLES };

/* Quantities that are constant during a call. */
typedef struct truck_plant {
    truck_param p;
    driving_ground ground;
    articulated bodies;
    lane mass[2];                /* kg: tractor, trailer */
    lane load[TRUCK_AXLES];      /* N */
    lane grip[TRUCK_AXLES];      /* N: friction of each axle */
    lane stiffness[TRUCK_AXLES]; /* N/rad */
    lane friction;               /* m/s^2: of all tyres, per mass */
    lane yaw_friction;           /* rad/s^2: of the tractor's tyres */
    lane drive, steering;        /* commands as accelerations [m/s^2] and angles [rad] */
    lane drive_left;             /* strength of the drive, 0 to 1 */
    lane braking;                /* share of the brakes, 0 to 1 */
    lane inverse_load;           /* s^2/m: of the ground, finite */
    lane inverse_mass, inverse_drive_tau, inverse_slip_tau, inverse_steering_tau, inverse_blend_speed;
    const block *weakened; /* the block with strengths, or NULL */
} truck_plant;

#define DRIVING_BY_ACCEL
#include "vehicles/driving/on_ground.h"

LANE_INLINE void truck_prepare_bodies(truck_plant *m)
{
    const truck_param *p = &m->p;
    m->mass[0] = p->mass - p->trailer_mass;
    m->mass[1] = p->trailer_mass;
    m->bodies = (articulated){
        .front = p->front_axle,
        .rear = p->rear_axle,
        .inverse_wheelbase = 1 / (p->front_axle + p->rear_axle),
        .hitch = p->rear_axle + p->hitch_offset,
        .offset = p->hitch_offset,
        .trailer = p->trailer_wheelbase,
        .inverse_trailer = 1 / p->trailer_wheelbase,
        .centre = p->trailer_centre,
        .inverse_mass = {1 / m->mass[0], 1 / m->mass[1]},
        .inverse_inertia = {1 / p->yaw_inertia, 1 / p->trailer_inertia},
    };
}

/* Loads of the axles on level ground in gravity and a force, and what the tyres make of them. */
LANE_INLINE void truck_prepare_tyres(truck_plant *m)
{
    const truck_param *p = &m->p;
    const articulated *a = &m->bodies;
    lane onto = m->ground.load, friction = p->friction * m->ground.plane.grip;
    lane on_trailer = m->mass[1] * p->trailer_centre * a->inverse_trailer, on_hitch = m->mass[1] - on_trailer;
    lane on_front = (m->mass[0] * p->rear_axle - on_hitch * p->hitch_offset) * a->inverse_wheelbase;
    m->load[TRUCK_FRONT] = onto * on_front;
    m->load[TRUCK_REAR] = onto * (m->mass[0] + on_hitch - on_front);
    m->load[TRUCK_TRAILER] = onto * on_trailer;
    const lane per_load[TRUCK_AXLES] = {p->cornering_coef.x, p->cornering_coef.y, p->cornering_coef.z};
    for (int i = 0; i < TRUCK_AXLES; i++) {
        m->grip[i] = friction * m->load[i];
        m->stiffness[i] = per_load[i] * m->load[i];
    }
    m->friction = friction * onto;
    m->yaw_friction =
        (p->front_axle * m->grip[TRUCK_FRONT] + p->rear_axle * m->grip[TRUCK_REAR]) * a->inverse_inertia[0];
}

LANE_INLINE void truck_prepare_commands(truck_plant *m, const truck_input *in, int full)
{
    const truck_param *p = &m->p;
    const lane one = lane_of(1);
    lane traction = lane_limit(in->traction, one), steer = lane_limit(in->steer, one);
    m->braking = lane_max(lane_of(0), 1 - lane_abs(traction) / p->drive_dead_zone);
    lane left[ACTUATORS];
    truck_strengths_left(m, full, left);
    m->drive_left = left[TRUCK_TRACTION];
    m->drive = p->accel_max * traction;
    m->steering = p->steering_max * left[TRUCK_STEER] * steer;
}

LANE_INLINE void truck_prepare(truck_plant *m, const truck_input *in, int full)
{
    const truck_param *p = &m->p;
    truck_prepare_ground(m, in->terrain, full);
    truck_prepare_bodies(m);
    truck_prepare_tyres(m);
    truck_prepare_commands(m, in, full);
    m->inverse_load = 1 / lane_max(m->ground.load, lane_of(DRIVING_TINY));
    m->inverse_mass = 1 / p->mass;
    m->inverse_drive_tau = 1 / p->drive_tau;
    m->inverse_slip_tau = 1 / p->slip_tau;
    m->inverse_steering_tau = 1 / p->steering_tau;
    m->inverse_blend_speed = 1 / p->blend_speed;
}

/* Maximum acceleration in proportion to the voltage. */
LANE_INLINE void truck_scale_voltage(truck_param *p, lane ratio)
{
    p->accel_max *= ratio;
}

/* Steering rate [rad/s]. */
LANE_INLINE lane truck_steering_rate(const truck_state *s, const truck_plant *m)
{
    return lane_limit(m->inverse_steering_tau * (m->steering - s->steering), m->p.steering_rate_limit);
}

/* Acceleration that the drive alone gives at a speed [m/s^2]. */
LANE_INLINE lane truck_drive(const truck_plant *m, lane tractive, lane speed)
{
    const truck_param *p = &m->p;
    lane wanted = lane_limit(m->drive_left * tractive - p->drive_damping * speed, p->accel_max);
    lane power = p->accel_max * p->switch_speed / lane_max(lane_abs(speed), p->switch_speed);
    wanted = lane_select(wanted * speed > 0, lane_limit(wanted, power), wanted);
    lane drag = -(p->drive_damping * speed);
    lane ahead = lane_max((p->speed_max[0] - speed) * m->inverse_drive_tau, drag);
    lane back = lane_min(-(p->speed_max[1] + speed) * m->inverse_drive_tau, drag);
    return lane_select(speed > 0, lane_min(wanted, ahead), lane_max(wanted, back));
}

/* Force of the driven axle [N] of an acceleration by the drive. */
LANE_INLINE lane truck_traction(const truck_plant *m, lane accel)
{
    return lane_limit(m->p.mass * accel, TRUCK_GRIP * m->grip[TRUCK_REAR]);
}

/* Forces along the wheels of the axles [N], of a speed and gravity along the vehicle. */
LANE_INLINE void truck_pull(const truck_plant *m, lane tractive, lane speed, lane gravity, lane *force)
{
    lane hold = lane_limit(-(m->inverse_slip_tau * speed) - gravity, m->p.brake_accel);
    lane driven = truck_drive(m, tractive, speed);
    lane pull = driven + m->braking * (hold - driven);
    mask slows = (pull * speed < 0) | (m->braking > 0);
    lane shared = lane_limit(pull, TRUCK_GRIP * m->friction) * m->inverse_load;
    lane rear = truck_traction(m, pull);
    for (int i = 0; i < TRUCK_AXLES; i++) {
        lane alone = i == TRUCK_REAR ? rear : lane_of(0);
        force[i] = lane_select(slows, m->load[i] * shared, alone);
    }
}

/* Power of the drive [W], the drag that it bears included.  Leaves out: braking, which feeds nothing back. */
LANE_INLINE lane truck_shaft_power(const truck_state *s, const truck_plant *m)
{
    driving_frame on = driving_frame_of(rotation_from_quat(s->att), &m->ground, truck_ground_contact(s, m));
    lane speed = dot(truck_ground_velocity(s, m), on.forward);
    lane drag = m->p.mass * m->p.drive_damping * speed;
    lane force = truck_traction(m, truck_drive(m, s->tractive_accel, speed)) + drag;
    return lane_max(lane_of(0), force * speed) * (1 - m->braking);
}

/* Force across a wheel [N], of the velocity in its axes and the force along it. */
LANE_INLINE lane truck_side_force(const truck_plant *m, int axle, lane along, lane across, lane pull)
{
    lane grip2 = m->grip[axle] * m->grip[axle];
    lane limit2 = lane_max(grip2 - pull * pull, TRUCK_SIDEWAYS * grip2);
    lane force = -(m->stiffness[axle] * across) / lane_max(lane_abs(along), (real)0.5 * m->p.blend_speed);
    mask slides = force * force > limit2;
    if (mask_any(slides)) force = lane_select(slides, lane_limit(force, lane_sqrt(limit2)), force);
    return force;
}

/* The acceleration with tyres that slip. */
LANE_INLINE articulated_accel truck_with_slip(const truck_plant *m, const articulated_motion *s,
                                              const lane *pull, const driving_frame *on)
{
    const articulated *a = &m->bodies;
    lane front = s->right + a->front * s->yaw_rate, rear = s->right - a->rear * s->yaw_rate;
    lane hitch = s->right - a->hitch * s->yaw_rate;
    lane sine = s->sin_steering, cosine = s->cos_steering;
    lane side = truck_side_force(m, TRUCK_FRONT, s->forward * cosine + front * sine,
                                 front * cosine - s->forward * sine, pull[TRUCK_FRONT]);
    lane front_across = pull[TRUCK_FRONT] * sine + side * cosine;
    lane rear_across = truck_side_force(m, TRUCK_REAR, s->forward, rear, pull[TRUCK_REAR]);
    articulated_load tractor = {
        .forward = pull[TRUCK_FRONT] * cosine - side * sine + pull[TRUCK_REAR] + m->mass[0] * on->gravity,
        .right = front_across + rear_across + m->mass[0] * on->side_gravity,
        .moment = a->front * front_across - a->rear * rear_across + m->p.yaw_inertia * m->ground.yaw_load};

    sine = s->sin_hitch, cosine = s->cos_hitch;
    lane along = s->forward * cosine + hitch * sine;
    lane across = hitch * cosine - s->forward * sine - a->trailer * (s->yaw_rate + s->hitch_rate);
    side = truck_side_force(m, TRUCK_TRAILER, along, across, pull[TRUCK_TRAILER]);
    articulated_load trailer = {
        .forward = pull[TRUCK_TRAILER] * cosine - side * sine + m->mass[1] * on->gravity,
        .right = pull[TRUCK_TRAILER] * sine + side * cosine + m->mass[1] * on->side_gravity,
        .moment = (a->centre - a->trailer) * side};
    return articulated_with_loads(a, s, tractor, trailer);
}

/* The acceleration with tyres that do not slip within their friction. */
LANE_INLINE articulated_accel truck_without_slip(const truck_plant *m, const articulated_motion *s,
                                                 lane steering_rate, const lane *pull,
                                                 const driving_frame *on)
{
    lane force = (pull[TRUCK_FRONT] + pull[TRUCK_REAR] + pull[TRUCK_TRAILER]) * m->inverse_mass;
    articulated_accel by =
        articulated_without_slip(&m->bodies, s, force + on->gravity, steering_rate, m->inverse_slip_tau);
    lane left = lane_sqrt(lane_max(m->friction * m->friction - force * force, lane_of(0)));
    by.right = lane_limit(by.right - on->side_gravity, left) + on->side_gravity;
    by.yaw = lane_limit(by.yaw - m->ground.yaw_load, m->yaw_friction) + m->ground.yaw_load;
    return by;
}

LANE_INLINE articulated_accel truck_blend(lane share, articulated_accel low, articulated_accel high)
{
    const lane rest = 1 - share;
    return (articulated_accel){rest * low.forward + share * high.forward,
                               rest * low.right + share * high.right, rest * low.yaw + share * high.yaw,
                               rest * low.hitch + share * high.hitch};
}

/* Of tyres that do not slip, that do, or between. */
LANE_INLINE articulated_accel truck_accelerations(const truck_plant *m, const articulated_motion *s,
                                                  lane tractive, lane steering_rate, const driving_frame *on)
{
    lane pull[TRUCK_AXLES];
    truck_pull(m, tractive, s->forward, on->gravity, pull);
    const lane share = lane_clamp(lane_abs(s->forward) * m->inverse_blend_speed - 1, lane_of(0), lane_of(1));
    if (!mask_any(share > 0)) return truck_without_slip(m, s, steering_rate, pull, on);
    const articulated_accel high = truck_with_slip(m, s, pull, on);
    if (!mask_any(mask_not(share >= 1))) return high;
    return truck_blend(share, truck_without_slip(m, s, steering_rate, pull, on), high);
}

LANE_INLINE articulated_motion truck_motion(const truck_state *s, const truck_plant *m,
                                            const driving_frame *on)
{
    vec3 vel = truck_ground_velocity(s, m);
    articulated_motion motion = {.forward = dot(vel, on->forward),
                                 .right = dot(vel, on->right),
                                 .yaw_rate = s->rate.z - ground_yaw_rate(&m->ground.plane),
                                 .hitch_rate = s->hitch_rate};
    articulated_set_angles(&motion, s->steering, s->hitch_angle);
    return motion;
}

LANE_INLINE void truck_derivative(const truck_state *s, const truck_plant *m, int full, truck_state *d)
{
    (void)full;
    mask contact = truck_ground_contact(s, m);
    driving_frame on = driving_frame_of(rotation_from_quat(s->att), &m->ground, contact);
    articulated_motion motion = truck_motion(s, m, &on);
    d->steering = truck_steering_rate(s, m);
    d->tractive_accel = m->inverse_drive_tau * (m->drive - s->tractive_accel);

    articulated_accel a = truck_accelerations(m, &motion, s->tractive_accel, d->steering, &on);
    vec3 accel = add(scale(a.forward, on.forward), scale(a.right, on.right));
    truck_move_on_ground(s, m, contact, accel, a.yaw, d);
    d->hitch_angle = s->hitch_rate;
    d->hitch_rate = lane_select(contact, a.hitch, -(m->inverse_slip_tau * s->hitch_rate));
}

LANE_INLINE mask truck_check_envelope(const truck_state *s)
{
    lane own = s->steering * s->steering + s->hitch_angle * s->hitch_angle + s->hitch_rate * s->hitch_rate +
               s->tractive_accel * s->tractive_accel + s->ground[0] * s->ground[0];
    mask bits = body_check_envelope(body_of(s)) | body_not_finite(own);
    return bits | words_of(lane_abs(s->hitch_angle) > (real)RF_MAX_HITCH_ANGLE, RF_VEHICLE_JACKKNIFE);
}

/* Behind the wheel speeds, of which truck_outputs knows the radius, the steering and the hitch angle in rad. */
LANE_INLINE void truck_show(const truck_state *s, lane *displayed)
{
    for (int i = 0; i < 8; i++) displayed[i] = lane_of(0);
    displayed[4] = s->steering;
    displayed[5] = s->hitch_angle;
}

/* Wheel speeds in 1/min, without slip: front left, front right, rear left, rear right.  The trailer turns about the down axis of the tractor, at the hitch. */
LANE_INLINE void truck_outputs(const truck_state *s, const truck_param *p, truck_output *out)
{
    const hitch_turn turn = hitch_turn_of(s->hitch_angle);
    out->trailer_att = quat_turned(s->att, turn);
    euler angles = euler_from_quat(out->trailer_att);
    out->trailer_euler = vec3_of(angles.roll, angles.pitch, angles.yaw);
    vec3 axle = {-(p->rear_axle + p->hitch_offset + p->trailer_wheelbase * turn.cosine),
                 -(p->trailer_wheelbase * turn.sine), lane_of(0)};
    lane speed = RPM_OF_RAD_PER_S * out->vel_body.x / p->wheel_radius;
    for (int i = 0; i < 4; i++) out->displayed_actuators[i] = speed;
    out->trailer_pos = add(s->pos, to_ned(rotation_from_quat(s->att), axle));
}
