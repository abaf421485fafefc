"""Parameter sets with other values."""

from __future__ import annotations

import copy
from pathlib import Path

from pyrfly.identify.toml_text import toml_text
from pyrfly.vehicles.sets import read


def changed(path: Path, vehicle: str, factors: dict[str, float]) -> Path:
    """Write a set with some values multiplied."""
    document = copy.deepcopy(dict(read(vehicle)[1]))
    document.pop("aliases", None)
    for name, factor in factors.items():
        value = document[name]["value"]
        many = isinstance(value, list)
        document[name]["value"] = [x * factor for x in value] if many else value * factor
    path.write_text(toml_text(document))
    return path
