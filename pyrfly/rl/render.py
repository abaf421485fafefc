"""Pictures of learning environments: `Picture`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.rl.tasks import Task
from pyrfly.sim import Sim
from pyrfly.view.camera import Camera
from pyrfly.view.live import SimSource
from pyrfly.view.painter import Painter, Shot
from pyrfly.view.poses import radii, raised
from pyrfly.view.world import Frame, Line

__all__ = ["Picture"]

SIZE = (400, 400)
LEAST = 9.0
"""Least radius of a vehicle [pixels]."""

TRAIL = 3.0  # s
GATE = (70, 76, 84)
GATE_CORNERS = 40
HEADING = 3.0
"""Length of the line along the heading of a goal, in radii of the vehicle."""


class Picture:
    """The vehicles of one environment, with their trails, goals and gates.

    Parameters
    ----------
    sim : Sim
        The vehicles of all environments.
    task : Task
        What they do.
    environment : int
        Which environment is shown.
    rate : float
        Steps of the environment per second.
    shown : bool
        Whether it is drawn in a window, where Matplotlib has one.
    """

    def __init__(
        self, sim: Sim, task: Task, environment: int, rate: float, shown: bool = False
    ) -> None:
        self._sim, self._task, self._rate, self._shown = sim, task, rate, shown
        first = environment * task.agents
        self._rows = slice(first, first + task.agents)
        self._source = SimSource(sim, range(first + 1, first + task.agents + 1))
        self._painter: Painter | None = None
        self._begun = -1, 0  # number of the episode, and its steps
        self._window: Any = None

    def draw(self) -> NDArray[np.uint8]:
        """Draw the vehicles as they are.

        Returns
        -------
        ndarray, shape (height, width, 3), uint8
            Red, green and blue.
        """
        painter = self._prepared()
        picture = painter.draw(self._frame(), self._headings(painter))
        if self._shown:
            self._update_window(picture)
        return picture

    def shoot(self) -> Shot:
        """Return the picture without texts, and what its pixels show."""
        painter = self._prepared()
        return painter.shoot(self._frame(), self._headings(painter))

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            from matplotlib import pyplot

            pyplot.close(self._window.figure)
        self._window = None

    def _prepared(self) -> Painter:
        """Return the painter, a new one for every episode: trails begin anew."""
        row, begun = self._rows.start, self._begun
        self._begun = int(self._sim.task_episode[row]), int(self._sim.task_steps[row])
        if self._painter is None or begun[0] != self._begun[0] or begun[1] > self._begun[1]:
            world = replace(self._source.world(), lines=_gates(self._task))
            camera = Camera(setpoints=True)
            self._painter = Painter(world, SIZE, camera, trail=TRAIL, least=LEAST)
        return self._painter

    def _frame(self) -> Frame:
        """Return the vehicles with their goals, at the time of the episode."""
        time = float(self._sim.task_steps[self._rows.start]) / self._rate
        goals = np.array(self._sim.task_goal[self._rows], np.float64)
        return replace(self._source.frame(), time=time, pos_sp=goals)

    def _headings(self, painter: Painter) -> tuple[Line, ...]:
        """Return the headings of goals that have some."""
        if self._task.goal_yaw <= 0.0:
            return ()
        goals = raised(painter.world, self._sim.task_goal[self._rows])
        yaws = self._sim.task_goal_yaw[self._rows]
        ahead = np.stack([np.cos(yaws), np.sin(yaws), 0 * yaws], axis=1)
        ends = goals + HEADING * radii(painter.world)[:, None] * ahead
        return tuple(
            Line("heading", np.stack([goal, end]), GATE)
            for goal, end in zip(goals, ends, strict=True)
        )

    def _update_window(self, picture: NDArray[np.uint8]) -> None:
        from matplotlib import pyplot

        if self._window is None:
            figure = pyplot.figure(figsize=(SIZE[0] / 80, SIZE[1] / 80), dpi=80)
            axes = figure.add_axes((0, 0, 1, 1))
            axes.set_axis_off()
            self._window = axes.imshow(picture)
        self._window.set_data(picture)
        canvas = self._window.figure.canvas
        if getattr(canvas, "required_interactive_framework", None) is not None:
            pyplot.pause(1e-3)


def _gates(task: Task) -> tuple[Line, ...]:
    """Return the gates of a race as rings."""
    turn = np.linspace(0, 2 * np.pi, GATE_CORNERS + 1)
    rings = []
    for number, (north, east, down, yaw) in enumerate(task.gates, 1):
        across, below = task.gate_radius * np.cos(turn), task.gate_radius * np.sin(turn)
        ring = [north - across * np.sin(yaw), east + across * np.cos(yaw), down + below]
        rings.append(Line(f"gate {number}", np.stack(ring, axis=1), GATE))
    return tuple(rings)
