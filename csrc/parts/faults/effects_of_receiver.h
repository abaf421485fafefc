/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the satellite receiver: its samples are those of the position k p + c and of its derivative, of the true
 * position p, with factor k and offset c.  Faults with a share s, whose derivative is 1 / r in a ramp r, have
 *
 *     fixed places q_i        k = prod (1 - s_i),    c = (1 - k) sum s_i q_i / sum s_i
 *     led away, velocities u  c <- c + sum u int s dt
 *
 * So velocity and position agree, and an estimator follows. */
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

/* Fixed places, with what leads away from them. */
static void fault_settle_places(const faulty *v, const fault *all, uint32_t acting)
{
    real left = 1, left_rate = 0, sum = 0, growth = 0, place[3] = {0, 0, 0}, moving[3] = {0, 0, 0};
    for (; acting != 0; acting &= acting - 1) {
        const fault *f = &all[__builtin_ctz(acting)];
        if (f->kind != FAULT_GPS_PLACE) continue;
        left_rate = (1 - f->share) * left_rate - f->growth * left;
        left *= 1 - f->share;
        sum += f->share;
        growth += f->growth;
        for (int axis = 0; axis < 3; axis++) {
            place[axis] += f->share * f->value[axis];
            moving[axis] += f->growth * f->value[axis];
        }
    }
    if (!(sum > 0)) return;
    *FAULTY_ROW(v, receiver_factor, 0) = left;
    *FAULTY_ROW(v, receiver_factor_rate, 0) = left_rate;
    for (int axis = 0; axis < 3; axis++) {
        const real mean = place[axis] / sum, mean_rate = (moving[axis] - growth * mean) / sum;
        *FAULTY_ROW(v, receiver_pos, axis) += (1 - left) * mean;
        *FAULTY_ROW(v, receiver_vel, axis) += (1 - left) * mean_rate - left_rate * mean;
    }
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
    default:
        break;
    }
}

#endif
