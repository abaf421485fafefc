/* SPDX-License-Identifier: BSD-3-Clause */
/* What models and controllers of cars know of their actuator commands, in this order: traction, steer. */
#ifndef RF_VEHICLES_CAR_COMMANDS_H
#define RF_VEHICLES_CAR_COMMANDS_H

#define CAR_DEAD_ZONE ((real)1e-3) /* of the drive command: below, the brakes hold */

#endif
