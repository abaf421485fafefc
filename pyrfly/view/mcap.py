"""Logs as MCAP, for Foxglove and programs of ROS: `export_mcap`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import import_extra
from pyrfly.files import path_of, replacing
from pyrfly.frames import LocalFrame
from pyrfly.log import Log
from pyrfly.view.landscape import relief
from pyrfly.view.logged import LogSource
from pyrfly.view.world import Frame, Ground, Group, Line, Mesh, World

__all__ = ["export_mcap"]

FINE = 20
"""Number of vehicles up to which they are drawn in full."""

NODES = 100
"""Maximum number of rows and of columns of a terrain: each triangle has some 300 bytes."""

ROOT = "world"
"""Frame of reference: east, north, up from the origin of the log, as that of ROS is."""

# --- schemas: names and fields are those of Foxglove; a list is an array of its only element

_TIME = {"sec": int, "nsec": int}
_VECTOR = {"x": float, "y": float, "z": float}
_QUATERNION = {**_VECTOR, "w": float}
_COLOUR = {"r": float, "g": float, "b": float, "a": float}
_POSE = {"position": _VECTOR, "orientation": _QUATERNION}
_SCHEMAS: dict[str, dict[str, Any]] = {
    "foxglove.FrameTransforms": {
        "transforms": [
            {
                "timestamp": _TIME,
                "parent_frame_id": str,
                "child_frame_id": str,
                "translation": _VECTOR,
                "rotation": _QUATERNION,
            }
        ]
    },
    "foxglove.SceneUpdate": {
        "entities": [
            {
                "timestamp": _TIME,
                "frame_id": str,
                "id": str,
                "frame_locked": bool,
                "lines": [
                    {
                        "type": int,
                        "pose": _POSE,
                        "thickness": float,
                        "scale_invariant": bool,
                        "points": [_VECTOR],
                        "color": _COLOUR,
                    }
                ],
                "triangles": [{"pose": _POSE, "points": [_VECTOR], "colors": [_COLOUR]}],
            }
        ]
    },
    "foxglove.LocationFix": {
        "timestamp": _TIME,
        "frame_id": str,
        "latitude": float,
        "longitude": float,
        "altitude": float,
    },
}
_TYPES = {int: "integer", float: "number", str: "string", bool: "boolean"}


def _schema(of: Any) -> dict[str, Any]:
    """Return the JSON schema of fields."""
    if isinstance(of, dict):
        title = {"title": "time"} if of is _TIME else {}
        fields = {name: _schema(field) for name, field in of.items()}
        return {"type": "object", **title, "properties": fields}
    if isinstance(of, list):
        return {"type": "array", "items": _schema(of[0])}
    return {"type": _TYPES[of]}


# --- values


def _moment(time: float) -> dict[str, int]:
    nanoseconds = _nanoseconds(time)
    return {"sec": nanoseconds // 10**9, "nsec": nanoseconds % 10**9}


def _nanoseconds(time: float) -> int:
    return max(0, round(1e9 * time))


def _vector(ned: Sequence[float]) -> dict[str, float]:
    """Return a position of NED as east, north, up."""
    north, east, down = map(float, ned)
    return {"x": east, "y": north, "z": -down}


def _quaternion(att: Sequence[float]) -> dict[str, float]:
    """Return an attitude of FRD to NED as one to east, north, up: by half a turn about x = y."""
    w, x, y, z = (float(value) * 0.5**0.5 for value in att)
    return {"x": w + z, "y": w - z, "z": y - x, "w": -x - y}


def _plain(frd: Sequence[float]) -> dict[str, float]:
    return dict(zip("xyz", map(float, frd), strict=True))


def _colour(rgb: Sequence[int]) -> dict[str, float]:
    return {**{name: int(value) / 255 for name, value in zip("rgb", rgb, strict=True)}, "a": 1.0}


_HERE = {"position": _plain((0, 0, 0)), "orientation": {**_plain((0, 0, 0)), "w": 1.0}}


def export_mcap(
    log: Log | LogSource,
    path: str | os.PathLike[str],
    *,
    origin: Sequence[float] | None = None,
) -> None:
    """Write a log as MCAP, with messages in JSON as Foxglove's; an existing file is replaced.

    Topics: ``/tf``, frames ``vehicle_1`` on (FRD) in ``world`` (east, north, up); ``/scene``, what
    they look like; and of each vehicle ``/vehicle_1/state``, its columns in their own units and
    frames, and with an origin ``/vehicle_1/location``.

    Parameters
    ----------
    log : Log or LogSource
        The flight.
    path : str or path-like
        The file.
    origin : sequence of 3 floats, optional
        Latitude, longitude [deg] and height [m above the ellipsoid]; by default that of the log.

    Raises
    ------
    MissingExtraError
        Without ``pip install 'pyrfly[mcap]'``.
    ValueError
        The log has no positions, or the origin is none.
    """
    module = import_extra("mcap.writer", "mcap", "an .mcap file")
    source = log if isinstance(log, LogSource) else LogSource(log)
    given = source.log.metadata.get("origin") if origin is None else origin
    place = None if given is None else LocalFrame(*given)
    with replacing(path_of("path", path)) as temporary, Path(temporary).open("wb") as stream:
        writer = module.Writer(stream)
        writer.start(profile="", library="pyrfly")
        _write(_Topics(writer), source, place)
        writer.finish()


class _Topics:
    """Topics of a file, each registered with its first message."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._schemas: dict[str, int] = {}
        self._channels: dict[str, int] = {}

    def put(self, time: float, topic: str, name: str, message: Any, of: Any = None) -> None:
        """Write a message of a schema, one of Foxglove's or of these fields."""
        if topic not in self._channels:
            if name not in self._schemas:
                text = json.dumps(_schema(_SCHEMAS[name] if of is None else of)).encode()
                self._schemas[name] = self._writer.register_schema(name, "jsonschema", text)
            self._channels[topic] = self._writer.register_channel(
                topic, "json", self._schemas[name]
            )
        now = _nanoseconds(time)
        data = json.dumps(message, separators=(",", ":"), allow_nan=True).encode()
        self._writer.add_message(self._channels[topic], now, data, now)


def _write(topics: _Topics, source: LogSource, place: LocalFrame | None) -> None:
    world, times = source.world(), source.log.time.tolist()
    topics.put(times[0], "/scene", "foxglove.SceneUpdate", _scene(world, times[0]))
    ids = [number for group in world.groups for number in group.ids.tolist()]
    rises = np.repeat([group.rise for group in world.groups], [len(g.ids) for g in world.groups])
    states = [_states(source.log, number) for number in ids]
    for row, time in enumerate(times):
        frame = source.frame(time)
        transforms = [*_transforms(frame, ids, rises)]
        topics.put(time, "/tf", "foxglove.FrameTransforms", {"transforms": transforms})
        for number, (fields, state) in zip(ids, states, strict=True):
            name = f"pyrfly.State{number}"
            topics.put(time, f"/vehicle_{number}/state", name, state(row), fields)
        if place is not None:
            _locate(topics, frame, ids, place)


def _transforms(
    frame: Frame, ids: Sequence[int], rises: NDArray[np.float64]
) -> Iterator[dict[str, Any]]:
    """Yield the poses of all vehicles that are there."""
    for number, pos, att, rise in zip(ids, frame.pos, frame.att, rises, strict=True):
        if np.isfinite(pos).all():
            yield {
                "timestamp": _moment(frame.time),
                "parent_frame_id": ROOT,
                "child_frame_id": f"vehicle_{number}",
                "translation": _vector(pos - [0, 0, rise]),
                "rotation": _quaternion(att),
            }


def _states(log: Log, number: int) -> tuple[dict[str, Any], Callable[[int], dict[str, Any]]]:
    """Return the fields of the columns of a vehicle, and a function that returns a sample."""
    vehicle = log.row_of(number)
    columns: Mapping[str, list[Any]] = {
        name: np.nan_to_num(log[name][:, vehicle].astype(np.float64)).tolist()
        for name in log.fields
    }
    fields = {name: float if field.width == 1 else [float] for name, field in log.fields.items()}
    return fields, lambda row: {name: values[row] for name, values in columns.items()}


def _locate(topics: _Topics, frame: Frame, ids: Sequence[int], place: LocalFrame) -> None:
    for number, (lat, lon, alt) in zip(ids, place.to_lla(frame.pos).tolist(), strict=True):
        if np.isfinite(lat):
            fix = {"timestamp": _moment(frame.time), "frame_id": f"vehicle_{number}"}
            fix |= {"latitude": lat, "longitude": lon, "altitude": alt}
            name = "foxglove.LocationFix"
            topics.put(frame.time, f"/vehicle_{number}/location", name, fix)


# --- what it looks like


def _scene(world: World, time: float) -> dict[str, Any]:
    entities = [
        _entity(time, f"vehicle_{number}", f"vehicle {number}", triangles=_look(group, world))
        for group in world.groups
        for number in group.ids.tolist()
    ]
    around = {"terrain": _terrain(world), "scene": world.scene}
    for name, mesh in around.items():
        if mesh is not None:
            triangles = [_triangles([mesh], _vector)]
            entities.append(_entity(time, ROOT, name, triangles=triangles))
    lines = [_line(line) for line in world.lines]
    return {"entities": [*entities, _entity(time, ROOT, "lines", lines=lines)]}


def _entity(time: float, frame: str, name: str, **parts: Any) -> dict[str, Any]:
    entity = {"timestamp": _moment(time), "frame_id": frame, "id": name, "frame_locked": True}
    return {**entity, "lines": [], "triangles": [], **parts}


def _look(group: Group, world: World) -> list[dict[str, Any]]:
    fine = world.count <= FINE
    return [_triangles([piece.mesh if fine else piece.simple for piece in group.pieces], _plain)]


def _terrain(world: World) -> Mesh | None:
    """Return the triangles of the terrain, of many nodes of each so many."""
    ground = world.ground
    if ground is None:
        return None
    north, east = (max(1, -(-count // NODES)) for count in ground.z.shape)
    colours = None if ground.colours is None else ground.colours[::north, ::east]
    spacing = ground.spacing[0] * north, ground.spacing[1] * east
    coarse = Ground(ground.z[::north, ::east], ground.first, spacing, colours)
    return relief(coarse, world.water)


def _triangles(meshes: Sequence[Mesh], point: Callable[[Any], dict[str, float]]) -> dict[str, Any]:
    """Return all triangles, each with corners of its own, whose colours are those of it."""
    corners, colours = [], []
    for mesh in meshes:
        corners += [point(at) for at in mesh.vertices[mesh.triangles].reshape(-1, 3)]
        colours += [_colour(colour) for colour in np.repeat(mesh.colours, 3, axis=0).tolist()]
    return {"pose": _HERE, "points": corners, "colors": colours}


def _line(line: Line) -> dict[str, Any]:
    points = [_vector(point) for point in line.points]
    style = {"type": 0, "pose": _HERE, "thickness": 2.0, "scale_invariant": True}
    return {**style, "points": points, "color": _colour(line.colour)}
