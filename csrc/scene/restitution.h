/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of the restitution impacts take, so that none gives back more energy than it has taken.
 *
 * Newton's law, by which places part with e times the speed of their approach, makes energy where friction turns the sliding
 * round, or where what rebounds is in the way of something else.  So the bodies that contacts join have, of the velocities v_p
 * after a plastic impact (e = 0) and v_n by Newton's law, those at
 *
 *     v = v_p + s (v_n - v_p),    the largest s of 0 to 1 with    E(v) - E(v_p) <= e^2 (E(v_0) - E(v_p)),
 *
 * E being their kinetic energy, v_0 their velocities before, and e the largest of their contacts: of the energy that compression takes,
 * restitution gives back e^2, as in [@stronge], but for all contacts at once.  s is 1 without friction between two
 * bodies, and where both slide on; impulses on the way from one to the other stay within the cones of friction. */
#ifndef RF_SCENE_RESTITUTION_H
#define RF_SCENE_RESTITUTION_H

#include "scene/collide.h"

/* After impacts are solved by Newton's law, the velocities before them being `before` of the bodies: takes the contacts back, to be
 * solved again without restitution, or returns false where nothing rebounds. */
bool rf_restitution_begin(rf_meetings *all);

/* After that solution: gives the bodies their velocities. */
void rf_restitution_end(rf_meetings *all);

#endif
