"""The end of a script whose last method began a flight: it goes on until the flight is over.

RflySim's threads go on after the end of a script, until Ctrl-C. Here a script that was started from
a file, and that neither failed nor called ``endMavLoop``, stays until its vehicles are disarmed or
have not moved for a while: a vehicle that was sent to a position arrives there, one that was given
a velocity flies until Ctrl-C. The same holds in simulated time, where nobody watches: there a
velocity is flown for a given time.
"""

from __future__ import annotations

import atexit
import math
import sys
import time

import numpy as np

from pyrfly.ctrl.link.protocols import Link, MavlinkMessages

__all__ = ["expect", "forget", "forget_all", "wait_for_flights"]

STILL_SPEED, STILL_YAW_RATE = 0.1, 0.02  # m/s, rad/s
STILL_TIME = 3.0  # s without motion after which a flight is over
_SILENCE = 2.0  # s without a new state after which its vehicle is taken for gone
_LOOK = 0.1  # s between two looks at the vehicles

_links: list[Link] = []


def expect(link: Link) -> None:
    """Wait for the flight of a vehicle at the end of a script, before its link is closed."""
    main = sys.modules.get("__main__")
    if not hasattr(main, "__file__") or hasattr(sys, "ps1"):
        return  # no script: `python -c`, a notebook, an interactive session
    if link not in _links:
        _links.append(link)
    atexit.unregister(wait_for_flights)
    atexit.register(wait_for_flights)  # the last one is called first


def forget(link: Link) -> None:
    """Do not wait for the flight of a vehicle."""
    if link in _links:
        _links.remove(link)


def forget_all() -> None:
    """Do not wait for any flight."""
    _links.clear()


class _Flight:
    """What a vehicle has done since the script ended."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._moved = self._heard = time.monotonic()
        self._yaw = self._time = np.nan

    def goes_on(self) -> bool:
        """Return whether the vehicle is on its way."""
        state, now = self._link.estimate, time.monotonic()
        simulated, yaw = float(state.time[0]), float(state.euler[0, 2])
        if simulated != self._time:
            turned = abs(np.remainder(yaw - self._yaw + np.pi, 2 * np.pi) - np.pi)
            if np.linalg.norm(state.vel[0]) > STILL_SPEED or turned > STILL_YAW_RATE * _LOOK:
                self._moved = now
            self._heard, self._time, self._yaw = now, simulated, yaw
        is_heard = now - self._heard < _SILENCE
        return bool(state.armed[0]) and is_heard and now - self._moved < STILL_TIME


def _wait_for_heartbeats() -> None:
    """Wait until vehicles of MAVLink have said, as once a second, whether they are armed now."""
    ended = time.monotonic()
    states = [link.instruments for link in _links if isinstance(link, MavlinkMessages)]
    while any(state.beat_time < ended for state in states) and time.monotonic() < ended + _SILENCE:
        time.sleep(_LOOK)


def wait_for_flights(longest: float = math.inf) -> None:
    """Wait until no vehicle is on its way, or for Ctrl-C; called at exit.

    Parameters
    ----------
    longest : float
        How long to wait [s].
    """
    if hasattr(sys, "last_type"):  # the script failed, with an exception
        return
    try:
        _wait_for_heartbeats()
    except KeyboardInterrupt:
        return
    flights = [_Flight(link) for link in _links]
    if not sum(flight.goes_on() for flight in flights):
        return
    print(
        "pyrfly: the script has ended; its set-points are repeated until its vehicles have landed "
        "or stand still; Ctrl-C ends it",
        file=sys.stderr,
        flush=True,
    )
    end = time.monotonic() + longest
    try:
        while sum(flight.goes_on() for flight in flights):
            if time.monotonic() > end:
                print(f"pyrfly: still flying after {longest:g} s; the run ends", file=sys.stderr)
                break
            time.sleep(_LOOK)
    except KeyboardInterrupt:
        print("pyrfly: ended by Ctrl-C", file=sys.stderr, flush=True)
