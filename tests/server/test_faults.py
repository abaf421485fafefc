"""Fault injection from the network is refused."""

from __future__ import annotations

import logging
import struct
import warnings

import pytest

from pyrfly import Sim
from pyrfly.protocol import synthesis
from pyrfly.protocol.faults import refusal
from pyrfly.server import Server


@pytest.mark.parametrize("form", ["<10i20f", "<2i28d"])
def test_it_is_dropped_counted_and_logged_once(first_port, sender_to, caplog, form):
    sim = Sim("sdk", 2)
    sim.enable_synthesis()
    sim.reset(pos=[[0, 0, 0], [0, 5, 0]])
    sim.command_sil(*synthesis.take_off([0, 0], [0, 0], [-4, -4], armed=[True, True]))
    sim.sleep(8)
    first = first_port(2)
    with (
        caplog.at_level(logging.WARNING, "pyrfly"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error")
        server = Server(sim, rate="max", first_port=first)
        sender = sender_to(first)
        for number in (123451, 123451, 123457, 123459, 123545):
            sender.send(struct.pack(form, 1234567897, 1, number, *[0] * 7, *[0.5] * 20))
        server.run(3)
        server.close()
    assert server.stats.vehicle(1)["fault"] == 5
    assert server.stats["accepted"] == 0
    assert sim.armed.tolist() == [1, 1]
    assert sim.pos[0, 2] == pytest.approx(-4, abs=0.05)
    assert [record.message for record in caplog.records] == [
        refusal(number) for number in (123451, 123457, 123459, 123545)
    ]
