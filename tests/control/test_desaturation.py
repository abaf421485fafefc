"""Allocation at the limits of the rotors, against linear programs; flights without a rotor."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import block_diag
from scipy.optimize import linprog

import pyrfly
from pyrfly import vehicles

Array = NDArray[np.float64]

SETS = vehicles.names("multirotor")
# Sets whose rotors have columns of their own, of more than four rotors.
REDUNDANT = ["hex_x", "hex_plus", "hex_coax", "octo_x", "octo_plus", "octo_coax"]
# Opposite rotors of iris are not quite opposite: the last 3 % of a moment in some directions would
# cost up to a third of the collective thrust, and are not found.
ACCURACY = {"iris": 4e-2}  # of the thrust of a rotor
IDLE = 0.02  # RF_IDLE_THRUST
TILT_MARGIN = 0.999  # ALLOCATION_TILT_MARGIN
DEMANDS = 20

HEALTHY, WEAK, DEAD = 1.0, 0.3, 0.0
# The last one tells the allocation.
WEAKENED = ("rotor_thrust_coef", "rotor_torque_coef", "control_rotor_thrust_coef")


def weaken(sim: pyrfly.Sim, rotor: int, factor: float) -> None:
    """Multiply thrust and torque of a rotor [0-based] of all vehicles by a known factor."""
    group = sim.groups[0]
    for name in WEAKENED:
        group.view(name).reshape(sim.n, 2, -1)[:, :, rotor] *= factor


def optima(matrix: Array, demand: Array, low: Array, high: Array) -> tuple[Array, Array, Array]:
    """Return fraction of the tilt moment, collective thrust and yaw moment of the best thrusts.

    Three linear programs, in the order of the priorities: the largest fraction of roll and pitch
    moment together, then the least error of the collective thrust, then that of the yaw moment.
    Each solves all demands (k, 4) at once: they have no unknowns in common, so the sum is best
    where each is.
    """
    n, k = matrix.shape[1], len(demand)
    collective, tilt, yaw = matrix[:1], matrix[1:3], matrix[3:]
    limits = list(zip(low, high, strict=True))

    first = linprog(
        [*[0.0] * n, -1.0] * k,
        A_eq=block_diag(*(np.hstack([tilt, -row[1:3, None]]) for row in demand)),
        b_eq=[0.0, 0.0] * k,
        bounds=[*limits, (0, 1)] * k,
    )
    fraction = first.x.reshape(k, n + 1)[:, -1:]

    def least_error(kept: Array, values: Array, row: Array, target: Array) -> Array:
        """Return what ``row`` attains with the least error; two more unknowns are its parts."""
        a = np.block([[kept, np.zeros((len(kept), 2))], [row, np.array([[1.0, -1.0]])]])
        result = linprog(
            [*[0.0] * n, 1.0, 1.0] * k,
            A_eq=block_diag(*[a] * k),
            b_eq=np.column_stack([values, target]).ravel(),
            bounds=[*limits, (0, None), (0, None)] * k,
        )
        return np.asarray(result.x.reshape(k, n + 2)[:, :n] @ row[0])

    moments = TILT_MARGIN * fraction * demand[:, 1:3]
    thrust = least_error(tilt, moments, collective, demand[:, 0])
    kept = np.vstack([tilt, collective])
    return fraction, thrust, least_error(kept, np.c_[moments, thrust], yaw, demand[:, 3])


def random_demands(rng: np.random.Generator, mixer: Array, largest: float) -> Array:
    """Return rows of collective thrust, roll, pitch, yaw: some fit, many do not."""
    size = largest / np.maximum(np.abs(mixer).max(axis=1), 1e-9)
    moment = rng.uniform(-1, 1, (DEMANDS, 3)) * rng.choice([0.2, 0.6, 1.5], (DEMANDS, 1))
    collective = rng.uniform(0.1, 0.95, DEMANDS) / np.abs(mixer[0]).max() * largest
    return np.column_stack([collective, moment * size[1:] * mixer[1:].any(axis=1)])


def allocated(sim: pyrfly.Sim, demand: Array) -> tuple[Array, Array, Array]:
    """Return thrusts that the core allocates (k, rotors), and their limits (rotors,)."""
    p, count = sim.groups[0].parameters, sim.groups[0].parameters.actuator_count
    if p.c_type == "quad_x":
        linear, quadratic = np.repeat(sim.thrust_coef[0][:, None], count, axis=1)
    else:
        linear, quadratic = sim.rotor_thrust_coef[0].reshape(2, -1)[:, :count]

    def thrust(throttle: Array) -> Array:
        speed = np.polyval(sim.motor_curve[0][::-1], throttle)
        return np.asarray(speed * (linear + quadratic * speed))

    high = thrust(sim.motor_max[0])
    low = np.maximum(thrust(sim.motor_dead_zone[0]), IDLE * high)
    gain = sim.rate_p[0]
    sim.arm()
    rate = np.divide(demand[:, 1:], gain, out=np.zeros((sim.n, 3)), where=gain > 0)
    sim.multirotor.command_rate(rate, demand[:, 0] / sim.thrust_limit[0, 1])
    sim.step(1)  # the first update has neither an integral nor a rate
    return thrust(sim.throttle[:, :count]), low, high


@pytest.mark.parametrize(
    ("name", "factor"),
    [(name, HEALTHY) for name in SETS] + [(name, f) for name in REDUNDANT for f in (WEAK, DEAD)],
)
def test_no_thrusts_meet_the_demands_better(name: str, factor: float) -> None:
    """In both precisions."""
    seed = crc32(f"{name} {factor}".encode())
    print("seed", seed)
    rng = np.random.default_rng(seed)
    sim, single = (pyrfly.Sim(name, DEMANDS, precision=p) for p in ("float64", "float32"))
    count = sim.groups[0].parameters.actuator_count
    mixer = sim.mixer[0].reshape(4, -1)[:, :count]
    matrix = np.linalg.pinv(mixer.T)
    if factor != HEALTHY:
        rotor = int(rng.integers(count))
        weaken(sim, rotor, factor)
        weaken(single, rotor, factor)
    demand = random_demands(rng, mixer, float(sim.thrust_limit[0, 1]) / count)
    thrust, low, high = allocated(sim, demand)

    # The inverse of a curved motor curve is good to 1e-3.
    tolerance = 4e-3 * float(high.max()) * np.abs(matrix).sum(axis=1)
    higher = ACCURACY.get(name, 4e-3) / 4e-3 * tolerance
    fraction, collective, yaw = optima(matrix, demand, low, high)
    for thrusts in (thrust, allocated(single, demand)[0]):
        error = np.abs(thrusts @ matrix.T - demand)
        short = np.abs(thrusts @ matrix[1:3].T - fraction * demand[:, 1:3])
        assert (short <= higher[1:3]).all()
        assert (error[:, 0] <= np.abs(collective - demand[:, 0]) + 2 * higher[0]).all()
        # Two tolerances of the collective thrust may be the yaw moment of one rotor.
        same_tilt = (short <= tolerance[1:3]).all(axis=1)
        worse_yaw = error[:, 3] > np.abs(yaw - demand[:, 3]) + 4 * tolerance[3]
        assert not (same_tilt & worse_yaw).any()


@pytest.mark.parametrize("name", REDUNDANT)
@pytest.mark.parametrize("factor", [WEAK, DEAD])
def test_a_weak_or_dead_rotor_costs_no_position(name: str, factor: float) -> None:
    """One vehicle per rotor that fails in hover; a hexacopter without one can only turn."""
    count = vehicles.load(name).actuator_count
    home = np.array([0.0, 0.0, -50.0])
    sim = pyrfly.Sim(name, count, dt=0.002)
    sim.reset(pos=home, hover=True)
    for rotor in range(count):
        for column in WEAKENED:
            sim.groups[0].view(column).reshape(count, 2, -1)[rotor, :, rotor] *= factor
    for _ in range(250):
        sim.step(10)
        assert np.linalg.norm(sim.pos - home, axis=1).max() < 0.05
    if factor == WEAK or name not in ("hex_x", "hex_plus"):
        assert np.abs(sim.rate[:, 2]).max() < 0.01
