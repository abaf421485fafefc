/* SPDX-License-Identifier: BSD-3-Clause */
/* Lithium polymer battery with an ohmic resistance.
 *
 * Open-circuit voltage of a cell [V] at the used fraction d of its charge [@rfly-safe]:
 *
 *     d < 0.2        -14.029 d^3 + 16.975 d^2 - 5.3339 d + 4.2
 *     d < 0.7        -0.2 d + 3.74
 *     else           -48 d^3 + 89.6 d^2 - 55.08 d + 14.716
 *
 * It falls from 4.2 V to 1.236 V.  At d = 0.2 the pieces meet with 3.699988 and 3.7 V and with slopes of -0.2274 and
 * -0.2 V; at d = 0.7 with 3.6 V and -0.2 V.  Those 12 uV are the printed coefficients'.
 *
 * A load that takes the power P from the open-circuit voltage U through the resistance R has the current and voltage
 *
 *     U I - R I^2 = P:    I = 2 P / (U + sqrt(U^2 - 4 R P)),    V = U - R I
 *
 * and at most P = U^2 / (4 R), with V = U / 2.  An empty battery has no voltage.
 *
 * Under a greater load the battery gives that power, and the drives take what they take at U / 2: energy is created.
 * Leaves out: relaxation, temperature, ageing, charge that is lost at high currents. */
#ifndef RF_MODELS_BATTERY_H
#define RF_MODELS_BATTERY_H

#include "math/lane.h"

#define BATTERY_FULL_CELL ((real)4.2) /* V */

typedef struct battery_terminals {
    lane voltage, current; /* V, A */
} battery_terminals;

/* Open-circuit voltage of a cell [V] at the used fraction of its charge. */
LANE_INLINE lane battery_cell_voltage(lane used)
{
    lane full = (((real)-14.029 * used + (real)16.975) * used - (real)5.3339) * used + BATTERY_FULL_CELL;
    lane middle = (real)-0.2 * used + (real)3.74;
    lane low = (((real)-48 * used + (real)89.6) * used - (real)55.08) * used + (real)14.716;
    return lane_select(used < (real)0.2, full, lane_select(used < (real)0.7, middle, low));
}

/* Voltage and current under a load [W]; zeros without open-circuit voltage. */
LANE_INLINE battery_terminals battery_under_load(lane open, lane resistance, lane load)
{
    const lane zero = lane_of(0);
    mask live = open > 0;
    lane left = open * open - 4 * resistance * load;
    mask over = left < 0;
    lane root = lane_sqrt(lane_max(zero, left));
    lane current = lane_select(over, open, 2 * load) / lane_select(over, 2 * resistance, open + root);
    current = lane_select(live, current, zero);
    return (battery_terminals){lane_select(live, open - resistance * current, zero), current};
}

#endif
