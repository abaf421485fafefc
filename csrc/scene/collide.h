/* SPDX-License-Identifier: BSD-3-Clause */
/* Collisions of bodies over a time T: impacts at its begin, and forces that hold what rests.
 *
 * Bodies of convex shapes move on with their velocities.  Of two shapes that meet within T, the time of it is found by
 * conservative advancement: along their gap's normal they are apart for at least distance / closing speed, and so on, so that nothing
 * is passed through.  Then
 *
 *  1. impacts: where places approach faster than IMPACT they part with the restitution e times that speed, or less where that would
 *     make energy (restitution.h), at once; a body is moved so that it is at T where it would be if its velocity had changed at the time of its impact;
 *  2. support: forces, held over T, such that no place is overtaken with the velocities that the bodies have at T by their
 *     other forces; overlaps are undone by a part each time.
 *
 * Both by the impulses of solver.h; friction and restitution of two bodies are their geometric mean.  Leaves out: spin in the time of
 * impact, which is that of bodies that do not turn; deformation. */
#ifndef RF_SCENE_COLLIDE_H
#define RF_SCENE_COLLIDE_H

#include <stdint.h>

#include "scene/manifold.h"
#include "scene/solver.h"

#define RF_COLLIDER_SHAPES 12
#define RF_COLLIDE_GAP     2e-3 /* m: farther apart nothing touches */
#define RF_COLLIDE_DEEP    5e-3 /* m: an overlap above is no touch, it was there before */

/* Bodies that contacts join, while they are solved (scene/islands.h). */
typedef struct rf_island {
    struct rf_collider *leader; /* of them, who has the rest; or one that is nearer to it */
    bool impacts;               /* one is fast */
    rf_settling settling;
    /* of their impacts (scene/restitution.h) */
    double newton, plastic; /* J: change of the kinetic energy by both solutions */
    double apart;           /* J: kinetic energy of their difference */
    double restitution;     /* the largest */
} rf_island;

typedef struct rf_collider {
    rf_solid solid;
    double acceleration[3], turning_up[3]; /* m/s^2, rad/s^2: by all but contacts */
    double friction, restitution;
    double reach; /* m, from the centre to the farthest place of its shapes */
    int shapes;
    rf_convex shape[RF_COLLIDER_SHAPES];
    int number[RF_COLLIDER_SHAPES]; /* of the shapes, the caller's */
    uint32_t id;                    /* as others have it in `with` */
    /* results: 0 at first */
    double force[3], torque[3];     /* N, N m, NED: of support, to be held over T */
    double impact;                  /* m/s, fastest approach along the normal of an impact; 0: none */
    double hit[RF_COLLIDER_SHAPES]; /* m/s, that of each shape */
    bool pushed;                    /* velocity or rate have changed */
    bool met;                       /* something */
    uint32_t with;                  /* the id of the last body that it met, or the number of the obstacle */
    double place[3];                /* m, NED, of that contact */
    uint32_t struck_id;             /* of the body of its fastest impact with one; 0: none */
    double struck_velocity[3], struck_mobility; /* of that body before the impacts */
    /* within a solution */
    double before[6];             /* velocity and rate */
    double newton[6], plastic[6]; /* after the impacts by Newton's law, and without restitution */
    rf_island island;
    double first; /* s, time of the first impact */
    bool loaded;
} rf_collider;

/* What stands: it does not move. */
typedef struct rf_obstacle {
    rf_convex shape;
    double friction, restitution;
} rf_obstacle;

/* A contact that is found, beside that of the solver. */
typedef struct rf_meeting {
    rf_collider *a, *b;   /* b is NULL for an obstacle */
    int shape_a, shape_b; /* of them */
    double distance;      /* m, at `time` */
    double time;          /* s, from now, of the touch */
    double restitution;
    double apart; /* m^2, while contacts are thinned out (world/thinning.h) */
    /* within a solution of impacts */
    double start[3],
        after[3];     /* m/s, NED: of a's place relative to b's, before, and after them by Newton's law */
    double newton[3]; /* N s, by that law, as the contact's impulse */
} rf_meeting;

/* What is solved: impacts by Newton's law, the same without restitution (restitution.h), support. */
typedef enum rf_collide_phase {
    RF_COLLIDE_NEW,
    RF_COLLIDE_NEWTON,
    RF_COLLIDE_PLASTIC,
    RF_COLLIDE_SUPPORT,
} rf_collide_phase;

/* Contacts that are found; the memory is of the caller. */
typedef struct rf_meetings {
    rf_contact *contact;
    rf_meeting *meeting;
    size_t count, capacity, lost;
    double duration; /* s, T */
    rf_solid world;  /* all zero: does not move */
    /* within a solution: 0 at first */
    rf_collide_phase phase;
    rf_solution solution;
} rf_meetings;

/* How far along each axis of NED the shapes of a body come from a place within T [m]. */
void rf_collider_reach(const rf_collider *body, const double place[3], double duration, double reach[3]);

/* Adds the contacts of two bodies, or of a body and an obstacle of that number, within T. */
void rf_collide_pair(rf_collider *a, rf_collider *b, rf_meetings *meetings);
void rf_collide_obstacle(rf_collider *a, const rf_obstacle *b, uint32_t number, rf_meetings *meetings);

/* Solves all contacts: changes velocities and centres of their bodies, and adds to their force, torque and impact.  Pauses
 * after looking at `most` contacts, and then returns false: call it again before anything else. */
bool rf_collide(rf_meetings *meetings, size_t most);

#endif
