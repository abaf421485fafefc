"""Counts of a server's links."""

import numpy as np
import pytest

from pyrfly.server import LinkStats
from pyrfly.server.link_stats import Count

NAMES = (
    "received accepted bad_length bad_checksum bad_id not_finite unknown unsupported "
    "unknown_bits replaced overflowed lapsed sent send_errors limited unsigned "
    "bad_sender refused lost"
).split()


def test_it_is_a_mapping_of_names_to_sums():
    stats = LinkStats(3)
    stats.add(Count.RECEIVED, [0, 2, 2])
    stats.add(Count.SENT, slice(None), 5)
    assert dict(stats) == {**dict.fromkeys(NAMES, 0), "received": 3, "sent": 15}
    assert len(stats) == len(NAMES)


def test_it_counts_per_vehicle():
    stats = LinkStats(3)
    stats.add(np.array([Count.BAD_ID, Count.ACCEPTED]), np.array([2, 0]))
    assert stats.per_vehicle("bad_id").tolist() == [0, 0, 1]
    assert stats.vehicle(1)["accepted"] == 1
    assert stats.vehicle(3) == {**dict.fromkeys(NAMES, 0), "bad_id": 1}


def test_what_it_returns_is_a_copy():
    stats = LinkStats(1)
    stats.per_vehicle("sent")[0] = 7
    assert stats["sent"] == 0


@pytest.mark.parametrize("copter_id", [0, 3, -1])
def test_a_vehicle_that_is_not_there_is_an_error(copter_id):
    with pytest.raises(ValueError, match="copter_id: expected 1 to 2"):
        LinkStats(2).vehicle(copter_id)


def test_a_name_that_is_not_there_is_a_key_error():
    with pytest.raises(KeyError):
        LinkStats(1)["dropped"]


def test_as_text_it_says_what_went_wrong_and_where():
    stats = LinkStats(10)
    stats.add(Count.RECEIVED, range(10))
    stats.add(Count.BAD_CHECKSUM, [1, 2, 3, 4, 5, 6, 6])
    text = str(stats)
    assert "10 vehicles" in text
    (line,) = (line for line in text.splitlines() if "bad_checksum" in line)
    assert line.split()[1] == "7"
    assert "vehicles 2, 3, 4, 5, 6, ..." in line
    assert "bad_length" not in text
