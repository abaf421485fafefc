"""Channels of PX4 that a set or an option gives, such as those of a board set up with elevons."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from pyrfly import ParameterError, Sim
from pyrfly.cli import main
from pyrfly.options import with_channels
from pyrfly.protocol.px4_channels import VERSIONS, channels_of, hitl_scales
from pyrfly.server.actuators import Actuators
from pyrfly.transport import OptionError
from pyrfly.vehicles import load

WING = "skywalker_x8"
GENERIC_WING = [0, 1, -1, -1, 3]
"""PX4's airframe 3000: left elevon, right elevon, motor at outputs 1, 2, 4."""


def commanded(sim: Sim, sent: list[float], version: str = "1.16", hitl: bool = False) -> np.ndarray:
    sim.enable_synthesis()
    scales = partial(hitl_scales, version=version) if hitl else None
    actuators = Actuators(sim, partial(channels_of, version=version), scales, mixed=True)
    actuators.set(0, np.array([*sent, *[0.0] * (16 - len(sent))]), armed=True)
    actuators.write()
    return np.append(sim.surface_command[0], sim.propeller_throttle[0])


@pytest.mark.parametrize("version", VERSIONS)
def test_elevons_of_generic_wing_are_its_outputs_themselves(version: str) -> None:
    sim = Sim(with_channels({WING: 1}, GENERIC_WING))
    found = commanded(sim, [0.3, -0.4, 0.9, 0.6], version)
    np.testing.assert_allclose(found, [0.3, -0.4, 0, 0, 0.6])


def test_generic_wing_rolls_and_climbs_as_its_elevons_say() -> None:
    """Both up is nose up, the right one up and the left one down roll to the right."""
    rates = []
    for left, right in ((0.0, 0.0), (0.3, 0.3), (-0.3, 0.3)):
        sim = Sim(with_channels({WING: 1}, GENERIC_WING))
        sim.reset(pos=[0, 0, -100])
        sim.vel[:] = [18, 0, 0]
        commanded(sim, [left, right, 0.0, 0.5])
        sim.step(round(0.1 / sim.dt))
        rates.append(sim.rate[0].copy())
    assert rates[1][1] - rates[0][1] > 0.05
    assert rates[2][0] - rates[0][0] > 0.05


def test_in_hardware_before_1_14_the_throttle_is_on_channel_3_as_it_is() -> None:
    """PX4 1.12 sends channel 3 of a plane as 0 to 1, all others as -1 to 1."""
    sim = Sim(with_channels({WING: 1}, GENERIC_WING))
    found = commanded(sim, [0.2, -0.5, 0.0, 0.4], "1.12", hitl=True)
    np.testing.assert_allclose(found, [0.2, -0.5, 0, 0, 0.4])


def test_a_file_has_channels_of_its_own(tmp_path: Path) -> None:
    packaged = Path(__file__).parents[3] / "pyrfly" / "vehicles" / "plane" / "sets" / f"{WING}.toml"
    own = tmp_path / "own.toml"
    own.write_text(f"px4_channels = {GENERIC_WING}\n{packaged.read_text()}")
    assert load(own).px4_channels == tuple(GENERIC_WING)
    found = commanded(Sim(own), [0.3, -0.4, 0.9, 0.6])
    np.testing.assert_allclose(found, [0.3, -0.4, 0, 0, 0.6])
    own.write_text(f"px4_channels = [0, 1]\n{packaged.read_text()}")
    with pytest.raises(ParameterError, match=r"own.toml: px4_channels: expected 5 channels of 0"):
        load(own)


@pytest.mark.parametrize(
    "channels",
    [[0, 1, 2], [0, 1, 2, 3, 16], [0, 0, 1, 2, 3], [0, 1, 2, 3, -2], [True] * 5, 7, "01234"],
)
def test_wrong_channels_are_refused(channels: object) -> None:
    with pytest.raises(ParameterError, match=f"expected 5 channels .* actuators of '{WING}', got"):
        load(WING).with_px4_channels(channels)


def test_an_option_that_does_not_fit_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "--px4", "--px4-channels", "0,1,-", "--vehicles", WING]) == 2
    assert "--px4-channels: expected 5 channels" in capsys.readouterr().err
    assert main(["sim", "--px4-channels", "0,1,-,-,3", "--vehicles", WING]) == 2
    assert "--px4-channels: expected none without --px4" in capsys.readouterr().err
    with pytest.raises(OptionError, match="--px4-channels: expected 5"):
        with_channels({WING: 2}, [1])
