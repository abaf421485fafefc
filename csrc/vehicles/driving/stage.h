/* SPDX-License-Identifier: BSD-3-Clause */
/* Speed and yaw rate loop of vehicles that drive on a plane, and their stage; a template, included after
 * vehicles/driving/control.h and the family's
 *
 *     TYPED(allocate)(state, gain, motion, speed, command, &reached)
 *
 * which turns the motion that the loops want into actuator commands within -1 to 1, and sets where speed and yaw rate are
 * `reached`: feasible together, and what the actuators do, so that a remaining error is one to integrate; where it `waits`, nothing is.  `speed` is the
 * present one [m/s].  Actuator commands of zero hold a vehicle at a standstill.
 *
 * References follow the commands with limited acceleration; PI loops correct speed and yaw rate.  Integrators are frozen
 * unless the reference is constant and reached.  At a standstill the actuator commands are zero. */

#define DRIVING_INTEGRAL_FRACTION ((real)0.5) /* integrator limit, as fraction of the limit of the command */

/* References, speed loop and yaw rate loop. */
LANE_INLINE void TYPED(motion_update)(const TYPED(state) * s, const TYPED(gain) * g, mask armed, lane dt,
                                      TYPED(controller) * c, lane *command)
{
    const lane zero = lane_of(0);
    lane speed = driving_speed_of(to_body(rotation_from_quat(s->att), s->vel), g->control_axle_distance[1]);
    lane next_speed =
        driving_ramp(c->speed_reference, c->speed_command, dt * g->accel_limit, dt * g->decel_limit);
    next_speed = driving_leading(next_speed, speed, g->speed_lead_limit);
    lane yaw_rate_step = dt * g->yaw_accel_limit;
    lane next_yaw_rate =
        driving_ramp(c->yaw_rate_reference, c->yaw_rate_command, yaw_rate_step, yaw_rate_step);
    next_yaw_rate = driving_on_circle(next_yaw_rate, next_speed, g->turning_radius);
    c->speed_reference = lane_select(armed, next_speed, zero);
    c->yaw_rate_reference = lane_select(armed, next_yaw_rate, zero);

    lane speed_error = c->speed_reference - speed, yaw_rate_error = c->yaw_rate_reference - s->rate.z;
    driving_motion corrected = {c->speed_reference + g->speed_p * speed_error + c->speed_integral,
                                c->yaw_rate_reference + g->yaw_rate_p * yaw_rate_error +
                                    c->yaw_rate_integral};
    driving_reached reached;
    TYPED(allocate)(s, g, corrected, speed, command, &reached);
    mask stopped = (c->speed_command == zero) & (c->yaw_rate_command == zero) & (c->speed_reference == zero) &
                   (c->yaw_rate_reference == zero);
    stopped = stopped | mask_not(armed);

    mask speed_active = reached.speed & (c->speed_reference == c->speed_command);
    mask yaw_rate_active = reached.yaw_rate & (c->yaw_rate_reference == c->yaw_rate_command);
    c->speed_integral = driving_integral(c->speed_integral, speed_error, dt * g->speed_i,
                                         DRIVING_INTEGRAL_FRACTION * g->speed_limit, speed_active);
    c->yaw_rate_integral = driving_integral(c->yaw_rate_integral, yaw_rate_error, dt * g->yaw_rate_i,
                                            DRIVING_INTEGRAL_FRACTION * g->yaw_rate_limit, yaw_rate_active);
    mask rests = stopped | reached.waits;
    c->speed_integral = lane_select(rests, zero, c->speed_integral);
    c->yaw_rate_integral = lane_select(rests, zero, c->yaw_rate_integral);
    for (int i = 0; i < ACTUATORS; i++) command[i] = lane_select(stopped, zero, command[i]);
}

LANE_INLINE void TYPED(control_drive)(const block *b)
{
    mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    TYPED(state) s;
    TYPED(gain) g;
    TYPED(controller) c;
    lane command[ACTUATORS];
    TYPED(load_known_state)(&s, b);
    TYPED(load_gain)(&g, b);
    TYPED(load_controller)(&c, b);
    TYPED(motion_update)(&s, &g, armed, lane_of(b->period), &c, command);
    TYPED(store_controller)(&c, b);
    TYPED(store_actuators)(command, armed, b);
}
