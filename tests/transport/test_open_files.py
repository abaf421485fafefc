"""The limit of open files, in processes of their own: a lower one cannot be undone."""

import ast
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no limit of this kind")

PROGRAM = """
import os, resource, sys
from pyrfly.transport import FleetSockets, PortError, Series

first, *cases = map(int, sys.argv[1:])
for soft, hard, n in zip(cases[::3], cases[1::3], cases[2::3]):
    if os.fork() == 0:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        message = ""
        try:
            FleetSockets(n, [Series("a", first, 1, None)])
        except PortError as error:
            message = str(error)
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        print(repr((message, limit)), flush=True)
        os._exit(0)
    os.wait()
"""


def test_a_fleet_raises_the_limit_as_far_as_it_needs_or_says_what_to_raise(first_port):
    # limit, how far it may be raised, vehicles with a port each
    cases = [(300, 1000, 50), (100, 1000, 200), (100, 230, 200), (100, 150, 200)]
    numbers = [first_port(100), *(number for case in cases for number in case)]
    command = [sys.executable, "-c", PROGRAM, *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    enough, raised, wholly, refused = map(ast.literal_eval, done.stdout.splitlines())
    assert enough == ("", 300)
    assert raised == ("", pytest.approx(250, abs=50))
    assert wholly == ("", 230)
    error, _ = refused
    assert error.startswith("200 more files have to be open, sockets among them, 20")
    assert (
        "this process may have 150: raise the limit in the shell that starts it (ulimit -n 2"
        in error
    )
    for name in ("limits.conf", "LimitNOFILE=", "--ulimit nofile="):
        assert name in error
