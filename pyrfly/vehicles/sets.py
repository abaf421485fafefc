"""Parameter sets by name or file: `load`, `names`."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

from pyrfly.errors import ParameterError, near_names
from pyrfly.vehicles.entries import parse_toml
from pyrfly.vehicles.multirotor.parameters import build
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["load", "names", "read"]

_FOLDER = Path(__file__).parent / "multirotor" / "sets"


@cache
def _packaged() -> dict[str, bytes]:
    """Return packaged files by stem, unparsed; the defaults have a leading underscore."""
    # Not importlib.resources: it would be a tenth of the time that importing pyrfly takes.
    return {path.stem: path.read_bytes() for path in _FOLDER.glob("*.toml")}


@cache
def _aliases() -> dict[str, str]:
    """Return the set that each alias stands for."""
    return {
        alias: name
        for name in names()
        for alias in parse_toml(f"{name}.toml", _packaged()[name]).get("aliases", [])
    }


def names() -> list[str]:
    """Return the names of the packaged parameter sets, sorted."""
    return sorted(name for name in _packaged() if not name.startswith("_"))


def read(source: str | os.PathLike[str]) -> tuple[str, dict[str, Any]]:
    """Return a label for messages and the parsed file."""
    if not isinstance(source, (str, os.PathLike)):
        raise ParameterError(
            f"vehicle: expected a name or the path of a .toml file, got {source!r:.80}"
        )
    if isinstance(source, os.PathLike) or source.endswith(".toml"):
        path = Path(source)
        try:
            return path.name, parse_toml(path.name, path.read_bytes())
        except OSError as error:
            raise ParameterError(f"{path}: cannot be read: {error.strerror}") from None
    stem = source if source in names() else _aliases().get(source)
    if stem is None:
        known = [*names(), *_aliases()]
        raise ParameterError(f"vehicle: unknown name {source!r}; try {near_names(source, known)}")
    return f"{stem}.toml", parse_toml(f"{stem}.toml", _packaged()[stem])


def load(source: str | os.PathLike[str]) -> VehicleParameters:
    """Read and check a parameter set.

    Parameters
    ----------
    source : str or os.PathLike
        Name of a packaged set (see `names`) or one of its aliases, or the path of a TOML file: any
        path object, or a text that ends in ``.toml``.

    Returns
    -------
    VehicleParameters
        The set.

    Raises
    ------
    ParameterError
        If there is no such set or file, or if an entry is unknown, missing, of the wrong unit,
        width or range, or not physical. The message names the file, the entry, what was expected
        and what came.
    """
    return build(*read(source), read)
