/* SPDX-License-Identifier: BSD-3-Clause */
/* Learning environments: the vehicles of a batch as episodes of a task.
 *
 * An environment is a vehicle, or `agents` neighbours in the batch whose episodes end together.  A step writes its action into a command or set-point, takes integrator steps with all
 * stages, and gives observation, reward and end; episodes begin again by themselves as `autoreset` says.  All of it is
 * one run of the pool: a piece of vehicles takes the whole step while its columns are in the cache, unless vehicles act on
 * each other.
 *
 * A start gives a vehicle the values that its columns have when the environments are made, except parameters, settings
 * and other inputs than commands, and then the start, the goal and the random columns of the task. */
#ifndef RF_BATCH_ENV_H
#define RF_BATCH_ENV_H

#include "batch/batch.h"
#include "batch/env_args.h"

#define RF_ENV_AGENTS 16
#define RF_ENV_GATES  256

typedef struct rf_env rf_env;

/* Where an action goes: component `component` of a column, or an angle of att_sp where the column is -1.  The scale of a
 * vehicle is `scale`, or the least of its values in the columns of `limits` if that is less. */
typedef struct rf_env_action {
    int column, component;
    double offset, scale;
    int limit_count;
    struct {
        int column, component;
    } limits[RF_ENV_LIMITS];
} rf_env_action;

/* A component of a column that a start draws. */
typedef struct rf_env_random {
    int column, component, law;
    double first, second;
    uint32_t number; /* of its random number: components with the same are tied.  They ascend. */
} rf_env_random;

typedef struct rf_env_def {
    int task, autoreset;
    uint32_t substeps; /* integrator steps of a step */
    const rf_env_action *actions;
    int action_count;
    int attitude; /* the column that two or three angles are written to, roll, pitch and yaw, or -1 */
    int centred; /* the column of commands whose offset is that of the hover: each vehicle has its own; or -1 */
    int maximum,
        maximum_component; /* the thrust [N] that is 1 in that column; -1: it has throttles of motors */
    const rf_env_random *random;
    size_t random_count;
    int agents; /* vehicles of an environment, 1 to RF_ENV_AGENTS; their number divides that of the batch */
    const rf_gate *gates;
    int gate_count;                           /* up to RF_ENV_GATES; at least 1 for a task that needs them */
    uint32_t action_delay, observation_delay; /* steps, up to RF_ENV_DELAY */
    const double *noise; /* standard deviations of the observation without the last action, or NULL */
} rf_env_def;

/* What a step fills, [n] or [n][observed]; `ends` has why episodes are over (tasks/ends.h), 0 where one goes on.  May be NULL:
 * final_observations, that of the last step of environments that restart with RF_AUTORESET_SAME_STEP, and `passed`,
 * task_passed at the end of the step. */
typedef struct rf_env_result {
    float *observations, *final_observations, *rewards;
    uint8_t *terminated, *truncated, *ends;
    uint32_t *passed;
} rf_env_result;

/* Enables the part `task`.  The batch must live as long. */
rf_status rf_env_create(rf_batch *batch, const rf_env_def *def, rf_env **out);
void rf_env_destroy(rf_env *env);
/* Number of values of an observation of an environment, and of a task without the last action. */
int rf_env_observed(const rf_env *env);
int rf_task_observed(int task);

/* Steps a claimed batch, in turns of writing of its own. */
typedef rf_status (*rf_env_stepper)(rf_batch *batch, uint32_t steps);

/* Begins new episodes, of all environments or of those whose byte in `chosen` is 1, and observes all. */
rf_status rf_env_reset(rf_env *env, const uint8_t *chosen, float *observations);
rf_status rf_env_step(rf_env *env, const float *actions, const rf_env_result *result);
/* The same, where vehicles act on each other: all act, `step` steps the batch, and all finish. */
rf_status rf_env_step_by(rf_env *env, rf_env_stepper step, const float *actions, const rf_env_result *result);
rf_batch *rf_env_batch(const rf_env *env);

#endif
