"""What the actions that packets request do to vehicles."""

from __future__ import annotations

from contextlib import closing
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import Sim
from pyrfly.protocol.synthesis import Command, Offboard, command_word
from pyrfly.server import Server
from pyrfly.server.orders import (
    APPLIED,
    Action,
    CircleRadius,
    CollisionInputs,
    CommandWord,
    Crash,
    CustomNumbers,
    Extension,
    HeartbeatRequest,
    Injection,
    MapChange,
    MeasurementRequest,
    ModelParameters,
    ModeRequest,
    Origin,
    OriginRequest,
    Place,
    PositionKinds,
    Reset,
    SceneInputs,
    SetInputs,
    SetPoints,
    SpeedLimit,
    StartSignal,
    TakeOff,
    Terrain,
    TerrainInput,
    TopicInputs,
    apply,
    stream_of,
)

IDS = np.array([2])
INTS = np.array([[Command.ARMED | Command.ENABLE, Offboard.VELOCITY, 0, 0, 0, 0, 0, 0]], np.int32)
FLOATS = np.full((1, 20), 0.5, np.float32)
GROUND = (np.array([4.0]), np.ones((1, 2)), np.ones(1), np.ones((1, 3)))
FAULT = np.array([[123450] * 2 + [0] * 6], np.int32)
TAKE_OFF = np.array([[Command.TAKEOFF, 0, 0, 0, 0, 0, 0, 0]], np.int32)

# An action, and the column that shows it; others show in the server.
ACTIONS: dict[type, tuple[Action, str]] = {
    SetInputs: (SetInputs.of(IDS, INTS, FLOATS), "sil_floats"),
    Injection: (Injection(*SetInputs.of(IDS, FAULT, FLOATS)), "fault_kind"),
    ModelParameters: (
        ModelParameters(IDS, np.array(["DynModiParams"]), np.array([1]), np.full((1, 64), 2.0)),
        "mass",
    ),
    SetPoints: (SetPoints(IDS, INTS, FLOATS), "sil_floats"),
    TakeOff: (TakeOff(IDS, TAKE_OFF, FLOATS), "sil_ints"),
    CommandWord: (CommandWord(IDS, command_word(True)), "armed"),
    PositionKinds: (PositionKinds(IDS, np.array([4096]), INTS, FLOATS), "sil_floats"),
    SpeedLimit: (SpeedLimit(IDS, np.array([2.5])), "speed_limit"),
    Terrain: (Terrain(IDS, *GROUND, np.ones(1)), "terrain"),
    TerrainInput: (TerrainInput(IDS, *GROUND, np.ones(1)), "terrain_velocity"),
    Extension: (Extension(IDS, np.array([3]), np.ones((1, 28)), np.ones(1, bool)), ""),
    SceneInputs: (SceneInputs(IDS, np.ones((1, 32))), "scene_inputs"),
    MeasurementRequest: (MeasurementRequest(IDS, np.array([200.0])), ""),
    CollisionInputs: (CollisionInputs(IDS, np.ones((1, 20))), "rebound_inputs"),
    TopicInputs: (TopicInputs(IDS, np.array([0]), np.ones((1, 16))), "autopilot_inputs"),
    Crash: (Crash(IDS, np.array([0])), ""),
    Place: (Place(IDS, np.full((1, 3), 9.0), np.ones(1), np.zeros(1, np.bool_)), "home"),
    MapChange: (MapChange(IDS, np.array([b"no such map"])), ""),
    ModeRequest: (ModeRequest(IDS, np.array([2])), ""),
    HeartbeatRequest: (HeartbeatRequest(IDS), ""),
    OriginRequest: (OriginRequest(IDS), ""),
    Reset: (Reset(IDS), "pos"),
}
ELSEWHERE = {Origin, StartSignal, CustomNumbers, CircleRadius}
"""Of all vehicles: in test_settings.py; or of a link: in links/test_configuration.py; or of those
that do not hover."""


def shown_by(server: Server, action: Action, column: str) -> NDArray[Any]:
    """Return what shows an action, a row per vehicle."""
    if isinstance(action, Extension):
        return server.rflysim.extension.copy()
    if isinstance(action, MeasurementRequest):
        rows = server.rflysim._measurements.rows(5)
        return np.isin(np.arange(server.sim.n), rows)
    if isinstance(action, (Crash, OriginRequest)):
        replies = [row for _, rows, _ in server.rflysim._replies for row in rows]
        return np.isin(np.arange(server.sim.n), replies)
    if isinstance(action, (MapChange, ModeRequest, HeartbeatRequest)):
        return server.stats.per_vehicle("refused")
    return np.array(getattr(server.sim, column))


@pytest.mark.parametrize("kind", [kind for kind in get_args(Action) if kind not in ELSEWHERE])
def test_every_action_changes_the_vehicle_that_it_is_for(kind, first_port) -> None:
    action, column = ACTIONS[kind]
    sim = Sim("x450", 2)
    with closing(Server(sim, rate="max", first_port=first_port(2))) as server:
        for part in ("free_inputs", "faults", "rebound"):
            sim.enable_part(part)
        sim.set_ground_plane()
        sim.pos[:] = (1, 2, -3)
        before = shown_by(server, action, column)
        server.rflysim.act(action)
        after = shown_by(server, action, column)
    assert (after[1] != before[1]).any()
    np.testing.assert_array_equal(after[0], before[0])
    assert stream_of(action).shape == (1,)


@pytest.mark.parametrize("kind", [TerrainInput, *(kind for kind in ACTIONS if kind not in APPLIED)])
def test_what_needs_a_server_is_not_passed_over(kind: type) -> None:
    with pytest.raises(TypeError, match=f"{kind.__name__} needs a server"):
        apply(Sim("x450", 2), ACTIONS[kind][0])
