/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays of any ways among several bodies.
 *
 * In lanes of rays it is found which groups of bodies they may meet, in lanes of bodies which ray and body of a group may
 * meet, and in lanes of such pairs where they do. */
#ifndef RF_SCENE_SCATTER_H
#define RF_SCENE_SCATTER_H

#include "scene/course.h"

#define SCATTERED  128 /* rays that are followed together */
#define GROUPS     (RF_SCENE_SEVERAL / RF_TREE_WIDTH)
#define PAIRS      256 /* are met together */
#define BODY_WORDS (sizeof(rf_body) / 4)
#define RAY_WORDS  6

/* Pairs of a ray, in the lower 16 bits, and a group of bodies or a place in one. */
typedef struct scatter {
    const rf_scene *scene;
    packet *packets;
    course courses[SCATTERED / LANE_WIDTH];
    uint32_t pairs[PAIRS + 2 * RF_TREE_WIDTH]; /* some more than are met together */
} scatter;

#if !(LANE_WIDTH == 16 && defined(__AVX512F__))
typedef uint32_t four_words __attribute__((vector_size(16)));
typedef four_words four_words_in_list __attribute__((aligned(4), may_alias));

/* The bits that are set in numbers of four, and how many. */
static const four_words bits_of_four[16] = {{0},    {0},       {1},       {0, 1},      {2},    {0, 2},
                                            {1, 2}, {0, 1, 2}, {3},       {0, 3},      {1, 3}, {0, 1, 3},
                                            {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
static const uint8_t count_of_four[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
#endif

/* Writes `first` + (number of the bit << shift) for each bit, and up to a lane of words more; without branches, which would
 * be hard to foresee.  Returns the new count. */
LANE_INLINE size_t add_pairs(uint32_t *pairs, size_t count, uint32_t bits, uint32_t first, int shift)
{
#if LANE_WIDTH == 16 && defined(__AVX512F__)
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i all =
        _mm512_add_epi32(_mm512_slli_epi32(lanes, (unsigned)shift), _mm512_set1_epi32((int)first));
    _mm512_storeu_si512(pairs + count, _mm512_maskz_compress_epi32((__mmask16)bits, all));
    return count + (size_t)__builtin_popcount(bits);
#else
    LANE_UNROLL
    for (int i = 0; i < LANE_WIDTH; i += 4) {
        const uint32_t some = bits >> i & 15;
        *(four_words_in_list *)(pairs + count) = first + ((bits_of_four[some] + (uint32_t)i) << shift);
        count += count_of_four[some];
    }
    return count;
#endif
}

/* The course of ray j of several, for all lanes. */
LANE_INLINE course course_at(const course *c, size_t j)
{
    course one;
    const lane *from = &c->north;
    lane *to = &one.north;
    LANE_UNROLL
    for (size_t k = 0; k < sizeof one / sizeof *to; k++) to[k] = lane_of(from[k][j]);
    return one;
}

/* Rays and a body of each lane, of words as in rf_body; to the same bits as with_body. */
LANE_INLINE meeting with_bodies(const real column[BODY_WORDS][LANE_WIDTH], ray r, mask kind)
{
    vec3 row[3];
    LANE_UNROLL
    for (int k = 0; k < 3; k++) {
        row[k] =
            vec3_of(lane_load(column[3 + 3 * k]), lane_load(column[4 + 3 * k]), lane_load(column[5 + 3 * k]));
    }
    const vec3 from =
        sub(r.origin, vec3_of(lane_load(column[0]), lane_load(column[1]), lane_load(column[2])));
    ray local;
    local.origin = vec3_of(dot(row[0], from), dot(row[1], from), dot(row[2], from));
    local.direction = vec3_of(dot(row[0], r.direction), dot(row[1], r.direction), dot(row[2], r.direction));
    meeting m = with_box(local);
    const mask box = kind == RF_SHAPE_BOX, sphere = kind == RF_SHAPE_SPHERE;
    if (mask_any(mask_not(box))) {
        const meeting other = with_cylinder(local);
        m.is = words_select(box, m.is, other.is);
        m.t = lane_select(box, m.t, other.t);
    }
    if (mask_any(sphere)) {
        const meeting other = with_sphere(local);
        m.is = words_select(sphere, other.is, m.is);
        m.t = lane_select(sphere, other.t, m.t);
    }
    return m;
}

LANE_INLINE void keep_at(packet *p, size_t j, real t, int32_t shape)
{
    if (!one_is_nearer(t, shape, p->distance[j], p->shape[j])) return;
    p->distance[j] = t;
    p->shape[j] = shape;
}

/* Where up to LANE_WIDTH pairs meet. */
LANE_INLINE void meet_pairs(const scatter *s, const uint32_t *pairs, size_t count)
{
    _Alignas(LANE_BYTES) real body[BODY_WORDS][LANE_WIDTH], way[RAY_WORDS][LANE_WIDTH];
    for (size_t i = 0; i < LANE_WIDTH; i++) {
        const uint32_t word = pairs[i < count ? i : 0], place = word >> 16, number = word & 0xffff;
        const uint32_t other = s->scene->upright[place / RF_TREE_WIDTH].number[place % RF_TREE_WIDTH];
        real words[BODY_WORDS];
        memcpy(words, &s->scene->body[other], sizeof words);
        LANE_UNROLL
        for (size_t k = 0; k < BODY_WORDS; k++) body[k][i] = words[k];
        const lane *of = &s->packets[number / LANE_WIDTH].rays.origin.x;
        LANE_UNROLL
        for (size_t k = 0; k < RAY_WORDS; k++) way[k][i] = of[k][number % LANE_WIDTH];
    }
    ray r;
    r.origin = vec3_of(lane_load(way[0]), lane_load(way[1]), lane_load(way[2]));
    r.direction = vec3_of(lane_load(way[3]), lane_load(way[4]), lane_load(way[5]));
    const meeting m = with_bodies(body, r, words_load((const uint32_t *)body[BODY_WORDS - 2]));
    values t;
    lane_store(t, m.t);
    for (uint32_t bits = mask_bits(m.is) & (uint32_t)((1ull << count) - 1); bits != 0; bits &= bits - 1) {
        const int i = __builtin_ctz(bits);
        const size_t number = pairs[i] & 0xffff;
        int32_t shape;
        memcpy(&shape, &body[BODY_WORDS - 1][i], sizeof shape);
        keep_at(&s->packets[number / LANE_WIDTH], number % LANE_WIDTH, t[i], shape);
    }
}

static inline void meet_all_pairs(const scatter *s, size_t count)
{
    for (size_t i = 0; i < count; i += LANE_WIDTH) {
        meet_pairs(s, &s->pairs[i], count - i < LANE_WIDTH ? count - i : LANE_WIDTH);
    }
}

/* Pairs of a ray and the bodies of a group. */
LANE_INLINE size_t look_into(scatter *s, uint32_t number, uint32_t group, size_t count)
{
    const rf_uprights *some = &s->scene->upright[group];
    const course c = course_at(&s->courses[number / LANE_WIDTH], number % LANE_WIDTH);
    LANE_UNROLL
    for (uint32_t i = 0; i < RF_TREE_WIDTH; i += LANE_WIDTH) {
        const upright u = {lane_load(some->x + i), lane_load(some->y + i), lane_load(some->z + i),
                           lane_load(some->radius + i), lane_load(some->half + i)};
        const uint32_t first = number | (group * RF_TREE_WIDTH + i) << 16;
        count = add_pairs(s->pairs, count, may_cross(&c, u), first, 16);
    }
    return count;
}

/* Pairs of the rays of a packet, which have bits, and groups. */
LANE_INLINE size_t look_around(const scatter *s, size_t i, uint32_t rays, uint32_t *looks, size_t count)
{
    const course c = s->courses[i];
    for (uint32_t group = 0; group < s->scene->uprights; group++) {
        const upright u = upright_of(&s->scene->around[group / RF_TREE_WIDTH], group % RF_TREE_WIDTH);
        const uint32_t first = (uint32_t)(i * LANE_WIDTH) | group << 16;
        count = add_pairs(looks, count, may_cross(&c, u) & rays, first, 0);
    }
    return count;
}

/* Follows packets of up to SCATTERED rays. */
static inline void follow_scattered(const rf_scene *scene, packet *packets, size_t rays)
{
    scatter s;
    uint32_t looks[SCATTERED * GROUPS + RF_TREE_WIDTH];
    size_t count = 0;
    s.scene = scene;
    s.packets = packets;
    for (size_t i = 0; i * LANE_WIDTH < rays; i++) {
        const size_t left = rays - i * LANE_WIDTH;
        s.courses[i] = course_of(&packets[i].rays);
        count = look_around(&s, i, left < LANE_WIDTH ? (1u << left) - 1 : UINT32_MAX, looks, count);
    }
    size_t pairs = 0;
    for (size_t i = 0; i < count; i++) {
        pairs = look_into(&s, looks[i] & 0xffff, looks[i] >> 16, pairs);
        if (pairs <= PAIRS) continue;
        meet_all_pairs(&s, pairs);
        pairs = 0;
    }
    meet_all_pairs(&s, pairs);
}

#endif
