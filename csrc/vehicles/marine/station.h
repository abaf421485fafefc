/* SPDX-License-Identifier: BSD-3-Clause */
/* How a boat that goes ahead and astern alone stays at a place, against current, wind and waves.
 *
 * It follows the velocity c with which they drive it away: across its heading it has that, and ahead it is that against which its
 * integrator holds, the speed at which drag is that force; with a lag of MARINE_CURRENT_TIME.  As it turns, the integrator turns with
 * c, so that it need not be learned anew.  For the velocity v over ground to the place, it turns to
 *
 *     v - c
 *
 * or with its stern there, where that is the shorter turn.  The smaller that is, against v at half to the whole of the arrival
 * radius, the more counts the heading that it is told: in current and wind it points into them wherever it is.
 *
 * One whose thrusters do not push astern has a turning radius, since it goes ahead as it turns.  It does all this with its bow where
 * c is more than MARINE_DRIVEN of the velocity with which it comes back from its arrival radius.  In calm water it lies at a place
 * and comes back to it, as what has a rudder (vehicles/marine/control.h).
 *
 * Of waves, which move it to and fro and back, it follows the mean squares of heave and of its speed, over MARINE_WAVE_TIME.
 * In deep water these are as well those of the motion along the water, so their roots are dead zones: of the distance for which it
 * turns, and of what is fast of the error of the speed ahead (motion.h).
 *
 * A part of the controllers of the family (vehicles/marine/control.h), included by it. */

#define MARINE_CURRENT_TIME ((real)10)  /* s */
#define MARINE_WAVE_TIME    ((real)20)  /* s */
#define MARINE_DRIVEN       ((real)0.5) /* estimated */

/* A motion that is wanted, in the heading frame. */
typedef struct marine_wish {
    vec3 vel;      /* m/s: ahead, to the right, down */
    lane yaw_rate; /* rad/s */
} marine_wish;

/* What goes ahead and astern alone, at the surface. */
LANE_INLINE mask marine_floats(const marine_gain *g)
{
    return (g->holonomic == 0) & mask_not(g->pitch_limit > 0);
}

/* Whether thrusters turn a vehicle. */
LANE_INLINE mask marine_turns(const marine_gain *g)
{
    lane sum = lane_of(0);
    for (int i = 0; i < MARINE_THRUSTERS; i++) {
        sum += lane_abs(marine_at(g->moment_allocation, MARINE_THRUSTERS, i).z);
    }
    return sum > 0;
}

/* Where thrusters hold a boat against what drives it away, against how fast it comes back from its arrival radius. */
LANE_INLINE mask marine_driven(const marine_gain *g, const marine_controller *c)
{
    lane least = MARINE_DRIVEN * g->approach_p * g->arrival_radius;
    return marine_turns(g) & (vec2_length((vec2){c->current_velocity[0], c->current_velocity[1]}) > least);
}

/* How far waves move what floats, and how fast [m, m/s]: as much as they heave it, for in deep water it goes in circles. */
LANE_INLINE lane marine_sway(const marine_controller *c)
{
    return lane_sqrt(c->heave_square);
}

LANE_INLINE lane marine_stir(const marine_controller *c)
{
    return lane_sqrt(c->heave_speed_square);
}

/* What a vector has beyond a size, in its direction. */
LANE_INLINE vec2 marine_beyond(vec2 x, lane size)
{
    lane length = vec2_length(x);
    lane share = lane_max(lane_of(0), 1 - size / length);
    return (vec2){share * x.north, share * x.east};
}

/* Mean squares of the heave by waves and of its speed, of what floats; of what dives, 0. */
LANE_INLINE void marine_follow_waves(const marine_state *s, const marine_gain *g, lane surface, lane dt,
                                     marine_controller *c)
{
    lane share = dt / (dt + MARINE_WAVE_TIME), heave = s->pos.z - surface;
    mask floats = marine_floats(g);
    c->heave_square += share * (lane_select(floats, heave * heave, lane_of(0)) - c->heave_square);
    c->heave_speed_square +=
        share * (lane_select(floats, s->vel.z * s->vel.z, lane_of(0)) - c->heave_speed_square);
}

/* Speed ahead through the water of what hardly moves over ground [m/s]: drag, d_1 u + d_2 |u| u, is the integrator there. */
LANE_INLINE lane marine_stemming(const marine_controller *c, const marine_gain *g)
{
    lane force = c->force_integral.x, linear = g->control_drag_linear.x;
    lane root = lane_sqrt(linear * linear + 4 * g->control_drag_quadratic.x * lane_abs(force));
    return 2 * force / lane_max(linear + root, lane_of(CONTROL_TINY));
}

/* The velocity of what drives it away [m/s, NED], by what it holds against ahead and has across, after a lag.  As a boat turns,
 * what it holds against ahead changes with it. */
LANE_INLINE void marine_follow_current(const marine_state *s, const marine_gain *g, lane dt,
                                       marine_controller *c)
{
    vec2 heading = heading_of(rotation_from_quat(s->att), (direction){lane_of(1), lane_of(0)});
    lane across = vec2_cross(heading, vec2_of(s->vel)), stems = marine_stemming(c, g);
    mask stays = marine_floats(g) & marine_turns(g);
    lane share = lane_select(stays, dt / (dt + MARINE_CURRENT_TIME), lane_of(0));
    lane *current = c->current_velocity;
    current[0] += share * (-(stems * heading.north + across * heading.east) - current[0]);
    current[1] += share * (across * heading.north - stems * heading.east - current[1]);
    lane slope = g->control_drag_linear.x + 2 * g->control_drag_quadratic.x * lane_abs(stems);
    lane aside = vec2_cross(heading, (vec2){current[0], current[1]});
    c->force_integral.x -= slope * aside * s->rate.z * dt;
}

/* Near a position, for a velocity over ground to it: turns to the velocity through the water that it needs, by the shorter turn,
 * ahead or astern; as much as that is of what brings it back from `least`.  Where that is nothing, it does as it is told. */
LANE_INLINE marine_wish marine_hold(vec2 heading, vec2 ground, const marine_controller *c,
                                    const marine_gain *g, lane least, lane heading_rate)
{
    vec2 goal = marine_beyond(ground, g->approach_p * marine_sway(c));
    vec2 through = {goal.north - c->current_velocity[0], goal.east - c->current_velocity[1]};
    mask back =
        (vec2_dot(heading, through) < 0) & (thruster_curve_at(g->control_thruster_astern, lane_of(1)) > 0);
    lane sign = lane_select(back, lane_of(-1), lane_of(1));
    vec2 course = {sign * through.north, sign * through.east};
    lane share = lane_clamp(2 * vec2_length(through) / (g->approach_p * least) - 1, lane_of(0), lane_of(1));
    lane turning = marine_heading_control(heading, course, g);
    lane fraction = 1 - share * (1 - driving_speed_fraction(heading, course));
    return (marine_wish){vec3_of(fraction * vec2_dot(heading, ground), lane_of(0), lane_of(0)),
                         share * turning + (1 - share) * heading_rate};
}
