"""The recording of a server, which outlives it: `recording`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyrfly.log import Recorder, flight_columns
from pyrfly.sim import Sim

__all__ = ["recording"]

PERIOD = 0.02
"""Simulated time between two samples [s]."""


@contextmanager
def recording(sim: Sim, folder: Path | None) -> Iterator[None]:
    """Record the vehicles in a folder, if there is one, until the end of the block.

    Where the folder cannot be written any more, as on a full disk, that is told and the recording
    ends with what is there; the vehicles are served on.
    """
    if folder is None:
        yield
        return
    recorder = Recorder(sim, flight_columns(sim), folder=folder, failed=_tell)
    sim.add_listener(recorder.sample, PERIOD)
    try:
        yield
    finally:
        recorder.close()


def _tell(error: OSError) -> None:
    print(f"pyrfly sim: the recording has ended: {error}", file=sys.stderr, flush=True)
