"""The recording of a server, which outlives it: `recording`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pyrfly.autopilot import Autopilots
from pyrfly.log import Recorder, flight_columns
from pyrfly.log.flight_notes import MODES, PARAMETERS, TEXTS
from pyrfly.mavlink.constants import Severity
from pyrfly.mavlink.modes import nav_state
from pyrfly.server.server import Server

__all__ = ["recording"]

PERIOD = 0.02
"""Simulated time between two samples [s]."""

_MOST = 10_000
"""Modes and texts that are noted: who may command a vehicle cannot fill the memory with them."""


@contextmanager
def recording(server: Server, folder: Path | None) -> Iterator[dict[str, Any]]:
    """Record the vehicles in a folder, if there is one, until the end of the block.

    It is given the notes of the recording, which it may add to.

    Of vehicles that answer as PX4 it has their modes, what they say, and all their parameters.
    Where the folder cannot be written any more, as on a full disk, that is told and the recording
    ends with what is there; the vehicles are served on.
    """
    if folder is None:
        yield {}
        return
    sim = server.sim
    recorder = Recorder(sim, flight_columns(sim), folder=folder, faults=True, failed=_tell)
    if server.mavlink is not None:
        _note(recorder, server.mavlink.autopilots)
    sim.add_listener(recorder.sample, PERIOD)
    try:
        yield recorder.notes
    finally:
        recorder.close()


def _note(recorder: Recorder, autopilots: Autopilots) -> None:
    """Note modes, texts and parameters of vehicles that answer as PX4."""
    sim, parameters = recorder.sim, autopilots.parameters
    modes: list[list[Any]] = []
    texts: list[list[Any]] = []
    last = np.full(sim.n, -1, np.int64)
    recorder.notes |= {
        MODES: modes,
        TEXTS: texts,
        PARAMETERS: {
            str(group.first_id): {
                row.name: int(value) if row.kind == "INT32" else float(value)
                for row, value in zip(
                    parameters.rows(group.first_id - 1),
                    parameters.own(group.first_id - 1).tolist(),
                    strict=True,
                )
            }
            for group in sim.groups
        },
    }

    def note_modes() -> None:
        mode = autopilots.commander.mode
        changed = np.flatnonzero(mode != last)[: _MOST - len(modes)].tolist()
        modes.extend([sim.time, row + 1, int(nav_state(int(mode[row])))] for row in changed)
        last[:] = mode

    def note_text(row: int, severity: Severity, text: str) -> None:
        if len(texts) < _MOST:
            texts.append([sim.time, row + 1, int(severity), text])

    note_modes()
    sim.add_listener(note_modes, PERIOD)
    autopilots.hearers.append(note_text)


def _tell(error: OSError) -> None:
    print(f"pyrfly sim: the recording has ended: {error}", file=sys.stderr, flush=True)
