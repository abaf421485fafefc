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

LANE_INLINE void fault_limit_word(uint32_t *limit, mask where, lane most)
{
    const mask limits = (most >= 0) & (most < (real)RECEIVER_UNLIMITED);
    const mask whole = words_of_lane(lane_select(limits, most, lane_of(RECEIVER_UNLIMITED)));
    words_store_where(where & (whole < words_load(limit)), limit, whole);
}

LANE_INLINE void fault_leads_away(const block *b, const fault *f, mask where)
{
    fault_add_vec3(b, FAULTS_COLUMN(b, receiver_pos), f, where, f->grown);
    fault_add_vec3(b, FAULTS_COLUMN(b, receiver_vel), f, where, f->share);
}

/* Fixed places: sums of them and of their shares, with derivatives; what they leave of the true position. */
typedef struct fault_places {
    lane left, left_rate, sum, growth;
    vec3 place, moving;
} fault_places;

static void fault_feigns_place(fault_places *p, const fault *f, mask where)
{
    const lane share = lane_select(where, f->share, lane_of(0)),
               growth = lane_select(where, f->growth, lane_of(0));
    const vec3 place = vec3_of(f->value[0], f->value[1], f->value[2]);
    p->left_rate = (1 - share) * p->left_rate - growth * p->left;
    p->left *= 1 - share;
    p->sum += share;
    p->growth += growth;
    p->place = add(p->place, scale(share, place));
    p->moving = add(p->moving, scale(growth, place));
}

/* Fixed places, with what leads away from them. */
static void fault_settle_places(const block *b, const fault_places *p)
{
    const mask where = p->sum > 0;
    if (!mask_any(where)) return;
    const lane per_sum = 1 / lane_select(where, p->sum, lane_of(1));
    const vec3 mean = scale(per_sum, p->place),
               mean_rate = scale(per_sum, sub(p->moving, scale(p->growth, mean)));
    const vec3 pos = scale(1 - p->left, mean),
               vel = sub(scale(1 - p->left, mean_rate), scale(p->left_rate, mean));
    fault_set(FAULTS_COLUMN(b, receiver_factor), where, p->left);
    fault_set(FAULTS_COLUMN(b, receiver_factor_rate), where, p->left_rate);
    for (int axis = 0; axis < 3; axis++) {
        fault_add(FAULTS_ROW(b, receiver_pos, axis), where, ((const lane *)&pos)[axis]);
        fault_add(FAULTS_ROW(b, receiver_vel, axis), where, ((const lane *)&vel)[axis]);
    }
}

static void fault_of_receiver(const block *b, const fault *f, mask where, int item)
{
    (void)item;
    switch (f->kind) {
    case FAULT_GPS_FIX:
        fault_limit_word(FAULTS_WORD(b, receiver_fix), where, f->value[0]);
        break;
    case FAULT_GPS_SATELLITES:
        fault_limit_word(FAULTS_WORD(b, receiver_satellites), where, f->value[0]);
        break;
    case FAULT_GPS_VELOCITY:
        fault_add_vec3(b, FAULTS_COLUMN(b, receiver_vel), f, where, f->share);
        break;
    case FAULT_GPS_SPOOF:
        fault_leads_away(b, f, where);
        break;
    default:
        break;
    }
}

#endif
