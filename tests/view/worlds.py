"""Small worlds and flights, for tests of what shows them."""

import numpy as np

from pyrfly import load
from pyrfly.view.drawings import group_of
from pyrfly.view.world import ARMED, CRASHED, Frame, Ground, Line, Mesh, World

BOX = Mesh(
    np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1]], np.float32),
    np.array([[0, 1, 3], [1, 2, 3], [2, 0, 3], [1, 0, 2]], np.uint32),
    np.full((4, 3), 120, np.uint8),
)


def small_world(n: int = 4, **more: object) -> World:
    """Return a world of n quadrotors and a plane."""
    groups = (
        group_of(load("x450"), np.arange(1, n + 1)),
        group_of(load("aerosonde"), [n + 1]),
    )
    return World(groups, **more)  # type: ignore[arg-type]


def full_world() -> World:
    z = np.linspace(0, -5, 12, dtype=np.float32).reshape(3, 4)
    colours = np.arange(36, dtype=np.uint8).reshape(3, 4, 3)
    path = Line("mission", np.array([[0, 0, -5.0], [10, 0, -5], [10, 10, -8]]), (255, 200, 0))
    return small_world(
        ground=Ground(z, (-5.0, -6.0), (4.0, 4.0), colours), scene=BOX, water=1.5, lines=(path,)
    )


def frame_at(time: float, n: int = 5) -> Frame:
    """Return vehicles on circles around places 3 m apart, the last one crashed."""
    angle = 0.5 * time + np.arange(n)
    places = 3.0 * np.c_[np.arange(n) % 3, np.arange(n) // 3, -np.ones(n)]
    turn = np.c_[np.cos(angle / 2), np.zeros((n, 2)), np.sin(angle / 2)]
    displayed = np.tile(np.float32([4000, 4000, 4000, 4000, 0.2, -0.2, 0, 0]), (n, 1))
    flags = np.full(n, ARMED, np.uint8)
    flags[-1] = CRASHED
    pos = places + np.c_[np.cos(angle), np.sin(angle), -0.1 * np.full(n, time)]
    pos_sp = np.where(np.arange(n)[:, None] == 1, np.nan, pos + np.array([0.5, 0, 0]))
    wind = np.tile(np.float32([3, 1, 0]), (n, 1))
    contacts = np.where(flags[:, None] == CRASHED, pos, np.nan)
    return Frame(time, pos, turn.astype(np.float32), displayed, flags, pos_sp, wind, contacts)
