"""Helpers: fillList, yawSat, sat, EulerToQuat, TypeMask."""

from __future__ import annotations

import math
import socket

import numpy as np
import pytest

from pyrfly.ctrl import PX4MavCtrler
from pyrfly.sim import Sim


def test_lists_are_filled_or_cut() -> None:
    fill = PX4MavCtrler.fillList
    assert fill([1, 2], 4) == [1, 2, 0, 0]
    assert fill([1, 2, 3], 2) == [1, 2]
    assert fill(5, 3, 9) == [5, 9, 9]
    assert fill(np.array([1.0, 2.0]), 3) == [1.0, 2.0, 0]


def test_a_list_longer_than_any_packet_is_refused() -> None:
    assert len(PX4MavCtrler.fillList(1, 65536)) == 65536
    for length in (65537, 10**30):
        with pytest.raises(ValueError, match="inLen: expected 0 to 65536"):
            PX4MavCtrler.fillList(1, length)


@pytest.mark.parametrize(("angle", "within"), [(0.5, 0.5), (4.0, 4.0 - math.tau), (-10, 2.566)])
def test_angles_are_wrapped(angle: float, within: float) -> None:
    assert PX4MavCtrler.yawSat(angle) == pytest.approx(within, abs=1e-3)


def test_numbers_are_limited() -> None:
    assert [PX4MavCtrler.sat(v, 2) for v in (-3, -1, 1, 3)] == [-2, -1, 1, 2]


@pytest.mark.parametrize("euler", [(0.3, -0.2, 2.0), (-1.0, 1.2, -3.0), (0, 0, 0)])
def test_quaternion_has_these_angles(euler: tuple[float, ...]) -> None:
    sim = Sim("x450")
    sim.att[0] = PX4MavCtrler.EulerToQuat(euler)
    np.testing.assert_allclose(sim.euler[0], euler, atol=1e-12)


def test_type_mask_is_mavlinks() -> None:
    assert PX4MavCtrler.TypeMask([0, 1, 0, 0, 0, 1]) == 0b011111000111
    assert PX4MavCtrler.TypeMask([1, 0, 0, 0, 1, 0]) == 0b101111111000


def test_the_next_datagram_of_a_socket_is_returned() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as box:
        box.bind(("127.0.0.1", 0))
        box.settimeout(20)
        box.sendto(b"abc", box.getsockname())
        assert PX4MavCtrler.GetUDPRedisBuf(box) == b"abc"
