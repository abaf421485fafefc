"""Files from untrusted sources, and whole files or none."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pyrfly.campaign import read_campaign
from pyrfly.files import decoded, named_in_errors, replacing
from pyrfly.mission import read_mission
from pyrfly.vehicles import load, sets
from pyrfly.vehicles.entries import parse_toml

MARKED = ["utf-8", "utf-8-sig", "utf-16"]
WAYPOINTS = "x,y,z\n0,0,-5\n5,0,-5\n"


@pytest.mark.parametrize("encoding", MARKED)
def test_a_byte_order_mark_is_no_part_of_a_text(encoding):
    assert decoded("name = 'caf\u00e9'\n".encode(encoding)) == "name = 'caf\u00e9'\n"


def test_other_bytes_are_refused_or_replaced():
    with pytest.raises(UnicodeDecodeError):
        decoded(b"caf\xe9")
    assert decoded(b"caf\xe9", "replace") == "caf\ufffd"


@pytest.mark.parametrize("encoding", MARKED)
def test_files_of_all_kinds_may_begin_with_a_byte_order_mark(encoding, tmp_path):
    vehicle, campaign, mission = (tmp_path / name for name in ("a.toml", "b.toml", "c.csv"))
    packaged = Path(sets.__file__).parent / "multirotor" / "sets" / "x450.toml"
    vehicle.write_text(packaged.read_text(encoding="utf-8"), encoding=encoding)
    campaign.write_text("samples = 3\nmission = 'c.csv'\nvehicle = 'a.toml'\n", encoding=encoding)
    mission.write_text(WAYPOINTS, encoding=encoding)
    assert load(vehicle).columns["mass"] == load("x450").columns["mass"]
    assert len(read_campaign(campaign)) == 3
    assert len(read_mission(mission).items) == 4  # take-off, two waypoints, landing


def test_a_mark_alone_is_an_empty_document():
    assert parse_toml("a.toml", b"\xef\xbb\xbf") == {}


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), r"\[Errno 28\] No space left .*: 'a'$"),
        (OSError("a write failed"), "^a: a write failed$"),
        (FileNotFoundError(errno.ENOENT, "No such file", "b"), r"\[Errno 2\] No such file: 'b'$"),
    ],
)
def test_an_error_of_a_file_names_one(error, told):
    with pytest.raises(OSError, match=told), named_in_errors(Path("a")):
        raise error


def test_a_full_disk_leaves_the_former_file_and_names_it(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("former")

    def fill():
        with replacing(path) as temporary:
            temporary.write_text("part")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match=r"No space left on device: '.*a\.txt'"):
        fill()
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("a.txt", "former")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
def test_a_pipe_is_not_replaced(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(FileExistsError, match="Not a regular file"), replacing(path):
        pass
    assert path.is_fifo()


def test_a_file_that_cannot_be_begun_is_named_as_it_was_asked_for(tmp_path):
    path = tmp_path / "a.txt"

    def begin():
        with replacing(path) as temporary:
            raise OSError(errno.ENOSPC, "No space left on device", str(temporary))

    with pytest.raises(OSError, match=r"No space left on device: '.*/a\.txt'"):
        begin()
    assert list(tmp_path.iterdir()) == []
