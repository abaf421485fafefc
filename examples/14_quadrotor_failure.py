"""A quadrotor loses a motor: its controllers drop it; one that knows gives up yaw and holds it.

It lets the vehicle turn about an axis that stands still, and tilts this axis to keep the place
[@mueller-dandrea]. It is told 0.1 s after the fault, an assumption about its detection. Figure:
quadrotor_failure.png.

Last line: not told on the ground after ... s; told within ... m of its place, at ... rad/s
"""

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from pyrfly import Sim
from pyrfly.log import Log, Recorder

Array = NDArray[np.float64]

PLACE, FAILS, KNOWN, END = np.array([0.0, 0.0, -20.0]), 1.0, 1.1, 8.0
PERIOD = 2  # integrator steps of 1 ms: 500 Hz
SHARES = (
    np.array([0, 0.1, 1, 1]) / 2.1
)  # of the thrust; the second rotor is opposite to the lost one
START = np.array([2.0, 2.0, -8.0])  # rad/s, where the search of the steady rotation begins

sim = Sim("cs2019")
sim.faults.add("motor", actuator=1, at=FAILS)
mass, gravity, inertia, lag = sim.mass[0], sim.gravity[0], sim.inertia[0, :3], sim.motor_tau[0, 0]
damping, rotor_inertia = sim.damping_quadratic[0], sim.rotor_inertia[0]
per_square, torque = sim.thrust_coef[0, 1], sim.torque_coef[0, 1] / sim.thrust_coef[0, 1]
x = sim.arm_length[0] / np.sqrt(2) * np.array([1, -1, 1, -1])
y = sim.arm_length[0] / np.sqrt(2) * np.array([1, -1, -1, 1])
turns = np.array([-1, -1, 1, 1])


def angular_acceleration(rate: Array, thrust: Array) -> Array:
    """Return the angular acceleration [rad/s^2, FRD] for the thrusts of the rotors [N]."""
    moment = np.array([-y @ thrust, x @ thrust, -torque * turns @ thrust])
    spin = rotor_inertia * turns @ np.sqrt(np.maximum(thrust, 0) / per_square)
    momentum = inertia * rate + [0, 0, spin]
    return np.asarray((moment - damping * rate * abs(rate) - np.cross(rate, momentum)) / inertia)


def slopes(function: Callable[[Array], Array], at: Array) -> Array:
    """Return the derivatives of a function, by central differences."""
    steps = 1e-5 * np.eye(len(at))
    return np.stack([(function(at + h) - function(at - h)) / 2e-5 for h in steps], axis=-1)


def lqr(a: Array, b: Array, q: Array, r: Array) -> Array:
    """Return K of u = -K x of a continuous model: the stable subspace of its Hamiltonian matrix."""
    hamiltonian = np.block([[a, -b @ np.linalg.solve(r, b.T)], [-q, -a.T]])
    values, vectors = np.linalg.eig(hamiltonian)
    upper, lower = np.split(vectors[:, values.real < 0], 2)
    return np.asarray(np.linalg.solve(r, b.T @ (lower @ np.linalg.inv(upper)).real))


# A steady rotation, whose axis is vertical and whose mean thrust is the weight.
def unsteady(z: Array) -> Array:
    """Return what a rotation z[:3] with the total thrust z[3] is short of."""
    lift = z[3] * abs(z[2]) / np.linalg.norm(z[:3])
    return np.append(angular_acceleration(z[:3], z[3] * SHARES), lift - mass * gravity)


steady = np.append(START, mass * gravity)
for _ in range(30):
    steady = steady - np.linalg.solve(slopes(unsteady, steady), unsteady(steady))
turn, total = steady[:3], steady[3]
axis = turn / np.linalg.norm(turn)  # up, in the body, which turns to the left

# About it: roll and pitch rates, the axis, and the thrusts of the rotors that are left.
thrusts = total * SHARES


def motion(z: Array) -> Array:
    """Return the derivatives of rates p, q, components x, y of the axis, and three thrusts."""
    rate, up = np.array([z[0], z[1], turn[2]]), np.array([z[2], z[3], axis[2]])
    acceleration = angular_acceleration(rate, np.append(0, z[4:]))
    return np.concatenate([acceleration[:2], -np.cross(rate, up)[:2], (thrusts[1:] - z[4:]) / lag])


balance = np.concatenate([turn[:2], axis[:2], thrusts[1:]])
inputs = np.concatenate([np.zeros((4, 3)), np.eye(3) / lag])
gain = lqr(
    slopes(motion, balance), inputs, np.diag([0.3, 0.3, 20, 20, 0, 0, 0]), 0.3 * np.eye(3)
)  # fmt: skip


def rotation(q: Array) -> Array:
    """Return the matrix of a quaternion, FRD to NED."""
    w, (a, b, c) = q[0], q[1:]
    cross = np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]])
    return np.asarray(np.eye(3) + 2 * w * cross + 2 * cross @ cross)


def knowing(sim: Sim) -> Array:
    """Return the throttles of a controller without the first rotor."""
    wanted = np.clip(1.0 * (PLACE - sim.pos[0]), -2, 2) - 1.5 * sim.vel[0] - [0, 0, gravity]
    up = rotation(sim.att[0]).T @ wanted / np.linalg.norm(wanted)
    now = per_square * sim.rotor_speed[0, 1:] ** 2
    lift = thrusts[1:] * np.linalg.norm(wanted) / gravity
    error = np.concatenate([sim.rate[0, :2] - turn[:2], up[:2] - axis[:2], now - lift])
    own = lift - gain @ error
    speed = np.sqrt(np.maximum(own, 0) / per_square)
    throttle = (speed - sim.motor_curve[0, 0]) / sim.motor_curve[0, 1]
    return np.append(0, np.clip(throttle, 0, 1))


def flown(sim: Sim, known: float) -> Log:
    """Fly in hover, from a time on with the controller that knows [s]."""
    sim.controllers = True
    sim.reset(pos=PLACE, hover=True)
    recorder = Recorder(sim, ["pos", "rate"], every=PERIOD)
    sim.run(min(known, END), record=recorder)
    sim.controllers = False
    while sim.time < END:
        sim.throttle = knowing(sim)
        sim.step(PERIOD)
        recorder.sample()
    return recorder.log()


logs = {"not told": flown(sim, END), "told": flown(sim, KNOWN)}

figure, (height, rate) = plt.subplots(2, sharex=True, layout="constrained")
for name, log in logs.items():
    height.plot(log.time, -log["pos"][:, 0, 2], label=name)
    rate.plot(log.time, np.linalg.norm(log["rate"][:, 0], axis=1))
height.set(title="A quadrotor loses a motor at 1 s", ylabel="height [m]")
height.legend()
rate.set(xlabel="time [s]", ylabel="rate [rad/s]")
figure.savefig("quadrotor_failure.png")

down = logs["not told"]["pos"][:, 0, 2] > -0.1
fall = logs["not told"].time[down.argmax()] - FAILS
away = np.linalg.norm(logs["told"]["pos"][:, 0] - PLACE, axis=1).max()
spin = np.linalg.norm(logs["told"]["rate"][-1, 0])
print(
    f"not told on the ground after {fall:.1f} s; told within {away:.1f} m of its place, "
    f"at {spin:.1f} rad/s"
)
