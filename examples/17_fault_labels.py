"""A data set of faults with labels, from 600 flights, and a classifier that learns them.

An example is a second of what a vehicle senses and commands, at 50 Hz; its label is the kind of
fault that acts in it, from the columns that every log of vehicles with faults has. The classifier
is linear in means and deviations, and is tested on vehicles of which it has seen nothing. Files:
fault_windows.npz, with X, y and the CopterIDs; figure: fault_labels.png.

Last line: ... windows of 600 flights; of other vehicles ...% are told right, ...% by guess
"""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from pyrfly import Sim
from pyrfly.log import Log, Recorder
from pyrfly.protocol.bits import FaultKind

Array = NDArray[np.float64]

N, SECONDS, WINDOW = 600, 12.0, 50
SENSED = ("imu_accel", "imu_gyro", "throttle")
KINDS = ("none", "motor", "actuator_jitter", "sensor_noise", "gusts")


def fly() -> Log:
    """Fly with changing velocities; a fifth of the vehicles each has one kind of fault, or none."""
    sim, rng = Sim("x450", N), np.random.default_rng(1)
    sim.sensors.enable("imu", profile="px4")
    ids = np.arange(1, N + 1)
    own = {kind: ids[ids % len(KINDS) == k] for k, kind in enumerate(KINDS)}
    each = N // len(KINDS)

    def give(kind: str, **values: Any) -> None:
        begin, lasts = rng.uniform(2, 6, each), rng.uniform(3, 5, each)
        sim.faults.add(kind, ids=own[kind], at=begin, duration=lasts, **values)

    give("motor", actuator=1, effectiveness=rng.uniform(0.4, 0.9, each))
    give("actuator_jitter", actuator=2, deviation=rng.uniform(0.05, 0.2, each))
    give("sensor_noise", sensor="gyroscope", factor=rng.uniform(2, 8, each))
    give("gusts", wind=rng.uniform(-8, 8, (each, 3)), period=rng.uniform(1, 2, each))
    sim.reset(pos=[0, 0, -100], hover=True, seed=1)
    sim.randomize("mass", 1.6, 2.0)
    recorder = Recorder(sim, [*SENSED, "fault_kind", "fault_share"], every=20)
    for _ in range(round(SECONDS / 2)):
        sim.command_velocity(rng.uniform(-3, 3, (N, 3)) * [1, 1, 0.3], yaw_rate=0.0)
        sim.run(2, record=recorder)
    return recorder.log()


def windows(log: Log) -> tuple[NDArray[np.float32], NDArray[np.intp], NDArray[np.int64]]:
    """Return windows (k, samples, channels), their labels, and their vehicles.

    A window is left out if its fault begins or ends in it.
    """
    sensed = np.concatenate([log[name] for name in SENSED], axis=-1)
    kind = np.where(log["fault_share"] > 0, log["fault_kind"], 0).max(axis=-1)
    count = len(log) // WINDOW
    shape = count, WINDOW, N
    kind = kind[: count * WINDOW].reshape(shape)
    x = sensed[: count * WINDOW].reshape(*shape, -1).transpose(0, 2, 1, 3)
    steady = (kind == kind[:, :1]).all(axis=1)
    ids = np.broadcast_to(log.copter_ids, steady.shape)[steady]
    return x[steady].astype(np.float32), kind[:, 0][steady].astype(np.intp), ids


def features(x: NDArray[np.float32]) -> Array:
    """Return means and deviations of the channels, and deviations of their changes."""
    parts = [x.mean(axis=1), x.std(axis=1), np.diff(x, axis=1).std(axis=1)]
    return np.concatenate(parts, axis=1).astype(np.float64)


def scaled(x: Array, of: Array) -> Array:
    """Return a constant, features over their deviations in a set of examples, and squares."""
    z = np.clip((x - of.mean(axis=0)) / of.std(axis=0), -5, 5)
    return np.concatenate([np.ones((len(z), 1)), z, z * z], axis=1)


def trained(x: Array, wanted: Array) -> Array:
    """Return weights by ridge regression."""
    return np.asarray(np.linalg.solve(x.T @ x + np.eye(x.shape[1]), x.T @ wanted))


log = fly()
x, y, ids = windows(log)
np.savez("fault_windows.npz", X=x, y=y, copter_ids=ids)

numbers = np.array([FaultKind[kind.upper()] for kind in KINDS])
label = np.searchsorted(numbers, y)
known = ids <= N // 2
found = features(x)
weights = trained(scaled(found[known], found[known]), np.eye(len(KINDS))[label[known]])
told = (scaled(found[~known], found[known]) @ weights).argmax(axis=1)
true = label[~known]

share = np.zeros((len(KINDS), len(KINDS)))
np.add.at(share, (true, told), 1)
share /= share.sum(axis=1, keepdims=True)
figure, axes = plt.subplots(layout="constrained")
image = axes.imshow(share, vmin=0, vmax=1, cmap="Blues")
for (row, column), value in np.ndenumerate(share):
    axes.text(column, row, f"{value:.0%}", ha="center", color="w" if value > 0.5 else "k")
axes.set_xticks(range(len(KINDS)), KINDS, rotation=30)
axes.set_yticks(range(len(KINDS)), KINDS)
axes.set(xlabel="told", ylabel="true", title="Windows of other vehicles, by the kind of fault")
figure.colorbar(image)
figure.savefig("fault_labels.png")

right, guess = np.mean(told == true), np.mean(true == np.bincount(true).argmax())
print(
    f"{len(y)} windows of {N} flights; of other vehicles {right:.0%} are told right, "
    f"{guess:.0%} by guess"
)
