/* SPDX-License-Identifier: BSD-3-Clause */
/* A segment of a wing, tail or fin as a flat plate with a flap, at any angle of attack [@khan 3.1 to 3.3], with the numbers
 * of PX4's Simulation-In-Hardware [@px4 08ad3f29 aero.hpp].  For tailsitters, whose wing hovers in the slipstream.
 *
 * Forward f, upward n and s = f x n are unit vectors fixed to the body, v the velocity of the segment relative to the air;
 * the slipstream of one propeller adds to it along f.  u = v.f, w = -v.n, a = atan2(w, u) - a_0, with the wing's aspect
 * ratio A, the lift slope k of its profile, the flap's share e of the chord and its deflection d (trailing edge down):
 *
 *     K_P = k / (1 + 2 (A + 4) / (A (A + 2)))        K_V = pi
 *     f(x) = K_P sin x cos^2 x + K_V |sin x| sin x cos x
 *     attached   C_L = f(x), C_D = 0.04 + |f(x) tan x|, C_m = -0.17 K_V |sin x| sin x,      x = a - a_f
 *     separated  C_N = (1.98 + 0.21 d' - 0.0426 d^2) sin y (1 / (0.56 + 0.44 |sin y|) - 0.41 (1 - e^(-17 / A)))
 *                C_T = 0.02 cos y,  C_L = C_N cos y - C_T sin y,  C_D = C_N sin y + C_T cos y
 *                C_m = -C_N (0.25 - 0.175 (1 - 2 |y| / pi)),       y = a + asin(e sin d / m), the line between the edges
 *     C   = g attached + (1 - g) separated,   g = 1 / (1 + e^(8 (|x| - x_s) / 10 deg))
 *     F   = rho (u^2 + w^2) / 2 S (C_L across, -C_D along the flow),   M = rho (u^2 + w^2) / 2 S c C_m s
 *
 * m^2 = (1 - e)^2 + e^2 + 2 e (1 - e) cos d; d' is d with the sign of y.  The flap shifts the attached lift by
 * D = K_P t (0.0535 d^2 - 0.2688 |d| + 0.5817) d with t = 1 - (h - sin h) / pi, cos h = 2 e - 1: a_f is the root of
 * K_P x + K_V |x| x = -D (the published law iterates f(x) = -D; 4 % apart at 39 deg), and the stall angle x_s grows by
 * (1 - e) D / f'(x_s) towards the flap's lift.  A flap of the whole chord turns the plate: x = y = a + d.
 *
 * Slipstream [@leishman 2.2]: far behind a disk of radius R and thrust T in axial flow V the air moves with
 * sqrt(V^2 + 2 T / (rho pi R^2)), T the one that acts in that flow; SIH adds the value of hover at any speed.
 *
 * Nothing acts below 0.1 m/s.  A 1/6 to 6, |d| up to 70 deg.  FRD.  Leaves out: unsteady effects, the swirl and the edge of
 * the slipstream, interference of segments. */
#ifndef RF_MODELS_PLATE_SEGMENT_H
#define RF_MODELS_PLATE_SEGMENT_H

#include "math/exponential.h"
#include "math/trig.h"
#include "models/plate_numbers.h"
#include "models/rigid_body.h"

#define PLATE_SLOWEST ((real)0.1)                    /* m/s */
#define PLATE_ACROSS  ((real)1.98)                   /* drag coefficient at 90 deg */
#define PLATE_VORTEX  TRIG_PI                        /* K_V */
#define PLATE_BLEND   ((real)(8 * 18) / TRIG_PI)     /* 1/rad: 8 / 10 deg */
#define PLATE_FLAP    ((real)1.22173047639603070385) /* rad: 70 deg */

typedef struct plate_segment {
    vec3 forward, upward, span; /* 1, FRD: f, n, s */
    lane pressure_area, chord;  /* kg/m: rho S / 2; m */
    lane zero_lift, stall;      /* rad: a_0, x_s */
    lane slope, separated;      /* K_P, 0.41 (1 - e^(-17 / A)) */
    lane flap, flap_slope;      /* e, K_P t */
    lane stall_shift;           /* rad: (1 - e) / f'(x_s) */
} plate_segment;

typedef struct plate_coefficients {
    lane lift, drag, moment;
} plate_coefficients;

/* K_P and what else follows from aspect ratio, profile, flap and stall angle. */
LANE_INLINE void plate_segment_prepare(plate_segment *p, lane aspect_ratio, lane profile_slope)
{
    lane sine, cosine, e = p->flap;
    p->slope = profile_slope / (1 + 2 * (aspect_ratio + 4) / (aspect_ratio * (aspect_ratio + 2)));
    p->separated = (real)0.41 * (1 - lane_exp((real)-17 / aspect_ratio));
    lane h = TRIG_PI / 2 - lane_asin(2 * e - 1), root = 2 * lane_sqrt(e * (1 - e)); /* sin h */
    p->flap_slope = p->slope * (1 - (h - root) * (1 / TRIG_PI));
    lane_sincos(p->stall, &sine, &cosine);
    lane by_angle = p->slope * cosine * (cosine * cosine - 2 * sine * sine) +
                    PLATE_VORTEX * sine * (2 * cosine * cosine - sine * sine);
    p->stall_shift = (1 - e) / lane_max(lane_of((real)0.1), by_angle);
}

/* The speed that a propeller adds far behind it [m/s] to the axial flow `along`, for 2 T / (rho pi R^2) [m^2/s^2]. */
LANE_INLINE lane plate_slipstream(lane along, lane jet2)
{
    lane inflow = lane_max(lane_of(0), along);
    return lane_sqrt(inflow * inflow + lane_max(lane_of(0), jet2)) - inflow;
}

LANE_INLINE plate_coefficients plate_attached(const plate_segment *p, lane x)
{
    lane s, c;
    lane_sincos(x, &s, &c);
    lane size = lane_abs(s), along = p->slope * c + PLATE_VORTEX * size;
    return (plate_coefficients){s * c * along, (real)PLATE_DRAG + lane_abs(s * s * along),
                                (real)-PLATE_MOMENT * PLATE_VORTEX * size * s};
}

LANE_INLINE plate_coefficients plate_separated(const plate_segment *p, lane y, lane deflection)
{
    lane s, c;
    lane_sincos(y, &s, &c);
    lane size = lane_abs(s), towards = lane_select(s < 0, -deflection, deflection);
    lane across = PLATE_ACROSS + (real)0.21 * towards - (real)0.0426 * deflection * deflection;
    lane normal = across * s * (1 / ((real)0.56 + (real)0.44 * size) - p->separated);
    lane tangent = (real)0.5 * (real)PLATE_DRAG * c;
    lane arm = (real)0.25 - (real)0.175 * (1 - lane_abs(wrap_angle(y)) * (2 / TRIG_PI));
    return (plate_coefficients){normal * c - tangent * s, normal * s + tangent * c, -(normal * arm)};
}

LANE_INLINE plate_coefficients plate_mix(lane g, plate_coefficients a, plate_coefficients b)
{
    return (plate_coefficients){b.lift + g * (a.lift - b.lift), b.drag + g * (a.drag - b.drag),
                                b.moment + g * (a.moment - b.moment)};
}

/* Coefficients at the angle of attack a and a deflection of the flap [rad]. */
LANE_INLINE plate_coefficients plate_segment_coefficients(const plate_segment *p, lane a, lane deflection)
{
    lane d = lane_max(lane_of(-PLATE_FLAP), lane_min(lane_of(PLATE_FLAP), deflection)), size = lane_abs(d);
    lane e = p->flap, sine, cosine;
    lane_sincos(d, &sine, &cosine);
    lane edges = lane_sqrt((1 - e) * (1 - e) + e * e + 2 * e * (1 - e) * cosine);
    lane y = a + lane_asin(e * sine / edges);

    lane shift = p->flap_slope *
                 (((real)PLATE_FLAP_A * size - (real)PLATE_FLAP_B) * size + (real)PLATE_FLAP_C) * d; /* D */
    lane root = lane_sqrt(p->slope * p->slope + 4 * PLATE_VORTEX * lane_abs(shift));
    lane zero = (root - p->slope) * (1 / (2 * PLATE_VORTEX));
    mask whole = e >= (real)PLATE_WHOLE;
    lane x = lane_select(whole, a + d, a + lane_select(shift < 0, -zero, zero));
    x = wrap_angle(x);
    lane later = p->stall_shift * lane_select(x < 0, -shift, shift);
    lane g = 1 / (1 + lane_exp(PLATE_BLEND * (lane_abs(x) - p->stall - later)));
    return plate_mix(g, plate_attached(p, x), plate_separated(p, y, lane_select(whole, lane_of(0), d)));
}

/* Force, and moment about the segment's place, for its velocity relative to the air [m/s, FRD], the deflection of the flap
 * [rad] and the jet of a propeller (plate_slipstream). */
LANE_INLINE wrench plate_segment_wrench(const plate_segment *p, vec3 v, lane deflection, lane jet2)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    lane along = dot(v, p->forward), down = -dot(v, p->upward);
    along += plate_slipstream(along, jet2);
    lane speed2 = along * along + down * down;
    mask acts = mask_not(speed2 < PLATE_SLOWEST * PLATE_SLOWEST);
    if (!mask_any(acts)) return (wrench){zero, zero};

    lane a = wrap_angle(lane_atan2(down, along) - p->zero_lift);
    plate_coefficients c = plate_segment_coefficients(p, a, deflection);
    lane k = p->pressure_area * lane_sqrt(speed2);
    vec3 force = add(scale(k * (c.lift * down - c.drag * along), p->forward),
                     scale(k * (c.lift * along + c.drag * down), p->upward));
    lane moment = p->pressure_area * speed2 * p->chord * c.moment;
    return (wrench){vec3_select(acts, force, zero), vec3_select(acts, scale(moment, p->span), zero)};
}

#endif
