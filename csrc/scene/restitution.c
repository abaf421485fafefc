/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/restitution.h"

#include <math.h>
#include <string.h>

#include "scene/islands.h"
#include "scene/vectors.h"

#define ROUNDED 1e-10 /* of the energy that compression takes: no more than what the solver leaves */

static void store_velocities(const rf_solid *s, double velocities[6])
{
    memcpy(velocities, s->velocity, sizeof s->velocity);
    memcpy(velocities + 3, s->rate, sizeof s->rate);
}

static void load_velocities(rf_solid *s, const double velocities[6])
{
    memcpy(s->velocity, velocities, sizeof s->velocity);
    memcpy(s->rate, velocities + 3, sizeof s->rate);
}

/* ---- the two solutions ---- */

static void keep_newton(rf_collider *c)
{
    store_velocities(&c->solid, c->newton);
}

static void take_back(rf_collider *c)
{
    load_velocities(&c->solid, c->before);
}

static void keep_plastic(rf_collider *c)
{
    store_velocities(&c->solid, c->plastic);
}

/* Keeps Newton's solution, and goes back to before it, with contacts without restitution. */
static void begin_plastic(rf_meetings *all)
{
    rf_each_body(all, keep_newton);
    for (size_t i = 0; i < all->count; i++) {
        memcpy(all->meeting[i].newton, all->contact[i].impulse, sizeof all->meeting[i].newton);
        rf_contact_velocity(&all->contact[i], all->meeting[i].after);
    }
    rf_each_body(all, take_back);
    for (size_t i = 0; i < all->count; i++) {
        rf_contact *c = &all->contact[i];
        rf_contact_velocity(c, all->meeting[i].start);
        memset(c->impulse, 0, sizeof c->impulse);
        c->aim = 0;
    }
}

/* ---- energies ---- */

/* Work of an impulse along the normal and the axes of a contact, by a relative velocity. */
static double work(const rf_contact *c, const double impulse[3], const double velocity[3])
{
    return impulse[0] * dot(c->normal, velocity) + impulse[1] * dot(c->axes[0], velocity) +
           impulse[2] * dot(c->axes[1], velocity);
}

/* Adds the changes of the kinetic energy by the impulses of a contact: of mean velocity times impulse. */
static void add_energies(const rf_contact *c, const rf_meeting *m)
{
    rf_island *island = rf_island_of(m->a);
    double velocity[3], mean_newton[3], mean_plastic[3], apart[3], impulse[3];
    rf_contact_velocity(c, velocity);
    for (int k = 0; k < 3; k++) {
        mean_newton[k] = 0.5 * (m->start[k] + m->after[k]);
        mean_plastic[k] = 0.5 * (m->start[k] + velocity[k]);
        apart[k] = m->after[k] - velocity[k];
        impulse[k] = m->newton[k] - c->impulse[k];
    }
    island->newton += work(c, m->newton, mean_newton);
    island->plastic += work(c, c->impulse, mean_plastic);
    island->apart += 0.5 * work(c, impulse, apart);
    island->restitution = fmax(island->restitution, m->restitution);
}

/* s: the energy is that of the plastic impact and s slope + s^2 apart, and the limit between those of both solutions. */
static double share_of(const rf_island *island)
{
    const double taken = -island->plastic, given = island->newton - island->plastic;
    const double most = island->restitution * island->restitution * taken;
    if (!(given > most + ROUNDED * taken)) return 1;
    const double slope = given - island->apart;
    const double root = sqrt(fmax(0, slope * slope + 4 * island->apart * most));
    return island->apart > 0 ? fmin(1, fmax(0, (root - slope) / (2 * island->apart))) : 0;
}

static void blend(rf_collider *c)
{
    const double share = share_of(rf_island_of(c));
    double velocities[6];
    for (int k = 0; k < 6; k++) velocities[k] = c->plastic[k] + share * (c->newton[k] - c->plastic[k]);
    load_velocities(&c->solid, share == 1 ? c->newton : velocities);
}

static bool any_rebounds(const rf_meetings *all)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->contact[i].aim > 0) return true;
    }
    return false;
}

bool rf_restitution_begin(rf_meetings *all)
{
    if (!any_rebounds(all)) return false;
    begin_plastic(all);
    return true;
}

void rf_restitution_end(rf_meetings *all)
{
    rf_each_body(all, keep_plastic);
    for (size_t i = 0; i < all->count; i++) add_energies(&all->contact[i], &all->meeting[i]);
    rf_each_body(all, blend);
}
