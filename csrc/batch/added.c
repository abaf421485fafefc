/* SPDX-License-Identifier: BSD-3-Clause */
/* Types that are added to those of the core, and their kernels. */
#include <stdlib.h>
#include <string.h>

#include "base/own_model.h"
#include "batch/simd.h"

#define RF_TYPES "vehicles/added.inc"
#include "batch/added_types.inc"

static const rf_type_kernels *kernels_of_added[RF_ADDED_TYPES];

int rf_type_add(const rf_vehicle_type *type, const rf_type_kernels *kernels)
{
    const int index = rf_vehicle_type_add(type);
    if (index >= 0) kernels_of_added[index - rf_vehicle_own_types] = kernels;
    return index;
}

int rf_type_add_own(const char *name)
{
    const int known = rf_vehicle_type_find(name);
    if (known >= 0) return known;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, name) == 0) return rf_type_add(&types[i], type_kernels[i]);
    }
    return -1;
}

/* ---- models of one's own ---- */

/* The type of vehicles/added.inc whose kernels call a model's functions. */
static int own_model_row(void)
{
    int i = 0;
    while (strcmp(types[i].name, "own_model") != 0) i++;
    return i;
}

/* The role of a model's columns by enum pyrfly_role. */
static const uint8_t role_of[PYRFLY_SHARED] = {
    [PYRFLY_STATE] = RF_ROLE_STATE,       [PYRFLY_INPUT] = RF_ROLE_INPUT,
    [PYRFLY_PARAM] = RF_ROLE_PARAM,       [PYRFLY_GAIN] = RF_ROLE_GAIN,
    [PYRFLY_SETPOINT] = RF_ROLE_SETPOINT, [PYRFLY_CONTROLLER] = RF_ROLE_CONTROLLER,
    [PYRFLY_SENSOR] = RF_ROLE_SENSOR,     [PYRFLY_OUTPUT] = RF_ROLE_OUTPUT,
};

/* What a type is made of: it is kept as long as the process. */
typedef struct own_type {
    rf_vehicle_type type;
    rf_own_model model;
    rf_column columns[];
} own_type;

/* Appends the columns of the model that have a role, and notes where they begin. */
static void append_own(own_type *made, const rf_column *own, int count, int role, int *before)
{
    rf_own_rows *rows = &made->model.rows[role];
    rows->first = (uint16_t)*before;
    for (int i = 0; i < count; i++) {
        if (own[i].role != role) continue;
        rf_column *column = &made->columns[made->type.column_count++];
        *column = own[i];
        column->role = role_of[role];
        rows->count = (uint16_t)(rows->count + own[i].width);
    }
    *before += rows->count;
}

/* Appends the columns of all vehicles that are outputs, or those that are not; returns how many values they have. */
static int append_shared(own_type *made, const rf_vehicle_type *base, bool outputs)
{
    int values = 0;
    for (int i = 0; i < base->column_count; i++) {
        const rf_column *column = &base->columns[i];
        if ((column->role == RF_ROLE_OUTPUT) != outputs) continue;
        made->columns[made->type.column_count++] = *column;
        if (column->role != RF_ROLE_FLAG) values += column->width;
    }
    return values;
}

int rf_type_add_model(const char *name, const char *doc, const rf_column *columns, int count,
                      const rf_own_model *functions)
{
    const int row = own_model_row();
    const rf_vehicle_type *base = &types[row];
    const size_t all = (size_t)base->column_count + (size_t)count;
    own_type *made = calloc(1, sizeof *made + all * sizeof(rf_column));
    if (made == NULL) return -1;
    made->type = *base;
    made->type.name = name;
    made->type.family = name;
    made->type.doc = doc;
    made->type.guided = functions->control != NULL;
    made->type.flies = true;
    made->type.column_count = 0;
    made->type.columns = made->columns;
    made->type.own = &made->model;
    made->model = *functions;
    int before = append_shared(made, base, false), output;
    for (int role = 0; role < PYRFLY_OUTPUT; role++) append_own(made, columns, count, role, &before);
    output = append_shared(made, base, true);
    append_own(made, columns, count, PYRFLY_OUTPUT, &output);
    const int index = rf_type_add(&made->type, type_kernels[row]);
    if (index < 0) free(made);
    return index;
}

void rf_type_set_functions(int index, const rf_own_model *functions)
{
    rf_own_model *model = (rf_own_model *)rf_vehicle_type_at(index)->own;
    model->derivative = functions->derivative;
    model->finish = functions->finish;
    model->outputs = functions->outputs;
    model->control = functions->control;
    model->sense = functions->sense;
    model->context = functions->context;
}

const rf_kernel_set *rf_kernels_of(const rf_simd *simd, int precision, int type)
{
    if (type < rf_vehicle_own_types) return simd->kernels[precision][type];
    const rf_type_kernels *base = kernels_of_added[type - rf_vehicle_own_types];
    for (const rf_type_kernels *one = base; one->set != NULL; one++) {
        if (strcmp(one->set, simd->name) == 0) return one->of[precision];
    }
    return base->of[precision];
}
