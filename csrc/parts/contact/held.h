/* SPDX-License-Identifier: BSD-3-Clause */
/* The contact points as the step of a family reads and updates them. */
#ifndef RF_PARTS_CONTACT_HELD_H
#define RF_PARTS_CONTACT_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "models/contact.h"
#include "models/rigid_body.h"
#include "parts/block.h"
#include "parts/contact/columns.h"

typedef lane per_contact[CONTACT_POINTS];
typedef lane per_contact_pair[2 * CONTACT_POINTS];
typedef lane per_contact_vec3[3 * CONTACT_POINTS];

typedef struct contact_points {
    CONTACT_PART(COLUMN_MEMBER)
} contact_points;

/* A column of the contact points, by the name of its (first) row. */
#define CONTACT_COLUMN(b, name) PART_COLUMN(b, contact, contact_points, name)

LANE_INLINE int contact_enabled(const block *b)
{
    return part_enabled(b, RF_PART_contact);
}

/* Height of the centre of mass of a vehicle that stands [m]: 0 without contact points. */
LANE_INLINE lane contact_height_of(const block *b)
{
    return contact_enabled(b) ? lane_load(CONTACT_COLUMN(b, contact_height)) : lane_of(0);
}

LANE_INLINE lane contact_count_of(const block *b)
{
    return contact_enabled(b) ? lane_load(CONTACT_COLUMN(b, contact_count)) : lane_of(0);
}

/* Contact point i, from the centre of mass [m, FRD]. */
LANE_INLINE vec3 contact_point(const block *b, int i)
{
    const real *column = CONTACT_COLUMN(b, contact_position) + (size_t)i * b->stride;
    const size_t next = CONTACT_POINTS * b->stride;
    return vec3_of(lane_load(column), lane_load(column + next), lane_load(column + 2 * next));
}

/* z of a point at `arm` [m, NED] over the ground, less that of the centre of mass. */
LANE_INLINE lane contact_drop(vec3 arm, const ground_plane *p)
{
    return arm.z - ground_fall(p, arm.x, arm.y);
}

/* The deepest point: z over the ground, less that of the centre of mass [m]; 0 without points. */
LANE_INLINE lane contact_lowest(const block *b, rotation r, const ground_plane *p)
{
    const lane none = lane_of(-(real)1e9);
    lane count = contact_count_of(b), lowest = none;
    for (int i = 0; i < CONTACT_POINTS; i++) {
        lane drop = contact_drop(to_ned(r, contact_point(b, i)), p);
        lowest = lane_max(lowest, lane_select(count > (real)i, drop, none));
    }
    return lane_select(count > 0, lowest, lane_of(0));
}

/* Distance of the farthest point from the centre of mass [m]. */
LANE_INLINE lane contact_reach(const block *b)
{
    lane farthest = lane_of(0);
    for (int i = 0; i < CONTACT_POINTS; i++) farthest = lane_max(farthest, norm2(contact_point(b, i)));
    return lane_sqrt(farthest);
}

/* A body above its ground. */
typedef struct contact_body {
    lane height; /* m: z of the centre of mass over the ground */
    vec3 vel;    /* m/s, NED */
    vec3 rate;   /* rad/s, FRD */
    rotation r;
} contact_body;

LANE_INLINE contact_law contact_law_of(const block *b, const ground_plane *p)
{
    return (contact_law){lane_load(CONTACT_COLUMN(b, contact_stiffness)),
                         lane_load(CONTACT_COLUMN(b, contact_damping)),
                         p->grip * lane_load(CONTACT_COLUMN(b, contact_grip)), lane_of(CONTACT_DEEPEST)};
}

/* Motion of a point [m, FRD] relative to the ground, which turns about the point below the centre of mass. */
LANE_INLINE contact_motion contact_motion_at(const contact_body *s, const ground_plane *p, vec3 normal,
                                             vec3 point)
{
    vec3 arm = to_ned(s->r, point);
    vec3 deck = add(p->velocity, ground_turning(p, arm.x, arm.y));
    vec3 vel = add(s->vel, to_ned(s->r, cross(s->rate, point)));
    return contact_motion_of(normal, s->height + contact_drop(arm, p), sub(vel, deck));
}

/* Pull of the anchor spring of point i [N, NED]. */
LANE_INLINE vec3 contact_pull_of(const block *b, const ground_plane *p, int i)
{
    const real *column = CONTACT_COLUMN(b, contact_pull) + (size_t)i * b->stride;
    const lane pull[2] = {lane_load(column), lane_load(column + CONTACT_POINTS * b->stride)};
    return ground_along(p, pull);
}

/* Force [N] and moment [N m] of all points, FRD. */
LANE_INLINE wrench contact_wrench(const block *b, const contact_body *s, const ground_plane *p)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    const contact_law law = contact_law_of(b, p);
    const lane count = contact_count_of(b);
    vec3 normal = ground_normal(p);
    wrench sum = {zero, zero};
    for (int i = 0; i < CONTACT_POINTS; i++) {
        vec3 point = contact_point(b, i);
        contact_motion at = contact_motion_at(s, p, normal, point);
        vec3 force = to_body(s->r, contact_force(&law, &at, normal, contact_pull_of(b, p, i)));
        force = vec3_select(count > (real)i, force, zero);
        sum = wrench_add(sum, (wrench){force, cross(point, force)});
    }
    return sum;
}

/* Moves the anchors of the vehicles that are `near` the ground by a step of dt: semi-implicit Euler with the velocities
 * after it. */
LANE_INLINE void contact_advance(const block *b, const contact_body *s, const ground_plane *p, lane dt,
                                 mask near)
{
    const contact_law law = contact_law_of(b, p);
    const lane count = contact_count_of(b);
    vec3 normal = ground_normal(p);
    for (int i = 0; i < CONTACT_POINTS; i++) {
        contact_motion at = contact_motion_at(s, p, normal, contact_point(b, i));
        vec3 pull = contact_pull_of(b, p, i);
        vec3 turning = ground_turning(p, pull.x, pull.y);
        pull = add(pull, scale(dt, add(scale(law.stiffness, at.along), turning)));
        lane support = lane_select(count > (real)i, contact_support(&law, &at), lane_of(0));
        pull = contact_limited(&law, support, pull);
        real *column = CONTACT_COLUMN(b, contact_pull) + (size_t)i * b->stride;
        rows_store_where(near, &pull.x, 1, column, b->stride);
        rows_store_where(near, &pull.y, 1, column + CONTACT_POINTS * b->stride, b->stride);
        rows_store_where(near, &support, 1, CONTACT_COLUMN(b, contact_load) + (size_t)i * b->stride,
                         b->stride);
    }
}

#endif
