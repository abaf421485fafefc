/* SPDX-License-Identifier: BSD-3-Clause */
/* A single track that rolls without slip, which all single tracks are when slow.  A template, included by the model of a type
 * after its plant and vehicles/car/drive.h.
 *
 * With the steering angle d, distances l_f and l_r of the axles from the centre of mass, L = l_f + l_r, and the speed v of
 * the centre of mass (reference point as in [@commonroad 2020a 5]):
 *
 *     tan b = l_r tan d / L            direction of v from the forward axis, to the right
 *     q     = v cos b tan d / L        yaw rate, clockwise
 *
 * The velocity V has the part v along b and one across, w, and the body the yaw rate r.  Tyres keep w = 0 and r = q, or let
 * their errors decay with the time constant t_s, within friction:
 *
 *     v' = c a + g.t           across: c (v (r + b') - w / t_s - g.n) + g.n,     c = min(1, mu g / |both forces|)
 *     r' = q' + (q - r) / t_s - N,      at most mu g m 2 l_f l_r / (L J)
 *
 * with unit vectors t along b and n across, gravity g along the ground and its part onto it, and an external moment N per
 * inertia. */

/* Velocity along the ground. */
typedef struct TYPED(course) {
    vec3 vel;              /* m/s, NED */
    lane speed, per_speed; /* m/s, s/m: its size, and 1 / it, which is finite */
} TYPED(course);

/* Motion relative to the ground, in its axes, and what follows from the steering angle. */
typedef struct TYPED(motion) {
    lane forward, right, yaw_rate; /* m/s, rad/s */
    lane turning;                  /* rad/s: of the axes */
    lane sine, cosine;             /* of the steering angle d */
    lane steering_rate;            /* rad/s */
    lane gravity[2];               /* m/s^2: forward, right */
} TYPED(motion);

/* Accelerations by tyres and gravity, forward and right [m/s^2], and of yaw [rad/s^2]. */
typedef struct TYPED(accels) {
    lane forward, right, yaw;
} TYPED(accels);

LANE_INLINE lane TYPED(inverse)(lane speed)
{
    return 1 / lane_max(speed, lane_of(DRIVING_TINY));
}

LANE_INLINE TYPED(course) TYPED(course_of)(const TYPED(state) * s, const TYPED(plant) * m)
{
    const vec3 vel = driving_along(&m->ground, TYPED(ground_velocity)(s, m));
    const lane speed = lane_sqrt(driving_dot(&m->ground, vel, vel));
    return (TYPED(course)){vel, speed, TYPED(inverse)(speed)};
}

LANE_INLINE TYPED(motion)
    TYPED(motion_of)(const TYPED(state) * s, const TYPED(plant) * m, const driving_frame *on, vec3 vel)
{
    lane sine, cosine;
    lane_short_sincos(s->steering, &sine, &cosine);
    return (TYPED(motion)){.forward = driving_dot(&m->ground, vel, on->forward),
                           .right = driving_dot(&m->ground, vel, on->right),
                           .yaw_rate = s->rate.z - ground_yaw_rate(&m->ground.plane),
                           .turning = s->rate.z,
                           .sine = sine,
                           .cosine = cosine,
                           .steering_rate = TYPED(steering_rate)(s, m),
                           .gravity = {on->gravity, on->side_gravity}};
}

LANE_INLINE TYPED(accels) TYPED(roll)(const TYPED(plant) * m, const TYPED(motion) * on)
{
    const lane per_base = m->inverse_base, rear = m->p.axle_distance[1] * per_base;
    const lane aside = rear * on->sine, square = on->cosine * on->cosine + aside * aside;
    const lane per_size = 1 / lane_sqrt(square); /* tan b is aside / cos d */
    lane cosine = on->cosine * per_size, sine = aside * per_size;
    lane steered = on->steering_rate * per_size * per_size, drifting = rear * steered; /* b' */
    lane speed = on->forward * cosine + on->right * sine, drift = on->right * cosine - on->forward * sine;
    lane along = on->gravity[0] * cosine + on->gravity[1] * sine;
    lane across = on->gravity[1] * cosine - on->gravity[0] * sine;

    lane drive = TYPED(traction_accel)(m, speed, TYPED(inverse)(lane_abs(speed)), along);
    lane side = speed * (on->turning + drifting) - m->inverse_slip_tau * drift - across;
    lane size2 = drive * drive + side * side;
    mask slides = size2 > m->friction * m->friction; /* false with NaN, which is kept */
    if (mask_any(slides)) {
        lane fraction = lane_select(slides, m->friction / lane_sqrt(size2), lane_of(1));
        drive = fraction * drive;
        side = fraction * side;
    }
    drive = drive + along;
    side = side + across;

    lane turn = per_base * per_size * on->sine; /* q / v */
    lane turning = turn * drive + per_base * speed * steered * cosine;
    turning = turning + m->inverse_slip_tau * (turn * speed - on->yaw_rate) - m->ground.yaw_load;
    return (TYPED(accels)){drive * cosine - side * sine, drive * sine + side * cosine,
                           lane_limit(turning, m->yaw_friction) + m->ground.yaw_load};
}

/* Share of the model whose tyres slip: 0 below half of the blending speed, 1 above it. */
LANE_INLINE lane TYPED(slipping_share)(const TYPED(plant) * m, lane speed)
{
    return lane_clamp(2 * speed * m->inverse_blend_speed - 1, lane_of(0), lane_of(1));
}

LANE_INLINE void TYPED(prepare_rolling)(TYPED(plant) * m)
{
    const TYPED(param) *p = &m->p;
    m->inverse_base = 1 / (p->axle_distance[0] + p->axle_distance[1]);
    m->inverse_blend_speed = 1 / p->blend_speed;
    m->inverse_radius = 1 / p->wheel_radius;
    lane arm = 2 * p->axle_distance[0] * p->axle_distance[1] * m->inverse_base;
    m->yaw_friction = m->friction * p->mass * arm / p->yaw_inertia;
    m->mass_over_inertia = p->mass / p->yaw_inertia;
}

/* Loads of the axles per mass [m/s^2], front and rear, at an acceleration by the tyres. */
LANE_INLINE void TYPED(axle_loads)(const TYPED(plant) * m, lane accel, lane *load)
{
    const lane *arm = m->p.axle_distance, zero = lane_of(0), shift = accel * m->p.mass_height;
    load[0] = m->inverse_base * lane_max(zero, m->ground.load * arm[1] - shift);
    load[1] = m->inverse_base * lane_max(zero, m->ground.load * arm[0] + shift);
}

/* Where the drive acts, with the speed along the ground and the acceleration by it, the drag that it bears included. */
LANE_INLINE mask TYPED(drives)(const TYPED(state) * s, const TYPED(plant) * m, lane *speed, lane *accel)
{
    mask contact = TYPED(ground_contact)(s, m);
    driving_frame on = driving_frame_of(rotation_from_quat(s->att), &m->ground, contact);
    *speed = driving_dot(&m->ground, TYPED(ground_velocity)(s, m), on.forward);
    lane per_speed = TYPED(inverse)(lane_abs(*speed));
    *accel = lane_limit(TYPED(traction_accel)(m, *speed, per_speed, on.gravity), m->friction);
    *accel += m->p.drive_damping * *speed;
    return contact & mask_not(TYPED(brakes)(m, *speed));
}

/* Speeds of the wheels on the ground [m/s], in the direction in which they roll: front, rear. */
LANE_INLINE void TYPED(rolling_speeds)(const TYPED(plant) * m, const TYPED(motion) * on, lane *speed)
{
    speed[0] = on->forward * on->cosine + (on->right + m->p.axle_distance[0] * on->yaw_rate) * on->sine;
    speed[1] = on->forward;
}

/* Derivative of the speeds of wheels that follow the ground, or turn freely above it. */
LANE_INLINE void TYPED(turn_wheels)(const TYPED(state) * s, const TYPED(plant) * m, const TYPED(motion) * on,
                                    mask contact, lane *spin)
{
    lane rolling[2];
    TYPED(rolling_speeds)(m, on, rolling);
    for (int i = 0; i < 2; i++) {
        spin[i] = m->inverse_slip_tau * (rolling[i] * m->inverse_radius - s->wheel_speed[i]);
    }
    if (!mask_any(mask_not(contact))) return;
    for (int i = 0; i < 2; i++) {
        lane speed = s->wheel_speed[i] * m->p.wheel_radius;
        lane driven = TYPED(traction_accel)(m, speed, TYPED(inverse)(lane_abs(speed)), lane_of(0));
        spin[i] = lane_select(contact, spin[i], driven * m->inverse_radius);
    }
}

LANE_INLINE mask TYPED(check_envelope)(const TYPED(state) * s)
{
    const real over = (real)RF_MAX_ROTOR_SPEED;
    lane speeds = s->wheel_speed[0] * s->wheel_speed[0] + s->wheel_speed[1] * s->wheel_speed[1];
    lane others = s->ground[0] * s->ground[0] + s->steering * s->steering;
    mask bits = body_check_envelope(body_of(s)) | body_not_finite(speeds + others);
    return bits | words_of(speeds > over * over, RF_VEHICLE_OVERSPEED);
}

/* Wheel speeds in 1/min: front left, front right, rear left, rear right; then the steering angle. */
LANE_INLINE void TYPED(show)(const TYPED(state) * s, lane *displayed)
{
    for (int i = 0; i < 4; i++) displayed[i] = RPM_OF_RAD_PER_S * s->wheel_speed[i / 2];
    displayed[4] = s->steering;
    for (int i = 5; i < 8; i++) displayed[i] = lane_of(0);
}
