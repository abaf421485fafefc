"""Places of RflySim's start scripts, worked out by hand."""

import math

import numpy as np

from pyrfly.ctrl.grid import grid
from pyrfly.server.scripts.places import starts
from pyrfly.server.scripts.settings import StartSettings
from pyrfly.server.scripts.values import Place


def test_starts():
    pos, yaw = starts(StartSettings(origin=(1.0, 2.0), yaw=90.0, interval=5.0), 3)
    np.testing.assert_array_equal(pos, [(1, 2), (1, 7), (6, 2)])
    np.testing.assert_allclose(yaw, [math.pi / 2] * 3)


def test_listed_places_are_for_as_many_vehicles():
    settings = StartSettings(places=(Place(1, 2, 180), Place(3, 4, -90)), yaw=45)
    pos, yaw = starts(settings, 2)
    np.testing.assert_array_equal(pos, [(1, 2), (3, 4)])
    np.testing.assert_allclose(yaw, [math.pi, -math.pi / 2])
    np.testing.assert_array_equal(starts(settings, 3)[0], grid(3)[:, :2])
