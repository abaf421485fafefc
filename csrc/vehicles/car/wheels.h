/* SPDX-License-Identifier: BSD-3-Clause */
/* The wheels of the detailed car on the ground; a part of its model, after the plant. */

enum { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, WHEELS };

/* What acts on the body by its wheels, and the derivatives of their states. */
typedef struct car_wheels {
    vec3 force;     /* N, NED */
    vec3 moment;    /* N m, NED, about the centre of mass */
    lane spin;      /* kg m^2/s: angular momentum of all wheels, about the left axis */
    lane spin_rate; /* N m: its derivative */
    lane accel[WHEELS], along_rate[WHEELS], across_rate[WHEELS];
} car_wheels;

/* A wheel on its own: its axle and its side, the body, the ground. */
typedef struct car_corner {
    int axle;
    lane side;         /* m: to the right of the middle */
    vec3 arm;          /* m, NED, from the centre of mass: to the contact */
    lane depth;        /* m: of the spring, along the normal */
    lane other;        /* m: of the other wheel of the axle */
    vec3 forward;      /* NED: direction of the wheel along the ground, */
    vec3 right;        /* and to its right */
    lane speed, pulls; /* rad/s; N m: drive torque */
    lane holds;        /* N m: brake torque */
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

/* Depths of the wheels below the ground, at which springs that do not touch it would end, along its normal [m]; `arm` [m, NED]
 * is to that end. */
LANE_INLINE void car_depths(const car_state *s, const car_plant *m, rotation r, vec3 *arm, lane *depth)
{
    const lane sunk = car_mass_depth(s, m);
    for (int i = 0; i < WHEELS; i++) {
        const int axle = i / 2;
        const lane ahead = axle == 0 ? m->p.axle_distance[0] : -m->p.axle_distance[1];
        arm[i] = to_ned(r, vec3_of(ahead, car_side(m, i), m->hanging[axle]));
        lane height = sunk + arm[i].z - ground_fall(&m->plane, arm[i].x, arm[i].y);
        depth[i] = lane_max(lane_of(0), height * m->normal.z);
        arm[i] = sub(arm[i], scale(depth[i], m->normal));
    }
}

/* Load of a wheel [N] that descends to the ground at a speed [m/s]. */
LANE_INLINE lane car_load(const car_corner *c, const car_plant *m, lane descent)
{
    const car_param *p = &m->p;
    const int a = c->axle;
    lane depth = lane_min(c->depth, m->stop[a] + CAR_DEEPEST);
    lane beyond = lane_max(lane_of(0), depth - m->stop[a]);
    lane force = p->spring_stiffness[a] * (depth + CAR_STOP * beyond) +
                 p->anti_roll[a] * (depth - lane_min(c->other, m->stop[a] + CAR_DEEPEST));
    force += p->spring_damping[a] * descent;
    lane touches = lane_min(lane_of(1), c->depth * (1 / CAR_SKIN));
    return touches * lane_max(lane_of(0), force);
}

/* Adds what a wheel does; z is its tyre's force per load. */
LANE_INLINE void car_roll(const car_state *s, const car_plant *m, rotation r, const car_corner *c, int i,
                          car_wheels *sum)
{
    const car_param *p = &m->p;
    vec3 turning = to_ned(r, s->rate);
    vec3 ground = add(m->plane.velocity, ground_turning(&m->plane, c->arm.x, c->arm.y));
    vec3 vel = sub(add(s->vel, cross(turning, c->arm)), ground);
    vec3 down = vec3_of(r.north.z, r.east.z, r.down.z);
    const tyre_motion at = {.load = car_load(c, m, dot(vel, m->normal)),
                            .forward = dot(vel, c->forward),
                            .side = dot(vel, c->right),
                            .rolling = p->wheel_radius * c->speed,
                            .camber = -(p->camber_gain[c->axle] * dot(down, c->right)),
                            .mirror = lane_select(c->side < 0, lane_of(-1), lane_of(1))};
    const tyre_reaction by = tyre_react(&m->tyre, &at, s->tyre_along[i], s->tyre_across[i]);
    vec3 force = add(scale(by.along, c->forward), scale(by.across, c->right));
    force = sub(force, scale(at.load, m->normal));
    vec3 moment = add(scale(by.aligning, m->normal), scale(by.overturning, c->forward));
    sum->force = add(sum->force, force);
    sum->moment = add(sum->moment, add(cross(c->arm, force), moment));
    lane torque = c->pulls - p->wheel_radius * by.along;
    lane friction = c->holds + p->tyre_rolling * p->wheel_radius * at.load;
    sum->accel[i] = wheel_accel(c->speed, torque, friction, m->inverse_wheel_inertia, m->settling);
    sum->spin += p->wheel_inertia * c->speed;
    sum->spin_rate += p->wheel_inertia * sum->accel[i];
    sum->along_rate[i] = by.along_rate;
    sum->across_rate[i] = by.across_rate;
}

/* Sets the direction of a wheel, which is steered by an angle of a tangent. */
LANE_INLINE void car_steer(const car_plant *m, rotation r, lane tangent, car_corner *c)
{
    vec3 nose = vec3_of(r.north.x + tangent * r.north.y, r.east.x + tangent * r.east.y,
                        r.down.x + tangent * r.down.y);
    nose = sub(nose, scale(dot(nose, m->normal), m->normal));
    c->forward = scale(1 / lane_sqrt(lane_max(lane_of(CAR_TINY), norm2(nose))), nose);
    c->right = cross(m->normal, c->forward);
}

/* All wheels.  Not inlined: it is long, and all models have the same. */
static __attribute__((noinline)) void car_wheels_on_ground(const car_state *s, const car_plant *m, rotation r,
                                                           lane brake, car_wheels *sum)
{
    const lane zero = lane_of(0);
    vec3 arm[WHEELS];
    lane depth[WHEELS], sine, cosine;
    car_depths(s, m, r, arm, depth);
    lane_sincos(s->steering, &sine, &cosine);
    const lane tangent = sine / cosine;
    sum->force = sum->moment = vec3_of(zero, zero, zero);
    sum->spin = sum->spin_rate = zero;
    for (int i = 0; i < WHEELS; i++) {
        const int axle = i / 2;
        const lane side = car_side(m, i);
        car_corner c = {.axle = axle,
                        .side = side,
                        .arm = arm[i],
                        .depth = depth[i],
                        .other = depth[i ^ 1],
                        .speed = s->wheel_speed[i],
                        .pulls = m->drive_share[axle] * s->drive_torque,
                        .holds = m->brake_share[axle] * brake};
        car_steer(m, r, axle == 0 ? ackermann_tangent(tangent, side * m->per_wheelbase) : zero, &c);
        car_roll(s, m, r, &c, i, sum);
    }
}
