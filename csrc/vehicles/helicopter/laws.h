/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of models/ with the numbers of a helicopter, of the model and of the controllers that invert it. */
#ifndef RF_VEHICLES_HELICOPTER_LAWS_H
#define RF_VEHICLES_HELICOPTER_LAWS_H

#include "models/governed_engine.h"
#include "models/tip_path.h"

#define HELICOPTER_SLOWEST ((real)1) /* rad/s: divisor of powers, below any speed that matters */

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

LANE_INLINE tip_path helicopter_disk(const helicopter_known *p)
{
    return (tip_path){1 / p->tip_path_tau,
                      {p->tip_path_coupling[0], p->tip_path_coupling[1]},
                      {p->tip_path_gain[0], p->tip_path_gain[1], p->tip_path_gain[2], p->tip_path_gain[3]}};
}

#endif
