"""Sensors of models of one's own: the same model in C and in Python, against closed forms."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim, plugins
from pyrfly.plugins import Call, Column, OwnModel

BODY: dict[str, Any] = {"mass": 2.0, "inertia": [0.2, 0.3, 0.4, 0.0, 0.0, 0.0]}
ROWS = 9  # of noise: more than a block of random words has
TAU = 0.05


def derivative(c: Call) -> dict[str, Any]:
    a, x, y, z = c.state.att.T
    lift = c.input.command[:, 0] * c.param.full_thrust / c.param.mass
    down = np.stack([2 * (x * z + a * y), 2 * (y * z - a * x), 1 - 2 * (x * x + y * y)], axis=-1)
    accel = -lift[:, None] * down
    accel[:, 2] = c.param.gravity - lift * (1 - 2 * (x * x + y * y))
    return {
        "vel": accel,
        "rate": np.zeros_like(accel),
        "spin": (100 * c.input.command[:, 0] - c.state.spin) / 0.1,
    }


def sense(c: Call) -> dict[str, Any]:
    share = 1 - np.exp(-c.period / TAU)
    return {
        "felt": c.specific_force,
        "spin_up": c.derivative.spin,
        "lagged": c.sensor.lagged + share * (1 - c.sensor.lagged),
        "hiss": c.noise.hiss,
        "samples": c.sensor.samples + 1,
    }


@pytest.fixture(scope="module")
def in_python() -> OwnModel:
    return plugins.from_functions(
        "probe",
        derivative,
        state={"spin": Column("rad/s", "speed of a wheel")},
        param={**BODY, "full_thrust": Column("N", "thrust at full command", 40.0)},
        sensor={
            "felt": Column("m/s^2", "specific force", np.zeros(3), frame="FRD"),
            "spin_up": Column("rad/s^2", "acceleration of the wheel"),
            "lagged": Column("1", "a step behind a lag"),
            "hiss": Column("1", "noise", np.zeros(ROWS)),
            "samples": Column("1", "number of samples, from 3 on", 3.0),
        },
        sense=sense,
        actuators=1,
    )


@pytest.fixture(scope="module")
def in_c(build: Callable[[str], Path]) -> OwnModel:
    loaded = plugins.load(build("probe"))
    assert isinstance(loaded, OwnModel)
    return loaded


@pytest.fixture(params=["in_c", "in_python"])
def probe(request: pytest.FixtureRequest) -> OwnModel:
    model = request.getfixturevalue(request.param)
    assert isinstance(model, OwnModel)
    return model


def flying(model: OwnModel, vehicles: int, *, seed: int = 0, **options: Any) -> Sim:
    """Return vehicles with different commands, turning, whose sensors run every four steps."""
    sim = Sim({model: vehicles}, dt=1e-3, **options)
    sim.reset(pos=[0, 0, -500], yaw=2.0, seed=seed)
    sim.groups[0].command[:, 0] = np.linspace(0.2, 0.8, vehicles)
    sim.rate = [1.0, -0.5, 0.3]
    return sim


SENSORS = ("felt", "spin_up", "lagged", "hiss", "samples")


def sensed(sim: Sim) -> dict[str, Any]:
    return {name: getattr(sim.groups[0], name).copy() for name in SENSORS}


def test_models_in_c_and_in_python_sense_the_same(in_c: OwnModel, in_python: OwnModel) -> None:
    ours, theirs = flying(in_c, 70), flying(in_python, 70)
    for sim in (ours, theirs):
        sim.set_load(force=[1.0, 2.0, 3.0])
        sim.step(50)
    theirs_sensed = sensed(theirs)
    for name, values in sensed(ours).items():
        np.testing.assert_allclose(values, theirs_sensed[name], rtol=1e-9, atol=1e-12, err_msg=name)
    assert (ours.groups[0].hiss == theirs_sensed["hiss"]).all()


@pytest.mark.parametrize("surroundings", ["plain", "load", "earth", "payload"])
def test_the_specific_force_is_that_of_an_imu_without_errors(
    probe: OwnModel, surroundings: str
) -> None:
    sim = flying(probe, 3)
    sim.vel = [30.0, 20.0, -5.0]
    sim.sensors.enable("imu", profile="ideal")
    if surroundings == "load":
        sim.set_load(force=[1.0, 2.0, 3.0], torque=[0.1, 0.2, 0.3])
    elif surroundings == "earth":
        sim.environment.enable("gravity")
        sim.environment.set_earth("sphere")
    elif surroundings == "payload":
        sim.payload.attach(0.5, place=[0.1, 0.0, 0.2])
    sim.step(41)  # the last sample is that of tick 40
    np.testing.assert_allclose(sim.groups[0].felt, sim.imu_accel, rtol=1e-12, atol=1e-12)
    assert np.abs(sim.imu_accel).max() > 1


def test_loads_and_the_model_are_in_derivative_and_specific_force(probe: OwnModel) -> None:
    """Closed form: f = R^T F / m - T / m along the body's down axis, of a heading of 2 rad."""
    sim = Sim({probe: 2})
    sim.reset(pos=[0, 0, -500], yaw=2.0)
    sim.groups[0].command[:, 0] = 0.25, 0.5
    sim.set_load(force=[[3.0, 0, 0], [0, 0, 0]])
    sim.step(1)
    cosine, sine = np.cos(2.0), np.sin(2.0)
    np.testing.assert_allclose(
        sim.groups[0].felt, [[1.5 * cosine, -1.5 * sine, -5], [0, 0, -10]], atol=1e-12
    )
    np.testing.assert_allclose(sim.groups[0].spin_up, [250.0, 500.0])


def test_impacts_are_in_the_specific_force(in_c: OwnModel) -> None:
    sim = Sim({in_c: 2}, dt=1e-3)
    sim.sensors.enable("imu", profile="ideal")
    sim.collisions.enable()
    sim.reset(pos=[[0, 0, -50], [1.5, 0.1, -50]])
    sim.vel = [[10, 0, 0], [-10, 0, 0]]
    hardest = 0.0
    for _ in range(30):
        sim.step(4)
        np.testing.assert_allclose(sim.groups[0].felt, sim.imu_accel, rtol=1e-12, atol=1e-12)
        hardest = max(hardest, float(np.abs(sim.groups[0].felt).max()))
    assert hardest > 100


def test_a_vehicle_that_is_held_by_a_fault_feels_its_weight(in_c: OwnModel) -> None:
    sim = flying(in_c, 2)
    sim.rate = 0.0
    sim.groups[0].command[0, 0] = np.inf
    sim.step(20)
    assert sim.status[0] != 0
    np.testing.assert_allclose(sim.groups[0].felt[0], [0, 0, -9.8], atol=1e-12)
    assert sim.groups[0].spin_up[0] == 0


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("controllers", [True, False])
def test_it_runs_at_the_rate_of_the_sensors(
    probe: OwnModel, precision: str, controllers: bool
) -> None:
    """Closed form of a lag: 1 - exp(-k T / tau) after k samples at intervals T."""
    sim = flying(probe, 3, sensor_rate=100.0, precision=precision)
    sim.controllers = controllers
    sim.step(95)
    sim.step(6)  # samples at 0, 10, ..., 100 ms
    group = sim.groups[0]
    assert (group.samples == 3 + 11).all()
    tolerance = 1e-12 if precision == "float64" else 1e-6
    np.testing.assert_allclose(group.lagged, 1 - np.exp(-11 * 0.01 / TAU), rtol=tolerance)


def test_noise_is_standard_normal_and_independent(in_c: OwnModel) -> None:
    """Each figure is within five of its standard deviations."""
    seed, vehicles, runs = 20260, 400, 60
    print(f"seed {seed}")
    sim = flying(in_c, vehicles, seed=seed)
    noise = np.empty((runs, vehicles, ROWS))
    for run in range(runs):
        sim.step(4)
        noise[run] = sim.groups[0].hiss
    count = noise.size
    assert abs(noise.mean()) < 5 / np.sqrt(count)
    assert abs(noise.var() - 1) < 5 * np.sqrt(2 / count)
    assert abs((noise**4).mean() - 3) < 5 * np.sqrt(96 / count)
    between = {
        "samples": noise[1:] * noise[:-1],
        "vehicles": noise[:, 1:] * noise[:, :-1],
        **{f"rows, {k} apart": noise[..., k:] * noise[..., :-k] for k in range(1, ROWS)},
    }
    for name, products in between.items():
        assert abs(products.mean()) < 5 / np.sqrt(products.size), name


def test_noise_follows_from_the_seed_and_the_vehicle_alone(in_c: OwnModel) -> None:
    alone, among, pieces, threads = (
        flying(in_c, n, seed=7, **options)
        for n, options in ((1, {}), (300, {}), (300, {"threads": 2}), (300, {"threads": 2}))
    )
    for sim in (alone, among, threads):
        sim.step(50)
    for _ in range(50):
        pieces.step(1)
    assert (among.groups[0].hiss[0] == alone.groups[0].hiss[0]).all()
    for other in (pieces, threads):
        for name, values in sensed(other).items():
            assert (values == getattr(among.groups[0], name)).all(), name
    others = flying(in_c, 300, seed=8)
    others.step(50)
    assert (others.groups[0].hiss != among.groups[0].hiss).all()


def test_copies_and_snapshots_go_on_alike_and_a_reset_begins_anew(probe: OwnModel) -> None:
    sim = flying(probe, 3)
    sim.step(30)
    other = Sim({probe: 3}, dt=1e-3)
    other.restore(sim.snapshot())
    others = [copy.deepcopy(sim), other]
    assert [one.hash() for one in others] == [sim.hash()] * 2
    for one in (sim, *others):
        one.step(30)
    for one in others:
        for name, values in sensed(one).items():
            assert (values == getattr(sim.groups[0], name)).all(), name
    sim.reset()
    assert (sim.groups[0].samples == 3).all()
    assert (sim.groups[0].lagged == 0).all()


def test_episodes_begin_with_the_start_values_of_the_sensors() -> None:
    """It falls, whatever the action of its motor, until the episode ends."""
    pytest.importorskip("gymnasium")
    from pyrfly import rl

    def fall(c: Call) -> dict[str, Any]:
        return {"vel": c.param.gravity[:, None] * [0.0, 0.0, 1.0], "rate": 0.0}

    model = plugins.from_functions(
        "falling",
        fall,
        param=BODY,
        sensor={"samples": Column("1", "number of samples", 3.0)},
        sense=lambda c: {"samples": c.sensor.samples + 1},
        control=lambda c: {"command": np.zeros((len(c.state.pos), 1))},
        actuators=1,
    )
    env = rl.PyrflyVectorEnv(2, "hover", model, action="motor", start={"hovering": False})
    env.reset(seed=1)
    for _ in range(200):
        if env.step(np.zeros(env.action_space.shape, np.float32))[2][0]:
            break
    assert env.sim.groups[0].samples[0] > 10
    env.step(np.zeros(env.action_space.shape, np.float32))  # the first one of the next episode
    assert env.sim.groups[0].samples[0] == 3


def test_a_controller_flies_on_the_sensors_of_its_model() -> None:
    """The altimeter lags and has an offset: the vehicle settles that far from its set-point."""

    def hover(c: Call) -> dict[str, Any]:
        accel = np.zeros_like(c.state.vel)
        accel[:, 2] = c.param.gravity - 20 * c.input.command[:, 0]
        return {"vel": accel, "rate": np.zeros_like(accel)}

    def measure(c: Call) -> dict[str, Any]:
        share = 1 - np.exp(-c.period / 0.02)
        level = c.state.pos[:, 2] + c.param.offset
        return {"level": c.sensor.level + share * (level - c.sensor.level)}

    def control(c: Call) -> Mapping[str, Any]:
        error = c.setpoint.pos_sp[:, 2] - c.sensor.level
        return {"command": ((9.8 - 4 * error + 3 * c.state.vel[:, 2]) / 20)[:, None]}

    model = plugins.from_functions(
        "lift",
        hover,
        param={**BODY, "offset": Column("m", "offset of the altimeter", 0.0)},
        sensor={"level": Column("m", "measured z")},
        control=control,
        sense=measure,
        actuators=1,
    )
    sim = Sim({model: 2}, dt=4e-3, integrator="euler")
    sim.groups[0].offset[:] = 0.0, 0.5
    sim.armed = 1
    sim.command_position([[0, 0, -2], [0, 0, -2]])
    sim.step(2000)
    np.testing.assert_allclose(sim.pos[:, 2], [-2.0, -2.5], atol=1e-4)
    np.testing.assert_allclose(sim.groups[0].level, -2.0, atol=1e-4)


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        ({"level": np.zeros((3, 3))}, ValueError, "sense: level: expected shape"),
        ({"depth": 0.0}, KeyError, "sense: expected columns of level, got 'depth'"),
        (ZeroDivisionError("a mistake"), ZeroDivisionError, "a mistake"),
    ],
)
def test_what_a_sensor_in_python_raises_the_step_raises(
    result: Any, error: type[Exception], message: str
) -> None:
    def wrong(c: Call) -> dict[str, Any]:
        if isinstance(result, Exception):
            raise result
        given: dict[str, Any] = result
        return given

    model = plugins.from_functions(
        "wrong",
        lambda c: {"vel": 0.0, "rate": 0.0},
        param=BODY,
        sensor={"level": Column("m", "measured z")},
        sense=wrong,
    )
    with pytest.raises(error, match=message):
        Sim({model: 2}).step(1)
