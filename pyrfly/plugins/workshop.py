"""Folders with a model of one's own in C or C++: `new`, `build`."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from pyrfly.compilers import compile_library
from pyrfly.errors import Error, ParameterError, ParameterWarning
from pyrfly.files import printable
from pyrfly.headers import get_include
from pyrfly.plugins.own_model import OwnModel, load_own
from pyrfly.plugins.table import WORD

__all__ = ["build", "compile_model", "new"]

_TEMPLATES = Path(__file__).parent / "templates"
_FILES = {
    "model.c.in": "model.c",
    "test_model.py.in": "test_NAME.py",
    "example.py.in": "example.py",
}
_SOURCES = ("model.c", "model.cpp")
_OPTIONS = (
    *("-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math"),
    *("-Wall", "-Wextra", "-fvisibility=hidden"),
)
"""Without errno and traps, loops with roots and branches become vector instructions."""


def new(name: str, folder: str | os.PathLike[str] | None = None) -> Path:
    """Make a folder with a model to begin with: a quadrotor, its test, an example.

    Parameters
    ----------
    name : str
        Name of the model, a word of a-z, 0-9 and _.
    folder : str or os.PathLike, optional
        The folder; by default one with that name in the present folder.

    Returns
    -------
    Path
        The folder. ``model.c`` is the file to edit.

    Raises
    ------
    ParameterError
        The name is no word.
    Error
        The folder is there already, or cannot be made.
    """
    if not isinstance(name, str) or not WORD.fullmatch(name):
        raise ParameterError(f"name: expected a word of a-z, 0-9 and _, got {name!r}")
    made = Path(folder) if folder is not None else Path(name)
    try:
        made.mkdir(parents=True)
        for source, target in _FILES.items():
            text = (_TEMPLATES / source).read_text(encoding="utf-8").replace("NAME", name)
            (made / target.replace("NAME", name)).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Error(f"{printable(made)}: cannot be made: {error.strerror}") from None
    return made


def compile_model(folder: str | os.PathLike[str]) -> tuple[Path, str]:
    """Compile the model of a folder, unless its library is newer; return it, and what is said.

    Raises
    ------
    Error
        There is no source ``model.c`` or ``model.cpp``, no compiler, or it fails.
    """
    if not Path(folder).is_dir():
        raise Error(f"{printable(Path(folder))}: expected a folder, there is none")
    sources = [Path(folder) / one for one in _SOURCES if (Path(folder) / one).is_file()]
    if len(sources) != 1:
        raise Error(
            f"{printable(Path(folder))}: expected one of {' and '.join(_SOURCES)}, or types.inc of "
            "a family, which load_family and `pyrfly model build` compile"
        )
    library = Path(folder) / "model.so"
    headers = [get_include() / one for one in ("pyrfly_model.h", "pyrfly_columns.h")]
    newest = max(path.stat().st_mtime_ns for path in (*sources, *headers))
    if library.is_file() and library.stat().st_mtime_ns > newest:
        return library, ""
    fresh = library.with_suffix(".new")
    try:
        options = (*_OPTIONS, f"-I{get_include()}")
        said = compile_library(sources, fresh, options=options)
        fresh.replace(library)
    finally:
        fresh.unlink(missing_ok=True)
    return library, said


def build(folder: str | os.PathLike[str]) -> OwnModel:
    """Compile the model of a folder where it has changed, and load it.

    Parameters
    ----------
    folder : str or os.PathLike
        A folder as `new` makes it.

    Returns
    -------
    OwnModel
        The vehicle.

    Raises
    ------
    Error
        It cannot be compiled; of what compiles with warnings they are a `pyrfly.ParameterWarning`.
    ParameterError
        It makes no type of vehicles.
    """
    library, said = compile_model(folder)
    if said:
        warnings.warn(f"the compiler says:\n{said}", ParameterWarning, stacklevel=2)
    return load_own(library, None)
