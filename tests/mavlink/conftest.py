"""What pymavlink makes of the same values."""

from __future__ import annotations

import numpy as np
from pymavlink.dialects.v20 import common

from pyrfly.mavlink import MESSAGES

CLASSES = {cls.msgname: cls for cls in common.mavlink_map.values()}
"""pymavlink's messages by name."""

SHARED = sorted(MESSAGES.keys() & CLASSES.keys())


def peer(system_id: int = 1, component_id: int = 1, sequence: int = 0) -> common.MAVLink:
    """Return the state of a sender of pymavlink."""
    link = common.MAVLink(None, system_id, component_id)
    link.seq = sequence
    return link


def values_of(name: str, record: np.void) -> list[object]:
    """Return the fields that pymavlink has, in its order, as it takes them."""
    values = [record[field] for field in CLASSES[name].fieldnames]
    return [v.tolist() if isinstance(v, np.ndarray | np.generic) else v for v in values]


def frame_of(name: str, record: np.void, sender: common.MAVLink | None = None) -> bytes:
    """Return the frame that pymavlink makes of a record."""
    return CLASSES[name](*values_of(name, record)).pack(sender or peer())


def more_fields(name: str) -> list[str]:
    """Return the extensions that pymavlink does not have."""
    return [field for field in MESSAGES[name].fields if field not in CLASSES[name].fieldnames]


def random_records(name: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return records with any integers and texts, and floats of any magnitude."""
    dtype = MESSAGES[name].dtype
    records = np.frombuffer(rng.bytes(n * dtype.itemsize), dtype).copy()
    for field in dtype.names:
        values = records[field]
        if values.dtype.kind == "f":
            records[field] = rng.normal(size=values.shape) * 10.0 ** rng.integers(
                -9, 9, values.shape
            )
    return records


def ended(records: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return records whose last bytes are zero, a random number of each."""
    rows = records.view(np.uint8).reshape(len(records), -1).copy()
    for row in rows:
        row[len(row) - rng.integers(0, len(row) + 1) :] = 0
    return rows.reshape(-1).view(records.dtype)
