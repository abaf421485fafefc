/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the supply of the drives. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_SUPPLY_H
#define RF_PARTS_FAULTS_EFFECTS_OF_SUPPLY_H

#include "parts/faults/effect.h"

#define LONGEST_TIME_LEFT ((real)1e9) /* s */

static void fault_free_supply(const block *b, mask due)
{
    fault_set_rows(b, due, FAULTS_COLUMN(b, voltage_left), 1, 1);
    fault_set_rows(b, due, FAULTS_COLUMN(b, charge_maximum), 1, 1);
    fault_set_rows(b, due, FAULTS_COLUMN(b, charge_told_maximum), 1, 1);
    fault_set_rows(b, due, FAULTS_COLUMN(b, time_left_maximum), 1, LONGEST_TIME_LEFT);
    fault_set_rows(b, due, FAULTS_COLUMN(b, time_left_share), 1, 0);
}

/* Voltages multiply; of several charges the least holds, and of several times, of which its share acts on the charge. */
static void fault_of_supply(const block *b, const fault *f, mask where, int item)
{
    (void)item;
    real *voltage = FAULTS_COLUMN(b, voltage_left), *time = FAULTS_COLUMN(b, time_left_maximum);
    real *share = FAULTS_COLUMN(b, time_left_share);
    const lane left = fault_factor(f, f->value[0]);
    switch (f->kind) {
    case FAULT_POWER_OFF:
        fault_multiply(voltage, where, 1 - f->share);
        break;
    case FAULT_LOW_VOLTAGE:
        fault_multiply(voltage, where, left);
        break;
    case FAULT_LOW_CAPACITY:
        fault_limit(FAULTS_COLUMN(b, charge_maximum), where, left);
        break;
    case FAULT_BATTERY_GAUGE:
        fault_limit(FAULTS_COLUMN(b, charge_told_maximum), where, left);
        break;
    case FAULT_HOVER_TIME:
        fault_set(share, where & (f->value[0] < lane_load(time)), lane_of(0));
        where = where & (f->value[0] <= lane_load(time)) & (f->share > lane_load(share));
        fault_limit(time, where, f->value[0]);
        fault_set(share, where, f->share);
        break;
    default:
        break;
    }
}

#endif
