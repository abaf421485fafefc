"""Libraries with RflySim's model interface: their files, and a copy in memory for each vehicle."""

from __future__ import annotations

import _ctypes
import contextlib
import os
import shutil
import struct
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pyrfly import _core
from pyrfly.errors import ParameterError, brief
from pyrfly.files import printable
from pyrfly.plugins.printed import Hear
from pyrfly.plugins.process import open_isolated

__all__ = ["FUNCTIONS", "Copy", "check_file", "examined", "names_function", "open_model"]

FUNCTIONS = tuple(_core.library_functions())
"""Names of the functions that are called."""

_MOTIONS = ("DlloutVehileInfo60d", "DlloutModel3DInfo")
_STEP = "Dllstep"
_STEPS = (1e-9, 3600.0)  # s
_MAXIMUM_BYTES = 500_000_000

# e_machine of an ELF file, by what platform.machine() calls it.
_MACHINES = {62: "x86_64", 183: "aarch64", 3: "i386", 40: "arm"}


_loader: Any = _ctypes
"""What ctypes itself loads libraries with; it has no public function to unload one."""


# Of an ELF file of 64 bits: place of the table of segments, size and number of its rows; of a
# segment its kind (1: loaded), and its place and size in the file.
_HEADER = struct.Struct("<32xQ14xHH")
_SEGMENT = struct.Struct("<I4xQ16xQ")


class Copy:
    """A library in memory, from a copy of its file, so that its variables are its own.

    Attributes
    ----------
    addresses : dict of str to int
        Addresses of the functions that it has.
    """

    def __init__(self, path: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="pyrfly-model-") as folder:
            copy = Path(folder) / path.name
            shutil.copyfile(path, copy)
            try:
                self._handle = _loader.dlopen(str(copy), os.RTLD_NOW | os.RTLD_LOCAL)
            except OSError as error:
                reason = str(error).replace(str(copy), path.name)
                raise ParameterError(f"{printable(path)}: cannot be loaded: {reason}") from None
        self.addresses = {name: at for name in FUNCTIONS if (at := self.address(name))}

    def address(self, name: str) -> int:
        """Return the address of a function, 0 without it; DllCreatModel is one of C++."""
        for symbol in (name, f"_Z{len(name)}{name}v"):
            with contextlib.suppress(OSError):
                return int(_loader.dlsym(self._handle, symbol))
        return 0

    def __del__(self) -> None:
        """Unload the library."""
        if "_handle" in self.__dict__:
            _loader.dlclose(self._handle)


def check_file(path: Path) -> None:
    """Raise a ParameterError for a file that this system cannot load."""
    where = printable(path)
    try:
        if not path.is_file():
            raise ParameterError(f"{where}: expected the file of a library, there is none")
        if path.stat().st_size > _MAXIMUM_BYTES:
            raise ParameterError(f"{where}: expected a library of at most {_MAXIMUM_BYTES} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise ParameterError(f"{where}: cannot be read: {error.strerror}") from None
    if data[:2] == b"MZ":
        raise ParameterError(
            f"{where}: expected a library of {sys.platform}, got a DLL of Windows: build the "
            "model as .so"
        )
    if data[:4] != b"\x7fELF" or len(data) < _HEADER.size:
        raise ParameterError(f"{where}: expected a shared library (ELF), got {brief(data[:4])}")
    bits = {1: 32, 2: 64}.get(data[4], 0)
    machine = _MACHINES.get(int.from_bytes(data[18:20], "little"), "another processor")
    if bits != 64 or machine != os.uname().machine:
        raise ParameterError(
            f"{where}: expected a library of 64 bits for {os.uname().machine}, got one of "
            f"{bits} bits for {machine}"
        )
    if not _is_whole(data):
        raise ParameterError(f"{where}: expected a whole library, got a part of one")


def names_function(path: Path, name: str) -> bool:
    """Return whether a file has the name of a function, without loading it."""
    check_file(path)
    return b"\0" + name.encode() + b"\0" in path.read_bytes()


def _is_whole(data: bytes) -> bool:
    """Return whether a file has all that its segments say; the loader would crash without."""
    table, size, count = _HEADER.unpack_from(data)
    if size < _SEGMENT.size or table + count * size > len(data):
        return False
    segments = (_SEGMENT.unpack_from(data, table + k * size) for k in range(count))
    return all(kind != 1 or offset + length <= len(data) for kind, offset, length in segments)


def open_model(path: Path, *, isolate: bool, limit: float, hear: Hear | None) -> _core.Library:
    """Return a model of one vehicle: of a copy of a library here, or in a process of its own."""
    if isolate:
        return open_isolated(path, limit, hear)
    copy = Copy(path)
    if _STEP not in copy.addresses:
        raise ParameterError(f"{printable(path)}: {_lack(copy.addresses)}")
    return _core.Library(copy.addresses, copy)


def examined(path: Path, *, isolate: bool, limit: float) -> _core.Library:
    """Return a model of a library; raise a ParameterError unless it is one.

    The library is loaded, which runs what it does at that time: here or in another process.
    """
    check_file(path)
    if isolate:
        model = open_isolated(path, limit)
        _check_functions(path, model.exports)
    else:
        copy = Copy(path)
        _check_functions(path, copy.addresses)
        model = _core.Library(copy.addresses, copy)
    low, high = _STEPS
    if not low <= model.period <= high:
        raise ParameterError(
            f"{printable(path)}: DllGetStep0: expected a step of {low:g} to {high:g} s, got "
            f"{model.period:g}"
        )
    return model


def _check_functions(path: Path, found: Iterable[str]) -> None:
    if lack := _lack(found):
        raise ParameterError(f"{printable(path)}: {lack}")


def _lack(found: Iterable[str]) -> str:
    """Return what keeps a library with these functions from being a model, in words."""
    if not (found := list(found)):
        return f"expected functions of RflySim's model interface, such as {_STEP}, got none"
    lacks = [] if _STEP in found else [_STEP]
    lacks += [] if any(name in found for name in _MOTIONS) else [" or ".join(_MOTIONS)]
    return f"expected {' and '.join(lacks)}, got only {', '.join(found)}" if lacks else ""
