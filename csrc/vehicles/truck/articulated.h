/* SPDX-License-Identifier: BSD-3-Clause */
/* A tractor with a trailer in the plane: two bodies and the hitch that joins them, without and with slip of the tyres.
 *
 *               trailer                     tractor
 *           G        L-axle ...            front o------ CG ---o---x hitch
 *
 * Axes of the tractor: x forward, y to the right; angles and rates are positive to the right (clockwise from above, FRD).  Of
 * the tractor u, w are the components of the velocity of its centre of mass, r is its yaw rate, a and b are the distances of
 * its axles, l = a + b, d is the steering angle; the hitch is c = b + e behind the centre of mass.  The trailer has the
 * heading of the tractor plus the hitch angle h, its axle is L behind the hitch, its centre of mass p.
 *
 * Without slip [@commonroad KST], generalized to a hitch that is not above the rear axle:
 *
 *     r  = u tan(d) / l                                w = b r
 *     h' = -(u sin(h) + e r cos(h)) / L - r            where |h| <= pi/2, beyond that of pi/2
 *
 * With slip, Newton's and Euler's laws of both bodies, whose accelerations agree at the hitch [@pacejka-2012 1.3.4 has the
 * linear equations].  With F, M and F_t, M_t of all other forces on the tractor (mass m, inertia J) and the trailer (m_t, J_t)
 * about their centres of mass, the hitch gives H to the tractor and -H to the trailer:
 *
 *     A  = (F + H) / m                                 acceleration of the tractor's centre of mass
 *     r' = (M - c H_y) / J
 *     q' = (M_t + p (sin(h) H_x - cos(h) H_y)) / J_t   q = r + h' is the yaw rate of the trailer
 *
 *     A + r' (0, -c) + c r^2 (1, 0) = (F_t - H) / m_t - p q' (sin(h), -cos(h)) - p q^2 (cos(h), sin(h))
 *
 * which is linear in H with a matrix that is symmetric and positive.  m, kg, s, rad, N. */
#ifndef RF_VEHICLES_TRUCK_ARTICULATED_H
#define RF_VEHICLES_TRUCK_ARTICULATED_H

#include "math/trig_rows.h"

/* Of both bodies and the hitch. */
typedef struct articulated {
    lane front, rear, inverse_wheelbase;      /* a, b, 1 / l */
    lane hitch, offset;                       /* c, e */
    lane trailer, inverse_trailer;            /* L, 1 / L */
    lane centre;                              /* p */
    lane inverse_mass[2], inverse_inertia[2]; /* tractor, trailer */
} articulated;

/* A motion in the axes of the tractor, with its angles. */
typedef struct articulated_motion {
    lane forward, right, yaw_rate, hitch_rate; /* u, w, r, h' */
    lane sin_steering, cos_steering;
    lane sin_hitch, cos_hitch;
} articulated_motion;

/* Acceleration of the tractor's centre of mass in its axes, and of the angles. */
typedef struct articulated_accel {
    lane forward, right, yaw, hitch;
} articulated_accel;

/* A force in the axes of the tractor and a moment about a centre of mass. */
typedef struct articulated_load {
    lane forward, right, moment;
} articulated_load;

LANE_INLINE void articulated_set_angles(articulated_motion *s, lane steering, lane hitch_angle)
{
    const lane quarter = lane_of(TRIG_PI / 2);
    lane_short_sincos(steering, &s->sin_steering, &s->cos_steering);
    lane_short_sincos(lane_limit(hitch_angle, quarter), &s->sin_hitch, &s->cos_hitch);
}

/* Yaw rate of a tractor whose tyres do not slip. */
LANE_INLINE lane articulated_turning(const articulated *a, const articulated_motion *s)
{
    return s->forward * (s->sin_steering / s->cos_steering) * a->inverse_wheelbase;
}

/* Yaw rate of a trailer whose tyres do not slip, behind a tractor whose do not either. */
LANE_INLINE lane articulated_trailing(const articulated *a, const articulated_motion *s, lane yaw_rate)
{
    return -(s->forward * s->sin_hitch + a->offset * yaw_rate * s->cos_hitch) * a->inverse_trailer;
}

/* The acceleration with which the motion becomes and stays that without slip; `pull` is u', `rate` is 1 / the time constant. */
LANE_INLINE articulated_accel articulated_without_slip(const articulated *a, const articulated_motion *s,
                                                       lane pull, lane steering_rate, lane rate)
{
    lane tangent = s->sin_steering / s->cos_steering;
    lane turning = articulated_turning(a, s), trailing = articulated_trailing(a, s, turning);
    lane turning_rate =
        (pull * tangent + s->forward * steering_rate * (1 + tangent * tangent)) * a->inverse_wheelbase;
    lane across = pull * s->sin_hitch + s->forward * s->cos_hitch * s->hitch_rate;
    lane swing = turning_rate * s->cos_hitch - turning * s->sin_hitch * s->hitch_rate;
    lane trailing_rate = -(across + a->offset * swing) * a->inverse_trailer;
    lane slip = a->rear * turning - s->right;
    return (articulated_accel){
        .forward = pull - s->yaw_rate * s->right,
        .right = a->rear * turning_rate + rate * slip + s->yaw_rate * s->forward,
        .yaw = turning_rate + rate * (turning - s->yaw_rate),
        .hitch = trailing_rate - turning_rate + rate * (trailing - turning - s->hitch_rate),
    };
}

/* The acceleration under loads of the tractor and the trailer. */
LANE_INLINE articulated_accel articulated_with_loads(const articulated *a, const articulated_motion *s,
                                                     articulated_load tractor, articulated_load trailer)
{
    const lane sine = s->sin_hitch, cosine = s->cos_hitch, p = a->centre, c = a->hitch;
    const lane per_mass = a->inverse_mass[0] + a->inverse_mass[1];
    const lane spin = s->yaw_rate + s->hitch_rate, lever = p * a->inverse_inertia[1], q = p * lever;
    const lane turned = lever * trailer.moment, pulled = p * spin * spin;

    /* of the hitch: what the trailer would have without it less what the tractor would */
    lane forward = a->inverse_mass[1] * trailer.forward - a->inverse_mass[0] * tractor.forward -
                   sine * turned - cosine * pulled - c * s->yaw_rate * s->yaw_rate;
    lane right = a->inverse_mass[1] * trailer.right - a->inverse_mass[0] * tractor.right + cosine * turned -
                 sine * pulled + c * a->inverse_inertia[0] * tractor.moment;

    lane xx = per_mass + q * sine * sine, xy = -(q * sine * cosine);
    lane yy = per_mass + q * cosine * cosine + c * c * a->inverse_inertia[0];
    lane inverse = 1 / (xx * yy - xy * xy);
    lane along = inverse * (yy * forward - xy * right), across = inverse * (xx * right - xy * forward);

    lane yaw = a->inverse_inertia[0] * (tractor.moment - c * across);
    lane trailing = a->inverse_inertia[1] * (trailer.moment + p * (sine * along - cosine * across));
    return (articulated_accel){a->inverse_mass[0] * (tractor.forward + along),
                               a->inverse_mass[0] * (tractor.right + across), yaw, trailing - yaw};
}

#endif
