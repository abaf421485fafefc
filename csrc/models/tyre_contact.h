/* SPDX-License-Identifier: BSD-3-Clause */
/* A tyre on the road, rolling or at rest.  With the velocity (v_x, v_y) of the wheel over the road along and across its
 * direction, the speed R w of its rolling, the load F_z and the camber g, the slips are
 *
 *     s_x = (R w - v_x) / |v_x|,      tan a = -v_y / |v_x|                     |v_x| at least TYRE_CRAWL
 *
 * and the formula (models/tyre.h) gives the forces of steady slip, here per load: z_s = F / F_z.  Those of the tyre, z, follow as
 * its carcass deflects [@pacejka-2012 7.2, single contact point], with the relaxation lengths L_x, L_y:
 *
 *     z' = l (z_s - z),      l = |v_x| |(s_x, tan a)| / |(L_x b_x s_x, L_y b_y tan a)|,      b = F / (stiffness slip)
 *     F  = F_z (z + min(1, T l) (z_s - z))                                     damping: l counts as 1 / T at most
 *
 * At small slips l is |v_x| / L; of a tyre that slides, it is the sliding speed over the deflection, which does not depend on
 * v_x.  A wheel at rest that does not slide keeps z: it is a spring of the stiffness (B C D) / L with the damping T times
 * that, so a vehicle stands on a slope without creeping as long as the friction holds it.  z never exceeds the friction.
 *
 * Offsets S_h + S_v / (B C D) and camber count as slip; those of a left tyre are mirrored, and that of rolling opposes the
 * motion.  The aligning moment is that of steady slip, and fades below TYRE_SLOW.  The overturning moment is -F_z F_y / K_y about
 * the direction of the wheel [@rfly-model-api 7.3.1], K_y its lateral stiffness.
 *
 * N, m/s, m, s, rad.  The load counts within the range of the coefficients; beyond, the friction coefficient is that of
 * the nearer end.  Leaves out: turn slip, the moment of a wheel that turns on the spot. */
#ifndef RF_MODELS_TYRE_CONTACT_H
#define RF_MODELS_TYRE_CONTACT_H

#include "models/tyre.h"

#define TYRE_CRAWL    ((real)1e-6)  /* m/s: slower, it stands */
#define TYRE_SLOW     ((real)0.5)   /* m/s */
#define TYRE_SMALLEST ((real)1e-12) /* square of a slip that counts as none */
#define TYRE_ICE      ((real)1e-3)  /* smallest friction of a road */
#define TYRE_MAX_LEAN ((real)0.26)  /* rad, of the formula: 15 deg */

typedef struct tyre {
    const lane *longitudinal, *lateral, *aligning; /* coefficients */
    lane per_c[3];                                 /* their 1 / C */
    const lane *load_range;                        /* N */
    const lane *relaxation;                        /* m: along, across */
    lane smallest_bend;                            /* m^2: square of a deflection that counts as none */
    lane damping, inverse_damping;                 /* s, 1/s: T */
    lane inverse_side_stiffness;                   /* m/N: 1 / K_y */
    lane friction, inverse_friction;               /* 1: m */
    mask aligns;                                   /* whether a tyre has an aligning moment */
} tyre;

typedef struct tyre_motion {
    lane load;                   /* N */
    lane forward, side, rolling; /* m/s: v_x, v_y, R w */
    lane camber;                 /* rad, to the right */
    lane mirror;                 /* 1, or -1 of a left tyre */
} tyre_motion;

typedef struct tyre_reaction {
    lane along, across;         /* N */
    lane aligning, overturning; /* N m: about the normal of the road, down, and the direction of the wheel */
    lane along_rate, across_rate; /* 1/s: z' */
} tyre_reaction;

/* What a tyre meets: its load and camber within those of the formula, and its pace. */
typedef struct tyre_case {
    lane load, lean; /* N, rad */
    lane pace;       /* m/s: |v_x| */
} tyre_case;

/* Camber and offsets as slip across: S_h + S_v / (B C D). */
LANE_INLINE lane tyre_offset(const tyre *t, const tyre_motion *at, const tyre_case *in, const tyre_curve *y)
{
    const lane camber = at->mirror * in->lean, stiffness = y->unit * y->peak;
    return at->mirror * (tyre_lateral_slip(t->lateral, in->load, camber) +
                         tyre_lateral_force(t->lateral, in->load, camber) / (stiffness * in->load));
}

/* The curves and slips of a tyre. */
LANE_INLINE tyre_case tyre_case_of(const tyre *t, const tyre_motion *at, tyre_curve *by, lane *slip)
{
    lane load = lane_max(t->load_range[0], lane_min(t->load_range[1], at->load));
    lane lean = lane_limit(at->camber, lane_of(TYRE_MAX_LEAN));
    tyre_case in = {load, lean, lane_max(lane_of(TYRE_CRAWL), lane_abs(at->forward))};
    by[0] = tyre_longitudinal(t->longitudinal, t->per_c[0], load);
    by[1] = tyre_lateral(t->lateral, t->per_c[1], load, lean);
    lane per_pace = 1 / in.pace, rolls = lane_limit(at->forward * (1 / TYRE_SLOW), lane_of(1));
    slip[0] = per_pace * (at->rolling - at->forward) + rolls * tyre_longitudinal_shift(t->longitudinal, load);
    slip[1] = tyre_offset(t, at, &in, by + 1) - per_pace * at->side;
    return in;
}

/* Sets the aligning moments of steady slip [N m] of those that have some, with the second of the curves `by` of each tyre. */
LANE_INLINE void tyres_align(const tyre *t, const tyre_motion *at, const tyre_case *in, const tyre_curve *by,
                             const tyre_grip *grip, tyre_reaction *to)
{
    const lane most = lane_of(TYRE_SLIP_LIMIT);
    tyre_curve z[TYRE_CURVES];
    lane shape[TYRE_CURVES], share[TYRES];
    for (int i = 0; i < TYRES; i++) {
        const lane camber = at[i].mirror * in[i].lean;
        z[i] = tyre_aligning(t->aligning, t->per_c[2], in[i].load, camber);
        tyre_shift off = tyre_aligning_shift(t->aligning, in[i].load, camber);
        lane angle = lane_min(most, grip[i].size / by[2 * i + 1].unit);
        shape[i] = at[i].mirror * lane_select(grip[i].side < 0, -angle, angle) + off.slip;
        share[i] = off.share;
        z[i + TYRES] = z[i]; /* of which there are half as many as of forces */
        shape[i + TYRES] = shape[i];
    }
    tyre_shapes_at(z, shape);
    for (int i = 0; i < TYRES; i++) {
        lane arm = at[i].mirror * (z[i].peak * shape[i] + share[i]);
        lane moving = lane_min(lane_of(1), lane_abs(at[i].forward) * (1 / TYRE_SLOW));
        lane moment = moving * t->friction * lane_abs(grip[i].side) * arm * at[i].load;
        to[i].aligning = lane_select(t->aligns, moment, to[i].aligning);
    }
}

/* Sets the reaction of a tyre, but its aligning moment, whose forces per load are z = (`along`, `across`), at steady ones. */
LANE_INLINE void tyre_follow(const tyre *t, const tyre_motion *at, lane pace, const lane *slip,
                             const tyre_grip *steady, lane along, lane across, tyre_reaction *to)
{
    const lane *length = t->relaxation;
    lane dx = length[0] * steady->along_bend * slip[0], dy = length[1] * steady->across_bend * slip[1];
    lane slip2 = slip[0] * slip[0] + slip[1] * slip[1] + TYRE_SMALLEST, way = t->damping * pace;
    lane bent2 = dx * dx + dy * dy + t->smallest_bend;
    lane share = lane_sqrt(lane_min(lane_of(1), way * way * slip2 / bent2));
    lane change_x = share * (steady->along - along), change_y = share * (steady->across - across);
    to->along = at->load * (along + change_x);
    to->across = at->load * (across + change_y);
    to->aligning = lane_of(0);
    to->overturning = -at->load * to->across * t->inverse_side_stiffness;
    to->along_rate = t->inverse_damping * change_x;
    to->across_rate = t->inverse_damping * change_y;
}

/* The reactions of TYRES tyres whose forces per load are z = (`along`, `across`). */
LANE_INLINE void tyres_react(const tyre *t, const tyre_motion *at, const lane *along, const lane *across,
                             tyre_reaction *to)
{
    tyre_case in[TYRES];
    tyre_curve by[TYRE_CURVES];
    tyre_grip steady[TYRES];
    lane slip[TYRE_CURVES];
    for (int i = 0; i < TYRES; i++) in[i] = tyre_case_of(t, at + i, by + 2 * i, slip + 2 * i);
    tyres_combined(by, slip, t->friction, t->inverse_friction, steady);
    for (int i = 0; i < TYRES; i++) {
        tyre_follow(t, at + i, in[i].pace, slip + 2 * i, steady + i, along[i], across[i], to + i);
    }
    if (mask_any(t->aligns)) tyres_align(t, at, in, by, steady, to);
}

#endif
