"""Mixers of PX4's airframes, by number or name in a user's PX4: `find_airframe`, `load_airframe`.

A start script of an airframe names its mixer [@px4 v1.12.3 init.d/rc.interface]. Scripts are read,
not executed: of each the lines ``set MIXER ...``, ``set MIXER_AUX ...`` and ``set MIXER_FILE ...``,
and the scripts that it includes, whatever the conditions around them.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from pyrfly.errors import MixerError, near_names, shown
from pyrfly.files import is_regular, printable, read_regular
from pyrfly.mixers.mixer import Mixer, load

__all__ = ["AirframeMixers", "find_airframe", "load_airframe"]

_DATA = (Path("ROMFS", "px4fmu_common"), Path("etc"), Path())
"""Folders with start scripts and mixers: of the sources, of a build, and the folder itself."""

_HARDWARE, _SIMULATION = Path("init.d", "airframes"), Path("init.d-posix", "airframes")

_FILE = re.compile(r"(\d{1,9})_([\w+.-]+)")
_SETTING = re.compile(r"\s*set\s+(MIXER|MIXER_AUX|MIXER_FILE)\s+(\S+)\s*(?:#.*)?")
_INCLUDED = re.compile(r"\s*\.\s+(?:\$\{R\}|\$R)?/?etc/(init\.d(?:-posix)?/[\w+./-]+)\s*(?:#.*)?")
_NAME = re.compile(r"[\w+-][\w+.-]*")
_NONE = ("none", "skip")
"""Values of a setting that is not there."""

MAXIMUM_SIZE = 65536
"""Maximum size of a start script [bytes]."""

MAXIMUM_DEPTH = 8
"""Maximum number of scripts that include each other."""


@dataclass(frozen=True)
class AirframeMixers:
    """The mixer files of an airframe.

    Attributes
    ----------
    number : int
        PX4's parameter SYS_AUTOSTART.
    name : str
        Its name: RflySim's ``PX4SitlFrame``.
    script : Path
        Its start script.
    main, aux : Path or None
        The mixer files of the main and the auxiliary outputs.
    missing : tuple of str
        What the scripts name and is not there, a line each.
    """

    number: int
    name: str
    script: Path
    main: Path | None
    aux: Path | None
    missing: tuple[str, ...]


def find_airframe(folder: str | os.PathLike[str], airframe: int | str) -> AirframeMixers:
    """Return the mixer files of an airframe.

    Parameters
    ----------
    folder : str or path
        PX4's sources (version 1.13 or before), or a build of it with ``etc``.
    airframe : int or str
        Its number, which is looked for among the airframes of boards first, or its name, which is
        looked for among those of simulations first.

    Raises
    ------
    MixerError
        There is no such folder or airframe, or the number is that of several.

    Notes
    -----
    Nothing outside of the folder is read, also where a link or a script leads there.
    """
    tree = _Tree(_data_folder(Path(folder)))
    number, name, script = _script(tree, airframe)
    settings = tree.settings(script)
    missing: list[str] = []
    main = tree.mixer(settings, missing)
    aux = tree.named(settings.get("MIXER_AUX"), ".aux.mix", "MIXER_AUX", missing)
    return AirframeMixers(number, name, script, main, aux, tuple(missing))


def load_airframe(folder: str | os.PathLike[str], airframe: int | str) -> Mixer:
    """Return the mixer of an airframe: of its main file, then of the auxiliary one if it has one.

    Raises
    ------
    MixerError
        See `find_airframe` and `load`; or the airframe has no main mixer.
    """
    found = find_airframe(folder, airframe)
    if found.main is None:
        reason = found.missing[0] if found.missing else "its start script sets no MIXER"
        raise MixerError(f"airframe {found.number}_{found.name}: {reason}")
    return load(found.main, *([found.aux] if found.aux else []))


def _data_folder(folder: Path) -> Path:
    for part in _DATA:
        if (folder / part / _HARDWARE).is_dir() or (folder / part / _SIMULATION).is_dir():
            return (folder / part).resolve()
    raise MixerError(
        "folder: expected PX4's sources or a build, with ROMFS/px4fmu_common/init.d or "
        f"etc/init.d, got {printable(folder)}"
    )


def _script(tree: _Tree, airframe: int | str) -> tuple[int, str, Path]:
    """Return number, name and start script of an airframe."""
    wanted = str(airframe)
    is_number = wanted.isascii() and wanted.isdigit()
    folders = (_HARDWARE, _SIMULATION) if is_number else (_SIMULATION, _HARDWARE)
    known: list[str] = []
    for folder in folders:
        airframes = tree.airframes(folder)
        matches = [
            found for found in airframes if wanted in _names(found) or _is_number(wanted, found)
        ]
        if len(matches) > 1:
            several = ", ".join(printable(Path(script.name)) for _, _, script in matches)
            raise MixerError(f"airframe: expected one of {several} by name, got {shown(airframe)}")
        if matches:
            return matches[0]
        known += [str(number) if is_number else name for number, name, _ in airframes]
    near = near_names(wanted, known, "those of the folder")
    raise MixerError(f"airframe: expected a number or a name such as {near}, got {shown(airframe)}")


def _names(found: tuple[int, str, Path]) -> tuple[str, str]:
    """Return the names of an airframe: without and with its number."""
    _, name, script = found
    return name, script.name


def _is_number(wanted: str, found: tuple[int, str, Path]) -> bool:
    return wanted.isascii() and wanted.isdigit() and len(wanted) < 10 and int(wanted) == found[0]


class _Tree:
    """Files below a folder; links that lead out of it are not followed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def file(self, path: Path) -> Path | None:
        """Return a file below the folder, None if there is none."""
        try:
            resolved = (self.root / path).resolve()
        except (OSError, ValueError, RuntimeError):  # a loop of links, a null character
            return None
        inside = resolved.is_relative_to(self.root) and is_regular(resolved)
        return resolved if inside else None

    def airframes(self, folder: Path) -> list[tuple[int, str, Path]]:
        """Return number, name and script of the airframes in a folder, ordered by number."""
        try:
            names = sorted(os.listdir(self.root / folder))  # noqa: PTH208
        except OSError:
            return []
        matches = [_FILE.fullmatch(name) for name in names if not name.endswith(".post")]
        found = [(int(m[1]), m[2], self.file(folder / m[0])) for m in matches if m]
        return sorted((n, name, script) for n, name, script in found if script is not None)

    def settings(self, script: Path, depth: int = 0) -> dict[str, str]:
        """Return the settings of a script, those of the scripts that it includes among them."""
        try:
            text = read_regular(script, MAXIMUM_SIZE).decode("utf-8", "replace")
        except ValueError as error:
            raise MixerError(f"{printable(script)}: {error}") from None
        settings: dict[str, str] = {}
        for line in text.splitlines():
            if match := _SETTING.fullmatch(line):
                settings[match[1]] = match[2]
            elif (match := _INCLUDED.fullmatch(line)) and depth < MAXIMUM_DEPTH:
                included = self.file(Path(match[1]))
                if included is not None:
                    settings.update(self.settings(included, depth + 1))
        return {key: value for key, value in settings.items() if value not in _NONE}

    def mixer(self, settings: dict[str, str], missing: list[str]) -> Path | None:
        """Return the main mixer file: MIXER_FILE if it is set, else that of MIXER."""
        named = settings.get("MIXER_FILE")
        if named is None or "MIXER" not in settings:
            return self.named(settings.get("MIXER"), ".main.mix", "MIXER", missing)
        relative = named.removeprefix("${R}").removeprefix("/").removeprefix("etc/")
        file = self.file(Path(relative))
        if file is None:
            missing.append(f"MIXER_FILE {shown(named)} is not in {printable(self.root)}")
        return file

    def named(self, name: str | None, end: str, setting: str, missing: list[str]) -> Path | None:
        """Return the mixer file of a name."""
        if name is None:
            return None
        file = self.file(Path("mixers", name + end)) if _NAME.fullmatch(name) else None
        if file is None:
            missing.append(
                f"{setting} {shown(name)}: there is no mixers/{readable_name(name, end)}"
            )
        return file


def readable_name(name: str, end: str) -> str:
    """Return the name of a mixer file for a message."""
    return printable(Path(name + end))
