/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of the controllers, of the ground and of the air, shared with Python. */
#ifndef RF_BASE_LIMITS_H
#define RF_BASE_LIMITS_H

#define RF_IDLE_THRUST   0.02 /* minimum normalized thrust of a rotor while armed */
#define RF_LIFT_FRACTION 0.9 /* of the maximum thrust may be lift; 0.44 of it remains for horizontal thrust */
#define RF_MINIMUM_LIFT  0.3 /* g, in a descent: without lift a tilt gives no horizontal acceleration */
#define RF_THRUST_LEFT   0.2 /* least share of a tailsitter's thrust that is taken as left by airspeed */

/* Ground contact of what flies, and its landing. */
#define RF_TOUCH_HEIGHT 0.1 /* m above where it stands: in contact below */
#define RF_TOUCH_SPEED  0.1 /* m/s, vertical, relative to the ground: at rest below */
#define RF_TOUCH_TIME   0.5 /* s in contact and at rest: it has landed */

#define RF_HULL_SLIP_SPEED 0.05 /* m/s: slower, the friction of a hull on the ground is a damper */

/* Flare of a plane. */
#define RF_FLARE_TIME 4.0 /* s at the ground speed of its beginning, from there to the landing position */
#define RF_FLARE_RATE 0.3 /* m/s: descent rate at its end */

#define RF_LEAST_GROUND_SPEED 5.0 /* m/s: of what flies by wings against the wind, as PX4's FW_GND_SPD_MIN */

/* Geopotential heights of the atmosphere's model [m]. */
#define RF_ATMOSPHERE_LOWEST  (-5000.0)
#define RF_ATMOSPHERE_HIGHEST 20000.0

#endif
