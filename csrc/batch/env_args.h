/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of the kernels of learning environments: before and after the integrator steps of one step. */
#ifndef RF_BATCH_ENV_ARGS_H
#define RF_BATCH_ENV_ARGS_H

#include "batch/kernel.h"
#include "tasks/scene.h"
#include "tasks/tasks.h"

#define RF_ENV_OBSERVED 64    /* maximum number of values of an observation, with the last action */
#define RF_ENV_DELAY    64    /* maximum delay of actions or observations, in steps */
#define RF_ENV_NUMBERS  65536 /* random numbers of a start */

#define RF_ENV_LIMITS 2

/* Where a value a of an action goes: offset + scale a into the row. */
typedef struct rf_action_row {
    void *row; /* reals of the first vehicle, or NULL: an angle of `attitude` */
    double offset, scale;
    const void *limits[RF_ENV_LIMITS]; /* rows of columns that the scale does not exceed, or NULL */
    bool
        centred; /* the offset is that of the hover, in proportion to task_centre, and the whole range is in reach */
} rf_action_row;

/* What the hover of vehicles depends on: rows of the first vehicle. */
typedef struct rf_hover_rows {
    const void *mass, *gravity;
    const void *maximum; /* thrust of a collective command of 1 [N], or NULL: by the motors */
    const void *curve;
    const void *thrust; /* linear coefficients, then the quadratic ones: of each rotor, or of all alike */
    const void *known_curve, *known_thrust; /* as the controllers assume */
    const void *axis;                       /* down components, or NULL: all thrust is upwards */
    int rotors;
    bool alike, plain;
} rf_hover_rows;

/* Laws of random values, of a random number u, uniform in (0, 1), or z, normal, and the value b before. */
#define RF_EACH_LAW(X)                                                                                       \
    X(UNIFORM, "uniform")         /* first + (second - first) u */                                           \
    X(LOG_UNIFORM, "log-uniform") /* first (second / first)^u */                                             \
    X(NORMAL, "normal")           /* first + second z */                                                     \
    X(SCALE, "scale")             /* b (first + (second - first) u) */

#define RF_LAW_ENUM(law, name) RF_LAW_##law,
#define RF_LAW_ONE(law, name)  +1

enum rf_law { RF_EACH_LAW(RF_LAW_ENUM) };

enum { RF_LAWS = 0 RF_EACH_LAW(RF_LAW_ONE) };

/* A row that a start writes: the value of all vehicles, or of each. */
typedef struct rf_start_row {
    void *row; /* of the first vehicle: reals, or words */
    bool word;
    double value;
    const void *values; /* of each vehicle, as the row; NULL where all have the same */
} rf_start_row;

typedef struct rf_random_row {
    void *row;
    const void *before; /* its values at the time of the table, likewise */
    int law;
    double first, second;
    uint32_t number; /* of its random number, ascending */
} rf_random_row;

enum rf_autoreset { RF_AUTORESET_NEXT_STEP, RF_AUTORESET_SAME_STEP, RF_AUTORESET_DISABLED };

/* The last values of rows, so that later steps see them: [delay + 1][count][stride of the batch] reals. */
typedef struct rf_delay_line {
    uint32_t delay; /* steps; 0: there are no rows */
    uint32_t slot;  /* of this step */
    int count;
    void *rows;
} rf_delay_line;

typedef struct rf_env_args {
    rf_kernel_args batch;
    task_scene scene;
    size_t n; /* vehicles; the padding counts not */
    int action_count, observed;
    const rf_action_row *action_rows;
    const rf_hover_rows *hover; /* of centred actions, or NULL */
    void *attitude; /* rows of a quaternion that three angles are written to: roll, pitch, yaw; or NULL */
    rf_delay_line actions_line, observations_line;
    const double *noise; /* [observed] standard deviations, or NULL */
    int autoreset;
    const rf_start_row *start;
    size_t start_count;
    const rf_random_row *random;
    size_t random_count;
    const float *actions;            /* [n][action_count] */
    float *observations;             /* [n][observed] */
    float *final_observations;       /* the same, or NULL */
    float *rewards;                  /* [n] */
    uint8_t *terminated, *truncated; /* [n] */
    uint8_t *ends;                   /* [n]: enum rf_episode_end, or RF_END_BOUNDARY and a boundary */
    uint32_t *passed;                /* [n], or NULL: task_passed before a restart */
    uint8_t *waits;                  /* [n], 1: begins a new episode at the next step */
    uint32_t *restarted;             /* [stride], 1: has begun a new episode in this step */
    const uint8_t *chosen;           /* [n] or NULL for all: environments that a reset restarts */
} rf_env_args;

typedef void (*rf_env_kernel)(const rf_env_args *args);

typedef struct rf_task_kernels {
    rf_env_kernel finish; /* after the steps: observation, reward, end, restart */
    rf_env_kernel reset;  /* restarts what `chosen` says, and observes */
} rf_task_kernels;

enum {
#define RF_TASK_NUMBER(name, traits, doc) RF_TASK_##name,
    RF_TASKS(RF_TASK_NUMBER)
#undef RF_TASK_NUMBER
        RF_TASK_COUNT
};

/* Those of one instruction set and precision. */
typedef struct rf_env_kernels {
    rf_env_kernel act; /* before the steps */
    rf_task_kernels tasks[RF_TASK_COUNT];
} rf_env_kernels;

#endif
