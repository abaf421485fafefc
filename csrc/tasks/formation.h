/* SPDX-License-Identifier: BSD-3-Clause */
/* Formation: the vehicles of an environment fly to places on a circle about a common middle, clear of each other.
 *
 * Vehicle i of m has the place at the angle a + 2 pi i / m on a circle of radius task_spread; a is random.  It starts at
 * the place of another one, i + j, off by the start's position, with a random j: so their ways cross.
 *
 *     reward        that of tasks/hover.h; the last cost only to those that end it
 *     end           of all, where a vehicle is nearer than task_separation to another, or as tasks/hover.h */
#ifndef RF_TASKS_FORMATION_H
#define RF_TASKS_FORMATION_H

#include "tasks/hover.h"
#include "tasks/start.h"

typedef struct formation_neighbours {
    vec3 pos[TASK_NEIGHBOURS], vel[TASK_NEIGHBOURS]; /* less the own */
    lane square[TASK_NEIGHBOURS]; /* of the distance, ascending; infinite where there is none */
} formation_neighbours;

/* Rows of the bodies of other vehicles of the environments: of each, that `after` its own, counted around. */
LANE_INLINE void formation_other(const task_view *v, int after, vec3 *pos, vec3 *vel)
{
    const block *b = v->b;
    const size_t agents = (size_t)v->scene->agents;
    _Alignas(64) real rows[6][LANE_WIDTH];
    for (size_t i = 0; i < LANE_WIDTH; i++) {
        size_t own = (b->first + i) % agents, other = (own + (size_t)after) % agents;
        ptrdiff_t at = (ptrdiff_t)i + (ptrdiff_t)other - (ptrdiff_t)own;
        for (int k = 0; k < 6; k++) rows[k][i] = b->column[at + k * (ptrdiff_t)b->stride];
    }
    *pos = sub(vec3_of(lane_load(rows[0]), lane_load(rows[1]), lane_load(rows[2])), v->f.pos);
    *vel = sub(vec3_of(lane_load(rows[3]), lane_load(rows[4]), lane_load(rows[5])), v->f.vel);
}

/* Puts a vehicle among the nearest, at its place by the distance. */
LANE_INLINE void formation_insert(formation_neighbours *near, vec3 pos, vec3 vel)
{
    lane square = norm2(pos);
    for (int k = 0; k < TASK_NEIGHBOURS; k++) {
        mask nearer = square < near->square[k];
        vec3 other_pos = near->pos[k], other_vel = near->vel[k];
        lane other = near->square[k];
        near->pos[k] = vec3_select(nearer, pos, other_pos);
        near->vel[k] = vec3_select(nearer, vel, other_vel);
        near->square[k] = lane_select(nearer, square, other);
        pos = vec3_select(nearer, other_pos, pos);
        vel = vec3_select(nearer, other_vel, vel);
        square = lane_select(nearer, other, square);
    }
}

LANE_INLINE formation_neighbours formation_neighbours_of(const task_view *v)
{
    formation_neighbours near;
    const vec3 none = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    for (int k = 0; k < TASK_NEIGHBOURS; k++) {
        near.pos[k] = near.vel[k] = none;
        near.square[k] = lane_of((real)1e30);
    }
    for (int after = 1; after < v->scene->agents; after++) {
        vec3 pos, vel;
        formation_other(v, after, &pos, &vel);
        formation_insert(&near, pos, vel);
    }
    return near;
}

/* The place of an index on the circle. */
LANE_INLINE vec3 formation_place(const task_view *v, lane middle_angle, lane index)
{
    lane sine, cosine;
    lane_sincos(middle_angle + (real)(2 * TRIG_PI / v->scene->agents) * index, &sine, &cosine);
    return scale(v->t.task_spread, vec3_of(cosine, sine, lane_of(0)));
}

/* Draws the circle, gives vehicles their places on it, and puts them where the place is that is so many further. */
LANE_INLINE void formation_place_all(task_view *v, mask which, lane shift)
{
    body s = task_body(v->b);
    random_block random;
    task_random_shared(&random, v->b, TASK_STREAM_FORMATION);
    lane angle = (2 * TRIG_PI) * task_uniform(&random, 0);
    lane own = lane_of_words(words_load(block_flag(v->b, RF_FLAG_RANDOM_VEHICLE)));
    task_random_shared(&random, v->b, TASK_STREAM_FORMATION + 1);
    vec3 middle = add(v->t.task_goal_middle, mul(v->t.task_goal_range, task_box(&random)));
    s.pos = add(s.pos, sub(add(middle, formation_place(v, angle, own + shift)), v->t.task_goal_middle));
    v->t.task_middle = middle;
    v->t.task_goal = add(middle, formation_place(v, angle, own));
    task_place(v, which, &s);
    TASK_STORE_WHERE(v, which, task_middle);
}

LANE_INLINE void formation_begin(task_view *v, mask which)
{
    random_block random;
    const int agents = v->scene->agents;
    task_random_shared(&random, v->b, TASK_STREAM_FORMATION);
    formation_place_all(v, which, agents == 1 ? lane_of(0) : 1 + task_index(&random, 1, agents - 1));
}

LANE_INLINE void formation_advance(task_view *v)
{
    v->t.task_nearest = lane_sqrt(formation_neighbours_of(v).square[0]);
    TASK_STORE(v, task_nearest);
}

LANE_INLINE void formation_observe(const task_view *v, lane *out)
{
    const formation_neighbours near = formation_neighbours_of(v);
    flight_observe(v, out);
    for (int k = 0; k < TASK_NEIGHBOURS; k++) {
        flight_vec3(near.pos[k], out + 18 + 3 * k);
        flight_vec3(near.vel[k], out + 18 + 3 * (TASK_NEIGHBOURS + k));
    }
}

LANE_INLINE mask formation_end(const task_view *v)
{
    return end_where(v->t.task_nearest < v->t.task_separation, RF_END_CLOSE, flight_end(v));
}

LANE_INLINE lane formation_reward(const task_view *v, mask ended)
{
    return hover_reward(v, ended);
}

#endif
