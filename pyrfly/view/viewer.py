"""A running simulation in a browser: `View`."""

from __future__ import annotations

import time
from html import escape

from pyrfly.view.replay import inside, notebook_address
from pyrfly.view.screen import Screen

__all__ = ["View"]

PERIOD = 0.02
"""Simulated time between two looks at a simulation [s]."""

NAP = 0.05
"""Maximum time that a signal waits for a paused simulation [s]."""

LATE = 0.1
"""Delay that is not made up for [s]."""

LONGEST = 10.0
"""Maximum time that a look waits for; more is due where the time of a simulation was set [s]."""


class View(Screen):
    """A simulation in a browser, served by a process of its own.

    The simulation goes on as before: while it is stepped, a copy of its vehicles is made 30 times a
    second, and pages take of it what they can. A page can pause it, step it by 0.02 s and set its
    speed: a step of the simulation then waits. The page is served until `close`, or until nothing
    refers to the simulation and the view any more.

    Parameters
    ----------
    sim : Sim
        The simulation.
    camera : str or Camera
        What the page shows first: ``overview``, ``follow:ID`` or ``nose:ID``.
    pace : float, optional
        Simulated seconds per real second; by default as fast as it is stepped.
    open : bool
        Whether a browser is opened.
    port : int, optional
        TCP port; 0: any; by default the first of 20190 to 20199 that is free.
    host : str
        Address that is listened on.
    allow : sequence of str
        Addresses that may connect besides this machine.
    title : str, optional
        What the page says in its corner.
    lines : sequence of Line
        What is drawn besides, such as `pyrfly.view.missions.mission_lines`.
    commands : sequence of str
        What pages may ask for; by default ``pause``, ``step`` and ``speed``.
    first_id : int
        CopterID of the first vehicle.

    Attributes
    ----------
    url : str
        Address of the page.

    Raises
    ------
    MissingExtraError
        Without ``pip install 'pyrfly[view]'``.
    OptionError, PortError
        An option is invalid, or no port is free.
    """

    def __repr__(self) -> str:
        return f"<View of {self._sim.n} vehicles at {self.url}>"

    def _repr_html_(self) -> str:
        return inside(f'src="{escape(notebook_address(self.url))}"')

    def close(self) -> None:
        """End the process of the page; the simulation goes on."""
        self._sim.remove_listener(self._look)
        super().close()

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _follow(self) -> None:
        """Look at the simulation while it is stepped."""
        self._changed()
        self._sim.add_listener(self._look, PERIOD)

    def _changed(self) -> None:
        """Hold simulated time to the pace from now on."""
        self._began = (time.perf_counter(), self._sim.time)

    def _look(self) -> None:
        """Show the vehicles where it is time for it, and wait where a page or the pace say so."""
        if self.due:
            self.show()
        if self.pace is not None and not self.paused:
            self._wait_for(self.pace)
        if self.paused and not self.take_step():
            self.show()
            while self.paused and not self.take_step() and not self.closed:
                time.sleep(NAP)
            self._changed()

    def _wait_for(self, pace: float) -> None:
        begin, simulated = self._began
        due = begin + (self._sim.time - simulated) / pace
        if not -LATE < due - time.perf_counter() < LONGEST:
            self._changed()
            return
        while (left := due - time.perf_counter()) > 0 and not self.paused and not self.closed:
            time.sleep(min(left, NAP))
