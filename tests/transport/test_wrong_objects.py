"""Arguments of sockets, groups and ports that are something else are told by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly import transport
from pyrfly.transport import RFLYSIM_PORTS, FanOut, FleetSockets, Ports, PortUse, Series

HERE = "127.0.0.1"

ADDRESSES: dict[str, list[Callable[[Any], object]]] = {
    "ip": [transport.is_loopback, transport.is_own_address, transport.local_address],
    "host": [
        lambda given: transport.bound(given, 0),
        lambda given: transport.group_listener(0, given),
        transport.group_sender,
    ],
    "group": [
        lambda given: transport.group_listener(0, "127.0.0.1", given),
        lambda given: transport.join_group(None, given),  # type: ignore[arg-type]
    ],
}
NUMBERS: dict[str, list[Callable[[Any], object]]] = {
    "port": [
        lambda given: transport.bound("127.0.0.1", given),
        lambda given: transport.group_listener(given, "127.0.0.1"),
    ],
    "number": [transport.is_port],
    "control": [Ports.beginning_at],
    "CopterID": [RFLYSIM_PORTS.of_control, RFLYSIM_PORTS.of_model, RFLYSIM_PORTS.of_imu],
    "n": [transport.rflysim_series, lambda given: FleetSockets(given, [SERIES])],
    "first_id": [lambda given: FleetSockets(1, [SERIES], first_id=given)],
    "numbers": [lambda given: transport.span("port", [given])],
    "ports": [lambda given: FanOut([HERE], [given], HERE)],
    "uses: port": [lambda given: transport.check_ports([PortUse("a", given)])],
    "uses: step": [lambda given: transport.check_ports([PortUse("a", 5, given)])],
    "series: port": [lambda given: FleetSockets(1, [SERIES._replace(port=given)])],
    "series: to_step": [lambda given: FleetSockets(1, [SERIES._replace(to_step=given)])],
}
SERIES = Series("state", 29100, 2, 29101, 2)
OBJECTS: list[tuple[str, str, Callable[[Any], object]]] = [
    ("uses", "Iterable", transport.check_ports),
    ("uses", "PortUse", lambda given: transport.check_ports([given])),
    ("numbers", "Sequence", lambda given: transport.span("port", given)),
    ("series", "Iterable", lambda given: FleetSockets(1, given)),
    ("series", "Series", lambda given: FleetSockets(1, [given])),
    ("ports", "Sequence", lambda given: FanOut([HERE], given, HERE)),
    ("messages", "ndarray", lambda given: FanOut([HERE], [9], HERE).send(given)),
    ("key", "bytes", lambda given: transport.without_key((), given)),
]
REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("peers: expected one or more addresses, got 5", lambda: FanOut(5, [9], HERE)),  # type: ignore[arg-type]
    ("ports: expected ports of 1 to 65535, got 0", lambda: FanOut([HERE], [0], HERE)),
    ("allow: expected addresses, got 'a'", lambda: transport.without_key("a", None)),
    ("numbers: expected at least one", lambda: transport.span("port", [])),
    ("state: expected at least 1 vehicle, got 0", lambda: FleetSockets(0, [SERIES])),
    ("name: expected a series, state, got 'x'", lambda: sockets_of_one(lambda s: s.port("x", 0))),
    ("name: expected a series", lambda: sockets_of_one(lambda s: s.send("x", np.zeros(1)))),
]


def sockets_of_one(call: Callable[[FleetSockets], object]) -> None:
    with FleetSockets(1, [SERIES]) as sockets:
        call(sockets)


@pytest.mark.parametrize(
    ("name", "call", "expected"),
    [(name, call, "an address") for name, calls in ADDRESSES.items() for call in calls]
    + [(name, call, "a whole number") for name, calls in NUMBERS.items() for call in calls],
)
@pytest.mark.parametrize("given", [None, 1.5, float("nan"), [1], b"a", "a\0b", int], ids=repr)
def test_wrong_objects_are_told_by_argument(
    name: str, call: Callable[[Any], object], expected: str, given: Any
) -> None:
    with pytest.raises(TypeError, match=f"{name}: expected {expected}, got "):
        call(given)


@pytest.mark.parametrize(("name", "expected", "call"), OBJECTS)
@pytest.mark.parametrize("given", [1.5, 7], ids=repr)
def test_other_objects_are_told_by_argument(
    name: str, expected: str, call: Callable[[Any], object], given: Any
) -> None:
    with pytest.raises(TypeError, match=f"^{name}: expected {expected}, got {given}"):
        call(given)


@pytest.mark.parametrize(("message", "call"), REFUSED)
def test_values_that_cannot_be_are_told_by_argument(
    message: str, call: Callable[[], object]
) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_host_name_with_a_null_character_is_none() -> None:
    with pytest.raises(transport.OptionError, match="peer: expected an address or a host name"):
        transport.resolved("peer", "a\0b")
