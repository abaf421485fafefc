"""Servo packets and answers of ArduPilot's JSON backend, against `struct`, `json`, a stand-in."""

from __future__ import annotations

import json
import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyrfly
from pyrfly.protocol.ardupilot import (
    BadServoPacket,
    FrameCounter,
    State,
    Turn,
    answer,
    deflections,
    parse_servos,
    throttles,
)
from pyrfly.protocol.ardupilot_frames import outputs

FINITE = st.floats(allow_nan=False, allow_infinity=False)
TRIPLES = st.tuples(FINITE, FINITE, FINITE)
STILL = (0.0, 0.0, 0.0)
VECTORS = ("gyro", "accel_body", "position", "attitude", "velocity")


class TestServoPacket:
    """What a packet holds."""

    @given(
        outputs=st.sampled_from([16, 32]),
        rate=st.integers(1, 65535),
        count=st.integers(0, 2**32 - 1),
        data=st.data(),
    )
    def test_is_what_was_packed(self, outputs: int, rate: int, count: int, data) -> None:
        pulses = data.draw(
            st.lists(st.integers(0, 65535), min_size=outputs, max_size=outputs), label="pwm"
        )
        magic = {16: 18458, 32: 29569}[outputs]
        packet = struct.pack(f"<HHI{outputs}H", magic, rate, count, *pulses)
        servos = parse_servos(packet)
        assert len(packet) == {16: 40, 32: 72}[outputs]
        assert (servos.frame_rate, servos.frame_count) == (rate, count)
        assert servos.pwm.tolist() == pulses
        assert servos.pwm.dtype == np.uint16

    @pytest.mark.parametrize("outputs", [16, 32])
    def test_of_the_stand_in_is_understood(self, standin, outputs: int) -> None:
        autopilot = standin("ardupilot").ArduPilot(frame_rate=800, outputs=outputs)
        autopilot.frame_count = 77
        servos = parse_servos(autopilot.servo_packet([1100, 1900]))
        assert (servos.frame_rate, servos.frame_count) == (800, 77)
        assert servos.pwm.tolist() == [1100, 1900, *[0] * (outputs - 2)]

    def test_is_a_copy_of_any_bytes(self) -> None:
        buffer = bytearray(struct.pack("<HHI16H", 18458, 400, 1, *[1500] * 16))
        servos = parse_servos(memoryview(buffer))
        buffer[:] = bytes(40)
        assert servos.pwm.tolist() == [1500] * 16

    @pytest.mark.parametrize(
        ("packet", "reason", "message"),
        [
            (b"", "length", "data: expected 40 or 72 bytes, got 0"),
            (bytes(41), "length", "data: expected 40 or 72 bytes, got 41"),
            (bytes(40), "magic", "data: expected magic 18458, got 0"),
            (struct.pack("<HHI32H", 18458, 1, 1, *[0] * 32), "magic", "expected magic 29569"),
            (struct.pack("<HHI16H", 29569, 1, 1, *[0] * 16), "magic", "expected magic 18458"),
            (struct.pack(">HHI16H", 18458, 1, 1, *[0] * 16), "magic", "got 6728"),
            (struct.pack("<HHI16H", 18458, 0, 1, *[0] * 16), "rate", "at least 1 Hz, got 0"),
        ],
    )
    def test_anything_else_is_refused(self, packet: bytes, reason: str, message: str) -> None:
        with pytest.raises(BadServoPacket, match=message) as raised:
            parse_servos(packet)
        assert raised.value.reason == reason

    @given(
        head=st.sampled_from([b"", b"\x1a\x48", b"\x81\x73"]),
        size=st.sampled_from([40, 72]) | st.integers(0, 80),
        data=st.data(),
    )
    def test_any_bytes_are_a_packet_or_refused(self, head: bytes, size: int, data) -> None:
        rest = max(size - len(head), 0)
        packet = head + data.draw(st.binary(min_size=rest, max_size=rest))
        valid = packet[:2] == {40: b"\x1a\x48", 72: b"\x81\x73"}.get(len(packet))
        if valid and packet[2:4] != bytes(2):
            assert 8 + 2 * len(parse_servos(packet).pwm) == len(packet)
        else:
            with pytest.raises(BadServoPacket):
                parse_servos(packet)


class TestFrameCounter:
    """What the numbers of frames mean."""

    @pytest.mark.parametrize(
        ("counts", "turns", "missed"),
        [
            ([0, 1, 2], [Turn.STEP] * 3, 0),
            ([500], [Turn.STEP], 0),  # the physics was started after ArduPilot
            ([4, 4, 4, 5], [Turn.STEP, Turn.REPEAT, Turn.REPEAT, Turn.STEP], 0),
            ([4, 7], [Turn.STEP, Turn.STEP], 2),
            ([4, 3, 4], [Turn.STEP, Turn.RESET, Turn.STEP], 0),
            ([9, 0, 0, 1], [Turn.STEP, Turn.RESET, Turn.REPEAT, Turn.STEP], 0),
            ([0, 0], [Turn.STEP, Turn.REPEAT], 0),
            ([2**32 - 2, 2**32 - 1, 0, 1], [Turn.STEP] * 4, 0),
            ([2**32 - 2, 0], [Turn.STEP, Turn.RESET], 0),
        ],
    )
    def test_step_repeat_or_reset(self, counts: list[int], turns: list[Turn], missed: int) -> None:
        counter = FrameCounter()
        assert [counter.accept(count) for count in counts] == turns
        assert counter.missed == missed
        assert [counter.steps, counter.repeats, counter.restarts] == [
            turns.count(turn) for turn in Turn
        ]

    @given(st.lists(st.integers(0, 2**32 - 1), max_size=20))
    def test_any_numbers_are_counted_once(self, counts: list[int]) -> None:
        counter = FrameCounter()
        for count in counts:
            counter.accept(count)
        assert counter.steps + counter.repeats + counter.restarts == len(counts)
        assert counter.missed >= 0


class TestPulses:
    """From pulse widths to commands."""

    def test_of_motors(self) -> None:
        pulses = [0, 900, 1000, 1250, 2000, 2100, 65535]
        assert throttles(pulses).tolist() == [0, 0, 0, 0.25, 1, 1, 1]
        assert throttles([1100, 1500, 1900], low=1100, high=1900).tolist() == [0, 0.5, 1]

    def test_of_surfaces(self) -> None:
        pulses = [0, 1, 1000, 1250, 1500, 2000, 65535]
        assert deflections(pulses).tolist() == [0, -1, -1, -0.5, 0, 1, 1]
        assert deflections([1100, 1500, 1900], low=1100, high=1900).tolist() == [-1, 0, 1]

    @pytest.mark.parametrize("convert", [throttles, deflections])
    @pytest.mark.parametrize(("low", "high"), [(2000, 1000), (1000, 1000), (0, 1), (1, math.inf)])
    def test_a_range_that_is_none_is_refused(self, convert, low: float, high: float) -> None:
        with pytest.raises(ValueError, match="low, high: expected 0 < low < high"):
            convert([1500], low=low, high=high)


@st.composite
def states(draw: st.DrawFn) -> State:
    def maybe(strategy: st.SearchStrategy) -> st.SearchStrategy:
        return st.none() | strategy

    quaternions = st.tuples(FINITE, FINITE, FINITE, FINITE)
    return State(
        draw(FINITE),
        *(draw(TRIPLES) for _ in range(3)),
        draw(TRIPLES | quaternions),
        draw(TRIPLES),
        rng_1=draw(maybe(FINITE)),
        airspeed=draw(maybe(FINITE)),
        velocity_wind=draw(maybe(TRIPLES)),
        battery=draw(maybe(st.tuples(FINITE, FINITE))),
        rpm=draw(maybe(st.lists(FINITE, min_size=1, max_size=12))),
    )


def contents(state: State) -> dict:
    """Return what a JSON parser should find."""
    attitude = "quaternion" if len(state.attitude) == 4 else "attitude"
    named = {
        "timestamp": state.timestamp,
        "imu": {"gyro": list(state.gyro), "accel_body": list(state.accel_body)},
        "position": list(state.position),
        attitude: list(state.attitude),
        "velocity": list(state.velocity),
        "rng_1": state.rng_1,
        "airspeed": state.airspeed,
        "velocity_wind": state.velocity_wind and list(state.velocity_wind),
        "battery": state.battery and dict(zip(("voltage", "current"), state.battery, strict=True)),
        "motor": state.rpm and {"rpm": list(state.rpm)},
    }
    return {name: value for name, value in named.items() if value is not None}


def refuse(name: str) -> None:
    raise AssertionError(f"no JSON number: {name}")


class TestAnswer:
    """The line of JSON."""

    @given(states())
    def test_is_a_line_of_json_with_exactly_the_numbers(self, state: State) -> None:
        line = answer(state)
        assert line[:1] == line[-1:] == b"\n"
        assert line.count(b"\n") == 2
        assert b" " not in line
        assert json.loads(line, parse_constant=refuse) == contents(state)

    @given(states())
    def test_a_search_for_names_finds_the_numbers(self, standin, state: State) -> None:
        found = standin("ardupilot").parse_line(answer(state)[1:-1].decode())
        expected = contents(state)
        expected |= expected.pop("imu")
        expected |= expected.pop("battery", {})
        expected.pop("motor", None)  # newer versions only
        assert {name: [*np.atleast_1d(value)] for name, value in expected.items()} == found

    @given(states())
    def test_each_name_is_there_once(self, state: State) -> None:
        text = answer(state).decode()
        names = [part.split('"')[-1] for part in text.split('":')[:-1]]
        assert len(set(names)) == len(names)
        for at, name in enumerate(names):
            before = names[:at]
            assert not [other for other in before if name in other], name

    def test_equal_states_give_equal_bytes(self) -> None:
        exact = [0.1, 1 / 3, -1e-7]
        wide, narrow = np.array(exact), tuple(exact)
        same = [answer(State(1, v, v, v, v, v)) for v in (exact, wide, narrow)]
        assert len(set(same)) == 1
        assert b'"velocity":[0.1,0.3333333333333333,-1e-07]' in same[0]

    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, np.float32("nan")])
    @pytest.mark.parametrize(
        ("field", "make"),
        [
            ("timestamp", float),
            ("gyro", lambda bad: (0, 0, bad)),
            ("accel_body", lambda bad: (0, bad, 0)),
            ("position", lambda bad: (bad, 0, 0)),
            ("attitude", lambda bad: (1, 0, 0, bad)),
            ("velocity", lambda bad: (0, bad, 0)),
            ("rng_1", float),
            ("airspeed", float),
            ("velocity_wind", lambda bad: (0, bad, 0)),
            ("battery", lambda bad: (12.0, bad)),
            ("rpm", lambda bad: (bad,)),
        ],
    )
    def test_a_non_finite_number_is_never_sent(self, field: str, make, bad: float) -> None:
        fields = {"timestamp": 0.0} | dict.fromkeys(VECTORS, STILL)
        with pytest.raises(ValueError, match=f"^{field}: expected a finite number, got"):
            answer(State(**{**fields, field: make(bad)}))

    @pytest.mark.parametrize("field", VECTORS)
    def test_a_vector_of_another_length_is_refused(self, field: str) -> None:
        fields = dict.fromkeys(VECTORS, STILL)
        with pytest.raises(ValueError, match=rf"^{field}: expected 3 numbers, got \[1.0, 2.0\]"):
            answer(State(0.0, **{**fields, field: (1.0, 2.0)}))

    def test_no_motors_are_not_a_list_of_speeds(self) -> None:
        with pytest.raises(ValueError, match="rpm: expected 1 numbers, got"):
            answer(State(0.0, STILL, STILL, STILL, STILL, STILL, rpm=()))


class Physics:
    """A vehicle behind the codec, without sockets."""

    def __init__(self) -> None:
        self.sim = pyrfly.Sim("x450")
        self.sim.controllers = False
        self.sim.arm()
        self.counter = FrameCounter()
        self.start = self.sim.snapshot()

    def respond(self, packet: bytes) -> bytes:
        servos = parse_servos(packet)
        turn = self.counter.accept(servos.frame_count)
        if turn is Turn.RESET:
            self.sim.restore(self.start)
        if turn is not Turn.REPEAT:
            group = self.sim.groups[0]
            order = outputs("quad_x", 4)
            group.throttle[0] = throttles(servos.pwm[list(order)])
            self.sim.step(round(1000 / servos.frame_rate))
        return answer(self.state())

    def state(self) -> State:
        sim = self.sim
        columns = (sim.rate, sim.specific_force, sim.pos, sim.att, sim.vel)
        return State(sim.time, *(column[0] for column in columns))


@pytest.fixture
def flight(standin):
    """Return an ArduPilot in the air, and the physics that answers it."""
    autopilot, physics = standin("ardupilot").ArduPilot(frame_rate=250), Physics()
    trim = float(physics.sim.trim().inputs["throttle"][0, 0])
    for _ in range(2000):
        autopilot.receive(physics.respond(autopilot.servo_packet(autopilot.hover(5.0, trim))))
    return autopilot, physics


class TestFlight:
    """A stand-in flies by the answers alone."""

    def test_holds_a_height(self, flight) -> None:
        autopilot, physics = flight
        assert autopilot.received["position"][2] == pytest.approx(-5.0, abs=0.3)
        assert np.abs(physics.sim.euler[0, :2]).max() < 0.01
        assert autopilot.time == pytest.approx(8.0)
        assert autopilot.frame_count == physics.counter.steps == 2000

    def test_a_repeated_frame_is_answered_without_a_step(self, flight) -> None:
        autopilot, physics = flight
        packet = autopilot.servo_packet([1500] * 4)
        first = physics.respond(packet)
        assert physics.respond(packet) == first
        assert physics.counter.repeats == 1

    def test_a_restarted_autopilot_finds_the_vehicle_at_its_start(self, flight) -> None:
        autopilot, physics = flight
        autopilot.restart()
        autopilot.receive(physics.respond(autopilot.servo_packet([0] * 4)))
        assert physics.counter.restarts == 1
        assert autopilot.received["position"] == pytest.approx([0, 0, 0], abs=1e-3)
        assert autopilot.received["timestamp"] == pytest.approx([0.004])
        assert autopilot.time == pytest.approx(0.004)
