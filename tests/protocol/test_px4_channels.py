"""Channels of PX4's HIL_ACTUATOR_CONTROLS, against the C++ of v1.12.3 written down anew."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.protocol.px4_channels import VERSIONS, Px4Airframe, channels_of, hitl_scales
from pyrfly.vehicles import FAMILIES, load, names

VEHICLES = {
    tuple(FAMILIES[found.family].actuators(found)): FAMILIES[found.family].px4_airframe
    for found in map(load, names())
    if found.actuator_count in FAMILIES[found.family].px4_airframe.types
}
KINDS = pytest.mark.parametrize(
    ("airframe", "one_way"),
    [(airframe, [a.one_way for a in actuators]) for actuators, airframe in VEHICLES.items()],
)


def sent_by_1_12(system_type: int, pwm: np.ndarray) -> np.ndarray:
    """Return the controls of hardware in the loop for pulses [us]."""
    count = {2: 4, 13: 6, 14: 8, 19: 2, 20: 4, 22: 8}.get(system_type)
    units = range(count) if count is not None else (3,)
    return np.array(
        [(p - 1000) / 1000 if i in units else (p - 1500) / 500 for i, p in enumerate(pwm)]
    )


@KINDS
@pytest.mark.parametrize("version", ["1.12", "1.13"])
def test_scales_undo_what_hardware_in_the_loop_makes(
    airframe: Px4Airframe, one_way: list[bool], version: str
) -> None:
    pwm = np.random.default_rng(1).uniform(1000, 2000, 16)
    controls = sent_by_1_12(airframe.types[len(one_way)], pwm)
    channels = channels_of(airframe, len(one_way), version)
    scales = np.array(hitl_scales(airframe, one_way, version))
    found = controls[list(channels)] * scales[:, 0] + scales[:, 1]
    pulses = pwm[list(channels)]
    expected = np.where(one_way, (pulses - 1000) / 1000, (pulses - 1500) / 500)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("version", VERSIONS[2:])
@KINDS
def test_since_1_14_both_ways_are_the_same(
    airframe: Px4Airframe, one_way: list[bool], version: str
) -> None:
    assert set(hitl_scales(airframe, one_way, version)) == {(1.0, 0.0)}


@pytest.mark.parametrize("version", VERSIONS)
def test_an_airframe_has_its_own_channels_or_those_in_their_order(version: str) -> None:
    airframe = Px4Airframe(channels={"1.14": (7, 3)})
    expected = (7, 3) if version == "1.14" else (0, 1)
    assert channels_of(airframe, 2, version) == expected


def test_an_unknown_version_is_said() -> None:
    for function, count in (channels_of, 4), (hitl_scales, (True,) * 4):
        with pytest.raises(ValueError, match=r"version: .*got '1\.11'"):
            function(Px4Airframe(), count, "1.11")
