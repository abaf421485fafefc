"""Who may command from the network."""

from __future__ import annotations

import logging
import socket

import numpy as np
import pytest

from pyrfly.transport import OptionError, Senders
from pyrfly.transport.datagrams import address_number

ANY = "0.0.0.0"


@pytest.mark.parametrize(
    ("peers", "allow", "may"),
    [
        (["203.0.113.1"], [], ["203.0.113.1"]),
        (["203.0.113.1"], ["203.0.113.2"], ["203.0.113.2"]),
        (["127.0.0.1"], ["203.0.113.2/30"], ["203.0.113.1", "203.0.113.2"]),
        (["203.0.113.255"], [], []),
        (["127.0.0.1"], ["127.0.0.1"], []),
        (["127.0.0.1"], ["0.0.0.0/0"], ["203.0.113.1", "203.0.113.2", "203.0.113.9", "0.0.0.0"]),
    ],
)
def test_this_machine_and_who_is_named_may_command(peers, allow, may):
    senders = Senders(peers, allow, ANY)
    far = ["203.0.113.1", "203.0.113.2", "203.0.113.9", "0.0.0.0"]
    assert [ip for ip in far if senders.may(ip)] == may
    assert senders.may("127.0.0.1")
    assert senders.may("127.3.2.1")


def test_an_interface_of_this_machine_is_this_machine():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("203.0.113.1", 9))
        except OSError:
            pytest.skip("no network")
        own = probe.getsockname()[0]
    assert Senders().may(own)
    assert not Senders().may("203.0.113.1")


def test_senders_of_many_packets_are_told_apart():
    senders = Senders(["203.0.113.1"], host=ANY)
    ips = ["203.0.113.1", "203.0.113.2", "127.0.0.1", "203.0.113.2", "203.0.113.1"]
    origins = np.array([address_number((ip, 5000 + row)) for row, ip in enumerate(ips)])
    assert senders.may_all(origins).tolist() == [True, False, True, False, True]
    assert senders.may_all(origins[:0]).tolist() == []


@pytest.mark.parametrize(
    ("peer", "allow", "words"),
    [
        ("203.0.113.1", [], "this machine and 203.0.113.1"),
        ("203.0.113.1", ["127.0.0.1"], "this machine alone"),
        (
            "203.0.113.1",
            ["203.0.113.7/24", "10.0.0.1"],
            "this machine, 203.0.113.0/24 and 10.0.0.1",
        ),
        ("255.255.255.255", [], "this machine alone"),
        ("224.0.0.10", [], "this machine alone"),
    ],
)
def test_it_says_who_may(peer, allow, words):
    assert str(Senders([peer], allow, ANY)) == words


def test_the_first_that_may_not_is_logged(caplog):
    senders = Senders()
    with caplog.at_level(logging.WARNING):
        assert not any(map(senders.may, ["203.0.113.1", "203.0.113.2"]))
    (message,) = caplog.messages
    assert "203.0.113.1" in message
    assert "--allow" in message


@pytest.mark.parametrize(
    ("allow", "host", "message"),
    [
        ("203.0.113.1", ANY, "allow: expected addresses"),
        ([7], ANY, "allow: expected an IPv4 address or ADDRESS/BITS, got 7"),
        (["203.0.113.1/33"], ANY, "allow: expected an IPv4"),
        (["203.0.113.1/0.0.0.255"], ANY, "allow: expected an IPv4"),
        (["203.0.113"], ANY, "allow: expected an IPv4"),
        (["station"], ANY, "allow: expected an IPv4"),
        (["203.0.113.1"], "127.0.0.1", r"allow: 203\.0\.113\.1 cannot reach host 127"),
    ],
)
def test_what_is_no_address_or_cannot_reach_the_host_is_refused(allow, host, message):
    with pytest.raises(OptionError, match=message):
        Senders(["127.0.0.1"], allow, host)
