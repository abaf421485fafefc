"""ULog files of PX4 and of `export_log` as logs, by pyulog: `read_ulog`."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.errors import import_extra
from pyrfly.log.columns import named_field
from pyrfly.log.ulog_formats import expanded_size
from pyrfly.log.untrusted import Ending, opened, require_size

__all__ = ["OWN", "STATUS", "SYSTEM_ID", "read_ulog"]

OWN = "pyrfly_"
"""Beginning of the topics that PX4 does not have."""

SYSTEM_ID = "MAV_SYS_ID"
"""Parameter of PX4 that is the CopterID."""

STATUS = "vehicle_status"
"""Topic of PX4 that has the flight mode."""

_COLUMNS = {
    "pos": ("vehicle_local_position", ("x", "y", "z")),
    "vel": ("vehicle_local_position", ("vx", "vy", "vz")),
    "att": ("vehicle_attitude", tuple(f"q[{i}]" for i in range(4))),
    "rate": ("vehicle_angular_velocity", tuple(f"xyz[{i}]" for i in range(3))),
    "pos_sp": ("vehicle_local_position_setpoint", ("x", "y", "z")),
    "vel_sp": ("vehicle_local_position_setpoint", ("vx", "vy", "vz")),
    "throttle": ("actuator_motors", tuple(f"control[{i}]" for i in range(12))),
    "armed": ("actuator_armed", ("armed",)),
}
"""Topics of PX4 and their fields, by column."""

_READ = {topic for topic, _ in _COLUMNS.values()}

_CLOCKS = ("vehicle_local_position", "vehicle_attitude", "vehicle_angular_velocity")
"""Topics that have a sample at each time of the log, the first that there is."""

Topic = dict[str, NDArray[Any]]


def read_ulog(path: Path) -> tuple[dict[str, Field], dict[str, Any], dict[str, NDArray[Any]]]:
    """Return fields, metadata and arrays of the vehicle of a ULog file.

    Its times are those of the local position; of other topics it has the last value, NaN before
    the first. The origin is the reference of the local position.
    """
    pyulog = import_extra("pyulog", "ulog", "a .ulg file")
    with redirect_stdout(io.StringIO()):  # to which pyulog says what is damaged
        with opened(path) as stream:
            formats = pyulog.ULog(Ending(stream), parse_header_only=True).message_formats
        require_size(path, expanded_size(path.read_bytes(), formats))
        with opened(path) as stream:
            found = pyulog.ULog(Ending(stream))
    topics: dict[str, Topic] = {d.name: d.data for d in found.data_list if d.multi_id == 0}
    clock = next((topics[name] for name in _CLOCKS if name in topics), None)
    if clock is None:
        raise ValueError(f"a topic of {', '.join(_CLOCKS)}")
    ticks = np.unique(clock["timestamp"])
    width = sum(len(topic) for name, topic in topics.items() if name in _READ or _is_own(name))
    require_size(path, 8 * ticks.size * width)
    columns = _px4_columns(topics, ticks) | _own_columns(topics, ticks)
    number = int(found.initial_parameters.get(SYSTEM_ID, 1))
    arrays = {name: values[:, None] for name, values in columns.items()}
    fields = {name: named_field(name, _width(values)) for name, values in columns.items()}
    axes = {"time": ticks / 1e6, "copter_ids": np.array([number])}
    return fields, _metadata(found, topics, number), {**axes, **arrays}


def _width(values: NDArray[Any]) -> int:
    return 1 if values.ndim == 1 else values.shape[1]


def _px4_columns(topics: dict[str, Topic], ticks: NDArray[Any]) -> Topic:
    columns = {}
    for column, (name, parts) in _COLUMNS.items():
        topic = topics.get(name, {})
        # motors that a vehicle does not have are NaN
        values = [
            topic[part] for part in parts if part in topic and not np.isnan(topic[part]).all()
        ]
        if len(values) == len(parts) or (values and column == "throttle"):
            columns[column] = _held(topic, np.stack(values, axis=-1), ticks)
    if "armed" in columns:
        columns["armed"] = np.nan_to_num(columns["armed"][:, 0]).astype(np.uint32)
    return columns


def _is_own(topic: str) -> bool:
    return topic.startswith(OWN)


def _own_columns(topics: dict[str, Topic], ticks: NDArray[Any]) -> Topic:
    """Return the columns that PX4 does not have."""
    columns = {}
    for name, topic in topics.items():
        parts = [values for part, values in topic.items() if part != "timestamp"]
        if _is_own(name) and parts:
            held = _held(topic, np.stack(parts, axis=-1), ticks)
            columns[name.removeprefix(OWN)] = held[:, 0] if len(parts) == 1 else held
    return columns


def _held(topic: Topic, values: NDArray[Any], ticks: NDArray[Any]) -> NDArray[Any]:
    """Return the last values at some times."""
    order = np.argsort(topic["timestamp"], kind="stable")
    last = np.searchsorted(topic["timestamp"][order], ticks, side="right") - 1
    held: NDArray[Any] = values[order][np.maximum(last, 0)]
    if (last >= 0).all():
        return held
    held = held.astype(np.float64)
    held[last < 0] = np.nan
    return held


def _metadata(found: Any, topics: dict[str, Topic], number: int) -> dict[str, Any]:
    """Return origin, parameters, modes and texts: see `pyrfly.log.flight_notes`."""
    origin, modes = _origin(topics), _modes(topics.get(STATUS, {}), number)
    texts = [
        [message.timestamp / 1e6, number, min(max(message.log_level - ord("0"), 0), 7), text]
        for message in found.logged_messages
        if (text := str(message.message))
    ]
    return {
        "parameters": {str(number): dict(found.initial_parameters)},
        **({"origin": origin} if origin else {}),
        **({"modes": modes} if modes else {}),
        **({"texts": texts} if texts else {}),
    }


def _modes(status: Topic, number: int) -> list[list[Any]]:
    states = status.get("nav_state", np.zeros(0, np.uint8))
    changes = np.flatnonzero(np.diff(states, prepend=-1))
    return [[int(status["timestamp"][i]) / 1e6, number, int(states[i])] for i in changes]


def _origin(topics: dict[str, Topic]) -> list[float]:
    place = topics.get("vehicle_local_position", {})
    known = np.flatnonzero(place.get("xy_global", np.zeros(0)))
    if not known.size:
        return []
    return [float(place[f"ref_{name}"][known[0]]) for name in ("lat", "lon", "alt")]
