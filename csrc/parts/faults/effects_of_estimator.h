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
static void fault_of_estimator(const block *b, const fault *f, mask where, int item)
{
    (void)item;
    uint32_t *wrong = FAULTS_WORD(b, estimator_faults);
    switch (f->kind) {
    case FAULT_ESTIMATOR_OFF:
        fault_mark(wrong, where, FAULTY_ESTIMATOR_OFF);
        break;
    case FAULT_ESTIMATOR_FREEZE:
        fault_mark(wrong, where, FAULTY_ESTIMATOR_FROZEN);
        break;
    default:
        fault_add_vec3(b, FAULTS_ROW(b, estimate_bias, 3 * (f->kind - FAULT_ESTIMATOR_POSITION)), f, where,
                       f->share);
        break;
    }
}

#endif
