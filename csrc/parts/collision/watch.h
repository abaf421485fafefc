/* SPDX-License-Identifier: BSD-3-Clause */
/* Which vehicles may meet something: those of a batch against what is noted of each, in lanes.
 *
 * After a search for all that is near (world/neighbours.h), a vehicle has nothing near within its slack.  Until one has used
 * its up, only those have to be looked at that had something near then, touch something, or are low over the ground. */
#ifndef RF_PARTS_COLLISION_WATCH_H
#define RF_PARTS_COLLISION_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is noted of a vehicle: values, in the precision of the batch, and words. */
enum { RF_NOTED_NORTH, RF_NOTED_EAST, RF_NOTED_DOWN, RF_NOTED_REACH, RF_NOTED_SLACK, RF_NOTED_VALUES };
enum { RF_NOTED_ID, RF_NOTED_GROUP, RF_NOTED_BITS, RF_NOTED_WORDS };

#define RF_NOTED_SLACK_LEFT 0.999 /* of the slack, which is what rounding leaves for sure */

/* Of RF_NOTED_BITS: a vehicle, not what fills up a lane; it takes part; something may be near. */
#define RF_NOTED_VEHICLE 1u
#define RF_NOTED_IN      2u
#define RF_NOTED_NEAR    4u

#define RF_WATCH_LANE 16 /* notes are of a multiple of it: whole lanes of all sets */

typedef struct rf_noted {
    void *values;
    uint32_t *words;
    size_t stride; /* of both, in elements */
} rf_noted;

typedef struct rf_watch {
    size_t vehicles;
    size_t stride;   /* values, of the columns of the batch */
    double duration; /* s, of the period */
    const void *pos, *vel, *reach;
    const void *ground, *height;    /* z of the ground, contact height; or NULL: there is none */
    const void *gradient, *current; /* gradient and velocity of the ground; or NULL: level, at rest */
    const uint32_t *enabled, *status, *id, *group, *touches;
    rf_noted noted;
} rf_watch;

/* A vehicle that may meet something. */
typedef struct rf_watched {
    uint32_t row;
    uint32_t low; /* or not 0: the ground */
} rf_watched;

/* Finds them, in their order, and counts them; returns whether all vehicles are as they were noted, within their slack, and those that take no part touch nothing. */
typedef bool (*rf_watch_look)(const rf_watch *watch, rf_watched *found, size_t *count);

#endif
