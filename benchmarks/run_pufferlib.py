"""PufferLib's drone; run by `peers.py`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import numpy as np
from measuring import Case, Row, main
from pufferlib.ocean.drone.drone import Drone

SIZES = (64, 1024, 8192)
HOVER = 2 * (1.0 * 9.81 / 4 / 3e-5) ** 0.5 / 750 - 1
"""Action of hovering: by `MASS`, `GRAVITY`, `K_THRUST` and `MAX_RPM` of its drone."""


def cases() -> Iterator[Case]:
    """Yield the same work in all sizes."""
    for n in SIZES:
        envs = Drone(num_envs=n, report_interval=1_000_000)
        actions = HOVER + np.random.default_rng(0).uniform(-0.02, 0.02, (n, 4)).astype(np.float32)
        row = Row(
            "motors, Euler", "PufferLib", version("pufferlib"), "no motor lag", "its drone, 1 kg",
            "Euler", 0.02, 1, "float32", n, 16, "reward, ends, restarts",
        )  # fmt: skip
        yield Case(
            row, lambda e=envs: e.reset(seed=0), lambda e=envs, a=actions: e.step(a)
        )  # fmt: skip


if __name__ == "__main__":
    main(cases)
