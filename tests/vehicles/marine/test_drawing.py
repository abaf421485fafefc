"""What marine craft look like: propellers where the set has them, which turn as the model's."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.drawing import SPIN


@pytest.mark.parametrize("name", names("marine"))
def test_each_propeller_is_at_its_thruster_and_turns_against_its_torque(name: str) -> None:
    parameters = pyrfly.load(name)
    positions, axes = (
        parameters.columns[f"thruster_{one}"].reshape(3, -1).T for one in ("position", "axis")
    )
    used = np.flatnonzero(axes.any(axis=1))
    parts = FAMILIES["marine"].drawing(parameters).parts
    propellers = [p for p in parts if p.joints and p.joints[0].kind == SPIN]
    assert [part.joints[0].actuator for part in propellers] == used.tolist()
    np.testing.assert_allclose([part.at for part in propellers], positions[used])
    lengths = np.linalg.norm(axes[used], axis=1, keepdims=True)
    np.testing.assert_allclose([p.joints[0].axis for p in propellers], axes[used] / lengths)
    for number, part in zip(used, propellers, strict=True):
        reaction = parameters.columns["thruster_reaction"][number]
        assert part.joints[0].gain * reaction <= 0
