/* SPDX-License-Identifier: BSD-3-Clause */
/* Aircraft on the ground: where they rest, and how those without wheels leave it.
 *
 * On wheels one rests, its throttle 0, where neither a height above the ground nor a velocity is commanded.  One without
 * wheels, whose launch airspeed V_L is above 0, rests until a set-point rises: a height above the ground, a velocity
 * upwards, or an attitude or a rate that is not nose down, with a throttle above one half if it has one.  Then it is thrown
 * from rest on the ground, by hand or by a catapult (models/launch.h): with a constant acceleration along the nose until the
 * airspeed along the nose, to which a wind from the side adds nothing, is V_L and nothing touches the ground, or it is 2 V_L
 * where the ground rises as steeply.  V_L grows in thin air by the root of the density.  What the push does to airspeed and height tells the path loop nothing. */
#ifndef RF_VEHICLES_WINGED_LAUNCH_H
#define RF_VEHICLES_WINGED_LAUNCH_H

#include "vehicles/winged/control.h"

#define WINGED_THROWN_SPEED    ((real)1) /* m/s: slower, an aircraft on the ground can be taken and thrown */
#define WINGED_THROWN_THROTTLE ((real)0.5) /* above it */

/* An aircraft over the ground. */
typedef struct winged_ground {
    mask touches;
    vec3 velocity;                      /* m/s: of the ground */
    lane floor, clearance;              /* m: z of the ground; the height at which nothing touches it */
    lane push;                          /* m/s^2: of the launch, at present */
    lane launch_airspeed, launch_accel; /* m/s, m/s^2; an airspeed of 0: it has wheels */
} winged_ground;

/* What its set-points ask for. */
typedef struct winged_wish {
    mask rolls;  /* a height to fly at, or a velocity; upwards where there is a position, too */
    mask direct; /* an attitude, a rate or a throttle, without a position */
    mask rises;  /* to leave the ground */
} winged_wish;

LANE_INLINE winged_wish winged_wish_of(lane floor, const winged_setpoint *sp, mask bits)
{
    mask positioned = words_have(bits, RF_SETPOINT_POSITION), powered = words_have(bits, RF_SETPOINT_THRUST);
    mask attitude = words_have(bits, RF_SETPOINT_ATTITUDE), rate = words_have(bits, RF_SETPOINT_BODY_RATE);
    mask above = positioned & (sp->pos_sp.z < floor - WINGED_RISE), up = sp->vel_sp.z < 0;
    mask moves = words_have(bits, RF_SETPOINT_VELOCITY) & (mask_not(positioned) | up) &
                 (norm2(vec3_zero_unless_finite(sp->vel_sp)) > (real)1e-6);
    mask direct = (attitude | rate | powered) & mask_not(positioned);
    mask level = (attitude & (rotation_from_quat(sp->att_sp).down.x <= 0)) | (rate & (sp->rate_sp.y >= 0));
    mask thrown = direct & level & (mask_not(powered) | (sp->thrust_sp > WINGED_THROWN_THROTTLE));
    return (winged_wish){above | moves, direct, above | (moves & up) | thrown};
}

/* Returns the acceleration of the launch until the next update [m/s^2], and stops the throttle of what rests. */
LANE_INLINE lane winged_leave_ground(const winged_motion *s, const winged_ground *at, const winged_air *known,
                                     const winged_setpoint *sp, mask armed, mask bits, winged_controller *c)
{
    const lane zero = lane_of(0);
    const winged_wish wish = winged_wish_of(at->floor, sp, bits);
    mask launched = at->launch_airspeed > 0;
    const lane lift_off_airspeed = at->launch_airspeed / lane_sqrt(known->density);
    mask slow = known->forward < lift_off_airspeed;
    mask low = (at->floor - s->pos.z < at->clearance) & (known->forward < 2 * lift_off_airspeed);
    mask still = norm2(sub(s->vel, at->velocity)) < WINGED_THROWN_SPEED * WINGED_THROWN_SPEED;
    mask begins = at->touches & still & (s->att.down.z > 0);
    mask pushed = armed & launched & wish.rises & (begins | ((at->push > 0) & (slow | low)));

    mask thrown = launched & (pushed | (wish.direct & mask_not(wish.rises)));
    mask rolls = mask_not(launched) & (wish.rolls | wish.direct);
    mask rests = at->touches & mask_not(thrown | rolls);
    c->throttle_command = lane_select(rests, zero, c->throttle_command);
    c->throttle_integral = lane_select(rests | pushed, zero, c->throttle_integral);
    c->pitch_integral = lane_select(pushed, zero, c->pitch_integral);
    c->airspeed_rate = lane_select(pushed, zero, c->airspeed_rate);
    return lane_select(pushed, at->launch_accel, zero);
}

#endif
