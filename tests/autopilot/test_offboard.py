"""Set-points of mode Offboard: what each frame and mask comes to, by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from pyrfly import mavlink
from pyrfly.autopilot.offboard import SET_POINTS, Verdict, set_points_of
from pyrfly.protocol import synthesis
from pyrfly.protocol.bits import Offboard

from .conftest import OWN, quaternion

Make = Callable[..., Any]
LOCAL, GLOBAL, ATTITUDE = (
    "SET_POSITION_TARGET_LOCAL_NED",
    "SET_POSITION_TARGET_GLOBAL_INT",
    "SET_ATTITUDE_TARGET",
)
LEVEL = (1.0, 0.0, 0.0, 0.0)
# masks of MAVSDK
POSITION, VELOCITY, ACCELERATION = 0b100111111000, 0b100111000111, 0b110000111111
NAN, INF = math.nan, math.inf


def one(
    name: str, att: Any = LEVEL, home_alt: float = 0.0, **fields: Any
) -> tuple[int, np.ndarray, Verdict]:
    """Return bits, floats and verdict of one set-point."""
    records = mavlink.blank(name)
    if name == LOCAL:
        fields.setdefault("coordinate_frame", 1)
    if name == GLOBAL:
        fields.setdefault("coordinate_frame", 5)
    for field, value in fields.items():
        records[field] = value
    inputs, verdicts = set_points_of(name, records, np.array([att]), home_alt)
    return int(inputs.ints[0, 1]), inputs.floats[0], Verdict(verdicts[0])


def vector(prefix: str, values: tuple[float, float, float]) -> dict[str, float]:
    return {f"{prefix}{axis}": value for axis, value in zip("xyz", values, strict=True)}


# --- local -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "mask", "expected", "where", "numbers"),
    [
        (
            vector("", (1, 2, -3)) | {"yaw": 0.5},
            *(POSITION, Offboard.POSITION | Offboard.YAW, (0, 1, 2, 11), (1, 2, -3, 0.5)),
        ),
        (
            vector("v", (4, 5, 6)) | {"yaw_rate": 0.25},
            *(0b010111000111, Offboard.VELOCITY | Offboard.YAW_RATE),
            *((3, 4, 5, 14), (4, 5, 6, 0.25)),
        ),
        (
            vector("af", (1, -1, 0.5)),
            *(ACCELERATION, Offboard.ACCELERATION, (6, 7, 8), (1, -1, 0.5)),
        ),
    ],
    ids=["position, heading", "velocity, heading rate", "acceleration"],
)
def test_what_is_set_is_controlled(
    fields: dict[str, float], mask: int, expected: int, where: Any, numbers: Any
) -> None:
    bits, floats, verdict = one(LOCAL, **fields, type_mask=mask)
    assert (bits, verdict) == (expected | Offboard.LOCAL, Verdict.USED)
    assert floats[list(where)].tolist() == list(numbers)


def test_the_height_of_a_position_with_a_horizontal_velocity() -> None:
    mask = 0b110111100011  # z, vx, vy
    bits, floats, verdict = one(LOCAL, z=-4.0, vx=1.0, vy=2.0, type_mask=mask)
    assert verdict == Verdict.USED
    assert bits == Offboard.POSITION | Offboard.VELOCITY | Offboard.LOCAL
    np.testing.assert_array_equal(floats[:6], [NAN, NAN, -4, 1, 2, NAN])


@pytest.mark.parametrize("name", ["yaw", "yaw_rate"])
@pytest.mark.parametrize("value", [NAN])
def test_a_heading_that_is_nan_is_not_set(name: str, value: float) -> None:
    bits, _, verdict = one(LOCAL, type_mask=0b000111111000, **{name: value})
    other = Offboard.YAW_RATE if name == "yaw" else Offboard.YAW
    assert (bits, verdict) == (Offboard.POSITION | other | Offboard.LOCAL, Verdict.USED)


@pytest.mark.parametrize("frame", [0, 2, 3, 4, 5, 6, 7, 9, 12, 13, 20, 255])
def test_other_frames_are_not_supported(frame: int) -> None:
    assert one(LOCAL, coordinate_frame=frame, type_mask=POSITION)[2] == Verdict.BAD_FRAME


@pytest.mark.parametrize(
    ("mask", "verdict"),
    [
        (0b111111111, Verdict.EMPTY),
        (0b110111111111, Verdict.EMPTY),
        (0b001000111111, Verdict.FORCE),  # an acceleration that is a force
        (0b001111111000, Verdict.USED),  # the bit without an acceleration
        (0b1001000000000000 | 0b110111111000, Verdict.USED),  # bits of fixed wings
    ],
)
def test_masks_without_a_motion_and_with_a_force(mask: int, verdict: Verdict) -> None:
    assert one(LOCAL, type_mask=mask)[2] == verdict


@pytest.mark.parametrize("value", [INF, -INF])
def test_infinities_are_refused_where_they_are_set(value: float) -> None:
    assert one(LOCAL, x=value, type_mask=POSITION)[2] == Verdict.NOT_FINITE
    assert one(LOCAL, vx=value, type_mask=POSITION)[2] == Verdict.USED
    assert one(LOCAL, yaw=value, type_mask=POSITION)[2] == Verdict.NOT_FINITE


def test_a_position_of_nan_alone_is_empty() -> None:
    assert one(LOCAL, **vector("", (NAN, NAN, NAN)), type_mask=POSITION)[2] == Verdict.EMPTY
    bits, floats, verdict = one(LOCAL, **vector("", (NAN, NAN, -2.0)), type_mask=POSITION)
    assert verdict == Verdict.USED
    assert bits & Offboard.POSITION
    assert floats[2] == -2.0


# --- body --------------------------------------------------------------------------------------


@pytest.mark.parametrize("degrees", [0, 30, 90, -135, 180])
def test_a_velocity_forward_right_down_is_turned_by_the_heading_alone(degrees: float) -> None:
    yaw, pitch = math.radians(degrees), 0.3
    att = quaternion(0.2, pitch, yaw)
    mask = 0b110111000111
    bits, floats, verdict = one(
        LOCAL, att, coordinate_frame=8, **vector("v", (2, 1, -0.5)), type_mask=mask
    )
    assert (bits, verdict) == (Offboard.VELOCITY | Offboard.LOCAL, Verdict.USED)
    north = 2 * math.cos(yaw) - 1 * math.sin(yaw)
    east = 2 * math.sin(yaw) + 1 * math.cos(yaw)
    np.testing.assert_allclose(floats[3:6], [north, east, -0.5], atol=1e-6)


def test_an_acceleration_in_the_body_is_turned_by_the_attitude() -> None:
    # nose up by 90 deg: forward is up, and down is forward
    att = quaternion(0.0, math.pi / 2, 0.0)
    _, floats, _ = one(LOCAL, att, coordinate_frame=8, afx=1.0, afz=2.0, type_mask=0b110000111111)
    np.testing.assert_allclose(floats[6:9], [2, 0, -1], atol=1e-6)


def test_a_position_in_the_body_does_not_count() -> None:
    mask = 0b110111000000
    bits, _, verdict = one(LOCAL, coordinate_frame=8, x=5.0, vx=1.0, type_mask=mask)
    assert (bits, verdict) == (Offboard.VELOCITY | Offboard.LOCAL, Verdict.USED)
    assert one(LOCAL, coordinate_frame=8, x=5.0, type_mask=POSITION)[2] == Verdict.EMPTY


@pytest.mark.parametrize("ignored", [1 << 3, 1 << 4, 1 << 5, 1 << 3 | 1 << 5])
def test_a_velocity_in_the_body_counts_as_a_whole(ignored: int) -> None:
    mask = 0b110111000111 | ignored
    assert one(LOCAL, coordinate_frame=8, vx=1.0, type_mask=mask)[2] == Verdict.EMPTY


# --- global ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "expected"),
    [(0, 60.0), (5, 60.0), (3, 160.0), (6, 160.0), (1, None), (8, None), (10, None)],
)
def test_positions_on_the_earth(frame: int, expected: float | None) -> None:
    fields = {"lat_int": 401540302, "lon_int": 1162593683, "alt": 60.0, "type_mask": POSITION}
    bits, floats, verdict = one(GLOBAL, coordinate_frame=frame, home_alt=100.0, **fields)
    if expected is None:
        assert verdict == Verdict.BAD_FRAME
        return
    assert verdict == Verdict.USED
    kind = Offboard.GLOBAL | Offboard.INTEGER_POSITION
    assert bits == Offboard.POSITION | Offboard.YAW | kind
    assert floats[2] == expected


def test_latitude_and_longitude_are_kept_exactly() -> None:
    records = mavlink.blank(GLOBAL, 2)
    records["coordinate_frame"], records["type_mask"] = 6, POSITION
    records["lat_int"], records["lon_int"] = (-337654321, 899999999), (-1799999999, 5)
    inputs, _ = set_points_of(GLOBAL, records, np.array([LEVEL, LEVEL]))
    assert inputs.ints[:, 6].tolist() == [-337654321, 899999999]
    assert inputs.ints[:, 7].tolist() == [-1799999999, 5]


# --- attitude ----------------------------------------------------------------------------------


def test_an_attitude_with_a_thrust() -> None:
    q = quaternion(0.1, -0.2, 1.5)
    bits, floats, verdict = one(ATTITUDE, q=q, thrust=0.6, type_mask=0b111)
    assert (bits, verdict) == (Offboard.ATTITUDE | Offboard.THRUST, Verdict.USED)
    np.testing.assert_allclose(floats[9:12], [0.1, -0.2, 1.5], atol=1e-6)
    assert floats[15] == pytest.approx(0.6)


def test_a_quaternion_is_normalized() -> None:
    q = np.multiply(3.0, quaternion(0.1, -0.2, 1.5))
    np.testing.assert_allclose(
        one(ATTITUDE, q=q, type_mask=7)[1][9:12], [0.1, -0.2, 1.5], atol=1e-6
    )


def test_angular_velocities_with_a_thrust() -> None:
    rates = {"body_roll_rate": 0.1, "body_pitch_rate": 0.2, "body_yaw_rate": 0.3}
    all_rates = Offboard.ROLL_RATE | Offboard.PITCH_RATE | Offboard.YAW_RATE
    bits, floats, verdict = one(ATTITUDE, **rates, thrust=0.5, type_mask=0x80)
    assert (bits, verdict) == (all_rates | Offboard.THRUST, Verdict.USED)
    assert floats[12:15] == pytest.approx([0.1, 0.2, 0.3])
    _, floats, verdict = one(ATTITUDE, **rates, thrust=0.5, type_mask=0x84)  # without the yaw rate
    assert (floats[14], verdict) == (0.0, Verdict.USED)


@pytest.mark.parametrize(("mask", "ahead"), [(0b011, 0.15), (0b111, 0.0)])
def test_a_yaw_rate_puts_the_heading_of_an_attitude_ahead(mask: int, ahead: float) -> None:
    records = mavlink.blank(ATTITUDE)
    records["q"], records["body_yaw_rate"] = quaternion(0.1, 0.0, 1.5), 0.5
    records["type_mask"] = mask
    inputs, _ = set_points_of(ATTITUDE, records, np.array([LEVEL]), lead=0.3)
    np.testing.assert_allclose(inputs.floats[0, 9:12], [0.1, 0.0, 1.5 + ahead], atol=1e-6)


@pytest.mark.parametrize("vehicle", ["x450", "iris"])
def test_an_attitude_with_a_yaw_rate_turns_at_that_rate(station: Make, vehicle: str) -> None:
    """As controllers send it: roll, pitch and thrust, with the present heading."""
    s = station(vehicle).in_air(5.0)
    hover = float(s.parameters.get(0, "MPC_THR_HOVER"))

    def stream() -> None:
        q = quaternion(0.0, 0.0, float(s.sim.euler[0, 2]))
        s.send("SET_ATTITUDE_TARGET", 0, 1, 1, 0b011, list(q), 0, 0, 0.5, hover)

    s.each_tick.append(stream)
    in_offboard(s)
    s.run(2.0)
    assert s.sim.rate[0, 2] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("mask", [0x81, 0x82, 0x87])
def test_neither_an_attitude_nor_angular_velocities(mask: int) -> None:
    assert one(ATTITUDE, q=LEVEL, type_mask=mask)[2] == Verdict.EMPTY


@pytest.mark.parametrize(
    ("fields", "thrust"),
    [
        ({"thrust": 0.7, "type_mask": 7}, 0.7),
        ({"thrust": 1.7, "type_mask": 7}, 1.0),
        ({"thrust": -0.5, "type_mask": 7}, 0.0),
        ({"thrust": 0.7, "type_mask": 7 | 1 << 6}, 0.0),  # the thrust is ignored
        ({"thrust": 0.7, "thrust_body": (0, 0, -0.4), "type_mask": 7 | 1 << 5}, 0.4),
    ],
)
def test_the_thrust_is_limited(fields: dict[str, Any], thrust: float) -> None:
    assert one(ATTITUDE, q=LEVEL, **fields)[1][15] == pytest.approx(thrust)


@pytest.mark.parametrize("q", [(0, 0, 0, 0), (NAN, 0, 0, 0), (1, 0, NAN, 0), (1e-9, 0, 0, 0)])
def test_attitudes_that_are_none(q: tuple[float, ...]) -> None:
    assert one(ATTITUDE, q=q, thrust=0.5, type_mask=7)[2] == Verdict.NOT_FINITE


@pytest.mark.parametrize("value", [NAN, INF])
def test_thrusts_and_rates_that_are_none(value: float) -> None:
    assert one(ATTITUDE, q=LEVEL, thrust=value, type_mask=7)[2] == Verdict.NOT_FINITE
    assert one(ATTITUDE, body_roll_rate=value, type_mask=0x80)[2] == Verdict.NOT_FINITE


# --- against the interface of the synthesis model, and any bytes --------------------------------


@given(st.data())
def test_local_set_points_are_those_of_the_synthesis_model(data: st.DataObject) -> None:
    number = st.floats(-100, 100, width=32)
    mask = data.draw(st.integers(0, 2**12 - 1).filter(lambda m: not m & 512 and m & 0x1FF != 0x1FF))
    values = data.draw(st.lists(number, min_size=11, max_size=11))
    names = "x y z vx vy vz afx afy afz yaw yaw_rate".split()
    bits, floats, verdict = one(LOCAL, type_mask=mask, **dict(zip(names, values, strict=True)))
    pos, vel, acc, (yaw, rate) = values[:3], values[3:6], values[6:9], values[9:]
    expected = synthesis.position_target(mask, 1, pos, vel, acc, yaw, rate)
    assert verdict == Verdict.USED
    assert bits == expected.ints[0, 1]
    np.testing.assert_array_equal(floats, expected.floats[0])


@pytest.mark.parametrize("name", SET_POINTS)
@given(data=st.data())
def test_any_record_has_a_verdict_or_finite_inputs(name: str, data: st.DataObject) -> None:
    dtype = mavlink.MESSAGES[name].dtype
    size = dtype.itemsize
    k = data.draw(st.integers(1, 4))
    raw = data.draw(st.binary(min_size=k * size, max_size=k * size))
    records = np.frombuffer(raw, dtype).copy()
    if name != ATTITUDE and data.draw(st.booleans()):
        records["coordinate_frame"] = data.draw(st.sampled_from([0, 1, 3, 5, 6, 8]))
    att = data.draw(npst.arrays(np.float64, (k, 4), elements=st.floats(-1, 1)))
    att[np.linalg.norm(att, axis=1) < 0.1] = LEVEL
    att /= np.linalg.norm(att, axis=1)[:, None]
    inputs, verdicts = set_points_of(name, records, att)
    assert set(verdicts.tolist()) <= set(Verdict)
    used = inputs.floats[verdicts == Verdict.USED]
    assert not np.isinf(used).any()
    if name == ATTITUDE:
        assert not np.isnan(used).any()


# --- the flight --------------------------------------------------------------------------------


def in_offboard(s: Any) -> Any:
    s.run(0.1)
    assert s.command(176, 1, 6) == 0
    return s


def test_a_step_is_flown_as_on_px4(station: Make) -> None:
    s = station().in_air(2.8)
    s.set_point(3, 0, -5, mask=POSITION)
    in_offboard(s).run(6.7)
    np.testing.assert_allclose(s.sim.pos[0], [3, 0, -5], atol=0.1)


def test_set_points_are_relative_to_the_place_where_the_vehicle_was_switched_on(
    station: Make,
) -> None:
    s = station("x450", 2, pos=[(0, 0), (20, 30)]).in_air(5.0)
    s.set_point(0, 2, -6, mask=POSITION)
    s.run(0.1)
    assert s.command(176, 1, 6, row=1) == 0
    s.run(6)
    np.testing.assert_allclose(s.sim.pos, [[0, 0, -5], [20, 32, -6]], atol=0.1)


def test_velocities_and_heading_rates_are_flown(station: Make) -> None:
    s = station().in_air(5.0)
    s.set_point(0, 0, 0, 2, 0, -0.5, 0, 0, 0, 0, 0.3, mask=0b010111000111, frame=8)
    in_offboard(s).run(3)
    before = float(s.sim.euler[0, 2])
    s.run(1)
    assert math.remainder(float(s.sim.euler[0, 2]) - before, math.tau) == pytest.approx(
        0.3, rel=0.1
    )
    assert np.hypot(*s.sim.vel[0, :2]) == pytest.approx(2, abs=0.2)
    assert s.sim.vel[0, 2] == pytest.approx(-0.5, abs=0.05)


def test_a_place_on_the_earth_is_flown_to(station: Make) -> None:
    s = station().in_air(5.0)
    lat, lon, alt = s.place_int(4, -3, 7)
    fields = (0, OWN, 1, 5, POSITION, lat, lon, alt, *[0.0] * 8)
    s.always(GLOBAL, *fields)
    in_offboard(s).run(6)
    np.testing.assert_allclose(s.sim.pos[0], [4, -3, -7], atol=0.05)


def test_heights_are_above_the_present_home(station: Make) -> None:
    s = station().in_air(5.0)
    assert s.command(179, 1) == 0  # home is here
    lat, lon, _ = s.place_int(0, 0, 0)
    for frame, up in ((3, 1.0), (6, 0.5)):
        s.always(GLOBAL, 0, OWN, 1, frame, POSITION, lat, lon, up, *[0.0] * 8)
        in_offboard(s).run(3.5)
        np.testing.assert_allclose(s.sim.pos[0], [0, 0, -5 - up], atol=0.05)


def test_an_attitude_is_flown(station: Make) -> None:
    s = station().in_air(8.0)
    q = quaternion(0.0, -0.2, 0.5)
    hover = s.parameters.get(0, "MPC_THR_HOVER")
    s.always(ATTITUDE, 0, OWN, 1, 0b111, q, 0, 0, 0, hover / math.cos(0.2))
    in_offboard(s).run(2)
    np.testing.assert_allclose(s.sim.euler[0], [0, -0.2, 0.5], atol=0.03)
    assert abs(s.sim.vel[0, 2]) < 1


def test_the_newest_set_point_of_a_tick_counts_whatever_its_kind(station: Make) -> None:
    s = station().in_air(5.0)
    s.each_tick += [
        lambda: s.send(ATTITUDE, 0, 1, 1, 0x87, LEVEL, 0, 0, 0, 0),
        lambda: s.send(LOCAL, 0, 1, 1, 1, POSITION, 0, 0, -5, *[0.0] * 8),
    ]
    in_offboard(s).run(2)
    np.testing.assert_allclose(s.sim.pos[0], [0, 0, -5], atol=0.05)
    assert set(s.verdicts) == {(0, Verdict.USED)}  # the others were replaced


def test_refused_set_points_are_counted_and_are_no_proof_of_life(station: Make) -> None:
    s = station().in_air(5.0)
    s.set_point(0, 0, -5, mask=POSITION)
    in_offboard(s).run(1)
    s.set_point(NAN, NAN, NAN, mask=POSITION)
    s.run(1.2)
    assert s.mode() == "POSITION"
    assert s.verdicts[0, Verdict.EMPTY] == 12
    s.set_point(0, 0, -5, mask=POSITION, frame=3)
    s.run(0.02)
    assert s.texts()[-1] == "SET_POSITION_TARGET_LOCAL_NED: coordinate frame unsupported"


@pytest.mark.parametrize(("system", "component"), [(2, 1), (1, 5)])
def test_set_points_for_others_have_no_effect(station: Make, system: int, component: int) -> None:
    s = station()
    taken = s.send(LOCAL, 0, system, component, 1, POSITION, *[0.0] * 11)
    s.run(0.1)
    assert taken == ("bad_id", system == 2)
    assert s.command(176, 1, 6) == 1


def test_a_set_point_counts_for_a_command_that_comes_right_behind_it(station: Make) -> None:
    s = station().in_air(5.0)
    s.send(LOCAL, 0, 1, 1, 1, POSITION, 0, 0, -5, *[0.0] * 8)
    assert s.command(176, 1, 6) == 0
    s.run(0.1)
    assert (s.mode(), s.verdicts[0, Verdict.USED]) == ("OFFBOARD", 1)
    s.command(176, 1, 4, 3)
    s.run(2)
    s.send(LOCAL, 0, 1, 1, 1, POSITION, 0, 0, -5, *[0.0] * 8)
    s.send("SET_MODE", 1, 1, 6 << 16)
    assert s.mode() == "OFFBOARD"
