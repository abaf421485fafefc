/* SPDX-License-Identifier: BSD-3-Clause */
/* Datagrams of many sockets, over the loopback interface. */
#define _GNU_SOURCE
#include "net/datagrams.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"

enum { SLOT = 16, SLOTS = 300 };

static unsigned char bytes[SLOTS * SLOT];
static int64_t from[SLOTS], lengths[SLOTS];
static rf_net_address origins[SLOTS];
static const rf_net_inbox INBOX = {
    .slot = SLOT, .data = bytes, .sockets = from, .lengths = lengths, .origins = origins};

static int open_socket(void)
{
    int opened = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in any = {.sin_family = AF_INET};
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (opened < 0 || bind(opened, (const struct sockaddr *)&any, sizeof any) != 0) abort();
    return opened;
}

static rf_net_address address(int socket)
{
    struct sockaddr_in own;
    socklen_t size = sizeof own;
    if (getsockname(socket, (struct sockaddr *)&own, &size) != 0) abort();
    return (rf_net_address)0x7f000001 << 16 | ntohs(own.sin_port);
}

static void close_all(const int32_t *sockets, size_t count)
{
    for (size_t i = 0; i < count; i++) close(sockets[i]);
}

/* Two rows: the first with both listeners as destinations, the second with the second of them. */
static void datagrams_go_to_all_destinations_of_their_row(void)
{
    int32_t sockets[2] = {open_socket(), open_socket()}, ears[2] = {open_socket(), open_socket()};
    rf_net_address to[3] = {address(ears[0]), address(ears[1]), address(ears[1])};
    int64_t first[3] = {0, 2, 3}, rows[3] = {0, 1, 0}, starts[3] = {0, 3, 1}, sizes[3] = {3, 4, 0};
    int64_t failures[3] = {7, 7, 7};
    rf_net_send(&(rf_net_routes){sockets, first, to}, &(rf_net_datagrams){3, rows, starts, sizes, "onetwo!"},
                1, failures);
    ENSURE(failures[0] == 0 && failures[1] == 0 && failures[2] == 0);

    ENSURE(rf_net_receive(ears, 2, 9, &INBOX) == 5);
    const int64_t ears_of[5] = {0, 0, 1, 1, 1}, lengths_of[5] = {3, 0, 3, 4, 0}, rows_of[5] = {0, 0, 0, 1, 0};
    const char *texts[5] = {"one", "", "one", "two!", ""};
    for (int i = 0; i < 5; i++) {
        ENSURE(from[i] == ears_of[i] && lengths[i] == lengths_of[i]);
        ENSURE(memcmp(bytes + i * SLOT, texts[i], (size_t)lengths[i]) == 0);
        ENSURE(origins[i] == address(sockets[rows_of[i]]));
    }
    ENSURE(rf_net_receive(ears, 2, 9, &INBOX) == 0);
    close_all(sockets, 2);
    close_all(ears, 2);
}

/* More than a call of the system has, and more than are received at once. */
static void many_datagrams_keep_their_order(void)
{
    enum { MANY = 200 };
    int32_t socket = open_socket(), ear = open_socket();
    rf_net_address to = address(ear);
    int64_t first[2] = {0, 1}, rows[MANY] = {0}, starts[MANY], sizes[MANY], failures[MANY];
    unsigned char data[MANY];
    for (int i = 0; i < MANY; i++) {
        data[i] = (unsigned char)i;
        starts[i] = i;
        sizes[i] = 1;
    }
    rf_net_send(&(rf_net_routes){&socket, first, &to}, &(rf_net_datagrams){MANY, rows, starts, sizes, data},
                1, failures);
    const size_t each[4] = {1, 64, 70, 300}, received[4] = {1, 64, 70, 65};
    unsigned char next = 0;
    for (int call = 0; call < 4; call++) {
        ENSURE(rf_net_receive(&ear, 1, each[call], &INBOX) == received[call]);
        for (size_t i = 0; i < received[call]; i++) {
            ENSURE(lengths[i] == 1 && bytes[i * SLOT] == next);
            next++;
        }
    }
    close_all((int32_t[]){socket, ear}, 2);
}

static void no_socket_gives_more_than_its_share(void)
{
    int32_t socket = open_socket(), ears[3] = {open_socket(), open_socket(), open_socket()};
    rf_net_address to[5] = {address(ears[0]), address(ears[0]), address(ears[0]), address(ears[2]),
                            address(ears[2])};
    int64_t first[2] = {0, 5}, zero = 0, length = 2, failures;
    rf_net_send(&(rf_net_routes){&socket, first, to}, &(rf_net_datagrams){1, &zero, &zero, &length, "ab"}, 1,
                &failures);
    const int64_t expected[4] = {0, 0, 2, 2};
    ENSURE(rf_net_receive(ears, 3, 2, &INBOX) == 4);
    for (int i = 0; i < 4; i++) ENSURE(from[i] == expected[i]);
    ENSURE(rf_net_receive(ears, 3, 2, &INBOX) == 1);
    ENSURE(from[0] == 0);
    close_all(ears, 3);
    close(socket);
}

/* A packet that is too long, or to nowhere, does not keep back those after it. */
static void what_cannot_be_sent_is_counted_for_its_datagram(void)
{
    static char data[70000];
    int32_t socket = open_socket(), ear = open_socket();
    rf_net_address to[2] = {address(ear), (rf_net_address)0x7f000001 << 16}; /* port 0 */
    int64_t first[2] = {0, 2}, rows[3] = {0, 0, 0}, starts[3] = {0, 0, 0}, sizes[3] = {1, 70000, 1};
    int64_t failures[3];
    rf_net_send(&(rf_net_routes){&socket, first, to}, &(rf_net_datagrams){3, rows, starts, sizes, data}, 1,
                failures);
    ENSURE(failures[0] == 1 && failures[1] == 2 && failures[2] == 1);
    ENSURE(rf_net_receive(&ear, 1, 9, &INBOX) == 2);

    int32_t closed = dup(socket);
    close(closed);
    rf_net_send(&(rf_net_routes){&closed, first, to}, &(rf_net_datagrams){3, rows, starts, sizes, data}, 1,
                failures);
    ENSURE(failures[0] == 2 && failures[1] == 2 && failures[2] == 2);
    ENSURE(rf_net_receive(&closed, 1, 9, &INBOX) == 0);
    close_all((int32_t[]){socket, ear}, 2);
}

/* A connected socket is told, by the next call, that nobody listens at its peer. */
static void a_refusal_of_an_earlier_packet_is_no_failure(void)
{
    int32_t socket = open_socket(), ear = open_socket();
    rf_net_address to = address(ear);
    struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons((uint16_t)to)};
    peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ENSURE(connect(socket, (const struct sockaddr *)&peer, sizeof peer) == 0);
    close(ear);
    int64_t first[2] = {0, 1}, zero = 0, length = 2;
    for (int i = 0; i < 3; i++) {
        int64_t failures = -1;
        rf_net_send(&(rf_net_routes){&socket, first, &to},
                    &(rf_net_datagrams){1, &zero, &zero, &length, "ab"}, 1, &failures);
        ENSURE(failures == 0);
    }
    ENSURE(rf_net_receive(&socket, 1, 9, &INBOX) == 0);
    close(socket);
}

/* Of three destinations two have no listener; no later packet of the socket is a failure for that. */
static void destinations_that_refuse_packets_are_told(void)
{
    int32_t socket = open_socket(), ears[3] = {open_socket(), open_socket(), open_socket()};
    rf_net_address to[3] = {address(ears[0]), address(ears[1]), address(ears[2])}, found[9];
    close(ears[0]);
    close(ears[2]);
    int64_t first[2] = {0, 3}, zero = 0, length = 2, failures;
    const rf_net_routes routes = {&socket, first, to};
    const rf_net_datagrams datagrams = {1, &zero, &zero, &length, "ab"};
    rf_net_send(&routes, &datagrams, 1, &failures);
    ENSURE(rf_net_refused(&socket, 1, found, 9) == 0); /* not kept */
#if defined(__linux__)
    int on = 1;
    ENSURE(setsockopt(socket, IPPROTO_IP, IP_RECVERR, &on, sizeof on) == 0);
    for (int i = 0; i < 2; i++) {
        rf_net_send(&routes, &datagrams, 1, &failures);
        ENSURE(failures == 0);
    }
    ENSURE(rf_net_refused(&socket, 1, found, 3) == 3);
    ENSURE(found[0] == to[0] && found[1] == to[2] && found[2] == to[0]);
    ENSURE(rf_net_refused(&socket, 1, found, 3) == 1);
    ENSURE(found[0] == to[2]);
    ENSURE(rf_net_refused(&socket, 1, found, 3) == 0);
#endif
    ENSURE(rf_net_receive(&ears[1], 1, 9, &INBOX) > 0);
    close_all((int32_t[]){socket, ears[1]}, 2);
}

static void a_long_datagram_is_cut_at_the_slot(void)
{
    int32_t socket = open_socket(), ear = open_socket();
    rf_net_address to = address(ear);
    char data[SLOT + 5];
    memset(data, 'x', sizeof data);
    memset(bytes, 'y', sizeof bytes);
    int64_t first[2] = {0, 1}, zero = 0, length = sizeof data, failures;
    rf_net_send(&(rf_net_routes){&socket, first, &to}, &(rf_net_datagrams){1, &zero, &zero, &length, data}, 1,
                &failures);
    ENSURE(rf_net_receive(&ear, 1, 1, &INBOX) == 1);
    ENSURE(lengths[0] == SLOT && bytes[SLOT - 1] == 'x' && bytes[SLOT] == 'y');
    close_all((int32_t[]){socket, ear}, 2);
}

static void rows_may_share_a_socket(void)
{
    int32_t socket = open_socket(), ears[2] = {open_socket(), open_socket()}, shared[2] = {socket, socket};
    rf_net_address to[2] = {address(ears[0]), address(ears[1])};
    int64_t first[3] = {0, 1, 2}, rows[3] = {1, 0, 1}, starts[3] = {0, 1, 2}, sizes[3] = {1, 1, 1};
    int64_t failures[3];
    rf_net_send(&(rf_net_routes){shared, first, to}, &(rf_net_datagrams){3, rows, starts, sizes, "abc"}, 1,
                failures);
    ENSURE(rf_net_receive(ears, 2, 9, &INBOX) == 3);
    ENSURE(bytes[0] == 'b' && bytes[SLOT] == 'a' && bytes[2 * SLOT] == 'c');
    close_all(ears, 2);
    close(socket);
}

/* As many as several threads share; each row has an ear of its own. */
static void threads_keep_the_order_of_a_row(void)
{
    enum { ROWS = 20, EACH = 12, ALL = ROWS * EACH };
    int32_t sockets[ROWS], ears[ROWS];
    rf_net_address to[ROWS];
    int64_t first[ROWS + 1] = {0}, rows[ALL], starts[ALL], sizes[ALL], failures[ALL];
    unsigned char data[ALL];
    for (int row = 0; row < ROWS; row++) {
        sockets[row] = open_socket();
        ears[row] = open_socket();
        to[row] = address(ears[row]);
        first[row + 1] = row + 1;
    }
    for (int i = 0; i < ALL; i++) {
        data[i] = (unsigned char)i;
        rows[i] = i / EACH;
        starts[i] = i;
        sizes[i] = 1;
    }
    for (int threads = 1; threads <= 4; threads++) {
        rf_net_send(&(rf_net_routes){sockets, first, to}, &(rf_net_datagrams){ALL, rows, starts, sizes, data},
                    threads, failures);
        ENSURE(rf_net_receive(ears, ROWS, EACH, &INBOX) == ALL);
        for (int i = 0; i < ALL; i++) {
            ENSURE(failures[i] == 0 && from[i] == i / EACH && bytes[i * SLOT] == (unsigned char)i);
        }
    }
    close_all(sockets, ROWS);
    close_all(ears, ROWS);
}

static void nothing_to_do_does_nothing(void)
{
    int32_t socket = open_socket();
    int64_t first[2] = {0, 0}, zero = 0, failures = 5;
    rf_net_send(&(rf_net_routes){&socket, first, NULL}, &(rf_net_datagrams){0, NULL, NULL, NULL, NULL}, 1,
                &failures);
    ENSURE(failures == 5);
    rf_net_send(&(rf_net_routes){&socket, first, NULL}, &(rf_net_datagrams){1, &zero, &zero, &zero, ""}, 1,
                &failures);
    ENSURE(failures == 0); /* to nobody */
    ENSURE(rf_net_receive(&socket, 1, 0, &INBOX) == 0);
    ENSURE(rf_net_receive(NULL, 0, 9, &INBOX) == 0);
    close(socket);
}

TEST_SUITE(net)
{
    RUN(datagrams_go_to_all_destinations_of_their_row);
    RUN(many_datagrams_keep_their_order);
    RUN(no_socket_gives_more_than_its_share);
    RUN(what_cannot_be_sent_is_counted_for_its_datagram);
    RUN(a_refusal_of_an_earlier_packet_is_no_failure);
    RUN(destinations_that_refuse_packets_are_told);
    RUN(a_long_datagram_is_cut_at_the_slot);
    RUN(rows_may_share_a_socket);
    RUN(threads_keep_the_order_of_a_row);
    RUN(nothing_to_do_does_nothing);
}
