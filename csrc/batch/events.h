/* SPDX-License-Identifier: BSD-3-Clause */
/* Events: changes of columns at given ticks, before everything else that happens at that tick.
 *
 * An event writes values at once, or approaches them linearly (a ramp), and may repeat.  It has a row per component and
 * vehicle; rows that are due at one tick act in the order of entry.  A tick is rounded up from steps since the reset
 * of the vehicle, or of the batch before there was one.  A batch without events has nothing of this. */
#ifndef RF_BATCH_EVENTS_H
#define RF_BATCH_EVENTS_H

#include "batch/batch.h"

/* X(type, NumPy's name of it, member) */
#define RF_EVENT(X)                                                                                          \
    X(uint64_t, "u8", number)   /* ascending, from 1 */                                                      \
    X(uint64_t, "u8", ramp)     /* steps from the present value to the new one, 0: at once */                \
    X(uint64_t, "u8", interval) /* steps between two values of a ramp */                                     \
    X(uint64_t, "u8", times)    /* number of repeats, the first included; 0: for ever */                     \
    X(double, "f8", period)     /* steps from one repeat to the next, not less than a ramp; 0: none */

#define RF_EVENT_ROW(X)                                                                                      \
    X(uint32_t, "u4", event)   /* index in the list of events */                                             \
    X(uint32_t, "u4", vehicle) /* index in the batch */                                                      \
    X(uint32_t, "u4", column)  /* rf_batch_column_row, of a stored one */                                    \
    X(uint32_t, "u4", component)                                                                             \
    X(double, "f8", start) /* steps from the origin to the first time */                                     \
    X(double, "f8", value)                                                                                   \
    X(uint64_t, "u8", origin) /* tick of the last reset of the vehicle, or 0 */                              \
    X(uint64_t, "u8", done)   /* repeats that are over */                                                    \
    X(uint64_t, "u8", due)    /* tick at which it acts next; RF_NEVER: it is over */                         \
    X(double, "f8", from)     /* value at the beginning of the ramp in progress */

#define RF_NEVER       UINT64_MAX
#define RF_EVENT_STEPS 0x1p53 /* maximum of start, ramp, interval and period */

#define MEMBER(type, numpy, name) type name;
typedef struct rf_event {
    RF_EVENT(MEMBER)
} rf_event;

typedef struct rf_event_row {
    RF_EVENT_ROW(MEMBER)
} rf_event_row;
#undef MEMBER

/* Events as bytes: this, then the events, then their rows.  Those of a vehicle ascend by event, column and component, and
 * a column has all its components.  No events may be no bytes. */
typedef struct rf_events_header {
    uint64_t events, rows;
} rf_events_header;

/* Adds events, whose numbers are above those of the batch.  `origin`, `done`, `due` and `from` of their rows are set
 * here.  RF_BAD_ARGUMENT, without an effect, if one is not valid or begins before the present tick. */
rf_status rf_batch_add_events(rf_batch *batch, const void *bytes, size_t size);

/* Replaces all events, the state of each included; RF_BAD_ARGUMENT likewise. */
rf_status rf_batch_set_events(rf_batch *batch, const void *bytes, size_t size);

/* Number of the last event, or 0. */
uint64_t rf_batch_last_event(const rf_batch *batch);

/* All events as bytes, for rf_batch_set_events.  RF_BAD_ARGUMENT if the size is not rf_batch_events_size. */
size_t rf_batch_events_size(const rf_batch *batch);
rf_status rf_batch_read_events(rf_batch *batch, void *bytes, size_t size);

/* Number of rows, and the values that those of ramps and repeats write per step, over or not. */
rf_status rf_batch_read_event_load(rf_batch *batch, size_t *rows, double *load);

/* Lets the events of vehicles begin anew, counted from the present tick. */
rf_status rf_batch_restart_events(rf_batch *batch, const size_t *vehicles, size_t count);

/* Executes what is due, for the thread that claimed the batch: before stages of the world. */
void rf_batch_act_locked(rf_batch *batch);

#endif
