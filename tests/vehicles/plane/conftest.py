"""Fixtures of other folders of tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ...autopilot.conftest import Station


@pytest.fixture
def station() -> Callable[..., Any]:
    """Return a function that makes vehicles with a station, see `Station`."""
    return Station
