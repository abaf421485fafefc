/* SPDX-License-Identifier: BSD-3-Clause */
/* Impulses at contacts of rigid bodies.
 *
 * At a contact with the normal n from b to a, the velocity of a's place relative to b's is v = v_a + w_a x r_a - v_b - w_b x r_b.
 * The impulse j n + k, k across n, is such that
 *
 *     n.v' >= aim,    j >= 0,    j (n.v' - aim) = 0,    |k| <= friction j,    k against the sliding
 *
 * with the velocities v' after all impulses, which act on both bodies with opposite signs: momentum is kept to rounding.
 * Contacts are solved one after the other, in their order, again until none changes (sequential impulses [@catto]).  What a round
 * has changed is a gradient: from one to the next impulses go on along conjugate directions, as long as the change falls
 * [@silcowitz].  Both are of an island, of bodies that contacts join: islands change nothing in each other. */
#ifndef RF_SCENE_SOLVER_H
#define RF_SCENE_SOLVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct rf_solid {
    double center[3], velocity[3], rate[3]; /* m, m/s, rad/s; NED */
    double mobility;                        /* 1/kg, inverse mass; 0: does not move */
    double turning[9];                      /* 1/(kg m^2), inverse inertia, NED axes, rows */
    bool in_fluid;              /* whether it moves fluid (models/added_mass.h); else without these: */
    double easing[9], share[9]; /* 1/kg, 1: D, A D, NED axes, rows; `turning` is that of K */
    double flow[3];             /* m, NED: r, from the centre */
} rf_solid;

/* What an impulse [N s] and a moment of impulses [N m s] about its centre change of the velocity and the angular velocity of a
 * solid; of forces, its accelerations. */
void rf_solid_answer(const rf_solid *solid, const double impulse[3], const double moment[3],
                     double velocity[3], double rate[3]);

/* How far an island has come. */
typedef struct rf_settling {
    int round;           /* of what follows */
    bool settled;        /* it is solved */
    double change;       /* m/s, largest of the round so far */
    double square, last; /* J, of all changes of the round so far, and of the one before */
} rf_settling;

typedef struct rf_contact {
    rf_solid *a, *b;
    double normal[3];
    double arm_a[3], arm_b[3]; /* m, from the centres to the place */
    double friction;
    double aim;        /* m/s, least velocity along the normal afterwards */
    double impulse[3]; /* N s, on a: along the normal, and along two axes across it */
    double axes[2][3]; /* across the normal */
    double mass[3];    /* kg, effective, along the normal and the axes */
    /* within a solution */
    rf_settling *island;       /* before it: that of both bodies */
    double changed[3], way[3]; /* N s: what a round has changed of the impulse; the direction to go on */
} rf_contact;

/* Fills axes and masses, and takes the impulse back to 0. */
void rf_contact_begin(rf_contact *contact);

/* The velocity of a's place relative to b's [m/s]. */
void rf_contact_velocity(const rf_contact *contact, double velocity[3]);

/* How far a solution has come; all zero at first. */
typedef struct rf_solution {
    int round;
    size_t next;   /* contact of the round, then, with the number of contacts, to go on with */
    double change; /* m/s, largest of the round so far, in all islands */
} rf_solution;

/* Solves contacts, in their order, until the end or after looking at `most` of them; returns whether they are solved.  Islands are
 * all zero at first, but those that are settled already. */
bool rf_solve(rf_contact *contacts, size_t count, rf_solution *at, size_t most);

#endif
