"""From the packets of a simulator, packed here by the public formats, to the state of a vehicle."""

from __future__ import annotations

import struct

import numpy as np

from pyrfly.ctrl.link.received import crash_of, update_truth
from pyrfly.ctrl.link.state import ReceivedState
from pyrfly.wire import parse


def test_truth_with_place_as_integers() -> None:
    head = (1234567891, 1, 50, 401540302, 1162593683, 50000)
    floats, doubles = [float(i) for i in range(14)], (1.0, 2.0, -3.0, 4.5)
    packet = struct.pack("<6i14f4d", *head, *floats[:11], 0.0, 0.0, 0.5, *doubles)
    state = ReceivedState()
    assert update_truth(state, parse("truth", packet))
    np.testing.assert_allclose(state.lla, [[40.1540302, 116.2593683, 50.0]])
    np.testing.assert_allclose(state.rpm, [floats[:8]])
    np.testing.assert_allclose(state.vel, [floats[8:11]])
    np.testing.assert_allclose(state.euler, [[0.0, 0.0, 0.5]])
    np.testing.assert_allclose(state.att, [[np.cos(0.25), 0, 0, np.sin(0.25)]], atol=1e-7)
    np.testing.assert_allclose(state.pos, [[1.0, 2.0, -3.0]])
    assert state.time.tolist() == [4.5]
    assert state.vehicle_type.tolist() == [50]


def test_truth_of_older_simulators() -> None:
    floats = [float(i) for i in range(27)]
    packet = struct.pack("<4id27f4x3d40x", -1, 152, 1, 5, 2.5, *floats, 40.0, 116.0, 50.0)
    state = ReceivedState()
    assert update_truth(state, parse("truth", packet))
    assert state.time.tolist() == [2.5]
    assert state.vehicle_type.tolist() == [5]
    assert state.vel.tolist() == [floats[0:3]]
    assert state.pos.tolist() == [floats[3:6]]
    assert state.euler.tolist() == [floats[6:9]]
    assert state.att.tolist() == [floats[9:13]]
    assert state.rpm.tolist() == [floats[13:21]]
    assert state.accel.tolist() == [floats[21:24]]
    assert state.rate.tolist() == [floats[24:27]]
    assert state.lla.tolist() == [[40.0, 116.0, 50.0]]


def test_other_packets_of_that_port_are_no_state() -> None:
    state = ReceivedState()
    origin = parse("truth", struct.pack("<2i3d", 1234567890, 1, 40.0, 116.0, 50.0))
    assert not update_truth(state, origin)
    assert crash_of(origin) is None
    assert crash_of(parse("truth", struct.pack("<3i", 1234567890, 1, 4))) == 4
