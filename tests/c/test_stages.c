/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages of a tick: each has its own period, and a batch may have any of them. */
#include "fleet.h"
#include "test.h"

/* A quadrotor whose rate loop reacts to an angular velocity with throttle. */
static rf_batch *controlled(rf_batch_def def)
{
    rf_batch *batch = tumbling(def);
    fill(batch, "armed", 0, 1);
    fill(batch, "control_mass", 0, 2);
    fill(batch, "control_gravity", 0, 9.8);
    fill(batch, "control_motor_max", 0, 1);
    fill(batch, "control_motor_curve", 1, 500);
    fill(batch, "control_thrust_coef", 1, 1e-5);
    for (int i = 0; i < 3; i++) fill(batch, "rate_p", i, 0.3);
    for (int i = 0; i < 16; i++) fill(batch, "mixer", i, i < 4 ? 0.25 : i % 2 ? 0.5 : -0.5);
    for (int i = 0; i < 2; i++) fill(batch, "attitude_p", i, 6);
    for (int i = 0; i < 2; i++) fill(batch, "rate_limit", i, 3);
    fill(batch, "thrust_limit", 1, 40);
    rf_batch_set_controllers(batch, true);
    return batch;
}

static void a_stage_without_a_period_never_runs(void)
{
    rf_batch_def def = rf_batch_default();
    def.periods[RF_STAGE_INNER] = 0;
    rf_batch *batch = controlled(def);
    double before = values(batch, "throttle", 0)[0];
    ENSURE(rf_batch_step(batch, 50) == RF_OK);
    ENSURE(values(batch, "throttle", 0)[0] == before);
    ENSURE(values(batch, "rate_before", 0)[0] == 0);
    ENSURE(values(batch, "rate_command", 0)[0] != 0); /* the attitude loop did run */
    rf_batch_destroy(batch);
}

static void a_stage_runs_when_its_period_has_passed(void)
{
    rf_batch_def def = rf_batch_default();
    def.periods[RF_STAGE_INNER] = 6;
    rf_batch *batch = controlled(def);
    double seen[3];
    for (int i = 0; i < 3; i++) {
        ENSURE(rf_batch_step(batch, 5) == RF_OK); /* ticks 5, 10, 15: the loop ran at 0, 6, 12 */
        seen[i] = values(batch, "rate_before", 0)[0];
    }
    ENSURE(seen[0] != seen[1] && seen[1] != seen[2]);
    ENSURE(rf_batch_step(batch, 3) == RF_OK); /* tick 18: due before the next step, not yet run */
    ENSURE(values(batch, "rate_before", 0)[0] == seen[2]);
    rf_batch_destroy(batch);
}

static void steps_do_not_depend_on_the_periods_of_stages(void)
{
    rf_batch_def def = rf_batch_default();
    const uint32_t periods[] = {
        [RF_STAGE_NAVIGATOR] = 5, [RF_STAGE_OUTER] = 7, [RF_STAGE_MIDDLE] = 3, [RF_STAGE_INNER] = 2};
    memcpy(def.periods, periods, sizeof periods);
    rf_batch *whole = controlled(def), *cut = controlled(def);
    ENSURE(rf_batch_step(whole, 210) == RF_OK);
    for (int i = 0; i < 21; i++) ENSURE(rf_batch_step(cut, 10) == RF_OK);
    ENSURE(same_bytes(whole, cut));
    rf_batch_destroy(whole);
    rf_batch_destroy(cut);
}

static void parts_are_disabled_until_enabled_and_stay(void)
{
    rf_batch *batch = tumbling(many(1));
    size_t before = rf_batch_bytes(batch), stride;
    int home = rf_batch_column_find(batch, "home");
    ENSURE(home >= rf_batch_type(batch)->column_count);
    ENSURE(!rf_batch_has_part(batch, RF_PART_navigator) && rf_batch_column(batch, home, &stride) == NULL);
    ENSURE(rf_batch_enable_part(batch, -1) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_enable_part(batch, RF_PART_COUNT) == RF_BAD_ARGUMENT);
    ENSURE(rf_part_find("navigator") == RF_PART_navigator && rf_part_find("none") == -1);
    for (int i = 0; i < 3; i++) values(batch, "pos", i)[4] = 10 + i;
    for (int twice = 0; twice < 2; twice++) ENSURE(rf_batch_enable_part(batch, RF_PART_navigator) == RF_OK);
    ENSURE(rf_batch_has_part(batch, RF_PART_navigator) && rf_batch_bytes(batch) > before);
    ENSURE(values(batch, "home", 1)[4] == 11 && values(batch, "takeoff_height", 0)[4] == 10);
    rf_batch_destroy(batch);
}

static void chosen_navigators_reset_and_release(void)
{
    rf_batch *batch = tumbling(many(1));
    const size_t chosen[] = {3, 5}, none[] = {MANY};
    ENSURE(rf_batch_reset_part(batch, RF_PART_navigator, chosen, 2) == RF_BAD_ARGUMENT); /* the part is off */
    ENSURE(rf_batch_enable_part(batch, RF_PART_navigator) == RF_OK);
    fill(batch, "navigator_mode", 0, 3);
    fill(batch, "navigator_ramp", 0, 7);
    fill(batch, "takeoff_height", 0, 4);
    for (int i = 0; i < 3; i++) values(batch, "pos", i)[5] = 20 + i;
    ENSURE(rf_batch_navigator_release(batch, chosen, 1) == RF_OK);
    ENSURE(rf_batch_reset_part(batch, RF_PART_navigator, chosen + 1, 1) == RF_OK);
    ENSURE(rf_batch_reset_part(batch, RF_PART_navigator, none, 1) == RF_BAD_ARGUMENT);
    const uint32_t *mode = words(batch, "navigator_mode");
    ENSURE(mode[2] == 3 && mode[3] == 0 && mode[5] == 0);
    const double *ramp = values(batch, "navigator_ramp", 0);
    ENSURE(ramp[2] == 7 && ramp[3] == 7 && ramp[5] == 0);
    ENSURE(values(batch, "home", 2)[5] == 22 && values(batch, "home", 2)[3] == 0);
    ENSURE(values(batch, "takeoff_height", 0)[5] == 4);
    rf_batch_destroy(batch);
}

TEST_SUITE(stages)
{
    RUN(a_stage_without_a_period_never_runs);
    RUN(a_stage_runs_when_its_period_has_passed);
    RUN(steps_do_not_depend_on_the_periods_of_stages);
    RUN(parts_are_disabled_until_enabled_and_stay);
    RUN(chosen_navigators_reset_and_release);
}
