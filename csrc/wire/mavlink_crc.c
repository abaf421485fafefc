/* SPDX-License-Identifier: BSD-3-Clause */
#include "wire/mavlink_crc.h"

/* A checksum is linear: that of a byte is the sum of those of its bits, and so is that of a byte with zeros behind it.
 * Four bytes are looked up at once, because each look-up waits for the one before. */
#define BIT(byte, i, sum) (((byte) >> (i)&1) ? (sum) : 0)
#define SUM(byte, c0, c1, c2, c3, c4, c5, c6, c7)                                                            \
    (BIT(byte, 0, c0) ^ BIT(byte, 1, c1) ^ BIT(byte, 2, c2) ^ BIT(byte, 3, c3) ^ BIT(byte, 4, c4) ^          \
     BIT(byte, 5, c5) ^ BIT(byte, 6, c6) ^ BIT(byte, 7, c7))

/* Of a byte, and of a byte with one, two and three zeros behind it. */
#define LAST(b)   SUM(b, 0x1189, 0x2312, 0x4624, 0x8C48, 0x1081, 0x2102, 0x4204, 0x8408),
#define THIRD(b)  SUM(b, 0x19D8, 0x33B0, 0x6760, 0xCEC0, 0x9591, 0x2333, 0x4666, 0x8CCC),
#define SECOND(b) SUM(b, 0x5ADC, 0xB5B8, 0x6361, 0xC6C2, 0x8595, 0x033B, 0x0676, 0x0CEC),
#define FIRST(b)  SUM(b, 0x1CBB, 0x3976, 0x72EC, 0xE5D8, 0xC3A1, 0x8F53, 0x16B7, 0x2D6E),

#define EACH_4(entry, b)  entry(b) entry(b + 1) entry(b + 2) entry(b + 3)
#define EACH_16(entry, b) EACH_4(entry, b) EACH_4(entry, b + 4) EACH_4(entry, b + 8) EACH_4(entry, b + 12)
#define EACH_64(entry, b)                                                                                    \
    EACH_16(entry, b) EACH_16(entry, b + 16) EACH_16(entry, b + 32) EACH_16(entry, b + 48)
#define EACH_BYTE(entry) EACH_64(entry, 0) EACH_64(entry, 64) EACH_64(entry, 128) EACH_64(entry, 192)

static const uint16_t last[256] = {EACH_BYTE(LAST)};
static const uint16_t third[256] = {EACH_BYTE(THIRD)};
static const uint16_t second[256] = {EACH_BYTE(SECOND)};
static const uint16_t first[256] = {EACH_BYTE(FIRST)};

uint16_t rf_mavlink_crc(uint16_t crc, const uint8_t *bytes, size_t count)
{
    for (; count >= 4; count -= 4, bytes += 4) {
        crc = first[(bytes[0] ^ crc) & 0xFF] ^ second[bytes[1] ^ crc >> 8] ^ third[bytes[2]] ^ last[bytes[3]];
    }
    for (; count > 0; count--, bytes++) crc = (uint16_t)(crc >> 8 ^ last[(*bytes ^ crc) & 0xFF]);
    return crc;
}
