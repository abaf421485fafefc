"""Fault injection from the network: the same flight as in process, and refusals."""

from __future__ import annotations

import logging
import struct

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.protocol import synthesis
from pyrfly.server import Server

FORMS = {
    "inSILInts": (1234567897, "<10i20f"),
    "doubles": (1234567897, "<2i28d"),
    "inCtrlExt1": (1234567801, "<10i20f"),
    "inCtrlExt5 of doubles": (1234567805, "<2i28d"),
}


def flying() -> Sim:
    sim = Sim("hex_x", 2)
    sim.sensors.enable("imu")
    sim.enable_synthesis()
    sim.reset(pos=[[0, 0, 0], [0, 5, 0]])
    sim.command_sil(*synthesis.take_off([0, 0], [0, 0], [-4, -4], armed=[True, True]))
    sim.sleep(4)
    return sim


def packet(form: str, *numbers: int, floats: tuple[float, ...] = ()) -> bytes:
    checksum, layout = FORMS[form]
    ints = [*numbers, *[0] * (8 - len(numbers))]
    return struct.pack(layout, checksum, 1, *ints, *floats, *[0.0] * (20 - len(floats)))


@pytest.mark.parametrize("form", FORMS)
def test_a_fault_is_the_same_by_every_way(first_port, sender_to, form):
    """By `Sim.faults.add`, by `Sim.command_sil`, and over the network."""
    added, commanded, served = flying(), flying(), flying()
    added.faults.add("motor", ids=1, actuator=[3], effectiveness=0.5)
    inputs = synthesis.inputs(1)
    inputs.ints[0, :3] = 123450
    shares = [1, 1, 0.5, 1, 1, 1]
    inputs.floats[0, :6] = shares
    commanded.command_sil(*inputs, ids=1)
    first = first_port(2)
    server = Server(served, rate="max", first_port=first)
    sender_to(first).send(packet(form, 123450, 123450, 123450, floats=tuple(shares)))
    server.run(2)
    server.close()
    for sim in (added, commanded):
        sim.sleep(2)
        for column in ("pos", "vel", "att", "rate"):
            np.testing.assert_array_equal(getattr(served, column), getattr(sim, column))
    assert server.stats.vehicle(1)["accepted"] == 1
    (fault,) = served.faults.list()
    assert fault[:4] == (1, "motor", (3,), {"effectiveness": 0.5})
    assert served.armed.tolist() == [1, 1]


def test_a_command_after_a_fault_in_the_same_turn_counts_too(first_port, sender_to):
    sim = flying()
    first = first_port(2)
    server = Server(sim, rate="max", first_port=first)
    sender = sender_to(first)
    sender.send(packet("inSILInts", 123459, 123459, floats=(3, 0, 0)))
    sender.send(packet("inSILInts", 123544, floats=(5,)))
    ints, floats = synthesis.inputs(1)
    words = synthesis.command_word(np.array([True]), synthesis.Command.LAND)
    sender.send(struct.pack("<10i20f", 1234567897, 1, int(words[0]), *ints[0, 1:], *floats[0]))
    server.run(0.5)
    server.close()
    assert {fault.kind for fault in sim.faults.list(1)} == {"wind", "sensor_noise"}
    assert sim.faults.list(2) == ()
    sim.sleep(12)
    assert sim.armed.tolist() == [0, 1]


def test_what_is_refused_is_counted_and_logged_once(first_port, sender_to, caplog):
    sim = flying()
    first = first_port(2)
    with caplog.at_level(logging.WARNING, "pyrfly"):
        server = Server(sim, rate="max", first_port=first)
        sender = sender_to(first)
        for number in (123452, 123452, 123546):
            sender.send(packet("inSILInts", number, floats=(0.5,)))
        for share in (-1.0, -2.0):  # one number, of however many values
            sender.send(packet("inSILInts", 123450, floats=(share,)))
        server.run(2)
        server.close()
    assert server.stats.vehicle(1)["refused"] == 5
    assert sim.faults.list() == ()
    texts = [record.message for record in caplog.records]
    assert len(texts) == 3
    assert "123452 (battery time)" in texts[0]
    assert "has no magnetometer" in texts[1]
    assert "123450 (motor)" in texts[2]
