"""SDF files as XML of untrusted origin: parsing within limits, numbers and poses of elements.

Nothing that a file refers to is opened. A document type declaration, without which there are no
entities, is refused.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import ParameterError, shown
from pyrfly.files import printable, read_regular

__all__ = ["Pose", "Source", "pose_of", "read_model"]

Array = NDArray[np.float64]

_MAXIMUM_BYTES = 4_000_000
_MAXIMUM_ELEMENTS = 100_000
_MAXIMUM_DEPTH = 60
_JINJA = re.compile(rb"\{\{.{0,60}|\{%.{0,60}|\{#.{0,60}")


class Pose(NamedTuple):
    """A frame in another one: its origin [m], and the rotation of its vectors into that frame."""

    origin: Array
    rotation: Array

    def point(self, place: Array) -> Array:
        """Return a place of this frame in the other one."""
        return self.origin + self.vector(place)

    def vector(self, vector: Array) -> Array:
        """Return a vector of this frame in the other one."""
        return np.array([exact.dot(row, vector) for row in self.rotation])

    def __matmul__(self, inner: Pose) -> Pose:
        """Return a frame that is given in this one, in the other one."""
        columns = [self.vector(column) for column in inner.rotation.T]
        return Pose(self.point(inner.origin), np.stack(columns, axis=1))

    def inverse(self) -> Pose:
        """Return the other frame in this one."""
        back = Pose(np.zeros(3), self.rotation.T)
        return Pose(-back.vector(self.origin), self.rotation.T)


class Source:
    """The file that elements come from: its name for messages, and what was left out of it."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.left_out: list[str] = []

    def note(self, text: str) -> None:
        """Record what is left out or assumed, once."""
        if text not in self.left_out:
            self.left_out.append(text)

    def error(self, where: str, text: str) -> ParameterError:
        """Return an error of an element."""
        return ParameterError(f"{self.label}: {where}: {text}")

    def text(self, element: Element, name: str, where: str) -> str:
        """Return the text of a child, which must be there."""
        child = element.find(name)
        if child is None or not (child.text or "").strip():
            raise self.error(where, f"<{name}>: missing")
        return (child.text or "").strip()

    def numbers(
        self, element: Element, name: str, where: str, count: int, default: Array | None = None
    ) -> Array:
        """Return the numbers of a child."""
        child = element.find(name)
        if child is None:
            if default is None:
                raise self.error(where, f"<{name}>: missing")
            return default
        words = (child.text or "").split()
        if len(words) != count:
            raise self.error(
                where, f"<{name}>: expected {count} numbers, got {shown(child.text or '')}"
            )
        return np.array([self._number(word, f"{where}: <{name}>") for word in words])

    def number(
        self, element: Element, name: str, where: str, default: float | None = None
    ) -> float:
        """Return the number of a child."""
        other = None if default is None else np.array([default])
        return float(self.numbers(element, name, where, 1, other)[0])

    def _number(self, word: str, where: str) -> float:
        trimmed = word.removesuffix(".")  # "0.0.", which Gazebo reads as 0
        for text in (word, trimmed):
            try:
                value = float(text)
            except ValueError:
                continue
            if not math.isfinite(value) or "_" in text:
                break
            if text != word:
                self.note(f"{where}: {word!r} is read as {value:g}")
            return value
        raise self.error(where, f"expected a finite number, got {shown(word)}")


class _Limited(ElementTree.TreeBuilder):
    """Builder of a tree of limited size, without document type."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self._label, self._count, self._depth = label, 0, 0

    def start(self, tag: str, attributes: dict[str, str], /) -> Element:
        self._count += 1
        self._depth += 1
        if self._count > _MAXIMUM_ELEMENTS or self._depth > _MAXIMUM_DEPTH:
            raise ParameterError(
                f"{self._label}: expected up to {_MAXIMUM_ELEMENTS} elements within up to "
                f"{_MAXIMUM_DEPTH} others, got more"
            )
        return super().start(tag, attributes)

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag)

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ParameterError(f"{self._label}: expected no document type, got <!DOCTYPE {name:.40}>")


def _parse(label: str, data: bytes) -> Element:
    found = _JINJA.search(data)
    if found:
        line = data.count(b"\n", 0, found.start()) + 1
        text = found[0].decode("utf-8", "replace")
        raise ParameterError(f"{label}: line {line}: expected a rendered file, got Jinja {text!r}")
    parser = ElementTree.XMLParser(target=_Limited(label))
    try:
        parser.feed(data)
        return parser.close()
    except ElementTree.ParseError as error:
        raise ParameterError(f"{label}: not an XML file: {error}") from None
    except (LookupError, ValueError) as error:  # encodings
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(f"{label}: not an XML file: {error}") from None


def read_model(path: Path) -> tuple[Source, Element]:
    """Return the model of an SDF file.

    Raises
    ------
    ParameterError
        The file cannot be read, is not rendered, malformed, or has not exactly one model.
    """
    label = printable(Path(path.name))
    try:
        data = read_regular(path, _MAXIMUM_BYTES)
    except ValueError as error:
        raise ParameterError(f"{printable(path)}: {error}") from None
    root = _parse(label, data)
    if root.tag != "sdf":
        raise ParameterError(f"{label}: expected an element <sdf>, got <{root.tag:.40}>")
    models = root.findall("model")
    if len(models) != 1:
        raise ParameterError(f"{label}: <sdf>: expected one <model>, got {len(models)}")
    return Source(label), models[0]


def _rotation(roll: float, pitch: float, yaw: float) -> Array:
    """Return the rotation about fixed axes: first roll, then pitch, then yaw."""
    (sr, sp, sy), (cr, cp, cy) = exact.sincos(np.array([roll, pitch, yaw]))
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def pose_of(source: Source, element: Element, where: str) -> Pose:
    """Return the pose of an element in the frame that its child names, or in the usual one."""
    child = element.find("pose")
    if child is None or not (child.text or "").strip():
        return Pose(np.zeros(3), np.eye(3))
    if child.get("rotation_format", "euler_rpy") != "euler_rpy":
        raise source.error(where, "<pose>: expected the rotation_format euler_rpy")
    values = source.numbers(element, "pose", where, 6)
    if child.get("degrees", "false").strip().lower() in ("true", "1"):
        values[3:] *= math.pi / 180.0
    return Pose(values[:3], _rotation(*values[3:]))
