/* SPDX-License-Identifier: BSD-3-Clause */
#include "batch/events.h"

#include "fleet.h"
#include "test.h"

/* Some columns that nothing else writes in a step. */
static const char *const columns[] = {"mass", "wind", "gravity", "throttle"};
enum { COLUMNS = 4, EVENTS = 300, ROWS = 8 * EVENTS, STEPS = 400 };

typedef struct table {
    rf_events_header header;
    rf_event events[EVENTS];
    rf_event_row rows[ROWS];
} table;

static uint32_t drawn(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)*state * below) >> 32);
}

/* An event at a whole tick that writes a value into all components of a column of one vehicle. */
static void add(table *t, const rf_batch *batch, uint32_t tick, uint32_t vehicle, uint32_t column,
                double value)
{
    uint64_t k = t->header.events++;
    int number = column_number(batch, columns[column]);
    t->events[k] = (rf_event){.number = k + 1, .interval = 1, .times = 1};
    for (uint32_t i = 0; i < rf_batch_column_row(batch, number)->width; i++) {
        t->rows[t->header.rows++] = (rf_event_row){.event = (uint32_t)k,
                                                   .vehicle = vehicle,
                                                   .column = (uint32_t)number,
                                                   .component = i,
                                                   .start = tick,
                                                   .value = value};
    }
}

static size_t bytes_of(const table *t, char *bytes)
{
    size_t events = t->header.events * sizeof *t->events, rows = t->header.rows * sizeof *t->rows;
    memcpy(bytes, &t->header, sizeof t->header);
    memcpy(bytes + sizeof t->header, t->events, events);
    memcpy(bytes + sizeof t->header + events, t->rows, rows);
    return sizeof t->header + events + rows;
}

static rf_status enter(rf_batch *batch, const table *t)
{
    static char bytes[sizeof(table)];
    size_t size = bytes_of(t, bytes);
    return rf_batch_add_events(batch, bytes, size);
}

static table *random_table(const rf_batch *batch)
{
    table *t = calloc(1, sizeof *t);
    if (t == NULL) abort();
    uint32_t state = 7;
    for (int i = 0; i < EVENTS; i++) {
        uint32_t tick = drawn(&state, STEPS / 4), vehicle = drawn(&state, MANY / 8) * 8;
        add(t, batch, tick, vehicle, drawn(&state, COLUMNS), 0.2 + drawn(&state, 100) / 100.0);
        if (i % 3 == 0) {
            t->events[i].period = 7 + drawn(&state, 50);
            t->events[i].times = drawn(&state, 5);
            t->events[i].ramp = i % 2 == 0 ? 0 : drawn(&state, 7);
        } else if (i % 3 == 1) {
            t->events[i].ramp = drawn(&state, 40);
            t->events[i].interval = 1 + drawn(&state, 5);
        }
    }
    return t;
}

/* What a row writes at a tick, by its definition. */
static void write_by_hand(rf_batch *batch, const rf_event *event, rf_event_row *row, uint64_t tick)
{
    uint64_t start = (uint64_t)row->start, period = (uint64_t)event->period;
    if (tick < start) return;
    uint64_t repeat = period == 0 ? 0 : (tick - start) / period, since = tick - start - repeat * period;
    if (event->times != 0 && repeat >= event->times) return;
    const char *column = rf_batch_column_row(batch, (int)row->column)->name;
    double *value = values(batch, column, (int)row->component) + row->vehicle;
    if (event->ramp == 0 || since >= event->ramp) {
        if (since == event->ramp) *value = row->value;
        return;
    }
    if (since == 0) row->from = *value;
    double share = (double)since / (double)event->ramp;
    double between = row->from * (1 - share) + row->value * share;
    between = fmin(fmax(between, fmin(row->from, row->value)), fmax(row->from, row->value));
    if (since % event->interval == 0) *value = between;
}

/* Events of many vehicles on four threads in one call, against columns that are written before each step. */
static void events_write_what_their_table_says(void)
{
    rf_batch *batch = tumbling(many(4)), *other = tumbling(many(1));
    table *t = random_table(batch);
    ENSURE(enter(batch, t) == RF_OK);
    ENSURE(rf_batch_step(batch, STEPS) == RF_OK);
    for (uint64_t tick = 0; tick < STEPS; tick++) {
        for (uint64_t i = 0; i < t->header.rows; i++) {
            write_by_hand(other, &t->events[t->rows[i].event], &t->rows[i], tick);
        }
        ENSURE(rf_batch_step(other, 1) == RF_OK);
    }
    ENSURE(rf_batch_set_events(batch, NULL, 0) == RF_OK);
    ENSURE(same_bytes(batch, other));
    free(t);
    rf_batch_destroy(batch);
    rf_batch_destroy(other);
}

static void a_snapshot_amid_events_has_the_same_future(void)
{
    rf_batch *batch = tumbling(many(4)), *other = tumbling(many(2));
    table *t = random_table(batch);
    ENSURE(enter(batch, t) == RF_OK);
    ENSURE(rf_batch_step(batch, 50) == RF_OK);
    size_t size = rf_batch_snapshot_size(batch);
    void *bytes = malloc(size);
    ENSURE(bytes != NULL && rf_batch_save(batch, bytes) == RF_OK);
    ENSURE(rf_batch_step(batch, STEPS) == RF_OK);
    ENSURE(rf_batch_restore(other, bytes, size) == RF_OK);
    for (int i = 0; i < STEPS; i += 10) ENSURE(rf_batch_step(other, 10) == RF_OK);
    ENSURE(same_bytes(batch, other));
    free(bytes);
    free(t);
    rf_batch_destroy(batch);
    rf_batch_destroy(other);
}

static void what_is_not_valid_is_refused_without_an_effect(void)
{
    rf_batch *batch = tumbling(many(1));
    ENSURE(rf_batch_step(batch, 5) == RF_OK);
    table good = {0};
    add(&good, batch, 5, 3, 0, 1.5);
#define REFUSED(change)                                                                                      \
    do {                                                                                                     \
        table bad = good;                                                                                    \
        change;                                                                                              \
        ENSURE(enter(batch, &bad) == RF_BAD_ARGUMENT);                                                       \
    } while (0)
    REFUSED(bad.rows[0].start = 4);
    REFUSED(bad.rows[0].start = -1);
    REFUSED(bad.rows[0].start = NAN);
    REFUSED(bad.rows[0].start = 1e300);
    REFUSED(bad.rows[0].value = INFINITY);
    REFUSED(bad.rows[0].vehicle = MANY);
    REFUSED(bad.rows[0].event = 1);
    REFUSED(bad.rows[0].component = 1);
    REFUSED(bad.rows[0].column = UINT32_MAX);
    REFUSED(bad.rows[0].column = (uint32_t)column_number(batch, "accel"));
    REFUSED(bad.rows[0].column = (uint32_t)column_number(batch, "battery_voltage"));
    REFUSED(bad.events[0].number = 0);
    REFUSED(bad.events[0].interval = 0);
    REFUSED(bad.events[0].times = 2);
    REFUSED(bad.events[0].period = 0.5);
    REFUSED(bad.events[0].period = NAN);
    REFUSED(bad.events[0].ramp = UINT64_MAX);
    REFUSED((bad.events[0].period = 3, bad.events[0].ramp = 4));
    REFUSED((bad.rows[0].column = (uint32_t)column_number(batch, "armed"), bad.events[0].ramp = 4));
    add(&good, batch, 5, 3, 1, 2); /* the wind: three components */
    ENSURE(good.header.rows == 4);
    REFUSED(bad.header.rows = 3);
    REFUSED(bad.rows[2].component = 0);
    REFUSED(bad.rows[2].component = 2);
    REFUSED(bad.rows[2].vehicle = 4);
    REFUSED(bad.rows[2].event = 0);
    REFUSED((bad.rows[0] = good.rows[1], bad.rows[1] = good.rows[0]));
    REFUSED((bad.rows[4] = good.rows[0], bad.header.rows = 5));
    REFUSED((bad.rows[4] = good.rows[3], bad.header.rows = 5));
    ENSURE(rf_batch_events_size(batch) == 0);
    ENSURE(enter(batch, &good) == RF_OK);
    ENSURE(enter(batch, &good) == RF_BAD_ARGUMENT); /* the same number */
    ENSURE(rf_batch_last_event(batch) == 2);
    rf_batch_destroy(batch);
}

/* A row that is due although all of its repeats are over would act for ever, at one tick. */
static void what_is_over_is_not_due_again(void)
{
    rf_batch *batch = tumbling(many(1));
    table t = {0};
    char bytes[sizeof(table)];
    add(&t, batch, 5, 3, 0, 1.5);
    t.rows[0].due = 5;
    ENSURE(rf_batch_set_events(batch, bytes, bytes_of(&t, bytes)) == RF_OK);
    for (uint64_t done = 1; done < 3; done++) {
        t.rows[0].done = done;
        t.rows[0].due = 5;
        ENSURE(rf_batch_set_events(batch, bytes, bytes_of(&t, bytes)) == RF_BAD_ARGUMENT);
        t.rows[0].due = RF_NEVER;
        ENSURE(rf_batch_set_events(batch, bytes, bytes_of(&t, bytes)) == RF_OK);
    }
    ENSURE(rf_batch_step(batch, 10) == RF_OK);
    rf_batch_destroy(batch);
}

static void no_events_leave_nothing(void)
{
    rf_batch *batch = tumbling(many(1));
    const table none = {0};
    ENSURE(enter(batch, &none) == RF_OK && rf_batch_events_size(batch) == 0);
    ENSURE(rf_batch_add_events(batch, NULL, 0) == RF_OK && rf_batch_events_size(batch) == 0);
    rf_batch_destroy(batch);
}

static void restarted_vehicles_have_their_events_again(void)
{
    rf_batch *batch = tumbling(many(1));
    table t = {0};
    add(&t, batch, 3, 20, 0, 5);
    add(&t, batch, 3, 21, 0, 5);
    ENSURE(enter(batch, &t) == RF_OK);
    ENSURE(rf_batch_step(batch, 10) == RF_OK);
    double *mass = values(batch, "mass", 0);
    ENSURE(mass[20] == 5 && mass[21] == 5);
    mass[20] = mass[21] = 2;
    size_t vehicle = 20, wrong = MANY;
    ENSURE(rf_batch_restart_events(batch, &wrong, 1) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_restart_events(batch, &vehicle, 1) == RF_OK);
    ENSURE(rf_batch_step(batch, 3) == RF_OK);
    ENSURE(mass[20] == 2);
    ENSURE(rf_batch_step(batch, 1) == RF_OK);
    ENSURE(mass[20] == 5 && mass[21] == 2);
    rf_batch_destroy(batch);
}

TEST_SUITE(events)
{
    RUN(events_write_what_their_table_says);
    RUN(a_snapshot_amid_events_has_the_same_future);
    RUN(what_is_not_valid_is_refused_without_an_effect);
    RUN(what_is_over_is_not_due_again);
    RUN(no_events_leave_nothing);
    RUN(restarted_vehicles_have_their_events_again);
}
