/* SPDX-License-Identifier: BSD-3-Clause */
/* The wheels of the detailed car on the ground; a part of its model, after the plant.  All is in axes of the ground: north and
 * east along it, and its normal, down. */

enum { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, WHEELS = TYRES };

/* What acts on the body by its wheels, and the derivatives of their states. */
typedef struct car_wheels {
    vec3 force;     /* N, NED */
    vec3 moment;    /* N m, NED, about the centre of mass */
    lane spin;      /* kg m^2/s: angular momentum of all wheels, about the left axis */
    lane spin_rate; /* N m: its derivative */
    lane accel[WHEELS], along_rate[WHEELS], across_rate[WHEELS];
} car_wheels;

/* The body over the ground, in its axes. */
typedef struct car_over_ground {
    rotation body; /* body to ground */
    vec3 vel;      /* m/s: relative to the ground below */
    vec3 turning;  /* rad/s: relative to it */
    lane sunk;     /* m: depth of the centre of mass less its height, along the normal */
} car_over_ground;

/* A wheel on its own: the body, the ground. */
typedef struct car_corner {
    vec3 arm;      /* m: from the centre of mass to the contact */
    lane depth;    /* m: of the spring, along the normal */
    lane other;    /* m: of the other wheel of the axle */
    lane ahead[2]; /* direction of the wheel: north, east */
} car_corner;

/* Distance of a wheel to the right of the middle [m]. */
LANE_INLINE lane car_side(const car_plant *m, int i)
{
    return ((real)(i % 2) - (real)0.5) * m->p.axle_track[i / 2];
}

/* Depth of the centre of mass below the ground that is below it [m], negative above. */
LANE_INLINE lane car_mass_depth(const car_state *s, const car_plant *m)
{
    return s->pos.z - m->p.mass_height - s->ground[0];
}

/* A vector of north, east and down in axes of the ground. */
LANE_INLINE vec3 car_to_ground(const car_plant *m, vec3 ned)
{
    return m->plane.level ? ned : to_ned(m->ground, ned);
}

LANE_INLINE vec3 car_from_ground(const car_plant *m, vec3 along)
{
    return m->plane.level ? along : to_body(m->ground, along);
}

LANE_INLINE car_over_ground car_over(const car_state *s, const car_plant *m, rotation r)
{
    car_over_ground on = {.body = r, .vel = car_to_ground(m, sub(s->vel, m->plane.velocity))};
    if (!m->plane.level) {
        const vec3 x = car_to_ground(m, vec3_of(r.north.x, r.east.x, r.down.x)),
                   y = car_to_ground(m, vec3_of(r.north.y, r.east.y, r.down.y)),
                   z = car_to_ground(m, vec3_of(r.north.z, r.east.z, r.down.z));
        on.body = (rotation){vec3_of(x.x, y.x, z.x), vec3_of(x.y, y.y, z.y), vec3_of(x.z, y.z, z.z)};
    }
    const vec3 down = vec3_of(m->ground.north.z, m->ground.east.z, m->ground.down.z);
    on.turning = sub(to_ned(on.body, s->rate), scale(m->plane.yaw_rate, down));
    on.sunk = car_mass_depth(s, m) * m->ground.down.z;
    return on;
}

/* Sets depths of the wheels below the ground, at which springs that do not touch it would end, and the arms to their ends. */
LANE_INLINE void car_depths(const car_plant *m, const car_over_ground *on, car_corner *c)
{
    for (int i = 0; i < WHEELS; i++) {
        const int axle = i / 2;
        const lane ahead = axle == 0 ? m->p.axle_distance[0] : -m->p.axle_distance[1];
        c[i].arm = to_ned(on->body, vec3_of(ahead, car_side(m, i), m->hanging[axle]));
        lane depth = lane_max(lane_of(0), on->sunk + c[i].arm.z);
        c[i].arm.z -= depth;
        c[i].depth = c[i ^ 1].other = depth;
    }
}

/* Sets the direction of a wheel, which has two parts in axes of the body, of any length. */
LANE_INLINE void car_steer(const car_over_ground *on, lane ahead, lane right, car_corner *c)
{
    const lane north = ahead * on->body.north.x + right * on->body.north.y,
               east = ahead * on->body.east.x + right * on->body.east.y;
    const lane per_size = 1 / lane_sqrt(lane_max(lane_of(CAR_TINY), north * north + east * east));
    c->ahead[0] = per_size * north;
    c->ahead[1] = per_size * east;
}

/* Sets those of all wheels. */
LANE_INLINE void car_steer_all(const car_state *s, const car_plant *m, const car_over_ground *on,
                               car_corner *c)
{
    lane sine, cosine;
    lane_short_sincos(s->steering, &sine, &cosine);
    for (int i = FRONT_LEFT; i < REAR_LEFT; i++) {
        car_steer(on, ackermann_ahead(sine, cosine, car_side(m, i) * m->per_wheelbase), sine, c + i);
    }
    car_steer(on, lane_of(1), lane_of(0), c + REAR_LEFT);
    rows_copy(c[REAR_RIGHT].ahead, c[REAR_LEFT].ahead, 2);
}

/* Load of a wheel [N] that descends to the ground at a speed [m/s]. */
LANE_INLINE lane car_load(const car_corner *c, const car_plant *m, int axle, lane descent)
{
    const car_param *p = &m->p;
    lane deepest = m->stop[axle] + CAR_DEEPEST, depth = lane_min(c->depth, deepest);
    lane beyond = lane_max(lane_of(0), depth - m->stop[axle]);
    lane force = p->spring_stiffness[axle] * (depth + (real)CAR_STOP * beyond) +
                 p->anti_roll[axle] * (depth - lane_min(c->other, deepest));
    force += p->spring_damping[axle] * descent;
    lane touches = lane_min(lane_of(1), c->depth * (1 / CAR_SKIN));
    return touches * lane_max(lane_of(0), force);
}

/* Sets the motion of the tyre of a wheel. */
LANE_INLINE void car_tyre_motion(const car_plant *m, const car_over_ground *on, const car_corner *c, int i,
                                 lane wheel_speed, tyre_motion *at)
{
    const vec3 vel = add(on->vel, cross(on->turning, c->arm));
    const lane north = c->ahead[0], east = c->ahead[1];
    at->load = car_load(c, m, i / 2, vel.z);
    at->forward = vel.x * north + vel.y * east;
    at->side = vel.y * north - vel.x * east;
    at->rolling = m->p.wheel_radius * wheel_speed;
    at->camber = m->p.camber_gain[i / 2] * (on->body.north.z * east - on->body.east.z * north);
    at->mirror = lane_of(i % 2 == 0 ? -1 : 1);
}

/* Adds what a tyre does to the body, in axes of the ground. */
LANE_INLINE void car_push(const car_corner *c, lane load, const tyre_reaction *by, vec3 *force, vec3 *moment)
{
    const lane north = c->ahead[0], east = c->ahead[1];
    const vec3 push = {by->along * north - by->across * east, by->along * east + by->across * north, -load};
    const vec3 turn = {by->overturning * north, by->overturning * east, by->aligning};
    *force = add(*force, push);
    *moment = add(*moment, add(cross(c->arm, push), turn));
}

/* Sets how a wheel spins, and how its tyre deflects; `spin` and `spin_rate` are sums over the inertia here. */
LANE_INLINE void car_spin(const car_state *s, const car_plant *m, int i, lane brake, lane load,
                          const tyre_reaction *by, car_wheels *sum)
{
    const car_param *p = &m->p;
    lane torque = m->drive_share[i / 2] * s->drive_torque - p->wheel_radius * by->along;
    lane friction = m->brake_share[i / 2] * brake + p->tyre_rolling * p->wheel_radius * load;
    sum->accel[i] = wheel_accel(s->wheel_speed[i], torque, friction, m->inverse_wheel_inertia, m->settling);
    sum->spin += s->wheel_speed[i];
    sum->spin_rate += sum->accel[i];
    sum->along_rate[i] = by->along_rate;
    sum->across_rate[i] = by->across_rate;
}

/* All wheels.  Not inlined: it is long, and all models have the same. */
static __attribute__((noinline)) void car_wheels_on_ground(const car_state *s, const car_plant *m, rotation r,
                                                           lane brake, car_wheels *sum)
{
    const lane zero = lane_of(0);
    const car_over_ground on = car_over(s, m, r);
    car_corner c[WHEELS];
    tyre_motion at[WHEELS];
    tyre_reaction by[WHEELS];
    car_steer_all(s, m, &on, c);
    car_depths(m, &on, c);
    for (int i = 0; i < WHEELS; i++) car_tyre_motion(m, &on, c + i, i, s->wheel_speed[i], at + i);
    tyres_react(&m->tyre, at, s->tyre_along, s->tyre_across, by);
    vec3 force = vec3_of(zero, zero, zero), moment = force;
    sum->spin = sum->spin_rate = zero;
    for (int i = 0; i < WHEELS; i++) {
        car_push(c + i, at[i].load, by + i, &force, &moment);
        car_spin(s, m, i, brake, at[i].load, by + i, sum);
    }
    sum->spin *= m->p.wheel_inertia;
    sum->spin_rate *= m->p.wheel_inertia;
    sum->force = car_from_ground(m, force);
    sum->moment = car_from_ground(m, moment);
}
