"""An element of an SDF or URDF file: `Node`."""

from __future__ import annotations

from xml.etree.ElementTree import Element

__all__ = ["Node"]


class Node(Element):
    """An element with its file, its line there, and the element that it is in."""

    file = ""
    line = 0
    outer: Node | None = None

    @property
    def label(self) -> str:
        """Its tag and name, for messages."""
        name = self.get("name")
        return f"<{self.tag:.60}>" if name is None else f"<{self.tag:.60} name={name!r:.60}>"

    @property
    def path(self) -> str:
        """Labels of the elements that it is in, from below the model, and its own."""
        labels, node = [self.label], self.outer
        while node is not None and node.tag not in ("model", "sdf"):
            labels.append(node.label)
            node = node.outer
        return ": ".join(reversed(labels))
