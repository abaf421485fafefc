"""How a server does, once a second: a line on a terminal, or JSON for programs: `Status`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pyrfly.server.link_stats import LinkStats
from pyrfly.server.text_output import TextOutput

if TYPE_CHECKING:
    from pyrfly.server.server import Server

__all__ = ["Status"]

PERIOD = 1.0
"""Real time between two reports [s]."""

_AUTOPILOTS = ("px4", "px4_hitl", "ardupilot", "serial")
"""Links that send sensors and receive actuator commands."""


class _Counts(NamedTuple):
    """What is counted, at a real time [s]."""

    clock: float
    simulated: float
    late: int
    links: Mapping[str, tuple[int, int]]
    """Packets received and sent, by link."""


class Status:
    """Reports of a server, to be called at the end of every tick and while it waits.

    A report has the simulation rate (SimHz, steps per real second), how often each vehicle's
    autopilot gets sensors (SensorHz) and sends actuator commands (PwmHz), as RflySim's CopterSim
    shows them, and the packets of each link per second, received and sent.

    Parameters
    ----------
    out : TextOutput
        Where to write; of the lines that its reader leaves there, it gets the newest.
    as_json : bool
        An object per line, besides the rates with the counts of each link that are not 0; else a
        line that replaces the one before.
    copter_id : int, optional
        The vehicle whose counts are told, too.
    clock : callable
        As ``time.monotonic``.
    """

    def __init__(
        self,
        out: TextOutput,
        as_json: bool = False,
        copter_id: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._out = out
        self._as_json = as_json
        self._copter_id = copter_id
        self._clock = clock
        self._before: _Counts | None = None
        self._texts: list[dict[str, Any]] = []

    def __call__(self, server: Server) -> None:
        """Report if it is time to."""
        now = self._clock()
        if self._before is None:
            self._before = _counts(server, now)
        elif now >= self._before.clock + PERIOD:
            before, self._before = self._before, _counts(server, now)
            self._report(server, before, self._before)

    def tell(self, copter_id: int, text: str) -> None:
        """Report what a vehicle says, in the next object."""
        if self._as_json:
            self._texts.append({"copter_id": copter_id, "text": text})

    def end(self) -> None:
        """End the line on a terminal."""
        if self._before is not None and not self._as_json:
            print(file=self._out)

    def _report(self, server: Server, before: _Counts, after: _Counts) -> None:
        elapsed = after.clock - before.clock
        rates = {
            name: tuple(
                (new - old) / elapsed for new, old in zip(counts, before.links[name], strict=True)
            )
            for name, counts in after.links.items()
        }
        simulated = (after.simulated - before.simulated) / elapsed
        n = server.sim.n
        found: dict[str, Any] = {
            "time": round(after.simulated, 6),
            "rate": round(simulated, 3),
            "sim_hz": round(simulated / server.sim.dt, 1),
            "late": after.late,
        }
        flown = [rates[name] for name in _AUTOPILOTS if name in rates]
        if flown:
            found["sensor_hz"] = round(sum(sent for _, sent in flown) / n, 1)
            found["pwm_hz"] = round(sum(received for received, _ in flown) / n, 1)
        found["state"] = "paused" if server.paused else "running"
        found["waiting"] = [link.name for link in server.links if not link.is_ready()]
        if self._as_json:
            found["links"] = {link.name: _present(link.stats) for link in server.links}
            if self._copter_id is not None:
                found["vehicle"] = {
                    link.name: link.stats.vehicle(self._copter_id) for link in server.links
                }
            self._write_object(found)
        else:
            self._out.replace(f"\r{self._line(server, found, rates)}\x1b[K")

    def _write_object(self, found: dict[str, Any]) -> None:
        """Write an object; one with texts is never left out."""
        if self._texts:
            found["texts"], self._texts = self._texts, []
            self._out.write(f"{json.dumps(found)}\n")
        else:
            self._out.replace(f"{json.dumps(found)}\n")

    def _line(
        self, server: Server, found: Mapping[str, Any], rates: Mapping[str, tuple[float, ...]]
    ) -> str:
        parts = [f"{found['time']:.1f} s", f"SimHz {found['sim_hz']:.0f}"]
        if "sensor_hz" in found:
            parts.append(f"SensorHz {found['sensor_hz']:.0f} PwmHz {found['pwm_hz']:.0f}")
        parts.append(f"late {found['late']}")
        parts += [f"{name} in {r:.0f}/s out {s:.0f}/s" for name, (r, s) in rates.items()]
        if server.paused:
            parts.append("paused")
        if found["waiting"]:
            parts.append(f"waiting for {', '.join(found['waiting'])}")
        if self._copter_id is not None:
            counts = server.stats.vehicle(self._copter_id)
            parts.append(f"vehicle {self._copter_id} in {counts['received']} out {counts['sent']}")
        return " | ".join(parts)


def _counts(server: Server, now: float) -> _Counts:
    links = {link.name: (link.stats["received"], link.stats["sent"]) for link in server.links}
    return _Counts(now, server.time, server.late, links)


def _present(stats: LinkStats) -> dict[str, int]:
    """Return the counts that are not 0."""
    return {name: count for name, count in stats.items() if count}
