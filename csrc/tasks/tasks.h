/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RF_TASKS_TASKS_H
#define RF_TASKS_TASKS_H

/* Every task, a line each: X(name, description).  tasks/<name>.h defines
 *
 *     <name>_OBSERVED                              number of values of an observation, without the last action
 *     <name>_observe(flight, task, out)            fills them
 *     <name>_reward(flight, task, effort, ended)   of a step after which the flight is this
 *     <name>_ended(flight, task)                   where an episode ends in a terminal state
 */
#define RF_TASKS(X)                                                                                          \
    X(hover, "hold the goal position, whatever the heading")                                                 \
    X(position, "fly to a goal position and heading, and stay there")

#endif
