/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/collisions.h"

#include <string.h>

#include "base/limits.h"
#include "base/status.h"
#include "parts/collision/columns.h"
#include "scene/collide.h"
#include "scene/near.h"
#include "scene/vectors.h"
#include "world/layout.h"
#include "world/neighbours.h"
#include "world/reports.h"
#include "world/thinning.h"

#define CONTACTS 4 /* of a vehicle, on average, and some */
#define MORE     1024

#define GROUND_RESTITUTION 0.2 /* estimated */
#define LEAST_UPRIGHT                                                                                        \
    0.5 /* cosine of a tilt, estimated: beyond it a vehicle does not come down on its undercarriage */
#define LEAST_STRIKE  0.5 /* m/s: slower nothing breaks */
#define MOST_CONTACTS 200 /* of a vehicle with the scene, before they are thinned out */

/* Work, in the parts of world/pace.h. */
#define WORK_OF_MEETING 100 /* of a vehicle with another, or with an obstacle */
#define WORK_OF_CONTACT 4   /* in a round of their solution */
#define CONTACTS_ONCE   5000

/* What is to be done to a vehicle at the end of an update. */
typedef struct outcome {
    uint32_t rank;
    enum { RELEASED, STRIKES, STRIKES_UPRIGHT } what;
    double speed; /* m/s, onto the ground */
} outcome;

/* The memory of the stage, for all vehicles of the batches; all of it is zero at first. */
typedef struct memory {
    size_t count;      /* of batches */
    uint64_t *version; /* of the columns of each batch */
    neighbours near;
    rf_collider *collider; /* in the order of use */
    uint32_t *owner;       /* of a collider, its rank */
    uint32_t *of;          /* of a rank, its collider and 1, or 0 */
    size_t colliders;
    uint32_t *fresh; /* of RF_BODIES_AT_ONCE vehicles, the update of their mass and inertia */
    uint32_t update;
    rf_meetings meetings;
    outcome *outcome; /* two of each vehicle at most */
    size_t outcomes;
    size_t at;             /* of active vehicles, whose surroundings are looked at */
    const uint32_t *other; /* ranks that may meet it, which are not looked at yet; NULL: none is yet */
    size_t others;
    bool found;                 /* its contacts are */
    collision_columns *columns; /* of each batch */
    size_t *group;              /* of each batch, its first in `fresh` */
} memory;

/* Vehicles of the stage, as many as there is room for. */
static size_t vehicles_of(rf_batch *const *batches, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (rf_batch_has_part(batches[i], RF_PART_collision))
            n += neighbours_room(rf_batch_get_def(batches[i])->n);
    }
    return n;
}

/* Groups of RF_BODIES_AT_ONCE at most. */
static size_t groups_of(size_t vehicles, size_t count)
{
    return vehicles / RF_BODIES_AT_ONCE + count;
}

/* Lays the arrays out, after the struct; returns the number of bytes. */
static size_t lay_out(memory *m, char *from, size_t vehicles, size_t count)
{
    size_t at = (sizeof *m + 15) / 16 * 16;
    const size_t contacts = CONTACTS * vehicles + MORE;
    m->collider = take(from, &at, vehicles, sizeof *m->collider);
    m->owner = take(from, &at, vehicles, sizeof *m->owner);
    m->of = take(from, &at, vehicles, sizeof *m->of);
    m->fresh = take(from, &at, groups_of(vehicles, count), sizeof *m->fresh);
    m->outcome = take(from, &at, 2 * vehicles, sizeof *m->outcome);
    m->version = take(from, &at, count, sizeof *m->version);
    m->columns = take(from, &at, count, sizeof *m->columns);
    m->group = take(from, &at, count, sizeof *m->group);
    m->meetings.contact = take(from, &at, contacts, sizeof *m->meetings.contact);
    m->meetings.meeting = take(from, &at, contacts, sizeof *m->meetings.meeting);
    m->meetings.capacity = contacts;
    char *near = take(from, &at, neighbours_lay_out(&m->near, vehicles, NULL), 1);
    neighbours_lay_out(&m->near, vehicles, near);
    return at;
}

/* Looks the columns of the batches up. */
static void find_columns(memory *m, rf_batch *const *batches, size_t count)
{
    size_t groups = 0;
    for (size_t i = 0; i < count; i++) {
        m->version[i] = rf_batch_columns_version(batches[i]);
        m->columns[i] = collision_columns_of(batches[i]);
        m->group[i] = groups;
        groups += (m->columns[i].vehicles + RF_BODIES_AT_ONCE - 1) / RF_BODIES_AT_ONCE;
    }
}

/* Whether the memory is that of these batches, with the columns that they have now. */
static bool is_of(const memory *m, rf_batch *const *batches, size_t count)
{
    bool same = m->count == count;
    for (size_t i = 0; i < count && same; i++) same = m->version[i] == rf_batch_columns_version(batches[i]);
    return same;
}

/* The memory in the workspace of the first batch, or NULL. */
static memory *memory_of(rf_batch *const *batches, size_t count)
{
    const size_t n = vehicles_of(batches, count);
    memory sizes = {.count = 0};
    memory *m = rf_batch_workspace(batches[0], RF_WORKSPACE_COLLISIONS, lay_out(&sizes, NULL, n, count));
    if (m == NULL || is_of(m, batches, count)) return m;
    *m = (memory){.count = count};
    lay_out(m, (char *)m, n, count);
    memset(m->of, 0, n * sizeof *m->of);
    memset(m->fresh, 0, groups_of(n, count) * sizeof *m->fresh);
    find_columns(m, batches, count);
    return m;
}

/* ---- bodies ---- */

/* What a search for contacts works with. */
typedef struct search {
    memory *m;
    rf_collisions *stage;
    uint32_t tick;
    double dt;
    rf_collider *body; /* of the vehicle whose surroundings are looked at */
    const double *pos; /* m, NED, of that vehicle */
    bool low;          /* it is near the ground, which is this one */
    collision_ground ground;
    size_t first; /* of its contacts with the scene */
    size_t work;  /* with it */
} search;

/* Computes mass and inertia of a vehicle, once in an update. */
static void refresh_body(memory *m, const neighbour *v)
{
    uint32_t *fresh = &m->fresh[m->group[v->batch] + v->row / RF_BODIES_AT_ONCE];
    if (*fresh == m->update) return;
    *fresh = m->update;
    rf_batch_update_bodies_locked(m->columns[v->batch].batch, v->row);
}

/* The body of a vehicle, which is read when something is near for the first time. */
static rf_collider *body_of(search *s, size_t rank)
{
    memory *m = s->m;
    if (m->of[rank] != 0) return &m->collider[m->of[rank] - 1];
    const neighbour *v = neighbour_at(&m->near, rank);
    refresh_body(m, v);
    m->owner[m->colliders] = (uint32_t)rank;
    rf_collider *body = &m->collider[m->colliders++];
    m->of[rank] = (uint32_t)m->colliders;
    collider_load(&m->columns[v->batch], v->row, s->tick, s->stage->period, s->dt, body);
    body->id = v->id;
    return body;
}

/* ---- contacts ---- */

/* Looks at two vehicles; returns how much work that was. */
static size_t meet_other(search *s, size_t rank, size_t rank_of_other)
{
    const neighbour *v = neighbour_at(&s->m->near, rank), *other = neighbour_at(&s->m->near, rank_of_other);
    double apart[3], reach = v->span + other->span + RF_COLLIDE_GAP;
    subtract(v->pos, other->pos, apart);
    if (dot(apart, apart) > reach * reach) return 1;
    rf_collider *a = body_of(s, rank);
    rf_collide_pair(a, body_of(s, rank_of_other), &s->m->meetings);
    return WORK_OF_MEETING;
}

/* Meets the vehicles after one; false where it pauses. */
static bool meet_others(search *s, size_t rank)
{
    memory *m = s->m;
    if (m->other == NULL) m->other = neighbours_after(&m->near, rank, &m->others);
    while (m->others > 0) {
        const size_t work = meet_other(s, rank, *m->other++);
        m->others--;
        if (pace_is_over(&s->stage->pace, work)) return false;
    }
    m->other = NULL;
    return true;
}

static void add_outcome(memory *m, outcome added)
{
    m->outcome[m->outcomes++] = added;
}

/* A box below a place, whose upper face is the ground, with a half size. */
static rf_obstacle ground_box(const collision_ground *ground, const double place[3], double half)
{
    rf_obstacle box = {.friction = ground->friction, .restitution = GROUND_RESTITUTION};
    double down[3], axes[2][3];
    for (int k = 0; k < 3; k++) down[k] = -ground->up[k];
    axes_across(down, axes);
    box.shape = (rf_convex){.kind = RF_CORE_BOX, .half = {half, half, half}};
    for (int k = 0; k < 3; k++) {
        box.shape.center[k] = place[k] + (ground->height + half) * down[k];
        box.shape.rotation[3 * k] = axes[0][k];
        box.shape.rotation[3 * k + 1] = axes[1][k];
        box.shape.rotation[3 * k + 2] = down[k];
    }
    return box;
}

/* Looks whether a vehicle comes to the ground within the period with its undercarriage, or its centre of mass, faster than it takes. */
static void strike_ground(const search *s, size_t rank, const collision_columns *c,
                          const collision_ground *ground)
{
    const neighbour *v = neighbour_at(&s->m->near, rank);
    double relative[3];
    for (int k = 0; k < 3; k++) relative[k] = value_of(&c->vel, k, v->row) - ground->velocity[k];
    const double speed = -dot(relative, ground->up), landing = value_of(&c->collision_landing, 0, v->row);
    const bool upright = ground->upright > LEAST_UPRIGHT,
               broken = c->crashed[v->row] & COLLISION_UNDERCARRIAGE;
    if (ground->standing > RF_TOUCH_HEIGHT + speed * s->stage->duration) return;
    if (upright ? landing > 0 && speed > landing && !broken : ground->on_centre && speed > LEAST_STRIKE) {
        add_outcome(s->m, (outcome){(uint32_t)rank, upright ? STRIKES_UPRIGHT : STRIKES, speed});
    }
}

static void meet_ground(search *s, size_t rank)
{
    const neighbour *v = neighbour_at(&s->m->near, rank);
    const collision_columns *c = &s->m->columns[v->batch];
    s->low = v->low;
    if (!v->low) return;
    collision_ground_of(c, v->row, &s->ground);
    strike_ground(s, rank, c, &s->ground);
    if (s->ground.height > v->span + RF_COLLIDE_GAP) return;
    const rf_obstacle box = ground_box(&s->ground, v->pos, 2 * v->span);
    rf_collide_obstacle(body_of(s, rank), &box, COLLISION_WITH_GROUND, &s->m->meetings);
}

/* Whether a contact is with a surface that faces up and is no higher than the ground, which is there in its place. */
static bool is_under_ground(const search *s, const rf_contact *c, const rf_meeting *m)
{
    const double facing = dot(c->normal, s->ground.up);
    double place[3];
    for (int k = 0; k < 3; k++) {
        place[k] = c->a->center[k] + m->time * c->a->velocity[k] + c->arm_a[k] - s->pos[k];
    }
    const double height = s->ground.above + dot(place, s->ground.up) - 0.5 * m->distance * facing;
    return facing > LEAST_UPRIGHT && height < RF_COLLIDE_DEEP;
}

/* Whether a contact would push a vehicle which stands down, out of what it overlaps: the ground is in the way. */
static bool is_buried(const search *s, const rf_contact *c, const rf_meeting *m)
{
    return s->ground.standing < RF_TOUCH_HEIGHT && c->normal[2] > 0.5 && m->distance < -RF_COLLIDE_DEEP;
}

/* Drops contacts after the first `count` with what the ground stands for. */
static void drop_grounded(const search *s, size_t count)
{
    rf_meetings *all = &s->m->meetings;
    size_t kept = count;
    for (size_t i = count; i < all->count; i++) {
        const rf_contact *c = &all->contact[i];
        if (is_under_ground(s, c, &all->meeting[i]) || is_buried(s, c, &all->meeting[i])) continue;
        all->contact[kept] = *c;
        all->meeting[kept++] = all->meeting[i];
    }
    all->count = kept;
}

static void meet_obstacle(void *context, const rf_obstacle *obstacle, uint32_t shape)
{
    search *s = context;
    const size_t before = s->m->meetings.count;
    const bool met = s->body->met;
    const uint32_t with = s->body->with;
    rf_collide_obstacle(s->body, obstacle, COLLISION_WITH_SCENE | shape, &s->m->meetings);
    if (s->low && s->m->meetings.count > before) {
        drop_grounded(s, before);
        if (s->m->meetings.count == before) s->body->met = met, s->body->with = with;
    }
    s->work += WORK_OF_MEETING;
    if (s->m->meetings.count - s->first > MOST_CONTACTS) thin_out(&s->m->meetings, s->first);
}

static void meet_scene(search *s, size_t rank)
{
    const neighbour *v = neighbour_at(&s->m->near, rank);
    const double distance = v->span + RF_COLLIDE_GAP;
    double reach[3];
    s->work = 0;
    if (!v->near_scene || !rf_scene_is_near(s->stage->scene, v->pos, distance)) return;
    s->body = body_of(s, rank);
    s->pos = v->pos;
    s->first = s->m->meetings.count;
    rf_collider_reach(s->body, v->pos, s->stage->duration, reach);
    rf_scene_near(s->stage->scene, v->pos, distance, reach, meet_obstacle, s);
}

/* Lets go of a vehicle that had contacts and has nothing near. */
static void release_if_alone(memory *m, size_t rank)
{
    const neighbour *v = neighbour_at(&m->near, rank);
    const collision_columns *c = &m->columns[v->batch];
    if (m->of[rank] == 0 && c->collision_touches[v->row])
        add_outcome(m, (outcome){(uint32_t)rank, RELEASED, 0});
}

/* Finds what a vehicle meets; false where it pauses. */
static bool meet_all(search *s, size_t rank)
{
    if (!meet_others(s, rank)) return false;
    meet_ground(s, rank);
    meet_scene(s, rank);
    release_if_alone(s->m, rank); /* those after it look at none before */
    s->m->found = true;
    return !pace_is_over(&s->stage->pace, 1 + s->work);
}

/* Whether an active vehicle is the last of its group. */
static bool ends_group(const neighbours *n, size_t i)
{
    return i + 1 == n->actives || n->order[n->active[i + 1]].group != n->order[n->active[i]].group;
}

/* Solves what was found, which is of one group; false where it pauses. */
static bool solve(const search *s)
{
    rf_meetings *all = &s->m->meetings;
    while (all->count > 0) {
        if (rf_collide(all, CONTACTS_ONCE)) all->count = 0;
        if (pace_is_over(&s->stage->pace, WORK_OF_CONTACT * CONTACTS_ONCE)) return false;
    }
    return true;
}

/* Goes on with the vehicles; false where it pauses. */
static bool go_on(search *s)
{
    memory *m = s->m;
    for (; m->at < m->near.actives; m->at++) {
        if (!m->found && !meet_all(s, m->near.active[m->at])) return false;
        if (ends_group(&m->near, m->at) && !solve(s)) return false;
        m->found = false;
    }
    return true;
}

/* ---- the stage ---- */

static void begin(search *s, size_t batches)
{
    memory *m = s->m;
    m->update = m->update == UINT32_MAX ? 1 : m->update + 1;
    neighbours_update(&m->near, m->columns, batches, s->stage->scene, s->stage->duration);
    for (size_t i = 0; i < m->colliders; i++) m->of[m->owner[i]] = 0; /* of the last update */
    m->colliders = m->outcomes = m->at = 0;
    m->other = NULL;
    m->found = false;
    m->meetings.count = m->meetings.lost = 0;
    m->meetings.phase = RF_COLLIDE_NEW;
    m->meetings.duration = s->stage->duration;
}

/* Tells the models of a batch in libraries, if it has such, of the walls. */
static void report_all_walls(const collision_columns *c, const rf_scene *scene)
{
    for (size_t row = 0; row < c->vehicles && rf_batch_library(c->batch, row) != NULL; row++) {
        report_walls(c, row, scene);
    }
}

/* Writes what has happened.  Nothing is written before but mass and inertia, so that an update which is not finished changes
 * nothing. */
static void store(const search *s)
{
    const memory *m = s->m;
    for (size_t i = 0; i < m->outcomes; i++) {
        const outcome *o = &m->outcome[i];
        const neighbour *v = neighbour_at(&m->near, o->rank);
        const collision_columns *c = &m->columns[v->batch];
        if (o->what == RELEASED) {
            collider_release(c, v->row);
        } else {
            collider_strike(c, v->row, s->tick, o->what == STRIKES_UPRIGHT, o->speed);
        }
    }
    for (size_t i = 0; i < m->count; i++) report_all_walls(&m->columns[i], s->stage->scene);
    for (size_t i = 0; i < m->colliders; i++) {
        const neighbour *v = neighbour_at(&m->near, m->owner[i]);
        collider_store(&m->columns[v->batch], v->row, s->tick, s->stage->duration, &m->collider[i]);
    }
}

/* An update; it pauses. */
static bool run(void *context, rf_batch *const *batches, size_t count)
{
    rf_collisions *stage = context;
    memory *m = stage->memory;
    search s = {.m = m,
                .stage = stage,
                .tick = (uint32_t)rf_batch_tick(batches[0]),
                .dt = rf_batch_get_def(batches[0])->dt};
    if (!stage->begun) begin(&s, count);
    stage->begun = true;
    if (!go_on(&s)) return false;
    stage->begun = false;
    store(&s);
    return true;
}

int rf_collisions_stage(rf_collisions *collisions, rf_batch *const *batches, size_t count,
                        const rf_scene *scene, rf_world_stage *stage)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t period = rf_batch_get_def(batches[i])->periods[RF_STAGE_ENVIRONMENT];
        if (!rf_batch_has_part(batches[i], RF_PART_collision) || period == 0) continue;
        const double duration = period * rf_batch_get_def(batches[i])->dt;
        *collisions = (rf_collisions){scene, period, duration, memory_of(batches, count), false, {0}};
        *stage = (rf_world_stage){period, run, collisions};
        return collisions->memory == NULL ? RF_NO_MEMORY : 1;
    }
    return 0;
}
