"""The module of pymavlink that knows the common messages."""

from __future__ import annotations

import functools
from typing import Any

from pyrfly.errors import import_extra

__all__ = ["decoder", "dialect"]


@functools.cache
def dialect() -> Any:
    """Return ``pymavlink.dialects.v20.common``.

    Raises
    ------
    MissingExtraError
        pymavlink is not installed: ``pip install 'pyrfly[mavlink]'``.

    Examples
    --------
    >>> dialect().MAV_CMD_NAV_TAKEOFF
    22
    """
    return import_extra("pymavlink.dialects.v20.common", "mavlink", "receiving MAVLink")


@functools.cache
def decoder() -> Any:
    """Return a ``MAVLink`` of pymavlink to decode frames with; it keeps nothing of them.

    Raises
    ------
    MissingExtraError
        pymavlink is not installed.
    """
    return dialect().MAVLink(None)
