"""Packets of settings, and of what programs exchange: what they request."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from pyrfly.server.orders import (
    Crash,
    CustomNumbers,
    HeartbeatRequest,
    MapChange,
    ModeRequest,
    Origin,
    Place,
    StartSignal,
)

INF, NAN = math.inf, math.nan
STAYS, LOCAL, ORIGIN, GLOBAL, GPS_MODE, XY_MODE = range(6)


def setting(what=STAYS, xy=(0.0, 0.0), last=0.0, zrp=None, asks=-1, mode=-1, copter_id=1) -> bytes:
    z, roll, pitch = zrp or (0.0, 0.0, 0.0)
    flags = (asks, what, int(zrp is not None), mode)
    return struct.pack("<2i4b4x4f2d", 1234567, copter_id, *flags, z, roll, pitch, last, *xy)


def test_a_start_is_a_place_and_a_heading(received):
    found = received(
        "reCopterSimMsg",
        setting(LOCAL, (1.5, -2.5), 90),
        setting(GLOBAL, (40.5, 116.25), -45, copter_id=2),
        setting(LOCAL, (1, 2), 0, (-3, 0, 0), copter_id=3),
        setting(zrp=(-4, 0, 0), copter_id=4),
    )
    action = found.only
    assert isinstance(action, Place)
    assert action.ids.tolist() == [1, 2, 3, 4]
    np.testing.assert_array_equal(
        action.pos, [(1.5, -2.5, NAN), (40.5, 116.25, NAN), (1, 2, -3), (NAN, NAN, -4)]
    )
    np.testing.assert_allclose(action.yaw, np.deg2rad([90, -45, 0, NAN]))
    assert action.on_globe.tolist() == [False, True, False, False]


def test_other_settings_are_of_all_vehicles_or_of_the_link(received):
    (origin,) = received("reCopterSimMsg", setting(ORIGIN, (-33.5, 151), 70)).orders.actions
    assert isinstance(origin, Origin)
    assert origin.lla.tolist() == [[-33.5, 151, 70]]
    (mode,) = received("reCopterSimMsg", setting(mode=2)).orders.actions
    assert isinstance(mode, ModeRequest)
    assert mode.modes.tolist() == [2]
    (beat,) = received("reCopterSimMsg", setting(asks=1)).orders.actions
    assert isinstance(beat, HeartbeatRequest)
    everything = received("reCopterSimMsg", setting(LOCAL, asks=1, mode=0)).orders.actions
    assert {type(action) for action in everything} == {Place, ModeRequest, HeartbeatRequest}


@pytest.mark.parametrize("what", [STAYS, GPS_MODE, XY_MODE])
def test_both_kinds_of_coordinates_are_always_known(received, what):
    found = received("reCopterSimMsg", setting(what, (NAN, INF), NAN))
    assert found.verdicts == ["accepted"]
    assert found.orders.actions == []


@pytest.mark.parametrize(
    "packet",
    [
        *(setting(LOCAL, xy) for xy in [(1.1e5, 0), (0, -1.1e5), (NAN, 0), (0, INF)]),
        *(setting(LOCAL, last=last) for last in (361, -361, NAN)),
        *(setting(what, xy) for what in (GLOBAL, ORIGIN) for xy in [(90.1, 0), (0, 180.1)]),
        *(setting(GLOBAL, last=last) for last in (361, NAN)),
        *(setting(ORIGIN, last=last) for last in (1.1e4, -1.1e4, NAN)),
        *(setting(zrp=(z, 0, 0)) for z in (9301, -9301, NAN, INF)),
    ],
)
def test_what_is_out_of_range_is_dropped(received, packet):
    assert received("reCopterSimMsg", packet).is_dropped("not_finite")


@pytest.mark.parametrize("tilt", [(1, 0), (0, -1), (NAN, 0)])
def test_a_tilted_start_is_not_supported(received, tilt):
    packet = setting(LOCAL, zrp=(0, *tilt))
    assert received("reCopterSimMsg", packet).is_dropped("unsupported")


@pytest.mark.parametrize("what", [-1, 6, 127, -128])
def test_other_kinds_are_unknown(received, what):
    assert received("reCopterSimMsg", setting(what)).is_dropped("unknown")


@pytest.mark.parametrize("copter_id", [0, -1, 2, 2**31 - 1])
def test_settings_must_name_their_vehicle(received, copter_id):
    packet = setting(LOCAL, copter_id=copter_id)
    assert received("reCopterSimMsg", packet).is_dropped("bad_id")


def switch(what=2, index=-1, name=b"Grasslands", copter_id=1) -> bytes:
    return struct.pack("<4i48s", 1234567895, copter_id, what, index, name)


@pytest.mark.parametrize("copter_id", [1, -1])
def test_a_map_has_a_name(received, copter_id):
    action = received("CptSimCMD", switch(copter_id=copter_id)).only
    assert isinstance(action, MapChange)
    assert action.names.tolist() == [b"Grasslands"]


@pytest.mark.parametrize(
    "packet",
    [
        switch(1, name=b"quad"),
        switch(-1),
        switch(3),
        switch(index=0),
        *(switch(name=name) for name in (b"", b"../x", b"/x", b"a\\b", b".x", b"a:b", b"\xff")),
    ],
)
def test_models_and_numbers_and_paths_are_not_supported(received, packet):
    assert received("CptSimCMD", packet).is_dropped("unsupported")


@pytest.mark.parametrize("copter_id", [0, 2, -2])
def test_a_map_for_no_vehicle_is_dropped(received, copter_id):
    assert received("CptSimCMD", switch(copter_id=copter_id)).is_dropped("bad_id")


def test_start_signals_name_a_vehicle_or_all(received):
    packets = [struct.pack("<3i", 1234567890, 1, named) for named in (1, -1, 7, 0)]
    found = received("startSignal", *packets, struct.pack("<3i", 1234567890, 0, 5))
    action = found.only
    assert isinstance(action, StartSignal)
    assert action.ids.tolist() == [1, 2]
    assert action.everybody.tolist() == [False, True]
    assert found.verdicts == ["accepted"] * 2 + ["bad_id"] * 2 + ["unknown"]


def test_numbers_of_users_are_16(received):
    packets = [struct.pack("<ii16d", 123456, named, *range(16)) for named in (1, 0, -1, 9)]
    bad = struct.pack("<ii16d", 123456, 5, NAN, *range(15))
    found = received("CustomData", *packets, bad)
    action = found.only
    assert isinstance(action, CustomNumbers)
    assert action.ids.tolist() == [1, 2, 3]
    assert action.values[0].tolist() == list(range(16))
    assert found.verdicts == ["accepted"] * 3 + ["bad_id", "not_finite"]


def report(crash_type: int, copter_id: int = 1) -> bytes:
    numbers = [0.0] * 29
    head = (1234567897, copter_id, 3, crash_type, 1.5)
    return struct.pack("<4id29f20s", *head, *numbers, b"Wall")


def test_a_crash_is_with_a_vehicle_or_an_object(received):
    kinds = [7, 1, 0, -1, -2]
    packets = [report(kind, i) for i, kind in enumerate(kinds, 1)]
    action = received("reqVeCrashData", *packets).only
    assert isinstance(action, Crash)
    assert action.hit.tolist() == [7, 1, -1, 0, -1]
    assert received("reqVeCrashData", report(-3)).is_dropped("unknown")
    assert received("reqVeCrashData", report(0, 2)).is_dropped("bad_id")
