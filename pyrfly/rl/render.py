"""Pictures of learning environments, drawn by Matplotlib: `Picture`."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.rl.tasks import Task
from pyrfly.sim import Sim

__all__ = ["RENDER_MODES", "Picture"]

RENDER_MODES = ("human", "rgb_array")

SIZE, DPI = 5.0, 80  # inches, dots per inch: 400 x 400
TRAIL = 200  # positions
LEAST_VIEW = 1.0  # half the edge of the box that is shown [m]
# Colour-blind safe palette: M. Okabe, K. Ito, "Color Universal Design", 2008.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
GOAL, GATE = "#333333", "#8A8A8A"
ARMS = np.array([[1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0], [0, 0, 0], [1.6, 0, 0]])
"""Ends of the lines of a vehicle, in arms, FRD: two arms and the nose."""


class Picture:
    """The vehicles of one environment in three dimensions, with their trails and goals.

    Parameters
    ----------
    sim : Sim
        The vehicles of all environments.
    task : Task
        What they do.
    environment : int
        Which environment is shown.
    shown : bool
        Whether it is drawn in a window, where Matplotlib has one.
    """

    def __init__(self, sim: Sim, task: Task, environment: int, shown: bool = False) -> None:
        self._sim, self._task, self._shown = sim, task, shown
        first = environment * task.agents
        self._rows = slice(first, first + task.agents)
        self._trail: deque[NDArray[Any]] = deque(maxlen=TRAIL)
        self._figure: Any = None
        self._axes: Any = None
        self._begun = -1

    def draw(self) -> NDArray[np.uint8]:
        """Draw the vehicles as they are.

        Returns
        -------
        ndarray, shape (height, width, 3), uint8
            Red, green and blue.
        """
        self._follow()
        figure, axes = self._canvas()
        axes.clear()
        self._draw_vehicles(axes)
        self._draw_goals(axes)
        self._set_view(axes)
        figure.canvas.draw()
        if self._shown:
            self._update_window()
        return np.asarray(figure.canvas.buffer_rgba())[..., :3].copy()

    def close(self) -> None:
        """Close the window."""
        if self._shown and self._figure is not None:
            from matplotlib import pyplot

            pyplot.close(self._figure)
        self._figure = self._axes = None

    def _follow(self) -> None:
        episode = int(self._sim.task_episode[self._rows.start])
        if episode != self._begun:
            self._trail.clear()
            self._begun = episode
        self._trail.append(self._sim.pos[self._rows].copy())

    def _canvas(self) -> tuple[Any, Any]:
        if self._figure is None:
            if self._shown:
                from matplotlib import pyplot

                self._figure = pyplot.figure(figsize=(SIZE, SIZE), dpi=DPI)
            else:
                from matplotlib.backends.backend_agg import FigureCanvasAgg
                from matplotlib.figure import Figure

                self._figure = Figure(figsize=(SIZE, SIZE), dpi=DPI, layout="tight")
                FigureCanvasAgg(self._figure)
            self._axes = self._figure.add_subplot(projection="3d")
        return self._figure, self._axes

    def _update_window(self) -> None:
        from matplotlib import pyplot

        assert self._figure is not None
        if getattr(self._figure.canvas, "required_interactive_framework", None) is not None:
            pyplot.pause(1e-3)

    def _draw_vehicles(self, axes: Any) -> None:
        sim, trail = self._sim, np.stack(self._trail)
        arm = 0.08 * self._half_view()
        for k, row in enumerate(range(self._rows.start, self._rows.stop)):
            colour = COLOURS[k % len(COLOURS)]
            axes.plot(*_plotted(trail[:, k]), color=colour, linewidth=1, alpha=0.6)
            for ends, ink in ((ARMS[:2], colour), (ARMS[2:4], colour), (ARMS[4:], GOAL)):
                line = sim.pos[row] + arm * ends @ _to_frd(sim.att[row])
                axes.plot(*_plotted(line), color=ink, linewidth=2.0)

    def _draw_goals(self, axes: Any) -> None:
        goals = self._sim.task_goal[self._rows]
        axes.plot(*_plotted(goals), linestyle="", marker="x", color=GOAL)
        if self._task.goal_yaw > 0.0:
            yaws = self._sim.task_goal_yaw[self._rows]
            ahead = np.stack([np.cos(yaws), np.sin(yaws), 0 * yaws], axis=1)
            for line in np.stack([goals, goals + 0.16 * self._half_view() * ahead], axis=1):
                axes.plot(*_plotted(line), color=GOAL, linewidth=2.0)
        turn = np.linspace(0, 2 * np.pi, 40)
        for north, east, down, yaw in self._task.gates:
            across = self._task.gate_radius * np.cos(turn)
            ring = np.stack(
                [
                    north - across * np.sin(yaw),
                    east + across * np.cos(yaw),
                    down + self._task.gate_radius * np.sin(turn),
                ],
                axis=1,
            )
            axes.plot(*_plotted(ring), color=GATE, linewidth=1.5)

    def _half_view(self) -> float:
        points = self._points()
        return max(LEAST_VIEW, 0.55 * float(np.ptp(points, axis=0).max()))

    def _points(self) -> NDArray[Any]:
        sim = self._sim
        gates = [np.array(self._task.gates)[:, :3]] if self._task.gates else []
        return np.concatenate([sim.pos[self._rows], sim.task_goal[self._rows], *gates])

    def _set_view(self, axes: Any) -> None:
        points = self._points()
        middle = (points.max(axis=0) + points.min(axis=0)) / 2
        x, y, z = (float(values[0]) for values in _plotted(middle[None]))
        half = self._half_view()
        axes.set(
            xlim=(x - half, x + half),
            ylim=(y - half, y + half),
            zlim=(z - half, z + half),
            xlabel="east [m]",
            ylabel="north [m]",
            zlabel="up [m]",
        )
        axes.set_box_aspect((1, 1, 1))
        seconds = int(self._sim.task_steps[self._rows.start])
        axes.set_title(f"{self._task.name}, step {seconds}", fontsize=9)


def _plotted(points: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return positions as they are plotted: east, north, up."""
    return points[:, 1], points[:, 0], -points[:, 2]


def _to_frd(att: NDArray[Any]) -> NDArray[Any]:
    """Return the rotation matrix NED to FRD of a quaternion FRD to NED."""
    w, x, y, z = map(float, att)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
            [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
            [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
