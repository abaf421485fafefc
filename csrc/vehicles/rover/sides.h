/* SPDX-License-Identifier: BSD-3-Clause */
/* The driven sides of a rover: the order of its actuators, wheel speeds and tyres. */
#ifndef RF_VEHICLES_ROVER_SIDES_H
#define RF_VEHICLES_ROVER_SIDES_H

enum { LEFT, RIGHT };

#endif
