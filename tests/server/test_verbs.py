"""Verbs as text are the packets that the Python client sends."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly import wire
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.server.decode import decode
from pyrfly.server.link_stats import Count
from pyrfly.server.text_messages import Refused, Request, read
from pyrfly.server.verbs import VERBS, packets_of
from pyrfly.sim import Sim

SET_POINTS = {
    "SendVelNED": [1, 2, -3, 0.5],
    "SendVelNEDNoYaw": [1, 2, -3],
    "SendVelFRD": [1, 0, 0.5, 0.1],
    "SendVelNoYaw": [1, 2, 3],
    "SendPosNED": [1, 2, -3, 0.5],
    "SendPosNEDNoYaw": [1, 2, -3],
    "SendPosFRD": [1, 2, -3, 0.5],
    "SendPosFRDNoYaw": [1, 2, -3],
    "SendVelYawAlt": [10, 0.5, -20],
    "SendAccPX4": [1, 2, -3, 0.5, 1],
    "SendAttPX4": [[10, -5, 30], 0.6, 0],
}


def decoded(name: str, given: list):
    """Return the actions of a verb, and its verdicts."""
    actions, verdicts = [], []
    for port, data in packets_of(name, given):
        kind, record = wire.parse(port, data)
        orders = decode(kind, np.array([record]), np.array([1]))
        actions += orders.actions
        verdicts += orders.verdicts.tolist()
    return actions, verdicts


@pytest.mark.parametrize("name", SET_POINTS)
def test_set_points_are_those_of_the_python_client(name: str) -> None:
    sim = Sim("x450")
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.initOffboard()
    getattr(mav, name)(*SET_POINTS[name])
    sim.sleep(0.1)
    (action,), verdicts = decoded(name, SET_POINTS[name])
    assert verdicts == [Count.ACCEPTED]
    sent = np.nan_to_num(action.floats[0])  # what does not count is NaN, or lacks its bit
    np.testing.assert_allclose(sent, np.nan_to_num(sim.sil_floats[0]), atol=1e-6)


def test_verbs_of_the_page_are_those_that_there_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "text-commands.md").read_text("utf-8")
    table = page.split("<!-- verbs -->")[1].split("<!-- end -->")[0]
    assert {*re.findall(r"`(\w+)`", table)} == {*VERBS}


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_is_one_of_the_python_client(name: str) -> None:
    assert hasattr(PX4MavCtrler, name)
    given = [[1] if isinstance(d, list) else 1 for d in VERBS[name].arguments.values()]
    _, verdicts = decoded(name, given)
    assert set(verdicts) == {Count.ACCEPTED}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"SendPosNED": [0, 0, -5, 0, 1]}', r"SendPosNED: expected a list of \(x, y, z, yaw\)"),
        ('{"SendPosNED": 5}', "SendPosNED: expected a list"),
        ('{"SendPosNED": ["1"]}', "SendPosNED: x: expected a number"),
        ('{"SendPosNED": [[1]]}', "SendPosNED: x: expected a number"),
        ('{"SendPosNED": [1e39]}', "SendPosNED: x: expected a number"),
        ('{"SendPosNED": [1e999]}', "SendPosNED: x: expected a number"),
        ('{"SendMavArm": [null]}', "expected numbers, got null"),
        ('{"sendMavLand": [0, 0]}', "sendMavLand: zM: expected a number"),
        ('{"LandSyn": [null]}', "height: expected a number, got null"),
        ('{"SendAttPX4": [[0, 0, 0], 0.5, 2]}', "CtrlFlag: expected 0"),
        ('{"SendAttPX4": [[0, 0, 0, 0]]}', "att: expected a list of up to 3"),
        ('{"SendAccPX4": [0, 0, 0, 0, 3]}', "yawType: expected"),
        ('{"sendSILIntFloat": [[1.5]]}', "inSILInts: expected whole numbers"),
        ('{"sendSILIntFloat": [[4294967296]]}', "inSILInts: expected whole numbers"),
        ('{"sendUDPSimpData": [5, [0]]}', None),
        ('{"sendUDPSimpData": [1.5, [0]]}', "ctrlMode: expected a whole number"),
        ('{"SendMavArm": [1], "id": 0}', "id: expected 1 to 3, got 0"),
        ('{"SendMavArm": [1], "id": 1.0}', "id: expected 1 to 3"),
        ('{"SendMavArm": [1], "SendPosNED": []}', "expected one verb"),
        ('{"SendMavArm": [1], "seq": "a"}', "seq: expected a whole number"),
        ("{}", "expected one verb"),
        ('{"state": 101}', "state: expected a rate of 0 to 100 Hz"),
        ('{"state": -1}', "state: expected a rate"),
        ('{"state": true}', "state: expected a rate"),
    ],
)
def test_errors_name_what_was_wrong(text: str, reason: str | None) -> None:
    if reason is None:
        assert read(text, 3, 1).packets
        return
    with pytest.raises(Refused, match=reason) as caught:
        read(text, 3, 1)
    assert not caught.value.fatal


def test_rates_of_states_are_limited_by_the_number_of_vehicles() -> None:
    assert read('{"state": 2}', 1000, 1).rate == 2
    assert read('{"state": 100, "id": 3}', 1000, 1).row == 2
    with pytest.raises(Refused, match="0 to 2 Hz"):
        read('{"state": 3}', 1000, 1)


NUMBERS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
TREES = st.recursive(NUMBERS, lambda inner: st.lists(inner, max_size=20), max_leaves=25)


@pytest.mark.slow
@given(
    name=st.sampled_from([*VERBS, "state", "id"]),
    value=TREES,
    vehicle=st.integers(-2, 5) | NUMBERS,
)
def test_any_message_is_read_or_refused(name: str, value: object, vehicle: object) -> None:
    text = json.dumps({name: value, "id": vehicle})
    try:
        request = read(text, 3, 1)
    except Refused:
        return
    assert isinstance(request, Request)
    for port, data in request.packets:
        kind, record = wire.parse(port, data)
        decode(kind, np.array([record]), np.array([1]))
        values = np.concatenate([np.ravel(record[field]) for field in record.dtype.names])
        assert not np.isinf(values.astype(float)).any()
    assert request.rate is None or math.isfinite(request.rate)
