/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbouring rays through the tree together.
 *
 * Along its main axis x, where all of them go the same way, the rays of a bundle are within
 *
 *     o_low + min(s_low tau, ...) <= y <= o_high + max(s_high tau, ...)    tau = |x - o_x|
 *
 * with the lowest and highest origins o and slopes s = d_y / |d_x|, and likewise along z.  A box that is beside them, behind
 * them or beyond what all of them have met is left out: 16 boxes take as long as one for each ray.  The bodies of the others
 * are met by the rays in lanes, packet after packet. */
#ifndef RF_SCENE_BUNDLE_H
#define RF_SCENE_BUNDLE_H

#include "scene/single.h"

#define SLACK 1e-6f /* of slopes, for what floats round */

typedef struct bundle {
    packet *packets;
    size_t count;
    mask members; /* of each packet */
    int axis[3];  /* the main axis, and the others */
    bool forward;
    float from[3][2];  /* m, lowest and highest origin along each axis */
    float slope[3][2]; /* lowest and highest, per distance along the main axis; of that unused */
    float speed;       /* highest |d| along the main axis */
    float reach;       /* m, along it, of the farthest surface that is needed */
} bundle;

/* The highest value of a lane. */
LANE_INLINE float highest_of(lane x)
{
#if defined(__SSE2__)
#if LANE_WIDTH == 16 && defined(__AVX512F__)
    const __m256 eight =
        _mm256_max_ps(_mm512_castps512_ps256((__m512)x), (__m256)_mm512_extractf64x4_pd((__m512d)x, 1));
#elif LANE_WIDTH == 8
    const __m256 eight = (__m256)x;
#endif
#if LANE_WIDTH > 4
    __m128 quad = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
#else
    __m128 quad = (__m128)x;
#endif
    quad = _mm_max_ps(quad, _mm_movehl_ps(quad, quad));
    return _mm_cvtss_f32(_mm_max_ss(quad, _mm_shuffle_ps(quad, quad, 1)));
#else
    float highest = x[0];
    for (int i = 1; i < LANE_WIDTH; i++) highest = x[i] > highest ? x[i] : highest;
    return highest;
#endif
}

/* Lowest and highest of lanes, so far. */
typedef struct extent {
    lane low, high;
} extent;

LANE_INLINE void widen(extent *e, lane x, mask members)
{
    e->low = lane_min(e->low, lane_select(members, x, FAR_AWAY));
    e->high = lane_max(e->high, lane_select(members, x, -FAR_AWAY));
}

LANE_INLINE void store_extent(extent e, float range[2])
{
    range[0] = -highest_of(-e.low);
    range[1] = highest_of(e.high);
}

LANE_INLINE void update_reach(bundle *b)
{
    lane farthest = b->packets->distance;
    for (size_t i = 1; i < b->count; i++) farthest = lane_max(farthest, b->packets[i].distance);
    b->reach = highest_of(lane_select(b->members, farthest, -FAR_AWAY)) * b->speed * WIDER;
}

/* Sets the axes: the main one is that along which ray j of the first packet goes farthest. */
LANE_INLINE void set_axes(bundle *b, uint32_t j)
{
    const lane *d = &b->packets->rays.direction.x;
    int x = 0;
    for (int k = 1; k < 3; k++) {
        if (d[k][j] * d[k][j] > d[x][j] * d[x][j]) x = k;
    }
    b->axis[0] = x;
    b->axis[1] = (x + 1) % 3;
    b->axis[2] = (x + 2) % 3;
    b->forward = d[x][j] > 0;
}

LANE_INLINE void set_origins(bundle *b, uint32_t j)
{
    const packet *first = b->packets;
    bool one = first->origin != SEVERAL;
    for (size_t i = 1; i < b->count; i++) one = one && first[i].origin == first->origin;
    for (int k = 0; k < 3; k++) {
        b->from[k][0] = b->from[k][1] = (&first->rays.origin.x)[k][j];
        if (one) continue;
        extent e = {FAR_AWAY, -FAR_AWAY};
        for (size_t i = 0; i < b->count; i++) widen(&e, (&first[i].rays.origin.x)[k], b->members);
        store_extent(e, b->from[k]);
    }
}

LANE_INLINE void set_slopes(bundle *b)
{
    const int *axis = b->axis;
    extent slope[2] = {{FAR_AWAY, -FAR_AWAY}, {FAR_AWAY, -FAR_AWAY}};
    lane most = lane_of(0);
    for (size_t i = 0; i < b->count; i++) {
        const lane *d = &b->packets[i].rays.direction.x, along = lane_abs(d[axis[0]]);
        const lane inverse = 1 / not_zero(along);
        most = lane_max(most, lane_select(b->members, along, lane_of(0)));
        for (int k = 0; k < 2; k++) widen(&slope[k], d[axis[k + 1]] * inverse, b->members);
    }
    b->speed = highest_of(most);
    for (int k = 0; k < 2; k++) {
        float *range = b->slope[axis[k + 1]];
        store_extent(slope[k], range);
        range[0] -= SLACK * (1 + __builtin_fabsf(range[0]));
        range[1] += SLACK * (1 + __builtin_fabsf(range[1]));
    }
}

/* The bundle of members of packets that go about the way of ray j of the first. */
LANE_INLINE void make_bundle(bundle *b, packet *packets, size_t count, mask members, uint32_t j)
{
    b->packets = packets;
    b->count = count;
    b->members = members;
    set_axes(b, j);
    set_origins(b, j);
    set_slopes(b);
    update_reach(b);
}

/* Which of the children from `first` on the bundle may meet; and where it does so first along its main axis. */
LANE_INLINE mask may_meet(const bundle *b, const rf_node *n, int first, lane *enter)
{
    const int x = b->axis[0];
    lane low = lane_load(n->low[x] + first), high = lane_load(n->high[x] + first);
    lane near = b->forward ? low - b->from[x][1] : b->from[x][0] - high;
    lane far = b->forward ? high - b->from[x][0] : b->from[x][1] - low;
    near = lane_max(near, lane_of(0));
    *enter = near;
    mask may = (far >= near) & (near <= b->reach);
    LANE_UNROLL
    for (int i = 1; i < 3; i++) {
        const int y = b->axis[i];
        lane least = b->from[y][0] + lane_min(b->slope[y][0] * near, b->slope[y][0] * far);
        lane most = b->from[y][1] + lane_max(b->slope[y][1] * near, b->slope[y][1] * far);
        may = may & (most >= lane_load(n->low[y] + first)) & (least <= lane_load(n->high[y] + first));
    }
    return may;
}

LANE_INLINE void push_children(visits *v, const bundle *b, const rf_node *n)
{
    const size_t bottom = v->depth;
    for (int first = 0; first < RF_TREE_WIDTH; first += LANE_WIDTH) {
        lane enter;
        uint32_t bits = mask_bits(may_meet(b, n, first, &enter));
        values at;
        lane_store(at, enter);
        for (; bits != 0; bits &= bits - 1) {
            int j = __builtin_ctz(bits);
            push(v, bottom, (visit){n->child[first + j], at[j]});
        }
    }
}

LANE_INLINE void meet_body(bundle *b, const rf_body *body)
{
    for (size_t i = 0; i < b->count; i++) {
        packet *p = &b->packets[i];
        keep(p, with_body(body, p->rays), same_shape(body->shape));
    }
}

LANE_INLINE void meet_triangles(packet *p, const rf_triangles *leaf)
{
    for (int i = 0; i < RF_TREE_WIDTH; i++) {
        triangle one;
        LANE_UNROLL
        for (int k = 0; k < 3; k++) {
            one.corner[k] = vec3_of(lane_of(leaf->corner[k][0][i]), lane_of(leaf->corner[k][1][i]),
                                    lane_of(leaf->corner[k][2][i]));
        }
        keep(p, with_triangle(p->rays, one), same_shape(leaf->shape[i]));
    }
}

static inline void follow_bundle(const rf_scene *scene, bundle *b)
{
    visits v;
    v.depth = 0;
    push(&v, 0, (visit){0, 0});
    while (v.depth > 0) {
        const visit next = v.stack[--v.depth];
        if (next.enter > b->reach) continue;
        uint32_t number = next.child & ~RF_CHILD_KIND;
        switch (next.child & RF_CHILD_KIND) {
        case RF_CHILD_NODE:
            push_children(&v, b, &scene->node[number]);
            continue;
        case RF_CHILD_BODY:
            meet_body(b, &scene->body[number]);
            break;
        default:
            for (size_t i = 0; i < b->count; i++) meet_triangles(&b->packets[i], &scene->leaf[number]);
            break;
        }
        update_reach(b);
    }
}

#endif
