/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of learning environments whose vehicles collide: with the stage of the world, in which each environment should be a
 * group of its own (`collision_group`). */
#ifndef RF_WORLD_EPISODES_H
#define RF_WORLD_EPISODES_H

#include "batch/env.h"

/* rf_env_step, with collisions where the batch has the part. */
rf_status rf_world_step_env(rf_env *env, const float *actions, const rf_env_result *result);

#endif
