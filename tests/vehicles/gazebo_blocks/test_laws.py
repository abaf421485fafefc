"""Laws of the blocks, case by case."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, radians, sin
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.vehicles import load

from . import gazebo
from .forces import wrench_of
from .gazebo import MODELS, Surface
from .truth import TO_FLU, one_surface

Array = NDArray[np.float64]


@pytest.mark.parametrize("name", MODELS)
def test_the_bodies_are_those_of_the_models(name: str) -> None:
    vehicle = load(name)
    model = MODELS[name]
    assert vehicle.columns["mass"][0] == pytest.approx(model.mass, rel=1e-9)
    first = vehicle.columns["motor_position"].reshape(3, 8)[:, 0]
    np.testing.assert_allclose(
        first, TO_FLU @ (np.array(model.motors[0].position) - model.com), atol=1e-9
    )


@pytest.mark.parametrize("sideslip", [5.0, 20.0, 45.0])
def test_a_surface_of_gz_sim_counts_the_sweep_twice(sideslip: float) -> None:
    """Its lift is that of Gazebo Classic times cos(sweep): 6.0 % less at 20 degrees."""
    flow = 15.0 * np.array([cos(radians(sideslip)), sin(radians(sideslip)), 0.0])
    lifts = []
    for sweep in (1, 2):
        surface = replace(gazebo.PLANE.surfaces[0], sweep=sweep)
        sim = one_surface(surface)
        sim.surface_sweep[:] = sweep
        sim.vel[0] = flow
        lifts.append(sim.specific_force[0])
        force, _ = gazebo.lift_drag(surface, flow * [1, -1, 1], np.eye(3), 0.0)
        np.testing.assert_allclose(sim.mass[0] * lifts[-1], TO_FLU @ force, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(lifts[1], lifts[0] * cos(radians(sideslip)), atol=1e-12)


@pytest.mark.parametrize("angle", [-80, -40, -19.5, -10, 0, 10, 19.3, 19.5, 25, 40, 60, 89])
def test_a_surface_at_any_angle_of_attack(angle: float) -> None:
    """Also with moments of its own, which Gazebo's models do not have."""
    surface = Surface((0, 0, 0), 0.3, cma=-0.4, cma_stall=0.2)
    sim = one_surface(surface)
    flow = 12 * np.array([cos(radians(angle)), 0.1, sin(radians(angle))])  # FRD
    sim.vel[0] = flow
    force, moment = wrench_of(sim)
    f, m = gazebo.lift_drag(surface, TO_FLU @ flow, np.eye(3), 0.0)
    np.testing.assert_allclose(force[0], TO_FLU @ f, atol=1e-9)
    np.testing.assert_allclose(moment[0], TO_FLU @ m, atol=1e-9)


def test_a_surface_does_nothing_backwards_or_at_rest() -> None:
    sim = one_surface(gazebo.PLANE.surfaces[0])
    for flow in ([-15.0, 0, 1], [0.0, 3, 0], [0.009, 0, 0], [0.0, 0, -20]):
        sim.vel[0] = flow
        np.testing.assert_allclose(sim.specific_force, 0, atol=1e-12)


def test_hover_of_tilted_rotors_by_the_sum_of_their_thrusts() -> None:
    """508.8 rad/s without the tilt, 1 / sqrt(cos^2 0.17) of it with."""
    sim = pyrfly.Sim("gz_quadtailsitter")
    sim.reset(pos=[[0, 0, -50]])
    sim.motor_speed[0, :4] = 508.8 / cos(0.17)
    assert sim.accel[0, 2] == pytest.approx(0, abs=5e-3)


def test_the_torque_takes_the_thrust_before_the_loss_by_air_speed() -> None:
    sim = pyrfly.Sim("gz_standard_vtol")
    sim.reset(pos=[[0, 0, -500]])
    sim.motor_speed[0, 0] = 1000
    still = wrench_of(sim)
    sim.vel[0, 2] = -12.5  # up: half of 25 m/s
    force, moment = wrench_of(sim)
    assert force[0, 2] == pytest.approx(0.5 * still[0][0, 2], rel=1e-9)
    assert still[0][0, 2] == pytest.approx(-20.0, rel=1e-9)
    assert moment[0, 2] == pytest.approx(still[1][0, 2], rel=1e-9)
    assert moment[0, 2] == pytest.approx(20.0 * 0.06, rel=1e-6)  # ccw seen from above: right
    sim.vel[0, 2] = -30
    assert wrench_of(sim)[0][0, 2] == pytest.approx(0, abs=1e-9)


def test_drag_and_rolling_moment_of_a_rotor_across_its_axis() -> None:
    sim = pyrfly.Sim("gz_tailsitter")
    sim.surface_count[:] = 0
    sim.reset(pos=[[0, 0, -500]])
    sim.motor_speed[0, 2] = 800  # clockwise
    before = wrench_of(sim)
    sim.vel[0] = [5, 0, 0]
    force, moment = (after[0] - then[0] for after, then in zip(wrench_of(sim), before, strict=True))
    drag = -800 * 8.06428e-5 * 5
    np.testing.assert_allclose(force, [drag, 0, 0], atol=1e-12)
    x, y, z = sim.motor_position[0].reshape(3, 8)[:, 2]
    rolling = 800 * 1e-6 * 5
    np.testing.assert_allclose(moment, [rolling, z * drag, -y * drag], atol=1e-9)
    assert x > 0


@pytest.mark.parametrize(("start", "channel", "lag"), [(0.0, 0.8, 0.0125), (1000.0, 0.1, 0.025)])
def test_the_speed_follows_the_exact_filter(start: float, channel: float, lag: float) -> None:
    """x+ = a x + (1 - a) u with a = e^(-h / tau), tau rising or falling."""
    sim = pyrfly.Sim("gz_standard_vtol")
    sim.reset(pos=[[0, 0, -500]])
    sim.arm()
    sim.motor_speed[0, 0], sim.channel[0, 0] = start, channel
    speed = start
    for _ in range(50):
        sim.step(1)
        a = np.exp(-sim.dt / lag)
        speed = a * speed + (1 - a) * 1500 * channel
        assert sim.motor_speed[0, 0] == pytest.approx(speed, abs=1e-3)  # RK4: (h / tau)^5 / 120


def test_the_command_saturates_from_above_only() -> None:
    sim = pyrfly.Sim("gz_standard_vtol", 2)
    sim.reset(pos=np.tile([0.0, 0, -5000], (2, 1)))
    sim.arm()
    sim.channel[:, 4] = [1, -0.2]  # the pusher: 5500 rad/s at 1, at most 3500
    sim.step(300)
    np.testing.assert_allclose(sim.motor_speed[:, 4], [3500, -1100], rtol=1e-4)


def test_an_esc_adds_offset_scaling_and_zero_positions() -> None:
    sim = pyrfly.Sim("gz_standard_vtol", 3)
    sim.reset(pos=np.tile([0.0, 0, -5000], (3, 1)))
    sim.arm(ids=[1, 2])
    sim.motor_offset[:, 0], sim.motor_scaling[:, 0] = 0.1, 1000
    sim.motor_zero[:, 0], sim.motor_zero[:, 8] = 50, 20
    sim.channel[:, 0] = [0.3, 7.0, 0.3]
    sim.step(400)
    np.testing.assert_allclose(sim.motor_speed[:, 0], [450, 1150, 20], rtol=1e-6)


def test_a_reversible_propeller_pushes_both_ways() -> None:
    sim = pyrfly.Sim("gz_standard_vtol", 3)
    sim.reset(pos=np.tile([0.0, 0, -500], (3, 1)))
    sim.motor_speed[:, 0] = -500
    sim.motor_reversible[:, 0] = [0, 1, -1]
    force, _ = wrench_of(sim)
    np.testing.assert_allclose(force[:, 2], [-5, 5, -5], rtol=1e-9)


@pytest.mark.parametrize(("channel", "axis"), [(7, 1), (5, 0), (6, 0), (2, 2)])
def test_controls_of_the_plane_have_the_signs_of_its_model(channel: int, axis: int) -> None:
    """By hand, change of the moment for a change by 0.6 rad at 15 m/s."""
    moments = []
    for value in (-0.3, 0.3):
        sim = pyrfly.Sim("gz_plane")
        sim.reset(pos=[[0, 0, -100]])
        sim.arm()
        sim.vel[0] = [15, 0, 0]
        sim.channel[0, channel] = value
        moments.append(wrench_of(sim)[1][0])
    change = moments[1] - moments[0]
    q = 135.461
    by_hand = {
        7: 0.6 * 4.0 * q * 0.01 * 0.501,  # less lift behind: nose up
        5: -0.6 * 0.3 * q * 0.6 * 0.45,  # less lift on the left: left wing down
        6: 0.6 * 0.3 * q * 0.6 * 0.45,
        2: 0.6 * 0.8 * q * 0.02 * 0.501,  # force to the left at the tail: nose right
    }[channel]
    assert change[axis] == pytest.approx(by_hand, rel=2e-3)
    assert np.abs(change).argmax() == axis


def test_thrust_and_lift_are_proportional_to_the_air_density() -> None:
    sim = pyrfly.Sim("gz_plane", 2)
    sim.environment.enable("atmosphere", "density")
    sim.reset(pos=[[0, 0, -1], [0, 0, -3000]])
    sim.step(1)  # updates the density
    sim.vel[:], sim.rate[:], sim.att[:] = [15, 0, 0], 0, [1, 0, 0, 0]
    sim.motor_speed[:, 0] = 1000
    force, _ = wrench_of(sim)
    ratio = sim.air_density / 1.225
    assert 0.7 < ratio[1] < 0.78
    assert force[1, 2] / force[0, 2] == pytest.approx(ratio[1] / ratio[0], rel=1e-3)


# --- flat-plate segments --------------------------------------------------------------------------


def plate(alpha: float, ratio: float, stall: float) -> tuple[float, float, float]:
    """C_L, C_D, C_m of a flat plate without a flap, as [@px4 aero.hpp] has [@khan 3.1]."""
    k_p = 2 * pi / (1 + 2 * (ratio + 4) / (ratio * (ratio + 2)))
    k_v, s, c = pi, sin(alpha), cos(alpha)
    cl = k_p * s * c * c + k_v * abs(s) * s * c
    low = cl, 0.04 + abs(cl * np.tan(alpha)), -0.17 * k_v * abs(s) * s
    k_n = 0.41 * (1 - np.exp(-17 / ratio))
    normal = 1.98 * s * (1 / (0.56 + 0.44 * abs(s)) - k_n)
    along = 0.5 * 0.04 * c
    high = (
        normal * c - along * s,
        normal * s + along * c,
        -normal * (0.25 - 7 / 40 * (1 - 2 / pi * abs(alpha))),
    )
    blend = 0.5 * (1 - np.tanh(4 * (abs(alpha) - stall) / (pi / 18)))
    return tuple(blend * a + (1 - blend) * b for a, b in zip(low, high, strict=True))  # type: ignore[return-value]


def one_segment(n: int = 1) -> pyrfly.Sim:
    """Return vehicles of one segment of 1 m^2 at the centre of mass, forward x, in slack air."""
    tail = load("sih_tailsitter")
    columns = {name: column.copy() for name, column in tail.columns.items()}
    for name in ("drag_linear", "damping_linear"):
        columns[name][:] = 0
    columns["segment_count"][:] = 1
    columns["segment_position"][:] = 0
    for name, vector in (("forward", [1, 0, 0]), ("upward", [0, 0, -1])):
        columns[f"segment_{name}"].reshape(3, 12)[:, 0] = vector
    columns["segment_area"][0] = columns["segment_chord"][0] = 1
    sim = pyrfly.Sim(replace(tail, columns=columns), n)
    sim.reset(pos=np.tile([0.0, 0, -100], (n, 1)))
    return sim


@pytest.mark.parametrize("ratio", [0.5, 3.13, 6.0])
def test_a_segment_at_any_angle_of_attack(ratio: float) -> None:
    angles = np.radians(np.arange(-180, 181, 7.3))
    sim = one_segment(len(angles))
    sim.segment_aspect_ratio[:, 0] = ratio
    sim.vel[:] = 10 * np.stack([np.cos(angles), 0 * angles, np.sin(angles)], axis=1)
    force, moment = wrench_of(sim)
    q = 0.5 * 1.225 * 100
    for i, alpha in enumerate(angles):
        cl, cd, cm = plate(alpha, ratio, sim.segment_stall[0, 0])
        expect = [cl * sin(alpha) - cd * cos(alpha), 0, -cl * cos(alpha) - cd * sin(alpha)]
        np.testing.assert_allclose(force[i] / q, expect, atol=1e-9)
        assert moment[i, 1] / q == pytest.approx(cm, abs=1e-9)


def test_a_flap_shifts_the_lift_of_attached_flow_as_the_published_law() -> None:
    """C_L at alpha = 0 is that at the angle that gives D = K_P t n d; 5 % by its closed form."""
    sim = one_segment()
    sim.arm()
    sim.segment_flap[0, 0], sim.segment_joint[0, 0] = 0.5, 0
    for degrees in (-25, -10, 5, 15, 25):
        deflection = radians(degrees)
        sim.joint_angle[0, 0] = deflection
        sim.channel[0, 4] = deflection / radians(39)
        sim.vel[0] = [10, 0, 0]
        q = 0.5 * 1.225 * 100
        force = sim.mass[0] * sim.specific_force[0] / q
        k_p = 2 * pi / (1 + 2 * 7.13 / (3.13 * 5.13))
        share = 1 - (pi / 2 - 1) / pi
        size = abs(deflection)
        lift = k_p * share * (0.0535 * size**2 - 0.2688 * size + 0.5817) * deflection
        assert -force[2] == pytest.approx(lift, rel=0.06)
        assert force[0] < 0


def test_a_flap_of_the_whole_chord_turns_the_plate() -> None:
    sim = one_segment(2)
    sim.arm()
    sim.segment_flap[0, 0], sim.segment_joint[0, 0] = 1.0, 0
    angle = radians(20)
    sim.channel[0, 4] = angle / radians(39)
    sim.vel[0] = [10, 0, 0]
    sim.vel[1] = [10 * cos(angle), 0, 10 * sin(angle)]
    force, _ = wrench_of(sim)
    lift = -force[1, 2] * cos(angle) + force[1, 0] * sin(angle)
    assert -force[0, 2] == pytest.approx(lift, rel=1e-9)


def test_the_slipstream_of_momentum_theory() -> None:
    """Hover: V^2 = 2 T / (rho A); in axial flow V the far wake has sqrt(V^2 + 2 T / (rho A)).

    T is the thrust that acts, of which the third motor has lost 0.05 * 8 = 0.4.
    """
    sim = one_segment(3)
    sim.segment_motor[:, 0], sim.segment_disk[:, 0] = 0, 0.0625
    sim.segment_upward.reshape(3, 3, 12)[:, :, 0] = [0, 0, -1]
    sim.motor_axis.reshape(3, 3, 8)[:, :, 0] = [1, 0, 0]
    sim.motor_airspeed_loss[:] = 0
    sim.motor_airspeed_loss[2, 0] = 0.05
    sim.motor_speed[:, 0] = 1000
    sim.motor_moment[:] = 0
    sim.vel[1:] = [8, 0, 0]
    thrust = sim.motor_thrust[0, 0] * 1000**2 * np.array([1.0, 1.0, 0.6])
    force, _ = wrench_of(sim)
    drag = thrust - force[:, 0]
    wake2 = np.array([0, 64, 64]) + 2 * thrust / (1.225 * pi * 0.0625**2)
    np.testing.assert_allclose(drag, 0.5 * 1.225 * wake2 * 0.04, rtol=1e-8)


def test_an_elevon_in_the_slipstream_controls_the_tailsitter_in_hover() -> None:
    change: dict[float, Any] = {}
    for value in (0.0, 0.5):
        sim = pyrfly.Sim("sih_tailsitter")
        sim.reset(pos=[[0, 0, -50]])
        sim.arm()
        sim.motor_speed[0, :2] = 0.649 * 1466
        sim.channel[0, [4, 5]] = -value, value  # both flaps to the same side
        change[value] = wrench_of(sim)[1][0]
    assert abs(change[0.5][1]) > 3e-3  # N m about the span
    np.testing.assert_allclose(change[0.5][[0, 2]], change[0.0][[0, 2]], atol=1e-12)
