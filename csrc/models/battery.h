/* SPDX-License-Identifier: BSD-3-Clause */
/* Battery: open-circuit voltage over charge, an ohmic resistance and one RC pair [@chen-battery fig. 2].
 *
 * At the charge s (1 full, 0 empty) a battery has the open-circuit voltage U_0 v(s), with v(1) = 1, and its resistances are
 * g(s) times those of the full battery, with g(1) = 1.  v and g are tables over BATTERY_CHARGES, linear in between.
 * With the ohmic resistance R_0, the polarization resistance R_1 and time constant tau, the current I and the
 * polarization U_1:
 *
 *     V = U_0 v(s) - U_1 - g(s) R_0 I,    tau U_1' = g(s) R_1 I - U_1,    C s' = -I
 *
 * U_1 is integrated exactly over a constant current, U_1+ = U_1 e + g R_1 I (1 - e) with e = exp(-T / tau), and is at
 * most half the open-circuit voltage.
 *
 * A load that takes the power P from the voltage U = U_0 v - U_1 through the resistance R = g R_0 has the current and
 * voltage
 *
 *     U I - R I^2 = P:    I = 2 P / (U + sqrt(U^2 - 4 R P)),    V = U - R I
 *
 * and at most P = U^2 / (4 R), with V = U / 2.  An empty battery has no voltage.
 *
 * RflySim's law instead of v, for a cell [V] at the used fraction d of its charge [@rfly-safe]:
 *
 *     d < 0.2        -14.029 d^3 + 16.975 d^2 - 5.3339 d + 4.2
 *     d < 0.7        -0.2 d + 3.74
 *     else           -48 d^3 + 89.6 d^2 - 55.08 d + 14.716
 *
 * It falls from 4.2 V to 1.236 V.  At d = 0.2 the pieces meet with 3.699988 and 3.7 V and with slopes of -0.2274 and
 * -0.2 V; at d = 0.7 with 3.6 V and -0.2 V.  Those 12 uV are the printed coefficients'.
 *
 * Under a greater load the battery gives that power, and the drives take what they take at U / 2: energy is created.
 * Leaves out: slower relaxation (minutes), hysteresis, temperature, ageing, self-discharge, charge that is lost at high
 * currents. */
#ifndef RF_MODELS_BATTERY_H
#define RF_MODELS_BATTERY_H

#include "math/exponential.h"
#include "math/lane.h"

#define BATTERY_CHARGES 16

/* Charges of the tables: closer where a cell's voltage falls steeply. */
static const real battery_charges[BATTERY_CHARGES] = {
    0,         (real)0.01, (real)0.02, (real)0.05, (real)0.075, (real)0.1, (real)0.15, (real)0.2,
    (real)0.3, (real)0.4,  (real)0.5,  (real)0.6,  (real)0.7,   (real)0.8, (real)0.9,  1};

typedef struct battery_terminals {
    lane voltage, current; /* V, A */
} battery_terminals;

/* Value of a table at a charge. */
LANE_INLINE lane battery_at(const lane *table, lane charge)
{
    lane value = table[BATTERY_CHARGES - 1];
    for (int i = BATTERY_CHARGES - 2; i >= 0; i--) {
        const real high = battery_charges[i + 1], inverse = 1 / (high - battery_charges[i]);
        lane below = (high - charge) * inverse;
        value = lane_select(charge < high, table[i + 1] - below * (table[i + 1] - table[i]), value);
    }
    return value;
}

/* Open-circuit voltage of RflySim's cell over that of a full one, at the used fraction of its charge. */
LANE_INLINE lane battery_rflysim(lane used)
{
    const real full_cell = (real)4.2; /* V */
    lane full = (((real)-14.029 * used + (real)16.975) * used - (real)5.3339) * used + full_cell;
    lane middle = (real)-0.2 * used + (real)3.74;
    lane low = (((real)-48 * used + (real)89.6) * used - (real)55.08) * used + (real)14.716;
    lane cell = lane_select(used < (real)0.2, full, lane_select(used < (real)0.7, middle, low));
    return cell * (1 / full_cell);
}

/* Polarization [V] after a period of a constant current: `settled` is where it tends to [V]. */
LANE_INLINE lane battery_polarize(lane polarization, lane settled, lane period, lane time_constant)
{
    lane left = lane_exp(-period / time_constant);
    return settled + (polarization - settled) * left;
}

/* Voltage and current under a load [W] through a resistance [ohm]; zeros without voltage. */
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
