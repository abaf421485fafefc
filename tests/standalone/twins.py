"""Flies an exported vehicle beside the built-in one; prints where they differ in any bit.

Run with PYRFLY_SIMD=strict: python twins.py LIBRARY SET CONTROLLER
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

import pyrfly
from pyrfly import plugins

COMPARED = {
    **{name: name for name in ("pos", "vel", "att", "rate", "euler")},
    "accel": "model_accel",
    "displayed_actuators": "model_display",
}
"""Columns of the built-in vehicle, and what a model in a library tells of them."""

START = (3.0, -4.0, -12.0)
SEED = 5


def drive_motors(ours: pyrfly.Sim, theirs: pyrfly.Sim, k: int) -> None:
    """Give both the same random commands, from the least to the greatest ones."""
    group = ours.groups[0]
    drawn = np.random.default_rng((SEED, k)).uniform(0.2, 0.7, len(group.ranges))
    low, high = (np.array([getattr(one, end) for one in group.ranges]) for end in ("low", "high"))
    give(ours, theirs, low + drawn * (high - low))


def give(ours: pyrfly.Sim, theirs: pyrfly.Sim, values: np.ndarray) -> None:
    at = 0
    for name in ours.groups[0].actuators:
        column = ours.groups[0].view(name).reshape(-1)
        column[:] = values[at : at + len(column)]
        at += len(column)
    theirs.groups[0].view("command")[0, : len(values)] = values


COMMANDS = {
    0: ([7 | 1 << 8, 0], {0: 5.0, 2: -15.0}),  # take off
    4: ([7, 1 | 8], {0: 20.0, 1: 10.0, 2: -16.0, 11: 0.5}),  # a position and a heading
    8: ([7, 2 | 16 | 1 << 12], {3: 2.0, 5: 0.5, 14: 0.2}),  # a velocity in the body frame
    11: ([7 | 1 << 10, 0], {}),  # land
}


def command(ours: pyrfly.Sim, theirs: pyrfly.Sim, k: int) -> None:
    if k not in COMMANDS:
        return
    words, numbers = COMMANDS[k]
    ints, floats = np.zeros(8, int), np.zeros(20)
    ints[:2] = words
    for i, value in numbers.items():
        floats[i] = value
    for sim in (ours, theirs):
        sim.command_sil(ints, floats)


def fly(ours: pyrfly.Sim, theirs: pyrfly.Sim, act: Callable[..., None]) -> float:
    """Return how far they flew; raise a SystemExit where they differ."""
    way, last = 0.0, ours.pos.copy()
    for k in range(14):
        act(ours, theirs, k)
        for sim in (ours, theirs):
            sim.step(1000)
        if ours.status[0] != 0:  # a model in a library stops at the very step
            return way
        for name, told in COMPARED.items():
            a, b = (sim.groups[0].view(n)[0] for sim, n in ((ours, name), (theirs, told)))
            if a.tobytes() != b.tobytes():
                sys.exit(f"{name} after {k + 1} s: {a} built in, {b} exported")
        way += float(np.linalg.norm(ours.pos - last))
        last = ours.pos.copy()
    return way


def main(library: str, name: str, controller: bool) -> None:
    ours, theirs = pyrfly.Sim(name, 1), pyrfly.Sim({plugins.load(library): 1})
    ours.controllers = controller
    for sim in (ours, theirs):
        if controller:
            sim.enable_synthesis()
        sim.reset(pos=START, yaw=0.7)
    if not controller:
        give(ours, theirs, np.zeros(len(ours.groups[0].ranges)))
    ours.step(1)  # as a model does at its start
    way = fly(ours, theirs, command if controller else drive_motors)
    if not way > 1:
        sys.exit(f"they flew {way} m only")
    print(f"{way:.1f} m, bit by bit")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3] == "True")
