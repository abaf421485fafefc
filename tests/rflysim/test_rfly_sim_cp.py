"""RflySimCP: published values, and the words of its builders."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pyrfly.protocol.synthesis import Command, Offboard
from pyrfly.rflysim.rfly_sim_cp import RflySimCP

# [@rfly-sdk], class RflySimCP
PUBLISHED = {
    "ILen": 8, "ICmd": 0, "IOffboard": 1, "ILat": 6, "ILon": 7,
    "CmdEn": 1, "CmdSIL": 2, "CmdArmed": 4, "CmdTakeoff": 256, "CmdPosition": 512,
    "CmdLand": 1024, "CmdReturn": 2048, "CmdHor": 16384, "CmdOffboardPos": 65536,
    "CmdOffboardAtt": 131072, "CmdOffboard_Pos": 65536, "CmdOffboard_Att": 131072, "CmdBase": 3,
    "HasPos": 1, "HasVel": 2, "HasAcc": 4, "HasYaw": 8, "HasYawRate": 16, "HasAtt": 256,
    "HasRollRate": 512, "HasPitchRate": 1024, "HasThrust": 2048, "FRD": 4096, "Local": 8192,
    "HasFull": 32768, "NED": 65536, "Global": 131072,
    "Quadrotor": 1, "Hexacopter": 2, "Octocopter": 4, "FourAxOctocopter": 8,
    "FLen": 20, "FPos": 0, "FVel": 3, "FAcc": 6, "FAtt": 9, "FAttRate": 12, "FThrust": 15,
}  # fmt: skip


def test_values() -> None:
    assert {name: getattr(RflySimCP, name) for name in PUBLISHED} == PUBLISHED


# builder, command word (3 base, 4 armed, 512 position), offboard word, {index of float: value}
@pytest.mark.parametrize(
    ("build", "command", "offboard", "floats"),
    [
        (RflySimCP.getPosNED, 519, 1 + 8, {0: 1, 1: 2, 2: 3, 11: 4}),
        (RflySimCP.getPosLocal, 519, 1 + 8 + 8192, {0: 1, 1: 2, 2: 3, 11: 4}),
        (RflySimCP.getVelNED, 7, 2 + 16, {3: 1, 4: 2, 5: 3, 14: 4}),
        (RflySimCP.getVelFRD, 7, 2 + 16 + 4096, {3: 1, 4: 2, 5: 3, 14: 4}),
    ],
)
def test_commands(
    build: Callable[..., list[float]], command: int, offboard: int, floats: dict[int, float]
) -> None:
    expected = [command, offboard, *[0] * 6, *(floats.get(i, 0) for i in range(20))]
    assert build(1, 2, 3, 4) == expected
    assert build() == [command, offboard, *[0] * 26]


def test_velocity_without_yaw() -> None:
    expected = [7, 2, *[0] * 6, *[0] * 3, 1, 2, 3, *[0] * 14]
    assert RflySimCP.getVelNedNoYaw(1, 2, 3) == expected


def test_bits() -> None:
    assert RflySimCP.IsBitSet(0b100, 2)
    assert not RflySimCP.IsBitSet(0b100, 1)
    assert RflySimCP.IsPosSet(9)
    assert not RflySimCP.IsPosSet(8)


def test_the_bits_are_those_of_pyrfly() -> None:
    pairs = {
        "CmdEn": Command.ENABLE,
        "CmdSIL": Command.SIL,
        "CmdArmed": Command.ARMED,
        "CmdTakeoff": Command.TAKEOFF,
        "CmdPosition": Command.POSITION,
        "CmdLand": Command.LAND,
        "CmdReturn": Command.RETURN,
        "HasPos": Offboard.POSITION,
        "HasVel": Offboard.VELOCITY,
        "HasAcc": Offboard.ACCELERATION,
        "HasYaw": Offboard.YAW,
        "HasYawRate": Offboard.YAW_RATE,
        "HasAtt": Offboard.ATTITUDE,
        "HasRollRate": Offboard.ROLL_RATE,
        "HasPitchRate": Offboard.PITCH_RATE,
        "HasThrust": Offboard.THRUST,
        "FRD": Offboard.FRD,
        "Local": Offboard.LOCAL,
        "HasFull": Offboard.FULL,
        "NED": Offboard.NED,
        "Global": Offboard.GLOBAL,
    }
    assert {name: getattr(RflySimCP, name) for name in pairs} == pairs
