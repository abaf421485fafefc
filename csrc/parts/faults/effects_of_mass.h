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
static void fault_that_shifts(const faulty *v, real k, const real r[3])
{
    const real squares = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    *FAULTY_ROW(v, mass_shifted, 0) += k;
    for (int axis = 0; axis < 3; axis++) {
        *FAULTY_ROW(v, mass_shift, axis) += k * r[axis];
        *FAULTY_ROW(v, mass_spread, axis) += k * (squares - r[axis] * r[axis]);
    }
    *FAULTY_ROW(v, mass_spread, 3) -= k * r[0] * r[1];
    *FAULTY_ROW(v, mass_spread, 4) -= k * r[0] * r[2];
    *FAULTY_ROW(v, mass_spread, 5) -= k * r[1] * r[2];
}

/* Shares that are left multiply.  During a ramp the whole share moves, on a straight line. */
static void fault_of_mass(const faulty *v, const fault *f, int item)
{
    (void)item;
    real *left = FAULTY_ROW(v, mass_left, 0);
    const real leaked = f->grown * f->value[1];
    const real r[3] = {f->share * f->value[1], f->share * f->value[2], f->share * f->value[3]};
    switch (f->kind) {
    case FAULT_LOAD_FALL:
        *left *= 1 - f->share * f->value[0];
        break;
    case FAULT_LOAD_SHIFT:
        fault_that_shifts(v, f->value[0], r);
        break;
    case FAULT_LOAD_LEAK:
        *left *= 1 - (leaked < f->value[0] ? leaked : f->value[0]);
        break;
    default:
        break;
    }
}

/* After all of them: some mass is left, and no more of it was moved. */
LANE_INLINE void fault_settle_mass(const faulty *v)
{
    real *left = FAULTY_ROW(v, mass_left, 0), *shifted = FAULTY_ROW(v, mass_shifted, 0);
    if (!(*left > LEAST_MASS_LEFT)) *left = LEAST_MASS_LEFT;
    if (!(*shifted > *left)) return;
    const real share = *left / *shifted;
    *shifted = *left;
    for (int i = 0; i < 3; i++) *FAULTY_ROW(v, mass_shift, i) *= share;
    for (int i = 0; i < WIDTH_mass_moments; i++) *FAULTY_ROW(v, mass_spread, i) *= share;
}

#endif
