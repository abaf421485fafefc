"""Fleets as PX4s: identifiers, parameters with effect on vehicles, several families."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

import pyrfly
from pyrfly import autopilot
from pyrfly.autopilot import Autopilots, FlightMode
from pyrfly.autopilot.parameter_table import PARAMETERS
from pyrfly.vehicles import FAMILIES

Make = Callable[..., Any]
NAN = math.nan


# --- identifiers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "first_id", "expected"),
    [
        (3, 1, [1, 2, 3]),
        (3, 7, [7, 8, 9]),
        (4, 254, [254, 255, 1, 2]),
        (2, 300, [45, 46]),
    ],
)
def test_system_identifiers_begin_again_above_255(
    station: Make, n: int, first_id: int, expected: list[int]
) -> None:
    pos = [(0, 5 * k) for k in range(n)]
    s = station("x450", n, first_id=first_id, rates={"HEARTBEAT": 1.0}, pos=pos)
    s.run(0.02)
    assert [s.all("HEARTBEAT", row)[0].get_srcSystem() for row in range(n)] == expected
    for row, system in enumerate(expected):
        # a parameter of PX4, which has 250 at most
        assert s.parameters.get(row, "MAV_SYS_ID") == min(system, 250)
        assert s.command(401, row=row) == 0
        taken = s.send("COMMAND_LONG", system % 255 + 1, 1, 401, 0, *[0] * 7, row=row)
        assert taken.verdict == "bad_id"


@pytest.mark.slow
def test_300_vehicles_each_with_its_own_state() -> None:
    sim = pyrfly.Sim("x450", 300, dt=0.002)
    sim.reset(pos=[(k // 20 * 4, k % 20 * 4) for k in range(300)])
    autopilots = Autopilots(sim)
    channel = autopilots.open({"LOCAL_POSITION_NED": 1.0, "GPS_GLOBAL_ORIGIN": 1.0})
    autopilots.commander.set_mode(299, FlightMode.TAKEOFF)
    autopilots.commander.arm(299, True)
    for _ in range(300):
        sim.step(10)
        autopilots.update()
    last = {}
    parser = common.MAVLink(None)
    for row, data in channel.packed(autopilots.moment()):
        for message in parser.parse_buffer(bytes(data)):
            last[row, message.get_type()] = message
    assert last[299, "LOCAL_POSITION_NED"].z == pytest.approx(-2.5, abs=0.1)
    assert last[299, "LOCAL_POSITION_NED"].get_srcSystem() == 45
    assert last[44, "LOCAL_POSITION_NED"].z == pytest.approx(0, abs=0.01)
    assert len({last[row, "GPS_GLOBAL_ORIGIN"].latitude for row in range(300)}) == 15


# --- parameters --------------------------------------------------------------------------------


def test_every_parameter_of_a_family_changes_its_column(station: Make) -> None:
    for family in FAMILIES.values():
        vehicles = min(path.stem for path in family.sets.glob("[!_]*.toml"))
        s = station(vehicles, 2, pos=[(0, 0), (0, 9)])
        (group,) = s.sim.groups
        for name, known in group.family.abilities.px4.items():
            row = PARAMETERS[name]
            value = row.low + 0.4 * (min(row.high, 100.0) - row.low)
            before = np.array(group.view(known.column)[0])
            s.send("PARAM_SET", 2, 1, name.encode(), value, common.MAV_PARAM_TYPE_REAL32, row=1)
            s.run(0.04)
            (answer,) = (m for m in s.all("PARAM_VALUE", 1) if m.param_id == name)
            assert answer.param_value == pytest.approx(value)
            column = np.atleast_1d(group.view(known.column)[1])
            got = column[known.component or 0] / known.factor
            assert got == pytest.approx(value, rel=1e-5), name
            np.testing.assert_array_equal(group.view(known.column)[0], before)


def test_parameters_are_at_first_what_the_vehicles_have(station: Make) -> None:
    s = station({"x450": 1, "hex_x": 1}, pos=[(0, 0), (0, 9)])
    copter, other = s.sim.groups
    get = s.parameters.get
    assert get(0, "MPC_XY_VEL_MAX") == copter.speed_limit[0] == 12.0
    assert get(0, "MPC_TILTMAX_AIR") == pytest.approx(math.degrees(copter.tilt_limit[0]))
    assert get(1, "MPC_XY_VEL_MAX") == pytest.approx(other.speed_limit[0])
    thrust = copter.mass[0] * copter.gravity[0] / copter.thrust_limit[0, 1]
    assert get(0, "MPC_THR_HOVER") == pytest.approx(thrust)
    assert (get(0, "MAV_TYPE"), get(1, "MAV_TYPE")) == (2, 13)
    assert get(0, "MIS_TAKEOFF_ALT") == 2.5
    assert s.parameters.changed == set()


def test_the_speed_limit_of_a_parameter_is_kept(station: Make) -> None:
    s = station().in_air(5.0)
    s.send("PARAM_SET", 1, 1, b"MPC_XY_VEL_MAX", 2.0, common.MAV_PARAM_TYPE_REAL32)
    s.set_point(0, 0, 0, 8, 0, 0, mask=0b110111000111)
    s.run(0.1)
    s.command(176, 1, 6)
    s.run(4)
    assert s.sim.vel[0, 0] == pytest.approx(2.0, abs=0.1)


def used_by_modes_and_failsafes() -> set[str]:
    """Return the parameters whose names the sources of the autopilot read."""
    folder = Path(autopilot.__file__).parent
    text = "".join(
        path.read_text(encoding="utf-8")
        for path in folder.glob("*.py")
        if path.name != "parameter_table.py"
    )
    return {name for name in PARAMETERS if f'"{name}"' in text}


def test_the_table_names_the_parameters_that_modes_and_failsafes_use() -> None:
    """That each has an effect is tested with the mode or the failsafe."""
    used = used_by_modes_and_failsafes() - {"MAV_SYS_ID", "MAV_TYPE"}
    vehicles = {name for family in FAMILIES.values() for name in family.abilities.px4}
    vehicles |= {name for name in used if name.startswith("FW_")}  # of some, if there are any
    effects = {row.name: row.effect for row in PARAMETERS.values()}
    assert {name for name, effect in effects.items() if effect == "autopilot"} == used - vehicles


# --- fleets ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_fleet_of_several_types(station: Make) -> None:
    vehicles = {"x450": 2, "octo_x": 1, "hex_x": 1}
    rates = {"HEARTBEAT": 1.0, "EXTENDED_SYS_STATE": 1.0}
    s = station(vehicles, pos=[(0, 0), (0, 8), (0, 16), (0, 24)], rates=rates)
    s.in_air(4.0)
    np.testing.assert_allclose(s.sim.pos[:, 2], -4, atol=0.1)
    for row in range(4):
        assert s.command_int(192, -1, 1, 0, NAN, place=s.place_int(5, 8 * row, 4), row=row) == 0
    s.run(12)
    np.testing.assert_allclose(s.sim.pos[:, 0], 5, atol=0.5)
    for row in range(4):
        assert s.command(20, row=row) == 0
    s.until(lambda: not s.sim.armed.any(), 90)
    np.testing.assert_allclose(s.sim.pos[:, 0], 0, atol=0.5)
    kinds = [s.all("HEARTBEAT", row)[-1].type for row in range(4)]
    assert kinds == [2, 2, 14, 13]
    landed = [s.all("EXTENDED_SYS_STATE", row)[-1].landed_state for row in range(4)]
    assert landed == [1] * 4


def test_texts_of_a_vehicle_reach_all_links_and_no_other_vehicle(station: Make) -> None:
    s = station("x450", 2, pos=[(0, 0), (0, 5)])
    other = s.autopilots.open({})
    s.command(400, 1, row=1)
    assert (s.texts(0), s.texts(1)) == ([], ["Armed by external command"])
    ((row, data),) = other.packed(s.autopilots.moment())
    (message,) = common.MAVLink(None).parse_buffer(bytes(data))
    assert (row, message.text) == (1, "Armed by external command")


def test_long_texts_come_in_parts(station: Make) -> None:
    s = station()
    text = "A text that is longer than the fifty bytes of one message, and then some more " * 2
    s.commander.say(0, 4, text)
    s.commander.say(0, 4, text)
    s.collect()
    parts = s.all("STATUSTEXT")
    assert [p.chunk_seq for p in parts] == [0, 1, 2, 3] * 2
    assert len({p.id for p in parts}) == 2
    assert 0 not in {p.id for p in parts}
    assert s.texts() == [text, text]


def test_a_vehicle_on_legs_lands_and_is_disarmed(station: Make) -> None:
    s = station()
    s.sim.set_contact_points(
        [[0.2, 0.2, 0.15], [0.2, -0.2, 0.15], [-0.2, 0.2, 0.15], [-0.2, -0.2, 0.15]]
    )
    s.sim.reset()
    s.run(0.5)
    assert s.commander.record.landed.tolist() == [True]
    s.in_air(3.0)
    s.command(21)
    s.until(lambda: not s.sim.armed[0], 30)
    assert s.texts()[-1] == "Disarmed by landing"


def test_what_vehicles_say_can_be_listened_to() -> None:
    autopilots = Autopilots(pyrfly.Sim("x450", 2))
    said: list[tuple[int, str]] = []
    autopilots.hearers.append(lambda row, _, text: said.append((row, text)))
    autopilots.commander.arm(1, True)
    assert said == [(1, "Armed by external command")]
