/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/solver.h"

#include <math.h>
#include <stdbool.h>

#include "scene/vectors.h"

#define ROUNDS  200
#define SETTLED 1e-13 /* m/s and rad/s: change of a velocity below which contacts are solved */

static void times(const double matrix[9], const double v[3], double product[3])
{
    for (int k = 0; k < 3; k++) product[k] = dot(&matrix[3 * k], v);
}

void rf_solid_answer(const rf_solid *s, const double impulse[3], const double moment[3], double velocity[3],
                     double rate[3])
{
    if (!s->in_fluid) {
        times(s->turning, moment, rate);
        for (int k = 0; k < 3; k++) velocity[k] = s->mobility * impulse[k];
        return;
    }
    double held[3], about[3], swept[3];
    times(s->share, impulse, held);
    cross(s->flow, held, about);
    subtract(moment, about, about);
    times(s->turning, about, rate);
    cross(rate, s->flow, swept);
    times(s->share, swept, held);
    times(s->easing, impulse, velocity);
    subtract(velocity, held, velocity);
}

/* The same of an impulse at an arm. */
static void answer_at(const rf_solid *s, const double arm[3], const double impulse[3], double velocity[3],
                      double rate[3])
{
    double moment[3];
    cross(arm, impulse, moment);
    rf_solid_answer(s, impulse, moment, velocity, rate);
}

/* What does not move stays as it is also under an impulse that is not finite. */
static void push(rf_solid *s, const double arm[3], const double impulse[3], double sense)
{
    double velocity[3], turn[3];
    if (s->mobility == 0) return;
    answer_at(s, arm, impulse, velocity, turn);
    for (int k = 0; k < 3; k++) {
        s->velocity[k] += sense * velocity[k];
        s->rate[k] += sense * turn[k];
    }
}

/* Velocity per impulse at an arm along a direction. */
static double softness(const rf_solid *s, const double arm[3], const double direction[3])
{
    double velocity[3], turn[3], swept[3];
    answer_at(s, arm, direction, velocity, turn);
    cross(turn, arm, swept);
    return (s->in_fluid ? dot(velocity, direction) : s->mobility) + dot(swept, direction);
}

void rf_contact_begin(rf_contact *c)
{
    axes_across(c->normal, c->axes);
    const double *directions[3] = {c->normal, c->axes[0], c->axes[1]};
    for (int i = 0; i < 3; i++) {
        double soft = softness(c->a, c->arm_a, directions[i]) + softness(c->b, c->arm_b, directions[i]);
        c->mass[i] = soft > 0 ? 1 / soft : 0;
        c->impulse[i] = 0;
    }
}

void rf_contact_velocity(const rf_contact *c, double velocity[3])
{
    double of_a[3], of_b[3];
    cross(c->a->rate, c->arm_a, of_a);
    cross(c->b->rate, c->arm_b, of_b);
    for (int k = 0; k < 3; k++) velocity[k] = c->a->velocity[k] + of_a[k] - c->b->velocity[k] - of_b[k];
}

/* Adds impulses along the normal and the axes. */
static void add_impulse(rf_contact *c, const double added[3])
{
    double impulse[3];
    for (int k = 0; k < 3; k++) {
        impulse[k] = added[0] * c->normal[k] + added[1] * c->axes[0][k] + added[2] * c->axes[1][k];
    }
    push(c->a, c->arm_a, impulse, 1);
    push(c->b, c->arm_b, impulse, -1);
    for (int i = 0; i < 3; i++) c->impulse[i] += added[i];
}

/* Solves a contact alone; returns by how much it changed a velocity [m/s]. */
static double solve_normal(rf_contact *c)
{
    double velocity[3], added[3] = {0};
    rf_contact_velocity(c, velocity);
    double wanted = c->impulse[0] + c->mass[0] * (c->aim - dot(velocity, c->normal));
    added[0] = fmax(wanted, 0) - c->impulse[0];
    add_impulse(c, added);
    return c->mass[0] > 0 ? fabs(added[0]) / c->mass[0] : 0;
}

/* The impulse across the normal is one that stops the sliding, or, as large as friction allows, against it. */
static double solve_friction(rf_contact *c)
{
    double velocity[3], wanted[2], size = 0;
    const double limit = c->friction * fmax(c->impulse[0], 0); /* on the way to it, an impulse may pull */
    rf_contact_velocity(c, velocity);
    const double across[2] = {dot(velocity, c->axes[0]), dot(velocity, c->axes[1])};
    const double least = fmin(c->mass[1], c->mass[2]); /* the same for both: else it would pull aside */
    for (int sliding = 0; sliding < 2; sliding++) {
        for (int i = 0; i < 2; i++) {
            wanted[i] = c->impulse[1 + i] - (sliding ? least : c->mass[1 + i]) * across[i];
        }
        size = sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1]);
        if (size <= limit) break;
    }
    const double scale = size > limit ? limit / size : 1;
    const double added[3] = {0, scale * wanted[0] - c->impulse[1], scale * wanted[1] - c->impulse[2]};
    add_impulse(c, added);
    return c->mass[1] > 0 ? (fabs(added[1]) + fabs(added[2])) / c->mass[1] : 0;
}

/* Brings an island to a round; false if it is settled. */
static bool enter_round(rf_settling *island, int round)
{
    if (island->round == round) return !island->settled;
    island->settled |= !(island->change > SETTLED);
    island->round = round;
    island->last = island->square;
    island->change = island->square = 0;
    return !island->settled;
}

/* Solves a contact of a round. */
static void solve_contact(rf_contact *c, rf_solution *at)
{
    rf_settling *island = c->island;
    const double before[3] = {c->impulse[0], c->impulse[1], c->impulse[2]};
    if (!enter_round(island, at->round)) return;
    island->change = fmax(island->change, solve_friction(c));
    island->change = fmax(island->change, solve_normal(c));
    at->change = fmax(at->change, island->change);
    for (int i = 0; i < 3; i++) {
        c->changed[i] = c->impulse[i] - before[i];
        if (c->mass[i] > 0) island->square += c->changed[i] * c->changed[i] / c->mass[i];
    }
}

/* Goes on with the impulse of a contact, or begins with the direction anew. */
static void go_on(rf_contact *c, const rf_solution *at)
{
    const rf_settling *island = c->island;
    if (island->settled || !(island->change > SETTLED)) return;
    const bool first = at->round == 0, falls = island->last > 0 && island->square <= island->last;
    double added[3];
    for (int i = 0; i < 3; i++) {
        added[i] = falls ? island->square / island->last * c->way[i] : 0;
        c->way[i] = falls || first ? added[i] + c->changed[i] : 0;
    }
    if (falls) add_impulse(c, added);
}

bool rf_solve(rf_contact *contacts, size_t count, rf_solution *at, size_t most)
{
    while (true) {
        for (; at->next < count; at->next++) {
            if (most-- == 0) return false;
            solve_contact(&contacts[at->next], at);
        }
        if (!(at->change > SETTLED) || at->round + 1 == ROUNDS) return true;
        for (; at->next < 2 * count; at->next++) {
            if (most-- == 0) return false;
            go_on(&contacts[at->next - count], at);
        }
        *at = (rf_solution){.round = at->round + 1};
    }
}
