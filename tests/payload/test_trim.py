"""Equilibria and linear models of vehicles with payloads, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import ParameterError, Sim

AREA = 0.2  # m^2: drag coefficient times area


def loaded(cable: float, *, mass: float = 0.3) -> Sim:
    """Return a quadrotor without drag of its own, with a payload."""
    sim = Sim("sdk")
    sim.drag_linear, sim.drag_quadratic, sim.drag_offset = 0, 0, 0
    sim.payload.attach(mass, cable=cable, drag_area=AREA)
    return sim


@pytest.mark.parametrize("cable", [0.0, 2.0])
def test_a_hover_carries_the_weight_of_a_payload(cable: float) -> None:
    sim = loaded(cable)
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.sleep(1)
    lift = (sim.trim(1).state["rotor_speed"] ** 2).sum() * sim.thrust_coef[0, 1]
    assert lift == pytest.approx(float((sim.mass[0] + 0.3) * sim.gravity[0]), rel=1e-7)


@pytest.mark.parametrize("cable", [0.0, 2.0])
def test_the_tilt_in_wind_is_that_of_the_drag_of_a_payload(cable: float) -> None:
    sim = loaded(cable)
    sim.reset(pos=[0, 0, -20])
    w, _, y, _ = sim.trim(1, vel=[1.0, 0, 0], wind=[6.0, 0, 0]).state["att"][0]
    drag = 0.5 * 1.225 * AREA * 5.0**2
    weight = (sim.mass[0] + 0.3) * sim.gravity[0]
    assert np.tan(2 * np.arctan2(y, w)) == pytest.approx(float(drag / weight), rel=1e-5)


def test_a_hover_in_wind_begins_with_the_payload_at_rest() -> None:
    """Its cable is along weight and drag."""
    sim = loaded(2.0)
    sim.wind = [4.0, 0, 0]
    sim.reset(pos=[0, 0, -20], hover=True)
    drag = 0.5 * 1.225 * AREA * 4.0**2
    north, _, down = sim.payload_pos[0] - sim.pos[0]
    assert north / down == pytest.approx(float(drag / (0.3 * sim.gravity[0])), rel=1e-6)
    sim.sleep(3)
    np.testing.assert_allclose(sim.pos, [[0, 0, -20]], atol=1e-3)
    np.testing.assert_allclose(sim.payload_pos[0] - sim.pos[0], [north, 0, down], atol=1e-3)


def test_a_gust_moves_a_payload_once() -> None:
    sim = loaded(2.0)
    sim.environment.set_gust([3, 0, 0], rise=0.01, hold=100)
    sim.reset(pos=[0, 0, -20])
    sim.wind = [2.0, 0, 0]
    sim.step(100)
    w, _, y, _ = sim.trim(1).state["att"][0]
    drag = 0.5 * float(sim.air_density[0]) * AREA * 5.0**2
    weight = (sim.mass[0] + 0.3) * sim.gravity[0]
    assert np.tan(2 * np.arctan2(y, w)) == pytest.approx(float(drag / weight), rel=1e-5)


def test_a_tilt_of_a_loaded_hover_pushes_with_the_thrust_for_both() -> None:
    """By -(1 + m / M) g, with a pull that is constant."""
    sim = loaded(2.0)
    sim.reset(pos=[0, 0, -20], hover=True)
    model = sim.linearize(1, point=sim.trim(1))
    row, tilt = model.states.index("vel[0]"), model.states.index("att[1]")
    expected = -(1 + 0.3 / sim.mass[0]) * sim.gravity[0]
    assert model.A[row, tilt] == pytest.approx(float(expected), rel=1e-6)


def test_a_payload_at_an_arm_below_swings_its_vehicle_as_a_pendulum() -> None:
    """By -m g a per angle, of a cable whose upper end is below the centre of mass."""
    sim = Sim("sdk")
    sim.payload.attach(0.3, cable=2.0, place=[0, 0, 0.1])
    sim.reset(pos=[0, 0, -20], hover=True)
    model = sim.linearize(1, point=sim.trim(1))
    row, tilt = model.states.index("rate[0]"), model.states.index("att[0]")
    expected = -0.3 * sim.gravity[0] * 0.1 / sim.inertia[0, 0]
    assert model.A[row, tilt] == pytest.approx(float(expected), rel=1e-5)


def test_a_turn_with_a_payload_that_swings_out_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"yaw_rate: expected 0 for sdk .*, got 0.2: .* cable"):
        loaded(2.0).trim(vel=[5.0, 0, 0], yaw_rate=0.2)
