/* SPDX-License-Identifier: BSD-3-Clause */
#include "wire/mavlink.h"

#include <string.h>

#include "wire/mavlink_crc.h"

/* First bytes of frames, their headers, and the only incompatibility flag there is [@mavlink-guide serialization]. */
enum { MARKER_1 = 0xFE, MARKER_2 = 0xFD, HEADER_1 = 6, IS_SIGNED = 1 };

/* Checksum of a frame: of all that is before it but the marker, then of the message's definition. */
static uint16_t checksum(const uint8_t *frame, size_t length, uint8_t crc_extra)
{
    uint16_t crc = rf_mavlink_crc(RF_MAVLINK_CRC_START, frame + 1, length - 1);
    return rf_mavlink_crc(crc, &crc_extra, 1);
}

/* Writes the lowest bytes of a number, the lowest first. */
static uint8_t *put(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) *to++ = (uint8_t)(value >> (8 * i));
    return to;
}

/* ---- to the link ---- */

/* Length without the zeros at the end, at least 1. */
static size_t truncated(const uint8_t *record, size_t size)
{
    while (size > 1 && record[size - 1] == 0) size--;
    return size;
}

size_t rf_mavlink_pack(const rf_mavlink_message *message, const rf_mavlink_senders *senders, size_t count,
                       const uint8_t *records, const int32_t *rows, uint8_t *frames, int32_t *lengths)
{
    uint8_t *to = frames;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *record = records + i * message->size;
        uint8_t *frame = to;
        size_t length = truncated(record, message->size);
        to = put(to, MARKER_2, 1);
        to = put(to, length, 1);
        to = put(to, senders->with_signature ? IS_SIGNED : 0, 1);
        to = put(to, 0, 1); /* compatibility flags */
        to = put(to, senders->sequences[rows[i]]++, 1);
        to = put(to, senders->system_ids[rows[i]], 1);
        to = put(to, senders->component_id, 1);
        to = put(to, message->id, 3);
        memcpy(to, record, length);
        to += length;
        to = put(to, checksum(frame, (size_t)(to - frame), message->crc_extra), RF_MAVLINK_CHECKSUM);
        if (senders->with_signature) {
            to = put(to, senders->link_id, 1);
            to = put(to, senders->timestamp + i, RF_MAVLINK_SIGNATURE - RF_MAVLINK_HASH - 1);
            to = put(to, 0, RF_MAVLINK_HASH);
        }
        lengths[i] = (int32_t)(to - frame);
    }
    return (size_t)(to - frames);
}

size_t rf_mavlink_collect(const rf_mavlink_waiting *waiting, size_t limit,
                          const rf_mavlink_datagrams *datagrams)
{
    size_t number = 0;
    int64_t end = 0;
    for (size_t i = 0; i < waiting->count; i++) {
        int64_t frame = waiting->order[i];
        int32_t length = waiting->lengths[frame], row = waiting->rows[frame];
        size_t last = number - 1;
        if (number == 0 || datagrams->rows[last] != row ||
            (size_t)datagrams->lengths[last] + (size_t)length > limit) {
            last = number++;
            datagrams->starts[last] = end;
            datagrams->lengths[last] = 0;
            datagrams->rows[last] = row;
        }
        memcpy(datagrams->bytes + end, waiting->frames + waiting->starts[frame], (size_t)length);
        datagrams->lengths[last] += length;
        end += length;
    }
    return number;
}

/* ---- from the link ---- */

/* The known message of an identifier, or NULL. */
static const rf_mavlink_message *find(const rf_mavlink_reader *reader, uint32_t id)
{
    size_t low = 0, high = reader->known_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reader->known[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < reader->known_count && reader->known[low].id == id ? &reader->known[low] : NULL;
}

static bool is_marker(uint8_t byte)
{
    return byte == MARKER_1 || byte == MARKER_2;
}

typedef enum verdict { IS_FRAME, IS_NONE, IS_INCOMPLETE } verdict;

/* Fields of a header, all of whose bytes are there. */
static void read_header(const uint8_t *bytes, rf_mavlink_frame *frame)
{
    bool second = bytes[0] == MARKER_2;
    const uint8_t *from = bytes + (second ? 4 : 2);
    frame->bytes = bytes;
    frame->sequence = from[0];
    frame->system_id = from[1];
    frame->component_id = from[2];
    frame->message_id = from[3];
    if (second) frame->message_id |= (uint32_t)from[4] << 8 | (uint32_t)from[5] << 16;
    frame->length = (second ? RF_MAVLINK_HEADER : HEADER_1) + (size_t)bytes[1] + RF_MAVLINK_CHECKSUM;
    if (second && bytes[2] & IS_SIGNED) frame->length += RF_MAVLINK_SIGNATURE;
}

/* Whether the checksum of a frame is right. */
static bool is_right(rf_mavlink_reader *reader, const uint8_t *bytes, uint8_t crc_extra)
{
    size_t end = (bytes[0] == MARKER_2 ? RF_MAVLINK_HEADER : HEADER_1) + (size_t)bytes[1];
    uint16_t sent = (uint16_t)(bytes[end] | bytes[end + 1] << 8);
    bool right = sent == checksum(bytes, end, crc_extra);
    reader->bad_checksums += !right;
    return right;
}

/* Examines the bytes at the position, the first of which is a marker. */
static verdict examine(rf_mavlink_reader *reader, rf_mavlink_frame *frame)
{
    const uint8_t *bytes = reader->bytes + reader->position;
    size_t left = reader->count - reader->position;
    bool second = bytes[0] == MARKER_2;
    if (second && left > 2 && bytes[2] & ~IS_SIGNED) return IS_NONE;
    if (left < (size_t)(second ? RF_MAVLINK_HEADER : HEADER_1)) return IS_INCOMPLETE;
    read_header(bytes, frame);
    const rf_mavlink_message *message = find(reader, frame->message_id);
    frame->known = message != NULL;
    /* MAVLink 1 cannot have more than the definition; this bounds the work for a flood of markers. */
    if (!second && message != NULL && bytes[1] > message->size) return IS_NONE;
    if (left < frame->length) return IS_INCOMPLETE;
    if (message != NULL) return is_right(reader, bytes, message->crc_extra) ? IS_FRAME : IS_NONE;
    if (left == frame->length) return reader->whole ? IS_FRAME : IS_INCOMPLETE;
    return is_marker(bytes[frame->length]) ? IS_FRAME : IS_NONE;
}

bool rf_mavlink_next(rf_mavlink_reader *reader, rf_mavlink_frame *frame)
{
    for (; reader->position < reader->count; reader->position++, reader->skipped++) {
        if (!is_marker(reader->bytes[reader->position])) continue;
        verdict found = examine(reader, frame);
        if (found == IS_FRAME) {
            reader->position += frame->length;
            return true;
        }
        if (found == IS_INCOMPLETE && !reader->whole) return false;
    }
    return false;
}
