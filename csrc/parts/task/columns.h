/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a task: settings of starts, goals and rewards, then what an episode holds.
 * Macros only: the lists are expanded in enums and tables.  A start of any task clears the last rows, from task_action on;
 * the two lists have at most 64 rows each (held.h). */
#ifndef RF_PARTS_TASK_COLUMNS_H
#define RF_PARTS_TASK_COLUMNS_H

#define TASK_ACTIONS     16 /* of the type with the most actuators */
#define TASK_HARMONICS   3
#define WIDTH_per_action TASK_ACTIONS
#define WIDTH_harmonics  (6 * TASK_HARMONICS)

/* clang-format off */

#define TASK_SETTING(X)                                                                                      \
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
    X(lane, task_floor, "m", "NED", "z below which an episode ends")                                         \
    X(octet, task_weight, "1", "", "weights of the reward, in the order of the task")                        \
    X(harmonics, task_curve, "m", "NED", "curve of the goal about its middle: sine and cosine of each harmonic, first of all along north, then east, down") \
    X(vec3, task_curve_range, "m", "NED", "largest random coefficient of the first harmonic along each axis; of harmonic k over k^2") \
    X(pair, task_curve_period, "s", "", "shortest and longest period of the curve")                          \
    X(lane, task_look_ahead, "s", "", "time between the points of the curve that are observed")              \
    X(lane, task_touch_height, "m", "", "height above the pad at which a vehicle touches down")              \
    X(lane, task_touch_distance, "m", "", "largest horizontal distance of a good touchdown from the pad's middle; of a goal that is reached, distance") \
    X(lane, task_touch_speed, "m/s", "", "largest speed of a good touchdown relative to the pad, or at a goal that is reached") \
    X(lane, task_touch_heading, "rad", "", "largest magnitude of the heading error at a goal that is reached") \
    X(lane, task_gate_radius, "m", "", "radius of the gates; their frames reach to twice that")              \
    X(lane, task_separation, "m", "", "distance between vehicles at which their episode ends, or below which it costs") \
    X(lane, task_spread, "m", "", "radius of the circle of a formation")

#define TASK_EPISODE(X)                                                                                      \
    X(vec3, task_goal, "m", "NED", "goal of the episode, now")                                               \
    X(lane, task_goal_yaw, "rad", "NED", "heading of the goal")                                              \
    X(vec3, task_goal_vel, "m/s", "NED", "velocity of the goal")                                             \
    X(vec3, task_middle, "m", "NED", "middle of the curve of the goal")                                      \
    X(harmonics, task_path, "m", "NED", "coefficients of the curve of the episode, as those of task_curve")  \
    X(pair, task_phase, "rad, rad/s", "", "phase of the curve at the start, and its rate")                   \
    X(vec3, task_next, "m", "NED", "the gate after the goal")                                                \
    X(lane, task_next_yaw, "rad", "NED", "its heading")                                                      \
    X(vec3, task_before, "m", "NED", "position before the last step")                                        \
    X(lane, task_left, "m", "", "distance that is left to the goal of `reach`, turns included")              \
    X(lane, task_progress, "m", "", "distance gained towards the goal in the last step")                     \
    X(lane, task_event, "1", "", "1: passed a gate, touched down well or reached the goal in the last step, -1: missed it")    \
    X(lane, task_nearest, "m", "", "distance of the nearest other vehicle of the environment")               \
    X(lane, task_centre, "1", "", "throttle or collective thrust of the hover over that of the parameter set") \
    X(per_action, task_action, "1", "", "last action, -1 to 1; 0 beyond the last one")                       \
    X(pair, task_effort, "1", "", "mean square of the last action, and of its change")

#define TASK_PART(X) TASK_SETTING(X) TASK_EPISODE(X)

#define TASK_PART_WORD(X)                                                                                    \
    X(word, task_length, "1", "", "steps after which an episode is truncated; 0: never")                     \
    X(word, task_steps, "1", "", "steps of the episode")                                                     \
    X(word, task_episode, "1", "", "number of episodes begun since the environment was seeded")              \
    X(word, task_gate, "1", "", "index of the gate that is the goal")                                        \
    X(word, task_passed, "1", "", "gates passed in the episode, good touchdowns, or goals reached")

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
    SETTING(task_floor, 1e9)                                                                                 \
    SETTING(task_weight, 0)                                                                                  \
    SETTING(task_curve, 0)                                                                                   \
    SETTING(task_curve_range, 0)                                                                             \
    SETTING(task_curve_period, 10)                                                                           \
    SETTING(task_look_ahead, 0.2)                                                                            \
    SETTING(task_touch_height, 0)                                                                            \
    SETTING(task_touch_distance, 1)                                                                          \
    SETTING(task_touch_speed, 1)                                                                             \
    SETTING(task_touch_heading, 1)                                                                           \
    SETTING(task_gate_radius, 1)                                                                             \
    SETTING(task_separation, 0)                                                                              \
    SETTING(task_spread, 0)                                                                                  \
    SETTING(task_length, 0)

#endif
