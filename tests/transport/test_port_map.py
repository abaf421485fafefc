"""Ports that are the same, or that other programs may take."""

import pytest

from pyrfly.transport import OptionError, PortUse, check_ports, port_map, rflysim_series, span


@pytest.fixture(autouse=True)
def system(tmp_path, monkeypatch):
    """Return a function that sets the system's ranges; by default none that matter."""

    def ranges(ephemeral: str, reserved: str = "\n") -> None:
        for name, text in (("EPHEMERAL", ephemeral), ("RESERVED", reserved)):
            (tmp_path / name).write_text(text)
            monkeypatch.setattr(port_map, name, tmp_path / name)

    ranges("60000\t60999\n")
    return ranges


def rflysim(n: int) -> list[PortUse]:
    """Return what RflySim's ports of vehicles are for."""
    uses = [PortUse("IMU", 31000, 1, n)]
    for name, port, step, to, to_step, *_ in rflysim_series(n):
        uses += [PortUse(name, port, step, n, listens=True)]
        uses += [PortUse(f"from {name}", to or 0, to_step, n)]
    return uses


def test_few_vehicles_have_nothing_to_tell():
    assert check_ports(rflysim(450)) == []


def test_the_451st_listens_where_the_first_imu_is_sent_to():
    heard, sent = check_ports(rflysim(451))
    assert "port 31000 (sil, vehicle 451) is listened on here" in heard
    assert "packets are sent to port 31000 (IMU, vehicle 1)" in heard
    assert "programs on this machine cannot receive" in heard
    assert "to port 31001 (IMU, vehicle 2) and to port 31001 (from sil, vehicle 451)" in sent


def test_vehicles_are_named_by_their_copterid():
    one = PortUse("one", 2000, 2, 9, listens=True, first_id=11)
    (notice,) = check_ports([one, PortUse("other", 2004)])
    assert notice.startswith("port 2004 (one, vehicle 13) is listened on here")


def test_packets_for_others_may_go_to_a_port_that_is_listened_on_here():
    listened, sent = check_ports(rflysim(500)), check_ports(rflysim(500), peers_here=False)
    assert len(listened) == 2
    assert sent == [
        "packets are sent to ports 31001 to 31099 (IMU, vehicles 2 to 100) and to ports 31001 to "
        "31099 (from sil, vehicles 451 to 500): who listens there receives both"
    ]
    assert sent[0] in listened


@pytest.mark.parametrize(
    "other", [PortUse("b", 2003, listens=True), PortUse("b", 2000, 3, 2, True)]
)
def test_a_port_cannot_be_listened_on_twice(other):
    with pytest.raises(OptionError, match=r"\(a, vehicles? .*\) would be the same as ports? .*\(b"):
        check_ports([PortUse("a", 2000, 1, 9, listens=True), other])


@pytest.mark.parametrize(("use", "wrong"), [((0,), 0), ((65535, 2, 2), 65537), ((9, -5, 3), -1)])
def test_a_port_that_is_none_is_an_error(use, wrong):
    with pytest.raises(OptionError, match=rf"a: expected ports of 1 to 65535, got {wrong}$"):
        check_ports([PortUse("a", *use)])


def test_all_vehicles_may_send_to_one_port_but_not_listen_on_it():
    assert check_ports([PortUse("stations", 14550, 0, 9)]) == []
    with pytest.raises(OptionError, match="a port of its own for each of 9 vehicles"):
        check_ports([PortUse("stations", 14550, 0, 9, listens=True)])


def test_ports_that_the_system_gives_to_any_program_are_told(system):
    """40100 and more of RflySim are among those of Linux, 32768 to 60999."""
    system("32768\t60999\n")
    topics = PortUse("topics", 40100, 2, 10, listens=True)
    (notice,) = check_ports([topics, PortUse("from topics", 40101, 2, 10)])
    assert notice.startswith("ports 40100 to 40118 (topics, vehicles 1 to 10) may be taken")
    assert "ip_local_reserved_ports=40100-40118" in notice


def test_a_series_may_be_partly_within_those_of_the_system(system):
    system("32768\t60999\n")
    (notice,) = check_ports([PortUse("inputs", 30100, 2, 1335, listens=True)])
    assert notice.startswith("port 32768 (inputs, vehicle 1335) may be taken")
    assert "ip_local_reserved_ports=32768 keeps" in notice


@pytest.mark.parametrize(
    "reserved", ["40100-40118\n", "8080,40000-40200,50000", "40100,40102-40118"]
)
def test_ports_that_are_reserved_are_not(system, reserved):
    system("32768\t60999\n", reserved)
    assert check_ports([PortUse("topics", 40100, 2, 10, listens=True)]) == []


@pytest.mark.parametrize("content", ["", "many", "1 2 3"])
def test_a_system_that_does_not_tell_is_not_asked(system, content):
    system(content, content)
    assert check_ports([PortUse("topics", 40100, 2, 10, listens=True)]) == []


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([5], "port 5"),
        ([5, 6], "ports 5 to 6"),
        (range(100, 110, 3), "ports 100 to 109"),
        ([38531, 37113], "ports 38531, 37113"),
        ([1, 2, 4], "ports 1, 2, 4"),
        ([3, 1, *range(7, 100)], "ports 3, 1, 7, 8, 9, 10, 11, 12, ..."),
    ],
)
def test_numbers_in_words(numbers, words):
    assert span("port", numbers) == words
