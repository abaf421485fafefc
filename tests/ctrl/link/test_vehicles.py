"""Chosen vehicles as rows of one array."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from pyrfly.ctrl.link.vehicles import Vehicles
from pyrfly.sim import Sim


def chosen(ids: list[int]) -> tuple[Sim, Vehicles]:
    sim = Sim({"x450": 3, "octo_x": 2})
    for group in sim.groups:
        group.pos[:, 0] = np.arange(group.first_id, group.first_id + group.n)
    return sim, Vehicles(sim, ids, contextlib.nullcontext())


@pytest.mark.parametrize("ids", [[2], [1, 2, 3], [5, 1, 4], [3, 1], [4, 5], [5, 4, 3, 2, 1]])
class TestRows:
    """In the order of the CopterIDs that were given."""

    def test_are_read(self, ids: list[int]) -> None:
        _, vehicles = chosen(ids)
        assert vehicles.read("pos")[:, 0].tolist() == ids
        assert vehicles.read("mass").shape == (len(ids),)
        assert vehicles.read("mass").dtype == np.float64

    def test_are_written(self, ids: list[int]) -> None:
        sim, vehicles = chosen(ids)
        others = [i for i in range(1, 6) if i not in ids]
        vehicles.write("pos", [10.0 * i for i in ids], 2)
        vehicles.write("terrain", 7.0)
        for i in ids:
            assert sim.pos[i - 1].tolist() == [i, 0, 10 * i]
            assert sim.terrain[i - 1] == 7.0
        for i in others:
            assert sim.pos[i - 1].tolist() == [i, 0, 0]
            assert sim.terrain[i - 1] == 0.0

    def test_have_eight_rotor_speeds(self, ids: list[int]) -> None:
        sim, vehicles = chosen(ids)
        for group in sim.groups:
            group.rotor_speed[:] = 2 * np.pi / 60 * np.arange(1, group.rotor_speed.shape[1] + 1)
        rotors = {i: 4 if i < 4 else 8 for i in ids}
        expected = [[*range(1, rotors[i] + 1), *[0] * (8 - rotors[i])] for i in ids]
        np.testing.assert_allclose(vehicles.rpm(), expected)
