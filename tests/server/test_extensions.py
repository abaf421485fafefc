"""Additional inputs: stored, and applied together."""

from __future__ import annotations

import numpy as np

from pyrfly import Sim
from pyrfly.rflysim.DllSimCtrlAPI import DllSimCtrlAPI
from pyrfly.server import Server
from pyrfly.server.extensions import Extensions
from pyrfly.server.orders import Extension, stream_of
from pyrfly.transport import Ports


def given(copter_id: int, number: int, fault: int, *, applied: bool) -> Extension:
    values = np.zeros((1, 28))
    values[0, 0] = fault
    return Extension(np.array([copter_id]), np.array([number]), values, np.array([applied]))


def faults(extensions: Extensions, action: Extension) -> list[tuple[int, int]]:
    """Return CopterIDs and numbers of the faults, in their order."""
    return [
        (copter_id, int(ints[0]))
        for injection in extensions.take(action)
        for copter_id, ints in zip(injection.ids.tolist(), injection.ints, strict=True)
    ]


def test_what_is_stored_acts_with_the_next_that_is_applied_once() -> None:
    extensions = Extensions(2)
    assert faults(extensions, given(1, 4, 123459, applied=False)) == []
    assert faults(extensions, given(1, 2, 123544, applied=False)) == []
    assert faults(extensions, given(2, 1, 123450, applied=True)) == [(2, 123450)]
    assert faults(extensions, given(1, 3, 7, applied=True)) == [(1, 123544), (1, 123459)]
    assert faults(extensions, given(1, 5, 123545, applied=True)) == [(1, 123545)]
    assert extensions.values[0, :, 0].tolist() == [0, 123544, 7, 123459, 123545]


def test_a_later_one_of_the_same_number_replaces_what_is_stored() -> None:
    extensions = Extensions(1)
    extensions.take(given(1, 1, 123459, applied=False))
    assert faults(extensions, given(1, 1, 0, applied=True)) == []


def test_what_is_stored_is_not_outdated_by_what_follows() -> None:
    assert stream_of(given(1, 1, 0, applied=False)).tolist() == [0]
    assert stream_of(given(1, 1, 0, applied=True)).tolist() == [4]
    assert stream_of(given(1, 1, 123459, applied=True)).tolist() == [0]


def test_all_five_of_a_script_act_with_the_last(first_port) -> None:

    first, sim = first_port(1), Sim("hex_x")
    sim.sensors.enable("imu")
    server = Server(sim, rate="max", first_port=first)
    dll = DllSimCtrlAPI(1, ports=Ports.beginning_at(first))
    numbers = np.zeros(140)
    numbers[:3], numbers[8:11] = [123450, 123450, 123450], [1, 0.5, 1]
    numbers[112], numbers[120] = 123544, 2
    dll.sendInCtrlExtAll(numbers)
    server.run(0.1)
    server.close()
    dll.udp_socket.close()
    assert {fault.kind for fault in sim.faults.list()} == {"motor", "sensor_noise"}
