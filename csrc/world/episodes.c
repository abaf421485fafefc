/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/episodes.h"

#include "world/collisions.h"

static rf_status step_together(rf_batch *batch, uint32_t steps)
{
    rf_collisions collisions;
    rf_world_stage stage;
    const int added = rf_collisions_stage(&collisions, &batch, 1, rf_batch_scene(batch), &stage);
    if (added < 0) return (rf_status)added;
    rf_world_run run = {&stage, (size_t)added, 0};
    while (steps > 0) steps -= rf_world_step_locked(&batch, 1, &run, steps); /* it may pause */
    return RF_OK;
}

rf_status rf_world_step_env(rf_env *env, const float *actions, const rf_env_result *result)
{
    const bool collide = rf_batch_has_part(rf_env_batch(env), RF_PART_collision);
    return collide ? rf_env_step_by(env, step_together, actions, result) : rf_env_step(env, actions, result);
}
