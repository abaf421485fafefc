/* SPDX-License-Identifier: BSD-3-Clause */
/* RflySim's packets of all vehicles of a batch, packed in one call. */
#ifndef RF_WIRE_PACK_H
#define RF_WIRE_PACK_H

#include "batch/batch.h"
#include "wire/layout.h"

/* Writes a structure for every vehicle, contiguously, at any address.
 *
 * Values of sensors that a batch does not have are 0 and count as not updated; those of the inertial measurement unit of
 * imuDataCopter then are the true ones, at the centre of mass.
 *
 * Locks the batch; returns RF_BUSY while another thread uses it. */
rf_status rf_wire_pack(rf_batch *batch, const rf_wire_structure *structure, const rf_wire_context *context,
                       void *out);

#endif
