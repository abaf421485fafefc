"""Numbers and names of RflySim's modes."""

import pytest

from pyrfly.protocol.link_modes import (
    SIM_MODE_NAMES,
    LinkMode,
    SimMode,
    link_mode,
    sim_mode,
)
from pyrfly.rflysim.api import CtMode

# As the comments of RflySim's start scripts and the constants of its SDK have them.
LINK_MODES = (
    *("UDP_Full", "UDP_Simple", "Mavlink_Full", "Mavlink_Simple", "Mavlink_NoSend"),
    *("Mavlink_NoGPS", "Mavlink_Vision"),
)
SIM_MODES = (
    *("PX4_HITL", "PX4_SITL", "PX4_SITL_RFLY", "Simulink&DLL_SIL", "PX4_HITL_NET", "EXT_HITL_COM"),
    *("EXT_SIM_NET", "APM_SITL_NET", "PX4_SIH_COM", "PX4_SIH_NET", "PX4_SIH_SITL", "PX4_SIH_FLY"),
)


@pytest.mark.parametrize(("number", "name"), list(enumerate(LINK_MODES)))
def test_link_modes(number, name):
    for text in (str(number), name, name.lower(), f" {name.upper()} "):
        assert link_mode(text) == number
    assert LinkMode(number).label == name.lower()


def test_link_modes_are_those_of_the_sdk():
    numbers = {name.lower(): value for name, value in vars(CtMode).items() if type(value) is int}
    assert numbers.items() >= {mode.label: int(mode) for mode in LinkMode}.items()


@pytest.mark.parametrize(("number", "name"), list(enumerate(SIM_MODES)))
def test_sim_modes(number, name):
    assert sim_mode(str(number)) == sim_mode(name) == sim_mode(name.lower()) == number
    assert SIM_MODE_NAMES[SimMode(number)] == name


@pytest.mark.parametrize("text", ["", "7", "-1", "1.0", "udp", "full", "Redis_Full", "9" * 5000])
def test_other_link_modes_are_named(text):
    with pytest.raises(ValueError, match=r"expected udp_full, udp_simple, .* or 0 to 6, got"):
        link_mode(text)


def test_other_sim_modes_are_named():
    with pytest.raises(ValueError, match=r"expected PX4_HITL, .*PX4_SIH_FLY or 0 to 11, got '12'"):
        sim_mode("12")
