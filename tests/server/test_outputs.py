"""The true state as the message of 200 bytes of older versions."""

import socket
import struct

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server import Server
from pyrfly.server.outputs import old_truth


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")
def test_bytes_of_the_old_message():
    sim = Sim("sdk", 2)
    sim.reset(pos=[[1, 2, -3], [4, 5, -6]], yaw=[0.1, 0.2])
    sim.multirotor.command_attitude(att=[1, 0, 0, 0], thrust=10.0)
    sim.step(200)
    packet = old_truth(sim)[1].tobytes()
    assert len(packet) == 200
    tg, length, copter_id, kind, time = struct.unpack_from("<4id", packet)
    assert (tg, length, copter_id, kind, time) == (-1, 152, 2, 3, pytest.approx(sim.time))
    floats = struct.unpack_from("<27f", packet, 24)
    expected = [sim.vel, sim.pos, sim.euler, sim.att]
    np.testing.assert_allclose(
        floats[:13], np.concatenate([column[1] for column in expected]), rtol=1e-6
    )
    np.testing.assert_allclose(floats[13:21], sim.displayed_actuators[1], rtol=1e-6)
    np.testing.assert_allclose(floats[21:27], [*sim.accel[1], *sim.rate[1]], rtol=1e-5)
    np.testing.assert_allclose(
        struct.unpack_from("<3d", packet, 136), sim.local_frame.to_lla(sim.pos[1]), atol=1e-6
    )
    assert packet[160:] == bytes(40)


@pytest.mark.parametrize("mode", ["udp_full", "udp_simple"])
def test_older_clients_get_it_in_place_of_the_new_one(first_port, mode):
    first = first_port()
    lengths = {}
    for suffix in ("", "_old"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as box:
            box.bind(("127.0.0.1", first + 10001))
            box.settimeout(20)
            server = Server(Sim("sdk"), mode=mode + suffix, rate="max", first_port=first)
            server.run(0.5)
            server.close()
            found = set()
            while len(found) < 2:
                found.add(len(box.recv(2048)))
        lengths[suffix] = found
    assert lengths == {"": {168, 264}, "_old": {200, 264}}
