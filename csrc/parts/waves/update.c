/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "parts/waves/update.h"

#include "parts/water/held.h"

/* Rows of component i are at i strides from those of the first. */
LANE_INLINE wave wave_load(const block *b, size_t i)
{
    const size_t at = i * b->stride;
    return (wave){.amplitude = lane_load(WAVES_COLUMN(b, wave_amplitude) + at),
                  .number = {lane_load(WAVES_COLUMN(b, wave_number_north) + at),
                             lane_load(WAVES_COLUMN(b, wave_number_east) + at)},
                  .frequency = lane_load(WAVES_COLUMN(b, wave_frequency) + at),
                  .phase = lane_load(WAVES_COLUMN(b, wave_phase) + at)};
}

LANE_INLINE wave_hull wave_hull_of(const block *b, const waves_place *at)
{
    return (wave_hull){.heading = {at->heading[0], at->heading[1]},
                       .length = lane_load(WAVES_COLUMN(b, wave_hull_length)),
                       .width = lane_load(WAVES_COLUMN(b, wave_hull_width)),
                       .front = lane_load(WAVES_COLUMN(b, wave_hull_front)),
                       .draught = lane_load(WAVES_COLUMN(b, wave_hull_draught))};
}

/* The most components of a vehicle of the block. */
LANE_INLINE size_t waves_count(const block *b)
{
    const uint32_t *count = WAVES_WORD(b, wave_count);
    size_t most = 0;
    for (size_t k = 0; k < LANE_WIDTH; k++) most = count[k] > most ? count[k] : most;
    return most < WIDTH_wave_components ? most : WIDTH_wave_components;
}

LANE_INLINE void waves_store(const block *b, const wave_sum *sum)
{
    real *to = WAVES_COLUMN(b, wave_height);
    if (b->refreshed == NULL) {
        rows_store((const lane *)sum, ROWS_OF(wave_sum), to, b->stride);
        return;
    }
    lane results[ROWS_OF(wave_sum)];
    rows_load(results, ROWS_OF(wave_sum), to, b->stride);
    rows_select(results, words_load(b->refreshed) != 0, (const lane *)sum, results, ROWS_OF(wave_sum));
    rows_store(results, ROWS_OF(wave_sum), to, b->stride);
}

/* Rate of the phase at a place over ground [rad/s]: waves are carried by the current. */
LANE_INLINE lane wave_passes(const wave *w, const vec3 *current)
{
    return w->frequency + (w->number[0] * current->x + w->number[1] * current->y);
}

/* A refresh is at the time of the next update. */
void RF_SET_NAME(rf_waves_update)(const block *b, const waves_place *at)
{
    const lane period = lane_of(b->period);
    const vec3 current = water_at_rest(b).current;
    const size_t count = waves_count(b);
    const wave_hull hull = wave_hull_of(b, at);
    const lane depth = lane_max(at->depth, lane_of(0));
    wave_sum sum = waves_none();
    wave_push pushes[WIDTH_wave_components];
    for (size_t i = 0; i < count; i++) {
        wave w = wave_load(b, i);
        if (b->refreshed == NULL) {
            lane_store(WAVES_COLUMN(b, wave_phase) + i * b->stride,
                       wrap_angle(w.phase + period * wave_passes(&w, &current)));
        }
        pushes[i] = waves_add(&sum, &w, at->pos.x, at->pos.y, depth, &hull);
    }
    const lane top = lane_max(at->depth - sum.height - (real)0.5 * hull.draught, lane_of(0));
    for (size_t i = 0; i < count; i++) waves_add_push(&sum, &pushes[i], top, hull.draught);
    waves_store(b, &sum);
}
SET_END
