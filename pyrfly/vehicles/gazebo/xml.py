"""SDF and URDF files as XML of untrusted origin: `read_model`.

A document type declaration, without which there are no
entities, is refused. As in Gazebo, prefixes of names need no declaration, and blank lines may stand
before the XML declaration.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from pathlib import Path
from xml.parsers import expat

from pyrfly.errors import ParameterError
from pyrfly.files import printable, read_regular
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.urdf import model_of_robot

__all__ = ["read_model"]

_MAXIMUM_BYTES = 4_000_000
_MAXIMUM_ELEMENTS = 100_000
_MAXIMUM_DEPTH = 60
_JINJA = re.compile(rb"\{\{.{0,60}|\{%.{0,60}|\{#.{0,60}")


class _Builder:
    """Builder of a tree of limited size, without document type."""

    def __init__(self, label: str, line: int) -> None:
        self.root: Node | None = None
        self._label, self._first, self._count = label, line, 0
        self._open: list[Node] = []
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._doctype

    def parse(self, data: bytes) -> Node:
        """Return the outermost element."""
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise self._error(f"not an XML file: {reason}", error.lineno) from None
        except (LookupError, ValueError) as error:  # encodings
            if isinstance(error, ParameterError):
                raise
            raise self._error(f"not an XML file: {error}", 1) from None
        assert self.root is not None  # else expat would have found no element
        return self.root

    def _error(self, text: str, line: int) -> ParameterError:
        return ParameterError(f"{self._label}: line {self._first + line}: {text}")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        self._count += 1
        if self._count > _MAXIMUM_ELEMENTS or len(self._open) >= _MAXIMUM_DEPTH:
            raise self._error(
                f"expected up to {_MAXIMUM_ELEMENTS} elements within up to "
                f"{_MAXIMUM_DEPTH} others, got more",
                line,
            )
        node = Node(tag, attributes)
        node.file, node.line = self._label, self._first + line
        if self._open:
            node.outer = self._open[-1]
            node.outer.append(node)
        else:
            self.root = node
        self._open.append(node)

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        """Keep the text before the first element within another; that is where values are."""
        if self._open and not len(self._open[-1]):
            self._open[-1].text = (self._open[-1].text or "") + text

    def _doctype(self, name: str, *_rest: object) -> None:
        raise self._error(
            f"expected no document type, got <!DOCTYPE {name:.40}>", self._parser.CurrentLineNumber
        )


def _parse(label: str, data: bytes) -> Node:
    found = _JINJA.search(data)
    if found:
        line = data.count(b"\n", 0, found.start()) + 1
        text = found[0].decode("utf-8", "replace")
        raise ParameterError(f"{label}: line {line}: expected a rendered file, got Jinja {text!r}")
    # blank lines are what a template leaves where its settings stood
    start = data.removeprefix(BOM_UTF8).lstrip(b" \t\r\n")
    return _Builder(label, data.count(b"\n", 0, len(data) - len(start))).parse(start)


def read_model(path: Path, label: str | None = None) -> tuple[str, Node]:
    """Return the name of a file for messages, by default that of the file, and its model.

    The robot of a URDF file is one, too; see `urdf`.

    Raises
    ------
    ParameterError
        The file cannot be read, is not rendered, malformed, or has not exactly one model.
    """
    label = label or printable(Path(path.name))
    try:
        data = read_regular(path, _MAXIMUM_BYTES)
    except ValueError as error:
        raise ParameterError(f"{printable(path)}: {error}") from None
    root = _parse(label, data)
    if root.tag == "robot":
        return label, model_of_robot(root)
    if root.tag != "sdf":
        raise ParameterError(
            f"{label}: expected an element <sdf>, or <robot> of a URDF file, got <{root.tag:.40}>"
        )
    models = [child for child in root if child.tag == "model"]
    if len(models) != 1:
        inside = "" if models or root.find("world") is None else "; those of a <world> are not read"
        raise ParameterError(f"{label}: <sdf>: expected one <model>, got {len(models)}{inside}")
    model = models[0]
    assert isinstance(model, Node)
    return label, model
