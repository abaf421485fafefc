/* SPDX-License-Identifier: BSD-3-Clause */
/* A model in a library: it steps itself (vehicles/rflysim_model/step.h).  What is here is the derivative of the motion as
 * it tells it, for outputs and for what measures it:
 *
 *     pos' = vel, vel' = R accel, att' by rate, rate' = 0: models do not tell an angular acceleration */

typedef struct TYPED(plant) {
    TYPED(param) p;
} TYPED(plant);

LANE_INLINE void TYPED(prepare)(TYPED(plant) * m, const TYPED(input) * in, int full)
{
    (void)m, (void)in, (void)full;
}

LANE_INLINE void TYPED(derivative)(const TYPED(state) * s, const TYPED(plant) * m, int full, TYPED(state) * d)
{
    (void)m, (void)full;
    for (int row = 0; row < ROWS_OF(TYPED(state)); row++) ((lane *)d)[row] = lane_of(0);
    d->pos = s->vel;
    d->vel = to_ned(rotation_from_quat(s->att), s->model_accel);
    d->att = quat_derivative(s->att, s->rate);
    d->model_time = lane_of(1);
}

LANE_INLINE void TYPED(normalize)(TYPED(state) * s, const TYPED(plant) * m, int full)
{
    (void)s, (void)m, (void)full;
}

LANE_INLINE mask TYPED(check_envelope)(const TYPED(state) * s)
{
    return body_check_envelope(body_of(s));
}

/* Contacts do not turn it. */
LANE_INLINE sym3 TYPED(inertia)(const TYPED(plant) * m)
{
    (void)m;
    sym3 none;
    for (int i = 0; i < WIDTH_sym3; i++) ((lane *)&none)[i] = lane_of(0);
    return none;
}

LANE_INLINE mass_change TYPED(carried)(const block *b, lane mass)
{
    return changed_mass_of(b, mass);
}

LANE_INLINE void TYPED(show)(const TYPED(state) * s, lane *displayed)
{
    rows_copy(displayed, s->model_display, 8);
}
