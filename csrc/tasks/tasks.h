/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RF_TASKS_TASKS_H
#define RF_TASKS_TASKS_H

/* Every task, a line each: X(name, traits, description).  name_OBSERVED lists its observation, name_WEIGHTS the weights of
 * its reward; tasks/<name>.h defines
 *
 *     name_begin(view, which)       what is its own of the start of an episode, after the body and goal of all tasks:
 *                                   stores what it changes, and its own columns, where `which`
 *     name_advance(view)            after the integrator steps: what its goal does
 *     name_observe(view, out)       fills the observation
 *     name_end(view)                where an episode ends in a terminal state: words of tasks/ends.h
 *     name_reward(view, ended)      of a step after which the view is this
 */
#define RF_TASKS(X)                                                                                          \
    X(hover, 0, "hold the goal position, whatever the heading")                                              \
    X(position, 0, "fly to a goal position and heading, and stay there")                                     \
    X(track, 0, "follow a goal that moves along a smooth curve")                                             \
    X(race, RF_TASK_GATES | RF_TASK_PASSES, "fly through gates, one after the other")                        \
    X(landing, RF_TASK_PASSES, "touch down on a moving pad")                                                 \
    X(formation, 0, "fly to the places of a formation, clear of each other")                                 \
    X(avoid, 0, "change places through a common middle, clear of each other")                                \
    X(reach, RF_TASK_PASSES, "come to a goal position with a heading, slowly")

/* Traits: it needs gates; it counts what is passed, in task_passed. */
enum { RF_TASK_GATES = 1, RF_TASK_PASSES = 2 };

/* Observations: X(name, width, unit, frame, description), without the last action, which follows. */
/* clang-format off */
#define FLIGHT_OBSERVED(X)                                                                                   \
    X(position_error, 3, "m", "NED", "position less the goal")                                               \
    X(attitude, 9, "1", "FRD to NED", "rotation matrix, by rows")                                            \
    X(velocity, 3, "m/s", "NED", "velocity over ground")                                                     \
    X(angular_velocity, 3, "rad/s", "FRD", "angular velocity")

#define hover_OBSERVED(X) FLIGHT_OBSERVED(X)

#define position_OBSERVED(X) FLIGHT_OBSERVED(X)                                                              \
    X(heading_error, 2, "1", "", "cosine and sine of the heading less that of the goal")

#define TASK_AHEAD 4
#define track_OBSERVED(X) FLIGHT_OBSERVED(X)                                                                 \
    X(goal_velocity, 3, "m/s", "NED", "velocity of the goal")                                                \
    X(ahead, 3 * TASK_AHEAD, "m", "NED", "four later points of the curve less the position")

#define race_OBSERVED(X) FLIGHT_OBSERVED(X)                                                                  \
    X(gate_heading, 2, "1", "", "cosine and sine of the gate's heading")                                     \
    X(next_gate, 3, "m", "NED", "the gate after it, less the position")                                      \
    X(next_heading, 2, "1", "", "cosine and sine of that gate's heading")

#define landing_OBSERVED(X) FLIGHT_OBSERVED(X)                                                               \
    X(goal_velocity, 3, "m/s", "NED", "velocity of the pad")

#define TASK_NEIGHBOURS 4
#define formation_OBSERVED(X) FLIGHT_OBSERVED(X)                                                             \
    X(neighbours, 3 * TASK_NEIGHBOURS, "m", "NED", "the four nearest others less the position; 0 where there are fewer") \
    X(neighbours_velocity, 3 * TASK_NEIGHBOURS, "m/s", "NED", "their velocities less the own")

#define avoid_OBSERVED(X) formation_OBSERVED(X)

#define reach_OBSERVED(X)                                                                                    \
    X(goal_offset, 3, "m", "FRD", "the goal less the position")                                              \
    X(attitude, 9, "1", "FRD to NED", "rotation matrix, by rows")                                            \
    X(velocity, 3, "m/s", "FRD", "velocity over ground")                                                     \
    X(angular_velocity, 3, "rad/s", "FRD", "angular velocity")                                               \
    X(heading_error, 2, "1", "", "cosine and sine of the heading less that of the goal")

/* Weights of rewards: X(task, name, description), at most TASK_WEIGHTS. */
#define TASK_WEIGHTS 8
#define FLIGHT_WEIGHTS(X, task)                                                                              \
    X(task, alive, "reward of a step")                                                                       \
    X(task, distance, "cost per distance from the goal [1/m]")                                               \
    X(task, attitude, "cost per 1 - cosine of the tilt, and of the heading error where that counts")         \
    X(task, speed, "cost per speed, of a moving goal relative to it [s/m]")                                  \
    X(task, rate, "cost per angular speed [s/rad]")                                                          \
    X(task, action, "cost per mean square of the action")                                                    \
    X(task, action_change, "cost per mean square of its change")                                             \
    X(task, end, "cost of an end before the duration")

#define hover_WEIGHTS(X)     FLIGHT_WEIGHTS(X, hover)
#define position_WEIGHTS(X)  FLIGHT_WEIGHTS(X, position)
#define track_WEIGHTS(X)     FLIGHT_WEIGHTS(X, track)
#define formation_WEIGHTS(X) FLIGHT_WEIGHTS(X, formation)

#define race_WEIGHTS(X)                                                                                      \
    X(race, gate, "reward of a gate that is passed")                                                         \
    X(race, progress, "reward per distance gained towards the gate [1/m]")                                   \
    X(race, rate, "cost per angular speed [s/rad]")                                                          \
    X(race, action, "cost per mean square of the action")                                                    \
    X(race, action_change, "cost per mean square of its change")                                             \
    X(race, end, "cost of a miss, and of another end before the duration")

#define landing_WEIGHTS(X)                                                                                   \
    X(landing, progress, "reward per distance gained towards the pad [1/m]")                                 \
    X(landing, time, "cost of a step")                                                                       \
    X(landing, rate, "cost per angular speed [s/rad]")                                                       \
    X(landing, action_change, "cost per mean square of the change of the action")                            \
    X(landing, touchdown, "reward of a touchdown in the middle at rest")                                     \
    X(landing, end, "cost of another end before the duration")

#define avoid_WEIGHTS(X)                                                                                     \
    X(avoid, progress, "reward per distance gained towards the goal [1/m]")                                  \
    X(avoid, distance, "cost per distance from the goal [1/m]")                                              \
    X(avoid, close, "cost of a distance of 0 to the nearest other, less the farther it is, up to the separation") \
    X(avoid, action_change, "cost per mean square of the change of the action")                              \
    X(avoid, end, "cost of an end before the duration")

#define reach_WEIGHTS(X)                                                                                     \
    X(reach, progress, "reward per distance gained towards the goal, turns included [1/m]")                  \
    X(reach, turn, "distance that 1 - cosine of the heading error counts as [m]")                            \
    X(reach, time, "cost per time [1/s]")                                                                    \
    X(reach, rate, "cost per angular speed [s/rad]")                                                         \
    X(reach, action_change, "cost per mean square of the change of the action")                              \
    X(reach, reached, "reward of the goal")                                                                  \
    X(reach, end, "cost of another end before the duration")
/* clang-format on */

/* Where a weight is in the column task_weight: hover_w_alive. */
#define TASK_WEIGHT_NUMBER(task, name, doc) task##_w_##name,
#define TASK_WEIGHT_NUMBERS(task, traits, doc)                                                               \
    enum { task##_WEIGHTS(TASK_WEIGHT_NUMBER) task##_weight_count };
RF_TASKS(TASK_WEIGHT_NUMBERS)
#undef TASK_WEIGHT_NUMBERS
#undef TASK_WEIGHT_NUMBER

#endif
