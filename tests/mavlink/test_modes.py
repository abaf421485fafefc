"""PX4's modes against those of pymavlink, and what real PX4 was seen to send."""

from __future__ import annotations

import pytest
from pymavlink import mavutil

from pyrfly.mavlink.modes import (
    AutoMode,
    MainMode,
    PositionMode,
    base_mode,
    custom_mode,
    mode_name,
    modes,
)

# pymavlink's names of PX4's modes; it has one that PX4 has given up.
PEERS = {name: row for name, row in mavutil.px4_map.items() if name != "RTGS"}


@pytest.mark.parametrize("name", PEERS)
def test_numbers_are_those_of_pymavlink(name: str) -> None:
    _, main, sub = PEERS[name]
    if main == MainMode.AUTO:
        ours = "FOLLOW_TARGET" if name == "FOLLOWME" else name
        assert AutoMode[ours] == sub
    else:
        assert (MainMode[name], sub) == (main, 0)


@pytest.mark.parametrize("main", MainMode)
def test_pymavlink_reads_our_custom_mode(main: MainMode) -> None:
    name = mavutil.interpret_px4_mode(0, custom_mode(main, AutoMode.LOITER))
    if main == MainMode.AUTO:
        assert name == "LOITER"
    elif main.name in mavutil.px4_map:
        assert name == main.name


@pytest.mark.parametrize("main", MainMode)
@pytest.mark.parametrize("sub", [0, 1, 255])
def test_modes_reverse_custom_mode(main: MainMode, sub: int) -> None:
    assert modes(custom_mode(main, sub)) == (main, sub)


def test_every_mode_has_a_name_of_its_own() -> None:
    numbers = [custom_mode(main) for main in MainMode]
    numbers += [custom_mode(MainMode.AUTO, sub) for sub in AutoMode]
    numbers += [custom_mode(MainMode.POSCTL, sub) for sub in PositionMode if sub]
    names = {mode_name(number) for number in numbers}
    assert len(names) == len(numbers)
    assert not any("UNKNOWN" in name for name in names)
    assert {"AUTO.RTL", "OFFBOARD", "POSCTL.SLOW", "AUTO.EXTERNAL8"} <= names


@pytest.mark.parametrize("number", [0, 0xFF, 0xFF0000, 0x7040000, 0x1010000, 0xFFFFFFFF])
def test_a_number_that_is_no_mode_has_a_name(number: int) -> None:
    name = mode_name(number)
    assert name == "UNKNOWN({}, {})".format(*modes(number))


@pytest.mark.parametrize(
    ("main", "armed", "expected"),
    [  # measured on PX4 v1.12.0, v1.14.4 and v1.16.1
        (MainMode.AUTO, False, 29),
        (MainMode.AUTO, True, 157),
        (MainMode.OFFBOARD, True, 145),
        (MainMode.MANUAL, False, 81),
        (MainMode.POSCTL, True, 209),
    ],
)
def test_base_mode_is_that_of_px4(main: MainMode, armed: bool, expected: int) -> None:
    assert base_mode(main, armed=armed) == expected
    assert base_mode(main, armed=armed, hil=True) == expected + 32


@pytest.mark.parametrize("name", ["MANUAL", "STABILIZED", "ACRO", "ALTCTL", "POSCTL"])
def test_base_mode_of_manual_modes_is_that_of_pymavlink(name: str) -> None:
    expected, main, _ = mavutil.px4_map[name]
    assert base_mode(main, armed=False) == expected
