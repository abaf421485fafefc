/* SPDX-License-Identifier: BSD-3-Clause */
#include "wire/pack.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "wire/columns.h"

/* Capacities of a plan. */
enum { SOURCES = 32, ROWS = 128, FIELDS = 32 };

/* A source and its values for the present block. */
typedef struct evaluation {
    const rf_wire_source *source;
    const rf_wire_values *values;
    int row;    /* first of the plan's rows that hold them */
    int column; /* of the plan, of a source that is a column */
    int from[RF_WIRE_INPUTS];
} evaluation;

/* What to compute for a structure: each source once, after those that it is computed from. */
typedef struct plan {
    int fields[FIELDS]; /* source of each field that is no constant */
    int count, rows;
    evaluation sources[SOURCES];
    rf_wire_columns columns;
    rf_wire_values values[ROWS];
} plan;

/* ---- planning ---- */

static bool same(const rf_wire_source *a, const rf_wire_source *b)
{
    if (a->column == NULL || b->column == NULL) return a == b;
    return a->width == b->width && strcmp(a->column, b->column) == 0;
}

/* Index of a source, added after those that it is computed from if the plan has it not; -1: the plan is full. */
static int index_of(plan *p, const rf_wire_source *source)
{
    for (int i = 0; i < p->count; i++) {
        if (same(p->sources[i].source, source)) return i;
    }
    evaluation added = {.source = source};
    for (int k = 0; k < RF_WIRE_INPUTS && source->from[k] != NULL; k++) {
        added.from[k] = index_of(p, source->from[k]);
        if (added.from[k] < 0) return -1;
    }
    if (p->count == SOURCES || p->rows + source->width > ROWS) return -1;
    if (source->column != NULL) {
        if (p->columns.count == RF_WIRE_COLUMNS) return -1;
        added.column = p->columns.count++;
        p->columns.at[added.column] = (rf_wire_column){.name = source->column};
    }
    added.row = p->rows;
    p->rows += source->width;
    p->sources[p->count] = added;
    return p->count++;
}

/* Gives each source the memory of its values; components that a column lacks are 0. */
static void place_values(plan *p)
{
    for (int k = 0; k < p->count; k++) {
        evaluation *e = &p->sources[k];
        e->values = (const rf_wire_values *)(p->values + e->row);
        if (e->source->column == NULL) continue;
        const rf_wire_column *column = &p->columns.at[e->column];
        if (column->start == NULL) {
            e->values = rf_wire_absent;
            continue;
        }
        for (int c = column->components; c < e->source->width; c++) {
            memset(p->values[e->row + c], 0, sizeof(rf_wire_values));
        }
    }
}

static rf_status make_plan(plan *p, rf_batch *batch, const rf_wire_structure *structure)
{
    p->count = p->rows = p->columns.count = 0;
    if (structure->field_count > FIELDS) return RF_NO_MEMORY;
    for (int i = 0; i < structure->field_count; i++) {
        const rf_wire_source *source = structure->fields[i].source;
        p->fields[i] = source != NULL ? index_of(p, source) : 0;
        if (p->fields[i] < 0) return RF_NO_MEMORY;
    }
    rf_status status = rf_wire_columns_open(batch, &p->columns);
    if (status == RF_OK) place_values(p);
    return status;
}

/* ---- packing ---- */

static void evaluate(plan *p, const rf_wire_block *block)
{
    for (int k = 0; k < p->count; k++) {
        const evaluation *e = &p->sources[k];
        const rf_wire_source *source = e->source;
        if (source->column != NULL) {
            rf_wire_columns_load(&p->columns, e->column, source->width, block->begin, block->n,
                                 p->values + e->row);
            continue;
        }
        const rf_wire_values *from[RF_WIRE_INPUTS];
        for (int j = 0; j < RF_WIRE_INPUTS; j++) from[j] = p->sources[e->from[j]].values;
        source->compute(block, from, p->values + e->row);
    }
}

/* A value as an integer of a range. */
static inline int64_t whole(double value, int64_t lowest, int64_t highest)
{
    if (value != value) return 0;
    if (value <= (double)lowest) return lowest;
    return value >= (double)highest ? highest : llrint(value); /* ties to even */
}

/* A value as a finite number: saturated, NaN as 0. */
static inline double finite(double value, double highest)
{
    if (value != value) return 0;
    return value > highest ? highest : value < -highest ? -highest : value;
}

/* Writes a number of n packets at a distance of `size` bytes. */
static void store(rf_wire_number number, const double *restrict values, double scale, size_t n, size_t size,
                  char *restrict out)
{
#define STORE(name, type, value)                                                                             \
    case RF_WIRE_##name:                                                                                     \
        for (size_t i = 0; i < n; i++) {                                                                     \
            double scaled = values[i] * scale;                                                               \
            type stored = (type)(value);                                                                     \
            memcpy(out + i * size, &stored, sizeof stored);                                                  \
        }                                                                                                    \
        return;
    switch (number) {
        STORE(U1, uint8_t, whole(scaled, 0, UINT8_MAX))
        STORE(U2, uint16_t, whole(scaled, 0, UINT16_MAX))
        STORE(U4, uint32_t, whole(scaled, 0, UINT32_MAX))
        STORE(U8, uint64_t, whole(scaled, 0, INT64_MAX))
        STORE(I2, int16_t, whole(scaled, INT16_MIN, INT16_MAX))
        STORE(I4, int32_t, whole(scaled, INT32_MIN, INT32_MAX))
        STORE(F4, float, finite(scaled, FLT_MAX))
        STORE(F8, double, finite(scaled, DBL_MAX))
    }
#undef STORE
}

/* Writes all components of a field. */
static void store_field(const rf_wire_field *field, const rf_wire_values *values, size_t n, size_t size,
                        char *out)
{
    for (int c = 0; c < field->count; c++) {
        store(field->number, values[field->first + c], field->scale, n, size, out);
        out += rf_wire_number_size(field->number);
    }
}

static void store_constant(const rf_wire_field *field, size_t n, size_t size, char *out)
{
    rf_wire_values value;
    for (size_t i = 0; i < n; i++) value[i] = field->scale;
    for (int c = 0; c < field->count; c++) {
        store(field->number, value, 1, n, size, out);
        out += rf_wire_number_size(field->number);
    }
}

static void store_block(const plan *p, const rf_wire_structure *structure, size_t n, size_t size, char *out)
{
    for (int i = 0; i < structure->field_count; i++) {
        const rf_wire_field *field = &structure->fields[i];
        if (field->source == NULL) {
            store_constant(field, n, size, out);
        } else {
            store_field(field, p->sources[p->fields[i]].values, n, size, out);
        }
        out += rf_wire_number_size(field->number) * (size_t)field->count;
    }
}

/* Step before which the sensors were updated last. */
static uint64_t last_update(const rf_batch *batch)
{
    uint64_t tick = rf_batch_tick(batch), period = rf_batch_get_def(batch)->periods[RF_STAGE_SENSORS];
    return tick == 0 || period == 0 ? 0 : (tick - 1) / period * period;
}

static rf_wire_block first_block(const rf_batch *batch, const rf_wire_context *context)
{
    double dt = rf_batch_get_def(batch)->dt;
    return (rf_wire_block){
        .context = context,
        .frame = rf_local_frame_at(context->origin),
        .tick = rf_batch_tick(batch),
        .time = (double)rf_batch_tick(batch) * dt,
        .sensor_time = (double)last_update(batch) * dt,
    };
}

rf_status rf_wire_pack(rf_batch *batch, const rf_wire_structure *structure, const rf_wire_context *context,
                       void *out)
{
    rf_status status = rf_batch_begin_read(batch);
    if (status != RF_OK) return status;
    plan p; /* not cleared: it is large */
    status = make_plan(&p, batch, structure);
    size_t n = status == RF_OK ? rf_batch_get_def(batch)->n : 0, size = rf_wire_structure_size(structure);
    rf_wire_block block = first_block(batch, context);
    for (; block.begin < n; block.begin += block.n) {
        block.n = n - block.begin < RF_WIRE_BLOCK ? n - block.begin : RF_WIRE_BLOCK;
        evaluate(&p, &block);
        store_block(&p, structure, block.n, size, (char *)out + block.begin * size);
    }
    if (status == RF_OK) rf_wire_columns_close(&p.columns);
    rf_batch_end_read(batch);
    return status;
}
