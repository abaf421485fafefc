"""Parameters over MAVLink, seen from a station that decodes with pymavlink."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymavlink.dialects.v20 import common as mavlink

from pyrfly.autopilot.parameter_table import PARAMETERS, SET_DEFAULTS, parameters_of
from pyrfly.autopilot.parameters import ParameterLink, Parameters
from pyrfly.errors import ParameterError
from pyrfly.vehicles import FAMILIES

Make = Callable[..., Any]
# As by default, which takes two seconds to be made.
CHARACTERS = st.characters(exclude_categories=["Cs"])
MULTIROTOR = FAMILIES["multirotor"].abilities
PLAIN = MULTIROTOR._replace(px4={})
DEFAULTS = {**SET_DEFAULTS, **FAMILIES["multirotor"].px4_airframe.defaults}
LISTED = list(parameters_of(MULTIROTOR))
INT32, REAL32, UINT32 = (
    mavlink.MAV_PARAM_TYPE_INT32,
    mavlink.MAV_PARAM_TYPE_REAL32,
    mavlink.MAV_PARAM_TYPE_UINT32,
)


@pytest.fixture
def parameters() -> Parameters:
    return Parameters([(MULTIROTOR, 3)], DEFAULTS)


@pytest.fixture
def link(parameters: Parameters) -> ParameterLink:
    return ParameterLink(parameters, vehicle=1, system=1)


def number(message: Any) -> float:
    """Return the value of a PARAM_VALUE, of which integers are sent as their bytes."""
    code = {INT32: "<i", UINT32: "<I", REAL32: "<f"}[message.param_type]
    value: float = struct.unpack(code, struct.pack("<f", message.param_value))[0]
    return value


def station_crc(values: list[Any]) -> int:
    """Return the checksum that a station computes from the values it has, bit by bit."""
    crc = 0
    for value in values:
        data = value.param_id.encode() + struct.pack("<f", value.param_value)
        for byte in data:
            crc ^= byte
            for _ in range(8):
                crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
    return crc


def whole_list(link: ParameterLink, sent: Make, decoded: Make) -> list[Any]:
    link.handle(sent("PARAM_REQUEST_LIST"), 0.0)
    replies = [reply for tick in range(1000) for reply in link.due(0.005 * tick)]
    return [decoded(reply) for reply in replies]


# --- list --------------------------------------------------------------------------------------


def test_the_list_has_every_parameter_once_with_its_index(
    link: ParameterLink, sent: Make, decoded: Make
) -> None:
    first, *values = whole_list(link, sent, decoded)
    assert first.param_id == "_HASH_CHECK"
    assert (first.param_type, first.param_index) == (UINT32, 65535)
    assert [v.param_id for v in values] == sorted(LISTED)
    assert [v.param_index for v in values] == list(range(len(LISTED)))
    assert {v.param_count for v in [first, *values]} == {len(LISTED)}


def test_the_checksum_is_that_of_the_received_values(
    link: ParameterLink, parameters: Parameters, sent: Make, decoded: Make
) -> None:
    first, *values = whole_list(link, sent, decoded)
    assert parameters.checksum(1) == station_crc(values)
    assert number(first) == parameters.checksum(1)


def test_the_checksum_changes_with_any_value(parameters: Parameters) -> None:
    before = parameters.checksum(0)
    parameters.set(0, "RTL_RETURN_ALT", 31.0)
    assert parameters.checksum(0) != before == parameters.checksum(1)


def test_integers_arrive_exactly(link: ParameterLink, sent: Make, decoded: Make) -> None:
    values = {v.param_id: v for v in whole_list(link, sent, decoded)}
    assert number(values["CAL_ACC0_ID"]) == 1310988
    assert number(values["CAL_MAG3_ROT"]) == -1
    assert number(values["SYS_AUTOSTART"]) == 10016


def test_a_list_is_spread_over_time(link: ParameterLink, sent: Make) -> None:
    assert link.due(0.0) == []
    assert link.handle(sent("PARAM_REQUEST_LIST"), 0.0) == []
    assert len(link.due(0.0)) == 20
    assert link.due(0.005) == []
    assert len(link.due(0.01)) == 20


def test_a_list_that_is_requested_again_starts_again_without_the_checksum(
    link: ParameterLink, sent: Make
) -> None:
    link.handle(sent("PARAM_REQUEST_LIST"), 0.0)
    link.due(0.0)
    link.handle(sent("PARAM_REQUEST_LIST"), 0.1)
    assert link.due(0.1)[0].fields["param_index"] == 0


def test_a_station_with_a_valid_cache_stops_the_list(link: ParameterLink, sent: Make) -> None:
    link.handle(sent("PARAM_REQUEST_LIST"), 0.0)
    link.due(0.0)
    checksum = sent("PARAM_SET", param_id="_HASH_CHECK", param_value=0.0, param_type=UINT32)
    assert link.handle(checksum, 0.01) == []
    assert link.due(1.0) == []


# --- single values -----------------------------------------------------------------------------


def test_a_value_is_read_by_name_or_index(link: ParameterLink, sent: Make, decoded: Make) -> None:
    index = LISTED.index("COM_OF_LOSS_T")
    by_name = sent("PARAM_REQUEST_READ", param_id="COM_OF_LOSS_T", param_index=-1)
    by_index = sent("PARAM_REQUEST_READ", param_id="", param_index=index)
    for request in (by_name, by_index):
        (value,) = (decoded(reply) for reply in link.handle(request, 0.0))
        assert (value.param_id, number(value)) == ("COM_OF_LOSS_T", 1.0)
        assert value.param_index == index


def test_the_checksum_is_read_by_name(
    link: ParameterLink, parameters: Parameters, sent: Make, decoded: Make
) -> None:
    request = sent("PARAM_REQUEST_READ", param_id="_HASH_CHECK", param_index=-1)
    (value,) = (decoded(reply) for reply in link.handle(request, 0.0))
    assert number(value) == parameters.checksum(1)


@pytest.mark.parametrize(
    ("name", "index"),
    [("NOT_THERE", -1), ("", len(LISTED)), ("NAME_OF_16_CHARS", -1), ("RO_SPEED_LIM", -1)],
)
def test_an_unknown_parameter_is_answered_by_a_text(
    link: ParameterLink, sent: Make, decoded: Make, name: str, index: int
) -> None:
    request = sent("PARAM_REQUEST_READ", param_id=name, param_index=index)
    (told,) = (decoded(reply) for reply in link.handle(request, 0.0))
    named = f"[pm] unknown param: {name}" if index < 0 else f"[pm] unknown param ID: {index}"
    assert (told.text, told.severity) == (named, mavlink.MAV_SEVERITY_INFO)
    unknown = sent("PARAM_SET", param_id=name, param_value=1.0, param_type=REAL32)
    (told,) = (decoded(reply) for reply in link.handle(unknown, 0.0))
    assert told.text == f"[pm] unknown param: {name}"


def bytewise(value: int) -> float:
    return float(struct.unpack("<f", struct.pack("<i", value))[0])


@pytest.mark.parametrize(
    ("name", "kind", "on_wire", "value"),
    [
        ("MIS_TAKEOFF_ALT", REAL32, 7.5, 7.5),
        ("NAV_DLL_ACT", INT32, bytewise(2), 2),
        ("CAL_MAG0_ROT", INT32, bytewise(-1), -1),
        ("BAT1_N_CELLS", INT32, bytewise(6), 6),
    ],
)
def test_a_value_that_is_set_is_acknowledged_and_recorded(
    link: ParameterLink,
    parameters: Parameters,
    sent: Make,
    decoded: Make,
    name: str,
    kind: int,
    on_wire: float,
    value: float,
) -> None:
    request = sent("PARAM_SET", param_id=name, param_value=on_wire, param_type=kind)
    (answer,) = (decoded(reply) for reply in link.handle(request, 0.0))
    assert (answer.param_id, number(answer)) == (name, value)
    assert parameters.get(1, name) == value
    assert parameters.changed == {(1, name)}
    assert Parameters([(MULTIROTOR, 1)], DEFAULTS).get(0, name) == parameters.get(0, name)


@pytest.mark.parametrize(
    ("name", "kind", "on_wire"),
    [
        ("MIS_TAKEOFF_ALT", REAL32, math.nan),
        ("MIS_TAKEOFF_ALT", REAL32, math.inf),
        ("COM_DISARM_LAND", REAL32, -math.inf),
        ("MPC_XY_VEL_MAX", REAL32, 1000.0),
        ("MPC_XY_VEL_MAX", REAL32, -1.0),
        ("NAV_DLL_ACT", INT32, bytewise(77)),
        ("NAV_DLL_ACT", INT32, 2.0),  # a number instead of its bytes
    ],
)
def test_an_invalid_value_is_answered_with_the_old_one(
    link: ParameterLink,
    parameters: Parameters,
    sent: Make,
    decoded: Make,
    name: str,
    kind: int,
    on_wire: float,
) -> None:
    old = parameters.get(1, name)
    request = sent("PARAM_SET", param_id=name, param_value=on_wire, param_type=kind)
    (answer,) = (decoded(reply) for reply in link.handle(request, 0.0))
    assert number(answer) == parameters.get(1, name) == old
    assert parameters.changed == set()


@pytest.mark.parametrize(("name", "kind"), [("MIS_TAKEOFF_ALT", INT32), ("NAV_DLL_ACT", REAL32)])
def test_another_type_is_refused_without_an_answer(
    link: ParameterLink, parameters: Parameters, sent: Make, name: str, kind: int
) -> None:
    request = sent("PARAM_SET", param_id=name, param_value=2.0, param_type=kind)
    assert link.handle(request, 0.0) == []
    assert parameters.changed == set()


@pytest.mark.parametrize("limit", ["low", "high"])
def test_both_limits_of_a_range_are_accepted(
    link: ParameterLink, parameters: Parameters, sent: Make, limit: str
) -> None:
    for row in parameters.rows(1):
        value = getattr(row, limit)
        if row.kind == "REAL32" and math.isfinite(value):
            request = sent("PARAM_SET", param_id=row.name, param_value=value, param_type=REAL32)
            link.handle(request, 0.0)
            assert parameters.get(1, row.name) == pytest.approx(value, rel=1e-7)


@pytest.mark.parametrize(("system", "component"), [(2, 1), (0, 1), (1, 2)])
def test_messages_to_others_are_ignored(
    link: ParameterLink, sent: Make, system: int, component: int
) -> None:
    address = {"target_system": system, "target_component": component}
    link.handle(sent("PARAM_REQUEST_LIST", **address), 0.0)
    assert link.due(0.0) == []
    request = sent("PARAM_REQUEST_READ", param_id="MAV_TYPE", param_index=-1, **address)
    assert link.handle(request, 0.0) == []


@settings(max_examples=30)
@given(
    name=st.one_of(st.sampled_from(sorted(PARAMETERS)), st.text(CHARACTERS, max_size=16)),
    value=st.floats(width=32),
    kind=st.integers(0, 255),
    index=st.integers(-(2**15), 2**15 - 1),
)
def test_no_message_breaks_it(name: str, value: float, kind: int, index: int) -> None:
    parameters = Parameters([(MULTIROTOR, 1)])
    link = ParameterLink(parameters, 0, system=1)
    raw = name.encode()[:16]
    link.handle(mavlink.MAVLink_param_set_message(1, 1, raw, value, kind), 0.0)
    link.handle(mavlink.MAVLink_param_request_read_message(1, 1, raw, index), 0.0)
    for row, stored in zip(parameters.rows(0), parameters.own(0), strict=True):
        if math.isnan(row.default) and math.isnan(stored):
            continue  # a value that vehicles set at the start
        assert row.low - 1e-6 <= stored <= row.high + 1e-6


# --- values and table --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("MIS_TAKEOF_ALT", 3.0, "such as MIS_TAKEOFF_ALT"),
        ("MPC_XY_VEL_MAX", 1e300, "expected 0.1..20 m/s, got 1e+300"),
        ("NAV_DLL_ACT", 1.5, "expected a whole number 0..6, got 1.5"),
        ("NAV_DLL_ACT", math.nan, "got nan"),
    ],
)
def test_the_owner_is_told_what_is_wrong(name: str, value: float, said: str) -> None:
    with pytest.raises(ParameterError) as caught:
        Parameters([(MULTIROTOR, 1)]).set(0, name, value)
    assert said in str(caught.value)
    with pytest.raises(ParameterError):
        Parameters([(MULTIROTOR, 1)], {name: value})


def test_names_fit_into_messages_and_defaults_into_ranges() -> None:
    for row in PARAMETERS.values():
        assert len(row.name) <= 16
        if not math.isnan(row.default):
            assert row.low <= row.default <= row.high
        if row.kind == "INT32":
            assert row.default == int(row.default)


@pytest.mark.parametrize("family", FAMILIES)
def test_set_defaults_are_valid(family: str) -> None:
    airframe = FAMILIES[family].px4_airframe
    defaults = {**SET_DEFAULTS, **airframe.defaults}
    parameters = Parameters([(FAMILIES[family].abilities, 1)], defaults)
    assert all(parameters.get(0, name) == value for name, value in defaults.items())
    for kind in airframe.types.values():
        parameters.set(0, "MAV_TYPE", kind)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_a_family_has_its_own_parameters_and_those_of_all(family: Any) -> None:
    rows = parameters_of(family.abilities)
    assert list(rows) == sorted(rows)
    assert rows.keys() >= family.abilities.px4.keys() | {
        "NAV_ACC_RAD",
        "MPC_XY_VEL_MAX",
        "BAT1_N_CELLS",
    }
    others = {name for f in FAMILIES.values() if f is not family for name in f.abilities.px4}
    assert not {name for name in others - family.abilities.px4.keys() if name in rows} - SHARED
    for name, known in family.abilities.px4.items():
        row = rows[name]
        assert (row.low, row.high, row.unit) == (known.low, known.high, known.unit)
        assert row.effect == "vehicle"


SHARED = {
    *("MIS_TAKEOFF_ALT", "MPC_TKO_SPEED", "MPC_LAND_SPEED", "MPC_XY_VEL_MAX"),
    *("MPC_Z_VEL_MAX_UP", "MPC_Z_VEL_MAX_DN"),
    *("FW_AIRSPD_MIN", "FW_AIRSPD_MAX", "FW_AIRSPD_TRIM", "NAV_LOITER_RAD"),
}
"""Parameters of one family that the vehicles of others store, as modes or stations read them."""

OWN = MULTIROTOR.px4.keys() - SHARED


def test_a_vehicle_has_no_parameters_of_other_families() -> None:
    parameters = Parameters([(PLAIN, 1), (MULTIROTOR, 1)])
    parameters.set(1, "MC_YAWRATE_MAX", 90.0)
    assert parameters.get(1, "MC_YAWRATE_MAX") == 90.0
    with pytest.raises(ParameterError, match="got 'MC_YAWRATE_MAX'"):
        parameters.get(0, "MC_YAWRATE_MAX")
    with pytest.raises(ParameterError, match="got 'MC_YAWRATE_MAX'"):
        parameters.set(0, "MC_YAWRATE_MAX", 90.0)
    assert math.isnan(parameters.column("MC_YAWRATE_MAX")[0])
    assert len(parameters.rows(0)) == len(parameters.own(0)) == len(LISTED) - len(OWN)
    assert parameters.checksum(0) != parameters.checksum(1)


def test_families_that_have_a_parameter_in_common_have_its_range_in_common() -> None:
    entries = [
        (name, *p[3:]) for family in FAMILIES.values() for name, p in family.abilities.px4.items()
    ]
    assert len({name for name, *_ in entries}) == len(set(entries))
