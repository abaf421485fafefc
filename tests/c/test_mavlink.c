/* SPDX-License-Identifier: BSD-3-Clause */
/* MAVLink's frames without Python: checksum, packing, datagrams, and the search in received bytes. */
#include "wire/mavlink.h"

#include <stdint.h>
#include <stdlib.h>

#include "test.h"
#include "wire/mavlink_crc.h"

/* HEARTBEAT of a quadrotor with PX4, from systems 1 and 2, component 1, as pymavlink packs it. */
static const uint8_t FIRST[] = {0xfd, 9, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 2, 12, 0, 0, 3, 0xd7, 0xde};
static const uint8_t SECOND[] = {0xfd, 9, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 2, 12, 0, 0, 3, 0xa9, 0x06};
static const uint8_t RECORD[] = {0, 0, 0, 0, 2, 12, 0, 0, 3};
enum { LENGTH = sizeof FIRST };

static const rf_mavlink_message HEARTBEAT = {.id = 0, .crc_extra = 50, .size = 9};

/* The checksum bit by bit: x^16 + x^12 + x^5 + 1, reflected. */
static uint16_t crc_by_bits(uint16_t crc, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1);
    }
    return crc;
}

static void the_checksum_is_that_of_the_polynomial(void)
{
    uint8_t bytes[64];
    uint32_t random = 1;
    ENSURE(rf_mavlink_crc(RF_MAVLINK_CRC_START, (const uint8_t *)"123456789", 9) == 0x6F91);
    for (int round = 0; round < 2000; round++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
        size_t begin = (size_t)round % 5, count = (size_t)round % 59;
        uint16_t start = (uint16_t)random;
        ENSURE(rf_mavlink_crc(start, bytes + begin, count) == crc_by_bits(start, bytes + begin, count));
    }
}

/* Every byte at each of the four places that are looked up at once. */
static void the_checksum_is_right_for_every_byte(void)
{
    for (int place = 0; place < 5; place++) {
        for (int value = 0; value < 256; value++) {
            uint8_t bytes[5] = {0};
            bytes[place] = (uint8_t)value;
            ENSURE(rf_mavlink_crc(0, bytes, 5) == crc_by_bits(0, bytes, 5));
        }
    }
}

static void frames_of_senders_follow_one_another(void)
{
    const uint8_t ids[] = {1, 2};
    uint8_t sequences[] = {0, 0}, records[2 * sizeof RECORD],
            frames[2 * (sizeof RECORD + RF_MAVLINK_OVERHEAD)];
    const int32_t rows[] = {0, 1};
    int32_t lengths[2];
    rf_mavlink_senders senders = {.system_ids = ids, .sequences = sequences, .component_id = 1};
    memcpy(records, RECORD, sizeof RECORD);
    memcpy(records + sizeof RECORD, RECORD, sizeof RECORD);
    ENSURE(rf_mavlink_pack(&HEARTBEAT, &senders, 2, records, rows, frames, lengths) == 2 * LENGTH);
    ENSURE(lengths[0] == LENGTH && lengths[1] == LENGTH);
    ENSURE(memcmp(frames, FIRST, LENGTH) == 0 && memcmp(frames + LENGTH, SECOND, LENGTH) == 0);
    ENSURE(sequences[0] == 1 && sequences[1] == 1);
}

static void a_sender_may_occur_several_times(void)
{
    const uint8_t ids[] = {1};
    uint8_t sequences[] = {254}, records[4 * sizeof RECORD] = {0}, frames[4 * (9 + RF_MAVLINK_OVERHEAD)];
    const int32_t rows[] = {0, 0, 0, 0};
    int32_t lengths[4];
    rf_mavlink_senders senders = {.system_ids = ids, .sequences = sequences, .component_id = 1};
    size_t written = rf_mavlink_pack(&HEARTBEAT, &senders, 4, records, rows, frames, lengths);
    /* of a payload of zeros one byte is left */
    ENSURE(written == 4 * 13 && frames[1] == 1);
    for (int i = 0; i < 4; i++) ENSURE(frames[13 * i + 4] == (uint8_t)(254 + i));
    ENSURE(sequences[0] == 2);
}

static void room_is_left_for_the_hash_of_a_signature(void)
{
    const uint8_t ids[] = {1};
    uint8_t sequences[] = {0}, frames[9 + RF_MAVLINK_OVERHEAD];
    const int32_t rows[] = {0};
    int32_t length;
    rf_mavlink_senders senders = {.system_ids = ids,
                                  .sequences = sequences,
                                  .component_id = 1,
                                  .with_signature = true,
                                  .link_id = 7,
                                  .timestamp = 0x060504030201};
    const uint8_t end[RF_MAVLINK_SIGNATURE] = {7, 1, 2, 3, 4, 5, 6};
    ENSURE(rf_mavlink_pack(&HEARTBEAT, &senders, 1, RECORD, rows, frames, &length) == sizeof frames);
    ENSURE(frames[2] == 1);
    ENSURE(memcmp(frames + LENGTH, end, sizeof end) == 0);
}

static void datagrams_have_whole_frames_of_one_sender(void)
{
    enum { COUNT = 6 };
    const uint8_t frames[] = "aaabbccccdeeff";
    const int64_t starts[COUNT] = {0, 3, 5, 9, 10, 12}, order[COUNT] = {0, 3, 4, 1, 2, 5};
    const int32_t lengths[COUNT] = {3, 2, 4, 1, 2, 2}, rows[COUNT] = {0, 4, 4, 0, 0, 7};
    rf_mavlink_waiting waiting = {COUNT, frames, starts, lengths, rows, order};
    uint8_t bytes[14];
    int64_t out_starts[COUNT];
    int32_t out_lengths[COUNT], out_rows[COUNT];
    rf_mavlink_datagrams datagrams = {bytes, out_starts, out_lengths, out_rows};
    /* sender 0 has 3 + 1 and 2 bytes, sender 4 has 2 and 4 */
    ENSURE(rf_mavlink_collect(&waiting, 4, &datagrams) == 5);
    ENSURE(memcmp(bytes, "aaadeebbccccff", sizeof bytes) == 0);
    const int32_t expected_rows[] = {0, 0, 4, 4, 7}, expected_lengths[] = {4, 2, 2, 4, 2};
    ENSURE(memcmp(out_rows, expected_rows, sizeof expected_rows) == 0);
    ENSURE(memcmp(out_lengths, expected_lengths, sizeof expected_lengths) == 0);
    ENSURE(out_starts[0] == 0 && out_starts[1] == 4 && out_starts[4] == 12);
    /* a frame longer than a datagram goes by itself */
    ENSURE(rf_mavlink_collect(&waiting, 1, &datagrams) == COUNT);
    waiting.count = 0;
    ENSURE(rf_mavlink_collect(&waiting, 4, &datagrams) == 0);
}

static rf_mavlink_reader reader_of(const uint8_t *bytes, size_t count, bool whole)
{
    return (rf_mavlink_reader){
        .bytes = bytes, .count = count, .whole = whole, .known = &HEARTBEAT, .known_count = 1};
}

static void a_frame_is_found_behind_any_bytes(void)
{
    /* among them the first bytes of frames, right before the frame as well */
    const uint8_t noise[] = {0, 1, 0xFE, 0x55, 0xFD};
    uint8_t bytes[sizeof noise + LENGTH];
    rf_mavlink_frame frame;
    memcpy(bytes, noise, sizeof noise);
    memcpy(bytes + sizeof noise, FIRST, LENGTH);
    rf_mavlink_reader reader = reader_of(bytes, sizeof bytes, true);
    ENSURE(rf_mavlink_next(&reader, &frame));
    ENSURE(frame.bytes == bytes + sizeof noise && frame.length == LENGTH && frame.known);
    ENSURE(frame.system_id == 1 && frame.component_id == 1 && frame.message_id == 0 && frame.sequence == 0);
    ENSURE(!rf_mavlink_next(&reader, &frame));
    ENSURE(reader.position == sizeof bytes && reader.skipped == sizeof noise);
}

static void an_incomplete_frame_waits_in_a_stream_only(void)
{
    rf_mavlink_frame frame;
    for (size_t count = 1; count < LENGTH; count++) {
        /* memory of its own, so that a sanitizer sees a byte too many that is read */
        uint8_t *bytes = malloc(count);
        memcpy(bytes, FIRST, count);
        rf_mavlink_reader stream = reader_of(bytes, count, false), datagram = reader_of(bytes, count, true);
        bool found = rf_mavlink_next(&stream, &frame) || rf_mavlink_next(&datagram, &frame);
        free(bytes);
        ENSURE(!found);
        ENSURE(stream.position == 0 && stream.skipped == 0);
        ENSURE(datagram.position == count && datagram.skipped == count);
    }
}

static void a_changed_bit_is_no_frame(void)
{
    rf_mavlink_frame frame;
    for (int bit = 0; bit < 8 * LENGTH; bit++) {
        uint8_t bytes[LENGTH];
        memcpy(bytes, FIRST, LENGTH);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        rf_mavlink_reader reader = reader_of(bytes, LENGTH, true);
        /* another message is not known: nothing to check it by */
        bool found = rf_mavlink_next(&reader, &frame);
        ENSURE(!found || !frame.known);
        ENSURE(found == (bit / 8 >= 7 && bit / 8 < 10));
    }
}

static void a_message_that_is_not_known_ends_where_another_begins(void)
{
    uint8_t bytes[LENGTH + 2];
    rf_mavlink_frame frame;
    memcpy(bytes, FIRST, LENGTH);
    bytes[7] = 9;
    bytes[LENGTH] = 0xFD;
    rf_mavlink_reader reader = reader_of(bytes, LENGTH + 1, false);
    ENSURE(rf_mavlink_next(&reader, &frame) && !frame.known && frame.message_id == 9);
    reader = reader_of(bytes, LENGTH, false);
    ENSURE(!rf_mavlink_next(&reader, &frame) && reader.position == 0);
    reader = reader_of(bytes, LENGTH, true);
    ENSURE(rf_mavlink_next(&reader, &frame));
    bytes[LENGTH] = 0x11;
    reader = reader_of(bytes, LENGTH + 1, true);
    ENSURE(!rf_mavlink_next(&reader, &frame));
}

/* Bytes of which many are those that headers are made of, in memory of their own for the sanitizer. */
static void no_bytes_are_read_behind_the_end(void)
{
    const uint8_t common[] = {0xFD, 0xFE, 0, 0, 1, 9, 13};
    uint32_t random = 7;
    for (int round = 0; round < 20000; round++) {
        size_t count = (size_t)round % 320, frames = 0;
        uint8_t *bytes = malloc(count ? count : 1);
        for (size_t i = 0; i < count; i++) {
            random = random * 1664525 + 1013904223;
            bytes[i] = random >> 31 ? common[(random >> 24) % sizeof common] : (uint8_t)(random >> 20);
        }
        rf_mavlink_reader reader = reader_of(bytes, count, round % 2);
        rf_mavlink_frame frame;
        while (rf_mavlink_next(&reader, &frame)) frames += frame.length;
        bool fits = reader.position == frames + reader.skipped && reader.position <= count;
        bool ends = !reader.whole || reader.position == count;
        free(bytes);
        ENSURE(fits && ends);
    }
}

TEST_SUITE(mavlink)
{
    RUN(the_checksum_is_that_of_the_polynomial);
    RUN(the_checksum_is_right_for_every_byte);
    RUN(frames_of_senders_follow_one_another);
    RUN(a_sender_may_occur_several_times);
    RUN(room_is_left_for_the_hash_of_a_signature);
    RUN(datagrams_have_whole_frames_of_one_sender);
    RUN(a_frame_is_found_behind_any_bytes);
    RUN(an_incomplete_frame_waits_in_a_stream_only);
    RUN(a_changed_bit_is_no_frame);
    RUN(a_message_that_is_not_known_ends_where_another_begins);
    RUN(no_bytes_are_read_behind_the_end);
}
