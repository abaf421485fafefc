"""Waves, as `Environment.set_waves` and ``csrc/models/waves.h`` say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly import ParameterError

from .conftest import under_way

Array = NDArray[np.float64]

G = 9.80665


class Airy:
    """The components at a vehicle, by Airy's theory, for a hull that is a point."""

    def __init__(self, sim: pyrfly.Sim) -> None:
        self.amplitude, self.frequency = sim.wave_amplitude[0].copy(), sim.wave_frequency[0].copy()
        self.number = np.stack([sim.wave_number_north[0], sim.wave_number_east[0]])
        self.phase = sim.wave_phase[0].copy()
        self.size = np.linalg.norm(self.number, axis=0)

    def elevation(self, time: float, place: Array) -> float:
        """Return the height [m] of the surface at a time from then."""
        angle = self.frequency * time + self.phase - place @ self.number
        return float((self.amplitude * np.cos(angle)).sum())

    def velocity(self, time: float, place: Array, depth: float) -> Array:
        """Return the velocity of the water [m/s, NED]."""
        angle = self.frequency * time + self.phase - place @ self.number
        speed = self.amplitude * self.frequency * np.exp(-self.size * depth)
        level = (self.number / self.size) @ (speed * np.cos(angle))
        return np.array([*level, (speed * np.sin(angle)).sum()])

    def carried(self, time: float, place: Array, depth: float) -> Array:
        """Return the displacement of water that is at a place on average [m, NED]."""
        angle = self.frequency * time + self.phase - place @ self.number
        size = self.amplitude * np.exp(-self.size * depth)
        level = (self.number / self.size) @ (size * np.sin(angle))
        return np.array([*level, -(size * np.cos(angle)).sum()])

    def head(self, time: float, place: Array, depth: float) -> float:
        """Return the head of the pressure [m], beside that of water at rest."""
        angle = self.frequency * time + self.phase - place @ self.number
        return float((self.amplitude * np.exp(-self.size * depth) * np.cos(angle)).sum())


def held_at(sim: pyrfly.Sim, pos: Array) -> None:
    """Put vehicles at places for the next update, and make it."""
    sim.pos[:] = pos
    sim.vel[:] = 0.0
    sim.step(1)


def as_point(sim: pyrfly.Sim) -> None:
    """Let hulls meet the waves of one place."""
    for side in ("length", "width", "front", "draught"):
        getattr(sim, f"wave_hull_{side}")[:] = 0.0


@pytest.mark.parametrize("short_crested", [False, True])
def test_water_moves_by_linear_theory(short_crested: bool) -> None:
    sim = under_way("bluerov2_heavy", 3, depth=2.0, dt=0.004)
    sim.environment.set_waves(1.2, 6.0, direction=0.7, short_crested=short_crested, seed=11)
    as_point(sim)
    sea, pos = Airy(sim), np.array([[0.0, 0.0, 2.0], [25.0, -8.0, 2.0], [-3.0, 40.0, 7.0]])
    step, h = 0.004, 1e-4
    for update in range(400):
        held_at(sim, pos)
        if update % 57:
            continue
        time = update * step
        for i, (place, depth) in enumerate(zip(pos[:, :2], pos[:, 2], strict=True)):
            up = sea.elevation(time, place)
            assert sim.wave_height[i] == pytest.approx(-up, abs=1e-9)
            assert sim.wave_head[i] == pytest.approx(sea.head(time, place, depth), abs=1e-9)
            square = 0.5 * (sea.amplitude * np.exp(-sea.size * depth)) ** 2
            assert sim.wave_head_square[i] == pytest.approx(square.sum(), rel=1e-6)
            ahead = [sea.elevation(time, place + h * np.eye(2)[k]) - up for k in range(2)]
            np.testing.assert_allclose(sim.wave_gradient[i], -np.array(ahead) / h, atol=1e-5)
            now, later = (sea.velocity(time + t, place, depth) for t in (0.0, h))
            np.testing.assert_allclose(sim.wave_velocity[i], now, atol=1e-9)
            np.testing.assert_allclose(sim.wave_accel[i], (later - now) / h, atol=1e-3)


def test_what_moves_with_the_water_feels_no_pressure_of_waves() -> None:
    """What stays where it is feels the head; to first order in the steepness."""
    sim = under_way("bluerov2_heavy", 2, depth=1.0, dt=0.004)
    sim.environment.set_waves(0.1, 4.0, seed=2)
    as_point(sim)
    sea, place = Airy(sim), np.array([3.0, -2.0, 1.0])
    felt = []
    for update in range(1500):
        carried = sea.carried(update * 0.004, place[:2], 1.0)
        held_at(sim, np.stack([place, place + carried]))
        felt.append(sim.pos[:, 2] + sim.wave_head)
    stays, moves = np.ptp(felt, axis=0)
    assert stays > 0.04
    assert moves < 0.1 * stays


def test_a_hull_longer_than_the_waves_meets_none() -> None:
    sim = under_way("otter", 2, dt=0.002)
    sim.environment.set_waves(0.02, 0.8)
    sim.wave_hull_length[:] = [0.0, 30.0]
    sim.step(1)
    assert abs(sim.wave_height[0]) > 1e-4
    assert sim.wave_height[1] == 0.0


def wall(direction: float) -> pyrfly.Sim:
    """A boat at rest as a box 40 m by 30 m that sends all waves back, 0.1 m high and 6 m long."""
    sim = under_way("otter", 1, dt=0.002)
    sim.environment.set_waves(0.1, 2.0, direction=direction)
    sim.wave_hull_length[:], sim.wave_hull_width[:], sim.wave_hull_draught[:] = 40.0, 30.0, 50.0
    sim.wave_hull_front[:] = 20.0
    sim.step(1)
    return sim


ENERGY = 0.1**2 / 16  # m^2, over rho g: of Hs


@pytest.mark.parametrize("angle", [0.0, 30.0, 60.0, 90.0, 135.0, -20.0])
def test_short_waves_push_the_walls_of_a_box(angle: float) -> None:
    """The integral of sin^2 along the normals of the side that they meet, Faltinsen 5.3."""
    north, east = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    expected = ENERGY * np.array([20.0 * north * abs(north), 40.0 * east * abs(east)])
    np.testing.assert_allclose(
        wall(np.radians(angle)).wave_drift[0], expected, rtol=1e-6, atol=1e-9
    )


def test_the_push_turns_with_the_hull() -> None:
    ahead = wall(np.pi / 6)
    sim = wall(np.pi / 6 + 1.0)
    sim.reset(yaw=1.0)
    sim.step(1)
    (x, y), (north, east) = ahead.wave_drift[0], sim.wave_drift[0]
    turned = [np.cos(1.0) * x - np.sin(1.0) * y, np.sin(1.0) * x + np.cos(1.0) * y]
    np.testing.assert_allclose([north, east], turned, rtol=1e-4)


def test_a_catamaran_meets_waves_from_ahead_with_its_hulls() -> None:
    """Its water plane over its length, 0.44 m, of 1.29 m that it is wide."""
    sim = under_way("otter", 1, dt=0.002)
    sim.environment.set_waves(0.1, 2.0, direction=0.0)
    front = sim.buoyancy_area[0] / sim.wave_hull_length[0]
    assert front == pytest.approx(sim.wave_hull_front[0])
    assert front < 0.5 * sim.wave_hull_width[0]


def test_nothing_is_sent_back_by_a_hull_in_the_deep() -> None:
    sim = under_way("bluerov2_heavy", 2, depth=0.0, dt=0.002)
    sim.environment.set_waves(1.0, 4.0, seed=3)
    held_at(sim, np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 30.0]]))
    surface, deep = np.linalg.norm(sim.wave_drift, axis=1)
    assert surface > 1e-5
    assert deep < 1e-6 * surface


@pytest.mark.parametrize("name", ["otter", "wam_v", "gz_boat"])
def test_a_boat_without_power_drifts_slowly_in_waves_that_it_follows(name: str) -> None:
    """Stokes drift of the peak, a^2 w k, is 0.015 m/s; short waves, sent back, add to it."""
    sim = under_way(name, 1, dt=0.002)
    sim.environment.set_waves(1.0, 6.0, direction=np.pi / 2, seed=3)
    sim.sleep(30)
    begin = sim.pos[0].copy()
    sim.sleep(60)
    assert 0.0 < (sim.pos[0] - begin)[1] / 60 < 0.25


def test_a_boat_follows_long_waves() -> None:
    """Height and slope of the surface are those of a boat much shorter than the waves."""
    sim = under_way("otter", 2, dt=0.002)
    sim.environment.set_waves(2.0, 9.0, gamma=7.0, seed=5)
    sim.reset(pos=[[0.0, 0.0], [0.0, 30.0]], yaw=[0.0, np.pi / 2])
    heights, places, tilts, slopes = [], [], [], []
    for _ in range(1200):
        sim.sleep(0.1)
        heights.append(sim.wave_height.copy())
        places.append(sim.pos[:, 2].copy())
        tilts.append([sim.euler[0, 1], sim.euler[1, 0]])
        slopes.append([-sim.wave_gradient[0, 0], -sim.wave_gradient[1, 0]])
    late = slice(200, None)
    errors = np.array(places)[late] - np.array(heights)[late]
    assert errors.std(axis=0) == pytest.approx([0, 0], abs=0.03)
    assert np.std(np.array(heights)[late], axis=0) == pytest.approx([0.5, 0.5], rel=0.25)
    swayed = np.array(tilts)[late] - np.array(slopes)[late]
    assert (swayed.std(axis=0) < 0.25 * np.std(np.array(slopes)[late], axis=0)).all()


def test_one_seed_is_one_sea_for_all() -> None:
    sim = pyrfly.Sim({"otter": 1, "bluerov2_heavy": 1, "remus100": 1})
    sim.environment.set_waves(1.0, 6.0, seed=4, ids=[1, 2])
    sim.environment.set_waves(1.0, 6.0, seed=5, ids=3)
    assert (sim.wave_start[0] == sim.wave_start[1]).all()
    assert (sim.wave_start[0] != sim.wave_start[2]).any()


def test_a_snapshot_holds_the_sea_and_a_reset_begins_it_anew() -> None:
    sim = under_way("otter", 2, dt=0.002)
    sim.environment.set_waves(0.4, 4.0, short_crested=True, seed=9)
    begin = sim.wave_height.copy()
    sim.sleep(3)
    saved = sim.snapshot()
    sim.sleep(3)
    first = sim.pos.copy(), sim.wave_height.copy()
    sim.restore(saved)
    sim.sleep(3)
    assert (sim.pos == first[0]).all()
    assert (sim.wave_height == first[1]).all()
    sim.reset(pos=np.zeros((2, 3)))
    assert (sim.wave_height == begin).all()


def test_a_calm_sea_is_flat_water() -> None:
    sim = under_way("otter", 1, dt=0.002)
    sim.environment.set_waves(0.5, 4.0)
    sim.environment.set_waves(0.0)
    sim.sleep(2)
    assert not sim.wave_height.any()
    assert not sim.wave_velocity.any()
    assert not sim.wave_drift.any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "height, wind"),
        ({"height": 1.0, "wind": 5.0}, "height, wind"),
        ({"height": -1.0}, "height"),
        ({"height": np.nan}, "height"),
        ({"height": [1.0, 2.0]}, "height"),
        ({"height": 1.0, "period": 0.1}, "period"),
        ({"height": 1.0, "period": 1.5}, "height: .*break"),
        ({"height": 1.0, "gamma": 0.5}, "gamma"),
        ({"wind": 60.0}, "wind"),
        ({"height": 1.0, "direction": "north"}, "direction"),
        ({"height": 1.0, "short_crested": 2}, "short_crested"),
        ({"height": 1.0, "seed": 1.5}, "seed"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    sim = under_way("otter")
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        sim.environment.set_waves(**arguments)
    with pytest.raises(AttributeError):
        _ = sim.wave_height


def test_vehicles_on_land_have_no_waves() -> None:
    with pytest.raises(ParameterError, match="set_waves: expected vehicles in water"):
        pyrfly.Sim("x450").environment.set_waves(1.0)


@pytest.mark.parametrize("speed", [1.0, -1.0])
@pytest.mark.parametrize("drifts", [True, False])
def test_the_current_carries_the_waves(speed: float, drifts: bool) -> None:
    """What drifts meets them at w, what is held over ground at w + k u; the phase is continuous."""
    sim = under_way("otter", dt=0.002)
    sim.environment.set_waves(0.3, 4.0, seed=3)
    omega = 0.5 * np.pi
    number = omega**2 / 9.80665
    sim.wave_amplitude[:] = np.eye(1, 24) * 0.05
    sim.wave_frequency[:] = np.eye(1, 24) * omega
    sim.wave_number_north[:] = np.eye(1, 24) * number
    sim.wave_number_east[:] = 0.0
    sim.environment.set_current([speed, 0, 0])
    sim.reset()
    phases = []
    for _ in range(400):
        sim.pos[:, 0] = speed * sim.time if drifts else 0.0
        phases.append(sim.wave_phase[0, 0] - number * sim.pos[0, 0])
        sim.step(2)
    rate = np.diff(np.unwrap(phases)) / 0.004
    np.testing.assert_allclose(rate, omega + (0 if drifts else number * speed), rtol=1e-6)
