/* SPDX-License-Identifier: BSD-3-Clause */
/* Payloads on cables and dropped, of tumbling bodies. */
#include "fleet.h"
#include "test.h"

#define CABLE 1.5 /* m */

static rf_batch *with_payloads(int threads, int type)
{
    rf_batch_def def = many(threads);
    def.type = type;
    rf_batch *batch = tumbling(def);
    if (rf_batch_enable_part(batch, RF_PART_payload) != RF_OK) abort();
    fill(batch, "payload_mass", 0, 0.5);
    fill(batch, "payload_place", 1, 0.1);
    fill(batch, "payload_drag_area", 0, 0.01);
    for (size_t k = 0; k < MANY; k++) {
        const double cable = k % 3 == 0 ? 0 : CABLE;
        values(batch, "payload_cable", 0)[k] = values(batch, "payload_length", 0)[k] = cable;
        values(batch, "payload_length_sp", 0)[k] = k % 3 == 2 ? cable / 2 : cable;
        words(batch, "payload_dropped")[k] = k % 7 == 0;
    }
    return batch;
}

static void the_number_of_threads_changes_no_bit(void)
{
    for (int i = 0; i < threaded_types(); i++) {
        rf_batch *one = with_payloads(1, i), *three = with_payloads(3, i);
        ENSURE(rf_batch_step(one, 200) == RF_OK && rf_batch_step(three, 200) == RF_OK);
        ENSURE(same_bytes(one, three));
        rf_batch_destroy(one);
        rf_batch_destroy(three);
    }
}

static void cables_hold_within_their_length(void)
{
    rf_batch *batch = with_payloads(2, 0);
    for (int round = 0; round < 20; round++) {
        ENSURE(rf_batch_step(batch, 40) == RF_OK);
        for (size_t k = 0; k < MANY; k++) {
            if (k % 3 == 0 || k % 7 == 0) continue;
            double square = 0;
            for (int i = 0; i < 3; i++) {
                const double apart = values(batch, "payload_pos", i)[k] - values(batch, "pos", i)[k];
                square += apart * apart;
            }
            ENSURE(sqrt(square) < values(batch, "payload_length", 0)[k] + 0.11); /* its place is at 0.1 m */
            ENSURE(values(batch, "payload_tension", 0)[k] >= 0);
        }
    }
    rf_batch_destroy(batch);
}

static void dropped_payloads_pull_no_more(void)
{
    rf_batch *batch = with_payloads(1, 0);
    ENSURE(rf_batch_step(batch, 400) == RF_OK);
    for (size_t k = 0; k < MANY; k += 7) {
        for (int i = 0; i < 3; i++) ENSURE(values(batch, "payload_force", i)[k] == 0);
        ENSURE_NEAR(values(batch, "payload_vel", 2)[k], 9.8 * 0.4, 0.4);
    }
    rf_batch_destroy(batch);
}

TEST_SUITE(payload)
{
    RUN(the_number_of_threads_changes_no_bit);
    RUN(cables_hold_within_their_length);
    RUN(dropped_payloads_pull_no_more);
}
