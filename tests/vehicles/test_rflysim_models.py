"""Parameter sets for RflySim's models."""

import pytest

from pyrfly.vehicles.rflysim_models import set_of_model


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("FX150_model", "x150"),
        ("fx450_model.dll", "x450"),
        ("MulticopterNoCtrl.so", "sdk"),
        ("C:\\PX4PSP\\model\\MulticopterNOpx4.dll", "sdk"),
        ("/opt/model/FX200_model.so", "x200"),
        ("FixedWing.dll", "FixedWing"),
    ],
)
def test_names(name, expected):
    assert set_of_model(name) == expected
