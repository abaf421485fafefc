/* SPDX-License-Identifier: BSD-3-Clause */
/* Engine of a rotor, with a governor of its speed, behind a freewheel.  At the throttle u the engine has at most
 *
 *     Q_max = Q_0 (u - w / w_1),    never below 0
 *
 * that of an electric motor at the share u of its voltage, with the stall torque Q_0 and the speed w_1 without load, both
 * at the rotor; it stands for other engines, too.  The governor knows the load Q_l of the rotor, of inertia J, and has the
 * speed tend to w_0:
 *
 *     Q = Q_l + J (w_0 - w) / T,    between 0 and Q_max
 *
 * So there is no torque that brakes, a rotor that the air drives faster turns freely, and at u = 0 it is alone.
 * w [rad/s], Q [N m], T [s].  Leaves out: errors of the governor, friction of the drive train, lag of the engine. */
#ifndef RF_MODELS_GOVERNED_ENGINE_H
#define RF_MODELS_GOVERNED_ENGINE_H

#include "math/lane.h"

typedef struct governed_engine {
    lane stall_torque;    /* N m: Q_0 */
    lane inverse_no_load; /* s/rad: 1 / w_1 */
    lane nominal;         /* rad/s: w_0 */
    lane inertia_per_tau; /* kg m^2/s: J / T */
} governed_engine;

LANE_INLINE lane governed_engine_torque(const governed_engine *e, lane throttle, lane speed, lane load)
{
    const lane zero = lane_of(0);
    lane u = lane_max(zero, lane_min(lane_of(1), throttle)); /* a NaN propagates and sets a fault flag */
    lane most = lane_max(zero, e->stall_torque * (u - speed * e->inverse_no_load));
    lane wanted = load + e->inertia_per_tau * (e->nominal - speed);
    return lane_max(zero, lane_min(wanted, most));
}

#endif
