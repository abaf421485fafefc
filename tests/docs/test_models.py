"""docs/models.md says what the plain model refuses."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import pyrfly
from pyrfly import vehicles

PAGE = Path(__file__).parents[2] / "docs" / "models.md"
LISTED = PAGE.read_text(encoding="utf-8").partition("are a `ParameterError`")[2].partition(";")[0]
REFUSED = re.findall("`([a-z0-9_]+)`", LISTED)


def test_the_page_lists_the_sets_that_plain_refuses() -> None:
    for vehicle in map(vehicles.load, vehicles.names()):
        if vehicle.name in REFUSED:
            message = f"'full' for '{vehicle.name}', whose thrust has a linear term"
            with pytest.raises(pyrfly.ParameterError, match=message):
                pyrfly.Sim(vehicle, effects="plain")
        elif vehicle.family == "multirotor":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", pyrfly.ParameterWarning)  # of what plain leaves out
                pyrfly.Sim(vehicle, effects="plain")
