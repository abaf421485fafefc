/* SPDX-License-Identifier: BSD-3-Clause */
/* Snapshots of rovers that have every part, all of whose stages run in each step, and of rovers that have none. */
#include "batch/events.h"

#include "fleet.h"
#include "fuzz.h"

enum { VEHICLES = 2, SAMPLES = 2, HEADER = 256, TOUCHED = 8 };

static rf_batch *batch;
static uint8_t *samples[SAMPLES], *input,
    *cut; /* the input begins as a sample, and is put right again after its use */
static size_t sizes[SAMPLES];
static double heights[9];

static rf_batch *rovers(void)
{
    rf_batch_def def = rf_batch_default();
    def.type = rf_vehicle_type_find("rover");
    def.n = VEHICLES;
    def.threads = 1;
    for (int i = 0; i < RF_STAGE_COUNT; i++) def.periods[i] = 1;
    return tumbling(def);
}

/* A ramp of the mass of the second vehicle. */
static void add_event(rf_batch *to)
{
    struct {
        rf_events_header header;
        rf_event event;
        rf_event_row row;
    } bytes = {{1, 1},
               {.number = 1, .ramp = 50, .interval = 1, .times = 3, .period = 60},
               {.vehicle = 1, .column = (uint32_t)column_number(to, "mass"), .value = 3}};
    if (rf_batch_add_events(to, &bytes, sizeof bytes) != RF_OK) abort();
}

static void save(rf_batch *from, int sample)
{
    sizes[sample] = rf_batch_snapshot_size(from);
    samples[sample] = malloc(sizes[sample]);
    if (samples[sample] == NULL || rf_batch_save(from, samples[sample]) != RF_OK) abort();
}

static void open_snapshots(void)
{
    rf_terrain_map map = {.heights = heights, .rows = 3, .columns = 3, .first = {-1, -1}, .spacing = {1, 1}};
    rf_batch *bare = rovers();
    batch = rovers();
    save(bare, 1);
    rf_batch_destroy(bare);
    for (int part = 0; part < RF_PART_COUNT; part++) {
        if (rf_batch_enable_part(batch, part) != RF_OK) abort();
    }
    add_event(batch);
    if (rf_batch_set_controllers(batch, true) != RF_OK || rf_batch_set_terrain_map(batch, &map) != RF_OK)
        abort();
    if (rf_batch_step(batch, 10) != RF_OK) abort();
    save(batch, 0);
    input = malloc(sizes[0]), cut = malloc(sizes[0]);
    if (input == NULL || cut == NULL) abort();
}

static void close_snapshots(void)
{
    rf_batch_destroy(batch);
    for (int i = 0; i < SAMPLES; i++) free(samples[i]);
    free(input);
    free(cut);
}

/* A part of the snapshot in which something is changed: the header, the events, columns. */
static fuzz_bytes region(fuzz_random *random, size_t size)
{
    size_t kind = fuzz_below(random, 4), ends = size < 2 * HEADER ? size : HEADER;
    if (kind == 0) return (fuzz_bytes){input, ends, ends};
    if (kind == 1) return (fuzz_bytes){input + size - ends, ends, ends};
    size_t at = fuzz_below(random, size - ends + 1);
    return (fuzz_bytes){input + at, ends, ends};
}

/* A check says what restoring does. */
static void check(const uint8_t *bytes, size_t size)
{
    uint64_t tick, layout;
    uint32_t format;
    bool known = rf_snapshot_version(bytes, size, &format, &layout);
    rf_status checked = rf_batch_check_snapshot(batch, bytes, size, &tick);
    FUZZ_ENSURE(checked == rf_batch_restore(batch, bytes, size));
    FUZZ_ENSURE(checked != RF_OTHER_VERSION || known);
    FUZZ_ENSURE(checked != RF_OK || tick == rf_batch_tick(batch));
}

static void use(const uint8_t *bytes, size_t size)
{
    rf_status restored = rf_batch_restore(batch, bytes, size);
    FUZZ_ENSURE(restored == RF_OK || restored == RF_BAD_SNAPSHOT || restored == RF_OTHER_VERSION);
    if (restored == RF_OK) FUZZ_ENSURE(rf_batch_step(batch, 1) == RF_OK);
}

static void feed_snapshots(fuzz_random *random)
{
    int sample = fuzz_one_in(random, 32);
    size_t size = sizes[sample], touched[TOUCHED], count = 0;
    static int last = -1;
    if (last != sample) memcpy(input, samples[sample], size);
    last = sample;
    for (size_t left = 1 + fuzz_below(random, TOUCHED / 2); left > 0; left--) {
        fuzz_bytes data = region(random, size);
        fuzz_write(random, &data, 0);
        touched[count++] = (size_t)(data.bytes - input);
    }
    if (fuzz_one_in(random, 20)) {
        size_t begun = fuzz_below(random, size);
        use(fuzz_place(input, begun, cut, sizes[0]), begun);
    } else if (fuzz_one_in(random, 8)) {
        check(input, size);
    } else {
        use(input, size);
    }
    while (count > 0) {
        size_t at = touched[--count], room = size - at < HEADER ? size - at : HEADER;
        memcpy(input + at, samples[sample] + at, room);
    }
}

const fuzz_target fuzz_snapshots = {"snapshots", open_snapshots, feed_snapshots, close_snapshots};
