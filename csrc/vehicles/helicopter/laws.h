/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of models/ with the numbers of a helicopter, of the model and of the controllers that invert it.
 *
 * Zc and Zs of vehicles/helicopter/model.h are those of hover, where a change of thrust changes the induced velocity, too.
 * By blade elements and momentum theory [@padfield 4] a velocity down through a disk with any other takes per mass, with
 * v_h of hover,
 *
 *     D = 2 g / v_h e / (1 - e),   e = Zs v_h / g
 *
 * so the induced velocity, which falls with speed, gives translational lift by d = n D h / T_0 of models/rotor_inflow.h.
 * e is aS / (16 L + aS) of blades with the lift slope a, the solidity S and the inflow ratio L, usually 0.25 to 0.4, and
 * taken as 0.4 at most: a greater Zs stands for other drag.  Below a quarter of the weight d is that at a quarter, so that
 * thrust vanishes where it does in hover. */
#ifndef RF_VEHICLES_HELICOPTER_LAWS_H
#define RF_VEHICLES_HELICOPTER_LAWS_H

#include "models/atmosphere.h"
#include "models/governed_engine.h"
#include "models/rotor_inflow.h"
#include "models/tip_path.h"

#define HELICOPTER_PI ((real)3.14159265358979323846)

#define HELICOPTER_MOST_FEEDBACK ((real)0.4) /* e */
#define HELICOPTER_SLOWEST       ((real)1)   /* rad/s: divisor of powers, below any speed that matters */

/* Numbers of a helicopter: the true ones of its parameters, or those that its controllers assume. */
typedef struct helicopter_known {
    HELICOPTER_KNOWN(COLUMN_MEMBER, , "")
} helicopter_known;

/* Those in rows that begin with the mass. */
LANE_INLINE helicopter_known helicopter_known_of(const lane *mass)
{
    helicopter_known known;
    rows_copy((lane *)&known, mass, ROWS_OF(helicopter_known));
    return known;
}

LANE_INLINE governed_engine helicopter_engine(const helicopter_known *p)
{
    return (governed_engine){p->engine_torque, 1 / lane_max(p->engine_speed, lane_of(HELICOPTER_SLOWEST)),
                             p->main_rotor_nominal, p->main_rotor_inertia / p->governor_tau};
}

/* Air through the disk. */
typedef struct helicopter_flow {
    lane square; /* m: of the induced velocity in hover, per thrust over mass */
    lane least;  /* m/s: induced velocity in hover with a quarter of the weight */
    lane loss;   /* m/s: D times `square`, d h at the nominal speed */
} helicopter_flow;

LANE_INLINE helicopter_flow helicopter_flow_of(const helicopter_known *p)
{
    lane area = HELICOPTER_PI * p->main_rotor_radius * p->main_rotor_radius;
    lane square = p->mass / (2 * (real)ATMOSPHERE_DENSITY * area);
    lane hover = lane_sqrt(square * p->gravity);
    lane feedback = p->heave_damping * square / lane_max(hover, lane_of(INFLOW_TINY));
    feedback = lane_min(feedback, lane_of(HELICOPTER_MOST_FEEDBACK));
    return (helicopter_flow){square, (real)0.5 * hover, 2 * hover * feedback / (1 - feedback)};
}

/* d with h at n times the nominal speed. */
LANE_INLINE lane helicopter_loss(const helicopter_flow *flow, lane n, lane hover)
{
    return n * flow->loss / lane_max(lane_max(hover, flow->least), lane_of(INFLOW_TINY));
}

LANE_INLINE tip_path helicopter_disk(const helicopter_known *p)
{
    return (tip_path){1 / p->tip_path_tau,
                      {p->tip_path_coupling[0], p->tip_path_coupling[1]},
                      {p->tip_path_gain[0], p->tip_path_gain[1], p->tip_path_gain[2], p->tip_path_gain[3]}};
}

#endif
