"""Second-order motors: closed forms, a flight against SciPy, what is kept, what is refused."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import pyrfly
from pyrfly import vehicles

Array = NDArray[np.float64]

SETS = ["sdk", "x450", "cf2x_l250", "hex_x", "octo_x"]  # equal rotors, and geometry in columns

MULTIROTORS = [name for name in vehicles.names() if vehicles.load(name).family == "multirotor"]

by_arithmetic = pytest.mark.parametrize(
    ("precision", "integrator", "tolerance"),
    [("float64", "rk4", 1e-11), ("float64", "euler", 1e-11), ("float32", "rk4", 1e-5)],
)


def driven(name: str = "sdk", n: int = 1, **options: Any) -> pyrfly.Sim:
    """Return vehicles far above the ground, controllers off, with a steady speed of 1000 u."""
    sim = pyrfly.Sim(name, n, **options)
    sim.controllers = False
    sim.motor_curve[:] = (0, 1000, 0, 0)
    sim.motor_dead_zone[:], sim.motor_max[:] = 0, 1
    sim.terrain[:] = 1e5
    sim.reset(pos=np.broadcast_to((0, 0, -100), (n, 3)))
    return sim


def at_rest(name: str = "sdk", n: int = 1, **options: Any) -> pyrfly.Sim:
    """Return vehicles on which their rotors have no effect but the reaction of their spin-up."""
    sim = driven(name, n, **options)
    names = {field.name for field in sim.fields()}
    coefficients = ("thrust_coef", "torque_coef", "rotor_thrust_coef", "rotor_torque_coef")
    damping = ("damping_linear", "damping_quadratic")
    for column in {"gravity", *damping, *coefficients} & names:
        getattr(sim, column)[:] = 0
    return sim


def response(times: Array, frequency: float, damping: float, start: Array, target: Array) -> Array:
    """Return speeds and accelerations (times, 2, rotors) by the matrix exponential."""
    matrix = np.array([[0, 1], [-(frequency**2), -2 * damping * frequency]])
    steady = np.stack([target, np.zeros_like(target)])
    return np.stack([steady + expm(matrix * t) @ (start - steady) for t in times])


@pytest.mark.slow
@by_arithmetic
@pytest.mark.parametrize("damping", [0.05, 0.7, 0.999999, 1, 1.000001, 1.2, 3, 200])
@pytest.mark.parametrize("frequency", [5, 80, 2000])
def test_speed_is_that_of_the_matrix_exponential(
    precision: str, integrator: str, tolerance: float, frequency: float, damping: float
) -> None:
    sim = at_rest(precision=precision, integrator=integrator)
    sim.motors.enable(frequency=frequency, damping=damping)
    start = np.array([[200, 400, 600, 800], [0, 30, -30, 0]], float)
    target = np.array([600, 500, 400, 700], float)
    sim.throttle[:] = target / 1000
    sim.rotor_speed[:], sim.rotor_accel[:, :4] = start
    times = 0.009 * np.arange(1, 21)
    wanted = response(times, frequency, damping, start, target)
    for speeds, accelerations in wanted:
        sim.step(9)
        np.testing.assert_allclose(sim.rotor_speed[0], speeds, atol=1e3 * tolerance)
        scale = 1e3 * max(frequency, 1) * tolerance
        np.testing.assert_allclose(sim.rotor_accel[0, :4], accelerations, atol=3 * scale)
    assert not sim.rotor_accel[:, 4:].any()


@pytest.mark.parametrize("damping", [0.2, 0.5, 0.7])
def test_a_step_overshoots_by_the_textbook_share_at_its_time(damping: float) -> None:
    sim = at_rest()
    sim.motors.enable(frequency=100, damping=damping)
    sim.throttle[:] = 0.5
    speeds = []
    for _ in range(100):
        sim.step()
        speeds.append(float(sim.rotor_speed[0, 0]))
    root = np.sqrt(1 - damping**2)
    assert max(speeds) / 500 - 1 == pytest.approx(np.exp(-np.pi * damping / root), abs=2e-3)
    assert 1e-3 * (1 + np.argmax(speeds)) == pytest.approx(np.pi / (100 * root), abs=1e-3)


def test_critical_damping_and_two_lags_in_series_have_their_closed_forms() -> None:
    """1 - (1 + f t) exp(-f t), and 1 - (T exp(-t / T) - S exp(-t / S)) / (T - S)."""
    slow, fast = 0.04, 0.01
    sim = at_rest(n=2)
    sim.motors.enable(
        frequency=[50, 1 / np.sqrt(slow * fast)],
        damping=[1, (slow + fast) / (2 * np.sqrt(slow * fast))],
    )
    sim.throttle[:] = 0.5
    for _ in range(20):
        sim.step(5)
        t = sim.time
        critical = 1 - (1 + 50 * t) * np.exp(-50 * t)
        series = 1 - (slow * np.exp(-t / slow) - fast * np.exp(-t / fast)) / (slow - fast)
        np.testing.assert_allclose(sim.rotor_speed[:, 0], [500 * critical, 500 * series], rtol=1e-9)


def test_much_damping_is_the_first_order_motor() -> None:
    """With f = 2 z / T the second time constant is about T / (4 z^2)."""
    tau, ratios = 0.05, np.array([10.0, 20.0, 40.0, 80.0])
    first, second = at_rest(n=4), at_rest(n=4)
    for sim in (first, second):
        sim.motor_tau[:] = tau
        sim.throttle[:] = 0.5
    second.motors.enable(damping=ratios)  # the default frequency
    np.testing.assert_allclose(second.motor_frequency, 2 * ratios / tau)
    worst = np.zeros(4)
    for _ in range(100):
        for sim in (first, second):
            sim.step()
        worst = np.maximum(worst, np.abs(second.rotor_speed - first.rotor_speed)[:, 0])
    assert (worst < 500 / (4 * ratios**2)).all()
    np.testing.assert_allclose(worst[:-1] / worst[1:], 4, rtol=0.3)


def derivative(t: float, y: Array, sim: pyrfly.Sim, speeds: Array, law: tuple[float, float]) -> Any:
    """Return that of z, vertical speed, yaw rate, and speeds and accelerations of the rotors."""
    _, down, yaw_rate, *rotors = y
    w, accel = np.reshape(rotors, (2, 4))
    frequency, damping = law
    turning = np.array([-1.0, -1.0, 1.0, 1.0])  # clockwise from above
    thrust = (sim.thrust_coef[0, 0] * w + sim.thrust_coef[0, 1] * w**2).sum()
    torque = sim.torque_coef[0, 0] * w + sim.torque_coef[0, 1] * w**2
    drag = sim.drag_linear[0, 2] * down + sim.drag_quadratic[0, 2] * down * abs(down)
    moment = -(turning * (torque + sim.rotor_inertia[0] * accel)).sum()
    moment -= sim.damping_linear[0, 2] * yaw_rate
    moment -= sim.damping_quadratic[0, 2] * yaw_rate * abs(yaw_rate)
    return np.concatenate(
        [
            [down, sim.gravity[0] - (thrust + drag) / sim.mass[0], moment / sim.inertia[0, 2]],
            accel,
            frequency**2 * (speeds - w) - 2 * damping * frequency * accel,
        ]
    )


@pytest.mark.parametrize("integrator", ["rk4", "euler"])
def test_a_climb_with_yaw_agrees_with_scipy(integrator: str) -> None:
    """RK4 has errors of second order in the step: that of the speed within it."""
    law = (70.0, 0.4)
    throttle = np.array([0.62, 0.62, 0.5, 0.5])
    errors = []
    for dt in (2e-3, 1e-3):
        sim = driven(dt=dt, integrator=integrator)
        sim.motors.enable(frequency=law[0], damping=law[1])
        sim.throttle[:] = throttle
        truth = solve_ivp(
            derivative,
            (0, 0.4),
            np.zeros(11),
            "DOP853",
            args=(sim, 1000 * throttle, law),
            rtol=1e-12,
            atol=1e-12,
        ).y[:, -1]
        sim.step(round(0.4 / dt))
        np.testing.assert_allclose(sim.rotor_speed[0], truth[3:7], rtol=1e-10)
        found = np.array([sim.pos[0, 2] + 100, sim.vel[0, 2], sim.rate[0, 2]])
        errors.append(np.abs(found - truth[:3]))
        np.testing.assert_allclose(sim.att[0, 1:3], 0, atol=1e-12)
    order = np.log2(errors[0] / errors[1])
    if integrator == "rk4":
        np.testing.assert_allclose(order, 2, atol=0.2)
        assert (errors[1] < 2e-4).all()
    else:
        assert (errors[1] < 2e-2).all()


@pytest.mark.parametrize("name", SETS)
def test_the_spin_of_the_rotors_is_balanced_by_the_body(name: str) -> None:
    sim = at_rest(name)
    sim.motors.enable(frequency=90, damping=0.3)
    clockwise = (
        np.array([-1, -1, 1, 1])
        if sim.groups[0].parameters.c_type == "quad_x"
        else sim.rotor_direction[0]
    )
    sim.throttle[:] = 0.3 + 0.2 * clockwise
    inertia = np.broadcast_to(sim.rotor_inertia[0], clockwise.shape)
    for _ in range(10):
        sim.step(7)
        spin = (inertia * clockwise * sim.rotor_speed[0]).sum()
        assert sim.inertia[0, 2] * sim.rate[0, 2] == pytest.approx(-spin, rel=1e-9)
        turning = (inertia * clockwise * sim.rotor_accel[0, : len(clockwise)]).sum()
        expected = -turning / sim.inertia[0, 2]
        assert sim.angular_accel[0, 2] == pytest.approx(expected, rel=1e-9)


def test_a_rotor_stops_where_it_would_turn_backwards() -> None:
    sim = at_rest()
    sim.motors.enable(frequency=100, damping=0.1)
    sim.rotor_speed[:] = 600
    speeds = []
    for _ in range(60):
        sim.step()
        speeds.append(float(sim.rotor_speed[0, 0]))
    stopped = speeds.index(0)
    assert min(speeds) == 0
    assert not any(speeds[stopped:])
    assert 1e-3 * stopped == pytest.approx(np.pi / 2 / 100, rel=0.2)
    assert not sim.rotor_accel.any()


def flown(steps: tuple[int, ...] = (240,), n: int = 1, **options: Any) -> pyrfly.Sim:
    sim = driven("iris", n, **options)
    sim.motors.enable(frequency=np.linspace(60, 90, 70)[-n:], damping=0.4)
    sim.throttle[:] = (0.6, 0.62, 0.65, 0.6)
    for count in steps:
        sim.step(count)
    return sim


def test_results_do_not_depend_on_calls_batch_or_threads() -> None:
    one = flown()
    for other in (flown((1,) * 60 + (180,)), flown((7, 233)), flown(n=70, threads=2)):
        for column in ("rotor_speed", "rotor_accel", "att", "pos"):
            np.testing.assert_array_equal(getattr(other, column)[-1], getattr(one, column)[0])


def test_every_integrator_ends_at_the_same_speed() -> None:
    rk4, euler = flown(), flown(integrator="euler")
    np.testing.assert_array_equal(rk4.rotor_speed, euler.rotor_speed)
    np.testing.assert_array_equal(rk4.rotor_accel, euler.rotor_accel)


def test_everything_is_off_until_it_is_enabled() -> None:
    sim = pyrfly.Sim("x450", 2)
    before = sim.nbytes
    assert not sim.motors.enabled
    with pytest.raises(AttributeError, match=r"sim\.motors\.enable"):
        _ = sim.rotor_accel
    sim.motors.disable()
    assert sim.nbytes == before
    sim.motors.enable(ids=2)
    assert sim.motors.enabled
    assert (sim.motor_frequency > 0).tolist() == [False, True]
    assert sim.motor_damping[1] == 1
    assert sim.motor_frequency[1] == pytest.approx(2 / sim.motor_tau[1].mean())


def test_others_keep_first_order_motors_and_disabling_restores_them() -> None:
    sim, first = at_rest(n=3), at_rest()
    sim.motors.enable(frequency=60, damping=0.4, ids=[1, 3])
    for world in (sim, first):
        world.throttle[:] = 0.5
        world.step(30)
    np.testing.assert_allclose(sim.rotor_speed[1], first.rotor_speed[0], rtol=1e-12)
    assert abs(sim.rotor_speed[2, 0] - first.rotor_speed[0, 0]) > 20
    sim.motors.disable(3)
    first.rotor_speed[:] = sim.rotor_speed[2]
    assert (sim.rotor_accel != 0).any(axis=1).tolist() == [True, False, False]
    for world in (sim, first):
        world.step(30)
    np.testing.assert_allclose(sim.rotor_speed[2], first.rotor_speed[0], rtol=1e-12)


def test_a_reset_stops_the_rotors_and_keeps_the_settings() -> None:
    sim = flown(n=2)
    settings = sim.motor_frequency.copy()
    kept = sim.rotor_accel[0].copy()
    assert kept[:4].all()
    sim.reset(ids=2)
    assert sim.rotor_accel[0].tolist() == kept.tolist()
    assert not sim.rotor_accel[1].any()
    assert sim.motor_frequency.tolist() == settings.tolist()


def test_snapshots_and_copies_have_the_same_future() -> None:
    sim = flown((33,))
    saved, twin, other = sim.snapshot(), copy.deepcopy(sim), driven("iris")
    other.restore(saved)
    for world in (sim, twin, other):
        world.step(50)
    assert sim.hash() == twin.hash() == other.hash()


def test_a_faulty_vehicle_keeps_its_motors() -> None:
    sim = flown((33,), n=3)
    speeds, accelerations = sim.rotor_speed.copy(), sim.rotor_accel.copy()
    sim.throttle[1, 2] = np.nan
    sim.step(5)
    sim.step(5)
    assert (sim.status != 0).tolist() == [False, True, False]
    assert sim.rotor_speed[1].tolist() == speeds[1].tolist()
    assert sim.rotor_accel[1].tolist() == accelerations[1].tolist()
    assert (sim.rotor_accel[[0, 2], 0] != accelerations[[0, 2], 0]).all()


def test_steady_speeds_follow_the_battery() -> None:
    first, second = at_rest("x450"), at_rest("x450")
    second.motors.enable(frequency=80, damping=0.5)
    for sim in (first, second):
        sim.power.enable(resistance=0)
        sim.state_of_charge[:] = 0.3
        sim.throttle[:] = 0.5
        sim.step(3000)
    assert first.rotor_speed[0, 0] < 480
    np.testing.assert_allclose(second.rotor_speed, first.rotor_speed, rtol=1e-6)
    second.state_of_charge[:] = 0
    second.step(3000)
    assert not second.rotor_speed.any()


def test_they_turn_while_the_vehicle_stands_on_its_feet() -> None:
    sim = pyrfly.Sim("sdk")
    sim.controllers = False
    sim.set_contact_points()
    sim.motors.enable()
    sim.reset()
    sim.throttle[:] = 0.3
    sim.step(2000)
    speed = float(sim.rotor_speed[0, 0])
    thrust = 4 * (sim.thrust_coef[0, 0] * speed + sim.thrust_coef[0, 1] * speed**2)
    weight = sim.mass[0] * sim.gravity[0]
    assert 0.1 * weight < thrust < 0.9 * weight
    assert sim.contact_load.sum() == pytest.approx(weight - thrust, rel=1e-6)


@pytest.mark.parametrize("name", MULTIROTORS)
def test_controllers_fly_with_the_default(name: str) -> None:
    sim = pyrfly.Sim(name)
    sim.motors.enable()
    sim.arm()
    sim.command_position((2, 1, -5), yaw=1.0)
    sim.step(15_000)
    assert np.linalg.norm(sim.pos[0] - (2, 1, -5)) < 0.02
    assert abs(sim.rotor_accel).max() < 1


def test_equilibria_are_those_of_first_order_and_linear_models_are_refused() -> None:
    sim = pyrfly.Sim("x450", 2)
    point = sim.trim()
    sim.motors.enable(ids=2)
    for name, values in sim.trim().inputs.items():
        np.testing.assert_array_equal(values, point.inputs[name])
    sim.linearize(1)
    with pytest.raises(pyrfly.ParameterError, match=r"linearize: 'x450' \(CopterID 2\).*disable"):
        sim.linearize()
    sim.reset(pos=(0, 0, -10), hover=True)
    sim.step(1000)
    np.testing.assert_allclose(sim.pos, [[0, 0, -10]] * 2, atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"frequency": 0}, r"frequency: .*got 0"),
        ({"frequency": [50, 1.1e4]}, "frequency: expected"),
        ({"frequency": np.nan}, r"frequency: expected finite"),
        ({"frequency": "fast"}, r"frequency: expected num"),
        ({"damping": -0.5}, r"damping: .*got -0\.5"),
        ({"damping": [1, 2, 3]}, r"damping: expected shape \(2,\)"),
        ({"ids": [1, 1]}, r"ids: expected each CopterID once"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], message: str) -> None:
    sim = pyrfly.Sim("x450", 2)
    with pytest.raises((ValueError, TypeError), match=message):
        sim.motors.enable(**settings)
    assert not sim.motors.enabled


def test_the_plain_model_has_none() -> None:
    sim = pyrfly.Sim("sdk", effects="plain")
    with pytest.raises(pyrfly.ParameterError, match=r"motors: 'sdk' .* 'plain'"):
        sim.motors.enable()
    assert not sim.motors.enabled
