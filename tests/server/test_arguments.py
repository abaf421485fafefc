"""Arguments of a `Server` that are of a wrong type or out of range."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pyrfly import Sim
from pyrfly.server import OptionError, Server


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        *(("first_port", port, "1 to 54635 for 1 vehicles") for port in (None, "x", math.nan)),
        ("first_port", 54636, "1 to 54635"),  # the IMU's port would be 65536
        ("host", 5, "an address or a host name"),
        *(("peers", peers, "one or more addresses") for peers in (5, (), "127.0.0.1")),
        ("peers", (5,), "an address or a host name"),
        *(("setpoint_timeout", t, "seconds") for t in ("x", math.nan, 10**400, True)),
        ("setpoints_arm", "x", "true or false"),
    ],
)
def test_a_bad_argument_is_named(name: str, value: Any, expected: str) -> None:
    with pytest.raises(OptionError, match=f"^{name}: expected {expected}"):
        Server(Sim("x450"), **{name: value})
