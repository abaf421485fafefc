"""Tables of vehicles as RflySim's CopterSim writes them, ``CopterSim<ID>.csv``: `copter_tables`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from pyrfly import wire
from pyrfly.log.columns import component_names, named_field
from pyrfly.server.server import Server
from pyrfly.sim import Sim
from pyrfly.transport import OptionError

__all__ = ["COLUMNS", "PERIOD", "copter_tables"]

PERIOD = 0.02
"""Simulated time between two rows [s]."""

COLUMNS = {
    "pos": 3,
    "vel": 3,
    "att": 4,
    "rate": 3,
    "accel": 3,
    "displayed_actuators": 8,
    "armed": 1,
    "free_outputs": 32,
}
"""Columns and their widths, behind time and CopterID; RflySim's own are not published."""

_OUTPUTS = "free_outputs"


@contextmanager
def copter_tables(server: Server, folder: Path | None) -> Iterator[None]:
    """Write the tables of vehicles until the end of the block.

    Parameters
    ----------
    server : Server
        The server.
    folder : Path, optional
        Where tables of all vehicles are written to; it is made. By default those are written whose
        file is in the working folder, as CopterSim does; it is empty, or such a table, whose rows
        are replaced. What else has such a name is left as it is, which is told.

    Raises
    ------
    OptionError
        The folder cannot be made, or a file in it cannot be written or is none of these.
    """
    with ExitStack() as opened:
        tables = _Tables(server.sim, server.first_id)
        for copter_id in range(server.first_id, server.first_id + server.sim.n):
            path = (folder or Path()) / f"CopterSim{copter_id}.csv"
            if folder is not None or path.is_file():
                _open(opened, tables, copter_id, path, folder is not None)
        if tables.files:
            server.sim.add_listener(tables.sample, PERIOD)
        yield


def _header() -> str:
    fields = [named_field(name, width) for name, width in COLUMNS.items()]
    names = [name for field in fields for name in component_names(field)]
    return ",".join(["time", "copter_id", *names])


def _open(opened: ExitStack, tables: _Tables, copter_id: int, path: Path, asked: bool) -> None:
    """Begin the table of a vehicle."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            _require_ours(path)
        file = opened.enter_context(path.open("w", encoding="utf-8", newline=""))
        print(_header(), file=file)
    except (OSError, ValueError) as error:
        if asked:
            raise OptionError(f"{path}: {error}") from None
        print(f"pyrfly sim: {path} is not written: {error}", file=sys.stderr)
        return
    tables.files[copter_id] = file


def _require_ours(path: Path) -> None:
    with path.open("rb") as file:
        begin = file.read(len(_header()) + 1)
    if begin and begin.rstrip(b"\r\n") != _header().encode():
        raise ValueError("expected an empty file, or a table of pyrfly, got another")


class _Tables:
    """Open tables by CopterID."""

    def __init__(self, sim: Sim, first_id: int) -> None:
        self.files: dict[int, TextIO] = {}
        self._sim, self._first_id = sim, first_id

    def sample(self) -> None:
        """Write a row of each; a table that cannot be written any more ends, which is told."""
        rows = [copter_id - self._first_id for copter_id in self.files]
        if not rows:
            return
        values = self._values([row + 1 for row in rows])
        for (copter_id, file), row in zip(list(self.files.items()), values, strict=True):
            numbers = ",".join(f"{value:.9g}" for value in row)
            try:
                print(f"{self._sim.time:.6f},{copter_id},{numbers}", file=file)
            except OSError as error:
                print(f"pyrfly sim: {file.name} ends: {error}", file=sys.stderr)
                del self.files[copter_id]

    def _values(self, ids: Sequence[int]) -> NDArray[np.float64]:
        chosen = self._sim.select(ids)
        outputs = wire.pack(self._sim, "outCopterStruct", ids)["outCopterData"]
        read = [outputs if name == _OUTPUTS else chosen.read(name) for name in COLUMNS]
        return np.column_stack([np.asarray(part, np.float64) for part in read])
