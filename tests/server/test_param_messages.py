"""Parameters by number from the network: as in process, and refusals."""

from __future__ import annotations

import logging
import math
import struct
from collections.abc import Callable

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server import Server


def packet(interface: str, values: dict[int, float], copter_id: int = 1) -> bytes:
    """Return a message of an interface, as RflySim's client packs it."""
    count = 64 if interface == "DynModiParams" else 32
    mask = sum(1 << (number - 1) for number in values)
    numbers = [values.get(k + 1, math.nan) for k in range(count)]  # the others do not count
    if interface == "DynModiParams":
        return struct.pack("<2iQ64d", 1234567893, copter_id, mask, *numbers)
    checksum = {"FaultInParams": 1234567891, "InitInParams": 1234567892}[interface]
    return struct.pack("<iI32d", checksum, mask, *numbers)


@pytest.fixture
def served(first_port, sender_to) -> Callable[..., tuple[Sim, Server]]:
    def serve(*packets: bytes) -> tuple[Sim, Server]:
        first, sim = first_port(2), Sim("sdk", 2)
        sim.sensors.enable("imu", profile="rflysim")
        server = Server(sim, rate="max", first_port=first)
        sender = sender_to(first)
        for each in packets:
            sender.send(each)
        server.run(0.1)
        server.close()
        return sim, server

    return serve


GIVEN = {
    "DynModiParams": {1: 1.8, 34: 9.79},
    "InitInParams": {1: 2.0, 32: 1e-7},
    "FaultInParams": {9: 45.0, 11: 0.25},
}


@pytest.mark.parametrize("interface", GIVEN)
def test_a_message_sets_what_its_mask_says(served, interface: str) -> None:
    sim, server = served(packet(interface, GIVEN[interface]))
    own = Sim("sdk", 2)
    own.sensors.enable("imu", profile="rflysim")
    own.model_params.set(interface, GIVEN[interface], ids=1)
    for each in (sim, own):
        each.reset()
        each.enable_part("model_params")
    for column in ("mass", "gravity", "torque_coef", "imu_accel_bias", "fault_in_params"):
        np.testing.assert_array_equal(getattr(sim, column), getattr(own, column))
    assert server.stats["accepted"] == 1
    assert server.stats["refused"] == 0


def test_messages_of_one_turn_all_count(served) -> None:
    sim, _ = served(packet("DynModiParams", {1: 1.8}), packet("DynModiParams", {34: 9.7}))
    assert (sim.mass[0], sim.gravity[0]) == (1.8, 9.7)


def test_what_is_refused_is_counted_and_logged_and_the_rest_is_set(served, caplog) -> None:
    with caplog.at_level(logging.WARNING, "pyrfly"):
        sim, server = served(
            packet("DynModiParams", {1: 1.8, 64: 1.0}),
            packet("DynModiParams", {1: -1.0}),
        )
    assert sim.mass.tolist() == [1.8, 1.515]
    assert server.stats.vehicle(1)["refused"] == 2
    assert "DynModiParams 64: 'sdk', a multirotor, has none" in caplog.text


def test_extreme_values_are_counted_and_told_once_and_change_nothing(served, caplog) -> None:
    with caplog.at_level(logging.WARNING, "pyrfly"):
        sim, server = served(
            *(packet("DynModiParams", {1: 10.0**k}) for k in (-300, -37, 30, 300)),
            packet("InitInParams", {4: 1e-200}),
        )
    sim.reset()
    assert (sim.mass[0], sim.inertia[0, 2]) == (1.515, 0.0366)
    assert server.stats.vehicle(1)["refused"] == 5
    told = [record.message for record in caplog.records if "expected" in record.message]
    assert len(told) == 2
    assert "DynModiParams: 1: expected 0.01515 to 151.5, mass of a multirotor" in told[0]


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (packet("DynModiParams", {1: math.inf}), "not_finite"),
        (packet("InitInParams", {32: math.nan}), "not_finite"),
        (packet("DynModiParams", {1: 2.0}, copter_id=2), "bad_id"),
    ],
)
def test_a_bad_message_changes_nothing(served, data: bytes, count: str) -> None:
    sim, server = served(data)
    assert server.stats[count] == 1
    assert sim.mass.tolist() == [1.515, 1.515]
