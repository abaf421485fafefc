"""What is recorded of a flight: `flight_columns`."""

from __future__ import annotations

from pyrfly.columns import command_columns
from pyrfly.errors import require_kind
from pyrfly.log.columns import trailer_columns
from pyrfly.sim import Sim

__all__ = ["flight_columns"]

FLIGHT_COLUMNS = (
    *("pos", "vel", "att", "rate", "pos_sp", "vel_sp"),
    *("setpoint_mask", "armed", "terrain", "displayed_actuators"),
)

COLLISION_COLUMNS = (
    *("crashed", "crashed_with", "collision_with", "collision_speed", "collision_force"),
    *("collision_place", "collision_place_tick"),
)

BATTERY_COLUMNS = ("battery_voltage", "battery_current", "state_of_charge")

PAYLOAD_COLUMNS = ("payload_pos", "payload_tension", "payload_dropped")


def flight_columns(sim: Sim) -> list[str]:
    """Return the columns of a flight that all vehicles have, for a `Recorder`.

    They are those of `FLIGHT_COLUMNS`, actuator commands that are alike, airspeeds of planes, and
    the states of transitions of VTOLs, poses of trailers, `BATTERY_COLUMNS` where there are
    batteries, `PAYLOAD_COLUMNS` of payloads, and `COLLISION_COLUMNS` of vehicles that collide.
    """
    require_kind("sim", sim, Sim)
    widths = [{field.name: field.width for field in group.fields} for group in sim.groups]
    commands = command_columns(sim.groups[0].parameters.c_type)
    alike = [name for name in commands if len({width.get(name) for width in widths}) == 1]
    wings = [group.abilities.wings for group in sim.groups]
    airspeeds = {winged.airspeed if winged else None for winged in wings}
    transitions = [group.abilities.transition for group in sim.groups]
    states = {transition.state if transition else None for transition in transitions}
    common = [name for names in (airspeeds, states) if len(names) == 1 for name in names]
    batteries = BATTERY_COLUMNS if sim.power.enabled else ()
    payloads = PAYLOAD_COLUMNS if sim.payload.enabled else ()
    collisions = COLLISION_COLUMNS if sim.collisions.present else ()
    known = (name for name in common if name is not None)
    trailers = trailer_columns(group.abilities for group in sim.groups)
    flight = [name for name in FLIGHT_COLUMNS if all(name in width for width in widths)]
    return [*flight, *alike, *known, *trailers, *batteries, *payloads, *collisions]
