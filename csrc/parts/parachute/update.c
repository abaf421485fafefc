/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "parts/parachute/update.h"

#define FOUR_OVER_PI ((real)1.2732395447351627)

/* What the canopy has filled after another period with its lines stretched, at a speed through the air. */
LANE_INLINE void parachute_open(parachute *p, lane speed, real period)
{
    const lane way = p->parachute_fill * lane_sqrt(FOUR_OVER_PI * p->parachute_area);
    const mask stretched = p->parachute_time >= p->parachute_delay;
    const lane more = lane_select(way > 0, speed * period / way, lane_of(1));
    p->parachute_filled += lane_select(stretched, more, lane_of(0));
    p->parachute_filled = lane_clamp(p->parachute_filled, lane_of(0), lane_of(1));
    const lane x3 = p->parachute_filled * p->parachute_filled * p->parachute_filled;
    p->parachute_opening = x3 * x3;
    p->parachute_time += period;
}

LANE_INLINE void parachute_pull(parachute *p, const parachute_truth *t, real period)
{
    const rotation r = rotation_from_quat(t->att);
    const vec3 velocity = add(t->air_velocity, to_ned(r, cross(t->rate, p->parachute_attachment)));
    const lane speed = lane_sqrt(norm2(velocity));
    parachute_open(p, speed, period);
    const lane area = p->parachute_drag * p->parachute_area * p->parachute_opening;
    const lane damping = lane_min((real)0.5 * t->density * area * speed, t->mass / period);
    p->parachute_force = scale(-damping, velocity);
    p->parachute_torque = cross(p->parachute_attachment, to_body(r, p->parachute_force));
}

void RF_SET_NAME(rf_parachute_update)(const block *b, const parachute_truth *truth)
{
    const mask released = words_load(PARACHUTE_WORD(b, parachute_released)) != 0;
    if (!mask_any(released)) return;
    parachute p = parachute_load(b);
    parachute_pull(&p, truth, b->period);
    rows_store_where(released, (const lane *)&p, ROWS_OF(parachute), part_columns(b, RF_PART_parachute),
                     b->stride);
    words_store_where(released, block_flag(b, RF_FLAG_ARMED), words_of(mask_true(), 0));
}
SET_END
