"""Time-outs of inputs as users set them: names, ranges, and what each interface then does."""

from __future__ import annotations

import argparse
import math
from typing import Any

import pytest

from pyrfly import Sim
from pyrfly.autopilot import Autopilots
from pyrfly.autopilot.parameter_table import PARAMETERS
from pyrfly.protocol.timeouts import TIMEOUTS
from pyrfly.server import OptionError
from pyrfly.server.links.ardupilot import ArduPilotLink
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.timeouts import checked_timeouts, timeout_of, timeout_pair

PARAMETER_NAMES = {
    "offboard": "COM_OF_LOSS_T",
    "sticks": "COM_RC_LOSS_T",
    "station": "COM_DL_LOSS_T",
}


def test_defaults_are_those_of_px4() -> None:
    """Of PX4 v1.16.1: commander_params.c."""
    values = {name: PARAMETERS[name].default for name in PARAMETER_NAMES.values()}
    assert values == {"COM_OF_LOSS_T": 1.0, "COM_RC_LOSS_T": 0.5, "COM_DL_LOSS_T": 10}
    assert {name: row.parameter for name, row in TIMEOUTS.items() if row.parameter} == (
        PARAMETER_NAMES
    )


def test_what_is_not_set_is_as_the_table_has_it() -> None:
    given = checked_timeouts({"serial": 2, "ardupilot": 0})
    assert given == {"serial": 2.0, "ardupilot": math.inf}
    assert timeout_of("serial", given) == 2.0
    assert timeout_of("target", given) == TIMEOUTS["target"].seconds


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"offbord": 1}, "timeouts: expected one, such as offboard, got 'offbord'"),
        ({5: 1}, "timeouts: expected one, such as setpoints, .*, got 5"),
        ({"serial": -1}, "timeouts: serial: expected seconds, 0 for never, got -1"),
        ({"serial": "x"}, "timeouts: serial: expected seconds, 0 for never, got 'x'"),
        ({"serial": True}, "got True"),
        ({"serial": math.nan}, "got nan"),
        ({"serial": 10**400}, "timeouts: serial"),
        ({"offboard": 61}, r"offboard: expected more than 0 to 60 s \(COM_OF_LOSS_T\), got 61"),
        ({"offboard": 0}, r"offboard: expected more than 0 to 60 s \(COM_OF_LOSS_T\), got 0"),
        ({"sticks": 0.0}, r"sticks: expected more than 0 to 35 s \(COM_RC_LOSS_T\), got 0.0"),
        ({"station": 0}, r"station: expected 5 to 300 s, whole \(COM_DL_LOSS_T\), got 0"),
        ({"station": 6.5}, r"station: expected 5 to 300 s, whole \(COM_DL_LOSS_T\), got 6.5"),
        ({"station": math.inf}, "station: expected 5 to 300 s"),
    ],
)
def test_what_is_no_time_out_is_named(given: Any, expected: str) -> None:
    with pytest.raises(OptionError, match=expected):
        checked_timeouts(given)


def test_an_option_has_a_name_and_seconds() -> None:
    assert timeout_pair("target=4.5") == ("target", 4.5)
    for text, expected in {
        "target": "expected NAME=SECONDS, got 'target'",
        "target=x": "expected NAME=SECONDS, got 'target=x'",
        "targt=1": "expected one, such as target, got 'targt'",
        "target=-1": "target: expected seconds, 0 for never, got -1",
    }.items():
        with pytest.raises(argparse.ArgumentTypeError) as error:
            timeout_pair(text)
        assert str(error.value).startswith(expected)


def test_vehicles_as_px4_begin_with_the_parameters(first_port: Any) -> None:
    link = MavlinkLink(
        Sim("x450", 2),
        first_port=first_port(2, mavlink=True),
        timeouts={"offboard": 3, "station": 20, "serial": 1},
    )
    try:
        get = link.autopilots.parameters.column
        assert get("COM_OF_LOSS_T").tolist() == [3, 3]
        assert get("COM_DL_LOSS_T").tolist() == [20, 20]
        assert get("COM_RC_LOSS_T").tolist() == [0.5, 0.5]
    finally:
        link.close()


@pytest.mark.parametrize(("timeouts", "seconds"), [({}, 3.0), ({"target": 1.0}, 1.0)])
def test_a_target_is_lost_after_its_time(timeouts: dict[str, float], seconds: float) -> None:
    sim = Sim("x450")
    flights = Autopilots(sim, timeouts=timeouts).commander.execution.mode_flights
    flights.see_target(0, sim.pos[0], sim.vel[0])
    target = flights.targets[0]
    assert target.at(seconds - 0.01) is not None
    assert target.at(seconds + 0.01) is None


def test_a_link_has_a_time_above_0() -> None:
    with pytest.raises(OptionError, match="timeout: expected seconds, more than 0, got -1"):
        ArduPilotLink(Sim("x450"), first_port=0, timeout=-1)
