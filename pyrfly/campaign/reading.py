"""Files of campaigns: `read_campaign`."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path
from typing import Any

from pyrfly.campaign.campaign import Campaign
from pyrfly.errors import ParameterError, near_names
from pyrfly.files import path_of, printable, read_regular
from pyrfly.vehicles.entries import parse_toml

__all__ = ["read_campaign"]

_MAXIMUM_SIZE = 1_000_000
"""Maximum size of a file [bytes]."""

_OF_VEHICLES = (".toml", ".sdf", ".urdf")
_OF_MISSIONS = (".plan", ".waypoints", ".txt", ".csv", ".case", ".json")
"""Endings of files, as opposed to names."""


def read_campaign(path: str | os.PathLike[str]) -> Campaign:
    """Read a campaign from a TOML file, whose keys are the attributes of `Campaign`.

    Parameters
    ----------
    path : str or path-like
        The file. Paths of missions and of parameter sets in it are relative to its folder.

    Raises
    ------
    TypeError, ValueError
        As of `Campaign`. `ParameterError`: the file cannot be read, or has an unknown key.
    """
    file = path_of("path", path)
    try:
        data = read_regular(file, _MAXIMUM_SIZE)
    except ValueError as error:
        raise ParameterError(f"{printable(file)}: {error}") from None
    table = parse_toml(printable(file), data)
    known = [row.name for row in fields(Campaign)]
    for key in table:
        if key not in known:
            raise ParameterError(f"{printable(file)}: {key}: unknown; try {near_names(key, known)}")
    if isinstance(actions := table.get("battery_actions"), dict):
        table["battery_actions"] = {_as_number(key): action for key, action in actions.items()}
    sweep = table.get("sweep")
    for axis in ("vehicle", "mission"):
        if axis in table:
            table[axis] = _relative(table[axis], file.parent)
        if isinstance(sweep, dict) and isinstance(sweep.get(axis), list):
            sweep[axis] = [_relative(value, file.parent) for value in sweep[axis]]
    return Campaign(**table)


def _as_number(key: str) -> float | str:
    """Return the number that a key of a table is; another as it is."""
    try:
        return float(key)
    except ValueError:
        return key


def _relative(value: Any, folder: Path) -> Any:
    """Return the path of a file, of a case with its number, relative to a folder.

    Another text, such as a name, is returned as it is.
    """
    is_text = isinstance(value, str)
    is_file = is_text and value.partition("#")[0].endswith((*_OF_VEHICLES, *_OF_MISSIONS))
    return folder / value if is_file else value
