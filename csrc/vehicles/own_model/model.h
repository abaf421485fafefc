/* SPDX-License-Identifier: BSD-3-Clause */
/* A model with the functions of pyrfly_model.h: its derivative for the vehicles of a lane, as outputs, sensors and payloads ask for
 * it, and what parts add to it.  vehicles/own_model/step.h has the step, over blocks of vehicles.
 *
 *     x' = f(x, u, p)                                                          the model's
 *     v' += F / m,   w' += J^-1 M                                              external loads F [N, NED], M [N m, FRD]
 *
 * and behind that the curvature of the earth (vehicles/body/over_earth.h) and changes of the mass
 * (vehicles/body/changed_mass.h), with the mass m and the inertia J of the columns. */

#include "base/own_model.h"
#include "models/rigid_body.h"
#include "parts/earth/held.h"
#include "parts/environment/held.h"
#include "parts/loads/held.h"
#include "parts/payload/held.h"

typedef struct TYPED(plant) {
    TYPED(param) p;
    TYPED(input) in; /* after faults, with gusts */
    lane density;    /* kg/m^3 */
    const block *b;
    /* where parts add to the derivative */
    sym3 inverse_inertia;
    mass_change load;
    earth_below below;
} TYPED(plant);

#include "vehicles/body/changed_mass.h"
#include "vehicles/body/over_earth.h"

LANE_INLINE void TYPED(extend)(TYPED(plant) * m, const block *b)
{
    m->density = (real)ATMOSPHERE_DENSITY * environment_density_ratio(b);
    m->b = b;
}

LANE_INLINE void TYPED(prepare)(TYPED(plant) * m, const TYPED(input) * in, int full)
{
    (void)full;
    m->in = *in;
}

/* Whether parts may add to the derivative of a block. */
LANE_INLINE int TYPED(disturbed)(const block *b)
{
    static const int adding[] = {RF_PART_loads,     RF_PART_parachute, RF_PART_payload, RF_PART_rebound,
                                 RF_PART_collision, RF_PART_faults,    RF_PART_earth};
    for (size_t i = 0; i < sizeof adding / sizeof *adding; i++) {
        if (part_enabled(b, adding[i])) return 1;
    }
    return 0;
}

/* Adds to the derivative of the model what parts do.  Not inlined: most vehicles have no such parts. */
static __attribute__((noinline)) void TYPED(disturb)(const TYPED(state) * s, const TYPED(plant) * undisturbed,
                                                     TYPED(state) * d)
{
    TYPED(plant) plant = *undisturbed, *const m = &plant;
    const loads external = loads_of(m->b);
    m->load = changed_mass_of(m->b, m->p.mass);
    m->below = earth_of(m->b);
    m->inverse_inertia = sym3_inverse(m->p.inertia);
    const rotation r = rotation_from_quat(s->att);
    d->vel = add(d->vel, scale(1 / m->p.mass, external.external_force));
    d->rate = add(d->rate, sym3_mul(m->inverse_inertia, external.external_torque));
    if (mask_any(m->below.curved)) {
        const vec3 moment =
            add(sym3_mul(m->p.inertia, d->rate), cross(s->rate, sym3_mul(m->p.inertia, s->rate)));
        TYPED(add_earth)(s, m, r, moment, d);
    }
    TYPED(change_mass)(s, m, r, d);
}

#include "vehicles/own_model/derive.h"

LANE_INLINE void TYPED(derivative)(const TYPED(state) * s, const TYPED(plant) * m, int full, TYPED(state) * d)
{
    (void)full;
    TYPED(derive_lane)(s, m, d);
    if (TYPED(disturbed)(m->b)) TYPED(disturb)(s, m, d);
}

LANE_INLINE void TYPED(normalize)(TYPED(state) * s, const TYPED(plant) * m, int full)
{
    (void)m, (void)full;
    s->att = quat_normalize(s->att);
}

LANE_INLINE mask TYPED(check_envelope)(const TYPED(state) * s)
{
    return body_check_envelope(body_of(s));
}

/* What the model shows is an output of its own, see TYPED(further). */
LANE_INLINE void TYPED(show)(const TYPED(state) * s, lane *displayed)
{
    (void)s;
    for (int i = 0; i < 8; i++) displayed[i] = lane_of(0);
}
