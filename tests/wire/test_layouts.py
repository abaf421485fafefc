"""Layouts of RflySim's packets against the published struct formats."""

from __future__ import annotations

import re
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pyrfly
from pyrfly import _core, wire
from pyrfly.columns import column_names
from pyrfly.mavlink import MESSAGES

# Format (B for bytes without meaning), length and first word of every structure [@rfly-sdk]. A bit
# mask that the vendor's own sender packs as int is unsigned here. Of netDataShort the inner
# structure is "2i1d27f3d" with the gap that aligns its last doubles.
PUBLISHED: dict[str, tuple[str, int, int | None]] = {
    "PX4SILIntFloat": ("10i20f", 120, 1234567897),
    "DllInDoubCtrls": ("2i28d", 232, 1234567897),
    "inCtrlExt1": ("10i20f", 120, 1234567801),
    "inCtrlExt2": ("10i20f", 120, 1234567802),
    "inCtrlExt3": ("10i20f", 120, 1234567803),
    "inCtrlExt4": ("10i20f", 120, 1234567804),
    "inCtrlExt5": ("10i20f", 120, 1234567805),
    "inCtrlExtDoub1": ("2i28d", 232, 1234567801),
    "inCtrlExtDoub2": ("2i28d", 232, 1234567802),
    "inCtrlExtDoub3": ("2i28d", 232, 1234567803),
    "inCtrlExtDoub4": ("2i28d", 232, 1234567804),
    "inCtrlExtDoub5": ("2i28d", 232, 1234567805),
    "PX4ModelInParams": ("iI32d", 264, 1234567891),
    "InitInParams": ("iI32d", 264, 1234567892),
    "PX4DynModiParams": ("iiQ64d", 528, 1234567893),
    "UEToCopterDataD": ("ii32d", 264, 1234567899),
    "Ue4RayTraceDrone": ("ii13f", 60, 1234567890),
    "Ue4Coll20d": ("ii20f", 88, 1234567880),
    "TerrainIn15d": ("ii20f", 88, 1234567881),
    "imuReqCopterSim": ("4H4B6f", 36, 12345),
    "PX4UorbRflyCtrl": ("2i2I16f", 80, 1234567896),
    "Ue4Req": ("2i", 8, 123450),
    "SOut2Simulator": ("4i24f7d", 168, 123456789),
    "SOut2SimulatorSimpleTime": ("6i14f4d", 112, 1234567891),
    "netDataShort": ("2i2i1d28f3d40B", 200, None),
    "outCopterStruct": ("ii32d", 264, 1234567890),
    "Ue4CMDGPS": ("ii3d", 32, 1234567890),
    "CopterSimCrash": ("3i", 12, 1234567890),
    "PX4ExtMsg": ("iid8f", 48, 1234567898),
    "inOffboardShortData": ("2i4f", 24, 1234567890),
    "inHILCMDData": ("2i4I16f32B", 120, None),
    "reboot": ("2i", 8, 987654321),
    "outHILStateData": ("2i2I14i12f", 120, None),
    "outHILStateShort": ("4i9f", 52, 1234567890),
    "VehileInfo60d": ("60d", 480, None),
    "MavHILSensor": ("Q13fI", 64, None),
    "HILSensor30d": ("30d", 240, None),
    "MavHILGPS": ("Q3i3H3hH2B", 36, None),
    "HILGPS30d": ("30d", 240, None),
    "ExtToUE4": ("16d", 128, None),
    "ExtToPX4": ("16f", 64, None),
    "RflyTimeStmp": ("2i3q", 32, 123456789),
    "startSignal": ("3i", 12, 1234567890),
    "reCopterSimMsg": ("2i4b4B4f2d", 48, 1234567),
    "CptSimCMD": ("4i48s", 64, 1234567895),
    "CustomData": ("ii16d", 136, 123456),
    "imuDataCopter": ("2i1d6f", 40, 1234567898),
    "Ue4CMD": ("i52s", 56, 1234567890),
    "Ue4CMDLong": ("i252s", 256, 1234567890),
    "Ue4ExtMsg": ("2i1d16d", 144, 1234567894),
    "reqVeCrashData": ("4i1d29f20s", 160, 1234567897),
    "CoptReqData": ("2i16f1d", 80, 1234567891),
    "CoptReqDataOld": ("2i12f1d", 64, 1234567891),
    "ObjReqData": ("2i16f1d32s", 112, 1234567891),
    "ObjReqDataOld": ("2i12f1d32s", 96, 1234567891),
    "CameraData": ("5i11f1d", 72, 1234567891),
    "CameraDataOld": ("5i7f1d", 56, 1234567891),
    "distSimNode": ("2i2H2B6B1i2Q32s", 72, 12345678),
}

every_structure = pytest.mark.parametrize("name", PUBLISHED)

VALUES = {
    "b": st.integers(-(2**7), 2**7 - 1),
    "B": st.integers(0, 2**8 - 1),
    "h": st.integers(-(2**15), 2**15 - 1),
    "H": st.integers(0, 2**16 - 1),
    "i": st.integers(-(2**31), 2**31 - 1),
    "I": st.integers(0, 2**32 - 1),
    "q": st.integers(-(2**63), 2**63 - 1),
    "Q": st.integers(0, 2**64 - 1),
    "f": st.floats(width=32, allow_nan=False),
    "d": st.floats(allow_nan=False),
}


def items(text: str) -> list[str]:
    """Return the single items of a format: "2i3s" has "i", "i", "3s"."""
    found = []
    for count, kind in re.findall(r"(\d*)([a-zA-Z])", text):
        found += [count + kind] if kind == "s" else [kind] * int(count or 1)
    return found


def values_of(text: str) -> st.SearchStrategy[tuple[Any, ...]]:
    """Return values that fit a format; texts without zeros at their end, which NumPy drops."""
    return st.tuples(
        *(
            st.binary(max_size=int(item[:-1])).map(lambda b: b.rstrip(b"\0"))
            if item[-1] == "s"
            else VALUES[item]
            for item in items(text)
        )
    )


def flat(record: np.void) -> list[Any]:
    """Return the numbers of a record in the order of its fields."""
    found: list[Any] = []
    for field in record.dtype.names or ():
        value = record[field]
        found += [value.item()] if value.ndim == 0 else value.tolist()
    return found


def same(got: list[Any], packed: bytes, text: str) -> bool:
    """Return whether values are those of the bytes, where "3s" has lost the zeros at its end."""
    expected = [v.rstrip(b"\0") if isinstance(v, bytes) else v for v in struct.unpack(text, packed)]
    return got == expected


def test_every_structure_is_tested() -> None:
    assert set(PUBLISHED) == set(wire.LAYOUTS)


@every_structure
def test_sizes_are_those_published(name: str) -> None:
    text, size, _ = PUBLISHED[name]
    assert struct.calcsize("<" + text) == size
    assert wire.dtype(name).itemsize == size
    assert wire.LAYOUTS[name].dtype is wire.dtype(name)
    assert wire.LAYOUTS[name].name == name


@every_structure
def test_types_and_offsets_are_those_of_the_format(name: str) -> None:
    kinds = {
        "b": "i1",
        "B": "u1",
        "h": "<i2",
        "H": "<u2",
        "i": "<i4",
        "I": "<u4",
        "q": "<i8",
        "Q": "<u8",
    }
    kinds |= {"f": "<f4", "d": "<f8"}
    expected, offset = [], 0
    for item in items(PUBLISHED[name][0]):
        kind = np.dtype("S" + item[:-1] if item[-1] == "s" else kinds[item])
        expected.append((offset, kind))
        offset += kind.itemsize
    got = []
    for field, start in wire.dtype(name).fields.values():
        width = int(np.prod(field.shape))
        got += [(start + k * field.base.itemsize, field.base) for k in range(width)]
    assert got == expected


@every_structure
@settings(max_examples=5)
@given(data=st.data())
def test_values_go_both_ways(name: str, data: st.DataObject) -> None:
    text = "<" + PUBLISHED[name][0]
    packed = struct.pack(text, *data.draw(values_of(text[1:])))
    record = np.frombuffer(packed, wire.dtype(name))[0]
    assert same(flat(record), packed, text)
    assert record.tobytes() == packed
    assert struct.pack(text, *flat(record)) == packed


@every_structure
def test_a_blank_packet_has_its_first_words(name: str) -> None:
    _, size, checksum = PUBLISHED[name]
    headers = {"inHILCMDData": (3, 80), "outHILStateData": (-1, 112), "netDataShort": (-1, 152)}
    head = struct.pack("<2i", *headers[name]) if name in headers else b""
    if checksum is not None:
        head = struct.pack("<H" if name == "imuReqCopterSim" else "<i", checksum)
    assert wire.blank(name, 2)[1].tobytes() == head + bytes(size - len(head))


def test_published_offsets_of_the_true_state() -> None:
    fields = wire.dtype("SOut2Simulator").fields
    assert {name: fields[name][1] for name in fields if name != "checksum"} == {
        "copterID": 4,
        "vehicleType": 8,
        "reserve": 12,
        "VelE": 16,
        "AngEuler": 28,
        "AngQuatern": 40,
        "MotorRPMS": 56,
        "AccB": 88,
        "RateB": 100,
        "runnedTime": 112,
        "PosE": 120,
        "PosGPS": 144,
    }


def test_fields_of_states_come_from_columns_that_exist() -> None:
    """A column of a wrong name would be sent as zeros."""
    rows = [row for *_, fields in _core.wire_structures() for row in fields]
    sources = {column for *_, columns in rows for column in columns}
    assert sources - column_names() == {"actuators"}  # the first inputs, of any name


@pytest.mark.parametrize("name", ["HIL_SENSOR", "HIL_GPS"])
def test_measurements_are_payloads_of_mavlink(name: str) -> None:
    """The dtype of a message is checked against MAVLink's checksums of its definition."""
    fields = next(fields for row, _, fields in _core.wire_structures() if row == name)
    assert np.dtype([(field, "<" + kind) for field, kind, *_ in fields]) == MESSAGES[name].dtype
    assert wire.pack(pyrfly.Sim("x450"), name).dtype == MESSAGES[name].dtype


@every_structure
def test_every_field_has_a_meaning(name: str) -> None:
    layout = wire.LAYOUTS[name]
    assert list(layout.meanings) == list(layout.dtype.names or ())
    assert all(layout.meanings.values())


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        wire.LAYOUTS["reboot"] = wire.LAYOUTS["Ue4Req"]  # type: ignore[index]


def test_an_unknown_structure_is_named_in_the_error() -> None:
    with pytest.raises(ValueError, match=r"name: expected one of .*SOut2Simulator.*, got 'sout'"):
        wire.dtype("sout")


@pytest.mark.parametrize(("kind", "checksum"), [("ekf_fixed", 1234567891), ("crash", 1234567892)])
def test_notices_are_short_states_with_another_checksum(kind: str, checksum: int) -> None:
    packets = wire.notice(kind, [0, 7])
    hit = (0, 7) if kind == "crash" else (0, 0)
    for packet, number in zip(packets, hit, strict=True):
        assert packet.tobytes() == struct.pack("<4i9f", checksum, 0, number, 0, *[0] * 9)
        assert wire.parse("state", packet.tobytes()).name == "outHILStateShort"


def test_one_notice_needs_no_list() -> None:
    assert wire.notice("crash", 3)["gpsHome"].tolist() == [[0, 3, 0]]


def test_an_unknown_notice_is_refused() -> None:
    with pytest.raises(ValueError, match="kind: expected one of ekf_fixed, crash, got 'fire'"):
        wire.notice("fire", 1)
