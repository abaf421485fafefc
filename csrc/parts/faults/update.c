/* SPDX-License-Identifier: BSD-3-Clause */
/* Most faults change rarely: an update looks whether one does, and then ends what all of the vehicle did and computes anew
 * what they do, place by place and kind by kind, in lanes.  A block looks at those places only that any of its vehicles
 * uses.  Jitter and noise of the wind are drawn at every update. */
#include "base/sets.h"

SET_BEGIN
#include "parts/faults/update.h"

#include "math/exponential.h"
#include "parts/delay/delay.h"
#include "parts/faults/effects_of_actuators.h"
#include "parts/faults/effects_of_air.h"
#include "parts/faults/effects_of_clocks.h"
#include "parts/faults/effects_of_links.h"
#include "parts/faults/effects_of_mass.h"
#include "parts/faults/effects_of_estimator.h"
#include "parts/faults/effects_of_receiver.h"
#include "parts/faults/effects_of_sensors.h"
#include "parts/faults/effects_of_supply.h"
#include "parts/faults/progress.h"
#include "parts/random.h"

enum {
    FAULTS_STREAM_ONSET = 0x4641554C,                        /* and the next three: 16 words */
    FAULTS_STREAM_JITTER = FAULTS_STREAM_ONSET + FAULTS / 4, /* and the next three: 16 normal numbers */
    FAULTS_STREAM_WIND = 0x4641574E                          /* three normal numbers */
};

/* ---- onsets ---- */

/* Draws the onsets of faults that have none. */
static void faults_draw(const block *b)
{
    random_block random[FAULTS / 4];
    uint32_t *drawn = FAULTS_WORD(b, faults_drawn);
    for (int i = 0; i < FAULTS / 4; i++) block_random(&random[i], b, FAULTS_STREAM_ONSET + (uint32_t)i);
    const mask before = words_load(drawn);
    for (int i = 0; i < FAULTS; i++) {
        const mask new = mask_not(words_have(before, (lane_int)1 << i));
        const lane rate = faults_row(b, FAULTS_COLUMN(b, fault_rate), i);
        const lane u = uniform_of_word(words_load(random[i / 4].word[i % 4]));
        lane onset = faults_row(b, FAULTS_COLUMN(b, fault_onset), i);
        onset += faults_row(b, FAULTS_COLUMN(b, fault_start), i) +
                 lane_select(rate > 0, -lane_log(u) / rate, lane_of(0));
        rows_store_where(new, &onset, 1, FAULTS_COLUMN(b, fault_onset) + (size_t)i * b->stride, b->stride);
    }
    words_store(drawn, words_of(mask_true(), (1 << FAULTS) - 1));
}

/* ---- kinds ---- */

/* A fault of an actuator or sensor, or of item 0 where it is of neither. */
typedef void fault_effect(const block *b, const fault *f, mask where, int item);

typedef struct fault_effects {
    fault_effect *act;
    void (*end)(const block *b, mask due);
} fault_effects;

#define EFFECTS_OF(of) [FAULT_PLACE_##of] = {fault_of_##of, fault_free_##of},
static const fault_effects effects[] = {FAULT_PLACES(EFFECTS_OF)};

#define PLACE_OF(name, value, of, doc) [value] = FAULT_PLACE_##of,
static const uint8_t places[] = {FAULT_KINDS(PLACE_OF)};

/* What a kind is of; nothing of numbers that are no kind. */
static enum fault_place fault_place_of(uint32_t kind)
{
    return kind < sizeof places ? places[kind] : FAULT_PLACE_nothing;
}

/* Whether a kind changes at every update, and not only while it grows. */
static int fault_goes_on(uint32_t kind)
{
    switch (kind) {
    case FAULT_SENSOR_DRIFT:
    case FAULT_SENSOR_OUTAGES:
    case FAULT_GUSTS:
    case FAULT_LOAD_LEAK:
    case FAULT_GPS_SPOOF:
        return 1;
    default:
        return 0;
    }
}

/* Kinds whose faults act at once, after the others: what they do together is no sum or product. */
static const uint8_t late_kinds[] = {FAULT_ACTUATOR_STUCK, FAULT_ACTUATOR_FREEZE, FAULT_GPS_PLACE,
                                     FAULT_TURBULENCE};

static int fault_waits(uint32_t kind)
{
    return kind <= UINT8_MAX && memchr(late_kinds, (int)kind, sizeof late_kinds) != NULL;
}

/* ---- changes ---- */

/* What happens at an update to the vehicles that are `due`. */
typedef struct faults_renewal {
    mask due, changed;                              /* words: places that a fault changes */
    mask active;                                    /* words: faults that act */
    uint32_t waiting;                               /* places of the list with faults that wait */
    _Alignas(LANE_BYTES) uint32_t next[LANE_WIDTH]; /* update at which a fault changes next */
} faults_renewal;

/* The faults of one kind in a place at present: where they act, of the vehicles in `of`. */
static mask faults_look(const block *b, int i, fault *f, mask of, faults_renewal *r)
{
    fault_progress p;
    fault_progress_of(&p, b, i, fault_goes_on(f->kind));
    const packed sooner = (packed)(packed_load(p.next) < packed_load(r->next));
    words_store_where(of & words_have(words_of_packed(sooner), 1), r->next, words_load(p.next));
    f->share = lane_load(p.share);
    f->elapsed = lane_load(p.elapsed);
    f->grown = lane_load(p.grown);
    f->growth = lane_load(p.growth);
    return of & words_have(words_load(p.acts), 1) & (f->share > 0);
}

/* Applies a fault to each of its items. */
static void faults_act(const block *b, const fault *f, mask where, fault_effect *effect)
{
    const mask one = words_of(mask_true(), 1), items = words_select(f->items == 0, one, f->items);
    for (uint32_t left = (uint32_t)words_any(items & where); left != 0; left &= left - 1) {
        const int item = __builtin_ctz(left);
        effect(b, f, where & words_have(items, (lane_int)1 << item), item);
    }
}

/* The first of the words that is in `left`. */
static uint32_t faults_first(const uint32_t *words, mask left)
{
    _Alignas(LANE_BYTES) uint32_t wanted[LANE_WIDTH];
    size_t i = 0;
    words_store(wanted, words_of(left, 1));
    while (i < LANE_WIDTH - 1 && wanted[i] == 0) i++;
    return words[i];
}

LANE_INLINE fault faults_load(const block *b, int i, uint32_t kind)
{
    fault f;
    f.kind = kind;
    f.items = words_load(FAULTS_WORD(b, fault_items) + (size_t)i * b->word_stride);
    rows_load(f.value, FAULT_VALUES,
              FAULTS_COLUMN(b, fault_strength) + (size_t)(FAULT_VALUES * i) * b->stride, b->stride);
    return f;
}

/* Computes what the faults in a place do, kind by kind. */
static void faults_change(const block *b, int i, faults_renewal *r)
{
    const uint32_t *kind = FAULTS_WORD(b, fault_kind) + (size_t)i * b->word_stride;
    real *column = FAULTS_COLUMN(b, fault_share) + (size_t)i * b->stride;
    lane share = lane_of(0);
    for (mask left = r->due, where; mask_any(left); left = left & mask_not(where)) {
        fault f = faults_load(b, i, faults_first(kind, left));
        const enum fault_place place = fault_place_of(f.kind);
        where = left & (words_load(kind) == (lane_int)f.kind);
        if (place == FAULT_PLACE_nothing) continue;
        const mask acts = faults_look(b, i, &f, where, r);
        if (!mask_any(acts)) continue;
        share = lane_select(acts, f.share, share);
        r->active |= words_of(acts, (lane_int)1 << i);
        r->changed |= words_of(acts, (lane_int)1 << place);
        if (fault_waits(f.kind)) r->waiting |= 1u << i;
        faults_act(b, &f, acts, effects[place].act);
    }
    rows_store_where(r->due, &share, 1, column, b->stride);
}

/* Faults that act after the others. */
typedef struct faults_waiting {
    fault_stuck stuck;
    fault_places places;
    fault_turbulence turbulence;
} faults_waiting;

static void faults_gather(faults_waiting *w, const block *b, int i, uint32_t kind, faults_renewal *r)
{
    const mask kinds = words_load(FAULTS_WORD(b, fault_kind) + (size_t)i * b->word_stride);
    const mask where = words_have(r->active, (lane_int)1 << i) & (kinds == (lane_int)kind);
    if (!mask_any(where)) return;
    fault f = faults_load(b, i, kind);
    (void)faults_look(b, i, &f, where, r);
    if (kind == FAULT_ACTUATOR_STUCK) fault_that_sticks(&w->stuck, &f, where);
    if (kind == FAULT_ACTUATOR_FREEZE) fault_that_freezes(&w->stuck, &f, where);
    if (kind == FAULT_GPS_PLACE) fault_feigns_place(&w->places, &f, where);
    if (kind == FAULT_TURBULENCE) fault_that_stirs(&w->turbulence, &f, where);
}

static void faults_settle(const block *b, uint32_t used, const fault_commands *before, faults_renewal *r)
{
    faults_waiting w;
    memset(&w, 0, sizeof w);
    w.places.left = lane_of(1);
    for (; used != 0; used &= used - 1) {
        for (size_t k = 0; k < sizeof late_kinds; k++)
            faults_gather(&w, b, __builtin_ctz(used), late_kinds[k], r);
    }
    fault_settle_stuck(b, &w.stuck, before);
    fault_settle_places(b, &w.places);
    fault_settle_turbulence(b, &w.turbulence);
}

/* Ends what faults did at their last change, where `due`. */
static void faults_end(const block *b, mask due)
{
    const lane_int changed = words_any_at(FAULTS_WORD(b, places_at_fault));
    for (size_t place = 0; place < sizeof effects / sizeof *effects; place++) {
        if ((changed >> place & 1) && effects[place].end) effects[place].end(b, due);
    }
}

/* Places in which any vehicle of a block has a fault, or had one at its last change. */
static uint32_t faults_used(const block *b)
{
    const lane_int active = words_any_at(FAULTS_WORD(b, faults_active));
    uint32_t used = 0;
    for (int i = 0; i < FAULTS; i++) {
        const uint32_t *kind = FAULTS_WORD(b, fault_kind) + (size_t)i * b->word_stride;
        if ((active >> i & 1) || mask_any(words_load(kind) != 0)) used |= 1u << i;
    }
    return used;
}

/* Where a fault changes. */
LANE_INLINE mask faults_due(const block *b)
{
    const packed runs = packed_load(FAULTS_WORD(b, fault_runs)),
                 next = packed_load(FAULTS_WORD(b, fault_next));
    return words_have(words_of_packed((packed)(runs >= next)), 1);
}

/* Loads the commands that actuators got until now, if any may freeze. */
static void faults_look_back(const block *b, uint32_t used, int count, const real *commands,
                             fault_commands *before)
{
    before->count = 0;
    for (; used != 0 && before->count == 0; used &= used - 1) {
        const uint32_t *kind = FAULTS_WORD(b, fault_kind) + (size_t)__builtin_ctz(used) * b->word_stride;
        if (mask_any(words_load(kind) == (lane_int)FAULT_ACTUATOR_FREEZE)) before->count = count;
    }
    rows_load(before->value, before->count, commands, b->stride);
    RF_SET_NAME(rf_faults_change_commands)(b, before->count, before->value);
}

static void faults_renew(const block *b, mask due, int count, const real *commands)
{
    const mask drawn = words_load(FAULTS_WORD(b, faults_drawn)),
               all = words_of(mask_true(), (1 << FAULTS) - 1), none = words_of(due, 0);
    if (mask_any(drawn != all)) faults_draw(b);
    faults_renewal r = {due, none, none, 0, {0}};
    words_store(r.next, words_of(mask_true(), -1));
    const uint32_t used = faults_used(b);
    const int blew = faults_are_of(b, FAULT_PLACE_air);
    fault_commands before;
    faults_look_back(b, used, count, commands, &before);
    faults_end(b, due);
    for (uint32_t left = used; left != 0; left &= left - 1) faults_change(b, __builtin_ctz(left), &r);
    if (r.waiting != 0) faults_settle(b, r.waiting, &before, &r);
    if (blew) fault_settle_air(b);
    const mask moved = words_have(r.changed, 1 << FAULT_PLACE_mass);
    if (mask_any(moved)) fault_settle_mass(b, moved);
    words_store_where(due, FAULTS_WORD(b, faults_active), r.active);
    words_store_where(due, FAULTS_WORD(b, places_at_fault), r.changed);
    words_store_where(due, FAULTS_WORD(b, fault_next), words_load(r.next));
}

/* ---- jitter ---- */

static void faults_draw_jitter(const block *b)
{
    const lane_int jittered = words_any_at(FAULTS_WORD(b, commands_jittered));
    for (int i = 0; i < WIDTH_per_command; i += 4) {
        random_block random;
        lane normal[4];
        if ((jittered >> i & 0xF) == 0) continue;
        block_random(&random, b, FAULTS_STREAM_JITTER + (uint32_t)i / 4);
        for (int k = 0; k < 2; k++) noise_of_words(random.word[k], &normal[2 * k], &normal[2 * k + 1]);
        for (int k = 0; k < 4; k++) {
            const lane noise = faults_row(b, FAULTS_COLUMN(b, command_noise), i + k);
            normal[k] = lane_select(noise > 0, noise * normal[k], lane_of(0));
        }
        rows_store(normal, 4, FAULTS_COLUMN(b, command_jitter) + (size_t)i * b->stride, b->stride);
    }
}

/* Noise of the wind: x+ = a x + sqrt(1 - a^2) n with a = exp(-T / time) and normal numbers n, so that it has the variance 1
 * and the correlation exp(-t / time) at any period T. */
static void faults_draw_wind(const block *b)
{
    const mask noisy = lane_load(FAULTS_COLUMN(b, wind_deviation)) > 0;
    if (!mask_any(noisy)) return;
    random_block random;
    lane normal[4];
    block_random(&random, b, FAULTS_STREAM_WIND);
    for (int k = 0; k < 2; k++) noise_of_words(random.word[k], &normal[2 * k], &normal[2 * k + 1]);
    const lane time = lane_load(FAULTS_COLUMN(b, wind_time));
    const vec3 before = faults_vec3(b, FAULTS_COLUMN(b, wind_noise));
    const mask old = (time > 0) & (norm2(before) > 0);
    const lane decay = lane_exp(-b->period / lane_select(old, time, lane_of(1)));
    const lane a = lane_select(old, decay, lane_of(0));
    const vec3 fresh = scale(lane_sqrt(1 - a * a), vec3_of(normal[0], normal[1], normal[2]));
    const vec3 noise = add(scale(a, before), fresh);
    rows_store_where(noisy, (const lane *)&noise, 3, FAULTS_COLUMN(b, wind_noise), b->stride);
}

void RF_SET_NAME(rf_faults_update)(const block *b, int count, const real *commands)
{
    uint32_t *runs = FAULTS_WORD(b, fault_runs);
    const mask due = faults_due(b);
    if (mask_any(due)) faults_renew(b, due, count, commands);
    if (faults_are_of(b, FAULT_PLACE_actuators)) faults_draw_jitter(b);
    if (faults_are_of(b, FAULT_PLACE_air)) faults_draw_wind(b);
    packed_store(runs, packed_load(runs) + 1);
}

void RF_SET_NAME(rf_faults_change_commands)(const block *b, int count, lane *command)
{
    const lane_int changed = actuators_at_fault(b);
    delay_change_commands(b, count, command);
    for (int i = 0; i < count; i++) {
        if ((changed >> i & 1) == 0) continue;
        lane u = command[i] * faults_row(b, FAULTS_COLUMN(b, command_factor), i);
        u += faults_row(b, FAULTS_COLUMN(b, command_offset), i) +
             faults_row(b, FAULTS_COLUMN(b, command_jitter), i);
        u = lane_max(u, faults_row(b, FAULTS_COLUMN(b, command_minimum), i));
        command[i] = lane_min(u, faults_row(b, FAULTS_COLUMN(b, command_maximum), i));
    }
}
SET_END
