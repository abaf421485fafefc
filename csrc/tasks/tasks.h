/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RF_TASKS_TASKS_H
#define RF_TASKS_TASKS_H

/* Every task, a line each: X(name, description).  name_OBSERVED lists its observation; tasks/<name>.h defines
 *
 *     name_begin(view, which)       what is its own of the start of an episode, after the body and goal of all tasks:
 *                                   stores what it changes, and its own columns, where `which`
 *     name_advance(view)            after the integrator steps: what its goal does
 *     name_observe(view, out)       fills the observation
 *     name_ended(view)              where an episode ends in a terminal state
 *     name_reward(view, ended)      of a step after which the view is this
 */
#define RF_TASKS(X)                                                                                          \
    X(hover, "hold the goal position, whatever the heading")                                                 \
    X(position, "fly to a goal position and heading, and stay there")                                        \
    X(track, "follow a goal that moves along a smooth curve")                                                \
    X(race, "fly through gates, one after the other")                                                        \
    X(landing, "touch down on a moving pad")                                                                 \
    X(formation, "fly to the places of a formation, clear of each other")

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
/* clang-format on */

#endif
