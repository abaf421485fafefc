/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/collide.h"

#include <math.h>
#include <string.h>

#include "scene/islands.h"
#include "scene/restitution.h"
#include "scene/vectors.h"

#define IMPACT  0.1  /* m/s, approach above which bodies bounce */
#define NEAR    1e-3 /* m, of surfaces that touch */
#define ROUNDS  32
#define UNDONE  0.2 /* of an overlap, over a time T */
#define FASTEST 0.5 /* m/s, of undoing it: less than what breaks a part */

/* The gap of two shapes when they touch, and its time from now; false if they do not within the duration.  `speed` is the
 * velocity of a relative to b. */
static bool find_touch(const rf_convex *a, const rf_convex *b, const double speed[3], double duration,
                       rf_gap *gap, double *time)
{
    rf_convex moved = *a;
    *time = 0;
    for (int round = 0; round < ROUNDS; round++) {
        *gap = rf_gap_between(&moved, b);
        if (gap->distance <= NEAR) return true;
        double closing = -dot(speed, gap->normal);
        if (closing * (duration - *time) < gap->distance) return false;
        *time += gap->distance / closing;
        for (int k = 0; k < 3; k++) moved.center[k] = a->center[k] + *time * speed[k];
    }
    return true;
}

/* A shape where it is at a time. */
static rf_convex shape_at(const rf_convex *shape, const double velocity[3], double time)
{
    rf_convex moved = *shape;
    for (int k = 0; k < 3; k++) moved.center[k] += time * velocity[k];
    return moved;
}

/* Two shapes that may meet, and what they belong to. */
typedef struct pair {
    rf_collider *a, *b;
    const rf_convex *of_a, *of_b;
    int shape_a, shape_b;
    const double *velocity_b;
    rf_solid *solid_b;
    double friction, restitution;
    double place[3]; /* m, NED, where they meet: result of `meet` */
} pair;

static void add_contact(const pair *p, const rf_gap *gap, const rf_touch *touch, double time,
                        rf_meetings *all)
{
    if (all->count == all->capacity) {
        all->lost++;
        return;
    }
    const rf_solid *a = &p->a->solid, *b = p->solid_b;
    rf_contact *c = &all->contact[all->count];
    *c = (rf_contact){.a = &p->a->solid, .b = p->solid_b, .friction = p->friction};
    memcpy(c->normal, gap->normal, sizeof c->normal);
    for (int k = 0; k < 3; k++) {
        c->arm_a[k] = touch->place[k] - a->center[k] - time * a->velocity[k];
        c->arm_b[k] = touch->place[k] - b->center[k] - time * b->velocity[k];
    }
    all->meeting[all->count++] = (rf_meeting){.a = p->a,
                                              .b = p->b,
                                              .shape_a = p->shape_a,
                                              .shape_b = p->shape_b,
                                              .distance = touch->distance,
                                              .time = time,
                                              .restitution = p->restitution};
}

/* Half the extent of a shape along an axis of NED, about its centre. */
static double extent_of(const rf_convex *shape, int axis)
{
    const double *r = &shape->rotation[3 * axis], *half = shape->half;
    if (shape->kind == RF_CORE_TRIANGLE) {
        const double a = fabs(shape->corner[0][axis]), b = fabs(shape->corner[1][axis]);
        return shape->radius + fmax(fmax(a, b), fabs(shape->corner[2][axis]));
    }
    return shape->radius + fabs(r[0]) * half[0] + fabs(r[1]) * half[1] + fabs(r[2]) * half[2];
}

void rf_collider_reach(const rf_collider *body, const double place[3], double duration, double reach[3])
{
    for (int k = 0; k < 3; k++) {
        reach[k] = 0;
        for (int i = 0; i < body->shapes; i++) {
            const rf_convex *shape = &body->shape[i];
            reach[k] = fmax(reach[k], fabs(shape->center[k] - place[k]) + extent_of(shape, k));
        }
        reach[k] += NEAR + duration * fabs(body->solid.velocity[k]);
    }
}

/* Whether the boxes along NED around two shapes stay apart within the duration: much faster than their gap, which in a fine
 * mesh most are not looked at for.  A shape that is not finite meets nothing. */
static bool stay_apart(const rf_convex *a, const rf_convex *b, const double speed[3], double duration)
{
    for (int k = 2; k >= 0; k--) { /* what lies below is what there is most of */
        const double way = NEAR + duration * fabs(speed[k]);
        if (!(fabs(a->center[k] - b->center[k]) <= extent_of(a, k) + extent_of(b, k) + way)) return true;
    }
    return false;
}

/* The middle of the places at which two shapes meet. */
static void middle_of(const rf_touch *places, int count, double middle[3])
{
    for (int k = 0; k < 3; k++) {
        middle[k] = 0;
        for (int i = 0; i < count; i++) middle[k] += places[i].place[k] / count;
    }
}

/* Adds the contacts of two shapes, if they meet; returns whether they do. */
static bool meet(pair *p, rf_meetings *all)
{
    double speed[3], time;
    rf_gap gap;
    subtract(p->a->solid.velocity, p->velocity_b, speed);
    if (stay_apart(p->of_a, p->of_b, speed, all->duration)) return false;
    if (!find_touch(p->of_a, p->of_b, speed, all->duration, &gap, &time)) return false;
    rf_convex of_a = shape_at(p->of_a, p->a->solid.velocity, time),
              of_b = shape_at(p->of_b, p->velocity_b, time);
    for (int k = 0; k < 3; k++) { /* from where b is now to where both are then */
        gap.at_a[k] += time * p->velocity_b[k];
        gap.at_b[k] += time * p->velocity_b[k];
    }
    rf_touch places[RF_TOUCH_PLACES];
    int count = rf_manifold(&of_a, &of_b, &gap, places);
    for (int i = 0; i < count; i++) add_contact(p, &gap, &places[i], time, all);
    middle_of(places, count, p->place);
    return true;
}

static void note_meeting(rf_collider *c, uint32_t with, const double place[3])
{
    c->met = true;
    c->with = with;
    memcpy(c->place, place, sizeof c->place);
}

static bool may_meet(const rf_collider *a, const rf_collider *b, double duration)
{
    double apart[3], speed[3];
    subtract(a->solid.center, b->solid.center, apart);
    subtract(a->solid.velocity, b->solid.velocity, speed);
    double reach = a->reach + b->reach + NEAR + duration * sqrt(dot(speed, speed));
    return dot(apart, apart) <= reach * reach;
}

void rf_collide_pair(rf_collider *a, rf_collider *b, rf_meetings *meetings)
{
    if (!may_meet(a, b, meetings->duration)) return;
    pair p = {.a = a, .b = b, .velocity_b = b->solid.velocity, .solid_b = &b->solid};
    p.friction = sqrt(a->friction * b->friction);
    p.restitution = sqrt(a->restitution * b->restitution);
    for (p.shape_a = 0; p.shape_a < a->shapes; p.shape_a++) {
        for (p.shape_b = 0; p.shape_b < b->shapes; p.shape_b++) {
            p.of_a = &a->shape[p.shape_a];
            p.of_b = &b->shape[p.shape_b];
            if (!meet(&p, meetings)) continue;
            note_meeting(a, b->id, p.place);
            note_meeting(b, a->id, p.place);
        }
    }
}

void rf_collide_obstacle(rf_collider *a, const rf_obstacle *b, uint32_t number, rf_meetings *meetings)
{
    pair p = {.a = a, .of_b = &b->shape, .velocity_b = meetings->world.velocity, .solid_b = &meetings->world};
    p.friction = sqrt(a->friction * b->friction);
    p.restitution = sqrt(a->restitution * b->restitution);
    for (p.shape_a = 0; p.shape_a < a->shapes; p.shape_a++) {
        p.of_a = &a->shape[p.shape_a];
        if (meet(&p, meetings)) note_meeting(a, number, p.place);
    }
}

/* ---- impacts ---- */

static void note_struck(rf_collider *c, const rf_collider *other)
{
    c->struck_id = other->id;
    c->struck_mobility = other->solid.mobility;
    memcpy(c->struck_velocity, other->solid.velocity, sizeof c->struck_velocity);
}

/* Notes an impact of a body with another, or an obstacle, and its velocity before all of them. */
static void note_impact(rf_collider *c, int shape, const rf_collider *other, double speed, double time)
{
    if (c == NULL) return;
    if (other != NULL && (c->struck_id == 0 || speed > c->impact)) note_struck(c, other);
    c->impact = fmax(c->impact, speed);
    c->hit[shape] = fmax(c->hit[shape], speed);
    c->first = c->loaded ? fmin(c->first, time) : time;
    c->loaded = true;
}

static void remember(rf_collider *c)
{
    if (c == NULL) return;
    memcpy(c->before, c->solid.velocity, sizeof c->solid.velocity);
    memcpy(c->before + 3, c->solid.rate, sizeof c->solid.rate);
}

/* Notes whether a body was pushed, also by one that it touches. */
static void note_push(rf_collider *c)
{
    if (c == NULL) return;
    for (int k = 0; k < 3; k++) {
        c->pushed |= c->before[k] != c->solid.velocity[k] || c->before[3 + k] != c->solid.rate[k];
    }
}

/* Sets what the contacts aim at: to bounce where the approach is fast, else to stop what touches.  Returns whether one is
 * fast. */
static bool begin_impacts(rf_meetings *all)
{
    bool any = false;
    rf_islands_find(all);
    for (size_t i = 0; i < all->count; i++) {
        rf_contact *c = &all->contact[i];
        const rf_meeting *m = &all->meeting[i];
        double velocity[3];
        rf_contact_begin(c);
        rf_contact_velocity(c, velocity);
        double approach = -dot(velocity, c->normal);
        c->aim = approach > IMPACT ? m->restitution * approach : 0;
        remember(m->a);
        remember(m->b);
        if (approach <= IMPACT) continue;
        any = rf_island_of(m->a)->impacts = true;
        if (m->distance < -RF_COLLIDE_DEEP) continue;
        note_impact(m->a, m->shape_a, m->b, approach, m->time);
        note_impact(m->b, m->shape_b, m->a, approach, m->time);
    }
    return any;
}

/* Moves a body by what it would have gone with the velocity of before until its impact, less that with the new one. */
static void move_to_impact(rf_collider *c)
{
    if (c == NULL || !c->loaded) return;
    c->loaded = false;
    for (int k = 0; k < 3; k++) c->solid.center[k] += c->first * (c->before[k] - c->solid.velocity[k]);
}

static void end_impacts(rf_meetings *all)
{
    for (size_t i = 0; i < all->count; i++) {
        note_push(all->meeting[i].a);
        note_push(all->meeting[i].b);
        move_to_impact(all->meeting[i].a);
        move_to_impact(all->meeting[i].b);
    }
}

/* ---- support ---- */

/* Gives a body the velocities that it has at T without contacts. */
static void load(rf_collider *c, double duration)
{
    if (c == NULL || c->loaded) return;
    c->loaded = true;
    memcpy(c->before, c->solid.velocity, sizeof c->solid.velocity);
    memcpy(c->before + 3, c->solid.rate, sizeof c->solid.rate);
    for (int k = 0; k < 3; k++) {
        c->solid.velocity[k] += duration * c->acceleration[k];
        c->solid.rate[k] += duration * c->turning_up[k];
    }
}

static void unload(rf_collider *c)
{
    if (c == NULL || !c->loaded) return;
    c->loaded = false;
    memcpy(c->solid.velocity, c->before, sizeof c->solid.velocity);
    memcpy(c->solid.rate, c->before + 3, sizeof c->solid.rate);
}

/* Adds the force of an impulse over T at an arm. */
static void add_force(rf_collider *c, const double arm[3], const double impulse[3], double per_time)
{
    if (c == NULL) return;
    double moment[3];
    cross(arm, impulse, moment);
    for (int k = 0; k < 3; k++) {
        c->force[k] += per_time * impulse[k];
        c->torque[k] += per_time * moment[k];
    }
}

static void begin_support(rf_meetings *all)
{
    const double per_time = 1 / all->duration;
    for (size_t i = 0; i < all->count; i++) {
        double gap = all->meeting[i].distance;
        load(all->meeting[i].a, all->duration);
        load(all->meeting[i].b, all->duration);
        rf_contact_begin(&all->contact[i]);
        all->contact[i].aim = gap > 0 ? -gap * per_time : fmin(-UNDONE * gap * per_time, FASTEST);
    }
}

static void end_support(rf_meetings *all)
{
    const double per_time = 1 / all->duration;
    for (size_t i = 0; i < all->count; i++) {
        const rf_contact *c = &all->contact[i];
        double impulse[3];
        unload(all->meeting[i].a);
        unload(all->meeting[i].b);
        for (int k = 0; k < 3; k++) {
            impulse[k] =
                c->impulse[0] * c->normal[k] + c->impulse[1] * c->axes[0][k] + c->impulse[2] * c->axes[1][k];
        }
        add_force(all->meeting[i].a, c->arm_a, impulse, per_time);
        add_force(all->meeting[i].b, c->arm_b, impulse, -per_time);
    }
}

/* ---- one after the other ---- */

/* Begins the solution of a phase, in which islands without fast impacts have nothing to solve before that of support. */
static void begin_solution(rf_meetings *all)
{
    all->solution = (rf_solution){0};
    for (size_t i = 0; i < all->count; i++) {
        rf_island *island = rf_island_of(all->meeting[i].a);
        island->settling = (rf_settling){.settled = all->phase != RF_COLLIDE_SUPPORT && !island->impacts};
    }
}

/* Ends a phase and begins the next. */
static rf_collide_phase next_phase(rf_meetings *all)
{
    switch (all->phase) {
    case RF_COLLIDE_NEW:
        if (begin_impacts(all)) return RF_COLLIDE_NEWTON;
        break;
    case RF_COLLIDE_NEWTON:
        if (rf_restitution_begin(all)) return RF_COLLIDE_PLASTIC;
        end_impacts(all);
        break;
    case RF_COLLIDE_PLASTIC:
        rf_restitution_end(all);
        end_impacts(all);
        break;
    case RF_COLLIDE_SUPPORT:
        end_support(all);
        return RF_COLLIDE_NEW;
    }
    begin_support(all);
    return RF_COLLIDE_SUPPORT;
}

bool rf_collide(rf_meetings *all, size_t most)
{
    while (all->phase == RF_COLLIDE_NEW || rf_solve(all->contact, all->count, &all->solution, most)) {
        all->phase = next_phase(all);
        if (all->phase == RF_COLLIDE_NEW) return true;
        begin_solution(all);
    }
    return false;
}
