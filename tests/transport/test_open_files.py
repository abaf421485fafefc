"""The limit of open files, in processes of their own: a lower one cannot be undone."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no limit of this kind")

PROGRAM = """
import resource, socket, sys
from pyrfly.transport import FleetSockets, PortError, Series

soft, hard, n, first = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
try:
    FleetSockets(n, [Series("a", first, 1, None)])
except PortError as error:
    print(error)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def result(*numbers: int) -> list[str]:
    """Return what the program prints: an error if there is one, and the limit then."""
    command = [sys.executable, "-c", PROGRAM, *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.splitlines()


def test_the_limit_is_raised_only_where_it_has_to_be(first_port):
    assert result(300, 1000, 50, first_port(50)) == ["300"]


def test_a_fleet_raises_the_limit_as_far_as_it_needs(first_port):
    (limit,) = result(100, 1000, 200, first_port(100))
    assert 200 < int(limit) < 300


def test_a_fleet_takes_the_whole_limit_where_it_is_just_enough(first_port):
    assert result(100, 230, 200, first_port(100)) == ["230"]


def test_too_many_vehicles_are_an_error_that_says_what_to_raise(first_port):
    error, _ = result(100, 150, 200, first_port(100))
    assert error.startswith("200 more files have to be open, sockets among them, 20")
    assert (
        "this process may have 150: raise the limit in the shell that starts it (ulimit -n 2"
        in error
    )
    for name in ("limits.conf", "LimitNOFILE=", "--ulimit nofile="):
        assert name in error
