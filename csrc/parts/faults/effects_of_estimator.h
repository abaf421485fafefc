/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the estimator. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_ESTIMATOR_H
#define RF_PARTS_FAULTS_EFFECTS_OF_ESTIMATOR_H

#include "parts/faults/effect.h"

static void fault_free_estimator(const block *b, mask due)
{
    fault_set_word(due, FAULTS_WORD(b, estimator_faults), 0);
}

static void fault_of_estimator(const faulty *v, const fault *f, int item)
{
    (void)item;
    *FAULTY_WORD(v, estimator_faults, 0) |=
        f->kind == FAULT_ESTIMATOR_OFF ? FAULTY_ESTIMATOR_OFF : FAULTY_ESTIMATOR_FROZEN;
}

#endif
