"""The stand-ins themselves, where a test of a link could pass by their fault."""

from __future__ import annotations

import socket
import threading

import pytest


@pytest.fixture
def physics():
    """Yield a socket of the physics, on a free port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.settimeout(5)
        yield sock


LINE = (
    b'\n{"timestamp":%f,"imu":{"gyro":[0,0,0],"accel_body":[0,0,-9.8]},'
    b'"position":[1,2,-3],"quaternion":[1,0,0,0],"velocity":[0,0,0]}\n'
)


class TestArduPilot:
    """The end of ArduPilot's link that drives."""

    def test_a_frame_without_an_answer_is_sent_again(self, standin, physics) -> None:
        autopilot = standin("ardupilot").ArduPilot()
        packets = []

        def answer_the_second() -> None:
            for _ in range(2):
                packet, address = physics.recvfrom(100)
                packets.append(packet)
            physics.sendto(LINE % 0.25, address)

        thread = threading.Thread(target=answer_the_second)
        thread.start()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
            autopilot.exchange(own, physics.getsockname(), [1500], resend=0.1)
        thread.join()
        assert packets[0] == packets[1]
        assert (autopilot.frame_count, autopilot.time) == (1, 0.25)
        assert autopilot.received["position"] == [1, 2, -3]

    def test_no_answer_at_all_ends_in_an_error(self, standin, physics) -> None:
        autopilot = standin("ardupilot").ArduPilot()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own, pytest.raises(TimeoutError):
            autopilot.exchange(own, physics.getsockname(), [1500], resend=0.01)
        assert autopilot.frame_count == 0

    @pytest.mark.parametrize(
        "name", ["timestamp", "gyro", "accel_body", "position", "quaternion", "velocity"]
    )
    def test_a_missing_field_stops_it(self, standin, name: str) -> None:
        module = standin("ardupilot")
        with pytest.raises(module.Incomplete):
            module.ArduPilot().receive((LINE % 1).replace(name.encode(), b"other"))

    @pytest.mark.parametrize("text", [b"{}", b"\n{}", b"", b"\n"])
    def test_half_a_line_is_no_answer(self, standin, text: bytes) -> None:
        autopilot = standin("ardupilot").ArduPilot()
        assert not autopilot.receive(text)

    def test_a_line_in_two_datagrams_is_one(self, standin) -> None:
        autopilot = standin("ardupilot").ArduPilot()
        line = LINE % 0.5
        assert not autopilot.receive(line[:40])
        assert autopilot.receive(line[40:])

    def test_an_earlier_time_stamp_is_seen(self, standin) -> None:
        autopilot = standin("ardupilot").ArduPilot()
        for time in (5.0, 5.5, 0.0, 0.25):
            autopilot.receive(LINE % time)
        assert autopilot.resets_seen == 1
        assert autopilot.time == 5.75


def test_the_serial_controller_checks_its_frames(standin) -> None:
    controller = standin("serial_controller")
    frame = bytearray(controller.motor_frame([1, 2, 3, 4]))
    assert controller.frames_in(bytes(frame)) == [(4, bytes(frame[4:12]))]
    frame[5] ^= 1
    assert controller.frames_in(bytes(frame)) == []
