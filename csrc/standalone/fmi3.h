/* SPDX-License-Identifier: BSD-3-Clause */
/* One vehicle as an FMU for co-simulation [@fmi-3 2 to 4].  A template for pyrfly/standalone, as vehicle.h, whose functions it
 * calls.  It is used with
 *
 *     VEHICLE             name of the vehicle
 *     VEHICLE_DT          s, a step
 *     VEHICLE_TOKEN       the instantiation token, a string
 *     VEHICLE_COMMANDS    member with the first actuator command, VEHICLE_ACTUATORS of them in all
 *     VEHICLE_VARIABLES   rows of `variable`, by their value references: REAL(member of fmu, values, when it is set, least
 *                         and greatest number, message of other numbers or NULL), and INTEGER, WORD(member, values, when it is set)
 *     VEHICLE_CONTROLLED  1: it has its controllers                                                                  optional
 *
 * The state of an instance is plain data, which is what FMUs save and restore.  Leaves out: model exchange, scheduled execution,
 * events, clocks, derivatives. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/column.h"

#if defined(_WIN32)
#define FMU_FUNCTION __declspec(dllexport)
#elif defined(__GNUC__)
#define FMU_FUNCTION __attribute__((visibility("default")))
#else
#define FMU_FUNCTION
#endif

/* The standard's types, by its numbers. */
enum { FMU_OK = 0, FMU_DISCARD = 2, FMU_ERROR = 3 };
typedef void (*fmu_log)(void *environment, int status, const char *category, const char *message);

/* Where an instance is in its life.  It has no event mode, so it steps once it is initialized. */
enum { INSTANTIATED, INITIALIZING, STEPPING, TERMINATED };

/* What follows from the variables that a host has set, and is saved. */
typedef struct fmu_state {
    VEHICLE vehicle;
    double start_pos[3], start_angles[3];
    double start_time;
    int mode; /* INSTANTIATED and so on */
#ifdef VEHICLE_CONTROLLED
    int32_t ints[8]; /* the command that the host gives, */
    double floats[20];
    int32_t last_ints[8]; /* and the last one that was followed */
    double last_floats[20];
#endif
} fmu_state;

typedef struct fmu {
    fmu_state now;
    RF_JOIN(VEHICLE, output) out;
    fmu_log log;
    void *environment;
} fmu;

/* Types of variables: Float64, Int32, UInt32, and the time. */
enum { FMU_REAL, FMU_INTEGER, FMU_WORD, FMU_TIME };

/* When variables are set: never, before the first step, until the end. */
enum { COMPUTED, FIXED, TUNABLE };

typedef struct variable {
    int type;
    int settable;
    size_t offset, width;
    double low, high;    /* of real numbers */
    const char *allowed; /* the message where one is not between them; NULL: any number is allowed */
} variable;

/* clang-format off */
#define REAL(member, width, settable, low, high, allowed)                                                    \
    {FMU_REAL, settable, offsetof(fmu, member), width, low, high, allowed},
#define INTEGER(member, width, settable) {FMU_INTEGER, settable, offsetof(fmu, member), width, 0, 0, NULL},
#define WORD(member, width, settable)    {FMU_WORD, settable, offsetof(fmu, member), width, 0, 0, NULL},
/* clang-format on */

static const variable variables[] = {{FMU_TIME, COMPUTED, 0, 1, 0, 0, NULL}, VEHICLE_VARIABLES};

static int tell(const fmu *f, int status, const char *message)
{
    if (f->log != NULL) f->log(f->environment, status, "logStatusError", message);
    return status;
}

static double time_of(const fmu *f)
{
    return f->now.start_time + (double)f->now.vehicle.tick * VEHICLE_DT;
}

/* Puts a vehicle where it starts, as long as the host may say where; its actuator commands stay. */
static void place(fmu *f)
{
    double commands[VEHICLE_ACTUATORS];
    if (f->now.mode > INITIALIZING) return;
    char *own = (char *)&f->now.vehicle + offsetof(VEHICLE, VEHICLE_COMMANDS);
    memcpy(commands, own, sizeof commands);
    RF_JOIN(VEHICLE, reset)(&f->now.vehicle, f->now.start_pos, f->now.start_angles);
    memcpy(own, commands, sizeof commands);
}

/* Whether a host may access these variables, of a type, with so many numbers. */
static int check_access(const fmu *f, int type, const uint32_t *references, size_t count, size_t room)
{
    for (size_t i = 0; i < count; i++) {
        if (references[i] >= sizeof variables / sizeof *variables) {
            return tell(f, FMU_ERROR, "there is no variable of this value reference");
        }
        const variable *v = &variables[references[i]];
        if (v->type != type && !(v->type == FMU_TIME && type == FMU_REAL)) {
            return tell(f, FMU_ERROR, "the variable is of another type");
        }
        if (v->width > room) return tell(f, FMU_ERROR, "expected as many values as the variables have");
        room -= v->width;
    }
    return room == 0 ? FMU_OK : tell(f, FMU_ERROR, "expected as many values as the variables have");
}

/* Whether a host may set these variables to numbers, now. */
static int check_set(const fmu *f, const uint32_t *references, size_t count, const void *values)
{
    const double *number = values; /* where the type is FMU_REAL */
    if (f->now.mode == TERMINATED) return tell(f, FMU_ERROR, "the instance is terminated");
    for (size_t i = 0; i < count; i++) {
        const variable *v = &variables[references[i]];
        if (v->settable == COMPUTED) return tell(f, FMU_ERROR, "the variable is computed, it cannot be set");
        if (v->settable == FIXED && f->now.mode > INITIALIZING) {
            return tell(f, FMU_ERROR, "the parameter is fixed, it cannot be set after initialization");
        }
        for (size_t k = 0; v->type == FMU_REAL && k < v->width; k++, number++) {
            const int within = isfinite(*number) && *number >= v->low && *number <= v->high;
            if (!within && v->allowed != NULL) return tell(f, FMU_ERROR, v->allowed);
        }
    }
    return FMU_OK;
}

static int get(void *instance, int type, size_t size, const uint32_t *references, size_t count, void *values,
               size_t room)
{
    fmu *f = instance;
    char *to = values;
    const int status = check_access(f, type, references, count, room);
    if (status != FMU_OK) return status;
    place(f);
    RF_JOIN(VEHICLE, outputs)(&f->now.vehicle, &f->out);
    const double time = time_of(f);
    for (size_t i = 0; i < count; i++) {
        const variable *v = &variables[references[i]];
        const char *own = v->type == FMU_TIME ? (const char *)&time : (const char *)f + v->offset;
        memcpy(to, own, v->width * size);
        to += v->width * size;
    }
    return FMU_OK;
}

static int set(void *instance, int type, size_t size, const uint32_t *references, size_t count,
               const void *values, size_t room)
{
    fmu *f = instance;
    const char *from = values;
    int status = check_access(f, type, references, count, room);
    if (status == FMU_OK) status = check_set(f, references, count, values);
    if (status != FMU_OK) return status;
    for (size_t i = 0; i < count; i++) {
        const variable *v = &variables[references[i]];
        memcpy((char *)f + v->offset, from, v->width * size);
        from += v->width * size;
    }
    return FMU_OK;
}

#define ACCESS(name, type, number)                                                                           \
    FMU_FUNCTION int fmi3Get##name(void *instance, const uint32_t *references, size_t count, type *values,   \
                                   size_t room)                                                              \
    {                                                                                                        \
        return get(instance, number, sizeof(type), references, count, values, room);                         \
    }                                                                                                        \
                                                                                                             \
    FMU_FUNCTION int fmi3Set##name(void *instance, const uint32_t *references, size_t count,                 \
                                   const type *values, size_t room)                                          \
    {                                                                                                        \
        return set(instance, number, sizeof(type), references, count, values, room);                         \
    }

ACCESS(Float64, double, FMU_REAL)
ACCESS(Int32, int32_t, FMU_INTEGER)
ACCESS(UInt32, uint32_t, FMU_WORD)

/* Variables of a type that there is none of. */
#define ABSENT(name)                                                                                         \
    FMU_FUNCTION int fmi3Get##name(void *instance, const uint32_t *references, size_t count)                 \
    {                                                                                                        \
        (void)references;                                                                                    \
        return count == 0 ? FMU_OK : tell(instance, FMU_ERROR, "there is no variable of this type");         \
    }                                                                                                        \
                                                                                                             \
    FMU_FUNCTION int fmi3Set##name(void *instance, const uint32_t *references, size_t count)                 \
    {                                                                                                        \
        (void)references;                                                                                    \
        return count == 0 ? FMU_OK : tell(instance, FMU_ERROR, "there is no variable of this type");         \
    }

ABSENT(Float32)
ABSENT(Int8)
ABSENT(UInt8)
ABSENT(Int16)
ABSENT(UInt16)
ABSENT(Int64)
ABSENT(UInt64)
ABSENT(Boolean)
ABSENT(String)
ABSENT(Binary)
ABSENT(Clock)

/* ---- life of an instance ---- */

FMU_FUNCTION const char *fmi3GetVersion(void)
{
    return "3.0";
}

FMU_FUNCTION int fmi3SetDebugLogging(void *instance, _Bool on, size_t count, const char *const *categories)
{
    (void)instance, (void)on, (void)count, (void)categories; /* only errors are told, and these always */
    return FMU_OK;
}

static void begin(fmu *f)
{
    memset(&f->now, 0, sizeof f->now);
    RF_JOIN(VEHICLE, init)(&f->now.vehicle);
    memcpy(f->now.start_pos, f->now.vehicle.pos, sizeof f->now.start_pos);
}

FMU_FUNCTION void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                               _Bool visible, _Bool logging, _Bool events, _Bool early_return,
                                               const uint32_t *intermediate, size_t intermediates,
                                               void *environment, fmu_log log, void *intermediate_update)
{
    (void)name, (void)resources, (void)visible, (void)events, (void)early_return, (void)intermediate;
    (void)intermediates, (void)intermediate_update;
    if (token == NULL || strcmp(token, VEHICLE_TOKEN) != 0) {
        if (log != NULL) log(environment, FMU_ERROR, "logStatusError", "the token is that of another model");
        return NULL;
    }
    fmu *f = calloc(1, sizeof *f);
    if (f == NULL) return NULL;
    f->log = logging ? log : NULL;
    f->environment = environment;
    begin(f);
    return f;
}

FMU_FUNCTION void fmi3FreeInstance(void *instance)
{
    free(instance);
}

FMU_FUNCTION int fmi3Reset(void *instance)
{
    begin(instance);
    return FMU_OK;
}

FMU_FUNCTION int fmi3EnterInitializationMode(void *instance, _Bool tolerates, double tolerance,
                                             double start_time, _Bool stops, double stop_time)
{
    fmu *f = instance;
    (void)tolerates, (void)tolerance, (void)stops, (void)stop_time;
    if (f->now.mode != INSTANTIATED) return tell(f, FMU_ERROR, "the instance is initialized already");
    if (!isfinite(start_time)) return tell(f, FMU_ERROR, "the start time is not finite");
    f->now.start_time = start_time;
    f->now.mode = INITIALIZING;
    return FMU_OK;
}

FMU_FUNCTION int fmi3ExitInitializationMode(void *instance)
{
    fmu *f = instance;
    if (f->now.mode != INITIALIZING) return tell(f, FMU_ERROR, "the instance is not in initialization mode");
    place(f);
    f->now.mode = STEPPING;
    return FMU_OK;
}

FMU_FUNCTION int fmi3Terminate(void *instance)
{
    fmu *f = instance;
    if (f->now.mode != STEPPING) return tell(f, FMU_ERROR, "the instance is not in step mode");
    f->now.mode = TERMINATED;
    return FMU_OK;
}

/* ---- steps ---- */

/* A command counts where it has changed. */
static void follow(fmu_state *s)
{
#ifdef VEHICLE_CONTROLLED
    const int same = memcmp(s->ints, s->last_ints, sizeof s->ints) == 0 &&
                     memcmp(s->floats, s->last_floats, sizeof s->floats) == 0;
    if (same) return;
    memcpy(s->last_ints, s->ints, sizeof s->ints);
    memcpy(s->last_floats, s->floats, sizeof s->floats);
    RF_JOIN(VEHICLE, command)(&s->vehicle, s->ints, s->floats);
#else
    (void)s;
#endif
}

FMU_FUNCTION int fmi3DoStep(void *instance, double time, double length, _Bool keeps_no_state,
                            _Bool *needs_event, _Bool *terminates, _Bool *early_return, double *last_time)
{
    fmu *f = instance;
    const double steps = rint(length / VEHICLE_DT);
    (void)keeps_no_state;
    *needs_event = *terminates = *early_return = 0;
    *last_time = time_of(f);
    if (f->now.mode != STEPPING) return tell(f, FMU_ERROR, "the instance is not in step mode");
    if (!(fabs(time - *last_time) < VEHICLE_DT / 2)) {
        return tell(f, FMU_ERROR, "the communication point is not at the time of the instance");
    }
    if (!(steps >= 1 && steps <= 1e9) || fabs(steps * VEHICLE_DT - length) > 1e-6 * VEHICLE_DT * steps) {
        return tell(f, FMU_ERROR, "the communication step size is no multiple of the internal step");
    }
    follow(&f->now);
    uint32_t faults = f->now.vehicle.status;
    for (double k = 0; k < steps && faults == 0; k++) {
        faults = RF_JOIN(VEHICLE, step)(&f->now.vehicle, VEHICLE_DT);
    }
    *last_time = time_of(f);
    *terminates = faults != 0;
    if (faults != 0) tell(f, FMU_OK, "the vehicle has left the range of its equations, see `status`");
    return FMU_OK;
}

/* ---- saved states ---- */

FMU_FUNCTION int fmi3GetFMUState(void *instance, void **state)
{
    const fmu *f = instance;
    if (*state == NULL) *state = malloc(sizeof f->now);
    if (*state == NULL) return tell(f, FMU_ERROR, "there is not enough memory");
    memcpy(*state, &f->now, sizeof f->now);
    return FMU_OK;
}

FMU_FUNCTION int fmi3SetFMUState(void *instance, void *state)
{
    fmu *f = instance;
    memcpy(&f->now, state, sizeof f->now);
    return FMU_OK;
}

FMU_FUNCTION int fmi3FreeFMUState(void *instance, void **state)
{
    (void)instance;
    free(*state);
    *state = NULL;
    return FMU_OK;
}

FMU_FUNCTION int fmi3SerializedFMUStateSize(void *instance, void *state, size_t *size)
{
    (void)instance, (void)state;
    *size = sizeof(fmu_state);
    return FMU_OK;
}

FMU_FUNCTION int fmi3SerializeFMUState(void *instance, void *state, uint8_t *bytes, size_t size)
{
    if (size != sizeof(fmu_state)) return tell(instance, FMU_ERROR, "the size is that of another state");
    memcpy(bytes, state, size);
    return FMU_OK;
}

FMU_FUNCTION int fmi3DeserializeFMUState(void *instance, const uint8_t *bytes, size_t size, void **state)
{
    if (size != sizeof(fmu_state)) return tell(instance, FMU_ERROR, "the size is that of another state");
    if (*state == NULL) *state = malloc(size);
    if (*state == NULL) return tell(instance, FMU_ERROR, "there is not enough memory");
    memcpy(*state, bytes, size);
    return FMU_OK;
}

/* ---- what the standard names and this FMU has not ---- */

/* Further arguments, which callers clean up, are not looked at. */
#define REFUSED(name)                                                                                        \
    FMU_FUNCTION int name(void *instance)                                                                    \
    {                                                                                                        \
        return tell(instance, FMU_ERROR, "this FMU has no such function: " #name);                           \
    }

REFUSED(fmi3EnterEventMode)
REFUSED(fmi3EnterStepMode)
REFUSED(fmi3EnterConfigurationMode)
REFUSED(fmi3ExitConfigurationMode)
REFUSED(fmi3GetNumberOfVariableDependencies)
REFUSED(fmi3GetVariableDependencies)
REFUSED(fmi3GetDirectionalDerivative)
REFUSED(fmi3GetAdjointDerivative)
REFUSED(fmi3GetIntervalDecimal)
REFUSED(fmi3GetIntervalFraction)
REFUSED(fmi3GetShiftDecimal)
REFUSED(fmi3GetShiftFraction)
REFUSED(fmi3SetIntervalDecimal)
REFUSED(fmi3SetIntervalFraction)
REFUSED(fmi3SetShiftDecimal)
REFUSED(fmi3SetShiftFraction)
REFUSED(fmi3EvaluateDiscreteStates)
REFUSED(fmi3UpdateDiscreteStates)
REFUSED(fmi3GetOutputDerivatives)
REFUSED(fmi3EnterContinuousTimeMode)
REFUSED(fmi3CompletedIntegratorStep)
REFUSED(fmi3SetTime)
REFUSED(fmi3SetContinuousStates)
REFUSED(fmi3GetContinuousStateDerivatives)
REFUSED(fmi3GetEventIndicators)
REFUSED(fmi3GetContinuousStates)
REFUSED(fmi3GetNominalsOfContinuousStates)
REFUSED(fmi3GetNumberOfEventIndicators)
REFUSED(fmi3GetNumberOfContinuousStates)
REFUSED(fmi3ActivateModelPartition)

#define NO_INSTANCE(name)                                                                                    \
    FMU_FUNCTION void *name(void)                                                                            \
    {                                                                                                        \
        return NULL;                                                                                         \
    }

NO_INSTANCE(fmi3InstantiateModelExchange)
NO_INSTANCE(fmi3InstantiateScheduledExecution)
