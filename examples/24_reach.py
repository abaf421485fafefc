"""A car, a boat and an underwater vehicle come to poses: by what they learned, and by controllers.

Each has 200 goals, a position and a heading, and its actuators: traction and steering, two
propellers, eight thrusters. The policies are those of rl/train_reach.py; the controllers of the
vehicles, which get the goal as a set-point, are what they compare with. It needs pyrfly[rl].
Figure: reach.png.

Last line: learned: bmw_320i ...%, otter ...%, bluerov2_heavy ...%
"""

import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from pyrfly.rl import PyrflyVectorEnv

RL = Path(__file__).parent / "rl"
sys.path.insert(0, str(RL))
from policy import Network  # noqa: E402
from reach import PACES, options  # noqa: E402

GOALS, SHOWN, SEED = 200, 8, 2_000_000


class Ways(NamedTuple):
    """How vehicles went: positions (steps, n, 3), poses of goals, and when they arrived, or nan."""

    pos: NDArray[np.float64]
    goal: NDArray[np.float64]
    yaw: NDArray[np.float64]
    arrived: NDArray[np.float64]

    @property
    def share(self) -> float:
        return float(np.isfinite(self.arrived).mean())


def there(envs: PyrflyVectorEnv) -> NDArray[np.bool_]:
    """Return which vehicles are at their goals, as the task asks."""
    sim, (_, distance, speed) = envs.sim, envs.task.touch
    turn = np.angle(np.exp(1j * (sim.euler[:, 2] - sim.task_goal_yaw)))
    near = np.linalg.norm(sim.pos - sim.task_goal, axis=1) <= distance
    slow = np.linalg.norm(sim.vel, axis=1) <= speed
    return np.asarray(near & slow & (np.abs(turn) <= envs.task.touch_heading))


def gone(vehicle: str, network: Network | None) -> Ways:
    """Let a vehicle go to its goals by a policy, or by its own controllers."""
    envs = PyrflyVectorEnv(GOALS, **options(vehicle), autoreset_mode=AutoresetMode.DISABLED)
    observations, _ = envs.reset(seed=SEED)
    sim, pace = envs.sim, PACES[vehicle]
    goal, yaw = sim.task_goal.copy(), sim.task_goal_yaw.copy()
    arrived, ways = np.full(GOALS, np.nan), [sim.pos.copy()]
    if network is None:
        sim.controllers = True
        sim.command_position(goal, yaw=yaw)
    for step in range(1, envs.episode_steps + 1):
        if network is None:
            sim.step(pace.substeps)
        else:
            observations, *_ = envs.step(network(observations))
        going = np.isnan(arrived)
        ways.append(np.where(going[:, None], sim.pos, ways[-1]))
        arrived[going & there(envs)] = step / pace.rate
    return Ways(np.array(ways), goal, yaw, arrived)


figure, axes = plt.subplots(1, len(PACES), figsize=(11, 3.9), layout="compressed")
print(f"{'vehicle':16}{'learned':>10}{'median':>10}{'controllers':>14}{'median':>10}")
learned = {}
for vehicle, side in zip(PACES, axes, strict=True):
    network = Network.load(RL / "results" / f"reach_{vehicle}.npz")
    policy, own = gone(vehicle, network), gone(vehicle, None)
    learned[vehicle] = policy.share
    times = [f"{np.nanmedian(ways.arrived):8.1f} s" for ways in (policy, own)]
    print(f"{vehicle:16}{policy.share:10.1%}{times[0]}{own.share:14.1%}{times[1]}")
    for k in range(SHOWN):
        colour = plt.get_cmap("turbo")((k + 0.5) / SHOWN)
        for ways, line in ((policy, "-"), (own, ":")):
            north, east = ways.pos[:, k, :2].T
            side.plot(east, north, line, color=colour, lw=1.2)
        heading = np.sin(policy.yaw[k]), np.cos(policy.yaw[k])
        side.quiver(*policy.goal[k, 1::-1], *heading, color=colour, width=0.012, scale=12)
    side.set(title=vehicle, xlabel="east [m]", aspect="equal")
axes[0].set_ylabel("north [m]")
figure.suptitle("From rest in the middle to poses (arrows): learned, and dotted by controllers")
figure.savefig("reach.png", dpi=80)
print("learned: " + ", ".join(f"{vehicle} {share:.1%}" for vehicle, share in learned.items()))
