"""Packets of vehicle states against bytes packed from the columns with the published formats."""

from __future__ import annotations

import math
import struct
import threading
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly import _core, wire
from pyrfly.columns import column_names
from pyrfly.frames import LocalFrame
from pyrfly.protocol.bits import Sensor
from pyrfly.sim.interface import names_of

NAMES = ("outHILStateData", "outHILStateShort", "SOut2Simulator", "outCopterStruct")
STATE_FORMATS = {"outHILStateData": "<2i2I14i12f", "outHILStateShort": "<4i9f"}
PRECISIONS = pytest.mark.parametrize("precision", ["float64", "float32"])


def scattered(sim: pyrfly.Sim, seed: int = 0) -> pyrfly.Sim:
    """Set random positions within 10 km, attitudes and velocities, and arm some vehicles."""
    rng = np.random.default_rng(seed)
    for group in sim.groups:
        att = rng.normal(size=(group.n, 4))
        group.pos[:] = rng.uniform(-7e3, 7e3, (group.n, 3))
        group.vel[:] = rng.normal(0, 10, (group.n, 3))
        group.att[:] = att / np.linalg.norm(att, axis=1, keepdims=True)
        group.rate[:] = rng.normal(size=(group.n, 3))
        group.rotor_speed[:] = rng.uniform(100, 900, group.rotor_speed.shape)
        group.throttle[:] = rng.uniform(0, 1, group.throttle.shape)
        group.thrust[:] = rng.uniform(0, 20, group.n)
        group.armed[:] = rng.integers(0, 2, group.n)
        group.status[:] = rng.integers(0, 64, group.n)
    return sim


def simulation(precision: str = "float64", **options: object) -> pyrfly.Sim:
    """Return two kinds of vehicles at 0.25 s."""
    sim = pyrfly.Sim({"sdk": 3, "hex_x": 2}, precision=precision, dt=1 / 1024, **options)
    sim.controllers = False
    sim.step(256)
    return scattered(sim)


def frame(sim: pyrfly.Sim) -> LocalFrame:
    return LocalFrame(*sim.origin)


def padded(values: NDArray[np.floating], width: int) -> list[float]:
    """Return the first `width` values, 0 where there are none."""
    return [*map(float, values), *[0.0] * width][:width]


def whole(values: NDArray[np.float64]) -> list[int]:
    return [round(value) for value in np.atleast_1d(values).tolist()]  # ties to even


def as_integers(lla: NDArray[np.float64]) -> list[int]:
    return whole(lla * [1e7, 1e7, 1e3])


def homes(sim: pyrfly.Sim) -> NDArray[np.float64]:
    return sim.home.astype(float) if sim.synthesis else np.zeros((sim.n, 3))


def expected_states(sim: pyrfly.Sim) -> dict[str, list[bytes]]:
    """Return the packets of estimated state, built from the columns."""
    pos, vel, euler = (getattr(sim, n).astype(float) for n in ("pos", "vel", "euler"))
    home = homes(sim)
    full, short = [], []
    for i in range(sim.n):
        gps = as_integers(frame(sim).to_lla(pos[i]))
        gps_home = as_integers(frame(sim).to_lla(home[i]))
        above = whole((home[i, 2] - pos[i, 2]) * 1e3)
        heading = [round(math.degrees(euler[i, 2]) % 360 * 1e3) % 360_000]
        integers = [*gps, *whole(vel[i] * 1e2), *gps_home, *above, *heading, 10, 3, 0]
        floats = [*euler[i], *(pos[i] - home[i]), *vel[i]]
        head = struct.pack("<2i2I", -1, 112, round(sim.time * 1e3), i + 1)
        full.append(head + struct.pack("<14i12f", *integers, *floats, 0.3, 0.4, 1))
        short.append(struct.pack("<4i9f", 1234567890, *gps_home, *floats))
    return {"outHILStateData": full, "outHILStateShort": short}


@pytest.mark.parametrize("row", _core.wire_structures(), ids=lambda row: row[0])
def test_every_field_that_is_no_constant_follows_the_vehicles(row: tuple[str, str, Any]) -> None:
    name, _, fields = row
    sim = pyrfly.Sim("sdk", 2)
    sim.enable_synthesis()
    sim.environment.enable("atmosphere", "magnetic")
    sim.sensors.enable(*names_of(Sensor))
    sim.enable_part("free_outputs")
    before = wire.pack(sim, name, first_id=1)
    sim.step(1009)
    rng = np.random.default_rng(0)
    scattered(sim).status = 0  # with a fault flag there is no acceleration
    for group in sim.groups:
        for column in {column for *_, columns in fields for column in columns} & column_names():
            if hasattr(group, column) and (view := group.view(column)).flags.writeable:
                view += rng.uniform(1, 5, view.shape).astype(view.dtype)
    after = wire.pack(sim, name, first_id=2)
    for field, _, _, _, constant, _ in fields:
        if field != "vehicleType":
            assert (before[field].tobytes() == after[field].tobytes()) == (constant is not None), (
                field
            )


@PRECISIONS
@pytest.mark.parametrize("synthesis", [False, True])
@pytest.mark.parametrize("name", STATE_FORMATS)
def test_estimated_state(name: str, synthesis: bool, precision: str) -> None:
    sim = simulation(precision)
    if synthesis:
        sim.enable_synthesis()
        for group in sim.groups:
            group.home[:] = np.random.default_rng(1).uniform(-300, 300, (group.n, 3))
    assert [p.tobytes() for p in wire.pack(sim, name)] == expected_states(sim)[name]


@PRECISIONS
def test_true_state(precision: str) -> None:
    sim = simulation(precision)
    packets = wire.pack(sim, "SOut2Simulator")
    lla = frame(sim).to_lla(sim.pos.astype(float))
    speeds = [speed for group in sim.groups for speed in group.rotor_speed.astype(float)]
    types = [3, 3, 3, 5, 5]
    for i, packet in enumerate(packets):
        rpm = [w * 60 / (2 * math.pi) for w in padded(speeds[i], 8)]
        numbers = struct.unpack("<4i24f7d", packet.tobytes())
        assert numbers[:4] == (123456789, i + 1, types[i], 0)
        assert numbers[14:22] == pytest.approx(rpm, rel=1e-7)
        expected = struct.pack(
            "<24f4d",
            *sim.vel[i],
            *sim.euler[i],
            *sim.att[i],
            *numbers[14:22],
            *sim.accel[i],
            *sim.rate[i],
            0.25,
            *sim.pos[i],
        )
        assert packet.tobytes()[16:144] == expected
        np.testing.assert_allclose(numbers[32:34], lla[i, :2], rtol=0, atol=1e-9)
        assert numbers[34] == pytest.approx(lla[i, 2], abs=1e-6)


@PRECISIONS
def test_vehicle_info_is_the_true_state_in_doubles(precision: str) -> None:
    sim = simulation(precision)
    packets = wire.pack(sim, "VehileInfo60d")
    true = wire.pack(sim, "SOut2Simulator")
    speeds = [speed for group in sim.groups for speed in group.rotor_speed.astype(float)]
    for i, packet in enumerate(packets):
        numbers = struct.unpack("<60d", packet.tobytes())
        rpm = [w * 60 / (2 * math.pi) for w in padded(speeds[i], 8)]
        columns = (sim.vel, sim.pos, sim.euler, sim.att)
        expected = [i + 1, (3, 3, 3, 5, 5)[i], 0.25, *(x for c in columns for x in c[i])]
        assert numbers[:16] == tuple(expected)
        assert numbers[16:24] == pytest.approx(rpm, rel=2 * float(np.finfo(precision).eps))
        assert numbers[24:30] == (*sim.accel[i], *sim.rate[i])
        assert numbers[30:33] == tuple(true[i]["PosGPS"])
        assert numbers[33:] == (0,) * 27


@PRECISIONS
def test_copter_data_are_throttles_thrust_armed_and_status(precision: str) -> None:
    sim = simulation(precision)
    throttles = [row for group in sim.groups for row in group.throttle]
    for i, packet in enumerate(wire.pack(sim, "outCopterStruct")):
        data = [*padded(throttles[i], 16), sim.thrust[i], sim.armed[i], sim.status[i]]
        expected = struct.pack("<ii32d", 1234567890, i + 1, *padded(np.array(data), 32))
        assert packet.tobytes() == expected


@pytest.mark.parametrize("rotors", [3, 6, 8, 16])
def test_rotors_beyond_the_eighth_are_omitted(rotors: int) -> None:
    batch = _core.Batch(f"rotors_{rotors}", 2)
    batch.view("rotor_speed")[1] = 10.0 * np.arange(1, rotors + 1)
    batch.view("throttle")[1] = 0.01 * np.arange(1, rotors + 1)
    true = np.empty(2, wire.dtype("SOut2Simulator"))
    _core.wire_pack(batch, "SOut2Simulator", 1, 12, (0.0, 0.0, 0.0), true)
    rpm = 600 / (2 * math.pi) * np.arange(1, 9) * (np.arange(8) < rotors)
    np.testing.assert_allclose(true["MotorRPMS"], [np.zeros(8), rpm], rtol=1e-7)
    free = np.empty(2, wire.dtype("outCopterStruct"))
    _core.wire_pack(batch, "outCopterStruct", 1, 12, (0.0, 0.0, 0.0), free)
    shares = 0.01 * np.arange(1, 17) * (np.arange(16) < rotors)
    np.testing.assert_array_equal(free["outCopterData"][1, :16], shares)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
@pytest.mark.parametrize("name", [*NAMES, "VehileInfo60d"])
def test_a_packet_depends_on_its_own_vehicle_only(name: str, n: int) -> None:
    many = scattered(pyrfly.Sim("sdk", n))
    many.enable_synthesis()
    many.home[:] = np.random.default_rng(3).uniform(-300, 300, (n, 3))
    packets = wire.pack(many, name)
    for i in {0, n // 2, n - 1}:
        one = np.empty(1, wire.dtype(name))
        alone = pyrfly.Sim("sdk", 1)
        alone.enable_synthesis()
        for field in alone.fields():
            if field.role != "output":
                alone.groups[0].view(field.name)[:] = many.groups[0].view(field.name)[i]
        _core.wire_pack(alone.groups[0].batch, name, i + 1, 3, many.origin, one)
        assert one[0].tobytes() == packets[i].tobytes()


@pytest.mark.parametrize("name", [*NAMES, "VehileInfo60d"])
def test_ids_pick_rows_in_their_order(name: str) -> None:
    sim = simulation()
    rows = [p.tobytes() for p in wire.pack(sim, name)]
    assert len(rows) == 5
    assert [p.tobytes() for p in wire.pack(sim, name, ids=[5, 1, 4, 1])] == [
        rows[i - 1] for i in (5, 1, 4, 1)
    ]
    assert [p.tobytes() for p in wire.pack(sim, name, ids=4)] == [rows[3]]
    assert wire.pack(sim, name, ids=[]).shape == (0,)
    with pytest.raises(ValueError, match="ids: expected CopterIDs from 1 to 5"):
        wire.pack(sim, name, ids=[6])


@pytest.mark.parametrize(
    "origin",
    [
        (40.1540302, 116.2593683, 50.0),
        (-33.9, -179.999, -20.0),
        (0.0, 180.0, 0.0),
        (89.99, 10.0, 3000.0),
        (-90.0, 0.0, 0.0),
    ],
)
@pytest.mark.parametrize("distance", [1.0, 1e4, 1e6])
def test_geodetic_positions_agree_with_the_exact_ones(
    origin: tuple[float, float, float], distance: float
) -> None:
    sim = pyrfly.Sim("sdk", 300)
    sim.origin = origin
    sim.pos[:] = np.random.default_rng(2).uniform(-distance, distance, (300, 3))
    got = wire.pack(sim, "VehileInfo60d")["PosGPS"]
    expected = LocalFrame(*origin).to_lla(sim.pos)
    turn = (got[:, 1] - expected[:, 1] + 180) % 360 - 180  # the date line may be in between
    # a nanodegree is 0.1 mm; of longitude near a pole, more degrees are fewer metres
    np.testing.assert_allclose(turn * np.cos(np.radians(expected[:, 0])), 0, atol=1e-12)
    np.testing.assert_allclose(got[:, 0], expected[:, 0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(got[:, 2], expected[:, 2], rtol=0, atol=1e-7)
    assert (np.abs(got[:, 1]) <= 180).all()


def test_the_origin_of_the_sim_is_the_centre_of_the_map() -> None:
    sim = pyrfly.Sim("sdk", 1)
    sim.origin = (10.0, 20.0, 30.0)
    assert wire.pack(sim, "outHILStateData")["GpsPos"][0].tolist() == [100000000, 200000000, 30000]


def test_numbers_too_large_for_an_integer_become_the_nearest() -> None:
    sim = pyrfly.Sim("sdk", 2)
    sim.vel[0] = (1e9, -1e9, np.nan)
    sim.vel[1] = (0.005, 0.015, -0.025)  # exact halves of a cm/s, or nearly
    sim.pos[0, 2] = -5e6
    packets = wire.pack(sim, "outHILStateData")
    assert packets["GpsVel"][0].tolist() == [2**31 - 1, -(2**31), 0]
    assert packets["GpsVel"][1].tolist() == [round(v * 1e2) for v in (0.005, 0.015, -0.025)]
    assert packets["relative_alt"][0] == 2**31 - 1


@pytest.mark.parametrize(
    ("yaw", "heading"),
    [(0, 0), (0.1, 5730), (math.pi / 2, 90000), (-math.pi / 2, 270000), (-1e-9, 0)],
)
def test_heading_counts_from_0_to_360_degrees(yaw: float, heading: int) -> None:
    sim = pyrfly.Sim("sdk", 1)
    sim.reset(yaw=yaw)
    assert wire.pack(sim, "outHILStateData")["hdg"].tolist() == [heading]


def test_milliseconds_start_again_after_32_bits() -> None:
    sim = pyrfly.Sim("sdk", 1)
    sim.groups[0].batch.tick = 2**32 + 5
    assert wire.pack(sim, "outHILStateData")["time_boot_ms"].tolist() == [5]


def test_rotors_without_a_layout_are_a_custom_vehicle() -> None:
    sim = pyrfly.Sim("cs2019", 1)
    object.__setattr__(sim.groups[0].parameters, "uav_type", None)
    assert wire.pack(sim, "SOut2Simulator")["vehicleType"].tolist() == [12]


def test_only_structures_about_vehicles_are_packed() -> None:
    sim = pyrfly.Sim("sdk", 1)
    with pytest.raises(ValueError, match="name: no structure 'reboot' of vehicles"):
        wire.pack(sim, "reboot")
    with pytest.raises(ValueError, match=r"name: expected one of .*, got 'nothing'"):
        wire.pack(sim, "nothing")


class TestCore:
    """Arguments of the function of the core."""

    ORIGIN = (40.0, 116.0, 0.0)

    @pytest.fixture
    def batch(self) -> _core.Batch:
        return _core.Batch("quad_x", 3)

    @pytest.mark.parametrize("size", [0, 3 * 168 - 1, 3 * 168 + 1])
    def test_the_buffer_has_exactly_the_bytes(self, batch: _core.Batch, size: int) -> None:
        with pytest.raises(ValueError, match=f"out: expected 504 bytes, .* got {size}"):
            _core.wire_pack(batch, "SOut2Simulator", 1, 3, self.ORIGIN, bytearray(size))

    @pytest.mark.parametrize("words", [2, 4])
    def test_there_is_a_word_of_updated_sensors_for_each_vehicle(
        self, batch: _core.Batch, words: int
    ) -> None:
        updated = np.zeros(words, np.uint32)
        with pytest.raises(ValueError, match=f"updated: expected 12 bytes, .* got {4 * words}"):
            _core.wire_pack(batch, "HIL_SENSOR", 1, 3, self.ORIGIN, bytearray(3 * 65), updated)

    def test_any_address_will_do(self, batch: _core.Batch) -> None:
        aligned, buffer = bytearray(504), bytearray(506)
        _core.wire_pack(batch, "SOut2Simulator", 1, 3, self.ORIGIN, aligned)
        _core.wire_pack(batch, "SOut2Simulator", 1, 3, self.ORIGIN, memoryview(buffer)[1:505])
        assert buffer == b"\0" + aligned + b"\0"

    def test_the_buffer_can_be_written_in_one_piece(self, batch: _core.Batch) -> None:
        with pytest.raises(BufferError):
            _core.wire_pack(batch, "SOut2Simulator", 1, 3, self.ORIGIN, bytes(504))
        apart = np.empty(6, wire.dtype("SOut2Simulator"))[::2]
        with pytest.raises((BufferError, ValueError)):
            _core.wire_pack(batch, "SOut2Simulator", 1, 3, self.ORIGIN, apart)

    @pytest.mark.parametrize(
        "origin", [(90.1, 0, 0), (0, -180.1, 0), (0, 0, math.inf), (math.nan, 0, 0)]
    )
    def test_the_origin_is_on_the_earth(
        self, batch: _core.Batch, origin: tuple[float, float, float]
    ) -> None:
        with pytest.raises(ValueError, match=r"origin: expected latitude -90\.\.90"):
            _core.wire_pack(batch, "SOut2Simulator", 1, 3, origin, bytearray(504))

    @pytest.mark.parametrize("first", [0, -1, 2**31 - 3 + 1])
    def test_ids_are_positive_and_fit(self, batch: _core.Batch, first: int) -> None:
        with pytest.raises(ValueError, match="first_id: expected at least 1 and 3 CopterIDs"):
            _core.wire_pack(batch, "SOut2Simulator", first, 3, self.ORIGIN, bytearray(504))
        _core.wire_pack(batch, "SOut2Simulator", 2**31 - 3, 3, self.ORIGIN, bytearray(504))

    def test_other_objects_are_refused(self) -> None:
        with pytest.raises(TypeError, match="Batch"):
            _core.wire_pack("quad_x", "reboot", 1, 3, self.ORIGIN, bytearray(8))  # type: ignore[arg-type]


@pytest.mark.slow
def test_packets_are_of_one_tick_while_another_thread_steps() -> None:
    """Vehicles that fall from rest alike have packets alike, apart from their numbers."""
    sim = pyrfly.Sim("sdk", 2000, threads=1)
    sim.reset(pos=[0, 0, -500])
    times = set()
    thread = threading.Thread(target=sim.step, args=(3000,))
    thread.start()
    while thread.is_alive():
        packets = wire.pack(sim, "SOut2Simulator")
        times |= {(float(row["runnedTime"]), float(row["VelE"][2])) for row in packets}
    thread.join()
    assert len(times) == len({time for time, _ in times})
    assert len(times) > 2


@pytest.mark.parametrize("name", ["vel", "rate", "pos", "rotor_speed"])
@pytest.mark.parametrize("value", [1e39, -1e308, math.inf, math.nan])
def test_no_packet_has_a_number_that_is_not_finite(name: str, value: float) -> None:
    sim = pyrfly.Sim("x450", 2)
    setattr(sim, name, value)
    with np.errstate(all="ignore"):
        for _ in range(2):
            for structure in NAMES:
                packet = wire.pack(sim, structure)
                for field in packet.dtype.names:
                    assert np.isfinite(packet[field]).all(), (structure, field)
            sim.step()
    assert sim.status.all()
