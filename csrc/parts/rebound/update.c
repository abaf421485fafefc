/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "parts/payload/held.h"
#include "parts/random.h"
#include "parts/rebound/update.h"

#define REBOUND_STREAM 0x52454230 /* of math/philox.h, and the two next */
#define REBOUND_TIME   ((real)0.05)

/* What the rules see of a vehicle. */
typedef struct rebound_truth {
    vec3 vel;  /* m/s, NED */
    quat att;  /* FRD to NED */
    lane mass; /* kg */
} rebound_truth;

/* Places of the inputs. */
enum { MARKER, HIT, SIZE, POSITION, VELOCITY = 6, NORTH = 9, SOUTH, WEST, EAST, UP, DOWN };

/* Three numbers from 0 to 1, of a stream of their own. */
LANE_INLINE vec3 uniform3(const block *b, uint32_t stream)
{
    random_block words;
    block_random(&words, b, REBOUND_STREAM + stream);
    return vec3_of(uniform_of_word(words_load(words.word[0])), uniform_of_word(words_load(words.word[1])),
                   uniform_of_word(words_load(words.word[2])));
}

/* Impulse of a hit [N s, NED]. */
LANE_INLINE vec3 impulse_of(const rebound_truth *t, const lane *in)
{
    const vec3 other = vec3_of(in[VELOCITY], in[VELOCITY + 1], in[VELOCITY + 2]);
    const lane ratio = in[SIZE] * in[SIZE]; /* m_o / m */
    const vec3 plastic = scale(ratio / (1 + ratio), sub(other, t->vel));
    const vec3 back = scale(lane_of((real)-1.1), t->vel);
    return scale(t->mass, vec3_select(in[SIZE] > 0, plastic, back));
}

/* Notes the hits of vehicles to which a message has come. */
LANE_INLINE void take_hits(rebound *p, const block *b, const rebound_truth *t, mask came)
{
    const mask hit = came & (p->rebound_inputs[HIT] > (real)0.5);
    if (!mask_any(hit)) return;
    p->rebound_impulse = vec3_select(hit, impulse_of(t, p->rebound_inputs), p->rebound_impulse);
    p->rebound_time = lane_select(hit, lane_of(0), p->rebound_time);
    _Alignas(LANE_BYTES) uint32_t which[LANE_WIDTH];
    words_store(which, words_of(hit, 1));
    const real *const ids = REBOUND_COLUMN(b, rebound_inputs) + HIT * b->stride;
    for (size_t k = 0; k < LANE_WIDTH; k++) {
        if (which[k]) REBOUND_WORD(b, crash_id)[k] = (uint32_t)(ids[k] + (real)0.5);
    }
}

/* Force of a wall along an axis [N] by its overlap [m] and the velocity [m/s]; `side` is 1 where it pushes against the
 * axis.  `most` is the damping that takes the whole velocity away in a step [N s/m]. */
LANE_INLINE lane wall_force(lane overlap, real side, lane vel, lane most)
{
    const mask deep = overlap <= (real)-0.04, near = overlap > (real)-0.01;
    const lane stiffness = lane_select(near, lane_of(0), lane_select(deep, lane_of(500), lane_of(200)));
    const lane damping = lane_select(near, lane_of(10), lane_select(deep, lane_of(50), lane_of(20)));
    return side * stiffness * overlap - lane_min(damping, most) * vel;
}

/* Force of the walls [N, NED]: of two on an axis the later. */
LANE_INLINE vec3 walls(const lane *in, vec3 vel, lane most)
{
    static const struct {
        int input, axis;
        real side;
    } sides[] = {{NORTH, 0, 1}, {SOUTH, 0, -1}, {WEST, 1, -1}, {EAST, 1, 1}, {UP, 2, -1}};
    lane force[3] = {lane_of(0), lane_of(0), lane_of(0)};
    const lane speed[3] = {vel.x, vel.y, vel.z};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const lane overlap = in[sides[i].input];
        const int axis = sides[i].axis;
        force[axis] =
            lane_select(overlap < 0, wall_force(overlap, sides[i].side, speed[axis], most), force[axis]);
    }
    return vec3_of(force[0], force[1], force[2]);
}

/* Adds what the last hits do. */
LANE_INLINE void rebound_from_hits(rebound *p, const block *b, const rebound_truth *t)
{
    const lane left = (REBOUND_TIME - p->rebound_time) / b->period;
    const lane share = lane_clamp(left, lane_of(0), lane_of(1));
    if (!mask_any(share > 0)) return;
    const rotation to = rotation_from_quat(t->att);
    const vec3 factor = uniform3(b, 0);
    vec3 force = scale(share / REBOUND_TIME, to_body(to, p->rebound_impulse));
    force.x *= (real)0.7 + (real)0.3 * factor.x;
    force.y *= (real)0.7 + (real)0.3 * factor.y;
    force.z *= (real)0.7 + (real)0.3 * factor.z;
    p->rebound_force = add(p->rebound_force, to_ned(to, force));
    p->rebound_torque = scale(share * t->mass, uniform3(b, 1));
}

/* The ground below by the ray downwards, while that counts, in place of `terrain`, which is kept and comes back. */
LANE_INLINE void rebound_ground(rebound *p, const block *b, mask counts, real *terrain)
{
    const lane *in = p->rebound_inputs;
    uint32_t *const words = REBOUND_WORD(b, rebound_grounded);
    const mask sees = counts & (in[HIT] < (real)0.5) & (in[DOWN] <= 99), before = words_load(words) != 0;
    if (!mask_any(sees | before)) return;
    const lane now = lane_load(terrain), own = in[POSITION + 2] + in[DOWN];
    const mask written = before & (now == p->rebound_ground); /* not by others since */
    p->rebound_terrain = lane_select(written, p->rebound_terrain, now);
    p->rebound_ground = lane_select(sees, own, lane_of(0));
    lane_store(terrain, lane_select(sees, own, p->rebound_terrain));
    words_store(words, words_of(sees, 1));
}

/* What a crash makes of the first three commands. */
LANE_INLINE void damage(rebound *p, const block *b)
{
    if (!mask_any(words_load(REBOUND_WORD(b, crash_id)) != 0)) return;
    const vec3 r = uniform3(b, 2);
    p->rebound_damage = vec3_of(r.x / 2, r.y / 5, r.z / 10);
}

/* Velocity and attitude, which follow the position in the columns of all families; the mass with faults and payload. */
LANE_INLINE rebound_truth truth_of(const block *b, lane mass)
{
    rebound_truth t;
    rows_load((lane *)&t, 7, b->column + 3 * b->stride, b->stride);
    const mass_change change = changed_mass_of(b, mass);
    t.mass = change.any ? mass * change.left : mass;
    return t;
}

void RF_SET_NAME(rf_rebound_update)(const block *b, lane mass, real *terrain)
{
    const lane marker = lane_load(REBOUND_COLUMN(b, rebound_inputs));
    const mask crashed = words_load(REBOUND_WORD(b, crash_id)) != 0;
    const mask busy = words_load(REBOUND_WORD(b, rebound_grounded)) != 0;
    if (!mask_any((marker != 0) | crashed | busy)) return;
    rebound p;
    rows_load((lane *)&p, ROWS_OF(rebound), part_columns(b, RF_PART_rebound), b->stride);
    const rebound_truth own = truth_of(b, mass);

    const mask counts = (lane_abs(marker - 12345) < 1) & (p.rebound_age < p.rebound_hold);
    take_hits(&p, b, &own, counts & (p.rebound_age == 0));
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    p.rebound_force = vec3_select(counts, walls(p.rebound_inputs, own.vel, own.mass / b->period), zero);
    p.rebound_torque = zero;
    rebound_from_hits(&p, b, &own);
    rebound_ground(&p, b, counts, terrain);
    damage(&p, b);
    p.rebound_age += b->period;
    p.rebound_time += b->period;
    rows_store((const lane *)&p, ROWS_OF(rebound), part_columns(b, RF_PART_rebound), b->stride);
}

void RF_SET_NAME(rf_rebound_damage)(const block *b, int count, lane *command)
{
    const mask crashed = words_load(REBOUND_WORD(b, crash_id)) != 0;
    if (!mask_any(crashed)) return;
    for (int i = 0; i < 3 && i < count; i++) {
        lane damaged = lane_load(REBOUND_COLUMN(b, rebound_damage) + (size_t)i * b->stride);
        if (i == 2) damaged += (real)0.9 * command[i];
        command[i] = lane_select(crashed, damaged, command[i]);
    }
}
SET_END
