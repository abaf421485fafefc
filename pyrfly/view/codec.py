"""Bytes of `World` and `Frame`, for pages, files and other processes.

A message is eight bytes that name its format, the length of its header (uint32), four bytes of 0,
the header in JSON, and arrays, of which each begins at a multiple of eight bytes. The header lists
types and shapes of the arrays; elsewhere it names an array by its number. All is little-endian.
`page/codec.js` reads the same.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from math import prod
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.errors import brief
from pyrfly.vehicles.drawing import SPIN, TURN, Joint
from pyrfly.view.world import Frame, Ground, Group, Line, Mesh, Piece, World

__all__ = [
    "FRAME_ARRAYS",
    "decode_frame",
    "decode_world",
    "encode_flight",
    "encode_frame",
    "encode_world",
    "kind",
]

FORMAT = b"pyrfly\x00\x01"
"""First bytes of a message; the last one is the version."""

_BEGINNING = struct.Struct("<8sII")
_TYPES = {name: np.dtype(f"<{name}") for name in ("f8", "f4", "u4", "u2", "u1")}
_LARGEST_HEADER = 64 << 20
_FINEST = 1e-3
"""Resolution of positions in a flight, if they are not too far for it [m]."""

MAXIMUM_ROWS = 1_500_000
"""Maximum number of frames times vehicles of a flight; the page keeps some 40 bytes of each."""

Result = TypeVar("Result")


class _Writer:
    """Collects arrays of a message."""

    def __init__(self) -> None:
        self._arrays: list[NDArray[Any]] = []

    def add(self, array: NDArray[Any], code: str) -> int:
        """Return the number of an array, which is written as this type."""
        self._arrays.append(np.ascontiguousarray(array, _TYPES[code]))
        return len(self._arrays) - 1

    def message(self, header: Mapping[str, Any]) -> bytes:
        listed = [(array.dtype.str[1:], array.shape) for array in self._arrays]
        text = json.dumps({**header, "arrays": listed}, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        parts = [_BEGINNING.pack(FORMAT, len(text), 0), text]
        for array in self._arrays:
            parts += [array.tobytes(), bytes(-array.nbytes % 8)]
        return b"".join(parts)


def _header(data: bytes) -> tuple[dict[str, Any], int]:
    """Return the header of a message, and where its arrays begin."""
    if len(data) < _BEGINNING.size:
        raise ValueError(f"expected a message, got {len(data)} bytes")
    found, length, _ = _BEGINNING.unpack_from(data)
    if found != FORMAT:
        raise ValueError(f"expected a message that begins with {FORMAT!r}, got {found!r}")
    begin = _BEGINNING.size + length
    if length % 8 or length > _LARGEST_HEADER or begin > len(data):
        raise ValueError(f"expected a header within {len(data)} bytes, got one of {length}")
    header = json.loads(data[_BEGINNING.size : begin])
    if not isinstance(header, dict):
        raise ValueError(f"expected a header with names, got {brief(header)}")
    return header, begin


def _unpacked(data: bytes, expected: str) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """Return header and arrays of a message of a kind."""
    header, at = _header(data)
    if header.get("kind") != expected:
        raise ValueError(f"expected a {expected}, got {brief(header.get('kind'))}")
    arrays = []
    for code, shape in header["arrays"]:
        if any(type(size) is not int or not 0 <= size < 2**31 for size in shape):
            raise ValueError(f"expected sizes of an array, got {brief(shape)}")
        dtype, count = _TYPES[code], prod(shape)
        if at + count * dtype.itemsize > len(data):
            raise ValueError(f"expected an array of {shape} within {len(data)} bytes")
        arrays.append(np.frombuffer(data, dtype, count, at).reshape(shape))
        at += count * dtype.itemsize + (-count * dtype.itemsize) % 8
    return header, arrays


def _decoded(what: str, read: Callable[[], Result]) -> Result:
    """Return what a function reads of bytes that may be anything."""
    try:
        return read()
    except (ValueError, KeyError, TypeError, IndexError, RecursionError, OverflowError) as error:
        raise ValueError(f"{what}: {str(error)[:200]}") from None


def kind(data: bytes) -> str:
    """Return what a message is: ``"world"``, ``"frame"``, ``"flight"``.

    Raises
    ------
    ValueError
        It is no message.
    """
    return _decoded("data", lambda: str(_header(data)[0]["kind"]))


# --- World ---


def encode_world(world: World, columns: Iterable[Field] = ()) -> bytes:
    """Return the bytes of a `World`, and of columns that a page may ask for, or gets in a flight.

    Parameters
    ----------
    world : World
        The world.
    columns : iterable of Field
        The columns.
    """
    writer = _Writer()
    ground = world.ground
    return writer.message(
        {
            "kind": "world",
            "groups": [_group(writer, group) for group in world.groups],
            "ground": None if ground is None else _ground(writer, ground),
            "scene": None if world.scene is None else _mesh(writer, world.scene),
            "water": world.water,
            "columns": [
                {"name": field.name, "width": field.width, "unit": field.unit, "doc": field.doc}
                for field in columns
            ],
            "lines": [
                {"name": line.name, "points": writer.add(line.points, "f8"), "colour": line.colour}
                for line in world.lines
            ],
        }
    )


def _group(writer: _Writer, group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "family": group.family,
        "ids": group.ids.tolist(),
        "radius": float(group.radius),
        "rise": float(group.rise),
        "pieces": [
            {
                "name": piece.name,
                "mesh": _mesh(writer, piece.mesh),
                "simple": _mesh(writer, piece.simple),
                "joints": piece.joints,
            }
            for piece in group.pieces
        ],
    }


def _mesh(writer: _Writer, mesh: Mesh) -> list[int]:
    vertices, triangles = writer.add(mesh.vertices, "f4"), writer.add(mesh.triangles, "u4")
    return [vertices, triangles, writer.add(mesh.colours, "u1")]


def _ground(writer: _Writer, ground: Ground) -> dict[str, Any]:
    colours = None if ground.colours is None else writer.add(ground.colours, "u1")
    z = writer.add(ground.z, "f4")
    return {"z": z, "first": ground.first, "spacing": ground.spacing, "colours": colours}


def decode_world(data: bytes) -> World:
    """Return the `World` of bytes.

    Raises
    ------
    ValueError
        The bytes are not one: cut off, of another kind or version, or with shapes that do not fit.
    """
    return _decoded("world", lambda: _world(*_unpacked(data, "world")))


def _world(header: dict[str, Any], arrays: list[NDArray[Any]]) -> World:
    ground, scene, water = header["ground"], header["scene"], header["water"]
    return World(
        tuple(_read_group(group, arrays) for group in header["groups"]),
        None if ground is None else _read_ground(ground, arrays),
        None if scene is None else _read_mesh(scene, arrays),
        None if water is None else float(water),
        tuple(
            Line(
                str(line["name"]),
                _shaped(arrays[line["points"]], "f8", None, 3),
                _numbers(line["colour"], 3, int),
            )
            for line in header["lines"]
        ),
    )


def _shaped(array: NDArray[Any], code: str, *shape: int | None) -> NDArray[Any]:
    """Return an array of a message if it has the type and shape; None: any size."""
    fits = len(shape) == array.ndim and all(
        size in (None, found) for size, found in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype != _TYPES[code]:
        raise ValueError(f"expected {code} of shape {shape}, got {array.dtype} of {array.shape}")
    return array


def _numbers(values: Sequence[Any], count: int, convert: Callable[[Any], Any] = float) -> Any:
    if len(values) != count:
        raise ValueError(f"expected {count} numbers, got {brief(values)}")
    return tuple(convert(value) for value in values)


def _read_mesh(numbers: Sequence[int], arrays: list[NDArray[Any]]) -> Mesh:
    vertices, triangles, colours = (arrays[number] for number in _numbers(numbers, 3, int))
    _shaped(vertices, "f4", None, 3)
    _shaped(triangles, "u4", None, 3)
    if triangles.size and triangles.max() >= len(vertices):
        raise ValueError(f"expected triangles of {len(vertices)} vertices, got {triangles.max()}")
    return Mesh(vertices, triangles, _shaped(colours, "u1", len(triangles), 3))


def _read_group(group: dict[str, Any], arrays: list[NDArray[Any]]) -> Group:
    pieces = tuple(
        Piece(
            str(piece["name"]),
            _read_mesh(piece["mesh"], arrays),
            _read_mesh(piece["simple"], arrays),
            tuple(_joint(*joint) for joint in piece["joints"]),
        )
        for piece in group["pieces"]
    )
    ids = np.array([int(number) for number in group["ids"]], np.int64)
    name, family = str(group["name"]), str(group["family"])
    return Group(name, family, ids, pieces, float(group["radius"]), float(group["rise"]))


def _joint(kind: str, actuator: int, axis: Sequence[Any], at: Sequence[Any], gain: Any) -> Joint:
    if kind not in (SPIN, TURN) or type(actuator) is not int or not 0 <= actuator < 8:
        raise ValueError(f"expected a joint, got {brief((kind, actuator))}")
    return Joint(kind, actuator, _numbers(axis, 3), _numbers(at, 3), float(gain))


def _read_ground(ground: dict[str, Any], arrays: list[NDArray[Any]]) -> Ground:
    z, colours = _shaped(arrays[ground["z"]], "f4", None, None), ground["colours"]
    if colours is not None:
        colours = _shaped(arrays[colours], "u1", *z.shape, 3)
    return Ground(z, _numbers(ground["first"], 2), _numbers(ground["spacing"], 2), colours)


# --- Frame ---


class _Written(NamedTuple):
    """How an array of a `Frame` is written.

    Attributes
    ----------
    code : str
        Type in a frame.
    width : int
        Values of each vehicle; 0: one, in an array of shape (n,).
    size : int
        Bytes of the whole number that a value becomes in a flight; 1: it is one.
    """

    code: str
    width: int
    size: int


FRAME_ARRAYS = {
    "pos": _Written("f8", 3, 4),
    "att": _Written("f4", 4, 2),
    "displayed": _Written("f4", 8, 2),
    "flags": _Written("u1", 0, 1),
    "pos_sp": _Written("f8", 3, 4),
    "wind": _Written("f4", 3, 2),
    "contacts": _Written("f8", 3, 4),
}
"""The arrays of a `Frame`, also for the page."""

assert [*FRAME_ARRAYS] == [field.name for field in fields(Frame)][1:]


def encode_frame(frame: Frame, columns: Mapping[str, NDArray[Any]] | None = None) -> bytes:
    """Return the bytes of a `Frame`, and of columns at that time, each of shape (n, width)."""
    writer = _Writer()
    header: dict[str, Any] = {"kind": "frame", "time": float(frame.time)}
    for name, (code, _, _) in FRAME_ARRAYS.items():
        array = getattr(frame, name)
        if array is not None:
            header[name] = writer.add(array, code)
    header["columns"] = {name: writer.add(v, "f4") for name, v in (columns or {}).items()}
    return writer.message(header)


def decode_frame(data: bytes) -> Frame:
    """Return the `Frame` of bytes.

    Raises
    ------
    ValueError
        As by `decode_world`.
    """
    return _decoded("frame", lambda: _frame(*_unpacked(data, "frame")))


def _frame(header: dict[str, Any], arrays: list[NDArray[Any]]) -> Frame:
    count = len(arrays[header["pos"]])
    found = {}
    for name, (code, width, _) in FRAME_ARRAYS.items():
        if name in header:
            found[name] = _shaped(arrays[header[name]], code, count, *([width] if width else []))
    return Frame(float(header["time"]), **found)


# --- frames of a flight ---


def encode_flight(
    frames: Iterable[Frame], columns: Mapping[str, NDArray[Any]] | None = None
) -> bytes:
    """Return the bytes of frames in the order of time, small where compressed.

    Each number of each vehicle becomes a whole number of 16 or 32 bits times a scale: positions of
    1 mm, all others of 1/32767 of their largest. What is written of them are differences from frame
    to frame, first all lowest bytes, then the next.

    Parameters
    ----------
    frames : iterable of Frame
        Frames of the same vehicles, with the same arrays.
    columns : mapping of str to ndarray, optional
        Columns at the times of the frames, each of shape (T, n, width).
    """
    sequence = list(frames)
    if not sequence:
        raise ValueError("frames: expected one or more, got none")
    writer = _Writer()
    times = np.array([frame.time for frame in sequence])
    header: dict[str, Any] = {"kind": "flight", "time": writer.add(times, "f8")}
    for name, (_, _, size) in FRAME_ARRAYS.items():
        if all(getattr(frame, name) is not None for frame in sequence):
            values = np.stack([getattr(frame, name) for frame in sequence])
            header[name] = _differences(writer, values, size)
    found = (columns or {}).items()
    header["columns"] = {name: _differences(writer, values, 2) for name, values in found}
    return writer.message(header)


def _differences(writer: _Writer, values: NDArray[Any], size: int) -> dict[str, Any]:
    """Write values over time, shape (T, ...), as differences of whole numbers of so many bytes."""
    values = values.reshape(len(values), -1)
    scale = np.ones(values.shape[1])
    if size > 1:
        values, scale = _whole(values, 8 * size, _FINEST if size == 4 else 0.0)
    whole = values.T.astype(f"<i{size}").view(f"<u{size}")
    whole[:, 1:] -= whole[:, :-1].copy()
    planes = np.ascontiguousarray(whole).view(np.uint8).reshape(-1, size).T
    return {"array": writer.add(planes, "u1"), "scale": writer.add(scale, "f8"), "size": size}


def _whole(values: NDArray[Any], bits: int, finest: float) -> tuple[Any, NDArray[np.float64]]:
    """Return columns as whole numbers, and what each is to be multiplied by.

    The lowest number that the bits can hold means NaN.
    """
    limit = 2 ** (bits - 1) - 1
    known = np.isfinite(values)
    numbers = np.where(known, values, 0.0).astype(np.float64)
    scale = np.maximum(np.abs(numbers).max(axis=0) / limit, max(finest, 1e-30))
    return np.where(known, np.rint(numbers / scale), -limit - 1), scale
