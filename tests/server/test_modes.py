"""Modes of the command line, and those that the server has."""

import argparse

import pytest

from pyrfly.server.modes import mode_names, served
from pyrfly.transport import OptionError


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("udp_full", ("udp_full",)),
        ("0", ("udp_full",)),
        ("UDP_Simple", ("udp_simple",)),
        ("udp_simple_old", ("udp_simple_old",)),
        ("Mavlink_Vision", ("mavlink_vision",)),
        ("1, 2", ("udp_simple", "mavlink_full")),
    ],
)
def test_names(text, names):
    assert mode_names(text) == names


@pytest.mark.parametrize("text", ["", "7", "udp", "0,", "udp_old"])
def test_what_is_no_mode(text):
    with pytest.raises(argparse.ArgumentTypeError, match=r"expected udp_full, .* or 0 to 6, got"):
        mode_names(text)


def test_modes_that_are_served():
    assert served(["udp_full"]) == "udp_full"
    assert served(["udp_simple", "udp_simple"]) == "udp_simple"


@pytest.mark.parametrize(
    ("modes", "message"),
    [
        (["udp_full", "mavlink_nogps"], "expected one mode .* got udp_full, mavlink_nogps"),
        (["udp_full", "udp_simple"], "expected one mode .* got udp_full, udp_simple"),
    ],
)
def test_modes_that_are_not(modes, message):
    with pytest.raises(OptionError, match=message):
        served(modes)
