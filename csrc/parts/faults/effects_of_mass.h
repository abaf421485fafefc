/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the mass: how much is left, and where (models/mass_change.h). */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_MASS_H
#define RF_PARTS_FAULTS_EFFECTS_OF_MASS_H

#include "parts/faults/effect.h"

#define LEAST_MASS_LEFT ((real)0.05)

static void fault_free_mass(const block *b, mask due)
{
    fault_set_rows(b, due, FAULTS_COLUMN(b, mass_left), 1, 1);
    fault_set_rows(b, due, FAULTS_COLUMN(b, mass_shifted), 1, 0);
    fault_set_rows(b, due, FAULTS_COLUMN(b, mass_shift), 3, 0);
    fault_set_rows(b, due, FAULTS_COLUMN(b, mass_spread), WIDTH_mass_moments, 0);
}

/* A share k of the mass is at r, as a point. */
static void fault_that_shifts(const block *b, mask where, lane k, vec3 r)
{
    const lane at[3] = {r.x, r.y, r.z}, squares = norm2(r);
    fault_add(FAULTS_COLUMN(b, mass_shifted), where, k);
    for (int axis = 0; axis < 3; axis++) {
        fault_add(FAULTS_ROW(b, mass_shift, axis), where, k * at[axis]);
        fault_add(FAULTS_ROW(b, mass_spread, axis), where, k * (squares - at[axis] * at[axis]));
    }
    fault_add(FAULTS_ROW(b, mass_spread, 3), where, -(k * r.x * r.y));
    fault_add(FAULTS_ROW(b, mass_spread, 4), where, -(k * r.x * r.z));
    fault_add(FAULTS_ROW(b, mass_spread, 5), where, -(k * r.y * r.z));
}

/* Shares that are left multiply.  During a ramp the whole share moves, on a straight line. */
static void fault_of_mass(const block *b, const fault *f, mask where, int item)
{
    (void)item;
    real *left = FAULTS_COLUMN(b, mass_left);
    switch (f->kind) {
    case FAULT_LOAD_FALL:
        fault_multiply(left, where, 1 - f->share * f->value[0]);
        break;
    case FAULT_LOAD_SHIFT:
        fault_that_shifts(b, where, f->value[0],
                          scale(f->share, vec3_of(f->value[1], f->value[2], f->value[3])));
        break;
    case FAULT_LOAD_LEAK:
        fault_multiply(left, where, 1 - lane_min(f->grown * f->value[1], f->value[0]));
        break;
    default:
        break;
    }
}

/* After all of them: some mass is left, and no more of it was moved. */
static void fault_settle_mass(const block *b, mask where)
{
    const lane shifted = lane_load(FAULTS_COLUMN(b, mass_shifted)),
               before = lane_load(FAULTS_COLUMN(b, mass_left));
    const lane left = lane_max(before, lane_of(LEAST_MASS_LEFT));
    const mask over = where & (shifted > left);
    fault_set(FAULTS_COLUMN(b, mass_left), where, left);
    if (!mask_any(over)) return;
    const lane share = left / shifted;
    fault_set(FAULTS_COLUMN(b, mass_shifted), over, left);
    for (int i = 0; i < 3; i++) fault_multiply(FAULTS_ROW(b, mass_shift, i), over, share);
    for (int i = 0; i < WIDTH_mass_moments; i++) fault_multiply(FAULTS_ROW(b, mass_spread, i), over, share);
}

#endif
