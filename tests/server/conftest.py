"""What the tests of the server share."""

import random
import socket

import pytest


def _free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


@pytest.fixture
def first_port():
    """Return a function from a number of vehicles to a first port whose series are free.

    Ports below 30000 are none that the system gives out by itself.
    """

    def find(n: int = 1) -> int:
        for _ in range(100):
            first = 2 * random.randrange(2500, 9000)
            ports = [p + series for p in range(first, first + 2 * n) for series in (0, 10000)]
            if all(map(_free, ports)):
                return first
        raise RuntimeError("no free ports")

    return find
