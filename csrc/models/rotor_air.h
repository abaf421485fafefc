/* SPDX-License-Identifier: BSD-3-Clause */
/* What the motion of the air at its hub adds to the thrust of a rotor, linear in the air speed
 * [@rotorpy rotorpy/vehicles/multirotor.py], [@faessler]: for a rotor of speed w with thrust axis a (a unit vector), at r,
 *
 *     V = airspeed + rate x r                    of the hub relative to the air   [m/s, FRD]
 *     F = -w (k_d (V - (V.a) a) + k_z (V.a) a)   at the hub                       [N, FRD]
 *     M = r x F                                                                   [N m, FRD]
 *
 * k_d: drag across the axis (H-force); k_z: loss of thrust with inflow along it, gain in descent.
 * Leaves out: translational lift, flapping moments, change of torque, vortex ring and windmill states: k_z V.a has to be
 * small against the static thrust over w. */
#ifndef RF_MODELS_ROTOR_AIR_H
#define RF_MODELS_ROTOR_AIR_H

#include "models/rigid_body.h"

LANE_INLINE wrench rotor_air_wrench(lane drag, lane inflow, lane speed, vec3 axis, vec3 hub, vec3 airspeed,
                                    vec3 rate)
{
    vec3 motion = add(airspeed, cross(rate, hub));
    vec3 along = scale(dot(motion, axis), axis), across = sub(motion, along);
    vec3 force = scale(-speed, add(scale(drag, across), scale(inflow, along)));
    return (wrench){force, cross(hub, force)};
}

#endif
