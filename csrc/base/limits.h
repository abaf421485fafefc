/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of the controllers that Python's tuning follows, too. */
#ifndef RF_BASE_LIMITS_H
#define RF_BASE_LIMITS_H

#define RF_IDLE_SHARE 0.02 /* minimum thrust of a rotor as a share of its maximum: it keeps turning */
#define RF_LIFT_SHARE 0.9  /* of the maximum thrust goes into lift: what is left, 0.44 of it, can tilt */
#define RF_LEAST_LIFT 0.3  /* g, minimum lift in a descent: without lift a tilt moves nothing */

#endif
