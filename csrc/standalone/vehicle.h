/* SPDX-License-Identifier: BSD-3-Clause */
/* One vehicle of a type by itself, without a batch.  A template, included once after the macros of a types.inc:
 * pyrfly/standalone makes one C source of it and of all that it includes.  It is used with
 *
 *     VEHICLE             name of the struct with all columns of the vehicle and of the parts it has, one value after another,
 *                         in the order of the core: so it is a block of one vehicle
 *     VEHICLE_CONTROLLED  1: it has its control loops and the part `navigator`; PERIOD_OUTER and so on are the steps between
 *                         two runs of each                                                                         optional
 *
 * and its functions are described where they are declared, in the header that belongs to the source. */
#include "batch/fpu.h"
#include "batch/type_parts.h"

#include "vehicles/type.h"
#include TYPE_MODEL
#include "batch/step_kernels.h"
#ifdef VEHICLE_CONTROLLED
#include "vehicles/control.h"
#include TYPE_CONTROL
#include "vehicles/guide.h"
#include TYPE_GUIDE
#include "batch/stage_kernels.h"
#endif

#ifdef TYPE_ONE_MODEL
#define VEHICLE_MODEL RF_MODEL_EXTENDED
#define VEHICLE_STEPS EXTENDED
#else
#define VEHICLE_MODEL RF_EFFECTS_FULL
#define VEHICLE_STEPS 1
#endif

/* What a block refers to: the addresses of the columns of parts, and the origin. */
typedef struct RF_JOIN(VEHICLE, around) {
    void *columns[RF_PART_COUNT];
    uint32_t *words[RF_PART_COUNT];
    rf_origin origin;
} RF_JOIN(VEHICLE, around);

static block RF_JOIN(VEHICLE, block)(VEHICLE *v, RF_JOIN(VEHICLE, around) * around)
{
    memset(around, 0, sizeof *around);
    around->origin = rf_origin_at(v->origin[0], v->origin[1], v->origin[2]);
#ifdef VEHICLE_CONTROLLED
    around->columns[RF_PART_navigator] = v->sil_floats;
    around->words[RF_PART_navigator] = v->sil_ints;
#endif
    return (block){.column = (real *)v,
                   .stride = 1,
                   .flags = &v->status,
                   .word_stride = 1,
                   .parts = around->columns,
                   .all_words = around->words,
                   .dt = v->dt,
                   .origin = &around->origin,
                   .tick = v->tick};
}

#ifdef VEHICLE_CONTROLLED
/* The periods of stages, which are counted from the first step. */
static int RF_JOIN(VEHICLE, is_due)(const VEHICLE *v, uint32_t period, block *b)
{
    if (v->tick % period != 0) return 0;
    b->period = b->dt * period;
    b->update = (uint32_t)(v->tick / period);
    return 1;
}

/* Navigator and control loops that are due, the slowest first; stages of parts are not, as it has none. */
static void RF_JOIN(VEHICLE, control)(VEHICLE *v, block *b)
{
    if (RF_JOIN(VEHICLE, is_due)(v, PERIOD_NAVIGATOR, b)) TYPED(navigator_block)(b, 0);
#define RUN_STAGE(stage, function, part)                                                                     \
    if ((int)RF_PART_##part == (int)RF_PART_none && RF_JOIN(VEHICLE, is_due)(v, PERIOD_##stage, b)) {        \
        TYPED(function)(b);                                                                                  \
    }
    TYPE_STAGES(RUN_STAGE)
#undef RUN_STAGE
}

void RF_JOIN(VEHICLE, command)(VEHICLE *v, const int32_t *ints, const double *floats)
{
    const rf_fpu_state fpu = rf_fpu_flush_denormals();
    RF_JOIN(VEHICLE, around) around;
    const block b = RF_JOIN(VEHICLE, block)(v, &around);
    for (int i = 0; i < SIL_INTS; i++) v->sil_ints[i] = (uint32_t)ints[i];
    for (int i = 0; i < SIL_FLOATS; i++) v->sil_floats[i] = floats[i];
    TYPED(navigator_block)(&b, 1);
    rf_fpu_restore(fpu);
}

int RF_JOIN(VEHICLE, is_direct)(const VEHICLE *v)
{
    return (v->navigator_flags & NAVIGATOR_EXTERNAL) != 0;
}
#endif

void RF_JOIN(VEHICLE, init)(VEHICLE *v)
{
    *v = RF_JOIN(VEHICLE, initial);
}

/* Puts a vehicle at a position, but not below the ground; only above it is an attitude free. */
static void RF_JOIN(VEHICLE, place)(VEHICLE *v, const double *pos, const double *angles)
{
#ifdef VEHICLE_DRAUGHT
    const double deepest = v->terrain - VEHICLE_DRAUGHT, standing = deepest < 0 ? deepest : 0;
#else
    const double deepest = v->terrain, standing = deepest;
#endif
    double sine[3], cosine[3];
    for (int i = 0; i < 3; i++) {
        const double angle = i < 2 && !(pos[2] < standing) ? 0 : angles[i];
        lane_sincos(angle / 2, &sine[i], &cosine[i]);
        v->pos[i] = pos[i];
    }
    if (pos[2] > deepest) v->pos[2] = deepest;
    v->att[0] = cosine[0] * cosine[1] * cosine[2] + sine[0] * sine[1] * sine[2];
    v->att[1] = sine[0] * cosine[1] * cosine[2] - cosine[0] * sine[1] * sine[2];
    v->att[2] = cosine[0] * sine[1] * cosine[2] + sine[0] * cosine[1] * sine[2];
    v->att[3] = cosine[0] * cosine[1] * sine[2] - sine[0] * sine[1] * cosine[2];
#ifdef VEHICLE_ATT_SP
    v->att_sp[0] = cosine[2];
    v->att_sp[3] = sine[2];
#endif
#ifdef VEHICLE_HEADING
    lane_sincos(angles[2], &v->VEHICLE_HEADING[1], &v->VEHICLE_HEADING[0]);
#endif
}

void RF_JOIN(VEHICLE, reset)(VEHICLE *v, const double *pos, const double *angles)
{
#ifdef VEHICLE_CONTROLLED
    const size_t end = TYPED(SETPOINT_ROW);
#else
    const size_t end = TYPED(GAIN_ROW);
#endif
    const size_t kept = TYPED(INPUT_ROW) + ACTUATORS;
    const VEHICLE before = *v;
    RF_JOIN(VEHICLE, init)(v);
    memcpy((real *)v + kept, (const real *)&before + kept, (end - kept) * sizeof(real));
    RF_JOIN(VEHICLE, place)(v, pos, angles);
#ifdef TYPE_GROUND
    v->ground[0] = v->ground[1] = v->terrain;
#endif
#ifdef VEHICLE_CONTROLLED
    memcpy(v->home, v->pos, sizeof v->home);
#endif
}

uint32_t RF_JOIN(VEHICLE, step)(VEHICLE *v, double dt)
{
    if (!(dt >= 1e-9 && dt <= 1.0)) return UINT32_MAX; /* also NaN */
    const rf_fpu_state fpu = rf_fpu_flush_denormals();
    RF_JOIN(VEHICLE, around) around;
    v->dt = dt;
    block b = RF_JOIN(VEHICLE, block)(v, &around);
#ifdef VEHICLE_CONTROLLED
    RF_JOIN(VEHICLE, control)(v, &b);
#endif
    const scheme by = scheme_of(RF_INTEGRATOR_RK4, dt);
    TYPED(step_block)(&b, &by, 0, 1, VEHICLE_STEPS);
    v->tick++;
    rf_fpu_restore(fpu);
    return v->status;
}

void RF_JOIN(VEHICLE, outputs)(const VEHICLE *v, RF_JOIN(VEHICLE, output) * out)
{
    const rf_fpu_state fpu = rf_fpu_flush_denormals();
    RF_JOIN(VEHICLE, around) around;
    VEHICLE of = *v;
    const block b = RF_JOIN(VEHICLE, block)(&of, &around);
    TYPED(state) derivative;
    TYPED(output_block)(&b, VEHICLE_MODEL, (real *)out, 1, &derivative);
    rf_fpu_restore(fpu);
}

double *RF_JOIN(VEHICLE, value)(VEHICLE *v, const char *name, int *width)
{
    for (int i = 0; RF_JOIN(VEHICLE, columns)[i].name != NULL; i++) {
        if (strcmp(RF_JOIN(VEHICLE, columns)[i].name, name) != 0) continue;
        *width = RF_JOIN(VEHICLE, columns)[i].width;
        return (double *)((char *)v + RF_JOIN(VEHICLE, columns)[i].offset);
    }
    return NULL;
}
