"""examples/rl/raptor.py: frames, rotors and motors by hand, and flights if the policy is there."""

import importlib.util
from math import cos, pi, sin, sqrt
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim, vehicles
from pyrfly.vehicles.multirotor.hover import steady_rotor_speed
from pyrfly.vehicles.multirotor.layouts import LAYOUTS

PATH = Path(__file__).resolve().parents[2] / "examples" / "rl" / "raptor.py"
SPEC = importlib.util.spec_from_file_location("raptor_example", PATH)
assert SPEC is not None
assert SPEC.loader is not None
raptor = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(raptor)

QUADROTORS = raptor.quadrotors()

PLACE = [0, 0, -20]


class Constant:
    """A policy without a memory."""

    def __init__(self, action=(0.0, 0.0, 0.0, 0.0)):
        self.action = action

    def reset(self):
        """Forget nothing."""

    def evaluate_step(self, observation):
        return np.tile(self.action, (len(observation), 1))


def hovering(vehicle="x500", **options):
    sim = Sim(vehicle, dt=0.002, **options)
    sim.reset(pos=PLACE, hover=True)
    return sim


def test_all_sets_with_four_rotors_are_quadrotors():
    assert {"cf2x_l250", "x450", "x500", "quad_plus", "iris"} <= set(QUADROTORS)
    assert not {"hex_x", "octo_coax", "mixed"} & set(QUADROTORS)


class TestSeat:
    """Rotors of the policy: front right, back right, back left, front left."""

    @pytest.mark.parametrize(
        ("vehicle", "rotors", "degrees"),
        # Front right, rear left, front left, rear right of an X; right, left, front, back of a +.
        [
            ("sdk", [0, 3, 1, 2], 0),
            ("x500", [0, 3, 1, 2], 0),
            ("iris", [0, 3, 1, 2], 0),
            ("quad_plus", [0, 3, 1, 2], 45),
        ],
    )
    def test_of_a_set(self, vehicle, rotors, degrees):
        seat = raptor.seat_of(*raptor.hubs_and_spins(vehicles.load(vehicle)))
        assert seat.rotors.tolist() == rotors
        assert seat.yaw == pytest.approx(np.radians(degrees), abs=1e-12)

    def test_of_the_policys_own_order(self):
        hubs = [[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]
        seat = raptor.seat_of(hubs, [-1, 1, -1, 1])
        assert seat.rotors.tolist() == [0, 1, 2, 3]
        assert seat.yaw == pytest.approx(0)

    def test_turns_by_90_degrees_where_the_rotors_turn_the_other_way(self):
        layout = LAYOUTS["quad_x"]
        seat = raptor.seat_of(layout.positions(1.0), -layout.directions())
        assert abs(seat.yaw) == pytest.approx(pi / 2)

    def test_needs_alternating_rotors(self):
        hubs = LAYOUTS["quad_x"].positions(1.0)
        with pytest.raises(ValueError, match="alternate"):
            raptor.seat_of(hubs, [-1, 1, -1, 1])

    def test_needs_four_rotors(self):
        with pytest.raises(ValueError, match="four rotors"):
            raptor.hubs_and_spins(vehicles.load("hex_x"))


class TestObservation:
    """NED and FRD to the frame of the goal and FLU, by hand."""

    def test_level_north(self):
        sim = hovering()
        sim.pos, sim.vel, sim.rate = [0.1, 0.2, -19.7], [0.4, 0.5, 0.6], [1.0, 2.0, 3.0]
        seen = raptor.Pilot(sim, Constant()).observation([0, 0, -20])[0]
        np.testing.assert_allclose(seen[:3], [0.1, -0.2, -0.3], atol=1e-12)
        np.testing.assert_allclose(seen[3:12].reshape(3, 3), np.eye(3), atol=1e-12)
        np.testing.assert_allclose(seen[12:15], [0.4, -0.5, -0.6])
        np.testing.assert_allclose(seen[15:18], [1.0, -2.0, -3.0])

    def test_rolled_right_heading_east(self):
        sim = hovering()
        # Yaw 90 degrees, then roll 30: forward is east, right is south and down.
        yaw, roll = pi / 4, pi / 12
        sim.att = [cos(yaw) * cos(roll), cos(yaw) * sin(roll), sin(yaw) * sin(roll),
                   sin(yaw) * cos(roll)]  # fmt: skip
        seen = raptor.Pilot(sim, Constant()).observation([0, 0, -20])[0]
        forward = [0, -1, 0]  # east, in north-west-up
        left = [sqrt(3) / 2, 0, 1 / 2]  # north and up
        up = [-1 / 2, 0, sqrt(3) / 2]
        expected = np.stack([forward, left, up], axis=1)
        np.testing.assert_allclose(seen[3:12].reshape(3, 3), expected, atol=1e-12)

    def test_in_the_frame_of_a_goal_to_the_east(self):
        sim = hovering()
        sim.pos, sim.vel = [0.1, 0.2, -20.0], [0.3, 0.0, 0.0]
        sim.att = [cos(pi / 4), 0, 0, sin(pi / 4)]
        seen = raptor.Pilot(sim, Constant()).observation([0, 0, -20], heading=pi / 2)[0]
        np.testing.assert_allclose(seen[:3], [0.2, 0.1, 0], atol=1e-12)  # east is ahead, north left
        np.testing.assert_allclose(seen[3:12].reshape(3, 3), np.eye(3), atol=1e-12)
        np.testing.assert_allclose(seen[12:15], [0, 0.3, 0], atol=1e-12)

    def test_from_the_seat_in_a_plus(self):
        sim = hovering("quad_plus")
        sim.pos, sim.rate = [0.1, 0.0, -20.0], [1.0, 0.0, 0.0]
        seen = raptor.Pilot(sim, Constant()).observation([0, 0, -20])[0]
        # The policy's forward is 45 degrees right of the vehicle's: north is ahead and left.
        half = 1 / sqrt(2)
        np.testing.assert_allclose(seen[:3], [0.1 * half, 0.1 * half, 0], atol=1e-12)
        np.testing.assert_allclose(seen[3:12].reshape(3, 3), np.eye(3), atol=1e-12)
        np.testing.assert_allclose(seen[15:18], [half, half, 0], atol=1e-12)

    def test_is_limited(self):
        sim = hovering()
        sim.pos, sim.vel = [3.0, 0.0, -21.0], [0.0, 2.0, -0.5]
        seen = raptor.Pilot(sim, Constant()).observation([0, 0, -20])[0]
        np.testing.assert_allclose(seen[[0, 2, 13, 14]], [0.5, 0.5, -1.0, 0.5])
        seen = raptor.Pilot(sim, Constant(), limited=False).observation([0, 0, -20])[0]
        np.testing.assert_allclose(seen[[0, 2, 13, 14]], [3.0, 1.0, -2.0, 0.5])


class TestMotors:
    """Actions are linear in rotor speed, between that of the least throttle and that of full."""

    @pytest.mark.parametrize("vehicle", QUADROTORS)
    def test_turn_as_demanded(self, vehicle):
        parameters = vehicles.load(vehicle)
        columns = parameters.columns
        slowest, fastest = (
            steady_rotor_speed(parameters, float(columns[key][0]))
            for key in ("motor_dead_zone", "motor_max")
        )
        actions = np.linspace(-1, 1, 41)
        throttles = raptor.Motors(parameters).throttles(actions)
        speeds = [steady_rotor_speed(parameters, u) for u in throttles]
        expected = slowest + (fastest - slowest) * (actions + 1) / 2
        np.testing.assert_allclose(speeds, expected, atol=1e-4 * fastest)
        np.testing.assert_allclose(raptor.Motors(parameters).actions(expected), actions, atol=1e-12)

    def test_actions_are_clipped_before_they_are_the_previous_ones(self):
        sim = hovering()
        pilot = raptor.Pilot(sim, Constant([2.0, -3.0, 0.5, 1.0]))
        pilot.step([0, 0, -20])
        np.testing.assert_allclose(pilot.observation([0, 0, -20])[0, 18:], [1.0, -1.0, 0.5, 1.0])
        assert sim.throttle[0, 0] == pytest.approx(1.0)
        assert sim.throttle[0, 3] == pytest.approx(sim.motor_dead_zone.item())

    def test_first_previous_action_is_that_of_the_rotors(self):
        sim = hovering()
        pilot = raptor.Pilot(sim, Constant())
        speed = (sim.rotor_speed[0, 0] - 150.85) / (1000 - 150.85)  # of x500
        np.testing.assert_allclose(pilot.observation([0, 0, -20])[0, 18:], 2 * speed - 1)


@pytest.mark.parametrize("vehicle", QUADROTORS)
def test_every_rotor_turns_the_vehicle_as_in_the_policys_training(vehicle):
    """Frames, order and rotation directions at once, from the actuator to the observation."""
    hubs = np.array([[1, -1], [-1, -1], [-1, 1], [1, 1]])  # the policy's, forward-left
    reaction = np.array([-1, 1, -1, 1])  # about up
    for rotor in range(4):
        sim = hovering(vehicle)
        pilot = raptor.Pilot(sim, Constant())
        sim.rate = 0.0
        action = pilot.action.copy()
        action[:, rotor] += 0.2
        pilot.command(action)
        sim.step(20)
        rate = pilot.observation([0, 0, -20])[0, 15:18]
        x, y = hubs[rotor]
        assert np.sign(rate).tolist() == [y, -x, reaction[rotor]]


def test_a_step_of_the_policy_is_ten_milliseconds():
    sim = hovering()
    pilot = raptor.Pilot(sim, Constant())
    before = sim.time
    pilot.step([0, 0, -20])
    assert sim.time - before == pytest.approx(0.01)
    with pytest.raises(ValueError, match="one parameter set"):
        raptor.Pilot(Sim({"x500": 1, "x450": 1}, dt=0.002), Constant())
    with pytest.raises(ValueError, match="whole steps"):
        raptor.Pilot(Sim("x500", dt=0.003), Constant())


def test_starts_are_as_far_as_promised():
    sim = Sim("x500", 50, dt=0.002)
    goal = np.array([0.0, 0.0, -100.0])
    raptor.start(sim, goal, 1)
    np.testing.assert_allclose(np.linalg.norm(sim.pos - goal, axis=1), 1)
    np.testing.assert_allclose(np.linalg.norm(sim.vel, axis=1), 1)
    up = raptor.rotation_matrices(sim.att)[:, 2, 2]
    np.testing.assert_allclose(up, cos(pi / 6))


def test_a_policy_that_does_nothing_does_not_settle():
    flight = raptor.fly("x500", Constant(), starts=5)
    assert (flight.settled, flight.starts) == (0, 5)
    assert flight.worst > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("vehicle", QUADROTORS)
def test_raptor_settles(vehicle):
    policy = pytest.importorskip("foundation_policy").Raptor()
    flight = raptor.fly(vehicle, policy, starts=20)
    assert flight.settled == flight.starts
    assert flight.tilt < pi / 2
