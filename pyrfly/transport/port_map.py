"""Ports of a simulator that are the same, or that other programs may take: `check_ports`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

from pyrfly.errors import require_kind
from pyrfly.transport.ports import MAXIMUM_PORT, OptionError, require_whole

__all__ = ["PortUse", "check_ports", "span"]

EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
RESERVED = Path("/proc/sys/net/ipv4/ip_local_reserved_ports")
"""Linux' files of the ports that it gives to programs which ask for any, and of those exempted."""

_LISTED = 8  # numbers that are no series


class PortUse(NamedTuple):
    """What some ports are for: those of a series of vehicles, or a single one.

    Attributes
    ----------
    name : str
        What is sent or received, such as ``'inputs'``.
    port : int
        The port, or that of the first vehicle.
    step : int
        To the port of the next vehicle.
    vehicles : int
        Number of vehicles.
    listens : bool
        Whether this program receives on them; else it sends to them.
    first_id : int
        CopterID of the first vehicle, to name them.
    """

    name: str
    port: int
    step: int = 0
    vehicles: int = 1
    listens: bool = False
    first_id: int = 1

    @property
    def ports(self) -> Sequence[int]:
        """The ports, each once."""
        if self.step == 0 or self.vehicles == 1:
            return range(self.port, self.port + 1)
        return range(self.port, self.port + self.step * self.vehicles, self.step)

    def told(self, ports: Sequence[int]) -> str:
        """Return some of the ports in words."""
        if self.vehicles == 1 or self.step == 0:
            return f"{span('port', ports)} ({self.name})"
        vehicles = sorted(self.ports.index(port) + self.first_id for port in ports)
        return f"{span('port', ports)} ({self.name}, {span('vehicle', vehicles)})"


def span(noun: str, numbers: Sequence[int]) -> str:
    """Return ``port 5``, ``ports 5 to 9`` of evenly spaced ones, or else ``ports 5, 9, 7``.

    Examples
    --------
    >>> span("vehicle", [1, 3, 5])
    'vehicles 1 to 5'
    """
    require_kind("numbers", numbers, Sequence)
    if not numbers:
        raise ValueError("numbers: expected at least one, got none")
    for number in numbers:
        require_whole("numbers", number)
    first, last = numbers[0], numbers[-1]
    if len(numbers) == 1:
        return f"{noun} {first}"
    steps = {after - before for before, after in pairwise(numbers)}
    if len(steps) == 1 and last > first:
        return f"{noun}s {first} to {last}"
    more = ", ..." if len(numbers) > _LISTED else ""
    return f"{noun}s {', '.join(map(str, numbers[:_LISTED]))}{more}"


def check_ports(uses: Iterable[PortUse], peers_here: bool = True) -> list[str]:
    """Return notices of ports that are the same, or that other programs may take.

    Parameters
    ----------
    uses : iterable of PortUse
        All ports of the program.
    peers_here : bool
        Whether packets are sent to programs on this machine.

    Returns
    -------
    list of str
        One line each.

    Raises
    ------
    OptionError
        The program would listen twice on a port, a port is not 1 to 65535, or there is no vehicle.
    TypeError
        A use is no PortUse, or one of its numbers none.

    Examples
    --------
    >>> from pyrfly.transport import PortUse, check_ports
    >>> inputs = PortUse("inputs", 30100, 2, 500, listens=True)
    >>> (notice,) = check_ports([inputs, PortUse("IMU", 31000, 1, 500)])
    >>> print(notice)  # doctest: +NORMALIZE_WHITESPACE
    ports 31000 to 31098 (inputs, vehicles 451 to 500) are listened on here, and packets are sent to
    ports 31000 to 31098 (IMU, vehicles 1 to 99): programs on this machine cannot receive those,
    which come back and are dropped
    """
    require_kind("uses", uses, Iterable)
    uses = list(uses)
    for use in uses:
        require_kind("uses", use, PortUse)
        for field in ("port", "step", "vehicles", "first_id"):
            require_whole(f"uses: {field}", getattr(use, field))
        _check_range(use)
    notices: list[str] = []
    for one, other in combinations(uses, 2):
        if common := sorted({*one.ports} & {*other.ports}):
            notices += _collision(one, other, common, peers_here)
    return [*notices, *_ephemeral(use for use in uses if use.listens)]


def _check_range(use: PortUse) -> None:
    if use.vehicles < 1:
        raise OptionError(f"{use.name}: expected at least 1 vehicle, got {use.vehicles}")
    lowest, highest = min(use.ports), max(use.ports)
    if lowest < 1 or highest > MAXIMUM_PORT:
        wrong = highest if highest > MAXIMUM_PORT else lowest
        raise OptionError(f"{use.name}: expected ports of 1 to {MAXIMUM_PORT}, got {wrong}")
    if use.listens and use.step == 0 and use.vehicles > 1:
        raise OptionError(
            f"{use.name}: expected a port of its own for each of {use.vehicles} vehicles to listen "
            f"on, got {use.port} for all"
        )


def _collision(
    one: PortUse, other: PortUse, common: Sequence[int], peers_here: bool
) -> Iterator[str]:
    """Yield what is to say of the ports that two uses have in common."""
    first, second = one.told(common), other.told(common)
    if one.listens and other.listens:
        raise OptionError(f"{first} would be the same as {second}: move one of the series")
    verb = "is" if common[0] == common[-1] else "are"
    if not (one.listens or other.listens):
        yield f"packets are sent to {first} and to {second}: who listens there receives both"
    elif peers_here:
        heard, sent = (first, second) if one.listens else (second, first)
        yield (
            f"{heard} {verb} listened on here, and packets are sent to {sent}: "
            "programs on this machine cannot receive those, which come back and are dropped"
        )


def _ephemeral(uses: Iterable[PortUse]) -> Iterator[str]:
    """Yield which ports the system may give to other programs that ask for any."""
    numbers = _numbers_in(EPHEMERAL)
    if len(numbers) != 2:
        return
    given = range(numbers[0], numbers[1] + 1)
    reserved = set(_reserved())
    for use in uses:
        if ports := [port for port in sorted(use.ports) if port in given and port not in reserved]:
            kept = "-".join(map(str, dict.fromkeys((ports[0], ports[-1]))))
            yield (
                f"{use.told(ports)} may be taken by any program when this one starts, as the "
                f"system gives {numbers[0]} to {numbers[1]} to those that ask for none of their "
                f"own; sysctl -w net.ipv4.ip_local_reserved_ports={kept} keeps them"
            )


def _numbers_in(path: Path) -> list[int]:
    try:
        return [int(word) for word in path.read_text(encoding="ascii").split()]
    except (OSError, ValueError):
        return []


def _reserved() -> Iterator[int]:
    """Yield the ports of a list such as ``8080,9148-9150``."""
    with contextlib.suppress(OSError, ValueError):
        for span in RESERVED.read_text(encoding="ascii").strip().split(","):
            first, _, last = span.partition("-")
            yield from range(int(first), int(last or first) + 1)
