/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults change rarely: an update looks whether one does, and then computes what all of the vehicle do, one vehicle at a
 * time.  Jitter is drawn at every update. */
#include "base/sets.h"

SET_BEGIN
#include "parts/faults/update.h"

#include "math/exponential.h"
#include "parts/faults/effects_of_actuators.h"
#include "parts/faults/effects_of_air.h"
#include "parts/faults/effects_of_sensors.h"
#include "parts/faults/effects_of_supply.h"
#include "parts/random.h"

_Static_assert(WIDTH_fault_values == FAULTS * FAULT_VALUES, "fault_strength: expected four values per fault");
_Static_assert((int)WIDTH_per_faulty_sensor == (int)FAULTY_SENSOR_COUNT, "expected a value per sensor");
_Static_assert((int)WIDTH_per_faulty_axis == 3 * (int)FAULTY_SENSOR_COUNT,
               "expected three values per sensor");

enum {
    FAULTS_STREAM_ONSET = 0x4641554C,                       /* and the next three: 16 words */
    FAULTS_STREAM_JITTER = FAULTS_STREAM_ONSET + FAULTS / 4 /* and the next three: 16 normal numbers */
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
        lane onset = faults_row(b, FAULTS_COLUMN(b, fault_start), i);
        onset += lane_select(rate > 0, -lane_log(u) / rate, lane_of(0));
        rows_store_where(new, &onset, 1, FAULTS_COLUMN(b, fault_onset) + (size_t)i * b->stride, b->stride);
    }
    words_store(drawn, words_of(mask_true(), (1 << FAULTS) - 1));
}

/* ---- kinds ---- */

/* By kind, of each actuator or sensor, or of item 0 where a kind is of neither. */
typedef void fault_effect(const faulty *v, const fault *f, int item);

static void fault_of_nothing(const faulty *v, const fault *f, int item)
{
    (void)v, (void)f, (void)item;
}

#define FAULT_EFFECT(name, value, of, doc) [value] = fault_of_##of,
static fault_effect *const fault_effects[] = {FAULT_KINDS(FAULT_EFFECT)};

/* The effect of a kind; NULL of numbers that are none, between kinds or beyond. */
static fault_effect *fault_effect_of(uint32_t kind)
{
    return kind < sizeof fault_effects / sizeof *fault_effects ? fault_effects[kind] : NULL;
}

/* Whether a kind changes at every update, and not only while it grows. */
static int fault_goes_on(uint32_t kind)
{
    switch (kind) {
    case FAULT_SENSOR_DRIFT:
    case FAULT_GUSTS:
        return 1;
    default:
        return 0;
    }
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
    const uint32_t now = *FAULTY_WORD(v, fault_runs, 0);
    const double time = (double)now * (double)v->b->period, onset = (double)*FAULTY_ROW(v, fault_onset, i);
    const double ramp = (double)*FAULTY_ROW(v, fault_ramp, i),
                 lasts = (double)*FAULTY_ROW(v, fault_duration, i);
    fault f = {.kind = *FAULTY_WORD(v, fault_kind, i), .items = *FAULTY_WORD(v, fault_items, i)};
    for (int k = 0; k < FAULT_VALUES; k++) f.value[k] = *FAULTY_ROW(v, fault_strength, FAULT_VALUES * i + k);
    if (f.kind == FAULT_NONE || fault_effect_of(f.kind) == NULL) return f;
    const uint32_t begin = faults_update_at(v, onset);
    const uint32_t end = lasts > 0 ? faults_update_at(v, onset + lasts) : NEVER;
    if (now >= end) return f;
    uint32_t change = end;
    if (now < begin) {
        change = begin;
    } else {
        const double elapsed = time - onset;
        const int grows = elapsed < ramp;
        f.elapsed = (real)elapsed;
        f.share = grows ? (real)(elapsed / ramp) : 1;
        f.grown = (real)(grows ? elapsed * elapsed / (2 * ramp) : elapsed - ramp / 2);
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

static void faults_change(const faulty *v)
{
    fault all[FAULTS];
    uint32_t next = NEVER, active = 0;
    fault_free_actuators(v);
    fault_free_sensors(v);
    fault_free_air(v);
    fault_free_supply(v);
    for (int i = 0; i < FAULTS; i++) {
        all[i] = faults_look(v, i, &next);
        *FAULTY_ROW(v, fault_share, i) = all[i].share;
        if (all[i].share > 0) {
            active |= 1u << i;
            faults_act(v, &all[i], fault_effect_of(all[i].kind));
        }
    }
    for (int i = 0; i < FAULTS; i++) {
        if (all[i].kind == FAULT_ACTUATOR_STUCK && all[i].share > 0) {
            faults_act(v, &all[i], fault_that_sticks);
        }
    }
    *FAULTY_WORD(v, faults_active, 0) = active;
    *FAULTY_WORD(v, fault_next, 0) = next;
}

/* ---- jitter ---- */

static void faults_draw_jitter(const block *b)
{
    for (int i = 0; i < WIDTH_per_command; i += 4) {
        random_block random;
        lane normal[4];
        lane sigma[4];
        rows_load(sigma, 4, FAULTS_COLUMN(b, command_noise) + (size_t)i * b->stride, b->stride);
        if (!mask_any((sigma[0] != 0) | (sigma[1] != 0) | (sigma[2] != 0) | (sigma[3] != 0))) continue;
        block_random(&random, b, FAULTS_STREAM_JITTER + (uint32_t)i / 4);
        for (int k = 0; k < 2; k++) noise_of_words(random.word[k], &normal[2 * k], &normal[2 * k + 1]);
        for (int k = 0; k < 4; k++) normal[k] *= sigma[k];
        rows_store(normal, 4, FAULTS_COLUMN(b, command_jitter) + (size_t)i * b->stride, b->stride);
    }
}

void RF_SET_NAME(rf_faults_update)(const block *b)
{
    uint32_t *runs = FAULTS_WORD(b, fault_runs);
    const uint32_t *next = FAULTS_WORD(b, fault_next);
    const mask all = words_of(mask_true(), (1 << FAULTS) - 1);
    if (mask_any(words_load(FAULTS_WORD(b, faults_drawn)) != all)) faults_draw(b);
    for (size_t i = 0; i < LANE_WIDTH; i++) {
        const faulty v = {b, i};
        if (runs[i] >= next[i]) faults_change(&v);
    }
    faults_draw_jitter(b);
    words_store(runs, words_load(runs) + words_of(mask_true(), 1));
}
SET_END
