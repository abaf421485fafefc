/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the air. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_AIR_H
#define RF_PARTS_FAULTS_EFFECTS_OF_AIR_H

#include "parts/faults/effect.h"

LANE_INLINE void fault_free_air(const faulty *v)
{
    faults_set_row(v, FAULTY_ROW(v, fault_wind, 0), 3, 0);
}

#define WAVES ((real)1e6) /* maximum number of them: a number of waves beyond it has no fraction in float32 */

/* Wind that is constant, or of waves: at a share x of their period (4 x (1 - x))^2 of it. */
static void fault_of_air(const faulty *v, const fault *f, int item)
{
    (void)item;
    real grown = f->share;
    if (f->kind == FAULT_GUSTS) {
        const real waves = f->elapsed / f->value[3]; /* not finite without a period */
        const real x = waves < WAVES ? waves - (real)(uint32_t)waves : 0;
        grown *= 4 * x * (1 - x) * (4 * x * (1 - x));
    }
    for (int axis = 0; axis < 3; axis++) *FAULTY_ROW(v, fault_wind, axis) += grown * f->value[axis];
}

#endif
