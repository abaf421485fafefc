"""PX4 SITL as a user has built it: `Px4Build`, `find_build`."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyrfly.errors import brief, near_names
from pyrfly.files import printable
from pyrfly.protocol.px4_channels import LATEST, VERSIONS
from pyrfly.transport import OptionError

__all__ = ["Px4Build", "find_build"]

_AIRFRAMES = Path("init.d-posix", "airframes")
_DEFAULT = "px4_sitl_default"
_TAG = re.compile(r'PX4_GIT_TAG_STR\s+"v(\d+\.\d+)')
_AIRFRAME = re.compile(r"(\d+)_([A-Za-z0-9][\w-]*)")
_PREFIXES = ("none_", "gazebo-classic_")
"""Of names of airframes since 1.14 that a simulator at the TCP port flies [@px4 v1.14.4]."""


@dataclass(frozen=True)
class Px4Build:
    """A built PX4 SITL.

    Attributes
    ----------
    folder : Path
        Has ``bin/px4`` and ``etc``.
    version : str
        One of `pyrfly.protocol.px4_channels.VERSIONS`, the nearest to what was built.
    airframes : dict of str to int
        Numbers of the airframes by name.
    """

    folder: Path
    version: str
    airframes: dict[str, int]

    @property
    def program(self) -> Path:
        """The executable."""
        return self.folder / "bin" / "px4"

    @property
    def data(self) -> Path:
        """The folder with the start scripts."""
        return self.folder / "etc"

    @property
    def has_environment(self) -> bool:
        """Whether it reads numbers of airframes and parameters from its environment, from 1.14 on.

        Before, airframes have names without ``none_`` [@px4 v1.12.3 init.d-posix/rcS].
        """
        return VERSIONS.index(self.version) >= VERSIONS.index("1.14")

    def airframe(self, model: str | None = None) -> str:
        """Return the name of an airframe of this version.

        Parameters
        ----------
        model : str, optional
            Its name, with or without ``none_`` or ``gazebo-classic_``, or its number; by default
            the quadrotor ``iris``.

        Raises
        ------
        OptionError
            There is none.
        """
        model = model or "iris"
        names = {str(number): name for name, number in self.airframes.items()}
        plain = model
        for prefix in _PREFIXES:
            plain = plain.removeprefix(prefix)
        wanted = (names.get(model, model), *(prefix + plain for prefix in ("", *_PREFIXES)))
        # by the plain name, the airframe without another program goes first
        order = wanted if model != plain else (*wanted[2:], *wanted[:2])
        for name in order:
            if name in self.airframes:
                return name
        near = near_names(model, self.airframes)
        raise OptionError(f"model: expected an airframe such as {near}, got {brief(model)}")

    def environment(self, airframe: str, parameters: dict[str, str]) -> dict[str, str]:
        """Return the variables that start an airframe with parameters.

        Raises
        ------
        OptionError
            This version takes no parameters.
        """
        if parameters and not self.has_environment:
            raise OptionError(
                f"param: PX4 {self.version} takes none at its start, only 1.14 and later do"
            )
        given = {f"PX4_PARAM_{name}": value for name, value in parameters.items()}
        return {"PX4_SIM_MODEL": airframe, **given}

    def arguments(self, instance: int, extra: Sequence[str] = ()) -> list[str]:
        """Return the command line of an instance, which has no shell."""
        scripts = ["-s", os.path.join("etc", "init.d-posix", "rcS")]  # noqa: PTH118
        return [str(self.program), "-i", str(instance), "-d", str(self.data), *scripts, *extra]


def find_build(path: Path) -> Px4Build:
    """Return the build in a folder: that of the build itself, or the sources of PX4.

    Raises
    ------
    OptionError
        There is none, or none can be chosen.
    """
    candidates = [path, path / "build" / _DEFAULT, path / _DEFAULT]
    folder = next(filter(_is_build, candidates), None)
    if folder is None:
        others = sorted(filter(_is_build, path.glob("build/px4_sitl_*")))
        if len(others) != 1:
            found = f"; there are {', '.join(map(printable, others))}" if others else ""
            raise OptionError(
                "px4-dir: expected a folder with bin/px4 and etc, or PX4's sources with "
                f"build/{_DEFAULT}, got {printable(path)}{found}"
            )
        folder = others[0]
    folder = folder.resolve()
    found_names = [
        _AIRFRAME.fullmatch(file.name) for file in (folder / "etc" / _AIRFRAMES).iterdir()
    ]
    airframes = {match[2]: int(match[1]) for match in found_names if match}
    return Px4Build(folder, _version(folder, airframes), airframes)


def _is_build(folder: Path) -> bool:
    program = folder / "bin" / "px4"
    has_airframes = (folder / "etc" / _AIRFRAMES).is_dir()
    return program.is_file() and os.access(program, os.X_OK) and has_airframes


def _version(folder: Path, airframes: dict[str, int]) -> str:
    """Return the version that a build says, or else that of the start scripts that it has."""
    header = folder / "src" / "lib" / "version" / "build_git_version.h"
    if header.is_file():
        match = _TAG.search(header.read_text(encoding="utf-8", errors="replace"))
        if match is not None:
            return _nearest(match[1])
    scripts = folder / "etc" / "init.d-posix"
    if "none_iris" not in airframes:
        return "1.13" if (scripts / "px4-rc.rtps").exists() else "1.12"
    if (scripts / "px4-rc.mavlinksim").exists():
        return LATEST
    modules = folder / "etc" / "init.d" / "rc.rover_differential_apps"
    return "1.15" if modules.exists() else "1.14"


def _nearest(version: str) -> str:
    """Return a known version: an older one than all counts as the first, a newer as the last."""
    order = [tuple(map(int, known.split("."))) for known in VERSIONS]
    number = tuple(map(int, version.split(".")))
    return VERSIONS[order.index(min(max(number, order[0]), order[-1]))]
