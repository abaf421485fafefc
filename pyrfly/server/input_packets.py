"""Decoders of the 30100 series: inputs of the model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.bits import COMMAND, OFFBOARD, Command, Offboard
from pyrfly.protocol.faults import faults_in
from pyrfly.protocol.finite import must_be_finite
from pyrfly.protocol.terrain import ground_of, plausible
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import (
    Action,
    Bools,
    CollisionInputs,
    Extension,
    HeartbeatRequest,
    Ids,
    Injection,
    MeasurementRequest,
    ModelParameters,
    Orders,
    OriginRequest,
    SceneInputs,
    SetInputs,
    TerrainInput,
    TopicInputs,
    for_others,
    inputs_of,
    orders,
    picked,
    verdicts,
)
from pyrfly.sim.rebound import INPUTS, LARGEST, MARKER

__all__ = [
    "collision",
    "collision_inputs",
    "extension_doubles",
    "extension_floats",
    "measurement_request",
    "model_params",
    "request",
    "scene_inputs",
    "sil_doubles",
    "sil_floats",
    "terrain",
    "topic",
]

Records = NDArray[Any]

_PARAMS = 64  # most of a message
_STORED = 1234567900  # least checksum of an inCtrlExt that is stored
_IMU = 0  # type of sensor in a request
_TOPICS = (1, 101, 201)  # modes of rfly_ctrl, rfly_ctrl1, rfly_ctrl2
_HEARTBEAT, _ORIGIN = 90, 91  # what a Ue4Req asks for

_COMMAND_BITS, _OFFBOARD_BITS = int(sum(Command)), int(sum(Offboard))


def sil_floats(records: Records, ids: Ids) -> Orders:
    """Decode PX4SILIntFloat: the inputs inSILInts and inSILFloats."""
    fits = np.ones(len(ids), dtype=np.bool_)
    ints, floats = records["inSILInts"], records["inSILFLoats"]
    return _sil(records["CopterID"], SetInputs.of(ids, ints, floats), fits)


def sil_doubles(records: Records, ids: Ids) -> Orders:
    """Decode DllInDoubCtrls: 28 doubles, the 8 integers and the 20 floats."""
    numbers = records["inDoubsCtrls"]
    ints, floats, fits = inputs_of(numbers)
    return _sil(records["CopterID"], SetInputs(ids, ints, floats, numbers), fits)


def _sil(named: NDArray[Any], inputs: SetInputs, fits: Bools) -> Orders:
    ids, ints, floats, _ = inputs
    wrong = np.isinf(floats) | (np.isnan(floats) & must_be_finite(ints))
    faults = faults_in(ints) != 0
    wrong |= faults[:, None] & ~np.isfinite(floats)
    found = verdicts(len(ids), bad_id=for_others(named, ids), not_finite=~fits | wrong.any(axis=1))
    unknown = (ints[:, COMMAND] & ~_COMMAND_BITS != 0) | (ints[:, OFFBOARD] & ~_OFFBOARD_BITS != 0)
    good = found == Count.ACCEPTED
    commands, injected = good & ~faults, good & faults
    requested: list[tuple[Action, Bools]] = [
        (picked(inputs, np.flatnonzero(commands)), commands),
        (Injection(*picked(inputs, np.flatnonzero(injected))), injected),
    ]
    return orders(requested, found, unknown & ~faults)


def terrain(records: Records, ids: Ids) -> Orders:
    """Decode TerrainIn15d: height, slope, friction and motion of the ground."""
    ground = ground_of(records["TerrainIn15d"])
    bad_id = for_others(records["CopterID"], ids)
    found = verdicts(len(ids), bad_id=bad_id, not_finite=~plausible(ground))
    good = found == Count.ACCEPTED
    return orders([(TerrainInput(ids[good], *(column[good] for column in ground)), good)], found)


def extension_floats(number: int, records: Records, ids: Ids) -> Orders:
    """Decode inCtrlExt ``number``: 8 integers and 20 floats."""
    values = np.concatenate([records["inSILInts"], records["inSILFLoats"]], axis=1)
    return _extension(number, records, ids, values)


def extension_doubles(number: int, records: Records, ids: Ids) -> Orders:
    """Decode inCtrlExtDoub ``number``: 28 doubles."""
    return _extension(number, records, ids, records["inDoubsCtrls"])


def _extension(number: int, records: Records, ids: Ids, values: NDArray[Any]) -> Orders:
    values = values.astype(np.float64)
    found = verdicts(
        len(ids),
        bad_id=for_others(records["CopterID"], ids),
        not_finite=~np.isfinite(values).all(axis=1),
    )
    good = found == Count.ACCEPTED
    numbers = np.full(np.count_nonzero(good), number)
    applied = records["checksum"][good] < _STORED
    return orders([(Extension(ids[good], numbers, values[good], applied), good)], found)


def model_params(interface: str, records: Records, ids: Ids) -> Orders:
    """Decode PX4ModelInParams, InitInParams or PX4DynModiParams; the first two have no CopterID."""
    masks, given = records["Bitmask"].astype(np.uint64), records["InParams"]
    values = np.zeros((len(ids), _PARAMS))
    values[:, : given.shape[1]] = given
    used = (masks[:, None] >> np.arange(_PARAMS, dtype=np.uint64)) & np.uint64(1) != 0
    named = records["CopterID"] if "CopterID" in (records.dtype.names or ()) else ids
    found = verdicts(
        len(ids),
        bad_id=for_others(named, ids),
        not_finite=np.asarray((used & ~np.isfinite(values)).any(axis=1)),
    )
    good = found == Count.ACCEPTED
    interfaces = np.full(np.count_nonzero(good), interface)
    action = ModelParameters(ids[good], interfaces, masks[good], values[good])
    return orders([(action, good)], found)


def scene_inputs(records: Records, ids: Ids) -> Orders:
    """Decode UEToCopterDataD: the input inFromUE, 32 doubles that a float32 can hold."""
    values = records["inFromUE"].astype(np.float64)
    fits = (np.abs(values) <= np.finfo(np.float32).max).all(axis=1)
    found = verdicts(
        len(ids), bad_id=for_others(records["CopterID"], ids), not_finite=np.asarray(~fits)
    )
    good = found == Count.ACCEPTED
    return orders([(SceneInputs(ids[good], values[good]), good)], found)


def collision(records: Records, ids: Ids) -> Orders:
    """Decode Ue4RayTraceDrone: distances and what was hit, the input inFloatsCollision.

    Its CopterID is that of what was hit, 0 or -1 for nothing.
    """
    values, hit = np.zeros((len(ids), INPUTS)), records["CopterID"].astype(np.float64)
    values[:, 0], values[:, 1], values[:, 2] = MARKER, np.maximum(hit, 0), records["size"]
    for name, place in (("PosE", 3), ("VelE", 6), ("ray", 9)):
        values[:, place : place + records[name].shape[1]] = records[name]
    return _collision(ids, values, np.asarray((hit < -1) | (hit > LARGEST)))


def collision_inputs(records: Records, ids: Ids) -> Orders:
    """Decode Ue4Coll20d: the 20 numbers of the input inFloatsCollision, inCollision20d."""
    values = records["inCollision20d"].astype(np.float64)
    return _collision(ids, values, for_others(records["CopterID"], ids))


def _collision(ids: Ids, values: NDArray[np.float64], bad_id: Bools) -> Orders:
    fits = (np.abs(values) <= LARGEST).all(axis=1)
    found = verdicts(len(ids), not_finite=np.asarray(~fits), bad_id=bad_id)
    good = found == Count.ACCEPTED
    return orders([(CollisionInputs(ids[good], values[good]), good)], found)


def topic(records: Records, ids: Ids) -> Orders:
    """Decode PX4UorbRflyCtrl: 16 numbers of the topic rfly_ctrl, rfly_ctrl1 or rfly_ctrl2."""
    values, modes = records["data"].astype(np.float64), records["modes"]
    found = verdicts(
        len(ids),
        unknown=~np.isin(modes, _TOPICS),
        not_finite=np.asarray(~np.isfinite(values).all(axis=1)),
        bad_id=for_others(records["CopterID"], ids),
    )
    good = found == Count.ACCEPTED
    numbers = np.searchsorted(_TOPICS, modes[good]).astype(np.intp)
    return orders([(TopicInputs(ids[good], numbers, values[good]), good)], found)


def request(records: Records, ids: Ids) -> Orders:
    """Decode Ue4Req: a request for the heartbeat, or for the origin of the map."""
    what = records["request"]
    found = verdicts(len(ids), unknown=~np.isin(what, (_HEARTBEAT, _ORIGIN)))
    beats, origins = what == _HEARTBEAT, what == _ORIGIN
    requested: list[tuple[Action, Bools]] = [
        (HeartbeatRequest(ids[beats]), beats),
        (OriginRequest(ids[origins]), origins),
    ]
    return orders(requested, found)


def measurement_request(records: Records, ids: Ids) -> Orders:
    """Decode imuReqCopterSim: how often measurements of the IMU are to be sent, 0 for never.

    Address and port that it names have no effect, so that it cannot direct packets elsewhere.
    """
    found = np.where(records["type"] == _IMU, Count.ACCEPTED, Count.UNSUPPORTED).astype(np.int8)
    good = found == Count.ACCEPTED
    rates = records["freq"][good].astype(np.float64)
    return orders([(MeasurementRequest(ids[good], rates), good)], found)
