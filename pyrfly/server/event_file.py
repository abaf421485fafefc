"""Events of ``pyrfly sim --events``: `enter_event_file`."""

from __future__ import annotations

from pathlib import Path

from pyrfly.errors import ParameterError, shown
from pyrfly.files import printable, read_regular
from pyrfly.sim import Sim
from pyrfly.sim.events import enter_events
from pyrfly.transport import OptionError
from pyrfly.vehicles.entries import parse_toml

__all__ = ["enter_event_file"]

_MAXIMUM_FILE = 10_000_000  # bytes


def enter_event_file(sim: Sim, path: Path, first_id: int) -> None:
    """Enter the tables ``[[events]]`` of a TOML file, the arguments of `Sim.at`.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    path : Path
        The file.
    first_id : int
        CopterID of the first vehicle on the network, by which ``ids`` name it.

    Raises
    ------
    OptionError
        The file cannot be read, or has what is no event.
    """
    name = printable(path)
    try:
        table = parse_toml(name, read_regular(path, _MAXIMUM_FILE))
        if unknown := table.keys() - {"events"}:
            raise ValueError(f"expected tables [[events]] alone, got {shown(min(unknown))}")
        enter_events(sim.at, table.get("events", []), first_id)
    except ParameterError as error:
        raise OptionError(f"--events: {error}") from None
    except (TypeError, ValueError) as error:
        raise OptionError(f"--events: {name}: {error}") from None
