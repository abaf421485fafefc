"""Texts and numbers of elements of an SDF file, and what was left out of it: `Source`."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import ParameterError, brief
from pyrfly.vehicles.entries import Rule, check_number
from pyrfly.vehicles.gazebo.node import Node

__all__ = ["Source"]

Array = NDArray[np.float64]

_MOST_LISTED = 60
"""Maximum number of entries of a list."""

_ANY = Rule(1, "")
_TRUE, _FALSE = ("true", "1"), ("false", "0")


class Source:
    """The file that elements come from: its name for messages, and what is not as it says.

    Attributes
    ----------
    label : str
        Its name.
    left_out : list of str
        What acts on the motion and is left out of the vehicle.
    assumed : list of str
        What the file does not say, or says in a way that the vehicle does not follow to the letter.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self.left_out: list[str] = []
        self.assumed: list[str] = []

    def leave_out(self, node: Node, text: str) -> None:
        """Record what acts on the motion and is left out."""
        _list(self.left_out, f"{self._line(node)}: {text}")

    def assume(self, node: Node, text: str) -> None:
        """Record what is assumed."""
        _list(self.assumed, f"{self._line(node)}: {text}")

    def where(self, node: Node) -> str:
        """Return file, line and place of an element."""
        return f"{node.file or self.label}: line {node.line}: {node.path}"

    def _line(self, node: Node) -> str:
        line = f"line {node.line}"
        return line if node.file in ("", self.label) else f"{node.file}: {line}"

    def error(self, node: Node, text: str) -> ParameterError:
        """Return an error of an element."""
        return ParameterError(f"{self.where(node)}: {text}")

    def require_known(self, node: Node, known: Iterable[str]) -> None:
        """Record the children of an element that are not among the known ones.

        Names with a prefix are those of a user's own, which Gazebo does not read.
        """
        for child in node:
            assert isinstance(child, Node)
            if child.tag not in known and ":" not in child.tag:
                self.leave_out(child, f"{child.path}: unknown")

    # --- values -----------------------------------------------------------------------------------

    def children(self, node: Node, name: str) -> list[Node]:
        """Return the children of a name."""
        return [child for child in node if child.tag == name and isinstance(child, Node)]

    def child(self, node: Node, name: str) -> Node | None:
        """Return the child of a name: of several the first, as Gazebo does."""
        found = self.children(node, name)
        if len(found) > 1:
            self.assume(found[1], f"{found[1].path}: given {len(found)} times; the first is read")
        return found[0] if found else None

    def require_once(self, node: Node, *names: str) -> None:
        """Refuse an element with several children of one of these names."""
        for name in names:
            found = self.children(node, name)
            if len(found) > 1:
                raise self.error(found[1], f"expected once, got {len(found)}")

    def text(self, node: Node, name: str, default: str | None = None) -> str:
        """Return the text of a child."""
        child = self.child(node, name)
        text = "" if child is None else (child.text or "").strip()
        if not text and default is None:
            raise self.error(node, f"<{name}>: missing")
        return text or default or ""

    def flag(self, node: Node, name: str, default: bool = False) -> bool:
        """Return whether a child says true."""
        child = self.child(node, name)
        if child is None:
            return default
        text = (child.text or "").strip().lower()
        if text not in (*_TRUE, *_FALSE):
            raise self.error(child, f"expected true or false, got {brief(child.text or '')}")
        return text in _TRUE

    def numbers(
        self,
        node: Node,
        name: str,
        count: int,
        default: Array | None = None,
        rule: Rule = _ANY,
    ) -> Array:
        """Return the numbers of a child, each in the range of a rule."""
        child = self.child(node, name)
        if child is None:
            if default is None:
                raise self.error(node, f"<{name}>: missing")
            return default.copy()
        words = (child.text or "").split()
        if len(words) != count:
            plural = "s" if count > 1 else ""
            raise self.error(
                child, f"expected {count} number{plural}, got {brief(child.text or '')}"
            )
        return np.array([self._number(child, word, rule) for word in words])

    def number(
        self, node: Node, name: str, default: float | None = None, rule: Rule = _ANY
    ) -> float:
        """Return the number of a child, in the range of a rule."""
        other = None if default is None else np.array([default])
        return float(self.numbers(node, name, 1, other, rule)[0])

    def direction(self, node: Node, name: str, default: Array) -> Array:
        """Return the three numbers of a child as a vector of length 1."""
        vector = self.numbers(node, name, 3, default)
        length = float(exact.norm(vector))
        if not length > 0.0:
            raise self.error(node, f"<{name}>: expected a direction, got 0 0 0")
        return vector / length

    def whole(self, node: Node, name: str, most: int, default: int | None = None) -> int:
        """Return the whole number of a child, from 0."""
        other = None if default is None else float(default)
        value = self.number(node, name, other)
        if not 0 <= value <= most or value != int(value):
            raise self.error(node, f"<{name}>: expected a whole number to {most}, got {value:g}")
        return int(value)

    def _number(self, child: Node, word: str, rule: Rule) -> float:
        trimmed = word.removesuffix(".")  # "0.0.", which Gazebo reads as 0
        for text in (word, trimmed):
            try:
                value = float(text)
            except ValueError:
                continue
            if not math.isfinite(value) or "_" in text or not text.isascii():
                break
            if text != word:
                self.assume(child, f"{child.path}: {word!r} is read as {value:g}")
            check_number(self.where(child), value, rule)
            return value
        raise self.error(child, f"expected a finite number, got {brief(word)}")


def _list(texts: list[str], text: str) -> None:
    """Add a text to a list of limited length, once."""
    if text in texts:
        return
    if len(texts) < _MOST_LISTED:
        texts.append(text)
    elif len(texts) == _MOST_LISTED:
        texts.append("and more")
