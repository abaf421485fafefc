/* SPDX-License-Identifier: BSD-3-Clause */
/* Steering and drive of a car.  A template, included by the model of a type after its plant.
 *
 * Steering.  The angle d follows its command c with a lag and a limited rate, within +-d_max:
 *
 *     d' = clamp((c d_max - d) / t_d, +-d'_max)
 *
 * Drive.  Of the command u in -1..1 and the speed v, positive forward, the acceleration by the tyres is
 *
 *     a = a_max u - k v         where u drives, within the power of the drive, |a| <= a_max v_s / |v| above the speed v_s,
 *                               and nothing drives above the maximum speed of its direction: -k v
 *     a = b u                   where u is against the motion: the brakes
 *     a = -v / t_s - g.f        within +-b, at |u| < CAR_DEAD_ZONE: the brakes bring it to rest and hold it on a slope
 *
 * as the limits of [@commonroad 2020a 3.1], with k = 0 and b = a_max.  What actuators have lost (parts/strength) is lost of
 * a_max and d_max; brakes stay.  m, s, rad; the drag of the air is in k. */

#include "vehicles/car/commands.h"

LANE_INLINE void TYPED(prepare_commands)(TYPED(plant) * m, const TYPED(input) * in, int full)
{
    const TYPED(param) *p = &m->p;
    lane left[ACTUATORS];
    TYPED(strengths_left)(m, full, left);
    m->traction = lane_clamp(in->traction, lane_of(-1), lane_of(1));
    m->drive = left[0] * p->accel_max;
    m->drive_power = m->drive * p->switch_speed;
    m->brake = p->brake_accel;
    m->steering_target = left[1] * p->steering_max * lane_clamp(in->steer, lane_of(-1), lane_of(1));
    m->inverse_steering_tau = 1 / p->steering_tau;
    m->inverse_slip_tau = 1 / p->slip_tau;
}

/* Rate of the steering angle [rad/s]. */
LANE_INLINE lane TYPED(steering_rate)(const TYPED(state) * s, const TYPED(plant) * m)
{
    lane rate = m->inverse_steering_tau * (m->steering_target - s->steering);
    return lane_limit(rate, m->p.steering_rate_limit);
}

/* Where the brakes act: at rest and against the motion. */
LANE_INLINE mask TYPED(brakes)(const TYPED(plant) * m, lane speed)
{
    return (lane_abs(m->traction) < CAR_DEAD_ZONE) | (m->traction * speed < 0);
}

/* Acceleration by the tyres [m/s^2], along the speed, which gravity changes, too; `per_speed` is 1 / |speed|, or anything more
 * where that is less than the switch speed. */
LANE_INLINE lane TYPED(traction_accel)(const TYPED(plant) * m, lane speed, lane per_speed, lane gravity)
{
    const TYPED(param) *p = &m->p;
    const lane u = m->traction, drag = -(p->drive_damping * speed);
    lane power = lane_min(m->drive_power * per_speed, m->drive);
    lane drive = lane_limit(m->drive * u + drag, power);
    lane ahead = lane_max(m->inverse_slip_tau * (p->speed_max[0] - speed), drag);
    lane back = lane_min(m->inverse_slip_tau * (-p->speed_max[1] - speed), drag);
    drive = lane_max(lane_min(drive, ahead), back);
    lane held = lane_limit(-(m->inverse_slip_tau * speed) - gravity, m->brake);
    lane braked = lane_select(lane_abs(u) < CAR_DEAD_ZONE, held, m->brake * u);
    return lane_select(TYPED(brakes)(m, speed), braked, drive);
}

/* Acceleration at full command in proportion to the voltage. */
LANE_INLINE void TYPED(scale_voltage)(TYPED(param) * p, lane ratio)
{
    p->accel_max *= ratio;
}
