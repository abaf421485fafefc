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
static void fault_of_supply(const faulty *v, const fault *f, int item)
{
    (void)item;
    real *voltage = FAULTY_ROW(v, voltage_left, 0), *charge = FAULTY_ROW(v, charge_maximum, 0);
    real *time = FAULTY_ROW(v, time_left_maximum, 0), *told = FAULTY_ROW(v, charge_told_maximum, 0);
    real *share = FAULTY_ROW(v, time_left_share, 0);
    const real left = fault_factor(f, f->value[0]);
    switch (f->kind) {
    case FAULT_POWER_OFF:
        *voltage *= 1 - f->share;
        break;
    case FAULT_LOW_VOLTAGE:
        *voltage *= left;
        break;
    case FAULT_LOW_CAPACITY:
        if (left < *charge) *charge = left;
        break;
    case FAULT_BATTERY_GAUGE:
        if (left < *told) *told = left;
        break;
    case FAULT_HOVER_TIME:
        if (f->value[0] < *time) *share = 0;
        if (f->value[0] <= *time && f->share > *share) *share = f->share;
        if (f->value[0] < *time) *time = f->value[0];
        break;
    default:
        break;
    }
}

#endif
