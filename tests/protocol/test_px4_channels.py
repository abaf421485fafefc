"""Channels of PX4's HIL_ACTUATOR_CONTROLS, against the C++ of v1.12.3 written down anew."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.protocol.px4_channels import VERSIONS, channels_of, hitl_scales

TYPES = {("multirotor", 3): 15, ("multirotor", 4): 2, ("multirotor", 6): 13, ("multirotor", 8): 14,
         ("rover", 2): 10}  # fmt: skip
"""MAV_TYPE of vehicles."""


def sent_by_1_12(system_type: int, pwm: np.ndarray) -> np.ndarray:
    """Return the controls of hardware in the loop for pulses [us]."""
    count = {2: 4, 13: 6, 14: 8, 19: 2, 20: 4, 22: 8}.get(system_type)
    units = range(count) if count is not None else (3,)
    return np.array(
        [(p - 1000) / 1000 if i in units else (p - 1500) / 500 for i, p in enumerate(pwm)]
    )


@pytest.mark.parametrize(("family", "count"), TYPES)
@pytest.mark.parametrize("version", ["1.12", "1.13"])
def test_scales_undo_what_hardware_in_the_loop_makes(family: str, count: int, version) -> None:
    pwm = np.random.default_rng(1).uniform(1000, 2000, 16)
    controls = sent_by_1_12(TYPES[family, count], pwm)
    channels = channels_of(family, count, version)
    scales = np.array(hitl_scales(family, count, version))
    found = controls[list(channels)] * scales[:, 0] + scales[:, 1]
    pulses = pwm[list(channels)]
    expected = (pulses - 1000) / 1000 if family == "multirotor" else (pulses - 1500) / 500
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("version", VERSIONS[2:])
@pytest.mark.parametrize(("family", "count"), TYPES)
def test_since_1_14_both_ways_are_the_same(family: str, count: int, version: str) -> None:
    assert set(hitl_scales(family, count, version)) == {(1.0, 0.0)}


def test_an_unknown_version_is_said() -> None:
    for function in (channels_of, hitl_scales):
        with pytest.raises(ValueError, match=r"version: expected one of 1\.12.*, got '1\.11'"):
            function("multirotor", 4, "1.11")
