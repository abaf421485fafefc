/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "models/battery.h"
#include "parts/power/update.h"

_Static_assert(WIDTH_per_charge == BATTERY_CHARGES, "per_charge: expected a value per charge of the tables");

/* Open-circuit voltage at the present charge [V], of which faults leave the share `left`. */
LANE_INLINE lane power_open_voltage(const power_supply *p, mask rflysim, lane left)
{
    lane charge = p->state_of_charge;
    lane ratio = lane_select(rflysim, battery_rflysim(1 - charge), battery_at(p->battery_curve, charge));
    return lane_select(charge > 0, left * (p->battery_full_voltage * ratio), lane_of(0));
}

/* Takes the charge of the last period from the battery, with compensated summation: the steps are small. */
LANE_INLINE void power_discharge(power_supply *p, lane period)
{
    lane taken = p->battery_current * period / p->battery_capacity;
    lane change = -taken - p->charge_remainder, sum = p->state_of_charge + change;
    mask empty = mask_not(sum > 0);
    p->charge_remainder = lane_select(empty, lane_of(0), (sum - p->state_of_charge) - change);
    p->state_of_charge = lane_select(empty, lane_of(0), sum);
    p->battery_energy += p->battery_voltage * p->battery_current * period;
}

/* Leaves at most a charge. */
LANE_INLINE void power_limit_charge(power_supply *p, lane most)
{
    mask lost = p->state_of_charge > most;
    p->charge_remainder = lane_select(lost, lane_of(0), p->charge_remainder);
    p->state_of_charge = lane_select(lost, most, p->state_of_charge);
}

/* Sets voltage and current under a load of the drives [W], after a period of the last current. */
LANE_INLINE void power_load(power_supply *p, mask rflysim, lane period, lane shaft_power, lane voltage_left)
{
    lane growth = battery_at(p->resistance_curve, p->state_of_charge);
    lane open = power_open_voltage(p, rflysim, voltage_left);
    lane settled = growth * p->polarization_resistance * p->battery_current;
    lane polarization = battery_polarize(p->battery_polarization, settled, period, p->polarization_time);
    p->battery_polarization = lane_min(polarization, (real)0.5 * open);
    lane load = p->avionics_power + shaft_power / p->drive_efficiency;
    battery_terminals t =
        battery_under_load(open - p->battery_polarization, growth * p->battery_resistance, load);
    p->battery_voltage = t.voltage;
    p->battery_current = t.current;
    p->voltage_ratio = t.voltage / p->battery_full_voltage;
}

void RF_SET_NAME(rf_power_update)(const block *b, lane shaft_power)
{
    enum { settings = offsetof(power_supply, battery_voltage) / sizeof(lane) };
    mask on = words_load(POWER_WORD(b, battery_on)) != 0;
    mask rflysim = words_load(POWER_WORD(b, battery_rflysim)) != 0;
    power_supply before, p;
    rows_load((lane *)&before, ROWS_OF(power_supply), part_columns(b, RF_PART_power), b->stride);
    before.battery_current = lane_select(on, before.battery_current, lane_of(0));
    before.voltage_ratio = lane_select(on, before.voltage_ratio, lane_of(1));
    p = before;
    power_discharge(&p, lane_of(b->period));
    power_limit_charge(&p, faults_charge_maximum(b, p.nominal_current / p.battery_capacity));
    power_load(&p, rflysim, lane_of(b->period), shaft_power, faults_voltage_left(b));
    rows_select((lane *)&p, on, (lane *)&p, (lane *)&before, ROWS_OF(power_supply));
    rows_store((lane *)&p + settings, ROWS_OF(power_supply) - settings, POWER_COLUMN(b, battery_voltage),
               b->stride);
}
SET_END
