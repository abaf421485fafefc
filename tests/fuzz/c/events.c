/* SPDX-License-Identifier: BSD-3-Clause */
/* Events as bytes: those that are added, and those in progress that replace others, as from a snapshot. */
#include "batch/events.h"

#include "fleet.h"
#include "fuzz.h"

enum { VEHICLES = 3, EVENTS = 3, ROWS = 40, CAPACITY = 4096, STEPS = 3 };

static const char *const columns[] = {"mass", "wind", "pos", "att", "drive", "status", "sil_ints", "home"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static rf_batch *batch;
static uint8_t *bytes, *placed;

/* Valid events: of each, columns of some vehicles with all their components. */
static size_t make_events(fuzz_random *random, uint8_t *to)
{
    static const uint64_t steps[] = {0, 1, 2, 5, 1000, 1ull << 53};
    rf_events_header header = {1 + fuzz_below(random, EVENTS), 0};
    rf_event events[EVENTS];
    rf_event_row rows[ROWS];
    for (uint32_t k = 0; k < header.events; k++) {
        const char *name = columns[fuzz_below(random, COLUMNS)];
        uint32_t column = (uint32_t)column_number(batch, name),
                 vehicle = (uint32_t)fuzz_below(random, VEHICLES);
        FUZZ_ENSURE(column < (uint32_t)rf_batch_column_count(batch));
        const rf_column *row = rf_batch_column_row(batch, (int)column);
        bool once = fuzz_one_in(random, 2), jumps = rf_column_is_word(row) || fuzz_one_in(random, 2);
        uint64_t period = 1 + steps[fuzz_below(random, 5)];
        events[k] = (rf_event){.number = k + 1,
                               .ramp = jumps  ? 0
                                       : once ? steps[fuzz_below(random, 6)]
                                              : period,
                               .interval = 1 + steps[fuzz_below(random, 4)],
                               .times = once ? 1 : fuzz_below(random, 4),
                               .period = once ? 0 : (double)period};
        for (uint32_t i = 0; i < row->width && header.rows < ROWS; i++) {
            rows[header.rows++] = (rf_event_row){
                k, vehicle, column, i, (double)fuzz_below(random, 4), (double)fuzz_below(random, 9),
                0, 0,       0,      0};
        }
    }
    memcpy(to, &header, sizeof header);
    memcpy(to + sizeof header, events, header.events * sizeof *events);
    size_t before = sizeof header + header.events * sizeof *events;
    memcpy(to + before, rows, header.rows * sizeof *rows);
    return before + header.rows * sizeof *rows;
}

/* Bytes of the events of the batch. */
static size_t read_events(uint8_t *to)
{
    size_t size = rf_batch_events_size(batch);
    FUZZ_ENSURE(size <= CAPACITY && rf_batch_read_events(batch, to, size) == RF_OK);
    return size;
}

/* What was accepted acts, comes to an end and can be read and entered again. */
static void check(void)
{
    FUZZ_ENSURE(rf_batch_step(batch, STEPS) == RF_OK);
    size_t size = rf_batch_events_size(batch);
    if (size > CAPACITY) return;
    read_events(placed);
    FUZZ_ENSURE(rf_batch_set_events(batch, placed, size) == RF_OK);
    FUZZ_ENSURE(rf_batch_events_size(batch) == size && rf_batch_read_events(batch, bytes, size) == RF_OK);
    FUZZ_ENSURE(memcmp(bytes, placed, size) == 0);
}

static void feed_events(fuzz_random *random)
{
    fuzz_bytes data = {bytes, make_events(random, bytes), CAPACITY};
    bool adds = fuzz_one_in(random, 3);
    rf_batch_set_events(batch, NULL, 0);
    rf_batch_set_tick(batch, fuzz_one_in(random, 8) ? fuzz_draw(random) >> 2 : fuzz_below(random, 100));
    if (!adds) {
        rf_batch_add_events(batch, bytes, data.length);
        rf_batch_step(batch, (uint32_t)fuzz_below(random, STEPS));
        data.length = read_events(bytes);
    }
    fuzz_change(random, &data, 0);
    uint8_t *input = fuzz_place(bytes, data.length, placed, CAPACITY);
    size_t before = rf_batch_events_size(batch);
    rf_status status = adds ? rf_batch_add_events(batch, input, data.length)
                            : rf_batch_set_events(batch, input, data.length);
    FUZZ_ENSURE(status == RF_OK || status == RF_BAD_ARGUMENT);
    if (status == RF_OK) {
        check();
    } else {
        FUZZ_ENSURE(rf_batch_events_size(batch) == before);
    }
}

static void open_events(void)
{
    rf_batch_def def = rf_batch_default();
    def.type = rf_vehicle_type_find("rover");
    def.n = VEHICLES;
    def.threads = 1;
    batch = tumbling(def);
    bytes = malloc(CAPACITY), placed = malloc(CAPACITY);
    bool made = rf_batch_enable_part(batch, RF_PART_navigator) == RF_OK;
    if (!made || bytes == NULL || placed == NULL) abort();
}

static void close_events(void)
{
    rf_batch_destroy(batch);
    free(bytes);
    free(placed);
}

const fuzz_target fuzz_events = {"events", open_events, feed_events, close_events};
