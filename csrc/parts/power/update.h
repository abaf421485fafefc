/* SPDX-License-Identifier: BSD-3-Clause */
/* The power stage: loads the batteries of a block of vehicles of any family.
 *
 * Voltage and current are those of the present load, and held until the next run; the charge falls by what that current
 * takes.  An update computes voltage and current from the charge after it. */
#ifndef RF_PARTS_POWER_UPDATE_H
#define RF_PARTS_POWER_UPDATE_H

#include "models/battery.h"
#include "parts/power/held.h"

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

/* Sets voltage and current under a load of the drives [W]. */
LANE_INLINE void power_load(power_supply *p, lane shaft_power)
{
    lane cell = battery_cell_voltage(1 - p->state_of_charge);
    lane open = p->battery_full_voltage * cell * (1 / BATTERY_FULL_CELL);
    open = lane_select(p->state_of_charge > 0, open, lane_of(0));
    lane load = p->avionics_power + shaft_power / p->drive_efficiency;
    battery_terminals t = battery_under_load(open, p->battery_resistance, load);
    p->battery_voltage = t.voltage;
    p->battery_current = t.current;
    p->voltage_ratio = t.voltage / p->battery_full_voltage;
}

/* Updates a block of vehicles with a shaft power of all drives [W]. */
LANE_INLINE void power_update(const block *b, lane shaft_power)
{
    enum { settings = offsetof(power_supply, battery_voltage) / sizeof(lane) };
    mask on = words_load(part_words(b, RF_PART_power)) != 0;
    power_supply before, p;
    rows_load((lane *)&before, ROWS_OF(power_supply), part_columns(b, RF_PART_power), b->stride);
    before.battery_current = lane_select(on, before.battery_current, lane_of(0));
    before.voltage_ratio = lane_select(on, before.voltage_ratio, lane_of(1));
    p = before;
    power_discharge(&p, lane_of(b->period));
    power_load(&p, shaft_power);
    rows_select((lane *)&p, on, (lane *)&p, (lane *)&before, ROWS_OF(power_supply));
    rows_store((lane *)&p + settings, ROWS_OF(power_supply) - settings, POWER_COLUMN(b, battery_voltage),
               b->stride);
}

#endif
