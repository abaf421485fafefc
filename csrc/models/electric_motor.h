/* SPDX-License-Identifier: BSD-3-Clause */
/* A direct-current motor without inductance [@beard-mclain], [@mavsim]:
 *
 *     Q = k (i - i_0 s),   i = (U - k w) / R, below 0 a share b of it,   s = w / OFFSET limited to -1..1
 *
 * with the torque constant k = 60 / (2 pi KV) [N m/A], which is that of the back electromotive force [V s/rad], the
 * voltage U at the motor, the resistance R [ohm] and the current i_0 [A] without load, which is friction: it does not
 * turn a motor that stands.  A current below 0 brakes: a controller that lets the motor turn freely has b = 0, one that
 * shorts its windings, or feeds the battery, b = 1, as the source.
 * Leaves out: inductance, the voltage of the source under load (parts/power), heat. */
#ifndef RF_MODELS_ELECTRIC_MOTOR_H
#define RF_MODELS_ELECTRIC_MOTOR_H

#include "math/lane.h"

#define ELECTRIC_MOTOR_OFFSET ((real)10) /* rad/s: friction grows up to this speed */

typedef struct electric_motor {
    lane constant;        /* N m/A: k */
    lane conductance;     /* 1/ohm: 1 / R */
    lane no_load_current; /* A: i_0 */
    lane brake;           /* b */
} electric_motor;

/* Q [N m]. */
LANE_INLINE lane electric_motor_torque(const electric_motor *m, lane voltage, lane speed)
{
    lane slow = lane_limit(speed * (1 / ELECTRIC_MOTOR_OFFSET), lane_of(1));
    lane current = (voltage - m->constant * speed) * m->conductance;
    current = lane_max(current, m->brake * current);
    return m->constant * (current - m->no_load_current * slow);
}

#endif
