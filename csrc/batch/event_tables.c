/* SPDX-License-Identifier: BSD-3-Clause */
/* A table has a binary heap of the rows that are still to act, so that each takes its next place in logarithmic
 * time. */
#include "batch/event_tables.h"

#include <stdlib.h>
#include <string.h>

/* Vehicles of a table.  Every piece of work is a multiple of it, also those of learning environments. */
#define TABLE_VEHICLES 16

/* A time this close above a tick is that tick, such as 0.3 s in steps of 1 ms [steps]. */
#define TICK_TOLERANCE 1e-6

/* A row that is still to act; its tick beside it saves a look into the row. */
typedef struct place {
    uint64_t due;
    uint32_t row;
} place;

struct rf_event_table {
    rf_event_row *rows; /* in the order of entry */
    place *heap;        /* none acts before its parent: by tick, then by entry */
    size_t count, capacity, waiting;
    bool sorted; /* the heap, from its first place to its last */
};

/* ---- memory ---- */

rf_events *rf_events_create(size_t vehicles, size_t columns)
{
    rf_events *events = calloc(1, sizeof *events);
    if (events == NULL) return NULL;
    events->vehicles = vehicles;
    events->table_count = (vehicles + TABLE_VEHICLES - 1) / TABLE_VEHICLES;
    events->tables = calloc(events->table_count, sizeof *events->tables);
    events->targets = calloc(columns, sizeof *events->targets);
    if (events->tables != NULL && events->targets != NULL) return events;
    rf_events_destroy(events);
    return NULL;
}

void rf_events_destroy(rf_events *events)
{
    if (events == NULL) return;
    for (size_t i = 0; events->tables != NULL && i < events->table_count; i++) {
        free(events->tables[i].rows);
        free(events->tables[i].heap);
    }
    free(events->tables);
    free(events->targets);
    free(events->list);
    free(events);
}

static size_t grown(size_t capacity, size_t needed)
{
    return needed > 2 * capacity ? needed : 2 * capacity;
}

static bool reserve_rows(rf_event_table *table, size_t more)
{
    size_t needed = table->count + more, capacity = grown(table->capacity, needed);
    if (needed <= table->capacity) return true;
    rf_event_row *rows = realloc(table->rows, capacity * sizeof *rows);
    if (rows == NULL) return false;
    table->rows = rows;
    place *heap = realloc(table->heap, capacity * sizeof *heap);
    if (heap == NULL) return false;
    table->heap = heap;
    table->capacity = capacity;
    return true;
}

static bool reserve_list(rf_events *events, size_t more)
{
    size_t needed = events->count + more;
    if (needed <= events->capacity) return true;
    size_t capacity = grown(events->capacity, needed);
    rf_event *list = realloc(events->list, capacity * sizeof *list);
    if (list == NULL) return false;
    events->list = list;
    events->capacity = capacity;
    return true;
}

bool rf_events_reserve(rf_events *events, size_t more, const uint32_t *rows_of_vehicle)
{
    bool reserved = reserve_list(events, more);
    for (size_t i = 0; i < events->table_count && reserved; i++) {
        size_t rows = 0;
        for (size_t k = i * TABLE_VEHICLES; k < (i + 1) * TABLE_VEHICLES && k < events->vehicles; k++) {
            rows += rows_of_vehicle[k];
        }
        reserved = reserve_rows(&events->tables[i], rows);
    }
    return reserved;
}

void rf_events_copy_rows(const rf_events *events, void *to)
{
    for (size_t i = 0; i < events->table_count; i++) {
        const rf_event_table *table = &events->tables[i];
        size_t bytes = table->count * sizeof *table->rows;
        if (bytes > 0) memcpy(to, table->rows, bytes);
        to = (char *)to + bytes;
    }
}

/* ---- order ---- */

static bool acts_before(place a, place b)
{
    return a.due != b.due ? a.due < b.due : a.row < b.row;
}

/* Gives a row its place, if it is still to act. */
static void insert(rf_event_table *table, size_t row)
{
    place *heap = table->heap, new = {table->rows[row].due, (uint32_t)row};
    if (new.due == RF_NEVER) return;
    size_t i = table->waiting++;
    table->sorted = i == 0 || (table->sorted && acts_before(heap[i - 1], new));
    for (; i > 0 && acts_before(new, heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = new;
}

/* Takes the first row off the heap, and puts it into the place that becomes free behind it. */
static place take_first(rf_event_table *table)
{
    place *heap = table->heap, first = heap[0], last = heap[--table->waiting];
    size_t i = 0, child = 1, end = table->waiting;
    for (; child < end; child = 2 * i + 1) {
        child += child + 1 < end && acts_before(heap[child + 1], heap[child]);
        if (!acts_before(heap[child], last)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    heap[end] = first;
    table->sorted = false;
    return first;
}

void rf_events_add_row(rf_events *events, const rf_event_row *row)
{
    rf_event_table *table = &events->tables[row->vehicle / TABLE_VEHICLES];
    table->rows[table->count] = *row;
    insert(table, table->count++);
    events->rows++;
}

void rf_events_add(rf_events *events, const rf_event *event)
{
    events->list[events->count++] = *event;
}

/* ---- time ---- */

static uint64_t rounded_up(double steps)
{
    double least = steps - TICK_TOLERANCE;
    if (!(least < 0x1p62)) return RF_NEVER;
    uint64_t whole = least > 0 ? (uint64_t)least : 0;
    return whole + ((double)whole < least);
}

uint64_t rf_event_begin(const rf_event *event, const rf_event_row *row)
{
    uint64_t steps = rounded_up(row->start + (double)row->done * event->period);
    return steps == RF_NEVER ? RF_NEVER : row->origin + steps;
}

void rf_event_restart(const rf_event *event, rf_event_row *row, uint64_t tick)
{
    row->origin = tick;
    row->done = 0;
    row->from = 0;
    row->due = rf_event_begin(event, row);
}

/* ---- acting ---- */

static double read_value(const rf_event_target *target, const char *start, size_t vehicle)
{
    return target->values == RF_EVENT_DOUBLE ? ((const double *)(const void *)start)[vehicle]
                                             : ((const float *)(const void *)start)[vehicle];
}

static void write_value(const rf_event_target *target, char *start, size_t vehicle, double value)
{
    if (target->values == RF_EVENT_WORD) {
        ((uint32_t *)(void *)start)[vehicle] = (uint32_t)value;
    } else if (target->values == RF_EVENT_DOUBLE) {
        ((double *)(void *)start)[vehicle] = value;
    } else {
        ((float *)(void *)start)[vehicle] = (float)value;
    }
}

/* A share of the way from one value to another; no difference, which could overflow, and never beyond them. */
static double between(double from, double to, double share)
{
    double value = from * (1 - share) + to * share, low = from < to ? from : to, high = from < to ? to : from;
    return value < low ? low : value > high ? high : value;
}

static void act(const rf_events *events, rf_event_row *row, uint64_t tick)
{
    const rf_event *event = &events->list[row->event];
    const rf_event_target *target = &events->targets[row->column];
    char *start = target->start + row->component * target->stride;
    uint64_t since = tick - rf_event_begin(event, row);
    double value = row->value;
    if (since >= event->ramp) {
        row->done++;
        row->due = row->done == event->times ? RF_NEVER : rf_event_begin(event, row);
    } else {
        uint64_t left = event->ramp - since;
        if (since == 0) row->from = read_value(target, start, row->vehicle);
        value = between(row->from, value, (double)since / (double)event->ramp);
        row->due = tick + (event->interval < left ? event->interval : left);
    }
    write_value(target, start, row->vehicle, value);
}

static uint64_t next_of(const rf_event_table *table)
{
    return table->waiting == 0 ? RF_NEVER : table->heap[0].due;
}

/* What was taken last stands first; in the order in which it was taken most of it finds its place at once. */
static void reverse(place *places, size_t count)
{
    for (size_t i = 0, k = count; i + 1 < k; i++) {
        place last = places[--k];
        places[k] = places[i];
        places[i] = last;
    }
}

/* Rows that are due act in their order, and leave the heap; they stand behind it then. */
static void act_once(const rf_events *events, rf_event_table *table, uint64_t tick)
{
    size_t before = table->waiting;
    if (table->sorted &&
        table->heap[before - 1].due <= tick) { /* all, as in a ramp of a value at every step */
        for (size_t i = 0; i < before; i++) act(events, &table->rows[table->heap[i].row], tick);
        table->waiting = 0;
        return;
    }
    while (next_of(table) <= tick) act(events, &table->rows[take_first(table).row], tick);
    reverse(table->heap + table->waiting, before - table->waiting);
}

/* Those that will act again take new places, also at this tick: a ramp that begins where it ended does so after all
 * others. */
static void act_of_table(const rf_events *events, rf_event_table *table, uint64_t tick)
{
    while (next_of(table) <= tick) {
        size_t before = table->waiting;
        act_once(events, table, tick);
        for (size_t i = table->waiting; i < before; i++) insert(table, table->heap[i].row);
    }
}

uint64_t rf_events_act(const rf_events *events, size_t begin, size_t end, uint64_t tick)
{
    uint64_t next = RF_NEVER;
    for (size_t i = begin / TABLE_VEHICLES; i < events->table_count && i * TABLE_VEHICLES < end; i++) {
        act_of_table(events, &events->tables[i], tick);
        uint64_t due = next_of(&events->tables[i]);
        if (due < next) next = due;
    }
    return next;
}

/* ---- a new beginning ---- */

static void restart_of_table(const rf_events *events, rf_event_table *table, const uint32_t *words,
                             uint64_t tick)
{
    table->waiting = 0;
    for (size_t i = 0; i < table->count; i++) {
        rf_event_row *row = &table->rows[i];
        if (words[row->vehicle] != 0) rf_event_restart(&events->list[row->event], row, tick);
        insert(table, i);
    }
}

void rf_events_restart(const rf_events *events, size_t begin, size_t end, const uint32_t *words,
                       uint64_t tick)
{
    if (end > events->vehicles) end = events->vehicles;
    for (size_t first = begin; first < end; first += TABLE_VEHICLES) {
        uint32_t any = 0;
        for (size_t i = first; i < end && i < first + TABLE_VEHICLES; i++) any |= words[i];
        if (any != 0) restart_of_table(events, &events->tables[first / TABLE_VEHICLES], words, tick);
    }
}
