"""Control allocation: PX4's signs, the pseudo-inverse, and priorities on saturation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import pyrfly
from pyrfly import vehicles
from pyrfly.vehicles.hovering import allocation
from pyrfly.vehicles.multirotor import layouts

Array = NDArray[np.float64]

# [@px4 25ed6b67 ActuatorEffectivenessRotorsTest.cpp]: places, moment ratios and rows.
PX4_POSITION = [(1.0, 1.0, 0.0), (-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (-1.0, 1.0, 0.0)]
PX4_KM = np.array([0.05, 0.05, -0.05, -0.05])  # positive: counter-clockwise
PX4_ROLL = [-1.0, 1.0, 1.0, -1.0]
PX4_PITCH = [1.0, -1.0, 1.0, -1.0]
PX4_YAW = [0.05, 0.05, -0.05, -0.05]
PX4_THRUST_Z = [-1.0, -1.0, -1.0, -1.0]

UP = (0.0, 0.0, -1.0)


def px4_matrix() -> Array:
    return allocation.effectiveness(PX4_POSITION, [UP] * 4, -np.sign(PX4_KM), np.abs(PX4_KM))


def layout_matrix(name: str) -> Array:
    layout = layouts.LAYOUTS[name]
    ratio = np.full(layout.rotor_count, 0.0166)
    return allocation.effectiveness(
        layout.positions(0.3), layout.axes(), layout.directions(), ratio
    )


def test_effectiveness_has_the_signs_of_px4() -> None:
    matrix = px4_matrix()
    np.testing.assert_allclose(matrix[0], -np.array(PX4_THRUST_Z))
    np.testing.assert_allclose(matrix[1], PX4_ROLL)
    np.testing.assert_allclose(matrix[2], PX4_PITCH)
    np.testing.assert_allclose(matrix[3], PX4_YAW)


def test_quad_x_has_the_signs_of_the_seed() -> None:
    rows = np.sign(np.round(layout_matrix("quad_x"), 12))
    np.testing.assert_array_equal(rows[1:], [[-1, 1, 1, -1], [1, -1, 1, -1], [1, 1, -1, -1]])


def test_a_tilted_rotor_pushes_and_yaws_along_its_axis() -> None:
    axis = (0.0, 0.6, -0.8)
    column = allocation.effectiveness([(0.5, 0.0, 0.0)], [axis], [1.0], [0.1])[:, 0]
    # r x a = (0, 0.4, 0.3) by hand, and 0.1 a on top.
    np.testing.assert_allclose(column, [0.8, 0.0, 0.4 + 0.06, 0.3 - 0.08], atol=1e-15)


@pytest.mark.parametrize("name", [n for n in layouts.LAYOUTS if not n.startswith("tri")])
def test_mixer_meets_each_demand_independently(name: str) -> None:
    matrix = layout_matrix(name)
    assert allocation.controllable(matrix) == (True, True, True, True)
    np.testing.assert_allclose(matrix @ allocation.mixer(matrix), np.eye(4), atol=1e-12)


@pytest.mark.parametrize("name", ["tri_y_plus", "tri_y_minus"])
def test_rotors_of_equal_rotation_direction_lack_yaw_only(name: str) -> None:
    matrix = layout_matrix(name)
    mix = allocation.mixer(matrix)
    assert allocation.controllable(matrix) == (True, True, True, False)
    assert not mix[:, 3].any()
    np.testing.assert_allclose(matrix[:3] @ mix[:, :3], np.eye(3), atol=1e-12)


@given(
    st.lists(
        st.tuples(*[st.floats(-2, 2)] * 3, st.sampled_from([-1.0, 1.0])), min_size=1, max_size=16
    )
)
def test_mixer_is_the_pseudo_inverse_of_what_can_be_met(
    rotors: list[tuple[float, float, float, float]],
) -> None:
    position = [r[:3] for r in rotors]
    direction = [r[3] for r in rotors]
    matrix = allocation.effectiveness(position, [UP] * len(rotors), direction, [0.02] * len(rotors))
    mix = allocation.mixer(matrix)
    kept = np.array(allocation.controllable(matrix))
    assert np.isfinite(mix).all()
    assert not mix[:, ~kept].any()
    # The product with the rows that are kept is the identity: each is met without the others.
    scale = np.linalg.norm(matrix[kept], axis=1)
    product = (matrix[kept] @ mix[:, kept]) * (scale[None, :] / scale[:, None])
    np.testing.assert_allclose(product, np.eye(kept.sum()), atol=1e-6)


def test_an_absent_rotor_gets_no_thrust() -> None:
    matrix = np.hstack([px4_matrix(), np.zeros((4, 2))])
    mix = allocation.mixer(matrix)
    assert not mix[4:].any()
    np.testing.assert_allclose(mix[:4], allocation.mixer(px4_matrix()), atol=1e-15)


def test_mixer_column_holds_collective_roll_pitch_yaw() -> None:
    column = allocation.mixer_column(allocation.mixer(px4_matrix()))
    np.testing.assert_allclose(column.reshape(4, 4)[0], [0.25] * 4)
    np.testing.assert_allclose(column.reshape(4, 4)[1], np.array(PX4_ROLL) / 4)
    np.testing.assert_allclose(column.reshape(4, 4)[3], np.sign(PX4_YAW) / (4 * 0.05))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: allocation.effectiveness([1.0, 2.0], [UP], [1.0], [0.1]), "position"),
        (lambda: allocation.effectiveness([UP], [UP], [1.0, 1.0], [0.1]), "one row for each"),
        (lambda: allocation.mixer(np.zeros((3, 4))), "matrix"),
        (lambda: allocation.mixer_column(np.zeros((4, 3))), "mix"),
    ],
)
def test_wrong_shapes_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


# --- the allocation of the core, seen through one update of the rate loop -----------------------


def coefficients(sim: pyrfly.Sim) -> Array:
    """Return thrust coefficients of the rotors there are, shape (2, rotors)."""
    if sim.groups[0].parameters.c_type == "quad_x":
        return np.repeat(sim.thrust_coef[0][:, None], 4, axis=1)
    rotors = sim.groups[0].parameters.actuator_count
    return np.asarray(sim.rotor_thrust_coef[0].reshape(2, -1)[:, :rotors])


def thrust_of(sim: pyrfly.Sim, throttle: Array) -> Array:
    """Return the steady thrust of each rotor [N]."""
    speed = np.polyval(sim.motor_curve[0][::-1], throttle)
    linear, quadratic = coefficients(sim)
    return np.asarray(speed * (linear + quadratic * speed))


class Allocated:
    """Thrusts that the core allocates for a collective thrust and moments, and their sums.

    The collective thrust is normalized, moments are fractions of those available in hover.
    """

    def __init__(self, name: str, collective: float, moment: tuple[float, float, float]) -> None:
        sim = pyrfly.Sim(name)
        rotors = sim.groups[0].parameters.actuator_count
        mixer = sim.mixer[0].reshape(4, -1)[:, :rotors]
        self.matrix = np.linalg.pinv(mixer.T)
        self.maximum = thrust_of(sim, sim.motor_max)
        self.minimum = np.maximum(thrust_of(sim, sim.motor_dead_zone), 0.02 * self.maximum)
        hover = mixer[0] * sim.mass[0] * sim.gravity[0]
        margin = np.minimum(self.maximum - hover, hover - self.minimum)
        size = [float(np.min(margin / np.maximum(np.abs(row), 1e-9))) for row in mixer[1:]]
        moments = np.array(moment) * size * mixer[1:].any(axis=1)
        self.demand = np.array([collective * sim.thrust_limit[0, 1], *moments])

        gain = sim.rate_p[0]
        sim.arm()
        sim.multirotor.command_rate(
            np.divide(moments, gain, out=np.zeros(3), where=gain > 0), collective
        )
        sim.step(1)  # the first update has neither an integral nor a rate
        self.thrust = thrust_of(sim, sim.throttle[0, :rotors])
        self.allocated = self.matrix @ self.thrust
        # The inverse of a curved motor curve is good to 1e-3.
        self.tolerance = 2e-3 * float(self.maximum.max())

    def meets(self, row: int) -> bool:
        limit = np.abs(self.matrix[row]).sum() * self.tolerance
        return bool(abs(self.allocated[row] - self.demand[row]) <= limit)


SETS = vehicles.names("multirotor")
YAWING = [name for name in SETS if not name.startswith("tri")]


@pytest.mark.parametrize("name", SETS)
def test_demands_that_fit_are_met(name: str) -> None:
    sim = pyrfly.Sim(name)
    hover = float(sim.mass[0] * sim.gravity[0] / sim.thrust_limit[0, 1])
    a = Allocated(name, hover, (0.2, -0.15, 0.1))
    assert all(a.meets(row) for row in range(4))


@pytest.mark.parametrize("name", YAWING)
def test_yaw_is_reduced_first(name: str) -> None:
    a = Allocated(name, 0.5, (0.2, 0.1, 50.0))
    assert a.meets(0)
    assert a.meets(1)
    assert a.meets(2)
    assert 0 < a.allocated[3] < 0.5 * a.demand[3]
    at_limit = (a.thrust < a.minimum + a.tolerance) | (a.thrust > a.maximum - a.tolerance)
    assert at_limit.any()


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("collective", [0.0, 1.0])
def test_collective_moves_to_allow_roll_and_pitch(name: str, collective: float) -> None:
    a = Allocated(name, collective, (0.3, 0.2, 0.2))
    assert a.meets(1)
    assert a.meets(2)
    assert abs(a.allocated[0] - a.demand[0]) > a.tolerance  # moved


@pytest.mark.parametrize("name", SETS)
def test_roll_and_pitch_are_reduced_together_last(name: str) -> None:
    a = Allocated(name, 0.5, (30.0, 20.0, 30.0))
    np.testing.assert_allclose(
        a.allocated[1] / a.demand[1], a.allocated[2] / a.demand[2], rtol=0.02
    )
    assert 0 < a.allocated[1] < a.demand[1]
    assert a.thrust.max() > a.maximum.max() - a.tolerance
    assert a.thrust.min() < a.minimum.min() + a.tolerance


@pytest.mark.parametrize("name", SETS)
def test_no_demand_leaves_the_limits(name: str) -> None:
    rng = np.random.default_rng(0)
    for _ in range(3):
        a = Allocated(name, rng.uniform(0, 1), tuple(rng.normal(0, 3, 3)))
        assert (a.thrust >= a.minimum - a.tolerance).all()
        assert (a.thrust <= a.maximum + a.tolerance).all()


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")
@pytest.mark.parametrize("name", ["sdk", "hex_x"])
def test_a_disarmed_vehicle_has_no_throttle(name: str) -> None:
    sim = pyrfly.Sim(name)
    sim.multirotor.command_rate([1, 0, 0], 0.7)
    sim.step(1)
    assert not sim.throttle.any()


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_throttles_do_not_depend_on_the_motors_of_other_vehicles(precision: str) -> None:
    """Linear and curved motors, alone and in one block: the same bits, and the speed meant."""
    curves = np.array([[50.0, 1050.0, 0.0, 0.0], [50.0, 1400.0, -350.0, 0.0]])
    together = pyrfly.Sim("sdk", 64, precision=precision)
    together.motor_curve[:] = np.tile(curves, (32, 1))
    alone = [pyrfly.Sim("sdk", 64, precision=precision) for _ in curves]
    for sim, curve in zip(alone, curves, strict=True):
        sim.motor_curve[:] = curve
    for sim in (together, *alone):
        sim.control_motor_curve[:] = sim.motor_curve
        sim.arm()
        sim.multirotor.command_rate([0, 0, 0], 0.4)
        sim.step(1)
    for first, sim in enumerate(alone):
        np.testing.assert_array_equal(together.throttle[first::2], sim.throttle[first::2])
    speed = [np.polyval(c[::-1], t) for c, t in zip(curves, together.throttle[:2, 0], strict=True)]
    np.testing.assert_allclose(speed, speed[0], rtol=1e-3)


def test_a_rotor_beyond_the_layout_has_no_throttle() -> None:
    sim = pyrfly.Sim(vehicles.load("tri_y_plus"))
    assert sim.throttle.shape == (1, 3)
    five = pyrfly.Sim(five_rotors())
    five.arm()
    five.step(1)
    assert five.throttle[0, :5].all()
    assert not five.throttle[0, 5:].any()


def five_rotors() -> vehicles.VehicleParameters:
    """Return a set of a type for six rotors, with five rotors."""
    six = vehicles.load("hex_x")
    columns = {name: values.copy() for name, values in six.columns.items()}
    for name in ("rotor_thrust_coef", "rotor_torque_coef", "rotor_inertia"):
        columns[name].reshape(-1, 6)[:, 5] = 0
    return vehicles.VehicleParameters(
        name="five",
        title="five",
        family="multirotor",
        uav_type=None,
        c_type="rotors_6",
        actuator_count=5,
        columns=columns,
        sources={},
    )
