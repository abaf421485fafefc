/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs of a vehicle type, expanded from its column lists, and the functions that load them from a block.  A
 * template, included once per type after the macros of vehicles/<family>/types.inc; it defines
 *
 *     TYPED(state) input param gain setpoint controller output    structs of lanes, in the order of the columns
 *     TYPED(load_state)(&s, b) and so on                          fill them from a block
 *
 * The model of the type (TYPE_MODEL) must define
 *
 *     TYPED(plant)                        struct of all constants of a call; its member p holds the parameters
 *     TYPED(prepare)(plant, input, full)  computes the other members of the plant
 *     TYPED(derivative)(state, plant, full, derivative)
 *     TYPED(normalize)(state, plant, full)   after every step: corrects drift (quaternion norm) and dependent values
 *     TYPED(check_envelope)(state)        fault flags of a state; body_check_envelope computes those of the body
 *     TYPED(show)(state, displayed)           the eight values of the 3D packets
 *     TYPED(scale_air)(param, ratio, near_ground)  with TYPE_AIR: scales the parameters of aerodynamic forces
 *     TYPED(add_scaled)(out, a, k, b, plant)  with TYPE_SPARE: out = a + k b of the rows of states that a step integrates; its
 *                                         derivative fills no others
 *     TYPED(load_param)(&plant.p, block)  with TYPE_LOAD: fills the member p, a struct of its own with `gravity`; of
 *                                         types with more parameters than most of their vehicles use
 *     TYPED(scale_voltage)(param, ratio)  with TYPE_POWER: scales the parameters of the drives
 *     TYPED(see_ground)(state, plant, full)  with TYPE_GROUND, before the first step of a call: a change of `terrain`
 *     TYPED(extend)(plant, block)         with TYPE_EXTENDED, before `prepare`: reads what parts add to the full model
 *     TYPED(inertia)(plant)               with TYPE_EXTENDED: the inertia tensor, which vehicles/body/changed_mass.h has
 *     TYPED(carried)(block, mass)         with TYPE_EXTENDED: what faults and payloads change of it, likewise
 *     TYPED(begin_step)(state, plant)     with TYPE_ADVANCE, before every step of the extended model: state in parts
 *     TYPED(advance)(state, plant, dt)    with TYPE_ADVANCE, after it
 *     TYPED(keep)(plant, block, faulty)   with TYPE_ADVANCE, after the last step of a call: stores what the plant holds
 *                                         of that state, except of vehicles that are faulty
 *     TYPED(shaft_power)(state, plant)    with TYPE_POWER: the power that the drives give off [W]
 *     TYPED(outputs)(state, param, output)  with TYPE_OUTPUTS: fills its outputs behind those of the body, and may change these
 *     TYPED(rotor_force)(state, plant)    with TYPE_JET: of the rotors' thrust what the air below gets [N, FRD]
 *
 * `full` is a compile-time constant: 0 is the plain model, which only types with TYPE_PLAIN have; 1 the full one;
 * EXTENDED the full one with external loads, ground that is inclined or moves, and other effects in the derivative,
 * which cost nothing in the others. */

#define EXTENDED 2

#ifndef TYPED
#define TYPED(name) RF_JOIN(TYPE, name)
#endif

#ifdef TYPE_ARRAYS
#include TYPE_ARRAYS
#endif

typedef struct TYPED(state) {
    TYPE_LIST(STATE)(COLUMN_MEMBER)
} TYPED(state);

typedef struct TYPED(input) {
    TYPE_LIST(INPUT)(COLUMN_MEMBER)
} TYPED(input);

typedef struct TYPED(param) {
    TYPE_LIST(PARAM)(COLUMN_MEMBER)
} TYPED(param);

typedef struct TYPED(output) {
    TYPE_LIST(OUTPUT)(COLUMN_MEMBER)
} TYPED(output);

enum {
#ifdef TYPE_GROUND
    TYPED(EXTENDED_ROWS) = ROWS_OF(TYPED(state)) - 1, /* all but `ground[1]`, the last one */
    TYPED(FULL_ROWS) = TYPED(EXTENDED_ROWS) - 1, /* and but `ground[0]`: the ground is level and at rest */
#else
    TYPED(EXTENDED_ROWS) = ROWS_OF(TYPED(state)),
    TYPED(FULL_ROWS) = TYPED(EXTENDED_ROWS),
#endif
#ifdef TYPE_PLAIN
    TYPED(PLAIN_ROWS) =
        offsetof(TYPED(state), TYPE_PLAIN) / sizeof(lane), /* the plain model keeps the others */
#else
    TYPED(PLAIN_ROWS) = ROWS_OF(TYPED(state)),
#endif
    TYPED(INPUT_ROW) = ROWS_OF(TYPED(state)),
    TYPED(PARAM_ROW) = TYPED(INPUT_ROW) + ROWS_OF(TYPED(input)),
    TYPED(GAIN_ROW) = TYPED(PARAM_ROW) + ROWS_OF(TYPED(param)),
};

/* Rows of the state that a step integrates, and that it changes. */
LANE_INLINE int TYPED(integrated_rows)(int full)
{
    return full == EXTENDED ? TYPED(EXTENDED_ROWS) : full ? TYPED(FULL_ROWS) : TYPED(PLAIN_ROWS);
}

LANE_INLINE int TYPED(changed_rows)(int full)
{
    return full ? ROWS_OF(TYPED(state)) : TYPED(PLAIN_ROWS);
}

LANE_INLINE void TYPED(load_state)(TYPED(state) * s, const block *b)
{
    rows_load((lane *)s, ROWS_OF(TYPED(state)), b->column, b->stride);
}

LANE_INLINE void TYPED(load_input)(TYPED(input) * in, const block *b)
{
    rows_load((lane *)in, ROWS_OF(TYPED(input)), b->column + TYPED(INPUT_ROW) * b->stride, b->stride);
}

#ifndef TYPE_LOAD
LANE_INLINE void TYPED(load_param)(TYPED(param) * p, const block *b)
{
    rows_load((lane *)p, ROWS_OF(TYPED(param)), b->column + TYPED(PARAM_ROW) * b->stride, b->stride);
}
#endif

/* z of the ground below the vehicle [m, NED]. */
LANE_INLINE lane TYPED(ground_below)(const TYPED(state) * s, const TYPED(input) * in)
{
#ifdef TYPE_GROUND
    return body_ground(s->ground, in->terrain);
#else
    (void)s;
    return in->terrain;
#endif
}
