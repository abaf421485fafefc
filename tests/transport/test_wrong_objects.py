"""Arguments of sockets, groups and ports that are something else are told by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyrfly import transport
from pyrfly.transport import RFLYSIM_PORTS, Ports

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
    "n": [transport.rflysim_series],
}


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


def test_a_host_name_with_a_null_character_is_none() -> None:
    with pytest.raises(transport.OptionError, match="peer: expected an address or a host name"):
        transport.resolved("peer", "a\0b")
