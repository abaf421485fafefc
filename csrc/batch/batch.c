/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "batch/batch.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "batch/fpu.h"
#include "batch/pool.h"
#include "math/scalar.h"

#define CACHE_LINE 64
#define HUGE_PAGE  ((size_t)2 << 20)

/* Vehicles per piece of work: with controllers on, a piece goes through all its steps before the next one starts,
 * so it should stay in the second-level cache. */
#define PIECE 128

/* Vehicle steps below which waking other threads costs more than it gains. */
#define WORTH_SHARING 2048

/* Columns of this size come from main memory on every step; third-level caches are about as large. */
#define BEYOND_CACHES ((size_t)16 << 20)

struct rf_batch {
    rf_batch_def def;
    const rf_vehicle_type *type;
    const rf_kernel_set *kernels;
    size_t stride;      /* values */
    size_t word_stride; /* words */
    size_t bytes;
    void *memory;
    uint32_t *words;
    size_t navigator_bytes; /* of the columns below, 0 while the navigator is off */
    void *navigator;
    uint32_t *navigator_words;
    rf_origin origin;
    double *airframes; /* of a mixed model, or NULL */
    uint64_t tick;
    bool controllers;
    atomic_bool busy;
};

static bool acquire(rf_batch *batch)
{
    return !atomic_exchange_explicit(&batch->busy, true, memory_order_acquire);
}

static void release(rf_batch *batch)
{
    atomic_store_explicit(&batch->busy, false, memory_order_release);
}

static size_t value_size(const rf_batch *batch)
{
    return batch->def.precision == RF_FLOAT64 ? sizeof(double) : sizeof(float);
}

/* Bytes of n values, rounded up to an odd number of cache lines. */
static size_t padded_bytes(size_t n, size_t size)
{
    size_t lines = (n * size + CACHE_LINE - 1) / CACHE_LINE;
    return (lines | 1) * CACHE_LINE;
}

static int stored_width(const rf_vehicle_type *type)
{
    int width = 0;
    for (int role = RF_ROLE_STATE; role < RF_ROLE_FLAG; role++)
        width += rf_vehicle_role_width(type, (rf_role)role);
    return width;
}

rf_batch_def rf_batch_default(void)
{
    return (rf_batch_def){
        .type = RF_QUAD_X,
        .n = 1,
        .precision = RF_FLOAT64,
        .integrator = RF_INTEGRATOR_RK4,
        .effects = RF_EFFECTS_FULL,
        .dt = 1e-3,
        .loop_steps = {10, 4, 2},
        .threads = 1,
        .simd = rf_simd_available()[0],
    };
}

static bool def_is_valid(const rf_batch_def *def)
{
    return def->type >= 0 && def->type < RF_VEHICLE_TYPE_COUNT && def->n >= 1 && def->n <= RF_MOST_VEHICLES &&
           def->precision >= 0 && def->precision < RF_PRECISION_COUNT && def->integrator >= 0 &&
           def->integrator < RF_INTEGRATOR_COUNT && def->effects >= 0 && def->effects < RF_EFFECTS_COUNT &&
           def->dt > 0 && def->dt <= 1 && def->loop_steps[0] > 0 && def->loop_steps[1] > 0 &&
           def->loop_steps[2] > 0 && def->threads >= 1 && def->simd != NULL;
}

static void *allocate_columns(size_t bytes)
{
    void *memory = NULL;
    bool large = bytes >= 2 * HUGE_PAGE;
    if (posix_memalign(&memory, large ? HUGE_PAGE : CACHE_LINE, bytes) != 0) return NULL;
#if defined(MADV_HUGEPAGE)
    /* A step walks some fifty columns at once; with small pages that is fifty page walks per 512 vehicles. */
    if (large) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    memset(memory, 0, bytes);
    return memory;
}

rf_status rf_batch_create(const rf_batch_def *def, rf_batch **out)
{
    if (!def_is_valid(def)) return RF_BAD_ARGUMENT;
    rf_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL) return RF_NO_MEMORY;
    batch->def = *def;
    batch->type = &rf_vehicle_types[def->type];
    batch->kernels = &def->simd->kernels[def->precision][def->type];

    size_t column_bytes = padded_bytes(def->n, value_size(batch));
    size_t word_bytes = padded_bytes(column_bytes / value_size(batch), sizeof(uint32_t));
    size_t real_bytes = (size_t)stored_width(batch->type) * column_bytes;
    batch->stride = column_bytes / value_size(batch);
    batch->word_stride = word_bytes / sizeof(uint32_t);
    batch->bytes = real_bytes + (size_t)rf_vehicle_role_width(batch->type, RF_ROLE_FLAG) * word_bytes;
    batch->memory = allocate_columns(batch->bytes);
    if (batch->memory == NULL) {
        free(batch);
        return RF_NO_MEMORY;
    }
    batch->words = (uint32_t *)(void *)((char *)batch->memory + real_bytes);
    rf_batch_set_origin(batch, RF_ORIGIN_LAT, RF_ORIGIN_LON, RF_ORIGIN_HEIGHT);
    *out = batch;
    return RF_OK;
}

void rf_batch_destroy(rf_batch *batch)
{
    if (batch == NULL) return;
    free(batch->airframes);
    free(batch->navigator);
    free(batch->memory);
    free(batch);
}

const rf_batch_def *rf_batch_get_def(const rf_batch *batch)
{
    return &batch->def;
}

const rf_vehicle_type *rf_batch_type(const rf_batch *batch)
{
    return batch->type;
}

size_t rf_batch_bytes(const rf_batch *batch)
{
    return batch->bytes + batch->navigator_bytes;
}

size_t rf_batch_stride(const rf_batch *batch)
{
    return batch->stride;
}

uint64_t rf_batch_tick(const rf_batch *batch)
{
    return batch->tick;
}

rf_status rf_batch_set_tick(rf_batch *batch, uint64_t tick)
{
    if (!acquire(batch)) return RF_BUSY;
    batch->tick = tick;
    release(batch);
    return RF_OK;
}

rf_status rf_batch_set_controllers(rf_batch *batch, bool on)
{
    if (!acquire(batch)) return RF_BUSY;
    batch->controllers = on;
    release(batch);
    return RF_OK;
}

bool rf_batch_controllers(const rf_batch *batch)
{
    return batch->controllers;
}

static bool is_word(uint8_t role)
{
    return role == RF_ROLE_FLAG || role == RF_ROLE_NAVIGATOR_WORD;
}

static bool is_navigator(uint8_t role)
{
    return role == RF_ROLE_NAVIGATOR || role == RF_ROLE_NAVIGATOR_WORD;
}

void *rf_batch_column(rf_batch *batch, int column, size_t *component_stride)
{
    const rf_column *rows = batch->type->columns;
    bool word = is_word(rows[column].role), navigator = is_navigator(rows[column].role);
    size_t before = 0;
    for (int i = 0; i < column; i++) {
        if (is_word(rows[i].role) == word && is_navigator(rows[i].role) == navigator) before += rows[i].width;
    }
    *component_stride = word ? batch->word_stride * sizeof(uint32_t) : batch->stride * value_size(batch);
    void *reals = navigator ? batch->navigator : batch->memory;
    void *words = navigator ? batch->navigator_words : batch->words;
    if (reals == NULL) return NULL;
    return (char *)(word ? words : reals) + before * *component_stride;
}

rf_status rf_batch_fill(rf_batch *batch, int column, int component, double value)
{
    if (!acquire(batch)) return RF_BUSY;
    size_t stride;
    char *start = rf_batch_column(batch, column, &stride);
    if (start == NULL) {
        release(batch);
        return RF_BAD_ARGUMENT;
    }
    start += (size_t)component * stride;
    if (is_word(batch->type->columns[column].role)) {
        for (size_t i = 0; i < batch->word_stride; i++) ((uint32_t *)(void *)start)[i] = (uint32_t)value;
    } else if (batch->def.precision == RF_FLOAT64) {
        for (size_t i = 0; i < batch->stride; i++) ((double *)(void *)start)[i] = value;
    } else {
        for (size_t i = 0; i < batch->stride; i++) ((float *)(void *)start)[i] = (float)value;
    }
    release(batch);
    return RF_OK;
}

static rf_kernel_args kernel_args(const rf_batch *batch)
{
    rf_kernel_args args = {
        .columns = batch->memory,
        .stride = batch->stride,
        .words = batch->words,
        .word_stride = batch->word_stride,
        .dt = batch->def.dt,
        .prefetch = batch->bytes > BEYOND_CACHES,
        .navigator = batch->navigator,
        .navigator_words = batch->navigator_words,
        .airframes = batch->airframes,
        .origin = &batch->origin,
    };
    for (int i = 0; i < 3; i++) args.loop_dt[i] = batch->def.dt * batch->def.loop_steps[i];
    return args;
}

typedef struct step_task {
    const rf_batch *batch;
    rf_kernel_args args;
    uint32_t steps;
    size_t end; /* vehicles, padding included */
} step_task;

static uint32_t loops_due(const rf_batch *batch, uint64_t tick)
{
    uint32_t due = 0;
    for (int i = 0; i < 3; i++) due |= (uint32_t)(tick % batch->def.loop_steps[i] == 0) << i;
    return due;
}

static uint32_t steps_until_due(const rf_batch *batch, uint64_t tick)
{
    uint32_t steps = UINT32_MAX;
    for (int i = 0; i < 3; i++) {
        uint32_t period = batch->def.loop_steps[i];
        uint32_t left = period - (uint32_t)(tick % period);
        if (left < steps) steps = left;
    }
    return steps;
}

static void step_piece(void *context, size_t piece)
{
    const step_task *task = context;
    const rf_batch *batch = task->batch;
    rf_kernel step = batch->kernels->step[batch->def.integrator][batch->def.effects];
    rf_kernel_args args = task->args;
    args.begin = piece * PIECE;
    args.end = args.begin + PIECE < task->end ? args.begin + PIECE : task->end;

    rf_fpu_state fpu = rf_fpu_flush_denormals();
    if (!batch->controllers || batch->kernels->control == NULL) {
        args.steps = task->steps;
        step(&args);
    } else {
        uint64_t tick = batch->tick, last = tick + task->steps;
        while (tick < last) {
            args.loops = loops_due(batch, tick);
            if (args.loops != 0) batch->kernels->control(&args);
            uint64_t run = steps_until_due(batch, tick);
            args.steps = (uint32_t)(run < last - tick ? run : last - tick);
            step(&args);
            tick += args.steps;
        }
    }
    rf_fpu_restore(fpu);
}

/* Vehicles to step: whole lanes only, so that a small batch costs no more than it must. */
static size_t stepped_vehicles(const rf_batch *batch)
{
    size_t width = (size_t)batch->def.simd->width[batch->def.precision];
    return (batch->def.n + width - 1) / width * width;
}

rf_status rf_batch_step(rf_batch *batch, uint32_t steps)
{
    if (!acquire(batch)) return RF_BUSY;
    step_task task = {batch, kernel_args(batch), steps, stepped_vehicles(batch)};
    size_t pieces = (task.end + PIECE - 1) / PIECE;
    int threads = (double)batch->def.n * steps < WORTH_SHARING ? 1 : batch->def.threads;
    if (steps > 0) rf_pool_run(step_piece, &task, pieces, threads);
    batch->tick += steps;
    release(batch);
    return RF_OK;
}

rf_status rf_batch_hold(rf_batch *batch)
{
    return acquire(batch) ? RF_OK : RF_BUSY;
}

void rf_batch_let_go(rf_batch *batch)
{
    release(batch);
}

void rf_batch_output_held(rf_batch *batch, void *out)
{
    rf_kernel_args args = kernel_args(batch);
    args.begin = 0;
    args.end = stepped_vehicles(batch);
    args.out = out;
    args.out_stride = batch->stride;
    rf_fpu_state fpu = rf_fpu_flush_denormals();
    batch->kernels->output[batch->def.effects](&args);
    rf_fpu_restore(fpu);
}

rf_status rf_batch_output(rf_batch *batch, void *out)
{
    if (!acquire(batch)) return RF_BUSY;
    rf_batch_output_held(batch, out);
    release(batch);
    return RF_OK;
}

/* ---- the navigator ---- */

rf_status rf_batch_set_origin(rf_batch *batch, double lat_deg, double lon_deg, double height)
{
    if (!(fabs(lat_deg) <= 90 && fabs(lon_deg) <= 180 && fabs(height) <= RF_MAX_DISTANCE)) {
        return RF_BAD_ARGUMENT;
    }
    if (!acquire(batch)) return RF_BUSY;
    double sine, cosine;
    rf_sincos(lat_deg * (3.14159265358979323846 / 180), &sine, &cosine);
    double w2 = 1 - WGS84_E2 * sine * sine, across = WGS84_SEMI_MAJOR / sqrt(w2);
    double meridian = across * (1 - WGS84_E2) / w2;
    rf_origin origin = {.lat_whole = (int32_t)lrint(lat_deg * 1e7),
                        .lon_whole = (int32_t)lrint(lon_deg * 1e7),
                        .height = height,
                        .meridian = meridian + height,
                        .across = across + height,
                        .sine = sine,
                        .cosine = cosine,
                        .meridian_rate = 3 * meridian * WGS84_E2 * sine * cosine / w2};
    origin.lat_rest = lat_deg - origin.lat_whole * 1e-7;
    origin.lon_rest = lon_deg - origin.lon_whole * 1e-7;
    batch->origin = origin;
    release(batch);
    return RF_OK;
}

bool rf_batch_navigator(const rf_batch *batch)
{
    return batch->navigator != NULL;
}

static rf_status make_navigator(rf_batch *batch)
{
    if (batch->navigator != NULL) return RF_OK;
    size_t reals = (size_t)rf_vehicle_role_width(batch->type, RF_ROLE_NAVIGATOR);
    size_t words = (size_t)rf_vehicle_role_width(batch->type, RF_ROLE_NAVIGATOR_WORD);
    size_t real_bytes = reals * batch->stride * value_size(batch);
    size_t bytes = real_bytes + words * batch->word_stride * sizeof(uint32_t);
    void *memory = allocate_columns(bytes);
    if (memory == NULL) return RF_NO_MEMORY;
    batch->navigator = memory;
    batch->navigator_words = (uint32_t *)(void *)((char *)memory + real_bytes);
    batch->navigator_bytes = bytes;
    return RF_OK;
}

rf_status rf_batch_enable_navigator(rf_batch *batch)
{
    if (!acquire(batch)) return RF_BUSY;
    rf_status status = make_navigator(batch);
    release(batch);
    return status;
}

size_t rf_batch_airframe_size(const rf_batch *batch)
{
    return (size_t)(rf_vehicle_role_width(batch->type, RF_ROLE_PARAM) +
                    rf_vehicle_role_width(batch->type, RF_ROLE_GAIN));
}

rf_status rf_batch_set_airframe(rf_batch *batch, int airframe, const double *values)
{
    if (airframe < 0 || airframe >= RF_AIRFRAMES) return RF_BAD_ARGUMENT;
    if (!acquire(batch)) return RF_BUSY;
    size_t size = rf_batch_airframe_size(batch);
    if (batch->airframes == NULL) batch->airframes = calloc(RF_AIRFRAMES * size, sizeof(double));
    rf_status status = batch->airframes == NULL ? RF_NO_MEMORY : RF_OK;
    if (status == RF_OK) memcpy(batch->airframes + (size_t)airframe * size, values, size * sizeof(double));
    release(batch);
    return status;
}

rf_status rf_batch_accept(rf_batch *batch, size_t first, size_t count)
{
    if (batch->navigator == NULL || first > batch->def.n || count > batch->def.n - first) {
        return RF_BAD_ARGUMENT;
    }
    if (count == 0 || batch->kernels->control == NULL) return RF_OK;
    if (!acquire(batch)) return RF_BUSY;
    size_t width = (size_t)batch->def.simd->width[batch->def.precision];
    rf_kernel_args args = kernel_args(batch);
    args.begin = first / width * width;
    args.end = (first + count + width - 1) / width * width;
    args.loops = RF_LOOP_ACCEPT;
    rf_fpu_state fpu = rf_fpu_flush_denormals();
    batch->kernels->control(&args);
    rf_fpu_restore(fpu);
    release(batch);
    return RF_OK;
}

/* ---- snapshots ---- */

/* Without padding, so that equal headers have equal bytes. */
typedef struct snapshot_header {
    char magic[8];
    uint64_t layout; /* hash of the type's table */
    uint64_t n;
    uint64_t bytes;           /* of columns behind the header */
    uint64_t navigator_bytes; /* of the navigator's columns behind those, 0 when it was off */
    double dt;
    uint32_t format, precision, integrator, effects;
    uint32_t loop_steps[3];
    uint32_t controllers;
    uint64_t tick;
} snapshot_header;

#define SNAPSHOT_MAGIC  "pyrfly\0"
#define SNAPSHOT_FORMAT 2

/* FNV-1a over names, widths and roles: two tables with the same hash store the same columns. */
static uint64_t layout_hash(const rf_vehicle_type *type)
{
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < type->column_count; i++) {
        const rf_column *column = &type->columns[i];
        for (const char *c = column->name; *c != '\0'; c++)
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
        hash = (hash ^ column->width) * 1099511628211u;
        hash = (hash ^ column->role) * 1099511628211u;
    }
    return hash;
}

static snapshot_header make_header(const rf_batch *batch)
{
    const rf_batch_def *def = &batch->def;
    snapshot_header header = {
        .magic = SNAPSHOT_MAGIC,
        .layout = layout_hash(batch->type),
        .n = def->n,
        .bytes = batch->bytes,
        .navigator_bytes = batch->navigator_bytes,
        .dt = def->dt,
        .format = SNAPSHOT_FORMAT,
        .precision = (uint32_t)def->precision,
        .integrator = (uint32_t)def->integrator,
        .effects = (uint32_t)def->effects,
        .loop_steps = {def->loop_steps[0], def->loop_steps[1], def->loop_steps[2]},
        .controllers = batch->controllers,
        .tick = batch->tick,
    };
    return header;
}

size_t rf_batch_snapshot_size(const rf_batch *batch)
{
    return sizeof(snapshot_header) + batch->bytes + batch->navigator_bytes;
}

rf_status rf_batch_save(rf_batch *batch, void *bytes)
{
    if (!acquire(batch)) return RF_BUSY;
    snapshot_header header = make_header(batch);
    char *columns = (char *)bytes + sizeof header;
    memcpy(bytes, &header, sizeof header);
    memcpy(columns, batch->memory, batch->bytes);
    if (batch->navigator != NULL) memcpy(columns + batch->bytes, batch->navigator, batch->navigator_bytes);
    release(batch);
    return RF_OK;
}

/* Whether a snapshot is of such a batch; clock, controllers and navigator may differ. */
static bool header_fits(const rf_batch *batch, const snapshot_header *header)
{
    snapshot_header own = make_header(batch);
    own.tick = header->tick;
    own.controllers = header->controllers;
    own.navigator_bytes = header->navigator_bytes;
    return memcmp(header, &own, sizeof own) == 0;
}

/* A snapshot with a navigator enables that of the batch; one without leaves it without memory of anything. */
static rf_status restore_columns(rf_batch *batch, const snapshot_header *header, const char *columns)
{
    if (header->navigator_bytes != 0) {
        rf_status status = make_navigator(batch);
        if (status != RF_OK) return status;
        if (header->navigator_bytes != batch->navigator_bytes) return RF_BAD_SNAPSHOT;
        memcpy(batch->navigator, columns + batch->bytes, batch->navigator_bytes);
    } else if (batch->navigator != NULL) {
        memset(batch->navigator, 0, batch->navigator_bytes);
    }
    memcpy(batch->memory, columns, batch->bytes);
    batch->tick = header->tick;
    batch->controllers = header->controllers != 0;
    return RF_OK;
}

rf_status rf_batch_restore(rf_batch *batch, const void *bytes, size_t size)
{
    snapshot_header header;
    if (size < sizeof header) return RF_BAD_SNAPSHOT;
    memcpy(&header, bytes, sizeof header);
    if (!acquire(batch)) return RF_BUSY;
    rf_status status = RF_BAD_SNAPSHOT;
    if (header_fits(batch, &header) && size - sizeof header == header.bytes + header.navigator_bytes) {
        status = restore_columns(batch, &header, (const char *)bytes + sizeof header);
    }
    release(batch);
    return status;
}
