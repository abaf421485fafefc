"""What arrives from the network, whatever it is, is taken or refused, and breaks nothing."""

from __future__ import annotations

import contextlib
import math
import struct
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly import wire
from pyrfly.rflysim.dll_senders import DllSimCtrlAPI
from pyrfly.rflysim.model_load import MultiCopterDll
from pyrfly.rflysim.VehicleApi import Vehicle

HERE = ("127.0.0.1", 9)


def datagrams(port: str) -> st.SearchStrategy[bytes]:
    """Return anything, mostly of a length and with a first number that the port takes."""
    layouts = [layout for layout in wire.LAYOUTS.values() if layout.port_kind == port]

    def of(layout: wire.Layout) -> st.SearchStrategy[bytes]:
        head = b"" if layout.checksum is None else layout.checksum.to_bytes(4, "little")
        if layout.header is not None:
            head = struct.pack("<2i", *layout.header)
        size = layout.dtype.itemsize - len(head)
        words = st.lists(
            st.sampled_from([0.0, 1.0, -5.0, 1e30, math.inf, math.nan]), max_size=size // 4
        ).map(lambda v: np.array(v, np.float32).tobytes().ljust(size, b"\0"))
        modes = st.integers(-2, 15).map(lambda m: m.to_bytes(4, "little", signed=True))
        body = st.one_of(
            st.binary(min_size=size, max_size=size),
            words,
            st.tuples(modes, words).map(lambda t: (t[0] + t[1])[:size]),
        )
        return body.map(lambda rest: head + rest)

    return st.one_of(st.binary(max_size=300), *map(of, layouts))


def offer(take: Callable[..., object], *arguments: object) -> None:
    """Call as a `Listener` does: these errors count as a refusal, any other would end it."""
    with contextlib.suppress(ValueError, ArithmeticError):
        take(*arguments)


@pytest.fixture(scope="module")
def model() -> MultiCopterDll:
    return MultiCopterDll()


@given(
    commands=st.lists(datagrams("command"), max_size=5),
    inputs=st.lists(datagrams("sil"), max_size=5),
)
def test_a_model_flies_on(
    model: MultiCopterDll, commands: list[bytes], inputs: list[bytes]
) -> None:
    model.CreateVehicle()
    for data in commands:
        offer(model._take_command, data, HERE)
    for data in inputs:
        offer(model._take_input, data, HERE)
    model.ModelUpdate(0.1)
    assert np.isfinite(model.out3Dvect).all()
    assert len(model.get3DDataBuf()) == 168
    model.SendHILData()
    model.SendOutCopter()


@given(st.sampled_from([3, 50, 100]), st.lists(datagrams("command"), max_size=5))
def test_a_point_mass_moves_on(kind: int, commands: list[bytes]) -> None:
    vehicle = Vehicle(1, kind)
    for data in commands:
        offer(vehicle._take, data, HERE)
    vehicle.ModelStep(1.0)
    vehicle.ModelStep(1.5)
    vehicle.ModelStep(1e6)
    assert all(map(math.isfinite, [*vehicle.truePosNED, *vehicle.trueAngEular]))
    vehicle.udp_socket.close()


@given(st.lists(datagrams("truth"), max_size=5))
def test_true_states_are_taken_whole_or_not(packets: list[bytes]) -> None:
    dll = DllSimCtrlAPI()
    for data in packets:
        offer(dll.getTrueDataMsg, data)
    assert (len(dll.outCopterVect), len(dll.out3Ddata.AngQuatern)) == (32, 4)
    dll.udp_socket.close()
