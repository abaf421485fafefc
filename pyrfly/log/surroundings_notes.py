"""Terrain maps and scenes in the metadata of logs: `SurroundingsNotes`, `terrain_in`, `scene_in`.

The entry ``surroundings`` has a ``format`` and texts ``terrain`` and ``scene``, each of which is a
document as JSON, compressed by zlib, in base64. That of a terrain map has ``heights_mm`` by rows,
``spacing`` and ``corner``; that of a scene is `pyrfly.scene.document.document_of`. ``picture``,
that of the map, is a JPEG in base64.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from pyrfly.errors import brief
from pyrfly.scene import Scene
from pyrfly.scene.document import document_of
from pyrfly.scene.document import scene_in as scene_of_document
from pyrfly.sim import Sim
from pyrfly.terrain import TerrainMap
from pyrfly.terrain.picture import jpeg_of, picture_in

__all__ = ["NODES", "SURROUNDINGS", "SurroundingsNotes", "scene_in", "terrain_in"]

SURROUNDINGS = "surroundings"
"""Name of the entry."""

FORMAT = 1
"""Increased where older versions of pyrfly could not read it."""

NODES = 256
"""Maximum number of rows and of columns of the map of a log."""

LONGEST_SIDE = 1024
"""Maximum width and height of the picture of a log [pixels]."""

MOST_CHARACTERS = 8_000_000
"""Maximum size of a document: some 80,000 trees. Shapes that have no room are left out."""


class SurroundingsNotes:
    """What the metadata says of the terrain map and the scene of a simulation.

    Parameters
    ----------
    sim : Sim
        The simulation.
    """

    def __init__(self, sim: Sim) -> None:
        self._sim = sim
        self._noted: tuple[TerrainMap | None, Scene | None] = (None, None)
        self._entry: dict[str, Any] = {}

    def entry(self) -> dict[str, Any]:
        """Return the entry of what there is now, or was at last, by its name; none of nothing."""
        terrain, scene = self._sim.environment.terrain_map, self._sim.scene.current
        # each is read anew only where it is another one: a recording asks with every chunk
        if terrain is not None and terrain is not self._noted[0]:
            self._entry.pop("picture", None)  # of another map
            self._entry |= _entry_of_terrain(terrain)
            self._noted = terrain, self._noted[1]
        if scene is not None and scene is not self._noted[1]:
            self._entry["scene"] = _packed(document_of(scene, MOST_CHARACTERS))
            self._noted = self._noted[0], scene
        return {SURROUNDINGS: {"format": FORMAT, **self._entry}} if self._entry else {}


def terrain_in(metadata: Mapping[str, Any]) -> TerrainMap | None:
    """Return the terrain map of a log by its metadata, None without one.

    A map of more than 256 rows or columns has fewer there; heights have 1 mm.

    Raises
    ------
    ValueError
        The entry is damaged, or of a newer version.
    """
    document = _unpacked(metadata, "terrain")
    if document is None:
        return None
    try:
        heights = np.array(document["heights_mm"], np.float64) / 1000
        text = metadata[SURROUNDINGS].get("picture")
        picture = None if text is None else picture_in(base64.b64decode(text))
        place = document["spacing"], document["corner"]
        return TerrainMap(heights, place[0], corner=place[1], picture=picture)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise ValueError(f"terrain: expected a map, got {brief(document)} ({error})") from None


def scene_in(metadata: Mapping[str, Any]) -> Scene | None:
    """Return the scene of a log by its metadata, None without one.

    Raises
    ------
    ValueError
        As by `terrain_in`.
    """
    document = _unpacked(metadata, "scene")
    return None if document is None else scene_of_document(document)


def _entry_of_terrain(terrain: TerrainMap) -> dict[str, Any]:
    rows, columns = terrain.shape
    noted = terrain.resampled(min(rows, NODES), min(columns, NODES))
    heights = np.rint(1000 * noted.heights).astype(int).tolist()
    document = {"heights_mm": heights, "spacing": noted.spacing, "corner": noted.corner}
    entry = {"terrain": _packed(document)}
    if terrain.picture is not None:
        entry["picture"] = base64.b64encode(jpeg_of(terrain.picture, LONGEST_SIDE)).decode()
    return entry


def _packed(document: Any) -> str:
    text = json.dumps(document, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 6)).decode()


def _unpacked(metadata: Mapping[str, Any], name: str) -> Any:
    """Return a document of the entry, None without one."""
    entry = metadata.get(SURROUNDINGS)
    if not isinstance(entry, dict) or name not in entry:
        return None
    if (version := entry.get("format")) != FORMAT:
        raise ValueError(f"{SURROUNDINGS}: expected format {FORMAT}, got {brief(version)}")
    try:
        inflater = zlib.decompressobj()
        text = inflater.decompress(base64.b64decode(entry[name]), MOST_CHARACTERS)
        if not inflater.eof:
            raise ValueError(f"cut off, or longer than {MOST_CHARACTERS} characters")
        return json.loads(text)
    except (ValueError, TypeError, zlib.error, binascii.Error, RecursionError) as error:
        raise ValueError(f"{name}: expected what zlib and JSON can read ({error})") from None
