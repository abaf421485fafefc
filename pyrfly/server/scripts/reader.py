"""RflySim's start scripts: `read_start_script`.

They are read, never executed: `batch` and `shell` know as much of the two languages
as is needed for the values of their variables, and `settings` what these mean.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pyrfly.errors import near_names
from pyrfly.files import decoded, printable, read_regular
from pyrfly.server.scripts.batch import read_batch
from pyrfly.server.scripts.settings import ALIASES, NAMES, Note, StartSettings, start_settings
from pyrfly.server.scripts.shell import read_shell
from pyrfly.server.scripts.variables import Variable, Variables
from pyrfly.transport import OptionError

__all__ = ["read_start_script", "rflysim_name"]

_MAXIMUM_BYTES = 60_000
"""Maximum size of a script; those of RflySim have 4 to 10 kB."""

_BATCH = (".bat", ".cmd")
_IGNORED = {"MAX_VEHICLE", "ToolChainType", "PSP_PATH", "PSP_PATH_LINUX"}
"""Variables that say nothing about the fleet."""

_PLACE = re.compile(r"\bPos[XY]{2}[ \t]*=")
_REMARK = re.compile(r"[ \t@]*(rem\b|:|#)", re.IGNORECASE)

_SOUGHT = "START_INDEX, VehicleNum, UDPSIMMODE and their like"


def rflysim_name(name: str) -> str:
    """Return a variable as RflySim spells it, or as it is given if RflySim has none of the name."""
    name = {alias.upper(): known for alias, known in ALIASES.items()}.get(name.upper(), name)
    return {known.upper(): known for known in NAMES}.get(name.upper(), name)


def read_start_script(
    path: str | os.PathLike[str], given: Mapping[str, str] | None = None
) -> StartSettings:
    r"""Return the fleet that a start script of RflySim describes, without executing the script.

    Parameters
    ----------
    path : str or path
        ``SITLRun.bat``, ``HITLRun.bat`` and their like: files that end with ``.bat`` or ``.cmd``
        are in the language of the Windows command processor, ``.sh`` and files that begin with
        ``#!`` in that of shells. UTF-8, UTF-16 with a mark, or GB 18030.
    given : mapping of str to str, optional
        Values of variables. They go before those that the script assigns, and variables that
        follow from them follow from these values.

    Raises
    ------
    OptionError
        The file cannot be read, is no start script, or sets a variable to what it cannot have; a
        variable is given that neither RflySim nor the script knows.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "SITLRun.bat")
    ...     _ = path.write_text("SET /a START_INDEX=1\nSET /P VehicleNum=How many?")
    ...     settings = read_start_script(path, {"VehicleNum": "4"})
    >>> settings.count, settings.notes
    (4, ())
    """
    file = Path(path)
    source = printable(file)
    try:
        text = _decoded(read_regular(file, _MAXIMUM_BYTES))
    except ValueError as error:
        raise OptionError(f"{source}: {error}") from None
    fixed = {rflysim_name(name): value for name, value in (given or {}).items()}
    if ports := re.findall(r"[^,;\s]+", fixed.get("ComNum", "")):
        fixed.setdefault("VehicleNum", str(len(ports)))  # scripts count them
    is_batch = file.suffix.lower() in _BATCH
    if not is_batch and file.suffix.lower() != ".sh" and not text.startswith("#!"):
        raise OptionError(f"{source}: expected a start script, .bat, .cmd or .sh")
    variables = Variables(fixed, fold=is_batch)
    (read_batch if is_batch else read_shell)(text, variables)
    for name in fixed:
        if name not in NAMES and not variables.names(name):
            raise OptionError(
                f"{name}: expected a variable of start scripts or of {source}: "
                f"{near_names(name, NAMES)}"
            )
    found = _found(variables)
    if not any(variable.line for variable in found.values()):
        raise OptionError(f"{source}: expected a start script of RflySim, found none of {_SOUGHT}")
    settings = start_settings(found, source, file.parent)
    return settings if settings.places else _with_note_of_places(settings, text)


def _with_note_of_places(settings: StartSettings, text: str) -> StartSettings:
    """Return settings with a note if the script has not the rule of RflySim's grid."""
    line = _line_of_own_places(text)
    if line is None:
        return settings
    advice = "vehicles stand on the grid here, or where PosXStr, PosYStr, YawStr=... say"
    note = Note("PosXX", f"the script has places of its own (line {line}); {advice}")
    return replace(settings, notes=(*settings.notes, note))


def _line_of_own_places(text: str) -> int | None:
    """Return the first line with a place that does not follow from the side of the grid.

    RflySim's scripts call the side sqrtNum.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if _PLACE.search(line) and "sqrtNum" not in line and not _REMARK.match(line):
            return number
    return None


def _found(variables: Variables) -> dict[str, Variable]:
    """Return RflySim's variables that have been set."""
    found: dict[str, Variable] = {}
    for name in (*NAMES, *ALIASES):
        variable = variables.find(name)
        if variable is not None and name not in _IGNORED:
            found.setdefault(ALIASES.get(name, name), variable)
    return found


def _decoded(data: bytes) -> str:
    """Return the text of a script, with the ends of lines of Unix."""
    try:
        text = decoded(data)
    except UnicodeDecodeError:
        text = data.decode("gb18030", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
