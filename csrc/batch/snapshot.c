/* SPDX-License-Identifier: BSD-3-Clause */
/* Snapshots: a header, the columns of the batch, those of every enabled part, then the events. */
#include <string.h>

#include "batch/internal.h"

/* Header without padding: equal headers have equal bytes. */
typedef struct snapshot_header {
    char magic[8];
    uint64_t layout; /* rf_batch_layout_version */
    uint64_t n;
    uint64_t bytes;                     /* of the batch's columns, which follow the header */
    uint64_t part_bytes[RF_PART_COUNT]; /* of the columns of each part, which follow those; 0: disabled */
    uint64_t event_bytes;               /* of the events, which follow those */
    double dt;
    uint32_t format, precision, integrator, effects;
    uint32_t periods[(RF_STAGE_COUNT + 1) / 2 * 2]; /* an even number: no padding */
    uint64_t controllers;
    uint64_t tick;
} snapshot_header;

#define SNAPSHOT_MAGIC "pyrfly\0"

static snapshot_header make_header(const rf_batch *batch)
{
    const rf_batch_def *def = &batch->def;
    snapshot_header header = {
        .magic = SNAPSHOT_MAGIC,
        .layout = batch->layout,
        .n = def->n,
        .bytes = batch->own.bytes,
        .event_bytes = rf_batch_events_size(batch),
        .dt = def->dt,
        .format = RF_SNAPSHOT_FORMAT,
        .precision = (uint32_t)def->precision,
        .integrator = (uint32_t)def->integrator,
        .effects = (uint32_t)def->effects,
        .controllers = batch->controllers,
        .tick = batch->tick,
    };
    memcpy(header.periods, def->periods, sizeof def->periods);
    for (int part = 0; part < RF_PART_COUNT; part++) header.part_bytes[part] = batch->parts[part].bytes;
    return header;
}

size_t rf_batch_snapshot_size(const rf_batch *batch)
{
    return sizeof(snapshot_header) + rf_batch_bytes(batch) + rf_batch_events_size(batch);
}

void rf_batch_save_locked(const rf_batch *batch, void *bytes)
{
    snapshot_header header = make_header(batch);
    char *to = (char *)bytes + sizeof header;
    memcpy(bytes, &header, sizeof header);
    memcpy(to, batch->own.reals, batch->own.bytes);
    to += batch->own.bytes;
    for (int part = 0; part < RF_PART_COUNT; part++) {
        if (batch->parts[part].reals == NULL) continue;
        memcpy(to, batch->parts[part].reals, batch->parts[part].bytes);
        to += batch->parts[part].bytes;
    }
    rf_events_save(batch, to);
}

rf_status rf_batch_save(rf_batch *batch, void *bytes)
{
    rf_status status = rf_batch_begin_read(batch);
    if (status != RF_OK) return status;
    rf_batch_save_locked(batch, bytes);
    rf_batch_end_read(batch);
    return RF_OK;
}

bool rf_snapshot_version(const void *bytes, size_t size, uint32_t *format, uint64_t *layout)
{
    snapshot_header header;
    if (size < sizeof header) return false;
    memcpy(&header, bytes, sizeof header);
    *format = header.format;
    *layout = header.layout;
    return memcmp(header.magic, SNAPSHOT_MAGIC, sizeof header.magic) == 0;
}

/* Checks that a snapshot fits the batch; tick, controllers, enabled parts and events may differ. */
static rf_status check(const rf_batch *batch, const snapshot_header *header, const char *bytes, size_t size)
{
    snapshot_header own = make_header(batch);
    if (memcmp(header->magic, own.magic, sizeof own.magic) != 0) return RF_BAD_SNAPSHOT;
    if (header->format != own.format || header->layout != own.layout) return RF_OTHER_VERSION;
    own.tick = header->tick;
    own.controllers = header->controllers;
    memcpy(own.part_bytes, header->part_bytes, sizeof own.part_bytes);
    own.event_bytes = header->event_bytes;
    if (memcmp(header, &own, sizeof own) != 0 || header->tick > RF_MAXIMUM_TICK) return RF_BAD_SNAPSHOT;
    uint64_t before = sizeof own + header->bytes;
    for (int part = 0; part < RF_PART_COUNT; part++) {
        uint64_t own_bytes = header->part_bytes[part];
        if (own_bytes != 0 && own_bytes != rf_batch_part_bytes(batch, part)) return RF_BAD_SNAPSHOT;
        before += own_bytes;
    }
    if (size < before || size - before != header->event_bytes) return RF_BAD_SNAPSHOT;
    rf_status status =
        rf_events_check(batch, bytes + before, size - before, header->tick, header->part_bytes, false);
    return status == RF_BAD_ARGUMENT ? RF_BAD_SNAPSHOT : status;
}

/* Parts of the snapshot are enabled in the batch; parts that it lacks get their initial state. */
static rf_status restore_columns(rf_batch *batch, const snapshot_header *header, const char *columns)
{
    for (int part = 0; part < RF_PART_COUNT; part++) {
        if (header->part_bytes[part] == 0) continue;
        rf_status status = rf_batch_make_part(batch, part);
        if (status != RF_OK) return status;
    }
    memcpy(batch->own.reals, columns, batch->own.bytes);
    const char *from = columns + batch->own.bytes;
    for (int part = 0; part < RF_PART_COUNT; part++) {
        rf_columns *memory = &batch->parts[part];
        if (header->part_bytes[part] != 0) {
            memcpy(memory->reals, from, memory->bytes);
        } else if (memory->reals != NULL) {
            rf_batch_initialize_part(batch, part);
        }
        from += header->part_bytes[part];
    }
    batch->tick = header->tick;
    batch->controllers = header->controllers != 0;
    return RF_OK;
}

/* Restores a snapshot that was checked. */
static rf_status restore(rf_batch *batch, const snapshot_header *header, const char *bytes, size_t size)
{
    const char *event_bytes = bytes + (size - header->event_bytes);
    rf_events *events;
    rf_status status = rf_events_make(batch, event_bytes, header->event_bytes, &events);
    if (status != RF_OK) return status;
    status = restore_columns(batch, header, bytes + sizeof *header);
    if (status == RF_OK) {
        rf_events_replace(batch, events, event_bytes, header->event_bytes);
    } else {
        rf_events_destroy(events);
    }
    return status;
}

rf_status rf_batch_check_snapshot(rf_batch *batch, const void *bytes, size_t size, uint64_t *tick)
{
    snapshot_header header;
    if (size < sizeof header) return RF_BAD_SNAPSHOT;
    memcpy(&header, bytes, sizeof header);
    *tick = header.tick;
    rf_status status = rf_batch_begin_read(batch);
    if (status != RF_OK) return status;
    status = check(batch, &header, bytes, size);
    rf_batch_end_read(batch);
    return status;
}

rf_status rf_batch_restore(rf_batch *batch, const void *bytes, size_t size)
{
    snapshot_header header;
    if (size < sizeof header) return RF_BAD_SNAPSHOT;
    memcpy(&header, bytes, sizeof header);
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    rf_status status = check(batch, &header, bytes, size);
    if (status == RF_OK) status = restore(batch, &header, bytes, size);
    rf_batch_release(batch);
    return status;
}
