"""C compilers that are installed: `compile_library`."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pyrfly.errors import Error, brief
from pyrfly.files import readable

__all__ = ["compile_library", "failed", "require_compiler"]

_MINGW = "x86_64-w64-mingw32-gcc"
_LASTING = 600.0  # s that a compiler may take


def _words_of(variable: str) -> list[str]:
    """Return the words of an environment variable, quoted as in a shell."""
    text = os.environ.get(variable, "")
    try:
        return shlex.split(text)
    except ValueError as error:
        raise Error(
            f"{variable}: expected words as of a shell, got {brief(text)}: {error}"
        ) from None


def _native() -> list[str]:
    """Return the command of the compiler for this system."""
    if own := _words_of("CC"):
        if shutil.which(own[0]) is None:
            raise Error(f"CC: expected a C compiler, got {brief(own[0])}, which is not found")
        return own
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name) is not None:
            return [name]
    raise Error(
        "there is no C compiler: install gcc or clang (Debian, Ubuntu: apt install gcc; macOS: "
        "xcode-select --install), or name one by CC=..."
    )


def _for_windows() -> list[str]:
    """Return the command of the compiler for Windows."""
    if shutil.which(_MINGW) is not None:
        return [_MINGW]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu"]
    if shutil.which("zig") is not None:
        return ["zig", "cc", "-target", "x86_64-windows-gnu"]
    raise Error(
        f"there is no compiler for DLLs of Windows: install MinGW-w64, whose {_MINGW} is used "
        "(Debian, Ubuntu: apt install gcc-mingw-w64-x86-64), or Zig (pip install ziglang)"
    )


def require_compiler(windows: bool) -> list[str]:
    """Return the command of a compiler for this system or for Windows of 64 bits.

    Raises
    ------
    Error
        None is installed; the message says which ones are looked for.
    """
    return _for_windows() if windows or sys.platform == "win32" else _native()


def compile_library(
    sources: Sequence[Path], out: Path, *, options: Sequence[str], windows: bool = False
) -> str:
    """Compile C sources to a shared library, with options; return what the compiler says.

    ``CFLAGS`` are taken in place of ``-O2``, before the options.

    Raises
    ------
    Error
        There is no compiler, ``CC`` or ``CFLAGS`` have an open quotation, or it fails; the
        message has what it says first.
    """
    command = require_compiler(windows)
    for_windows = windows or sys.platform == "win32"
    own = _words_of("CFLAGS") or ["-O2"]
    flags = [*own, *options, "-shared", *(() if for_windows else ("-fPIC",))]
    files = [os.fspath(path) for path in sources]
    try:
        done = subprocess.run(
            [*command, *flags, "-o", os.fspath(out), *files, "-lm"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_LASTING,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Error(f"{shlex.join(command)}: {error}") from None
    if done.returncode != 0:
        raise failed(command, done.stdout)
    return done.stdout.decode("utf-8", "replace")


def failed(command: Sequence[str], said: bytes) -> Error:
    """Return the error of a compiler that failed, with what it says first."""
    lines = said.decode("utf-8", "replace").splitlines() or ["it says nothing"]
    first = next((line for line in lines if "error:" in line), lines[0])
    return Error(f"{shlex.join(command)} failed: {readable(first[-300:])}")
