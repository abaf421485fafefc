"""docs/mavlink.md: its tables are what vehicles do, its programs run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pymavlink.dialects.v20 import common

import pyrfly
from pyrfly.autopilot import RATES, Autopilots, Channel
from pyrfly.autopilot.parameter_table import PARAMETERS
from pyrfly.autopilot.telemetry import STREAMS
from pyrfly.mavlink import FrameParser
from pyrfly.vehicles import FAMILIES

from .conftest import marked, page, programs, rows

PAGE = page("mavlink.md")
PROGRAMS = programs(PAGE)
UNSUPPORTED = common.MAV_RESULT_UNSUPPORTED


def names(cell: str) -> list[str]:
    return re.findall(r"\w+", cell)


# --- commands and messages


@pytest.fixture
def channel() -> Channel:
    return Autopilots(pyrfly.Sim("x450")).open({})


def received(channel: Channel, message: Any) -> str:
    """Send a message of a station; return what became of it."""
    source = common.MAVLink(None, srcSystem=255, srcComponent=190)
    (frame,) = FrameParser().feed(message.pack(source))
    return channel.take(0, frame).verdict


def results(channel: Channel, autopilots: Autopilots) -> Iterator[tuple[int, int]]:
    """Yield numbers and results of the commands that were acknowledged."""
    for _, data in channel.packed(autopilots.moment()):
        for message in common.MAVLink(None).parse_buffer(bytes(data)) or []:
            if message.get_type() == "COMMAND_ACK":
                yield message.command, message.result


def test_the_commands_that_are_answered_have_a_row() -> None:
    autopilots = Autopilots(pyrfly.Sim("x450"))
    channel = autopilots.open({})
    known = sorted({*range(1024), *common.enums["MAV_CMD"]} - {common.MAV_CMD_ENUM_END})
    answered = set()
    for number in known:
        for first, second in ((0, 0), (1, 1)):
            fields = (1, 1, number, 0, first, second, *[0.0] * 5)
            received(channel, common.MAVLink_command_long_message(*fields))
        mark = (1, 1, number, 0, *[999.0] * 7)  # RflySim's, of one command
        received(channel, common.MAVLink_command_long_message(*mark))
    for number, result in results(channel, autopilots):
        if result != UNSUPPORTED:
            answered.add(number)
    table = {int(number): name for number, name, _ in rows(PAGE, "commands")}
    # by others than multirotors alone
    answered |= {common.MAV_CMD_DO_VTOL_TRANSITION, common.MAV_CMD_DO_SET_REVERSE}
    assert table.keys() == answered
    assert list(table) == sorted(table)
    for number, name in table.items():
        if number in common.enums["MAV_CMD"]:  # those of the dialect development are not there
            assert common.enums["MAV_CMD"][number].name == f"MAV_CMD_{name}"


def test_the_messages_that_are_taken_have_a_row(channel: Channel) -> None:
    taken = set()
    for kind in common.mavlink_map.values():
        count = dict(zip(kind.ordered_fieldnames, kind.array_lengths, strict=True))
        texts = dict(zip(kind.fieldnames, kind.fieldtypes, strict=True))
        fields: dict[str, Any] = {
            name: (b"" if texts[name] == "char" else [0] * n) if n else 0
            for name, n in count.items()
        }
        if received(channel, kind(**fields)) != "unsupported":
            taken.add(kind.msgname)
    assert sorted(name for cell, _ in rows(PAGE, "messages") for name in names(cell)) == sorted(
        taken
    )


# --- streams


def test_every_stream_has_a_row_with_its_rates() -> None:
    table = {name: cells for name, *cells in rows(PAGE, "streams")}
    assert list(table) == sorted(STREAMS)
    for column, kind in enumerate(("ground_station", "onboard", "mavlink_full")):
        said = {name: float(cells[column]) for name, cells in table.items() if cells[column]}
        assert said == RATES[kind]
    assert all(cells[-1] for cells in table.values())


def test_the_other_modes_are_as_the_page_says() -> None:
    full = RATES["mavlink_full"]
    kinds = {"ground_station", "onboard", "mavlink_full", "mavlink_vision", "mavlink_simple"}
    assert RATES.keys() == kinds | {"mavlink_nosend", "mavlink_nogps"}
    assert RATES["mavlink_vision"] == full
    assert RATES["mavlink_simple"] == {name: min(rate, 10) for name, rate in full.items()}
    assert RATES["mavlink_nosend"].keys() == {"HEARTBEAT"}
    assert full.keys() - RATES["mavlink_nogps"].keys() == {"GPS_RAW_INT"}


# --- parameters


def test_every_parameter_with_an_effect_has_a_row_with_its_vehicles() -> None:
    said = {name: of for cell, of, _ in rows(PAGE, "parameters") for name in names(cell)}
    expected = {row.name: "all" for row in PARAMETERS.values() if row.effect == "autopilot"}
    for name in {name for family in FAMILIES.values() for name in family.abilities.px4}:
        having = [family.name for family in FAMILIES.values() if name in family.abilities.px4]
        expected[name] = ", ".join(having)
    assert said == expected


def test_the_other_parameters_are_said_to_be_stored_only() -> None:
    assert names(marked(PAGE, "stored")) == [
        row.name for row in PARAMETERS.values() if not row.effect
    ]


def test_what_is_stored_on_rovers_is_what_the_page_says() -> None:
    (text,) = re.findall(r"of other families also (.*?):\n", PAGE, re.DOTALL)
    autopilots = Autopilots(pyrfly.Sim("rover_differential"))
    listed = {row.name for row in autopilots.parameters.rows(0) if row.effect == "vehicle"}
    assert set(re.findall(r"`(\w+)`", text)) == listed - FAMILIES["rover"].abilities.px4.keys()


# --- programs


def test_signed_frames_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    exec(PROGRAMS[0], {})
    first, second, counts = capsys.readouterr().out.splitlines()
    assert (first, second) == ("1 LOCAL_POSITION_NED -10.0", "2 LOCAL_POSITION_NED -20.0")
    assert counts.startswith("Counts(frames=2, ")
    assert counts.endswith("unsigned=0, bad_signatures=0)")


@pytest.mark.slow
def test_a_station_and_a_server_with_two_links(first_port: Any, capsys: Any) -> None:
    (program,) = PROGRAMS[1:]
    assert "FIRST = 20100\n" in program
    moved = program.replace("FIRST = 20100\n", f"FIRST = {first_port(2, mavlink=True)}\n")
    found: dict[str, Any] = {}
    exec(moved, found)
    assert found["acknowledged"] == [(1, 22, 0), (1, 400, 0)]
    sim = found["sim"]
    assert sim.pos[:, 2].tolist() == pytest.approx([-2.5, 0], abs=0.1)
    assert found["newest"][1, "LOCAL_POSITION_NED"]["z"] == pytest.approx(sim.pos[0, 2], abs=0.02)
    assert len(capsys.readouterr().out.splitlines()) == 4
