/* SPDX-License-Identifier: BSD-3-Clause */
/* Checksum of MAVLink's frames. */
#ifndef RF_WIRE_MAVLINK_CRC_H
#define RF_WIRE_MAVLINK_CRC_H

#include <stddef.h>
#include <stdint.h>

#define RF_MAVLINK_CRC_START 0xFFFF

/* The checksum after further bytes: CRC-16/MCRF4XX, polynomial x^16 + x^12 + x^5 + 1, lowest bit first
 * [@mavlink-guide serialization].  The first call begins with RF_MAVLINK_CRC_START. */
uint16_t rf_mavlink_crc(uint16_t crc, const uint8_t *bytes, size_t count);

#endif
