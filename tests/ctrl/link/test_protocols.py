"""Which link has which protocol, and the error of those that lack one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyrfly.ctrl import PX4MavCtrler, Swarm, UnsupportedError
from pyrfly.ctrl.link import InProcessLink, UdpLink
from pyrfly.ctrl.link.protocols import (
    Commands,
    Datagrams,
    ParameterAccess,
    Placement,
    RemoteTelemetry,
    SpeedLimit,
    Telemetry,
    lacks,
)
from pyrfly.sim import Sim

OF_ALL = (Commands, SpeedLimit, Telemetry)
OPTIONAL = (ParameterAccess, Placement, Datagrams, RemoteTelemetry)


def members(protocol: type) -> set[str]:
    return {name for name in vars(protocol) if not name.startswith("_")}


@pytest.fixture(params=["in process", "udp"])
def link(request: pytest.FixtureRequest) -> Any:
    if request.param == "udp":
        return UdpLink("127.0.0.1", 20100, 1)
    return InProcessLink(Sim("x450"), [1])


def test_every_link_has_what_all_have(link: Any) -> None:
    for protocol in OF_ALL:
        assert {name for name in members(protocol) if not hasattr(link, name)} == set()


def test_links_have_different_rests(link: Any) -> None:
    has = {protocol for protocol in OPTIONAL if isinstance(link, protocol)}
    local = isinstance(link, InProcessLink)
    assert has == ({ParameterAccess, Placement} if local else {Datagrams, RemoteTelemetry})


def test_a_link_has_nothing_of_a_protocol_that_it_lacks(link: Any) -> None:
    for protocol in OPTIONAL:
        if not isinstance(link, protocol):
            assert not any(hasattr(link, name) for name in members(protocol))


@pytest.mark.parametrize("protocol", [ParameterAccess, Placement, Datagrams])
def test_the_error_names_the_method(protocol: type) -> None:
    error = lacks("SendThis", protocol)
    assert isinstance(error, UnsupportedError)
    assert str(error).startswith("SendThis: ")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda mav: mav.maxVelZ, "maxVelZ: RflySim's UDP modes carry no parameters"),
        (lambda mav: mav.maxAccZ, "maxAccZ: RflySim's UDP modes carry no parameters"),
        (lambda mav: setattr(mav, "maxAccXy", 3), "maxAccXy: RflySim's UDP modes carry no"),
        (lambda mav: mav.initPointMassModel(), "initPointMassModel: needs the vehicle in this"),
    ],
)
def test_methods_over_udp_say_what_is_lacking(
    call: Callable[[PX4MavCtrler], object], message: str
) -> None:
    mav = PX4MavCtrler(1, "192.0.2.7")
    with pytest.raises(UnsupportedError, match=message):
        call(mav)


def test_a_swarm_has_no_methods_of_one_vehicle() -> None:
    swarm = Swarm(Sim("x450", 2))
    assert not any(hasattr(swarm, name) for name in ("SendBuf", "sendSILIntFloat", "fillList"))
