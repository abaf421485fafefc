/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "parts/parachute/update.h"
#include "parts/payload/held.h"

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

/* P x = r x (x x r), with the moment of inertia P of a point of 1 kg at r. */
LANE_INLINE vec3 around(vec3 r, vec3 x)
{
    return cross(r, cross(x, r));
}

/* The solution x of (J + k P) x = b, by the formula of Sherman and Morrison for J + k r^2 E - k r r^T, with the unit matrix
 * E.  Where rounding leaves nothing of J, the component of x along r, of which P x has none, is wrong and bounded. */
LANE_INLINE vec3 solve_with_point(sym3 inertia, lane k, vec3 r, vec3 b)
{
    const lane point = k * norm2(r);
    inertia.xx += point;
    inertia.yy += point;
    inertia.zz += point;
    const sym3 inverse = sym3_inverse(inertia);
    const vec3 along = sym3_mul(inverse, r);
    const lane left = lane_max(1 - k * dot(r, along), lane_of((real)1e-6));
    return add(sym3_mul(inverse, b), scale(k * dot(along, b) / left, along));
}

/* The moment that turns the body back per angle of its swing, over that of inertia of a point of 1 kg at r and times a
 * quarter of the period squared [kg], for the pull -d free; 0 where the body is above its attachment, and falls over. */
LANE_INLINE lane swing_stiffness(vec3 r, lane d, vec3 free, real period)
{
    const lane along = lane_max(-d * dot(free, r), lane_of(0));
    return (real)0.25 * period * period * along / lane_max(norm2(r), lane_of((real)1e-12));
}

/* The angular velocity at the end of a period. */
LANE_INLINE vec3 swing_rate(const parachute_truth *t, vec3 r, lane d, vec3 free, lane stiffness, real period)
{
    const vec3 begin = sub(sym3_mul(t->inertia, t->rate), scale(stiffness, around(r, t->rate)));
    return solve_with_point(t->inertia, d * period + stiffness, r,
                            sub(begin, scale(d * period, cross(r, free))));
}

/* The truth with the mass as faults and payloads have changed it. */
LANE_INLINE parachute_truth with_changed_mass(parachute_truth t, const mass_change *by)
{
    if (!by->any) return t;
    t.inertia = mass_change_inertia(by, t.mass, t.inertia);
    t.mass *= by->left;
    t.centre = by->centre;
    return t;
}

LANE_INLINE void parachute_pull(parachute *p, const parachute_truth *t, real period)
{
    const rotation to = rotation_from_quat(t->att);
    const vec3 r = sub(p->parachute_attachment, t->centre);
    const vec3 velocity = add(to_body(to, t->air_velocity), cross(t->rate, t->centre));
    const lane speed = lane_sqrt(norm2(add(velocity, cross(t->rate, r))));
    parachute_open(p, speed, period);
    const lane area = p->parachute_drag * p->parachute_area * p->parachute_opening;
    const lane damping = (real)0.5 * t->density * area * speed;
    const lane d = damping / (1 + damping * period / t->mass);
    const vec3 free = add(velocity, scale(t->gravity * period, to.down));
    const lane stiffness = swing_stiffness(r, d, free, period);
    const vec3 rate = swing_rate(t, r, d, free, stiffness, period);
    const vec3 pull = scale(-d, add(free, cross(rate, r)));
    const vec3 back = scale(stiffness / period, around(r, add(t->rate, rate)));
    p->parachute_force = to_ned(to, pull);
    p->parachute_torque = sub(cross(p->parachute_attachment, pull), back);
}

void RF_SET_NAME(rf_parachute_update)(const block *b, const parachute_truth *truth)
{
    const mask released = words_load(PARACHUTE_WORD(b, parachute_released)) != 0;
    if (!mask_any(released)) return;
    parachute p = parachute_load(b);
    const mass_change change = changed_mass_of(b, truth->mass);
    const parachute_truth own = with_changed_mass(*truth, &change);
    parachute_pull(&p, &own, b->period);
    rows_store_where(released, (const lane *)&p, ROWS_OF(parachute), part_columns(b, RF_PART_parachute),
                     b->stride);
    words_store_where(released, block_flag(b, RF_FLAG_ARMED), words_of(mask_true(), 0));
}
SET_END
