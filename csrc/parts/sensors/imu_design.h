/* SPDX-License-Identifier: BSD-3-Clause */
/* What the samples of an IMU need of its bandwidth and period. */
#ifndef RF_PARTS_SENSORS_IMU_DESIGN_H
#define RF_PARTS_SENSORS_IMU_DESIGN_H

#include "models/second_order.h"
#include "parts/sensors/block.h"

/* Bandwidth and 1 / sqrt(period) of the last block, which the next one likely has in common. */
typedef struct imu_design {
    lane frequency, damping, period;
    lane per_root;
    second_order filter;
} imu_design;

LANE_INLINE imu_design imu_design_of(lane frequency, lane damping, lane period)
{
    return (imu_design){frequency, damping, period, 1 / lane_sqrt(period),
                        second_order_of(frequency, damping, period)};
}

LANE_INLINE void imu_design_for(imu_design *design, const sensors_imu *s, lane period)
{
    mask same = (s->imu_frequency == design->frequency) & (s->imu_damping == design->damping) &
                (period == design->period);
    if (mask_any(mask_not(same))) *design = imu_design_of(s->imu_frequency, s->imu_damping, period);
}

#endif
