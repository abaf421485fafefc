/* SPDX-License-Identifier: BSD-3-Clause */
/* MAVLink frames: packed for many senders in one call, collected to datagrams, found in received bytes.
 *
 * A frame is a header, a payload, a checksum and perhaps a signature [@mavlink-guide serialization].  A payload is a record of
 * its message: the fields in the order of the wire, little-endian, without padding.  Nothing here knows the fields; the
 * table of messages is pyrfly/mavlink/definitions.py. */
#ifndef RF_WIRE_MAVLINK_H
#define RF_WIRE_MAVLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a frame of MAVLink 2. */
enum {
    RF_MAVLINK_HEADER = 10,
    RF_MAVLINK_PAYLOAD = 255, /* at most */
    RF_MAVLINK_CHECKSUM = 2,
    RF_MAVLINK_SIGNATURE = 13, /* identifier of the link, 6 bytes of time, 6 bytes of a hash */
    RF_MAVLINK_HASH = 6,
    RF_MAVLINK_OVERHEAD = RF_MAVLINK_HEADER + RF_MAVLINK_CHECKSUM + RF_MAVLINK_SIGNATURE,
};

/* What packing and checking need of a message. */
typedef struct rf_mavlink_message {
    uint32_t id;
    uint8_t crc_extra; /* checksum of its definition, a part of the checksum of each frame */
    uint8_t size;      /* bytes of the payload, with all extensions */
    uint8_t reserved[2];
} rf_mavlink_message;

/* ---- to the link ---- */

/* The systems that send frames over a link. */
typedef struct rf_mavlink_senders {
    const uint8_t *system_ids;
    uint8_t *sequences; /* number of the next frame of each sender; counted up */
    uint8_t component_id;
    bool with_signature; /* leaves the hash at the end of each frame to the caller */
    uint8_t link_id;
    uint64_t timestamp; /* of the first frame [10 us since 2015]; each further frame has one more */
} rf_mavlink_senders;

/* Writes a frame of each record, without gaps.  Zeros at the end of a payload are left out.
 *
 * `rows` are indices of senders, one for each record; a sender may occur several times.  `frames` has room for
 * `size` + RF_MAVLINK_OVERHEAD bytes a record.  Returns the bytes written; `lengths` are those of each frame. */
size_t rf_mavlink_pack(const rf_mavlink_message *message, const rf_mavlink_senders *senders, size_t count,
                       const uint8_t *records, const int32_t *rows, uint8_t *frames, int32_t *lengths);

/* Frames that wait to be sent. */
typedef struct rf_mavlink_waiting {
    size_t count;
    const uint8_t *frames;
    const int64_t *starts; /* of each frame in `frames` */
    const int32_t *lengths;
    const int32_t *rows;  /* sender of each frame */
    const int64_t *order; /* indices of all frames, those of a sender one after another */
} rf_mavlink_waiting;

/* Datagrams of whole frames of one sender each. */
typedef struct rf_mavlink_datagrams {
    uint8_t *bytes;
    int64_t *starts; /* of each datagram in `bytes` */
    int32_t *lengths;
    int32_t *rows;
} rf_mavlink_datagrams;

/* Copies frames to datagrams of at most `limit` bytes, more only for a frame that is longer by itself.
 *
 * The datagrams have room for all bytes and, in the other arrays, for one a frame.  Returns their number. */
size_t rf_mavlink_collect(const rf_mavlink_waiting *waiting, size_t limit,
                          const rf_mavlink_datagrams *datagrams);

/* ---- from the link ---- */

/* Received bytes; zero the results before the first frame. */
typedef struct rf_mavlink_reader {
    const uint8_t *bytes;
    size_t count;
    bool whole;                      /* no further bytes follow: what is incomplete is no frame */
    const rf_mavlink_message *known; /* sorted by id */
    size_t known_count;
    /* results */
    size_t position;      /* of the first byte that is not yet read */
    size_t skipped;       /* bytes outside of frames */
    size_t bad_checksums; /* what looked like a frame of a known message */
} rf_mavlink_reader;

/* A frame of MAVLink 1 or 2. */
typedef struct rf_mavlink_frame {
    const uint8_t *bytes;
    size_t length;
    uint32_t message_id;
    uint8_t sequence;
    uint8_t system_id;
    uint8_t component_id;
    bool known; /* the checksum is right; that of an unknown message cannot be checked */
} rf_mavlink_frame;

/* Finds the next frame.
 *
 * After bytes that are no frame the search continues with the next byte, so that no frame behind them is lost.  What
 * seems to be a frame of an unknown message is one if a first byte of another follows, or the end of the whole.
 *
 * Returns false where there is no further frame; the bytes from `position` on may be the beginning of one. */
bool rf_mavlink_next(rf_mavlink_reader *reader, rf_mavlink_frame *frame);

#endif
