/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of the payloads, of a block of vehicles, and the mass with them. */
#ifndef RF_PARTS_PAYLOAD_HELD_H
#define RF_PARTS_PAYLOAD_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "base/sets.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/faults/mass.h"
#include "parts/payload/columns.h"

typedef lane payload_moments[WIDTH_payload_moments];
typedef mask word;

typedef struct payload {
    PAYLOAD_PART(COLUMN_MEMBER)
} payload;

typedef struct payload_words {
    PAYLOAD_PART_WORD(COLUMN_MEMBER)
} payload_words;

#define PAYLOAD_COLUMN(b, name) PART_COLUMN(b, payload, payload, name)
#define PAYLOAD_WORD(b, name)   PART_WORD(b, payload, payload_words, name)

LANE_INLINE payload payload_load(const block *b)
{
    payload p;
    rows_load((lane *)&p, ROWS_OF(payload), part_columns(b, RF_PART_payload), b->stride);
    return p;
}

/* Force [N, NED] and torque [N m, FRD] on the vehicle. */
typedef struct payload_pull {
    vec3 force, torque;
} payload_pull;

LANE_INLINE payload_pull payload_pull_of(const block *b)
{
    payload_pull pull;
    rows_load((lane *)&pull, ROWS_OF(payload_pull), PAYLOAD_COLUMN(b, payload_force), b->stride);
    return pull;
}

/* The change of a mass [kg] by faults and by payloads that are fixed to the vehicles; one copy serves all families. */
void RF_SET_NAME(rf_payload_mass_change)(const block *b, lane mass, mass_change *by);

/* The change of the vehicle's own mass [kg]. */
LANE_INLINE mass_change changed_mass_of(const block *b, lane mass)
{
    mass_change by = {.any = 0};
    if (part_enabled(b, RF_PART_payload) || faults_are_of(b, FAULT_PLACE_mass)) {
        RF_SET_NAME(rf_payload_mass_change)(b, mass, &by);
    }
    return by;
}

#endif
