/* SPDX-License-Identifier: BSD-3-Clause */
/* Aerodynamic force and moment of a whole aircraft by coefficients and their derivatives [@rfly-model-api 7.2], with a
 * stall [@beard-mclain 4.2], [@mavsim].  For a velocity (u, v, w) through the air, V its size:
 *
 *     a = atan2(w, u),   b = asin(v / V),   q = rho V^2 / 2
 *     (p, q, r)^ = (p, q, r) (span, chord, span) / (2 V)                      angular velocity, dimensionless
 *     (da, de, dr, df) = (1 - s + 0.3 s cos a) times the deflections          aileron, elevator, rudder, flaps
 *
 *     C_La = C_L0 + C_La a                                                    attached flow
 *     C_L  = (1 - s) C_La + s 2 sign(a) sin^2(a) cos(a)  + C_Lq q^ + C_Lde de + C_Ldf df
 *     C_D  = (1 - s) (C_D0 + C_Da a + k C_La^2) + s (C_D0 + 2 sin^2(a)) + C_Dq q^, and the deflections alone
 *     C_m  = (1 - s) (C_m0 + C_ma a) + s C_ms sin(a)     + C_mq q^ + C_mde de + C_mdf df
 *     C_Y  = C_Y0 + C_Yb b + C_Yp p^ + C_Yr r^ + C_Yda da + C_Ydr dr          and alike C_l, C_n
 *     s    = (1 + x + y) / ((1 + x) (1 + y)),   x = exp(-m (a - a_0)),  y = exp(m (a + a_0))
 *          = 1 - z / (z^2 + (1 + c) z + c),     z = exp(m (|a| - a_0)),  c = exp(-2 m a_0)
 *
 *     F = q S (h (-C_D cos a + C_L sin a), C_Y, h (-C_D sin a - C_L cos a))   [N, FRD]
 *     M = q S (h span C_l, h chord C_m, span C_n)                              [N m, FRD], about the centre of mass
 *     h = 1 - f (1 - cos^2 b),   f from 0 at 30 deg of sideslip to 1 at 60 deg, smooth
 *
 * s grows from 0 to 1 around the stall angle a_0 [rad] with the sharpness m [1/rad]; beyond, the wing is a flat plate.
 * The source keeps the parabola of the drag and the line of C_m beyond the stall, where they are far from any wing; below
 * a_0 the two agree to exp(-m (a_0 - a)).  Surfaces have all their effect in the source; in separated flow a flap of a
 * quarter of the chord keeps 0.35 cos a of it at 15 degrees and 0.25 at 45 [@khan], taken for all.  The force is turned by a alone, as in the source.  The source has h = 1, with
 * which flow from the side would lift as much as flow from ahead, at an angle of attack that is that of its rest, and turn
 * a parked aircraft over.
 *
 * Signs: a positive deflection of the elevator is trailing edge down, of the rudder trailing edge left, of the aileron
 * right edge up; so C_mde < 0, C_ndr < 0, C_lda > 0.  Any a and b give finite forces; tables of coefficients hold for
 * |a| < a_0, |b| < 0.3, rates that are small against V; beyond, still_air.h bounds what they give.
 * The drag of the elevator is a line, as in the sources: the trim of slow flight, trailing edge up, lowers C_D by up to a
 * quarter in the packaged sets, where a real one adds to it.
 * Leaves out: Mach and Reynolds numbers, stall of one wing before the other, or of the tail after the wing (so a spin is
 * that of the rate derivatives), hysteresis, ground effect. */
#ifndef RF_MODELS_WING_H
#define RF_MODELS_WING_H

#include "math/exponential.h"
#include "math/trig.h"
#include "models/rigid_body.h"

/* Order of the coefficients in the columns of the longitudinal and the lateral axes. */
enum { WING_CONSTANT, WING_ALPHA, WING_PITCH_RATE, WING_ELEVATOR, WING_FLAPS, WING_LONGITUDINAL };
enum { WING_BETA = 1, WING_ROLL_RATE, WING_YAW_RATE, WING_AILERON, WING_RUDDER, WING_LATERAL };

typedef lane wing_longitudinal[WING_LONGITUDINAL];
typedef lane wing_lateral[WING_LATERAL];

typedef struct wing {
    const lane *lift, *drag, *pitch; /* wing_longitudinal */
    const lane *side, *roll, *yaw;   /* wing_lateral */
    lane area, span, chord;          /* m^2, m, m */
    lane induced;                    /* k */
    lane stall_angle, sharpness;     /* a_0, m */
    lane other_stall;                /* c, wing_other_stall */
    lane stalled_pitch;              /* C_ms */
    lane density;                    /* kg/m^3 */
} wing;

/* Velocity through the air. */
typedef struct airflow {
    lane speed;        /* m/s: V */
    lane per_speed;    /* s/m: 1 / V */
    lane alpha, beta;  /* rad */
    lane sine, cosine; /* of alpha */
    lane ahead;        /* cos^2 b */
} airflow;

/* Deflections [rad]. */
typedef struct wing_surfaces {
    lane aileron, elevator, rudder, flaps;
} wing_surfaces;

#define WING_TINY    ((real)1e-12)
#define WING_STALLED ((real)0.3) /* effect of surfaces in separated flow along them */

/* Angles of a velocity through the air [m/s, FRD]; at rest they are 0. */
LANE_INLINE airflow airflow_of(vec3 v)
{
    const lane tiny = lane_of(WING_TINY);
    lane along2 = v.x * v.x + v.z * v.z, along = lane_sqrt(along2);
    lane speed = lane_sqrt(along2 + v.y * v.y);
    lane per_along = 1 / lane_max(along, tiny), per_speed = 1 / lane_max(speed, tiny);
    mask rest = along < WING_TINY;
    return (airflow){.speed = speed,
                     .per_speed = per_speed,
                     .alpha = lane_quick_atan2(v.z, v.x),
                     .beta = lane_quick_atan2(v.y, along),
                     .sine = v.z * per_along,
                     .cosine = lane_select(rest, lane_of(1), v.x * per_along),
                     .ahead = along2 * per_speed * per_speed};
}

/* c. */
LANE_INLINE lane wing_other_stall(lane stall_angle, lane sharpness)
{
    return lane_exp(-2 * sharpness * stall_angle);
}

/* 1 - s. */
LANE_INLINE lane wing_attached_share(const wing *w, lane alpha)
{
    lane z = lane_quick_exp(w->sharpness * (lane_abs(alpha) - w->stall_angle));
    return z / ((z + (1 + w->other_stall)) * z + w->other_stall);
}

LANE_INLINE lane wing_lateral_sum(const lane *c, lane beta, lane roll_rate, lane yaw_rate,
                                  const wing_surfaces *d)
{
    return c[WING_CONSTANT] + c[WING_BETA] * beta + c[WING_ROLL_RATE] * roll_rate +
           c[WING_YAW_RATE] * yaw_rate + c[WING_AILERON] * d->aileron + c[WING_RUDDER] * d->rudder;
}

/* h; 1 where b is at most 30 deg. */
LANE_INLINE lane wing_ahead_share(const airflow *flow)
{
    const lane zero = lane_of(0), one = lane_of(1);
    if (!mask_any(mask_not(flow->ahead >= (real)0.75))) return one;
    lane from = lane_clamp((real)1.5 - 2 * flow->ahead, zero, one); /* cos^2: 3/4 at 30 deg, 1/4 at 60 deg */
    return 1 - from * from * (3 - 2 * from) * (1 - flow->ahead);
}

/* What pitch rate and surfaces add to a longitudinal coefficient. */
LANE_INLINE lane wing_longitudinal_rest(const lane *c, lane pitch_rate, const wing_surfaces *d)
{
    return c[WING_PITCH_RATE] * pitch_rate + c[WING_ELEVATOR] * d->elevator + c[WING_FLAPS] * d->flaps;
}

/* Deflections in attached flow with the effect that these have. */
LANE_INLINE wing_surfaces wing_effective(const wing_surfaces *d, const airflow *flow, lane attached)
{
    lane effect = attached + (1 - attached) * WING_STALLED * flow->cosine;
    return (wing_surfaces){effect * d->aileron, effect * d->elevator, effect * d->rudder, effect * d->flaps};
}

/* F [N] and M [N m], FRD, with the angular velocity `rate` [rad/s, FRD]. */
LANE_INLINE wrench wing_wrench(const wing *w, const airflow *flow, vec3 rate, const wing_surfaces *d)
{
    lane attached = wing_attached_share(w, flow->alpha), share = 1 - attached;
    const wing_surfaces act = wing_effective(d, flow, attached);
    lane half = (real)0.5 * flow->per_speed;
    lane roll_rate = half * w->span * rate.x, pitch_rate = half * w->chord * rate.y,
         yaw_rate = half * w->span * rate.z;
    lane linear = w->lift[WING_CONSTANT] + w->lift[WING_ALPHA] * flow->alpha;
    lane twice = 2 * flow->sine, plate = twice * flow->sine, side = twice * lane_abs(flow->sine);
    lane parasitic = w->drag[WING_CONSTANT];

    lane lift =
        attached * linear + share * side * flow->cosine + wing_longitudinal_rest(w->lift, pitch_rate, &act);
    lane drag = parasitic + attached * (w->drag[WING_ALPHA] * flow->alpha + w->induced * linear * linear) +
                share * plate + wing_longitudinal_rest(w->drag, pitch_rate, d);
    lane pitch = attached * (w->pitch[WING_CONSTANT] + w->pitch[WING_ALPHA] * flow->alpha) +
                 share * w->stalled_pitch * flow->sine + wing_longitudinal_rest(w->pitch, pitch_rate, &act);
    lane side_coef = wing_lateral_sum(w->side, flow->beta, roll_rate, yaw_rate, &act),
         roll = wing_lateral_sum(w->roll, flow->beta, roll_rate, yaw_rate, &act),
         yaw = wing_lateral_sum(w->yaw, flow->beta, roll_rate, yaw_rate, &act);

    lane force = (real)0.5 * w->density * w->area * (flow->speed * flow->speed);
    lane level = force * wing_ahead_share(flow); /* across the span */
    return (wrench){.force = vec3_of(level * (lift * flow->sine - drag * flow->cosine), force * side_coef,
                                     -level * (drag * flow->sine + lift * flow->cosine)),
                    .moment =
                        vec3_of(level * w->span * roll, level * w->chord * pitch, force * w->span * yaw)};
}

#endif
