/* SPDX-License-Identifier: BSD-3-Clause */
/* RflySim's collisions in every lane of a block, and in one that is not full. */
#include "fleet.h"
#include "test.h"

/* Vehicles with the mark of a report; the scenery is far away. */
static rf_batch *reported(size_t n)
{
    rf_batch_def def = rf_batch_default();
    def.n = n;
    rf_batch *batch = tumbling(def);
    rf_batch_enable_part(batch, RF_PART_rebound);
    fill(batch, "rebound_inputs", 0, 12345);
    for (int i = 9; i < 15; i++) fill(batch, "rebound_inputs", i, 100);
    return batch;
}

static void a_wall_pushes_every_vehicle(void)
{
    for (size_t n = 1; n <= 9; n++) {
        rf_batch *batch = reported(n);
        for (int i = 0; i < 3; i++) fill(batch, "vel", i, i == 0);
        fill(batch, "rebound_inputs", 9, -0.05);
        ENSURE(rf_batch_step(batch, 1) == RF_OK);
        for (size_t k = 0; k < n; k++) ENSURE(fabs(values(batch, "rebound_force", 0)[k] + 75) < 1e-12);
        rf_batch_destroy(batch);
    }
}

static void a_hit_names_who_was_hit_and_ends_after_0_05_s(void)
{
    rf_batch *batch = reported(7);
    fill(batch, "rebound_inputs", 1, 3);
    ENSURE(rf_batch_step(batch, 1) == RF_OK);
    for (size_t k = 0; k < 7; k++) ENSURE(values(batch, "rebound_torque", 0)[k] > 0);
    ENSURE(rf_batch_step(batch, 50) == RF_OK);
    for (size_t k = 0; k < 7; k++) ENSURE(values(batch, "rebound_torque", 0)[k] == 0);
    rf_batch_destroy(batch);
}

TEST_SUITE(rebound)
{
    RUN(a_wall_pushes_every_vehicle);
    RUN(a_hit_names_who_was_hit_and_ends_after_0_05_s);
}
