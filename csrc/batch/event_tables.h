/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of events in memory, and what they do.  Every few vehicles have a table of their rows, so that pieces of work
 * share none.  Nothing is allocated while they act. */
#ifndef RF_BATCH_EVENT_TABLES_H
#define RF_BATCH_EVENT_TABLES_H

#include <stdbool.h>

#include "batch/events.h"

enum rf_event_values { RF_EVENT_DOUBLE, RF_EVENT_FLOAT, RF_EVENT_WORD };

/* A column in memory. */
typedef struct rf_event_target {
    char *start;   /* of component 0 */
    size_t stride; /* bytes from one component to the next */
    int values;    /* an rf_event_values */
} rf_event_target;

typedef struct rf_event_table rf_event_table;

typedef struct rf_events {
    rf_event *list;
    size_t count, capacity;
    rf_event_target *targets; /* by column; those of the rows are set */
    rf_event_table *tables;
    size_t table_count, vehicles, rows;
    double load; /* of all rows; see rf_batch_read_event_load */
} rf_events;

rf_events *rf_events_create(size_t vehicles, size_t columns);
void rf_events_destroy(rf_events *events);

/* Memory for more events, and for more rows of each vehicle; false if there is none. */
bool rf_events_reserve(rf_events *events, size_t more, const uint32_t *rows_of_vehicle);

/* Adds a row of an event of the list, in its state, and an event, in reserved memory. */
void rf_events_add_row(rf_events *events, const rf_event_row *row);
void rf_events_add(rf_events *events, const rf_event *event);

/* Copies all rows, those of a vehicle in the order of entry. */
void rf_events_copy_rows(const rf_events *events, void *to);

/* Tick at which the present repeat of a row begins. */
uint64_t rf_event_begin(const rf_event *event, const rf_event_row *row);

/* Puts a row into its state before the first time, counted from a tick. */
void rf_event_restart(const rf_event *event, rf_event_row *row, uint64_t tick);

/* Vehicles of a piece of work.  Act: executes what is due at a tick, and returns the next tick at which something is.
 * Restart: lets their events begin anew, counted from a tick, where the word of the vehicle is not 0. */
uint64_t rf_events_act(const rf_events *events, size_t begin, size_t end, uint64_t tick);
void rf_events_restart(const rf_events *events, size_t begin, size_t end, const uint32_t *words,
                       uint64_t tick);

#endif
