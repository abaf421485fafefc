"""Faults of actuators against vehicles whose commands or strengths are changed by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import Sim
from pyrfly.vehicles import FAMILIES, load, names

FIRST = [names(family)[0] for family in FAMILIES]
VEHICLES = [name for name in FIRST if load(name).actuator_count > 1]
"""One of each family."""

LEVELS = (0.5, 0.3, 0.2, 0.6)
"""Commands of the first four actuators, or of as many as there are."""

Array = NDArray[np.float64]


def command(sim: Sim, values: Sequence[float]) -> None:
    """Write the commands of the first actuators."""
    group = sim.groups[0]
    left = list(values)
    for name in group.actuators:
        view = group.view(name).reshape(group.n, -1)
        own, left = left[: view.shape[1]], left[view.shape[1] :]
        view[:, : len(own)] = own


def flown(vehicle: str, change: Callable[[Sim], object], values: Sequence[float] = LEVELS) -> Array:
    """Return velocity and angular velocity after a flight with constant commands."""
    sim = Sim(vehicle)
    sim.controllers = False
    sim.reset(pos=None if sim.groups[0].abilities.kind.on_surface else [0, 0, -500])
    sim.arm()
    command(sim, values[: sim.groups[0].parameters.actuator_count])
    change(sim)
    sim.step(2000 if sim.groups[0].abilities.kind.on_surface else 300)  # steering is slow
    return np.concatenate([sim.vel[0], sim.rate[0]])


def same(one: Array, other: Array) -> None:
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-11)


def nothing(sim: Sim) -> None:
    """Leave a vehicle as it is, but with the same kernels."""
    sim.enable_part("faults")


def second(value: float) -> list[float]:
    """Return the commands with another second one."""
    return [LEVELS[0], value, *LEVELS[2:]]


@pytest.mark.parametrize("vehicle", VEHICLES)
@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("motor", {"effectiveness": 0.75}, 0.75 * LEVELS[1]),
        ("actuator_bias", {"bias": 0.1}, LEVELS[1] + 0.1),
        ("actuator_stuck", {"value": 0.45}, 0.45),
        ("actuator_limits", {"maximum": 0.25}, 0.25),
        ("actuator_limits", {"minimum": 0.4}, 0.4),
    ],
)
def test_a_fault_of_a_command_acts_as_the_other_command(
    vehicle: str, kind: str, values: dict[str, float], expected: float
) -> None:
    faulty = flown(vehicle, lambda sim: sim.faults.add(kind, actuator=2, **values))
    same(faulty, flown(vehicle, nothing, second(expected)))
    assert np.abs(faulty - flown(vehicle, nothing)).max() > 1e-6


@pytest.mark.parametrize("vehicle", VEHICLES)
def test_a_damaged_propeller_or_surface_acts_as_a_strength_does(vehicle: str) -> None:
    count = Sim(vehicle).groups[0].parameters.actuator_count
    left = np.ones(count)
    left[1] = 0.3
    faulty = flown(vehicle, lambda sim: sim.faults.add("propeller", actuator=2, effectiveness=0.3))
    same(faulty, flown(vehicle, lambda sim: sim.set_strength(left)))


def test_a_propeller_is_lost_by_default_and_its_motor_still_turns() -> None:
    sim = Sim("hex_x")
    sim.controllers = False
    sim.reset(pos=[0, 0, -50], hover=True)
    before = sim.specific_force[0, 2]
    sim.faults.add("propeller", actuator=4)
    sim.step(2)
    np.testing.assert_allclose(sim.specific_force[0, 2], before * 5 / 6, rtol=1e-3)
    assert (sim.rotor_speed[0, 3] > 0.99 * sim.rotor_speed[0, :6]).all()


def test_factors_multiply_terms_add_limits_intersect() -> None:
    sim = Sim("x450")
    add = sim.faults.add
    add("motor", actuator=(1, 2), effectiveness=0.5)
    add("motor", actuator=1, effectiveness=0.5)
    add("actuator_bias", actuator=1, bias=0.25)
    add("actuator_bias", actuator=1, bias=-0.5)
    add("actuator_limits", actuator=1, minimum=0.125, maximum=0.75)
    add("actuator_limits", actuator=1, minimum=0.0, maximum=0.5)
    sim.step()
    assert sim.command_factor[0, :3].tolist() == [0.25, 0.5, 1]
    assert sim.command_offset[0, :2].tolist() == [-0.25, 0]
    assert (sim.command_minimum[0, 0], sim.command_maximum[0, 0]) == (0.125, 0.5)


def test_what_sticks_holds_its_value_whatever_else_is_wrong() -> None:
    faults: list[tuple[str, dict[str, Any]]] = [
        ("actuator_stuck", {"value": 0.45}),
        ("motor", {"effectiveness": 0.5}),
        ("actuator_jitter", {"deviation": 1.0}),
        ("actuator_limits", {"maximum": 0.1}),
    ]

    def change(sim: Sim) -> None:
        for kind, values in faults:
            sim.faults.add(kind, actuator=2, **values)

    same(flown("x450", change), flown("x450", nothing, second(0.45)))


OTHERS = (0.2, 0.7, 0.5, 0.3)
"""Commands after those of `LEVELS`."""


def redirected(vehicle: str, later: Sequence[float], fault: bool) -> Array:
    """Return what moves a vehicle after other commands, with its second actuator frozen or not."""
    sim = Sim(vehicle)
    count = sim.groups[0].parameters.actuator_count
    sim.controllers = False
    sim.enable_part("faults")
    sim.reset(pos=None if sim.groups[0].abilities.kind.on_surface else [0, 0, -500])
    sim.arm()
    command(sim, LEVELS[:count])
    sim.step(100)
    if fault:
        sim.faults.add("actuator_freeze", actuator=2)
    sim.step(2)
    command(sim, later[:count])
    image = sim.snapshot()
    sim.step(1000)
    moved = np.concatenate([sim.vel[0], sim.rate[0]])
    sim.restore(image)
    sim.step(1000)
    np.testing.assert_array_equal(np.concatenate([sim.vel[0], sim.rate[0]]), moved)
    return moved


@pytest.mark.parametrize("vehicle", VEHICLES)
def test_an_actuator_that_freezes_keeps_what_it_got(vehicle: str) -> None:
    frozen = redirected(vehicle, OTHERS, fault=True)
    kept = [OTHERS[0], LEVELS[1], *OTHERS[2:]]
    same(frozen, redirected(vehicle, kept, fault=False))
    assert np.abs(frozen - redirected(vehicle, OTHERS, fault=False)).max() > 1e-6


def test_the_speed_of_a_motor_that_freezes_stays_while_others_change() -> None:
    sim = Sim("hex_x")
    sim.reset(pos=[0, 0, -50], hover=True)
    sim.faults.add("actuator_freeze", actuator=3, at=0.5)
    sim.sleep(0.5)
    sim.command_velocity([0, 0, -3])
    before, speeds = sim.rotor_speed[0, :6].copy(), []
    for _ in range(100):
        sim.step(10)
        speeds.append(sim.rotor_speed[0, :6].copy())
    changes = np.abs(np.array(speeds) / before - 1).max(axis=0)
    assert changes[2] < 1e-6
    assert (np.delete(changes, 2) > 0.01).all()


def test_freezing_keeps_what_other_faults_left_and_ends() -> None:
    sim = Sim("x450")
    sim.controllers = False
    sim.reset(pos=[0, 0, -50])
    command(sim, LEVELS)
    sim.faults.add("motor", actuator=(1, 2), effectiveness=0.5)
    sim.step(4)
    sim.faults.add("actuator_freeze", actuator=2, duration=0.1)
    sim.faults.add("actuator_bias", actuator=(1, 2), bias=0.3)
    sim.faults.add("actuator_stuck", actuator=2, value=0.9, at=0.05, duration=0.02)
    sim.step(4)
    command(sim, OTHERS)
    factor, offset = sim.command_factor[0, :2], sim.command_offset[0, :2]
    np.testing.assert_allclose([factor, offset], [[0.5, 0], [0.3, 0.5 * LEVELS[1]]])
    sim.sleep(0.06)
    np.testing.assert_allclose([factor, offset], [[0.5, 0], [0.3, 0.9]])
    sim.sleep(0.02)
    np.testing.assert_allclose([factor, offset], [[0.5, 0], [0.3, 0.9]])
    sim.sleep(0.1)
    np.testing.assert_allclose([factor, offset], [[0.5, 0.5], [0.3, 0.3]])


def test_jitter_is_white_and_has_its_deviation() -> None:
    sim = Sim("x450", 512)
    sim.faults.add("actuator_jitter", actuator=(2, 3), deviation=0.1)
    sim.faults.add("actuator_jitter", actuator=3, deviation=0.2)
    found = []
    for _ in range(20):
        sim.step(2)
        found.append(np.array(sim.command_jitter[:, :4]))
    noise = np.stack(found)
    assert not noise[..., [0, 3]].any()
    count = noise[..., 0].size
    for k, deviation in ((1, 0.1), (2, np.hypot(0.1, 0.2))):
        assert abs(noise[..., k].std() / deviation - 1) < 5 / np.sqrt(2 * count)
        assert abs(noise[..., k].mean()) < 5 * deviation / np.sqrt(count)
    last, first = noise[1:, :, 1].ravel(), noise[:-1, :, 1].ravel()
    assert abs(np.corrcoef(last, first)[0, 1]) < 5 / np.sqrt(len(last))
    assert abs(np.corrcoef(noise[..., 1].ravel(), noise[..., 2].ravel())[0, 1]) < 5 / np.sqrt(count)


def test_an_imu_shakes_by_the_commands_that_the_actuators_get() -> None:
    """The curve of the noise is one of the mean command: motors that are off shake nothing."""
    found = []
    for off in (False, True):
        sim = Sim("x450", 2)
        sim.controllers = False
        sim.sensors.enable("imu", profile="rflysim")
        sim.reset(pos=[0, 0, -30], seed=4)
        sim.throttle[:] = 0.6 if off else 0.0
        if off:
            sim.faults.add("motor", actuator=(1, 2, 3, 4), effectiveness=0.0)
        sim.sleep(0.2)
        found.append(np.array(sim.imu_gyro))
    assert found[0].any()
    np.testing.assert_array_equal(*found)
