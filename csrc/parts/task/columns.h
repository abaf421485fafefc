/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a task: settings of starts, goals and rewards, then what an episode holds.
 * Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_TASK_COLUMNS_H
#define RF_PARTS_TASK_COLUMNS_H

#define TASK_ACTIONS     16 /* of the type with the most actuators */
#define WIDTH_per_action TASK_ACTIONS

/* clang-format off */

#define TASK_PART(X)                                                                                         \
    X(vec3, task_start, "m", "NED", "middle of the positions at which episodes start")                       \
    X(vec3, task_start_range, "m", "NED", "largest distance from it along each axis")                        \
    X(lane, task_start_speed, "m/s", "", "largest speed at a start")                                         \
    X(lane, task_start_tilt, "rad", "", "largest tilt at a start")                                           \
    X(lane, task_start_yaw, "rad", "", "largest magnitude of the heading at a start")                        \
    X(lane, task_start_rate, "rad/s", "", "largest angular speed at a start")                                \
    X(vec3, task_goal_middle, "m", "NED", "middle of the goals")                                             \
    X(vec3, task_goal_range, "m", "NED", "largest distance of a goal from it along each axis")               \
    X(lane, task_goal_yaw_range, "rad", "", "largest magnitude of the heading of a goal")                    \
    X(lane, task_limit, "m", "", "distance from the goal at which an episode ends")                          \
    X(octet, task_weight, "1", "", "weights of the reward, in the order of the task")                        \
    X(vec3, task_goal, "m", "NED", "goal of the episode")                                                    \
    X(lane, task_goal_yaw, "rad", "NED", "heading of the goal")                                              \
    X(per_action, task_action, "1", "", "last action, -1 to 1; 0 beyond the last one")                       \
    X(pair, task_effort, "1", "", "mean square of the last action, and of its change")

#define TASK_PART_WORD(X)                                                                                    \
    X(word, task_length, "1", "", "steps after which an episode is truncated; 0: never")                     \
    X(word, task_steps, "1", "", "steps of the episode")                                                     \
    X(word, task_episode, "1", "", "number of episodes begun since the environment was seeded")

/* clang-format on */

#define TASK_INITIAL(SETTING, VALUE, STATE)                                                                  \
    SETTING(task_start, 0)                                                                                   \
    SETTING(task_start_range, 0)                                                                             \
    SETTING(task_start_speed, 0)                                                                             \
    SETTING(task_start_tilt, 0)                                                                              \
    SETTING(task_start_yaw, 0)                                                                               \
    SETTING(task_start_rate, 0)                                                                              \
    SETTING(task_goal_middle, 0)                                                                             \
    SETTING(task_goal_range, 0)                                                                              \
    SETTING(task_goal_yaw_range, 0)                                                                          \
    SETTING(task_limit, 1e9)                                                                                 \
    SETTING(task_weight, 0)                                                                                  \
    SETTING(task_length, 0)

#endif
