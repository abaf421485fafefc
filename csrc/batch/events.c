/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a batch: their bytes, what of them is valid, and who may change them when. */
#define _GNU_SOURCE
#include "batch/events.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "batch/fpu.h"
#include "batch/internal.h"

void rf_batch_act_locked(rf_batch *batch)
{
    if (batch->events == NULL) return;
    rf_fpu_state fpu = rf_fpu_flush_denormals();
    rf_events_act(batch->events, 0, batch->def.n, batch->tick);
    rf_fpu_restore(fpu);
}

rf_status rf_batch_restart_events(rf_batch *batch, const size_t *vehicles, size_t count)
{
    uint32_t *words = calloc(batch->def.n, sizeof *words);
    if (words == NULL) return RF_NO_MEMORY;
    rf_status status = RF_OK;
    for (size_t i = 0; i < count; i++) {
        if (vehicles[i] >= batch->def.n) {
            status = RF_BAD_ARGUMENT;
        } else {
            words[vehicles[i]] = 1;
        }
    }
    if (status == RF_OK && !rf_batch_acquire(batch)) status = RF_BUSY;
    if (status == RF_OK) {
        if (batch->events != NULL) rf_events_restart(batch->events, 0, batch->def.n, words, batch->tick);
        rf_batch_release(batch);
    }
    free(words);
    return status;
}

/* ---- bytes ---- */

/* Bytes of events, of any alignment. */
typedef struct event_bytes {
    size_t events, rows;
    const char *first_event, *first_row;
} event_bytes;

static bool parse(const void *bytes, size_t size, event_bytes *out)
{
    rf_events_header header;
    if (size < sizeof header) return false;
    memcpy(&header, bytes, sizeof header);
    size_t rest = size - sizeof header;
    if (header.events > rest / sizeof(rf_event)) return false;
    size_t before = (size_t)header.events * sizeof(rf_event);
    rest -= before;
    if (rest % sizeof(rf_event_row) != 0 || header.rows != rest / sizeof(rf_event_row)) return false;
    const char *first = (const char *)bytes + sizeof header;
    *out = (event_bytes){(size_t)header.events, (size_t)header.rows, first, first + before};
    return true;
}

static rf_event event_at(const event_bytes *bytes, size_t i)
{
    rf_event event;
    memcpy(&event, bytes->first_event + i * sizeof event, sizeof event);
    return event;
}

/* A row; with `fresh` in its state before the first time. */
static rf_event_row row_at(const event_bytes *bytes, size_t i, bool fresh)
{
    rf_event_row row;
    memcpy(&row, bytes->first_row + i * sizeof row, sizeof row);
    if (fresh && row.event < bytes->events) {
        rf_event event = event_at(bytes, row.event);
        rf_event_restart(&event, &row, 0);
    }
    return row;
}

static bool event_is_valid(const rf_event *event)
{
    bool repeats =
        event->period >= 1 && event->period <= RF_EVENT_STEPS && event->period >= (double)event->ramp;
    return (repeats || (event->period == 0 && event->times == 1)) && event->ramp <= RF_EVENT_STEPS &&
           event->interval >= 1 && event->interval <= RF_EVENT_STEPS;
}

/* Whether a row acts next at a time of its repeat in progress, not before a tick, so that it is never late, and only
 * while there are repeats left. */
static bool state_is_valid(const rf_event *event, const rf_event_row *row, uint64_t tick)
{
    uint64_t begin = rf_event_begin(event, row);
    bool due = row->due >= tick && row->due >= begin && row->due - begin <= event->ramp;
    bool over = event->times != 0 && row->done >= event->times;
    return row->origin <= tick && (row->due == RF_NEVER || (due && !over));
}

static bool row_is_valid(const rf_batch *batch, const event_bytes *bytes, const rf_event_row *row,
                         const uint64_t *part_bytes)
{
    if (row->event >= bytes->events || row->vehicle >= batch->def.n ||
        row->column >= (uint32_t)rf_batch_column_count(batch)) {
        return false;
    }
    const rf_column *column = rf_batch_column_row(batch, (int)row->column);
    int part = rf_batch_column_part(batch, (int)row->column);
    bool stored = part == RF_PART_none ? column->role != RF_ROLE_OUTPUT
                  : part_bytes != NULL ? part_bytes[part] != 0
                                       : rf_batch_has_part(batch, part);
    bool word = rf_column_is_word(column);
    double largest = word ? UINT32_MAX : batch->def.precision == RF_FLOAT64 ? DBL_MAX : FLT_MAX;
    rf_event event = event_at(bytes, row->event);
    return stored && row->component < column->width && row->start >= 0 && row->start <= RF_EVENT_STEPS &&
           row->value >= (word ? 0 : -largest) && row->value <= largest && !(word && event.ramp > 0);
}

/* Whether a row continues those of its vehicle: these ascend by event, column and component, and a column of which there
 * is a row has all components.  `last` is the row before it, or NULL. */
static bool row_follows(const rf_batch *batch, const rf_event_row *last, const rf_event_row *row)
{
    bool complete =
        last == NULL || last->component + 1u == rf_batch_column_row(batch, (int)last->column)->width;
    if (!complete) {
        return row->event == last->event && row->column == last->column &&
               row->component == last->component + 1;
    }
    bool ascends =
        last == NULL || row->event > last->event || (row->event == last->event && row->column > last->column);
    return ascends && row->component == 0;
}

static bool rows_are_valid(const rf_batch *batch, const event_bytes *bytes, uint64_t tick,
                           const uint64_t *part_bytes, bool fresh, size_t *last_of)
{
    for (size_t i = 0; i < bytes->rows; i++) {
        rf_event_row row = row_at(bytes, i, fresh), last;
        if (!row_is_valid(batch, bytes, &row, part_bytes)) return false;
        rf_event event = event_at(bytes, row.event);
        if (!state_is_valid(&event, &row, tick)) return false;
        size_t *before = &last_of[row.vehicle];
        if (*before != 0) last = row_at(bytes, *before - 1, false);
        if (!row_follows(batch, *before == 0 ? NULL : &last, &row)) return false;
        *before = i + 1;
    }
    for (size_t vehicle = 0; vehicle < batch->def.n; vehicle++) {
        if (last_of[vehicle] == 0) continue;
        rf_event_row last = row_at(bytes, last_of[vehicle] - 1, false);
        if (last.component + 1u != rf_batch_column_row(batch, (int)last.column)->width) return false;
    }
    return true;
}

rf_status rf_events_check(const rf_batch *batch, const void *bytes, size_t size, uint64_t tick,
                          const uint64_t *part_bytes, bool fresh)
{
    event_bytes parsed;
    if (size == 0) return RF_OK;
    if (!parse(bytes, size, &parsed)) return RF_BAD_ARGUMENT;
    uint64_t last = fresh ? rf_batch_last_event(batch) : 0;
    for (size_t i = 0; i < parsed.events; i++) {
        rf_event event = event_at(&parsed, i);
        if (!event_is_valid(&event) || event.number <= last) return RF_BAD_ARGUMENT;
        last = event.number;
    }
    size_t *last_of = calloc(batch->def.n, sizeof *last_of); /* number of the last row of a vehicle, from 1 */
    if (last_of == NULL) return RF_NO_MEMORY;
    bool valid = rows_are_valid(batch, &parsed, tick, part_bytes, fresh, last_of);
    free(last_of);
    return valid ? RF_OK : RF_BAD_ARGUMENT;
}

static bool reserve(rf_events *events, const event_bytes *bytes)
{
    uint32_t *rows = calloc(events->vehicles, sizeof *rows);
    if (rows == NULL) return false;
    for (size_t i = 0; i < bytes->rows; i++) rows[row_at(bytes, i, false).vehicle]++;
    bool reserved = rf_events_reserve(events, bytes->events, rows);
    free(rows);
    return reserved;
}

/* For threads that ask for the size while another one changes the events. */
static void note_size(rf_batch *batch, const rf_events *events)
{
    size_t size = 0;
    if (events != NULL)
        size =
            sizeof(rf_events_header) + events->count * sizeof(rf_event) + events->rows * sizeof(rf_event_row);
    atomic_store(&batch->events_size, size);
}

/* Where a column is, and what it holds. */
static rf_event_target target_of(rf_batch *batch, int column)
{
    rf_event_target target;
    target.start = rf_batch_column(batch, column, &target.stride);
    bool word = rf_column_is_word(rf_batch_column_row(batch, column));
    target.values = word                                 ? RF_EVENT_WORD
                    : batch->def.precision == RF_FLOAT64 ? RF_EVENT_DOUBLE
                                                         : RF_EVENT_FLOAT;
    return target;
}

/* Values that a row writes per step, while it acts again and again: those of its ramp, or its repeats. */
static double load_of(const rf_event *event)
{
    double repeats = event->period > 0 ? 1 / event->period : 0;
    double values = event->ramp > 0 ? 1 / (double)event->interval : 0;
    return values > repeats ? values : repeats;
}

/* Adds valid events in reserved memory. */
static void append(rf_batch *batch, rf_events *events, const event_bytes *bytes, bool fresh)
{
    for (size_t i = 0; i < bytes->rows; i++) {
        rf_event_row row = row_at(bytes, i, fresh);
        rf_event_target *target = &events->targets[row.column];
        if (target->start == NULL) *target = target_of(batch, (int)row.column);
        rf_event event = event_at(bytes, row.event);
        events->load += load_of(&event);
        row.event += (uint32_t)events->count;
        rf_events_add_row(events, &row);
    }
    for (size_t i = 0; i < bytes->events; i++) {
        rf_event event = event_at(bytes, i);
        rf_events_add(events, &event);
    }
}

static rf_events *new_events(const rf_batch *batch)
{
    return rf_events_create(batch->def.n, (size_t)rf_batch_column_count(batch));
}

rf_status rf_events_make(const rf_batch *batch, const void *bytes, size_t size, rf_events **out)
{
    event_bytes parsed;
    *out = NULL;
    if (size == 0) return RF_OK;
    if (!parse(bytes, size, &parsed)) return RF_BAD_ARGUMENT;
    if (parsed.events == 0) return RF_OK;
    rf_events *events = new_events(batch);
    if (events != NULL && !reserve(events, &parsed)) {
        rf_events_destroy(events);
        events = NULL;
    }
    *out = events;
    return events == NULL ? RF_NO_MEMORY : RF_OK;
}

void rf_events_replace(rf_batch *batch, rf_events *events, const void *bytes, size_t size)
{
    event_bytes parsed;
    if (events != NULL && parse(bytes, size, &parsed)) append(batch, events, &parsed, false);
    rf_events_destroy(batch->events);
    batch->events = events;
    note_size(batch, events);
}

static rf_status set_locked(rf_batch *batch, const void *bytes, size_t size)
{
    rf_events *events = NULL;
    rf_status status = rf_events_check(batch, bytes, size, batch->tick, NULL, false);
    if (status == RF_OK) status = rf_events_make(batch, bytes, size, &events);
    if (status == RF_OK) rf_events_replace(batch, events, bytes, size);
    return status;
}

static rf_status add_locked(rf_batch *batch, const void *bytes, size_t size)
{
    event_bytes parsed;
    rf_status status = rf_events_check(batch, bytes, size, batch->tick, NULL, true);
    if (status != RF_OK) return status;
    if (!parse(bytes, size, &parsed) || parsed.events == 0) return RF_OK;
    if (batch->events == NULL) batch->events = new_events(batch);
    if (batch->events == NULL || !reserve(batch->events, &parsed)) return RF_NO_MEMORY;
    append(batch, batch->events, &parsed, true);
    note_size(batch, batch->events);
    return RF_OK;
}

rf_status rf_batch_set_events(rf_batch *batch, const void *bytes, size_t size)
{
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    rf_status status = set_locked(batch, bytes, size);
    rf_batch_release(batch);
    return status;
}

rf_status rf_batch_add_events(rf_batch *batch, const void *bytes, size_t size)
{
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    rf_status status = add_locked(batch, bytes, size);
    rf_batch_release(batch);
    return status;
}

uint64_t rf_batch_last_event(const rf_batch *batch)
{
    const rf_events *events = batch->events;
    return events == NULL || events->count == 0 ? 0 : events->list[events->count - 1].number;
}

size_t rf_batch_events_size(const rf_batch *batch)
{
    return atomic_load(&batch->events_size);
}

rf_status rf_batch_read_event_load(rf_batch *batch, size_t *rows, double *load)
{
    rf_status status = rf_batch_begin_read(batch);
    if (status != RF_OK) return status;
    const rf_events *events = batch->events;
    *rows = events == NULL ? 0 : events->rows;
    *load = events == NULL ? 0 : events->load;
    rf_batch_end_read(batch);
    return RF_OK;
}

void rf_events_save(const rf_batch *batch, void *bytes)
{
    const rf_events *events = batch->events;
    if (events == NULL) return;
    rf_events_header header = {events->count, events->rows};
    char *to = memcpy(bytes, &header, sizeof header);
    to += sizeof header;
    if (events->count > 0) memcpy(to, events->list, events->count * sizeof(rf_event));
    rf_events_copy_rows(events, to + events->count * sizeof(rf_event));
}

rf_status rf_batch_read_events(rf_batch *batch, void *bytes, size_t size)
{
    rf_status status = rf_batch_begin_read(batch);
    if (status != RF_OK) return status;
    if (size == rf_batch_events_size(batch)) {
        rf_events_save(batch, bytes);
    } else {
        status = RF_BAD_ARGUMENT;
    }
    rf_batch_end_read(batch);
    return status;
}
