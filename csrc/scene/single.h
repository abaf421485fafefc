/* SPDX-License-Identifier: BSD-3-Clause */
/* One ray through the tree: the children of a node and the triangles of a leaf in lanes, the nearest children first. */
#ifndef RF_SCENE_SINGLE_H
#define RF_SCENE_SINGLE_H

#include "scene/packet.h"
#include "scene/tree.h"

#define STACK (RF_TREE_DEPTH * (RF_TREE_WIDTH - 1) + 1)
#define WIDER 1.000001f /* for what floats round */

/* A child to visit, and where the ray enters its box. */
typedef struct visit {
    uint32_t child;
    float enter;
} visit;

/* Children that are to be visited, the next on top. */
typedef struct visits {
    size_t depth;
    visit stack[STACK];
} visits;

/* Puts a child on the stack below those of the same node, from `bottom` on, that are nearer. */
LANE_INLINE void push(visits *to, size_t bottom, visit v)
{
    size_t i = to->depth++;
    for (; i > bottom && to->stack[i - 1].enter < v.enter; i--) to->stack[i] = to->stack[i - 1];
    to->stack[i] = v;
}

/* A ray, the same in all lanes, and the nearest surface so far. */
typedef struct single {
    ray ray;
    vec3 inverse;
    float distance;
    int32_t shape;
    visits next;
} single;

LANE_INLINE void visit_node(single *s, const rf_node *n)
{
    const lane *o = &s->ray.origin.x, *inverse = &s->inverse.x;
    const size_t bottom = s->next.depth;
    LANE_UNROLL
    for (int first = 0; first < RF_TREE_WIDTH; first += LANE_WIDTH) {
        lane enter = lane_of(0), leave = lane_of(s->distance);
        LANE_UNROLL
        for (int k = 0; k < 3; k++) {
            lane a = (lane_load(n->low[k] + first) - o[k]) * inverse[k];
            lane b = (lane_load(n->high[k] + first) - o[k]) * inverse[k];
            enter = lane_max(enter, lane_min(a, b));
            leave = lane_min(leave, lane_max(a, b));
        }
        values at;
        lane_store(at, enter);
        for (uint32_t bits = mask_bits(enter <= leave * WIDER); bits != 0; bits &= bits - 1) {
            int i = __builtin_ctz(bits);
            push(&s->next, bottom, (visit){n->child[first + i], at[i]});
        }
    }
}

LANE_INLINE void keep_single(single *s, float t, int32_t shape)
{
    if (!one_is_nearer(t, shape, s->distance, s->shape)) return;
    s->distance = t;
    s->shape = shape;
}

LANE_INLINE void visit_triangles(single *s, const rf_triangles *leaf)
{
    LANE_UNROLL
    for (int i = 0; i < RF_TREE_WIDTH; i += LANE_WIDTH) {
        triangle several;
        LANE_UNROLL
        for (int k = 0; k < 3; k++) {
            several.corner[k] = vec3_of(lane_load(leaf->corner[k][0] + i), lane_load(leaf->corner[k][1] + i),
                                        lane_load(leaf->corner[k][2] + i));
        }
        meeting m = with_triangle(s->ray, several);
        values t;
        lane_store(t, m.t);
        for (uint32_t bits = mask_bits(m.is & (m.t <= s->distance)); bits != 0; bits &= bits - 1) {
            int j = __builtin_ctz(bits);
            keep_single(s, t[j], (int32_t)leaf->shape[i + j]);
        }
    }
}

LANE_INLINE void visit_body(single *s, const rf_body *b)
{
    meeting m = with_body(b, s->ray);
    values t;
    lane_store(t, m.t);
    if (mask_any(m.is)) keep_single(s, t[0], (int32_t)b->shape);
}

static inline void follow_single(const rf_scene *scene, single *s)
{
    s->next.depth = 0;
    push(&s->next, 0, (visit){0, 0});
    while (s->next.depth > 0) {
        const visit v = s->next.stack[--s->next.depth];
        if (v.enter > s->distance * WIDER) continue;
        uint32_t number = v.child & ~RF_CHILD_KIND;
        switch (v.child & RF_CHILD_KIND) {
        case RF_CHILD_NODE:
            visit_node(s, &scene->node[number]);
            break;
        case RF_CHILD_BODY:
            visit_body(s, &scene->body[number]);
            break;
        default:
            visit_triangles(s, &scene->leaf[number]);
            break;
        }
    }
}

/* Follows ray j of a packet alone. */
static inline void follow_alone(const rf_scene *scene, packet *p, uint32_t j)
{
    const vec3 o = p->rays.origin, d = p->rays.direction;
    single s;
    s.ray = ray_of(vec3_of(lane_of(o.x[j]), lane_of(o.y[j]), lane_of(o.z[j])),
                   vec3_of(lane_of(d.x[j]), lane_of(d.y[j]), lane_of(d.z[j])));
    s.inverse = vec3_of(1 / not_zero(s.ray.direction.x), 1 / not_zero(s.ray.direction.y),
                        1 / not_zero(s.ray.direction.z));
    s.distance = p->distance[j];
    s.shape = (int32_t)p->shape[j];
    follow_single(scene, &s);
    p->distance[j] = s.distance;
    p->shape[j] = s.shape;
}

#endif
