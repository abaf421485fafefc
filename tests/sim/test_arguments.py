"""Arguments of a `Sim`: values of the moment of the call, checked before anything is changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import Setpoint

POS = np.array([[1.0, 2.0, -3.0], [4.0, 5.0, -6.0], [7.0, 8.0, -9.0]])
YAW = np.array([0.1, 0.2, 0.3])
FLAT = TerrainMap([[1, 1], [1, 1]], 9.0, origin=(1, 2, 3))


def placed() -> Sim:
    sim = Sim("x450", 3)
    sim.reset(pos=POS, yaw=YAW)
    sim.yaw_sp[:] = YAW
    return sim


def measured() -> Sim:
    sim = placed()
    sim.sensors.give("imu", imu_accel=POS, imu_gyro=2 * POS)
    return sim


def test_a_view_of_a_column_can_be_the_argument_of_a_reset() -> None:
    sim = placed()
    sim.reset(pos=sim.pos, yaw=sim.yaw_sp)
    assert np.array_equal(sim.pos, POS)
    assert np.allclose(sim.euler[:, 2], YAW)
    sim.reset(pos=sim.pos[::-1])
    assert np.array_equal(sim.pos, POS[::-1])


def test_a_command_may_swap_its_columns() -> None:
    sim = placed()
    sim.arm()
    sim.command_position(POS, vel=2 * POS)
    sim.command_position(sim.vel_sp, vel=sim.pos_sp)
    assert np.array_equal(sim.pos_sp, 2 * POS)
    assert np.array_equal(sim.vel_sp, POS)
    assert (sim.setpoint_mask & Setpoint.VELOCITY).all()


def test_settings_may_swap_their_columns() -> None:
    sim = measured()
    sim.sensors.give("imu", imu_accel=sim.imu_gyro, imu_gyro=sim.imu_accel)
    assert np.array_equal(sim.imu_accel, 2 * POS)
    assert np.array_equal(sim.imu_gyro, POS)
    sim.environment.set_rotor_air(drag=1e-6, inflow=2e-6)
    sim.environment.set_rotor_air(drag=sim.rotor_inflow, inflow=sim.rotor_drag)
    assert sim.rotor_drag.tolist() == [2e-6] * 3
    assert sim.rotor_inflow.tolist() == [1e-6] * 3


def test_inputs_of_a_group_may_be_given_to_another() -> None:
    sim = Sim({"x450": 2, "hex_x": 1})
    sim.enable_synthesis()
    floats = np.arange(40.0).reshape(2, 20)
    sim.command_sil(floats=floats, ids=[1, 2])
    sim.command_sil(floats=sim.groups[0].sil_floats, ids=[3, 1])
    assert np.array_equal(sim.sil_floats, floats[[1, 1, 0]])


Call = Callable[[Sim, Any], object]

CHANGES: dict[str, Call] = {
    "enable": lambda sim, ids: sim.environment.enable("atmosphere", "downwash", ids=ids),
    "set_turbulence": lambda sim, ids: sim.environment.set_turbulence("light", ids=ids),
    "set_gust": lambda sim, ids: sim.environment.set_gust([1, 0, 0], rise=1, ids=ids),
    "set_ground_effect": lambda sim, ids: sim.environment.set_ground_effect(0.1, ids=ids),
    "set_downwash": lambda sim, ids: sim.environment.set_downwash(0.1, ids=ids),
    "set_rotor_air": lambda sim, ids: sim.environment.set_rotor_air(0, 0, ids=ids),
    "set_ground_plane": lambda sim, ids: sim.set_ground_plane(yaw_rate=1, ids=ids),
    "set_earth": lambda sim, ids: sim.environment.set_earth("ellipsoid", ids=ids),
    "set_date": lambda sim, ids: sim.environment.set_date(2026.0, ids=ids),
    "set_terrain": lambda sim, ids: sim.environment.set_terrain(FLAT, ids=ids),
    "sensors": lambda sim, ids: sim.sensors.enable("imu", "barometer", profile=None, ids=ids),
    "set_rate": lambda sim, ids: sim.sensors.set_rate("imu", 50, ids=ids),
    "give": lambda sim, ids: sim.sensors.give("range", range_distance=1, ids=ids),
    "power": lambda sim, ids: sim.power.enable(ids=ids),
}


def state(sim: Sim) -> dict[str, bytes]:
    """Return the bytes of all stored columns."""
    return {f.name: sim.select().read(f.name).tobytes() for f in sim.fields()}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_vehicle_that_is_given_twice_is_refused_before_anything_is_enabled(change: Call) -> None:
    sim = placed()
    before = state(sim)
    with pytest.raises(ValueError, match=r"ids: .*got 1 2 times"):
        change(sim, [1, 1])
    assert state(sim) == before


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_is_refused_while_another_thread_steps_changes_nothing(change: Call) -> None:
    sim = placed()
    for part in ("environment", "sensors", "power", "terrain", "earth", "rotor_air", "downwash"):
        sim.enable_part(part)
    before = state(sim)
    with sim._clock._stepping, pytest.raises(RuntimeError, match="another thread"):
        change(sim, None)
    assert state(sim) == before
    change(sim, None)


def test_effects_are_switched_off_of_none_while_another_thread_steps() -> None:
    sim = placed()
    sim.environment.enable("atmosphere")
    with sim._clock._stepping, pytest.raises(RuntimeError, match="another thread"):
        sim.environment.disable("atmosphere")
    assert sim.environment_effects.all()


def test_estimators_of_a_vehicle_that_is_given_twice_are_refused() -> None:
    sim = measured()
    sim.sensors.enable("imu")
    before = state(sim)
    with pytest.raises(ValueError, match="ids: expected each"):
        sim.estimator.enable(ids=[1, 1])
    with pytest.raises(ValueError, match="fly: expected true or false, got 'x'"):
        sim.estimator.enable(fly="x")  # type: ignore[arg-type]
    assert state(sim) == before


def test_a_bad_value_after_a_good_one_gives_none() -> None:
    sim = placed()
    before = state(sim)
    with pytest.raises(ValueError, match="imu_gyro: expected finite"):
        sim.sensors.give("imu", imu_accel=[1, 2, 3], imu_gyro=[np.nan] * 3)
    assert state(sim) == before


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda sim: sim.power.enable(capacity=1e308), "capacity"),
        (lambda sim: sim.power.enable(avionics=1e308), "avionics"),
        (lambda sim: sim.environment.set_downwash(1e308), "disk_area"),
        (lambda sim: sim.environment.set_downwash(inflow=1e308), "inflow"),
        (lambda sim: sim.environment.set_ground_effect(1e308), "radius"),
        (lambda sim: sim.environment.set_rotor_air(1e308, 0), "drag"),
    ],
)
def test_values_beyond_all_vehicles_are_refused(change: Callable[[Sim], object], name: str) -> None:
    sim = placed()
    before = state(sim)
    with pytest.raises(ValueError, match=f"^{name}: expected finite values up to"):
        change(sim)
    assert state(sim) == before


UNEVEN = [[1, 2], [3]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda sim: sim.environment.set_gust([True] * 3, rise=1), "velocity: expected numbers"),
        (lambda sim: sim.environment.set_gust([1, 0, 0], rise=True), "rise: expected numbers"),
        (lambda sim: sim.power.enable(capacity=True), "capacity: expected numbers"),
        (lambda sim: TerrainMap([[0, 0], [0, 0]], True), "spacing: expected numbers"),
        (lambda sim: setattr(sim, "origin", (True, 1, 2)), "origin: expected latitude"),
        (lambda sim: setattr(sim, "wind", UNEVEN), "wind: expected even rows"),
        (lambda sim: sim.sensors.give("imu", imu_accel=UNEVEN), "imu_accel: expected numbers"),
        (lambda sim: sim.select(UNEVEN), "ids: expected CopterIDs"),
        (lambda sim: sim.sensors.enable(np.zeros((0, 3))), "sensors: expected some of"),
        (lambda sim: sim.environment.enable(np.zeros(3)), "effects: expected some of"),
        (lambda sim: sim.reset(mask=UNEVEN), "mask: expected bools"),
        (lambda sim: sim.reset(hover=np.zeros((0, 3))), "hover: expected true or false"),
        (lambda sim: setattr(sim, "controllers", UNEVEN), "controllers: expected true or false"),
        (lambda sim: sim.sleep([]), "seconds: expected one number"),
        (lambda sim: sim.add_listener(print, [1, 2]), "period: expected one number"),
        (lambda sim: Sim("x450", control_rates=UNEVEN), "control_rates: expected three rates"),
        (lambda sim: sim.set_contact_points([[1e308, 0, 0]]), "points: expected finite values up"),
        (lambda sim: sim.command_sil(floats=UNEVEN), "floats: expected numbers"),
        (lambda sim: sim.randomize(5, 1, 2), r"name: .*got 5"),
    ],
)
def test_what_is_of_another_type_is_named(call: Callable[[Sim], object], message: str) -> None:
    sim = placed()
    sim.enable_synthesis()
    with pytest.raises((TypeError, ValueError), match=message):
        call(sim)


MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[False, False, True])


@pytest.mark.parametrize(
    "call",
    [
        lambda sim: sim.command_position(MASKED),
        lambda sim: sim.command_position([0, 0, -1], yaw=np.ma.masked),
        lambda sim: sim.command_velocity([0, 0, 0], yaw_rate=np.ma.masked),
        lambda sim: sim.command_sil(np.ma.masked_all(8, np.int32)),
        lambda sim: sim.command_sil(floats=np.ma.masked_all(20)),
        lambda sim: sim.reset(yaw=np.ma.masked),
        lambda sim: sim.at(0.0, wind=MASKED),
        lambda sim: setattr(sim, "wind", MASKED),
        lambda sim: sim.select(1).write("wind", MASKED),
        lambda sim: sim.arm(ids=np.ma.array([1], mask=True)),
    ],
)
def test_masked_numbers_are_none(call: Call) -> None:
    sim = Sim("x450")
    sim.enable_synthesis()
    with pytest.raises(ValueError, match="expected numbers without a mask"):
        call(sim)
