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
    lane damping, inverse_damping;                 /* s, 1/s: T */
    lane inverse_side_stiffness;                   /* m/N: 1 / K_y */
    lane friction, inverse_friction;               /* 1: m */
    int aligns;                                    /* whether a tyre has an aligning moment */
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

/* Camber and offsets as slip across. */
LANE_INLINE lane tyre_offset(const tyre *t, const tyre_motion *at, lane load, lane lean, const tyre_curve *y)
{
    tyre_shift off = tyre_lateral_shift(t->lateral, load, at->mirror * lean);
    return at->mirror * (off.slip + off.share / (y->unit * y->peak));
}

/* Aligning moment of steady slip [N m]. */
LANE_INLINE lane tyre_aligns(const tyre *t, const tyre_motion *at, lane load, lane lean, const tyre_grip *by,
                             const tyre_curve *y)
{
    if (!t->aligns) return lane_of(0);
    const lane camber = at->mirror * lean, most = lane_of(TYRE_SLIP_LIMIT);
    tyre_curve z = tyre_aligning(t->aligning, t->per_c[2], load, camber);
    tyre_shift off = tyre_aligning_shift(t->aligning, load, camber);
    lane angle = lane_min(most, by->size / y->unit);
    angle = at->mirror * lane_select(by->side < 0, -angle, angle);
    lane arm = at->mirror * (z.peak * tyre_shape_at(&z, angle + off.slip) + off.share);
    lane moving = lane_min(lane_of(1), lane_abs(at->forward) * (1 / TYRE_SLOW));
    return moving * t->friction * lane_abs(by->side) * arm * at->load;
}

/* The reaction of a tyre whose forces per load are z = (`along`, `across`). */
LANE_INLINE tyre_reaction tyre_react(const tyre *t, const tyre_motion *at, lane along, lane across)
{
    lane load = lane_max(t->load_range[0], lane_min(t->load_range[1], at->load));
    lane lean = lane_limit(at->camber, lane_of(TYRE_MAX_LEAN));
    tyre_curve x = tyre_longitudinal(t->longitudinal, t->per_c[0], load),
               y = tyre_lateral(t->lateral, t->per_c[1], load, lean);
    lane pace = lane_max(lane_of(TYRE_CRAWL), lane_abs(at->forward)), per_pace = 1 / pace;
    lane rolls = lane_limit(at->forward * (1 / TYRE_SLOW), lane_of(1));
    lane sx = per_pace * (at->rolling - at->forward) + rolls * tyre_longitudinal_shift(t->longitudinal, load),
         sy = tyre_offset(t, at, load, lean, &y) - per_pace * at->side;
    tyre_grip steady = tyre_combined(&x, &y, sx, sy, t->friction, t->inverse_friction);

    const lane *length = t->relaxation;
    lane dx = length[0] * steady.along_bend * sx, dy = length[1] * steady.across_bend * sy;
    lane slip2 = sx * sx + sy * sy + TYRE_SMALLEST, way = t->damping * pace;
    lane bent2 = dx * dx + dy * dy + TYRE_SMALLEST * length[0] * length[1];
    lane share = lane_sqrt(lane_min(lane_of(1), way * way * slip2 / bent2));
    lane change_x = share * (steady.along - along), change_y = share * (steady.across - across);
    lane side = at->load * (across + change_y);
    return (tyre_reaction){.along = at->load * (along + change_x),
                           .across = side,
                           .aligning = tyre_aligns(t, at, load, lean, &steady, &y),
                           .overturning = -at->load * side * t->inverse_side_stiffness,
                           .along_rate = t->inverse_damping * change_x,
                           .across_rate = t->inverse_damping * change_y};
}

#endif
