/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the satellite receiver: its samples are those of the position k p + c and of its derivative, of the true
 * position p, with factor k and offset c.  A fault changes both, after those before it:
 *
 *     led away, a velocity u         c <- c + u int s dt
 *     a fixed place q                k <- (1 - s) k,    c <- (1 - s) c + s q
 *
 * with its share s, whose derivative is 1 / r in a ramp r.  So velocity and position agree, and an estimator follows. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_RECEIVER_H
#define RF_PARTS_FAULTS_EFFECTS_OF_RECEIVER_H

#include "parts/faults/effect.h"

enum { RECEIVER_UNLIMITED = 255 }; /* fix, satellites */

static void fault_free_receiver(const block *b, mask due)
{
    fault_set_rows(b, due, FAULTS_COLUMN(b, receiver_factor), 1, 1);
    fault_set_rows(b, due, FAULTS_COLUMN(b, receiver_factor_rate), 1, 0);
    fault_set_rows(b, due, FAULTS_COLUMN(b, receiver_pos), 3, 0);
    fault_set_rows(b, due, FAULTS_COLUMN(b, receiver_vel), 3, 0);
    fault_set_word(due, FAULTS_WORD(b, receiver_fix), RECEIVER_UNLIMITED);
    fault_set_word(due, FAULTS_WORD(b, receiver_satellites), RECEIVER_UNLIMITED);
}

LANE_INLINE void fault_limit_word(uint32_t *limit, real most)
{
    const uint32_t whole = most >= 0 && most < RECEIVER_UNLIMITED ? (uint32_t)most : RECEIVER_UNLIMITED;
    if (whole < *limit) *limit = whole;
}

LANE_INLINE void fault_leads_away(const faulty *v, const fault *f)
{
    for (int axis = 0; axis < 3; axis++) {
        *FAULTY_ROW(v, receiver_pos, axis) += f->grown * f->value[axis];
        *FAULTY_ROW(v, receiver_vel, axis) += f->share * f->value[axis];
    }
}

LANE_INLINE void fault_feigns_place(const faulty *v, const fault *f)
{
    real *factor = FAULTY_ROW(v, receiver_factor, 0), *rate = FAULTY_ROW(v, receiver_factor_rate, 0);
    const real left = 1 - f->share;
    for (int axis = 0; axis < 3; axis++) {
        real *pos = FAULTY_ROW(v, receiver_pos, axis), *vel = FAULTY_ROW(v, receiver_vel, axis);
        *vel = left * *vel + f->growth * (f->value[axis] - *pos);
        *pos = left * *pos + f->share * f->value[axis];
    }
    *rate = left * *rate - f->growth * *factor;
    *factor *= left;
}

static void fault_of_receiver(const faulty *v, const fault *f, int item)
{
    (void)item;
    switch (f->kind) {
    case FAULT_GPS_FIX:
        fault_limit_word(FAULTY_WORD(v, receiver_fix, 0), f->value[0]);
        break;
    case FAULT_GPS_SATELLITES:
        fault_limit_word(FAULTY_WORD(v, receiver_satellites, 0), f->value[0]);
        break;
    case FAULT_GPS_VELOCITY:
        for (int axis = 0; axis < 3; axis++) {
            *FAULTY_ROW(v, receiver_vel, axis) += f->share * f->value[axis];
        }
        break;
    case FAULT_GPS_SPOOF:
        fault_leads_away(v, f);
        break;
    case FAULT_GPS_PLACE:
        fault_feigns_place(v, f);
        break;
    default:
        break;
    }
}

#endif
