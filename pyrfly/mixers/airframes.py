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
from typing import NamedTuple

from pyrfly.errors import MixerError, brief, near_names
from pyrfly.files import decoded, is_regular, printable, read_regular
from pyrfly.mixers.mixer import Mixer, load

__all__ = ["AirframeMixers", "find_airframe", "load_airframe"]

_DATA = (Path("ROMFS", "px4fmu_common"), Path("etc"), Path())
"""Folders with start scripts and mixers: of the sources, of a build, and the folder itself."""

_HARDWARE, _SIMULATION = Path("init.d", "airframes"), Path("init.d-posix", "airframes")
_SIMULATION_BEFORE = Path("init.d-posix")
"""Where the airframes of simulations are up to PX4 1.11."""

_FILE = re.compile(r"(\d{1,9})_([\w+.-]+)")
_SETTING = re.compile(r"\s*set\s+(MIXER|MIXER_AUX|MIXER_FILE)\s+(\S+)\s*(?:#.*)?")
_INCLUDED = re.compile(
    r"\s*(?:\.|sh)\s+(?:\$\{R\}|\$R)?/?etc/(init\.d(?:-posix)?/[\w+./-]+)\s*(?:#.*)?"
)
_NAME = re.compile(r"[\w+-][\w+.-]*")
_NONE = ("none", "skip", '""')
"""Values of a setting that name no mixer."""

MAXIMUM_SIZE = 65536
"""Maximum size of a start script [bytes]."""

MAXIMUM_SCRIPTS = 32
"""Maximum number of scripts that an airframe includes."""


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

    def files(self) -> list[Path]:
        """Return the main file, and the auxiliary one if there is one.

        Raises
        ------
        MixerError
            The airframe has no main file.
        """
        if self.main is None:
            reason = self.missing[0] if self.missing else "its start scripts set no MIXER"
            raise MixerError(f"airframe {self.number}_{self.name}: {reason}")
        return [self.main, *([self.aux] if self.aux else [])]


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
    if not isinstance(folder, (str, os.PathLike)):
        raise MixerError(f"folder: expected the path of a folder, got {brief(folder)}")
    tree = _Tree(_data_folder(Path(folder)))
    found = _airframe(tree, airframe)
    settings: dict[str, str] = {}
    tree.read(found.script, settings, set())
    missing: list[str] = []
    main = tree.main_mixer(settings, missing)
    aux = tree.mixer(settings, "MIXER_AUX", ".aux.mix", missing)
    if main is None and not (tree.root / "mixers").is_dir():
        missing.append(
            f"there is no folder mixers in {printable(tree.root)}, as in PX4 from 1.14 on"
        )
    return AirframeMixers(found.number, found.name, found.script, main, aux, tuple(missing))


def load_airframe(folder: str | os.PathLike[str], airframe: int | str) -> Mixer:
    """Return the mixer of an airframe: of its main file, then of the auxiliary one if it has one.

    Raises
    ------
    MixerError
        See `find_airframe` and `load`; or the airframe has no main mixer.
    """
    return load(*find_airframe(folder, airframe).files())


def _data_folder(folder: Path) -> Path:
    for part in _DATA:
        if any((folder / part / scripts).is_dir() for scripts in (_HARDWARE, _SIMULATION_BEFORE)):
            return (folder / part).resolve()
    raise MixerError(
        "folder: expected PX4's sources or a build, with ROMFS/px4fmu_common/init.d or "
        f"etc/init.d, got {printable(folder)}"
    )


class _Airframe(NamedTuple):
    """An airframe of a folder."""

    number: int
    name: str
    script: Path

    @property
    def full_name(self) -> str:
        """The name of its script."""
        return f"{self.number}_{self.name}"


def _airframe(tree: _Tree, airframe: int | str) -> _Airframe:
    wanted = airframe if isinstance(airframe, str) else brief(airframe)
    by_number = wanted.isascii() and wanted.isdigit()
    known: list[str] = []
    simulation = (_SIMULATION, _SIMULATION_BEFORE)
    for folder in (_HARDWARE, *simulation) if by_number else (*simulation, _HARDWARE):
        airframes = tree.airframes(folder)
        matches = [a for a in airframes if wanted in (str(a.number), a.name, a.full_name)]
        if len(matches) > 1:
            several = ", ".join(match.full_name for match in matches)
            raise MixerError(f"airframe: expected one of {several} by name, got {brief(airframe)}")
        if matches:
            return matches[0]
        known += [str(a.number) if by_number else a.name for a in airframes]
    near = near_names(wanted, known, "those of the folder")
    raise MixerError(f"airframe: expected a number or a name such as {near}, got {brief(airframe)}")


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

    def airframes(self, folder: Path) -> list[_Airframe]:
        """Return the airframes in a folder, ordered by number."""
        try:
            names = os.listdir(self.root / folder)  # noqa: PTH208
        except OSError:
            return []
        found = []
        for match in filter(None, map(_FILE.fullmatch, names)):
            script = self.file(folder / match[0])
            if script is not None and not match[2].endswith(".post"):
                found.append(_Airframe(int(match[1]), match[2], script))
        return sorted(found)

    def read(self, script: Path, settings: dict[str, str], known: set[Path]) -> None:
        """Add the settings of a script and of those that it includes, each of them once."""
        known.add(script)
        try:
            text = decoded(read_regular(script, MAXIMUM_SIZE), "replace")
        except ValueError as error:
            raise MixerError(f"{printable(script)}: {error}") from None
        for line in text.splitlines():
            if match := _SETTING.fullmatch(line):
                settings[match[1]] = match[2]
            elif (match := _INCLUDED.fullmatch(line)) and len(known) < MAXIMUM_SCRIPTS:
                included = self.file(Path(match[1]))
                if included is not None and included not in known:
                    self.read(included, settings, known)

    def main_mixer(self, settings: dict[str, str], missing: list[str]) -> Path | None:
        """Return the main mixer file: MIXER_FILE if it is set, else that of MIXER."""
        named = settings.get("MIXER_FILE", "none")
        if named in _NONE:
            return self.mixer(settings, "MIXER", ".main.mix", missing)
        relative = named.removeprefix("${R}").removeprefix("/").removeprefix("etc/")
        file = self.file(Path(relative))
        if file is None:
            missing.append(f"MIXER_FILE {brief(named)} is not in {printable(self.root)}")
        return file

    def mixer(
        self, settings: dict[str, str], setting: str, end: str, missing: list[str]
    ) -> Path | None:
        """Return the mixer file of a setting; what is not there is added to ``missing``."""
        name = settings.get(setting, "none")
        if name in _NONE:
            return None
        file = self.file(Path("mixers", name + end)) if _NAME.fullmatch(name) else None
        if file is None:
            missing.append(f"{setting}: there is no mixers/{printable(Path(name + end))}")
        return file
