"""Wavefront OBJ: the vertices and faces of a text.

Read here, not by trimesh, which takes the number 0 as a vertex, and negative ones, which count back
from the line they are in, as counted from the end of the file. Lines other than ``v`` and ``f``,
among them materials in other files, are left out.
"""

from __future__ import annotations

import io
from array import array
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import SceneError, brief
from pyrfly.scene.checks import Array
from pyrfly.scene.shapes import MAXIMUM_TRIANGLES, MAXIMUM_VERTICES

__all__ = ["read_obj"]

_LONGEST_LINE = 100_000  # bytes: a polygon of thousands of corners


def read_obj(data: bytes) -> tuple[Array, NDArray[np.int64]]:
    """Return vertices (k, 3) and triangles (m, 3), numbers from 0; of polygons, fans.

    Raises
    ------
    SceneError
        A line is no vertex or face, or there are too many; the message has its number.
    """
    vertices, triangles = array("d"), array("q")
    for number, line in enumerate(io.BytesIO(data.replace(b"\\\n", b" ")), start=1):
        try:
            if len(line) > _LONGEST_LINE:
                raise ValueError(f"more than {_LONGEST_LINE} bytes")
            words = line.split()
            if words[:1] == [b"v"]:
                x, y, z = map(float, words[1:4])
                vertices.extend((x, y, z))
            elif words[:1] == [b"f"]:
                corners = [_vertex(word, len(vertices) // 3) for word in words[1:]]
                if len(corners) < 3:
                    raise ValueError("fewer than 3 corners")
                for second, third in pairwise(corners[1:]):
                    triangles.extend((corners[0], second, third))
        except ValueError as error:
            what = "vertex" if line.lstrip().startswith(b"v") else "face"
            raise SceneError(
                f"line {number}: expected a {what}, got {brief(line.strip()[:60])}: {error}"
            ) from None
        if len(vertices) > 3 * MAXIMUM_VERTICES or len(triangles) > 3 * MAXIMUM_TRIANGLES:
            raise SceneError(
                f"line {number}: expected at most {MAXIMUM_VERTICES} vertices and "
                f"{MAXIMUM_TRIANGLES} triangles"
            )
    rows = np.frombuffer(vertices, np.float64).reshape(-1, 3)
    return rows, np.frombuffer(triangles, np.int64).reshape(-1, 3)


def _vertex(word: bytes, count: int) -> int:
    """Return the number, from 0, of a vertex such as ``7``, ``7/1/3`` or ``-1``, the last one."""
    number = int(word.split(b"/", 1)[0])
    if number == 0 or not -count <= number <= MAXIMUM_VERTICES:
        raise ValueError(f"there is no vertex {number}")
    return number - 1 if number > 0 else count + number
