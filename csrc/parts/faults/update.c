/* SPDX-License-Identifier: BSD-3-Clause */
/* Most faults change rarely: an update looks whether one does, and then ends what all of the vehicle did and computes anew
 * what they do.  A block looks at those places only that any of its vehicles uses.  Jitter and noise of the wind are drawn
 * at every update. */
#include "base/sets.h"

SET_BEGIN
#include "parts/faults/update.h"

#include "math/exponential.h"
#include "parts/faults/effects_of_actuators.h"
#include "parts/faults/effects_of_air.h"
#include "parts/faults/effects_of_clocks.h"
#include "parts/faults/effects_of_links.h"
#include "parts/faults/effects_of_mass.h"
#include "parts/faults/effects_of_estimator.h"
#include "parts/faults/effects_of_receiver.h"
#include "parts/faults/effects_of_sensors.h"
#include "parts/faults/effects_of_supply.h"
#include "parts/random.h"

_Static_assert(WIDTH_fault_values == FAULTS * FAULT_VALUES, "fault_strength: expected four values per fault");
_Static_assert((int)WIDTH_per_faulty_sensor == (int)FAULTY_SENSOR_COUNT, "expected a value per sensor");
_Static_assert((int)WIDTH_per_faulty_link == (int)FAULTY_LINK_COUNT, "expected a value per link");
_Static_assert((int)WIDTH_per_faulty_axis == 3 * (int)FAULTY_SENSOR_COUNT,
               "expected three values per sensor");

enum {
    FAULTS_STREAM_ONSET = 0x4641554C,                        /* and the next three: 16 words */
    FAULTS_STREAM_JITTER = FAULTS_STREAM_ONSET + FAULTS / 4, /* and the next three: 16 normal numbers */
    FAULTS_STREAM_WIND = 0x4641574E                          /* three normal numbers */
};

#define NEVER UINT32_MAX

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

/* A fault of each actuator or sensor, or of item 0 where it is of neither. */
typedef void fault_effect(const faulty *v, const fault *f, int item);

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

/* Whether all faults of a kind act at once, after the others: what they do together is no sum or product. */
static int fault_waits(uint32_t kind)
{
    return kind == FAULT_ACTUATOR_STUCK || kind == FAULT_GPS_PLACE || kind == FAULT_TURBULENCE;
}

/* ---- changes ---- */

/* Update at which a time is reached [s], the first one or later. */
static uint32_t faults_update_at(const faulty *v, double time)
{
    const double updates = time / (double)v->b->period - 1e-6;
    if (!(updates < (double)NEVER - 1)) return NEVER;
    return updates > 0 ? (uint32_t)updates + 1 : 0;
}

/* The fault in a place at present; `next` becomes the update at which it changes, if that is sooner. */
static fault faults_look(const faulty *v, int i, uint32_t *next)
{
    fault f = {.kind = *FAULTY_WORD(v, fault_kind, i)};
    if (fault_place_of(f.kind) == FAULT_PLACE_nothing) return f;
    const uint32_t now = *FAULTY_WORD(v, fault_runs, 0);
    const double onset = (double)*FAULTY_ROW(v, fault_onset, i);
    const double lasts = (double)*FAULTY_ROW(v, fault_duration, i);
    const uint32_t begin = faults_update_at(v, onset);
    const uint32_t end = lasts > 0 ? faults_update_at(v, onset + lasts) : NEVER;
    if (now >= end) return f;
    uint32_t change = end;
    if (now < begin) {
        change = begin;
    } else {
        const double since = (double)now * (double)v->b->period - onset;
        const double elapsed = since > 0 ? since : 0; /* an onset may be the update but for its rounding */
        const double ramp = (double)*FAULTY_ROW(v, fault_ramp, i);
        const int grows = elapsed < ramp;
        f.elapsed = (real)elapsed;
        f.share = grows ? (real)(elapsed / ramp) : 1;
        f.growth = grows ? (real)(1 / ramp) : 0;
        f.grown = (real)(grows ? elapsed * elapsed / (2 * ramp) : elapsed - ramp / 2);
        f.items = *FAULTY_WORD(v, fault_items, i);
        for (int k = 0; k < FAULT_VALUES; k++) {
            f.value[k] = *FAULTY_ROW(v, fault_strength, FAULT_VALUES * i + k);
        }
        if (grows || fault_goes_on(f.kind)) change = now + 1;
    }
    if (change < *next) *next = change;
    return f;
}

static void faults_act(const faulty *v, const fault *f, fault_effect *effect)
{
    for (uint32_t left = f->items != 0 ? f->items : 1; left != 0; left &= left - 1) {
        effect(v, f, __builtin_ctz(left));
    }
}

/* Computes what the faults of a vehicle do, which are in some of these places. */
static void faults_change(const faulty *v, uint32_t used)
{
    fault all[FAULTS];
    uint32_t next = NEVER, active = 0, waiting = 0, changed = 0;
    for (uint32_t left = used; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        all[i] = faults_look(v, i, &next);
        *FAULTY_ROW(v, fault_share, i) = all[i].share;
        if (!(all[i].share > 0)) continue;
        const enum fault_place place = fault_place_of(all[i].kind);
        active |= 1u << i;
        changed |= 1u << place;
        faults_act(v, &all[i], effects[place].act);
        if (fault_waits(all[i].kind)) waiting |= 1u << i;
    }
    if (waiting != 0) {
        fault_settle_stuck(v, all, waiting);
        fault_settle_places(v, all, waiting);
        fault_settle_turbulence(v, all, waiting);
    }
    if (changed >> FAULT_PLACE_mass & 1) fault_settle_mass(v);
    *FAULTY_WORD(v, faults_active, 0) = active;
    *FAULTY_WORD(v, places_at_fault, 0) = changed;
    *FAULTY_WORD(v, fault_next, 0) = next;
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

static void faults_renew(const block *b, mask due)
{
    const uint32_t *runs = FAULTS_WORD(b, fault_runs), *next = FAULTS_WORD(b, fault_next);
    const mask drawn = words_load(FAULTS_WORD(b, faults_drawn)),
               all = words_of(mask_true(), (1 << FAULTS) - 1);
    if (mask_any(drawn != all)) faults_draw(b);
    const uint32_t used = faults_used(b);
    const int blew = faults_are_of(b, FAULT_PLACE_air);
    faults_end(b, due);
    for (size_t i = 0; i < LANE_WIDTH; i++) {
        const faulty v = {b, i};
        if (runs[i] >= next[i]) faults_change(&v, used);
    }
    if (blew) fault_settle_air(b);
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

void RF_SET_NAME(rf_faults_update)(const block *b)
{
    uint32_t *runs = FAULTS_WORD(b, fault_runs);
    const mask due = faults_due(b);
    if (mask_any(due)) faults_renew(b, due);
    if (faults_are_of(b, FAULT_PLACE_actuators)) faults_draw_jitter(b);
    if (faults_are_of(b, FAULT_PLACE_air)) faults_draw_wind(b);
    packed_store(runs, packed_load(runs) + 1);
}
SET_END
