"""ULog files whose types expand to very much, and damaged ones, are refused before they do."""

import struct
import time
from types import SimpleNamespace

import pytest

from pyrfly.log import Log
from pyrfly.log.ulog_formats import expanded_size

POSITION = "vehicle_local_position"


def message(kind, content):
    return struct.pack("<Hc", len(content), kind.encode()) + content


def of_formats(*formats, logged=(POSITION,)):
    """Return a ULog file with types, and topics without data [@px4-guide "ULog File Format"]."""
    parts = [b"ULog\x01\x125\x01" + bytes(8), message("B", bytes(40))]
    parts += [message("F", text.encode()) for text in formats]
    parts += [
        message("A", struct.pack("<BH", 0, number) + name.encode())
        for number, name in enumerate(logged)
    ]
    return b"".join(parts)


NESTED = ["t0:uint64_t timestamp;float x", *(f"t{i}:t{i - 1}[9] a" for i in range(1, 12))]
DEEP = ["t0:float x", *(f"t{i}:t{i - 1} a;t{i - 1} b" for i in range(1, 60))]
EMPTY = ["t0:", *(f"t{i}:t{i - 1}[60000] a" for i in range(1, 10))]
LONG = [f"t0:float[60000] {'x' * 60_000}"]


@pytest.mark.parametrize(
    ("formats", "kind", "words"),
    [
        (NESTED, "t11", "arrays of at most 100 MB"),
        (EMPTY, "t9", "arrays of at most 100 MB"),
        (LONG, "t0", "arrays of at most 100 MB"),
        (DEEP, "t59", "types in one another up to 16 deep"),
        (["t0:t1 a", "t1:t0 a;t0 b"], "t0", "types in one another up to 16 deep"),
    ],
)
def test_types_that_expand_to_very_much_are_refused_at_once(formats, kind, words, tmp_path):
    path = tmp_path / "a.ulg"
    path.write_bytes(of_formats(*formats, f"{POSITION}:uint64_t timestamp;{kind} x"))
    begin = time.process_time()
    with pytest.raises(ValueError, match=rf"a\.ulg: expected a ULog file: {words}"):
        Log.load(path)
    assert time.process_time() - begin < 2.0


def test_a_type_that_is_logged_very_often_is_refused(tmp_path):
    path = tmp_path / "a.ulg"
    fields = f"{POSITION}:uint64_t timestamp;float[1000] x"
    path.write_bytes(of_formats(fields, logged=[POSITION] * 200))
    with pytest.raises(ValueError, match="arrays of at most 100 MB"):
        Log.load(path)


def test_a_type_has_the_size_of_its_fields_and_their_names():
    def size(fields, times=1):
        inner = SimpleNamespace(fields=[("float", 2, "ab")])
        types = {"t": inner, "a": SimpleNamespace(fields=fields)}
        return expanded_size(b"\4\0A\0\0\0a" * times, types)

    flat = size([("float", 0, "x")])
    assert flat == 2 * 1000 + 9  # itself and a field
    assert size([("float", 0, "x")], 3) == 3 * flat
    # itself, three of t and their two fields
    assert size([("t", 3, "x")]) == 10 * 1000 + 3 * (2 * 10 + 3 * 9)
    assert expanded_size(b"\4\0A\0\0\0a", {}) == 0


def test_a_topic_is_held_at_no_more_times_than_its_file_allows(tmp_path, monkeypatch):
    path = tmp_path / "a.ulg"
    wide = "pyrfly_wide:uint64_t timestamp;float[500] x"
    place = f"{POSITION}:uint64_t timestamp;float x;float y;float z"
    data = of_formats(place, wide, logged=(POSITION, "pyrfly_wide"))
    data += message("D", struct.pack("<HQ", 1, 0) + bytes(2000))
    data += b"".join(message("D", struct.pack("<HQ3f", 0, i, 0, 0, 0)) for i in range(2000))
    path.write_bytes(data)
    assert Log.load(path)["wide"].shape == (2000, 1, 500)
    monkeypatch.setattr("pyrfly.log.ulog_formats._FIELD", 0)
    monkeypatch.setattr("pyrfly.log.untrusted._SMALL", 1000)
    with pytest.raises(ValueError, match=r"arrays of at most \d MB, got 8 MB"):
        Log.load(path)


@pytest.mark.parametrize(
    "data",
    [
        # it goes back by more than it has read
        of_formats(f"{POSITION}:uint64_t timestamp")[:16] + struct.pack("<Hc", 60_000, b"L"),
        of_formats(f"{POSITION}:uint64_t timestamp;no_type x"),
        of_formats(f"{POSITION}:uint64_t[-1] timestamp"),
    ],
)
def test_a_damaged_file_is_named_and_nothing_is_printed(data, tmp_path, capfd):
    path = tmp_path / "a.ulg"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"a\.ulg: expected a ULog file: "):
        Log.load(path)
    assert capfd.readouterr() == ("", "")
