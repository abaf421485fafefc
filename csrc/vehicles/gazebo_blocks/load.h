/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the parameters of a vehicle of blocks: those of the motors, joints, surfaces and segments that a vehicle of the
 * block has, from their columns into the laws of csrc/models. */

#include "models/any_angle.h"
#include "models/gazebo_esc.h"
#include "models/gazebo_motor.h"
#include "models/lift_drag.h"
#include "models/lift_drag_advanced.h"
#include "models/plate_segment.h"

/* The parameters of the body, and what leads to those of its parts. */
typedef struct blocks_own {
    BLOCKS_BODY(COLUMN_MEMBER)
    lane density_ratio; /* of the air over that at sea level */
    lane voltage_ratio; /* of the motors over that at which their parameters hold */
    mask armed;
    const block *columns;
} blocks_own;

enum { BLOCKS_BODY_ROWS = offsetof(blocks_own, density_ratio) / sizeof(lane) };

LANE_INLINE void blocks_load_param(blocks_own *p, const block *b)
{
    rows_load((lane *)p, BLOCKS_BODY_ROWS, b->column + blocks_PARAM_ROW * b->stride, b->stride);
    p->density_ratio = p->voltage_ratio = lane_of(1);
    p->armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    p->columns = b;
}

/* One copy of long functions for all kernels. */
#define BLOCKS_SHARED static __attribute__((noinline)) void

/* The first row of a parameter of several parts. */
#define BLOCKS_COLUMN(b, name)                                                                               \
    ((b)->column + (size_t)(TYPED(PARAM_ROW) + offsetof(TYPED(param), name) / sizeof(lane)) * (b)->stride)

/* Loads a row, and prefetches it for a later block: a call reads more rows than the hardware prefetcher tracks. */
LANE_INLINE lane blocks_row(const real *row)
{
    __builtin_prefetch(row + 2 * PREFETCH_LINE);
    return lane_load(row);
}

/* The row, in the column of a struct, of component k of part i; a part has `of` components there. */
#define BLOCKS_ROW(type, name, of, i, k)                                                                     \
    ((k) * (sizeof(((type *)0)->name) / sizeof(lane) / (of)) + (size_t)(i))

/* Component k of part i of a parameter with `of` components, that of one with one, and the vector of one with three. */
#define BLOCKS_AT(b, name, of, i, k)                                                                         \
    blocks_row(BLOCKS_COLUMN(b, name) + BLOCKS_ROW(TYPED(param), name, of, i, k) * (b)->stride)
#define BLOCKS_OWN(b, name, i) BLOCKS_AT(b, name, 1, i, 0)
#define BLOCKS_VEC3(b, name, i)                                                                              \
    vec3_of(BLOCKS_AT(b, name, 3, i, 0), BLOCKS_AT(b, name, 3, i, 1), BLOCKS_AT(b, name, 3, i, 2))
#define BLOCKS_ONE(b, name) lane_load(BLOCKS_COLUMN(b, name))

/* The value of a lane. */
LANE_INLINE real blocks_element(lane x, int i)
{
#if LANE_WIDTH == 1
    (void)i;
    return x;
#else
    return x[i];
#endif
}

/* A number of parts or the number of one: from 0 to `last`, which NaN becomes. */
LANE_INLINE lane blocks_number(lane x, int last)
{
    return lane_clamp(x, lane_of(0), lane_of((real)last));
}

/* The greatest number of parts of a vehicle of the block. */
LANE_INLINE int blocks_greatest(lane count, int parts)
{
    int greatest = 0;
    lane number = blocks_number(count, parts);
    for (int i = 0; i < LANE_WIDTH; i++) {
        int own = (int)blocks_element(number, i);
        greatest = own > greatest ? own : greatest;
    }
    return greatest;
}

/* Which of some rows a lane reads. */
typedef struct blocks_index {
    int first, same; /* that of the first vehicle, and whether all have it */
    lane all;
} blocks_index;

LANE_INLINE blocks_index blocks_index_of(lane number, int rows)
{
    lane all = blocks_number(number, rows - 1);
    int first = (int)blocks_element(all, 0);
    return (blocks_index){first, !mask_any(mask_not(all == (real)first)), all};
}

LANE_INLINE lane blocks_pick(const lane *rows, const blocks_index *at)
{
    if (at->same) return rows[at->first];
#if LANE_WIDTH == 1
    return rows[(int)at->all];
#else
    lane picked = lane_of(0);
    for (int i = 0; i < LANE_WIDTH; i++) picked[i] = rows[(int)at->all[i]][i];
    return picked;
#endif
}

/* x of the vehicles that have the part, 0 of the others. */
LANE_INLINE lane blocks_where(mask has, lane x)
{
    return lane_select(has, x, lane_of(0));
}

#define BLOCKS_ANY_RATE ((real)1e9) /* rad/s: of joints without a limit of their rate */

typedef struct blocks_motor {
    gazebo_motor law;
    vec3 position; /* m, FRD */
    lane target;   /* rad/s */
    lane inverse_lag[2];
    mask tilts;
    blocks_index joint; /* that tilts it, by */
    lane joint_gain;    /* of the joint's position */
    vec3 tilt_axis;
} blocks_motor;

typedef struct blocks_joint {
    lane target, inverse_lag, rate; /* rad, 1/s, rad/s */
    mask at_once;
} blocks_joint;

typedef struct blocks_surface {
    lift_drag law;
    vec3 position; /* m, FRD */
    blocks_index joint;
    lane joint_lift, joint_moment;
} blocks_surface;

typedef struct blocks_segment {
    plate_segment law;
    vec3 position; /* m, FRD */
    blocks_index joint, motor;
    lane joint_gain, jet; /* 1, m^2/(N s^2): 2 / (rho pi R^2) */
} blocks_segment;

typedef struct blocks_aero {
    lift_drag_advanced law;
    any_angle beyond;
    mask any_angle;                           /* which of the two laws */
    vec3 position;                            /* m, FRD */
    lane joint[CONTROL_EFFECTS][MOST_JOINTS]; /* per rad */
} blocks_aero;

/* The target of an actuator from its channel. */
#define BLOCKS_TARGET(b, part, i, in, armed)                                                                 \
    blocks_target((gazebo_esc){BLOCKS_OWN(b, part##_offset, i), BLOCKS_OWN(b, part##_scaling, i),            \
                               BLOCKS_AT(b, part##_zero, 2, i, 0), BLOCKS_AT(b, part##_zero, 2, i, 1)},      \
                  BLOCKS_OWN(b, part##_channel, i), (in)->channel, armed)

LANE_INLINE lane blocks_target(gazebo_esc law, lane channel, const lane *inputs, mask armed)
{
    const blocks_index at = blocks_index_of(channel, BLOCKS_CHANNELS);
    return gazebo_esc_target(&law, blocks_pick(inputs, &at), armed);
}

LANE_INLINE blocks_motor blocks_motor_of(const blocks_own *p, int i, mask has, const TYPED(input) * in)
{
    const block *b = p->columns;
    const lane density_ratio = p->density_ratio;
    blocks_motor m;
    m.law = (gazebo_motor){.axis = BLOCKS_VEC3(b, motor_axis, i),
                           .thrust = blocks_where(has, density_ratio * BLOCKS_OWN(b, motor_thrust, i)),
                           .moment = BLOCKS_OWN(b, motor_moment, i),
                           .direction = BLOCKS_OWN(b, motor_direction, i),
                           .drag = blocks_where(has, density_ratio * BLOCKS_OWN(b, motor_drag, i)),
                           .rolling = blocks_where(has, density_ratio * BLOCKS_OWN(b, motor_rolling, i)),
                           .reversible = BLOCKS_OWN(b, motor_reversible, i),
                           .airspeed_loss = BLOCKS_OWN(b, motor_airspeed_loss, i)};
    m.position = BLOCKS_VEC3(b, motor_position, i);
    /* the target is the second operand: NaN is kept */
    m.target = lane_min(BLOCKS_OWN(b, motor_limit, i), BLOCKS_TARGET(b, motor, i, in, p->armed));
    m.target *= p->voltage_ratio;
    for (int k = 0; k < 2; k++) {
        m.inverse_lag[k] = blocks_where(has, 1 / BLOCKS_AT(b, motor_lags, 2, i, k));
    }
    lane joint = BLOCKS_OWN(b, motor_joint, i);
    m.tilts = has & (joint >= 0) & (joint < p->joint_count);
    m.joint = blocks_index_of(blocks_where(m.tilts, joint), MOST_JOINTS);
    m.joint_gain = blocks_where(m.tilts, lane_of(1));
    m.tilt_axis = BLOCKS_VEC3(b, motor_tilt_axis, i);
    return m;
}

LANE_INLINE blocks_joint blocks_joint_of(const block *b, int i, mask has, const TYPED(input) * in, mask armed)
{
    lane lag = BLOCKS_OWN(b, joint_lag, i), target = BLOCKS_TARGET(b, joint, i, in, armed);
    lane low = BLOCKS_AT(b, joint_limit, 2, i, 0), high = BLOCKS_AT(b, joint_limit, 2, i, 1);
    mask lags = has & (lag > 0);
    lane rate = BLOCKS_OWN(b, joint_rate, i);
    return (blocks_joint){.rate = lane_select(rate > 0, rate, lane_of(BLOCKS_ANY_RATE)),
                          .target = lane_max(low, lane_min(high, target)),
                          .inverse_lag = blocks_where(lags, 1 / lane_select(lags, lag, lane_of(1))),
                          .at_once = has & mask_not(lag > 0)};
}

LANE_INLINE blocks_surface blocks_surface_of(const block *b, int i, mask has, lane density_ratio,
                                             lane joint_count)
{
    blocks_surface s;
    vec3 forward = BLOCKS_VEC3(b, surface_forward, i), upward = BLOCKS_VEC3(b, surface_upward, i);
    lane number = BLOCKS_OWN(b, surface_joint, i), area = blocks_where(has, BLOCKS_OWN(b, surface_area, i));
    mask controlled = (number >= 0) & (number < joint_count);
    s.law = (lift_drag){
        .forward = forward,
        .upward = upward,
        .span = cross(forward, upward),
        .pressure_area = (real)0.5 * density_ratio * BLOCKS_OWN(b, surface_density, i) * area,
        .zero_lift = BLOCKS_OWN(b, surface_zero_lift, i),
        .stall = BLOCKS_OWN(b, surface_stall, i),
        .lift = BLOCKS_OWN(b, surface_lift, i),
        .drag = BLOCKS_OWN(b, surface_drag, i),
        .moment = BLOCKS_OWN(b, surface_moment, i),
        .lift_stalled = BLOCKS_OWN(b, surface_lift_stalled, i),
        .drag_stalled = BLOCKS_OWN(b, surface_drag_stalled, i),
        .moment_stalled = BLOCKS_OWN(b, surface_moment_stalled, i),
        .squared = BLOCKS_OWN(b, surface_sweep, i) == 2,
    };
    s.position = BLOCKS_VEC3(b, surface_position, i);
    s.joint = blocks_index_of(blocks_where(controlled, number), MOST_JOINTS);
    s.joint_lift = blocks_where(controlled, BLOCKS_OWN(b, surface_joint_lift, i));
    s.joint_moment = blocks_where(controlled, BLOCKS_OWN(b, surface_joint_moment, i));
    s.law.has_moment = mask_any((s.law.moment != 0) | (s.law.moment_stalled != 0) | (s.joint_moment != 0));
    return s;
}

#define BLOCKS_PLATE(b, name, i) BLOCKS_OWN(b, segment_##name, i)

LANE_INLINE blocks_segment blocks_segment_of(const block *b, int i, mask has, lane density_ratio,
                                             lane joint_count, lane motor_count)
{
    blocks_segment s;
    vec3 forward = BLOCKS_VEC3(b, segment_forward, i);
    vec3 upward = BLOCKS_VEC3(b, segment_upward, i);
    lane joint = BLOCKS_PLATE(b, joint, i), motor = BLOCKS_PLATE(b, motor, i),
         disk = BLOCKS_PLATE(b, disk, i);
    lane density = density_ratio * BLOCKS_PLATE(b, density, i),
         area = blocks_where(has, BLOCKS_PLATE(b, area, i));
    mask controlled = (joint >= 0) & (joint < joint_count);
    mask blown = (motor >= 0) & (motor < motor_count) & (disk > 0);
    s.law = (plate_segment){.forward = forward,
                            .upward = upward,
                            .span = cross(forward, upward),
                            .pressure_area = (real)0.5 * density * area,
                            .chord = BLOCKS_PLATE(b, chord, i),
                            .zero_lift = BLOCKS_PLATE(b, zero_lift, i),
                            .stall = BLOCKS_PLATE(b, stall, i),
                            .flap = BLOCKS_PLATE(b, flap, i)};
    lane aspect_ratio = BLOCKS_PLATE(b, aspect_ratio, i);
    plate_segment_prepare(&s.law, lane_select(has, aspect_ratio, lane_of(1)), BLOCKS_PLATE(b, lift, i));
    s.position = BLOCKS_VEC3(b, segment_position, i);
    s.joint = blocks_index_of(blocks_where(controlled, joint), MOST_JOINTS);
    s.motor = blocks_index_of(blocks_where(blown, motor), MOST_MOTORS);
    s.joint_gain = blocks_where(controlled, BLOCKS_PLATE(b, joint_gain, i));
    lane jet = 2 / (density * TRIG_PI * disk * disk);
    s.jet = blocks_where(blown, jet);
    return s;
}

LANE_INLINE void blocks_load_aero(blocks_aero *a, const block *b, mask has, lane density_ratio, int joints,
                                  lane joint_count)
{
    lift_drag_advanced *law = &a->law;
    lane area = BLOCKS_ONE(b, aero_area), ratio = BLOCKS_ONE(b, aero_aspect_ratio);
    area = lane_select(has, area, lane_of(1));
    ratio = lane_select(has, ratio, lane_of(1));
    law->forward = BLOCKS_VEC3(b, aero_forward, 0);
    law->down = neg(BLOCKS_VEC3(b, aero_upward, 0));
    law->right = cross(law->down, law->forward);
    law->pressure_area = blocks_where(has, (real)0.5 * density_ratio * BLOCKS_ONE(b, aero_density) * area);
    law->span = lane_sqrt(area * ratio);
    law->chord = BLOCKS_ONE(b, aero_chord);
    law->stall = BLOCKS_ONE(b, aero_stall);
    law->blend = BLOCKS_ONE(b, aero_blend);
    law->induced = 1 / (TRIG_PI * ratio * lane_select(has, BLOCKS_ONE(b, aero_efficiency), lane_of(1)));
    law->flat_plate = lift_drag_flat_plate(BLOCKS_AT(b, aero_flat_plate, 2, 0, 0),
                                           BLOCKS_AT(b, aero_flat_plate, 2, 0, 1), ratio);
    rows_load(law->lift, 6, BLOCKS_COLUMN(b, aero_lift), b->stride);
    rows_load(law->drag, 4, BLOCKS_COLUMN(b, aero_drag), b->stride);
    rows_load(law->side, 5, BLOCKS_COLUMN(b, aero_side), b->stride);
    rows_load(law->roll, 5, BLOCKS_COLUMN(b, aero_roll), b->stride);
    rows_load(law->pitch, 7, BLOCKS_COLUMN(b, aero_pitch), b->stride);
    rows_load(law->yaw, 5, BLOCKS_COLUMN(b, aero_yaw), b->stride);
    a->beyond = (any_angle){BLOCKS_VEC3(b, aero_across, 0), BLOCKS_VEC3(b, aero_centre, 0),
                            lane_exp(-2 * law->blend * law->stall)};
    a->any_angle = norm2(a->beyond.across) > 0;
    a->position = BLOCKS_VEC3(b, aero_position, 0);
    for (int k = 0; k < CONTROL_EFFECTS; k++) {
        for (int i = 0; i < joints; i++) {
            a->joint[k][i] =
                blocks_where(joint_count > (real)i, BLOCKS_AT(b, aero_joint, CONTROL_EFFECTS, i, k));
        }
    }
}
