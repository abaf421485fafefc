"""Messages as they arrive: packed and parsed by pymavlink."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pymavlink.dialects.v20 import common as mavlink


def as_received(name: str, fields: dict[str, Any], system: int, component: int) -> Any:
    """Return a message after its way over a link; only complete and valid fields can be packed."""
    made = getattr(mavlink, f"MAVLink_{name.lower()}_message")
    values = {k: v.encode() if isinstance(v, str) else v for k, v in fields.items()}
    assert set(values) == set(made.fieldnames)
    packed = made(**values).pack(mavlink.MAVLink(None, srcSystem=system, srcComponent=component))
    (message,) = mavlink.MAVLink(None).parse_buffer(packed)
    return message


@pytest.fixture
def decoded() -> Callable[..., Any]:
    """Return a function that makes a received message of a `Reply` of vehicle 1."""

    def of_reply(reply: Any, system: int = 1, component: int = 1) -> Any:
        return as_received(reply.name, reply.fields, system, component)

    return of_reply


@pytest.fixture
def sent() -> Callable[..., Any]:
    """Return a function that makes a received message of a station, to vehicle 1 by default."""

    def message(name: str, station: tuple[int, int] = (255, 190), **fields: Any) -> Any:
        if not name.startswith("PARAM"):
            fields.setdefault("mission_type", 0)
        if name == "MISSION_SET_CURRENT":
            del fields["mission_type"]
        return as_received(name, {"target_system": 1, "target_component": 1} | fields, *station)

    return message
