/* SPDX-License-Identifier: BSD-3-Clause */
/* Learning environments: steps, ends and starts, whatever the number of threads. */
#include <math.h>

#include "batch/env.h"
#include "fleet.h"
#include "tasks/ends.h"
#include "test.h"

enum { ACTIONS = 4, OBSERVED = 18 + ACTIONS };

typedef struct arrays {
    float actions[MANY][ACTIONS], observations[MANY][OBSERVED], finals[MANY][OBSERVED], rewards[MANY];
    uint8_t terminated[MANY], truncated[MANY], ends[MANY];
} arrays;

/* Actions from no throttle to full throttle; the mass, which is more than a half, is a limit without effect. */
static void of_throttle(const rf_batch *batch, rf_env_action actions[ACTIONS])
{
    const int throttle = column_number(batch, "throttle"), mass = column_number(batch, "mass");
    for (int k = 0; k < ACTIONS; k++) {
        actions[k] = (rf_env_action){throttle, k, 0.5, 0.5, 1, {{mass, 0}}};
    }
}

static rf_env *hovering(rf_batch *batch, int autoreset, uint32_t length)
{
    rf_env_action actions[ACTIONS];
    of_throttle(batch, actions);
    const rf_env_random mass = {column_number(batch, "mass"), 0, RF_LAW_SCALE, 0.5, 1.5, 0};
    const rf_env_def def = {.task = RF_TASK_hover,
                            .autoreset = autoreset,
                            .substeps = 3,
                            .actions = actions,
                            .action_count = ACTIONS,
                            .attitude = -1,
                            .centred = -1,
                            .agents = 1,
                            .random = &mass,
                            .random_count = 1};
    rf_env *env = NULL;
    if (rf_env_create(batch, &def, &env) != RF_OK) abort();
    fill(batch, "task_limit", 0, 5);
    fill(batch, "task_length", 0, length);
    fill(batch, "task_start_speed", 0, 3);
    fill(batch, "task_weight", 0, 1);
    for (int k = 0; k < 3; k++) fill(batch, "task_start_range", k, 2);
    for (uint32_t i = 0; i < MANY; i++) words(batch, "random_seed")[i] = i;
    return env;
}

static rf_status take(rf_env *env, arrays *a, int step)
{
    for (int i = 0; i < MANY; i++) {
        for (int k = 0; k < ACTIONS; k++)
            a->actions[i][k] = (float)((i * 7 + k * 3 + step * 5) % 21) / 10 - 1;
    }
    const rf_env_result result = {a->observations[0], a->finals[0], a->rewards, a->terminated,
                                  a->truncated,       a->ends,      NULL};
    return rf_env_step(env, a->actions[0], &result);
}

static void steps_do_not_depend_on_the_threads(void)
{
    arrays *a = calloc(2, sizeof *a);
    for (int run = 0; run < 2; run++) {
        rf_batch *batch = tumbling(many(run == 0 ? 1 : 3));
        rf_env *env = hovering(batch, RF_AUTORESET_SAME_STEP, 40);
        ENSURE(rf_env_observed(env) == OBSERVED);
        ENSURE(rf_env_reset(env, NULL, a[run].observations[0]) == RF_OK);
        for (int step = 0; step < 90; step++) ENSURE(take(env, &a[run], step) == RF_OK);
        ENSURE(words(batch, "task_episode")[MANY - 1] >= 3);
        rf_env_destroy(env);
        rf_batch_destroy(batch);
    }
    ENSURE(memcmp(&a[0], &a[1], sizeof *a) == 0);
    free(a);
}

static void an_environment_that_ends_begins_anew(void)
{
    arrays *a = calloc(1, sizeof *a);
    rf_batch *batch = tumbling(many(2));
    rf_env *env = hovering(batch, RF_AUTORESET_NEXT_STEP, 0);
    ENSURE(rf_env_reset(env, NULL, a->observations[0]) == RF_OK);
    int ends = 0, starts = 0;
    uint8_t before[MANY] = {0};
    for (int step = 0; step < 800; step++) {
        ENSURE(take(env, a, step) == RF_OK);
        for (int i = 0; i < MANY; i++) {
            const float *p = a->observations[i];
            double far = sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
            ENSURE(!a->truncated[i]);
            ENSURE(a->ends[i] == (a->terminated[i] ? RF_END_FAR : RF_END_NONE));
            ENSURE(before[i] ? !a->terminated[i] && a->rewards[i] == 0 : 1);
            if (before[i]) ENSURE(fabsf(p[0]) <= 2 && fabsf(p[1]) <= 2 && fabsf(p[2]) <= 2);
            if (fabs(far - 5) > 1e-3) ENSURE(a->terminated[i] == (far > 5));
            ends += a->terminated[i], starts += before[i];
        }
        memcpy(before, a->terminated, sizeof before);
    }
    ENSURE(ends > MANY && starts > MANY);
    double least = 9, most = 0;
    for (int i = 0; i < MANY; i++) {
        least = fmin(least, values(batch, "mass", 0)[i]), most = fmax(most, values(batch, "mass", 0)[i]);
    }
    ENSURE(least >= 1 && least < 1.05 && most <= 3 && most > 2.95); /* of 2 kg */
    rf_env_destroy(env);
    rf_batch_destroy(batch);
    free(a);
}

static void only_chosen_environments_are_reset(void)
{
    arrays *a = calloc(1, sizeof *a);
    rf_batch *batch = tumbling(many(1));
    rf_env *env = hovering(batch, RF_AUTORESET_DISABLED, 0);
    ENSURE(rf_env_reset(env, NULL, a->observations[0]) == RF_OK);
    for (int step = 0; step < 5; step++) ENSURE(take(env, a, step) == RF_OK);
    uint8_t chosen[MANY] = {0};
    chosen[3] = chosen[MANY - 1] = 1;
    ENSURE(rf_env_reset(env, chosen, a->observations[0]) == RF_OK);
    for (int i = 0; i < MANY; i++) {
        ENSURE(words(batch, "task_steps")[i] == (chosen[i] ? 0 : 5));
        ENSURE(words(batch, "task_episode")[i] == (chosen[i] ? 2 : 1));
    }
    rf_env_destroy(env);
    rf_batch_destroy(batch);
    free(a);
}

enum { AGENTS = 7 }; /* a divisor of MANY */

/* An environment of a task with delays and noise, of several vehicles where the task is for them. */
static rf_env *delayed(rf_batch *batch, int task)
{
    static const rf_gate gates[3] = {{{3, 0, -5}, 0}, {{0, 3, -5}, 1.5}, {{-3, 0, -5}, 3}};
    double noise[RF_ENV_OBSERVED];
    rf_env_action actions[ACTIONS];
    for (int k = 0; k < RF_ENV_OBSERVED; k++) noise[k] = 0.01;
    of_throttle(batch, actions);
    const rf_env_def def = {.task = task,
                            .autoreset = RF_AUTORESET_SAME_STEP,
                            .substeps = 3,
                            .actions = actions,
                            .action_count = ACTIONS,
                            .attitude = -1,
                            .centred = column_number(batch, "throttle"),
                            .agents = task == RF_TASK_formation ? AGENTS : 1,
                            .gates = gates,
                            .gate_count = 3,
                            .action_delay = 2,
                            .observation_delay = 3,
                            .noise = noise};
    rf_env *env = NULL;
    if (rf_env_create(batch, &def, &env) != RF_OK) abort();
    fill(batch, "task_limit", 0, 5);
    fill(batch, "task_length", 0, 40);
    fill(batch, "task_start", 2, -5);
    fill(batch, "task_goal_middle", 2, -5);
    fill(batch, "task_start_speed", 0, 3);
    fill(batch, "task_weight", 0, 1);
    fill(batch, "task_spread", 0, 3);
    fill(batch, "task_separation", 0, 0.5);
    for (int k = 0; k < 2; k++) fill(batch, "task_curve_range", k, 1);
    for (int k = 0; k < 3; k++) fill(batch, "task_start_range", k, 0.5);
    for (uint32_t i = 0; i < MANY; i++) {
        words(batch, "random_seed")[i] = i / AGENTS;
        words(batch, "random_vehicle")[i] = i % AGENTS;
    }
    return env;
}

static void tasks_do_not_depend_on_the_threads(void)
{
    enum { SIZE = MANY * RF_ENV_OBSERVED };
    float *seen[2], *actions = calloc(MANY * ACTIONS, sizeof *actions);
    for (int k = 0; k < 2; k++) seen[k] = calloc(3 * SIZE, sizeof *seen[k]);
    uint8_t *ends = calloc(3 * MANY, 1);
    uint32_t *passed = calloc(MANY, sizeof *passed);
    for (int task = 0; task < RF_TASK_COUNT; task++) {
        for (int run = 0; run < 2; run++) {
            rf_batch *batch = tumbling(many(run == 0 ? 1 : 3));
            rf_env *env = delayed(batch, task);
            const rf_env_result result = {seen[run], seen[run] + SIZE, seen[run] + 2 * SIZE,
                                          ends,      ends + MANY,      ends + 2 * MANY,
                                          passed};
            ENSURE(rf_env_observed(env) <= RF_ENV_OBSERVED);
            ENSURE(rf_env_reset(env, NULL, seen[run]) == RF_OK);
            for (int step = 0; step < 90; step++) {
                for (int i = 0; i < MANY * ACTIONS; i++) {
                    actions[i] = (float)((i * 7 + step * 5) % 21) / 10 - 1;
                }
                ENSURE(rf_env_step(env, actions, &result) == RF_OK);
                for (int i = 0; i < MANY && task == RF_TASK_formation; i++) {
                    ENSURE(ends[i] == ends[i - i % AGENTS]);
                    ENSURE((ends[2 * MANY + i] > RF_END_TIME_LIMIT) == (ends[i] != 0));
                }
            }
            ENSURE(words(batch, "task_episode")[MANY - 1] >= 3);
            rf_env_destroy(env);
            rf_batch_destroy(batch);
        }
        ENSURE(memcmp(seen[0], seen[1], 3 * SIZE * sizeof *seen[0]) == 0);
    }
    for (int k = 0; k < 2; k++) free(seen[k]);
    free(actions);
    free(ends);
    free(passed);
}

static void definitions_are_checked(void)
{
    rf_batch *batch = tumbling(many(1));
    const rf_env_action good = {.column = column_number(batch, "throttle"), .scale = 1},
                        status = {.column = column_number(batch, "status"), .scale = 1};
    const rf_env_action beyond = {.column = good.column, .component = 99, .scale = 1},
                        angle = {.column = -1, .scale = 1};
    const rf_env_random law = {column_number(batch, "mass"), 0, RF_LAWS, 0, 1, 0},
                        descending[] = {{law.column, 0, RF_LAW_SCALE, 0.5, 1.5, 1},
                                        {law.column, 0, RF_LAW_SCALE, 0.5, 1.5, 0}};
    const rf_env_def right = {
        .substeps = 1, .actions = &good, .action_count = 1, .attitude = -1, .centred = -1, .agents = 1};
    rf_env_def wrong[16];
    for (int k = 0; k < 16; k++) wrong[k] = right;
    wrong[0].task = RF_TASK_COUNT;
    wrong[1].autoreset = 3;
    wrong[2].substeps = 0;
    wrong[3].action_count = 0;
    wrong[4].actions = &status;
    wrong[5].actions = &beyond;
    wrong[6].actions = &angle;
    wrong[7].random = &law, wrong[7].random_count = 1;
    const rf_gate gate = {{0, 0, 0}, 0};
    wrong[8].agents = 0;
    wrong[9].agents = RF_ENV_AGENTS + 1;
    wrong[10].agents = 8;
    wrong[11].task = RF_TASK_race;
    wrong[12].gates = &gate, wrong[12].gate_count = RF_ENV_GATES + 1;
    wrong[13].action_delay = RF_ENV_DELAY + 1;
    wrong[14].observation_delay = RF_ENV_DELAY + 1;
    wrong[15].random = descending, wrong[15].random_count = 2;
    for (int k = 0; k < 16; k++) {
        rf_env *env = NULL;
        ENSURE(rf_env_create(batch, &wrong[k], &env) == RF_BAD_ARGUMENT && env == NULL);
    }
    rf_batch_destroy(batch);
}

TEST_SUITE(env)
{
    RUN(steps_do_not_depend_on_the_threads);
    RUN(an_environment_that_ends_begins_anew);
    RUN(only_chosen_environments_are_reset);
    RUN(tasks_do_not_depend_on_the_threads);
    RUN(definitions_are_checked);
}
