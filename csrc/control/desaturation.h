/* SPDX-License-Identifier: BSD-3-Clause */
/* Control allocation within the limits of the rotors: rotor thrusts T, lo_i <= T_i <= hi_i, for demands that not all fit.
 * Priorities: roll and pitch moment, then collective thrust, then yaw moment.  A rotor at its limit, weak or dead costs
 * only what the others cannot give in its place.
 *
 * The effectiveness B, demands d = B T, follows from the mixer M, its pseudo-inverse: B^T = M (M^T M)^-1.
 *
 * 1. Roll and pitch moment are reduced together by the largest fraction s for which thrusts exist.  The moments within the
 *    limits are a convex polygon (a zonotope) whose edges are parallel to the columns b_i of these two rows, so with the
 *    normals n_i of the b_i
 *
 *        s = min_i  sum_j max(n_i b_j lo_j, n_i b_j hi_j) / (n_i d),     n_i d > 0.
 *
 * 2. From the thrusts of the collective demand alone, three passes reach for roll and pitch, then also for the collective
 *    thrust, then also for yaw.  A step of a pass is the change of thrust, of minimum sum of squares, that meets the
 *    demands with the free rotors, shortened to the nearest limit; the rotor that is then at its limit is free no more.  A
 *    demand that the free rotors cannot meet independently of those before it is given up, so no step harms a demand of
 *    higher priority.
 *
 * The passes end when their demands are met, or nothing moves.  That the result is optimal is not proven but tested
 * against linear programs.  With equal arms none is found that is better.  With arms that are nearly opposite (iris), a
 * pass can end with free rotors whose roll and pitch depend on each other, and then gives up a moment that other thrusts
 * have: of 300 random demands more than 0.2 % for 23, 4.4 % at most.
 *
 * PX4 also gives up yaw before roll and pitch, but moves the thrusts along fixed directions
 * [@px4 00202eb3 ControlAllocationSequentialDesaturation.cpp].
 *
 * Thrusts in N; rows of B have unit length here, so moments too are in N. */
#ifndef RF_CONTROL_DESATURATION_H
#define RF_CONTROL_DESATURATION_H

#include "base/sets.h"
#include "math/vec.h"

#define ALLOCATION_TINY           ((real)1e-15) /* N, below any thrust; against division by zero */
#define ALLOCATION_MAXIMUM_ROTORS 16

/* Where the moments were allocated in full: roll and pitch, yaw. */
typedef struct allocation_result {
    mask tilt_allocated, yaw_allocated;
} allocation_result;

/* Thrusts within the limits of at most ALLOCATION_MAXIMUM_ROTORS rotors; one copy serves all types.  It runs only where a
 * rotor is at its limit. */
allocation_result RF_SET_NAME(rf_allocate_within_limits)(const lane *mixer, int rotors, lane collective,
                                                         vec3 moment, const lane *minimum,
                                                         const lane *maximum, lane *thrust);

#endif
