"""A link: intervals and requests of messages, how stations connect, whose frames are passed on."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymavlink.dialects.v20 import all as everything
from pymavlink.dialects.v20 import common

from pyrfly.autopilot import RATES
from pyrfly.autopilot.identity import available_modes
from pyrfly.autopilot.telemetry import STREAMS
from pyrfly.mavlink import MESSAGES, FrameParser
from pyrfly.mavlink.messages import MESSAGES_BY_ID

Make = Callable[..., Any]
NAN = math.nan
ACCEPTED, DENIED, UNSUPPORTED = 0, 2, 3
SET_INTERVAL, GET_INTERVAL, REQUEST = 511, 510, 512
ATTITUDE, HEARTBEAT = 30, 0


def answers(s: Any, *fields: Any, name: str = "COMMAND_LONG") -> list[Any]:
    """Send a message; return the frames that come at once, without a step in time."""
    s.channel.packed(s.autopilots.moment())
    s.send(name, *fields)
    datagrams = s.channel.packed(s.autopilots.moment())
    return [f for _, data in datagrams for f in FrameParser().feed(bytes(data))]


# --- intervals ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", RATES)
def test_the_rates_of_a_kind_are_those_of_streams(kind: str) -> None:
    assert RATES[kind].keys() <= STREAMS.keys() <= MESSAGES.keys()
    assert all(0 < rate <= 250 for rate in RATES[kind].values())


@pytest.mark.parametrize(
    ("name", "near"), [("ATITUDE", "ATTITUDE"), ("GPS_RAW", "GPS_RAW_INT"), ("x", "ATTITUDE")]
)
def test_a_stream_that_is_not_there_is_an_error(station: Make, name: str, near: str) -> None:
    with pytest.raises(ValueError, match=f"rates: expected streams such as .*{near}.*got '{name}'"):
        station(rates={"HEARTBEAT": 1.0, name: 1.0})


def counted(s: Any, name: str, seconds: float = 4.0) -> int:
    s.collect()
    s.received.clear()
    s.run(seconds)
    return len(s.all(name))


def test_the_interval_of_a_message_is_set_and_told(station: Make) -> None:
    s = station(rates={"ATTITUDE": 5.0})
    assert counted(s, "ATTITUDE") == 20
    for interval, expected, told in (
        (100_000, 40, 100_000),
        (-1, 0, -1),
        (1e6, 4, 1_000_000),
        (0, 20, 200_000),  # as at first
    ):
        assert s.command(SET_INTERVAL, ATTITUDE, interval) == ACCEPTED
        s.collect()
        assert counted(s, "ATTITUDE") == pytest.approx(expected, abs=1)
        assert s.command(GET_INTERVAL, ATTITUDE) == ACCEPTED
        (answer,) = s.all("MESSAGE_INTERVAL")
        assert (answer.message_id, answer.interval_us) == (ATTITUDE, told)


def test_no_message_comes_more_often_than_the_vehicle_can_send(station: Make) -> None:
    s = station()
    assert s.command(SET_INTERVAL, ATTITUDE, 1) == ACCEPTED
    assert counted(s, "ATTITUDE", 1.0) == 50  # once per look
    s.command(GET_INTERVAL, ATTITUDE)
    assert s.all("MESSAGE_INTERVAL")[-1].interval_us == 4000


@pytest.mark.parametrize("interval", [2.2e9, 1e10, 3e38])
def test_an_interval_is_one_that_can_be_told(station: Make, interval: float) -> None:
    """MESSAGE_INTERVAL has 32 bits."""
    s = station()
    assert s.command(SET_INTERVAL, ATTITUDE, interval) == ACCEPTED
    assert s.command(GET_INTERVAL, ATTITUDE) == ACCEPTED
    assert s.all("MESSAGE_INTERVAL")[-1].interval_us == 2_147_000_000


@pytest.mark.parametrize(
    ("params", "result"),
    [
        ((ATTITUDE, -2), DENIED),
        ((ATTITUDE, NAN), DENIED),
        ((ATTITUDE, math.inf), DENIED),
        ((110, 1e5), UNSUPPORTED),
        ((NAN, 1e5), UNSUPPORTED),
        ((30.5, 1e5), UNSUPPORTED),
    ],
)
def test_intervals_that_are_none(station: Make, params: tuple[float, ...], result: int) -> None:
    s = station(rates={"ATTITUDE": 5.0})
    assert s.command(SET_INTERVAL, *params) == result
    assert counted(s, "ATTITUDE") == 20


def test_a_message_that_is_not_sent_has_the_interval_0(station: Make) -> None:
    s = station()
    assert s.command(GET_INTERVAL, 110) == UNSUPPORTED
    assert s.all("MESSAGE_INTERVAL")[-1].interval_us == 0
    assert s.command(GET_INTERVAL, ATTITUDE) == ACCEPTED
    assert s.all("MESSAGE_INTERVAL")[-1].interval_us == -1
    assert s.command(GET_INTERVAL, -1) == DENIED
    assert s.command(GET_INTERVAL, NAN) == DENIED


def test_intervals_are_those_of_one_vehicle_on_one_link(station: Make) -> None:
    s = station("x450", 2, rates={"ATTITUDE": 5.0}, pos=[(0, 0), (0, 5)])
    other = s.autopilots.open({"ATTITUDE": 5.0})
    s.command(SET_INTERVAL, ATTITUDE, -1, row=0)
    s.run(2)
    s.received.clear()
    s.run(2)
    assert [len(s.all("ATTITUDE", row)) for row in (0, 1)] == [0, 10]
    assert len(other.packed(s.autopilots.moment())) == 2


@pytest.mark.parametrize("number", [110, 395, 397, 65535, 30.5, NAN, -1])
def test_messages_that_there_are_not(station: Make, number: float) -> None:
    s = station()
    assert s.command(REQUEST, number) == UNSUPPORTED


def test_a_request_is_answered_once_and_at_once(station: Make) -> None:
    s = station(rates={"ATTITUDE": 5.0})
    s.run(1.02)
    frames = answers(s, 1, 1, REQUEST, 0, ATTITUDE, 0, 0, 0, 0, 0, 0)
    assert sorted(f.name for f in frames) == ["ATTITUDE", "COMMAND_ACK"]


# --- how stations connect ----------------------------------------------------------------------


def test_the_same_requests_within_a_look_are_answered_once(station: Make) -> None:
    s = station(n=2)
    for _ in range(50):
        for row in (0, 1):
            for number, index in ((ATTITUDE, 0), (435, 0), (148, 0)):
                s.send("COMMAND_LONG", row + 1, 1, REQUEST, 0, number, index, *[0] * 5, row=row)
    s.collect()
    for row in (0, 1):
        assert len(s.all("COMMAND_ACK", row)) == 150
        assert len(s.all("ATTITUDE", row)) == len(s.all("AUTOPILOT_VERSION", row)) == 1
    modes = [f for f in s.received if f[2].get_type() == "UNKNOWN_435"]
    assert len(modes) == 2 * len(available_modes(0))


def test_a_vehicle_says_what_it_is(station: Make) -> None:
    s = station()
    for request in ((REQUEST, 148), (520, 1)):
        assert s.command(*request) == ACCEPTED
        m = s.all("AUTOPILOT_VERSION")[-1]
        assert m.flight_sw_version == 0x011001FF  # 1.16.1, a release
        # that of PX4 v1.16.1 without its file transfer
        assert m.capabilities == 0xE8FF & ~common.MAV_PROTOCOL_CAPABILITY_FTP
        assert m.uid == 1
    assert len(s.all("AUTOPILOT_VERSION")) == 2


def test_the_protocol_version(station: Make) -> None:
    s = station()
    for request in ((REQUEST, 300), (519, 1)):
        frames = answers(s, 1, 1, request[0], 0, request[1], *[0] * 6)
        (version,) = (f for f in frames if f.message_id == 300)
        assert struct.unpack_from("<3H", version.payload.ljust(22, b"\0")) == (200, 100, 200)


def modes_told(s: Any, index: int) -> list[Any]:
    frames = answers(s, 1, 1, REQUEST, 0, 435, index, 0, 0, 0, 0, 0)
    parser = everything.MAVLink(None)
    return [parser.decode(bytearray(f.raw)) for f in frames if f.message_id == 435]


def test_the_modes_are_told_all_or_one_by_one(station: Make) -> None:
    s = station()
    every = modes_told(s, 0)
    total = len(every)
    assert [m.mode_index for m in every] == list(range(1, total + 1))
    assert {m.number_modes for m in every} == {total}
    for index, mode in enumerate(every, start=1):
        (same,) = modes_told(s, index)
        assert same.to_dict() == mode.to_dict()
    assert modes_told(s, total + 1) == []
    assert s.command(REQUEST, 435, total + 1) == DENIED
    assert s.command(REQUEST, 435, NAN) == DENIED
    by_name = {m.mode_name: m for m in every}
    assert by_name["Hold"].custom_mode == 4 << 16 | 3 << 24
    assert by_name["Return"].standard_mode == everything.MAV_STANDARD_MODE_SAFE_RECOVERY
    hidden = {m.mode_name for m in every if m.properties & 2}  # not user selectable
    assert hidden == {"Orbit", "Termination"}


def test_the_connection_of_qgroundcontrol(station: Make) -> None:
    """Each of its requests is answered at once: with what it asks for, or by a refusal."""
    s = station()
    requests: list[tuple[tuple[Any, ...], str]] = [
        (("COMMAND_LONG", 1, 1, REQUEST, 0, 148, *[0] * 6), "AUTOPILOT_VERSION"),
        (("COMMAND_LONG", 1, 1, REQUEST, 0, 300, *[0] * 6), "PROTOCOL_VERSION"),
        (("COMMAND_LONG", 1, 1, REQUEST, 0, 435, *[0] * 6), "AVAILABLE_MODES"),
        (("COMMAND_LONG", 1, 1, REQUEST, 0, 436, *[0] * 6), "CURRENT_MODE"),
        (("COMMAND_LONG", 1, 1, REQUEST, 0, 397, *[0] * 6), "COMMAND_ACK"),
        (("COMMAND_LONG", 1, 1, REQUEST, 0, 395, *[0] * 6), "COMMAND_ACK"),
        (("COMMAND_LONG", 1, 1, REQUEST, 0, 242, *[0] * 6), "HOME_POSITION"),
        (("PARAM_REQUEST_LIST", 1, 1), "PARAM_VALUE"),
        (("PARAM_REQUEST_READ", 1, 1, b"SYS_AUTOSTART", -1), "PARAM_VALUE"),
        (("MISSION_REQUEST_LIST", 1, 1, 0), "MISSION_COUNT"),
        (("MISSION_REQUEST_LIST", 1, 1, 1), "MISSION_COUNT"),
        (("MISSION_REQUEST_LIST", 1, 1, 2), "MISSION_COUNT"),
        (("PARAM_REQUEST_READ", 1, 1, b"NOT_THERE", -1), "STATUSTEXT"),
        (("LOG_REQUEST_LIST", 1, 1, 0, 0xFFFF), "LOG_ENTRY"),
        (("FILE_TRANSFER_PROTOCOL", 0, 1, 1, [0] * 251), "FILE_TRANSFER_PROTOCOL"),
        (("SET_GPS_GLOBAL_ORIGIN", 1, 0, 0, 0), "GPS_GLOBAL_ORIGIN"),
        (("COMMAND_LONG", 1, 1, SET_INTERVAL, 0, 24, 1e6, *[0] * 5), "COMMAND_ACK"),
        (("COMMAND_LONG", 1, 1, 2510, 0, *[0] * 7), "COMMAND_ACK"),  # log streaming
    ]
    for (name, *fields), expected in requests:
        names = [frame.name for frame in answers(s, *fields, name=name)]
        assert expected in names, name
        assert names.count("COMMAND_ACK") == (name == "COMMAND_LONG")


def test_a_list_of_parameters_is_complete_within_a_second(station: Make) -> None:
    s = station()
    s.send("PARAM_REQUEST_LIST", 1, 1)
    s.run(1)
    first, *values = s.all("PARAM_VALUE")
    assert first.param_id == "_HASH_CHECK"
    assert [v.param_index for v in values] == list(range(first.param_count))


def test_a_parameter_that_is_set_is_told_on_all_links(station: Make) -> None:
    s = station()
    other = s.autopilots.open({})
    s.send("PARAM_SET", 1, 1, b"MIS_TAKEOFF_ALT", 7.0, common.MAV_PARAM_TYPE_REAL32)
    s.run(0.02)
    assert [m.param_value for m in s.all("PARAM_VALUE")] == [7.0]
    ((row, data),) = other.packed(s.autopilots.moment())
    (message,) = common.MAVLink(None).parse_buffer(bytes(data))
    assert (row, message.param_value) == (0, 7.0)


# --- other messages ----------------------------------------------------------------------------


def test_a_ping_is_answered_to_its_sender(station: Make) -> None:
    s = station()
    s.send("PING", 123456, 7, 0, 0)
    s.run(0.02)
    (m,) = s.all("PING")
    assert (m.time_usec, m.seq, m.target_system, m.target_component) == (123456, 7, 255, 190)
    s.send("PING", 1, 8, 1, 1)  # an answer
    s.run(0.02)
    assert len(s.all("PING")) == 1


def test_clocks_are_compared(station: Make) -> None:
    s = station()
    s.run(1.5)
    s.send("TIMESYNC", 0, 987654321)
    s.run(0.02)
    (m,) = s.all("TIMESYNC")
    assert (m.tc1, m.ts1) == (1_500_000_000, 987654321)
    s.send("TIMESYNC", 5, 987654321)  # an answer
    s.run(0.02)
    assert len(s.all("TIMESYNC")) == 1


@pytest.mark.parametrize(
    ("name", "fields", "verdict", "forward"),
    [
        ("HEARTBEAT", (6, 8, 0, 0, 4, 3), "accepted", True),
        ("SYSTEM_TIME", (1, 2), "accepted", False),
        ("ATTITUDE", (0, 0, 0, 0, 0, 0, 0), "unsupported", True),  # for everybody
        ("PARAM_REQUEST_LIST", (1, 1), "accepted", False),
        ("PARAM_REQUEST_LIST", (7, 1), "bad_id", True),
        ("LOG_REQUEST_LIST", (1, 1, 0, 0), "accepted", False),
        ("LANDING_TARGET", (0, 0, 0, 0, 0, 0, 0, 0), "unsupported", True),
        ("MANUAL_CONTROL", (7, 0, 0, 500, 0, 0), "bad_id", True),
    ],
)
def test_what_becomes_of_a_frame(
    station: Make, name: str, fields: Any, verdict: str, forward: bool
) -> None:
    assert station().send(name, *fields) == (verdict, forward)


def test_a_frame_of_an_unknown_message_is_not_taken(station: Make) -> None:
    s = station()
    (frame,) = FrameParser(datagrams=True).feed(
        bytes.fromhex("fd 01 00 00 00 ff be 12 34 56 07 00 00")
    )
    assert not frame.known
    assert s.channel.take(0, frame) == ("unsupported", False)


KINDS = {m.id: m.crc_extra for m in (*MESSAGES.values(), *common.mavlink_map.values())}


@given(
    number=st.sampled_from(sorted(KINDS)),
    payload=st.binary(max_size=255),
    address=st.booleans(),
    old=st.booleans(),
)
def test_any_payload_with_a_right_checksum_is_taken(
    airborne: Any, number: int, payload: bytes, address: bool, old: bool
) -> None:
    fields = MESSAGES_BY_ID[number].dtype.fields if number in MESSAGES_BY_ID else None
    data = bytearray(payload)
    for field in ("target_system", "target_component", "target"):
        if address and fields and field in fields and fields[field][1] < len(data):
            data[fields[field][1]] = 1
    if old and number < 256:
        head = b"\xfe" + bytes([len(data), 0, 255, 190, number])
    else:
        head = b"\xfd" + bytes([len(data), 0, 0, 0, 255, 190]) + number.to_bytes(3, "little")
    crc = common.x25crc(head[1:] + bytes(data) + bytes([KINDS[number]])).crc
    for frame in FrameParser(datagrams=True).feed(head + bytes(data) + crc.to_bytes(2, "little")):
        verdict = airborne.channel.take(0, frame).verdict
        assert verdict in ("accepted", "unsupported", "bad_id", "held", "replaced")
    airborne.run(0.02)


# --- rates -------------------------------------------------------------------------------------


def test_a_link_that_was_not_looked_at_does_not_make_up_for_it(station: Make) -> None:
    s = station(rates={"ATTITUDE": 50.0})
    s.run(1)
    s.received.clear()
    s.sim.step(5000)  # 10 s
    s.run(1)
    assert len(s.all("ATTITUDE")) == pytest.approx(50, abs=2)


def test_the_kinds_of_rflysim_differ_as_documented() -> None:
    assert set(RATES["mavlink_full"]) - set(RATES["mavlink_nogps"]) == {"GPS_RAW_INT"}
    assert RATES["mavlink_nosend"] == {"HEARTBEAT": 1.0}
    assert max(RATES["mavlink_simple"].values()) == 10
    assert set(RATES["mavlink_simple"]) == set(RATES["mavlink_full"])


@pytest.mark.parametrize("source", [(1, 1), (0, 0)])
def test_what_a_vehicle_has_sent_itself_or_nobody_has_does_not_command_it(
    station: Make, source: tuple[int, int]
) -> None:
    s = station()
    s.source.srcSystem, s.source.srcComponent = source
    assert s.send("COMMAND_LONG", 1, 1, 400, 0, 1, *[0.0] * 6).verdict == "bad_id"
    s.run(0.1)
    assert (s.sim.armed[0], s.all("COMMAND_ACK")) == (0, [])


def test_every_vehicle_has_a_hardware_of_its_own(station: Make) -> None:
    s = station(n=3)
    for row in s.rows:
        assert s.command(512, 148, row=row) == 0
    versions = [s.all("AUTOPILOT_VERSION", row)[-1] for row in s.rows]
    assert [m.uid for m in versions] == [1, 2, 3]
    assert len({tuple(m.uid2) for m in versions}) == 3
