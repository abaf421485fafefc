/* SPDX-License-Identifier: BSD-3-Clause */
/* The motion of a marine craft: references that follow the commands, a force and a moment for them, and the commands of
 * thrusters and fins.  For the speed u over ground along an axis of the heading frame, its reference u_r, and what the
 * controllers assume of mass, added mass and drag:
 *
 *     F  = (m + A) (u_r' + p (u_r - u)) + d_1 u_r + d_2 |u_r| u_r + I,       I' = i (m + A) (u_r - u)
 *
 * and likewise the moment of the yaw rate; roll and pitch are held by M = R sin(command) - (I + J) (p_t e + d_t w), R the
 * righting moment.  Thrusts are those of an allocation matrix (pyrfly.vehicles.marine.allocation).  Where one exceeds what
 * a thruster can, those of yaw, heave and tilt have priority over those of speed and side, and integrators of what lacks are
 * frozen.
 * Fins turn by the moment over the square of the speed.
 *
 * Errors of the speed ahead that are smaller than the motion by waves (station.h) are none, but for their mean over
 * MARINE_SLOW_TIME.
 *
 * The thrust that a propeller loses as it goes ahead is made up for by the speed ahead over ground.
 *
 * N, N m, m/s, rad.  Leaves out: currents in that, the loss at a ship's propeller by its speed squared, which integrators replace. */

#define MARINE_NEWTON    4           /* steps for the speed that gives a thrust: to 1e-4 of the rated one */
#define MARINE_FIN_SPEED ((real)0.5) /* m/s: slower, fins turn no further */
#define MARINE_SLOW_TIME ((real)5)   /* s */
#define MARINE_INTEGRAL  ((real)0.5) /* of the largest force */

typedef struct marine_demand {
    vec3 force, moment; /* N, N m, FRD */
} marine_demand;

/* What thrusters can ahead, or astern: of the thrust f_1 s + ... + f_5 s^5 - a s, s over the rated speed, a is the loss by the
 * advance through the water. */
typedef struct marine_reach {
    const lane *curve;
    lane loss, most, bollard,
        thrust; /* N; 1, N, N: largest speed over the rated one, and its thrust at rest and now */
} marine_reach;

LANE_INLINE marine_reach marine_reach_of(const lane *curve, lane loss, lane most)
{
    lane bollard = thruster_curve_at(curve, most);
    return (marine_reach){curve, loss, most, bollard, lane_max(bollard - loss * most, lane_of(0))};
}

/* Share of the largest speed for a thrust [N], below 0 astern, by Newton's method on the curve of its direction, from that of
 * a quadratic one, b s^2 - a s. */
LANE_INLINE lane marine_share_of(const marine_reach *ahead, const marine_reach *astern, lane thrust)
{
    const mask back = thrust < 0;
    lane curve[THRUSTER_TERMS], size = lane_abs(thrust), most = lane_select(back, astern->most, ahead->most);
    for (int i = 0; i < THRUSTER_TERMS; i++) {
        curve[i] = lane_select(back, astern->curve[i], ahead->curve[i]);
    }
    lane loss = lane_select(back, astern->loss, ahead->loss);
    lane full = lane_max(lane_select(back, astern->bollard, ahead->bollard), lane_of(CONTROL_TINY));
    lane steep = full / (most * most);
    lane s = (loss + lane_sqrt(loss * loss + 4 * steep * size)) / (2 * steep);
    s = lane_select(size > 0, lane_min(s, most), lane_of(0));
    curve[0] -= loss;
    for (int k = 0; k < MARINE_NEWTON; k++) {
        lane slope = lane_of(0);
        for (int i = THRUSTER_TERMS - 1; i >= 0; i--) slope = slope * s + (real)(i + 1) * curve[i];
        s -= (thruster_curve_at(curve, s) - size) / lane_max(slope, full);
        s = lane_clamp(s, lane_of(0), most);
    }
    return lane_negate_where(back, s / most);
}

/* Share of `wanted` that fits beside `first` into the limits, up to `share`. */
LANE_INLINE lane marine_fit(lane share, lane first, lane wanted, lane ahead, lane astern)
{
    lane room = lane_select(wanted < 0, astern + first, ahead - first);
    lane size = lane_max(lane_abs(wanted), lane_of((real)1e-6));
    return lane_min(share, lane_max(lane_of(0), room) / size);
}

/* Where thrusters give all that is demanded: yaw, heave and tilt; and speed and side as well. */
typedef struct marine_given {
    mask turning, going;
} marine_given;

/* Commands of the thrusters. */
LANE_INLINE marine_given marine_thrusters(const marine_gain *g, const marine_demand *by, lane ahead_speed,
                                          lane *command)
{
    const lane *speed_max = g->control_thruster_speed_max, per_rated = 1 / g->control_thruster_rated;
    const lane loss = g->advance_loss * lane_max(ahead_speed, lane_of(0));
    const marine_reach ahead = marine_reach_of(g->control_thruster_ahead, loss, speed_max[0] * per_rated),
                       astern =
                           marine_reach_of(g->control_thruster_astern, lane_of(0), speed_max[1] * per_rated);
    lane first[MARINE_THRUSTERS], second[MARINE_THRUSTERS];
    const lane most = lane_max(ahead.thrust, astern.thrust); /* astern may be beside a thrust ahead */
    lane turning = lane_of(1), going = lane_of(1);
    for (int i = 0; i < MARINE_THRUSTERS; i++) {
        vec3 force = marine_at(g->force_allocation, MARINE_THRUSTERS, i);
        vec3 moment = marine_at(g->moment_allocation, MARINE_THRUSTERS, i);
        first[i] = dot(moment, by->moment) + force.z * by->force.z;
        second[i] = force.x * by->force.x + force.y * by->force.y;
        turning = marine_fit(turning, lane_of(0), first[i], most, most);
    }
    for (int i = 0; i < MARINE_THRUSTERS; i++) {
        first[i] *= turning;
        going = marine_fit(going, first[i], second[i], ahead.thrust, astern.thrust);
    }
    for (int i = 0; i < MARINE_THRUSTERS; i++) {
        command[i] = marine_share_of(&ahead, &astern, first[i] + going * second[i]);
    }
    return (marine_given){turning >= 1, (turning >= 1) & (going >= 1)};
}

/* Commands of the fins for a moment at a speed through the water [m/s]. */
LANE_INLINE void marine_fin_commands(const marine_gain *g, vec3 moment, lane speed, lane *command)
{
    lane ahead = lane_max(speed, lane_of(MARINE_FIN_SPEED)), per = 1 / (ahead * ahead);
    lane travel = lane_max(g->control_fin_travel, lane_of(CONTROL_TINY));
    for (int i = 0; i < MARINE_FINS; i++) {
        lane angle = per * dot(marine_at(g->fin_allocation, MARINE_FINS, i), moment);
        command[i] = lane_clamp(angle / travel, lane_of(-1), lane_of(1));
    }
}

/* References follow the commands; `change` is their change per second. */
LANE_INLINE void marine_references(const marine_gain *g, mask armed, lane dt, marine_controller *c,
                                   lane *change)
{
    const lane zero = lane_of(0);
    const lane command[4] = {c->speed_command, c->side_command[0], c->side_command[1], c->yaw_rate_command};
    lane *reference[4] = {&c->speed_reference, &c->side_reference[0], &c->side_reference[1],
                          &c->yaw_rate_reference};
    for (int i = 0; i < 4; i++) {
        lane up = dt * (i == 3 ? g->yaw_accel_limit : g->accel_limit);
        lane down = dt * (i == 3 ? g->yaw_accel_limit : g->decel_limit);
        lane next = lane_select(armed, driving_ramp(*reference[i], command[i], up, down), zero);
        change[i] = lane_select(armed, (next - *reference[i]) * (1 / dt), zero);
        *reference[i] = next;
    }
}

/* Sine of a roll or pitch command, to a hundredth up to 1 rad. */
LANE_INLINE lane marine_sine(lane x)
{
    return x * (1 - x * x * (real)(1.0 / 6));
}

/* Force along the axes of the heading frame and moment about those of the body. */
LANE_INLINE marine_demand marine_demanded(const marine_state *s, const marine_gain *g,
                                          const marine_controller *c, const lane *change, vec3 error,
                                          lane yaw_error)
{
    vec3 to = vec3_of(c->speed_reference, c->side_reference[0], c->side_reference[1]);
    vec3 moved = add(vec3_of(g->control_mass, g->control_mass, g->control_mass), g->control_added_mass);
    vec3 accel = add(vec3_of(change[0], change[1], change[2]), scale(g->motion_p[0], error));
    vec3 drag = add(mul(g->control_drag_linear, to), mul(g->control_drag_quadratic, mul(vec3_abs(to), to)));
    vec3 force = add(add(mul(moved, accel), drag), c->force_integral);

    lane turn = c->yaw_rate_reference, inertia = g->control_inertia.zz + g->control_added_inertia.z;
    lane yaw = inertia * (change[3] + g->motion_p[1] * yaw_error) + c->yaw_moment_integral;
    yaw += turn * (g->control_damping_linear.z + g->control_damping_quadratic.z * lane_abs(turn));
    vec3 down = rotation_from_quat(s->att).down;
    lane roll = lane_atan2(down.y, down.z) - c->roll_command, pitch = lane_asin(-down.x) - c->pitch_command;
    lane about = g->control_inertia.xx + g->control_added_inertia.x,
         across = g->control_inertia.yy + g->control_added_inertia.y;
    lane uprights[2] = {g->righting_moment * marine_sine(c->roll_command),
                        g->righting_moment * marine_sine(c->pitch_command)};
    vec3 moment = vec3_of(uprights[0] - about * (g->tilt_p * roll + g->tilt_d * s->rate.x),
                          uprights[1] - across * (g->tilt_p * pitch + g->tilt_d * s->rate.y), yaw);
    return (marine_demand){force, moment};
}

LANE_INLINE void marine_update_motion(const marine_state *s, const marine_gain *g, mask armed, lane dt,
                                      marine_controller *c, lane *command)
{
    const lane zero = lane_of(0);
    lane change[4];
    marine_references(g, armed, dt, c, change);
    rotation r = rotation_from_quat(s->att);
    vec2 heading = heading_of(r, (direction){lane_of(1), zero}), over = vec2_of(s->vel);
    vec3 error = vec3_of(c->speed_reference - vec2_dot(heading, over),
                         c->side_reference[0] - vec2_cross(heading, over), c->side_reference[1] - s->vel.z);
    lane yaw_error = c->yaw_rate_reference - s->rate.z;
    c->speed_error += dt / (dt + MARINE_SLOW_TIME) * (error.x - c->speed_error);
    error.x -= lane_limit(error.x - c->speed_error, marine_stir(c));
    marine_demand by = marine_demanded(s, g, c, change, error, yaw_error);
    vec3 level = vec3_of(heading.north * by.force.x - heading.east * by.force.y,
                         heading.east * by.force.x + heading.north * by.force.y, by.force.z);
    by.force = to_body(r, level);
    marine_given fits = marine_thrusters(g, &by, vec2_dot(heading, over), command);
    marine_fin_commands(g, by.moment, lane_sqrt(norm2(s->vel)), command + MARINE_THRUSTERS);

    lane step = dt * g->motion_i[0], mass = g->control_mass, most = MARINE_INTEGRAL * g->force_limit;
    const mask going = fits.going & armed, turning = fits.turning & armed;
    vec3 *i = &c->force_integral;
    i->x = driving_integral(i->x, error.x, step * (mass + g->control_added_mass.x), most, going);
    i->y = driving_integral(i->y, error.y, step * (mass + g->control_added_mass.y), most, going);
    i->z = driving_integral(i->z, error.z, step * (mass + g->control_added_mass.z), most, turning);
    lane inertia = g->control_inertia.zz + g->control_added_inertia.z;
    c->yaw_moment_integral =
        driving_integral(c->yaw_moment_integral, yaw_error, dt * g->motion_i[1] * inertia,
                         MARINE_INTEGRAL * g->moment_limit, turning);
    c->force_integral = vec3_select(armed, c->force_integral, vec3_of(zero, zero, zero));
    c->yaw_moment_integral = lane_select(armed, c->yaw_moment_integral, zero);
    for (int k = 0; k < ACTUATORS; k++) command[k] = lane_select(armed, command[k], zero);
}

LANE_INLINE void marine_control_motion(const block *b)
{
    mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    marine_state s;
    marine_gain g;
    marine_controller c;
    lane command[ACTUATORS];
    marine_load_known_state(&s, b);
    marine_load_gain(&g, b);
    marine_load_controller(&c, b);
    marine_update_motion(&s, &g, armed, lane_of(b->period), &c, command);
    estimator_want(b, c.speed_reference, c.side_reference[0]);
    marine_store_controller(&c, b);
    marine_store_actuators(command, armed, b);
}
