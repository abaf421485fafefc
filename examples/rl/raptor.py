"""Fly every quadrotor by RAPTOR, a policy from outside: ``pip install foundation-policy``.

The policy [@raptor] is a recurrent network of 2084 parameters, which learned in another simulator
to hold a position with any quadrotor. `Pilot` is all it takes to fly it here; every number that is
exchanged is in its docstring. The program flies starts 1 m from the goal, 30 degrees from level, at
1 m/s, all in random directions, with the parameter sets that are named, by default all with four
rotors::

    python examples/rl/raptor.py [x500 cf2x_l250 ...] [--starts 200] [--unlimited]

Last line: settled within 0.15 m in 5 s: ... of ... starts
"""

import argparse
from math import pi
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import Sim, vehicles
from pyrfly.vehicles import VehicleParameters
from pyrfly.vehicles.multirotor.hover import lift_coefficients
from pyrfly.vehicles.multirotor.layouts import LAYOUTS

Array = NDArray[np.float64]

RATE = 100
"""Steps of the policy per second [Hz]."""

POSITION_LIMIT, VELOCITY_LIMIT = 0.5, 1.0
"""Of what the policy is told, each axis [m, m/s] [@px4 1cb1bd73 mc_raptor.hpp]. It learned from
starts within 0.5 m."""

NOMINAL = pi / 4 * np.array([1, 3, 5, 7])
"""Angles of the policy's rotors from forward, clockwise seen from above [rad]: front right, back
right, back left, front left."""

SPINS = np.array([-1, 1, -1, 1])
"""Their rotation directions: -1 counter-clockwise seen from above [@l2f crazyflie.h]."""

FLIP = np.diag([1.0, -1.0, -1.0])
"""Forward-right-down to forward-left-up, and north-east-down to north-west-up; its own inverse."""


class Policy(Protocol):
    """What flies: `foundation_policy.Raptor`, or anything with its methods."""

    def reset(self) -> None:
        """Forget what was."""

    def evaluate_step(self, observation: Array, /) -> Array:
        """Return actions (n, 4) for observations (n, 22)."""
        ...


def yawed(angle: float) -> Array:
    """Return the rotation matrix of a turn about down: the axes of the turned frame, as columns."""
    sine, cosine = np.sin(angle), np.cos(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def rotation_matrices(att: Array) -> Array:
    """Return the matrices (n, 3, 3) of quaternions (n, 4), scalar first."""
    scalar, vector = att[:, 0, None, None], att[:, 1:]
    cross = np.cross(vector[:, None], np.eye(3)).transpose(0, 2, 1)
    return np.asarray(np.eye(3) + 2 * scalar * cross + 2 * cross @ cross)


def hubs_and_spins(parameters: VehicleParameters) -> tuple[Array, Array]:
    """Return hubs (4, 3) [m, FRD] and rotation directions (4,) of the rotors of a quadrotor."""
    if parameters.family != "multirotor" or parameters.actuator_count != len(SPINS):
        raise ValueError(f"vehicle: expected four rotors, got {parameters.name!r}")
    columns = parameters.columns
    if "arm_length" in columns:  # four equal rotors on an X, whose geometry is code
        layout = LAYOUTS["quad_x"]
        return layout.positions(float(columns["arm_length"][0])), layout.directions()
    hubs = columns["rotor_position"].reshape(3, -1).T[: len(SPINS)]
    return hubs, columns["rotor_direction"][: len(SPINS)]


class Seat(NamedTuple):
    """Where the policy sits in a vehicle."""

    rotors: NDArray[np.intp]
    """Our number of each of the policy's rotors."""
    yaw: float
    """Angle of the policy's forward from the vehicle's, clockwise seen from above [rad]."""


def seat_of(hubs: ArrayLike, spins: ArrayLike) -> Seat:
    """Return where rotors are those that the policy knows.

    Clockwise seen from above, the rotors turn in the order of the policy's if one begins with a
    counter-clockwise one. There are two, opposite each other, and the policy's frame is turned so
    that its front right is there: of the two turns the smaller. It is zero for an X with a
    counter-clockwise rotor at the front right, 45 degrees for a + with clockwise rotors at the
    front and the back, and 90 degrees for an X that turns the other way.

    Parameters
    ----------
    hubs : array_like, shape (4, 3)
        Hubs [m, FRD].
    spins : array_like, shape (4,)
        Rotation directions: +1 clockwise seen from above, -1 counter-clockwise.

    Raises
    ------
    ValueError
        Rotors beside each other turn alike.
    """
    x, y = np.asarray(hubs, dtype=np.float64)[:, :2].T
    angles = np.arctan2(y, x)
    clockwise = np.argsort(angles)
    seats = []
    for first in range(len(SPINS)):
        rotors = np.roll(clockwise, -first)
        if np.array_equal(np.asarray(spins)[rotors], SPINS):
            turns = np.exp(1j * (angles[rotors] - NOMINAL))
            seats.append(Seat(rotors, float(np.angle(turns.mean()))))
    if not seats:
        raise ValueError(f"spins: expected rotors that alternate around the vehicle, got {spins!r}")
    return min(seats, key=lambda seat: abs(seat.yaw))


class Motors:
    """Throttles of a parameter set by steady rotor speed: its motor curve, inverted."""

    def __init__(self, parameters: VehicleParameters) -> None:
        low, high = (float(parameters.columns[key][0]) for key in ("motor_dead_zone", "motor_max"))
        self._throttles = np.linspace(low, high, 4001)
        curve = np.polynomial.Polynomial(parameters.columns["motor_curve"])
        self._speeds = np.maximum(curve(self._throttles), 0.0)  # they do not decrease
        self.slowest, self.fastest = self._speeds[0], self._speeds[-1]

    def throttles(self, actions: Array) -> Array:
        """Return throttles at which rotors turn at what actions -1 to 1 demand."""
        speeds = self.slowest + (self.fastest - self.slowest) * (actions + 1) / 2
        return np.asarray(np.interp(speeds, self._speeds, self._throttles))

    def actions(self, speeds: Array) -> Array:
        """Return the actions that demand rotor speeds [rad/s]."""
        return np.asarray(2 * (speeds - self.slowest) / (self.fastest - self.slowest) - 1)


class Pilot:
    """RAPTOR at the motors of the vehicles of a `Sim`, all of one set with four rotors.

    The policy sees 22 values, in a frame whose x is towards the heading of the goal, y to the left
    of that, z up, and in a body frame forward-left-up:

    ========  =======================================================  =====
    values    quantity                                                 unit
    ========  =======================================================  =====
    0 to 2    position less the goal, at most `POSITION_LIMIT`         m
    3 to 11   rotation matrix, body to the frame of the goal, by rows  1
    12 to 14  velocity in the frame of the goal, at most               m/s
              `VELOCITY_LIMIT`
    15 to 17  angular velocity in the body                             rad/s
    18 to 21  previous action                                          1
    ========  =======================================================  =====

    An action, -1 to 1, is a rotor speed, linear from that at the least throttle at which the rotor
    turns to that at full throttle. Actions are clipped before their use and before they are the
    previous ones. In a vehicle whose rotors are elsewhere, both frames are turned (`seat_of`).

    Parameters
    ----------
    sim : Sim
        The vehicles; their controllers are switched off. 0.01 s must be whole steps.
    policy : Policy
        What flies, used by this pilot alone: it has a memory.
    limited : bool
        Whether the policy sees at most the limits.
    """

    def __init__(self, sim: Sim, policy: Policy, *, limited: bool = True) -> None:
        if len(sim.groups) != 1:
            raise ValueError(f"sim: expected one parameter set, got {len(sim.groups)}")
        parameters = sim.groups[0].parameters
        self.substeps = round(1 / (RATE * sim.dt))
        if abs(self.substeps * RATE * sim.dt - 1) > 1e-9:
            raise ValueError(f"sim: expected whole steps in {1 / RATE} s, got dt={sim.dt:g} s")
        self.seat = seat_of(*hubs_and_spins(parameters))
        self.motors = Motors(parameters)
        self.sim, self.policy, self.limited = sim, policy, limited
        self.reset()

    def reset(self) -> None:
        """Forget what was: the memory of the policy, and its action, which is that of now."""
        self.sim.controllers = False
        self.policy.reset()
        speeds = np.asarray(self.sim.rotor_speed, dtype=np.float64)[:, self.seat.rotors]
        self.action = np.clip(self.motors.actions(speeds), -1.0, 1.0)

    def observation(self, goal: ArrayLike, heading: float = 0.0) -> Array:
        """Return what the policy sees.

        Parameters
        ----------
        goal : array_like, shape (3,) or (n, 3)
            Position to hold [m, NED].
        heading : float
            Heading to hold [rad].

        Returns
        -------
        ndarray, shape (n, 22), float64
            The values of the class's table.
        """
        sim = self.sim
        world, body = yawed(heading + self.seat.yaw) @ FLIP, yawed(self.seat.yaw) @ FLIP
        position = (sim.pos - np.asarray(goal)) @ world
        velocity = sim.vel @ world
        if self.limited:
            position = position.clip(-POSITION_LIMIT, POSITION_LIMIT)
            velocity = velocity.clip(-VELOCITY_LIMIT, VELOCITY_LIMIT)
        rotation = world.T @ rotation_matrices(sim.att) @ body
        rate = sim.rate @ body
        return np.hstack([position, rotation.reshape(-1, 9), velocity, rate, self.action])

    def step(self, goal: ArrayLike, heading: float = 0.0) -> None:
        """Fly one step of the policy, 10 ms, towards a goal; arguments of `observation`."""
        action = self.policy.evaluate_step(self.observation(goal, heading))
        self.command(action)
        self.sim.step(self.substeps)

    def command(self, action: ArrayLike) -> None:
        """Write an action of the policy, shape (n, 4), to the motors."""
        self.action = np.clip(np.asarray(action, dtype=np.float64), -1.0, 1.0)
        self.sim.throttle[:, self.seat.rotors] = self.motors.throttles(self.action)


class Flight(NamedTuple):
    """What became of the starts of a vehicle."""

    settled: int
    """Starts after which the vehicle is within 0.15 m from 5 s on."""
    starts: int
    error: float
    """Largest distance from the goal from 5 s on: the median of the starts [m]."""
    worst: float
    """The same: the largest of all starts [m]."""
    tilt: float
    """Largest tilt of all starts that settled [rad]."""
    ripple: float
    """Mean change of an action in a step in the last second of those."""


def random_directions(rng: np.random.Generator, n: int, axes: int) -> Array:
    """Return n unit vectors in the first axes."""
    vectors = np.zeros((n, 3))
    vectors[:, :axes] = rng.normal(size=(n, axes))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def start(sim: Sim, goal: Array, seed: int) -> None:
    """Put vehicles 1 m from a goal, 30 degrees from level, at 1 m/s, with rotors that hover."""
    rng = np.random.default_rng(seed)
    sim.reset(pos=goal, hover=True)
    sim.pos = goal + random_directions(rng, sim.n, 3)
    sim.vel = random_directions(rng, sim.n, 3)
    half = pi / 12
    sim.att[:, 0] = np.cos(half)
    sim.att[:, 1:] = np.sin(half) * random_directions(rng, sim.n, 2)


def fly(
    vehicle: str, policy: Policy, *, starts: int, seed: int = 1, limited: bool = True
) -> Flight:
    """Fly a parameter set to its goal from random starts, 7 s each."""
    goal = np.array([0.0, 0.0, -100.0])
    sim = Sim(vehicle, starts, dt=0.002)
    start(sim, goal, seed)
    pilot = Pilot(sim, policy, limited=limited)
    distances, cosines, actions = [], [], []
    for _ in range(7 * RATE):
        pilot.step(goal)
        distances.append(np.linalg.norm(sim.pos - goal, axis=1))
        cosines.append(rotation_matrices(sim.att)[:, 2, 2])
        actions.append(pilot.action)
    late = np.max(distances[5 * RATE :], axis=0)
    settled = late <= 0.15
    changes = np.abs(np.diff(actions[-RATE:], axis=0))[:, settled]
    least = np.min(np.stack(cosines)[:, settled], initial=1.0)
    return Flight(
        int(settled.sum()), starts, float(np.median(late)), float(late.max()),
        float(np.arccos(max(least, -1.0))), float(changes.mean()) if changes.size else np.nan,
    )  # fmt: skip


def quadrotors() -> list[str]:
    """Return the names of all parameter sets with four rotors."""
    sets = {name: vehicles.load(name) for name in vehicles.names("multirotor")}
    return [n for n, p in sets.items() if p.actuator_count == len(SPINS) and not p.airframes]


def thrust_to_weight(parameters: VehicleParameters) -> float:
    """Return the thrust at full throttle over the weight."""
    linear, quadratic = lift_coefficients(parameters)
    speed = Motors(parameters).fastest
    weight = parameters.columns["mass"][0] * parameters.columns["gravity"][0]
    return float(speed * (linear + quadratic * speed) / weight)


def main() -> None:
    """Print a line for each vehicle."""
    from foundation_policy import Raptor

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vehicle", nargs="*", default=quadrotors())
    parser.add_argument("--starts", type=int, default=200, help="random starts of each vehicle")
    parser.add_argument("--seed", type=int, default=1, help="of the starts")
    parser.add_argument("--unlimited", action="store_true", help="tell the policy any distance")
    args = parser.parse_args()
    policy = Raptor()
    print(f"{'vehicle':10} {'settled':>9} {'error':>8} {'worst':>8} {'tilt':>6} {'ripple':>7} "
          f"{'T/W':>5} {'motors':>12} {'turned':>7}")  # fmt: skip
    flights = []
    for name in args.vehicle:
        flight = fly(name, policy, starts=args.starts, seed=args.seed, limited=not args.unlimited)
        flights.append(flight)
        parameters = vehicles.load(name)
        rising, falling = 1000 * parameters.columns["motor_tau"]
        print(f"{name:10} {flight.settled:4}/{flight.starts:<4} {flight.error:6.3f} m "
              f"{flight.worst:6.3f} m {np.degrees(flight.tilt):4.0f}° {flight.ripple:7.3f} "
              f"{thrust_to_weight(parameters):5.2f} {rising:5.1f}/{falling:.1f} ms "
              f"{np.degrees(seat_of(*hubs_and_spins(parameters)).yaw):5.0f}°")  # fmt: skip
    settled, starts = sum(f.settled for f in flights), sum(f.starts for f in flights)
    print(f"settled within 0.15 m in 5 s: {settled} of {starts} starts")


if __name__ == "__main__":
    main()
