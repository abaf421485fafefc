"""Parameter sets by name or file: `load`, `names`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pyrfly.errors import ParameterError, ParameterWarning, SceneError, brief, near_names, warn
from pyrfly.files import printable, read_regular
from pyrfly.scene.meshes import inside
from pyrfly.vehicles.entries import check_header, parse_toml, read_text, reject_unknown
from pyrfly.vehicles.families import DEFAULT_FAMILY, FAMILIES, absent
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.sdf import from_sdf

__all__ = ["load", "names", "read", "require_new_sets"]

_MAXIMUM_BYTES = 200_000


def _packaged() -> dict[str, bytes]:
    """Return the packaged sets by name, unparsed."""
    return _sets_of(tuple(FAMILIES))


@cache
def _sets_of(families: tuple[str, ...]) -> dict[str, bytes]:
    """Return the sets of families by name."""
    files = [path for name in families for path in FAMILIES[name].set_files()]
    found = {path.stem: path.read_bytes() for path in files}
    assert len(found) == len(files), "two packaged sets have the same name"
    return found


@cache
def _document(name: str) -> Mapping[str, Any]:
    """Return a packaged set by name, parsed."""
    return parse_toml(f"{name}.toml", _packaged()[name])


def _aliases() -> dict[str, str]:
    """Return the set names by alias."""
    return _aliases_of(tuple(FAMILIES))


@cache
def _aliases_of(families: tuple[str, ...]) -> dict[str, str]:
    """Return the names of the sets of families by alias."""
    known = sorted(_sets_of(families))
    return {alias: name for name in known for alias in _document(name).get("aliases", [])}


def require_new_sets(family: str, files: Iterable[Path]) -> None:
    """Refuse sets of a family that is to be added, unless all their names and aliases are new.

    Raises
    ------
    ParameterError
        A set is of another family, has another name than its file, or a name or an alias that
        another set has as either.
    """
    documents = {path.stem: _read_file(path)[1] for path in files}
    owners = {**_aliases(), **{name: name for name in _packaged()}}
    for stem, document in documents.items():
        for entry, expected in (("family", family), ("name", stem)):
            if document.get(entry) != expected:
                raise ParameterError(
                    f"{stem}.toml: {entry}: expected {expected!r}, that of its "
                    f"{'folder' if entry == 'family' else 'file'}, got {brief(document.get(entry))}"
                )
        check_header(f"{stem}.toml", document)
    words = [("name", stem, stem) for stem in documents]
    words += [
        ("aliases", alias, stem) for stem, d in documents.items() for alias in d.get("aliases", [])
    ]
    for entry, word, stem in words:
        if word in owners:
            raise ParameterError(
                f"{stem}.toml: {entry}: {word!r} is a name or an alias of {owners[word]}.toml, too"
            )
        owners[word] = stem


def names(family: str | None = None) -> list[str]:
    """Return the names of the packaged parameter sets, sorted.

    Parameters
    ----------
    family : str, optional
        Only sets of this family, such as ``"multirotor"``.
    """
    if family is None:
        return sorted(_packaged())
    if not isinstance(family, str) or family not in FAMILIES:
        raise ValueError(f"family: expected one of {', '.join(FAMILIES)}, got {brief(family)}")
    return sorted(path.stem for path in FAMILIES[family].set_files())


def _packaged_name(source: object) -> str | None:
    """Return the name of the packaged set that a name or alias means, None without one."""
    if not isinstance(source, str):
        return None
    return source if source in _packaged() else _aliases().get(source)


def read(source: str | os.PathLike[str]) -> tuple[str, Mapping[str, Any]]:
    """Return a label for messages and the parsed file."""
    if not isinstance(source, (str, os.PathLike)):
        raise ParameterError(
            "vehicle: expected a name or the path of a .toml, .sdf or .urdf file, got"
            f" {brief(source)}"
        )
    if isinstance(source, os.PathLike) or source.endswith(".toml"):
        return _read_file(Path(source))
    name = _packaged_name(source)
    if name is None:
        known = [*names(), *_aliases()]
        raise ParameterError(
            f"vehicle: unknown name {brief(source)}; try {near_names(source[:80], known)}"
        )
    return f"{name}.toml", _document(name)


def _read_file(path: Path) -> tuple[str, Mapping[str, Any]]:
    try:
        data = read_regular(path, _MAXIMUM_BYTES)
    except ValueError as error:
        raise ParameterError(f"{printable(path)}: {error}") from None
    label = printable(Path(path.name))
    return label, parse_toml(label, data)


def load(source: str | os.PathLike[str]) -> VehicleParameters:
    """Read and check a parameter set.

    Parameters
    ----------
    source : str or os.PathLike
        Name of a packaged set (see `names`) or one of its aliases, or the path of a TOML file: any
        path object, or a text that ends in ``.toml``. At most 200 kB, in lines of up to 2000
        characters. A path that ends in ``.sdf`` or ``.urdf`` is read by `from_sdf`.

    Returns
    -------
    VehicleParameters
        The set.

    Raises
    ------
    ParameterError
        There is no such set or file, or an entry is unknown, missing, of the wrong unit, width or
        range, or not physical, or it cannot lift its weight. The message names the file, the entry,
        the expected and the received value.

    Warns
    -----
    ParameterWarning
        A number is unusual: such as thrust to weight, hover throttle, tilt by drag in wind, inertia
        for its mass and size, time constants of the motors; of a plane wing loading, lift slope for
        its aspect ratio, static margin, throttle of level flight. ``pyrfly vehicles FILE`` shows
        all of them.
    """
    if isinstance(source, (str, os.PathLike)) and str(source).endswith((".sdf", ".urdf")):
        return from_sdf(source)
    name = _packaged_name(source)
    return (
        _checked(*read(source), Path(source).parent) if name is None else _own(_packaged_set(name))
    )


@cache
def _packaged_set(name: str) -> VehicleParameters:
    """Return a packaged set by name, checked once."""
    document = _document(name)
    sets = FAMILIES[document.get("family", DEFAULT_FAMILY)].sets
    return _checked(f"{name}.toml", document, sets)


def _own(params: VehicleParameters) -> VehicleParameters:
    """Return a set whose tables the caller may change."""
    tables: dict[str, Any] = {n: dict(getattr(params, n)) for n in ("columns", "sources", "sizes")}
    return replace(params, **tables, airframes=tuple(map(_own, params.airframes)))


def _checked(origin: str, document: Mapping[str, Any], folder: Path) -> VehicleParameters:
    name = document.get("family", DEFAULT_FAMILY)
    if not isinstance(name, str) or name not in FAMILIES:
        raise ParameterError(f"{origin}: {absent(name)}")
    family = FAMILIES[name]
    params = family.build(origin, document, read)
    if not isinstance(params, VehicleParameters):
        raise ParameterError(
            f"{origin}: {family}: build: expected VehicleParameters, got {brief(params)}"
        )
    for airframe in params.airframes or (params,):
        if (count := len(family.actuators(airframe))) != airframe.actuator_count:
            raise ParameterError(
                f"{origin}: {family}: actuators: expected {airframe.actuator_count}, those of type "
                f"{airframe.c_type}, got {count}"
            )
        for quantity in family.plausibility(airframe):
            if not quantity.usual:
                warn(f"{origin}: {quantity}", ParameterWarning)
    params = replace(params, uav_type=document.get("display_class", params.uav_type))
    if "initial_inputs" in document:
        inputs = document["initial_inputs"]
        params = params.with_initial_inputs(inputs, f"{origin}: initial_inputs")
    if "px4_channels" in document:
        params = params.with_px4_channels(document["px4_channels"], f"{origin}: px4_channels")
    if "drawing" in document:
        return _with_drawing(f"{origin}: drawing", params, document["drawing"], folder)
    return params


def _with_drawing(
    where: str, params: VehicleParameters, table: Any, folder: Path
) -> VehicleParameters:
    """Return a set with the mesh that a file in its folder names."""
    if not isinstance(table, dict):
        raise ParameterError(f"{where}: expected a table, got {brief(table)}")
    reject_unknown(where, table, dict.fromkeys(("mesh", "scale", "axes", "moving")))
    given = {"mesh": read_text(where, table, "mesh"), **table}
    try:
        path = inside(folder, given.pop("mesh"))
    except SceneError as error:
        raise ParameterError(f"{where}: mesh: {error}") from None
    return params.with_mesh(path, where=f"{where}: mesh", **given)
