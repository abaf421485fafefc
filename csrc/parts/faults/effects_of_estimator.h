/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the estimator. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_ESTIMATOR_H
#define RF_PARTS_FAULTS_EFFECTS_OF_ESTIMATOR_H

#include "parts/faults/effect.h"

static void fault_free_estimator(const block *b, mask due)
{
    fault_set_word(due, FAULTS_WORD(b, estimator_faults), 0);
    fault_set_rows(b, due, FAULTS_COLUMN(b, estimate_bias), WIDTH_estimate_shift, 0);
}

/* Biases add up. */
static void fault_of_estimator(const faulty *v, const fault *f, int item)
{
    (void)item;
    switch (f->kind) {
    case FAULT_ESTIMATOR_OFF:
        *FAULTY_WORD(v, estimator_faults, 0) |= FAULTY_ESTIMATOR_OFF;
        break;
    case FAULT_ESTIMATOR_FREEZE:
        *FAULTY_WORD(v, estimator_faults, 0) |= FAULTY_ESTIMATOR_FROZEN;
        break;
    default:
        for (int axis = 0; axis < 3; axis++) {
            const int row = 3 * (int)(f->kind - FAULT_ESTIMATOR_POSITION) + axis;
            *FAULTY_ROW(v, estimate_bias, row) += f->share * f->value[axis];
        }
        break;
    }
}

#endif
