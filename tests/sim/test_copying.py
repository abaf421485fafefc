"""Pickles and copies of a `Sim`: independent, with the same future."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import pyrfly
from pyrfly import Sim

COPIES: dict[str, Callable[[Sim], Sim]] = {
    "pickle": lambda sim: pickle.loads(pickle.dumps(sim)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}

every_copy = pytest.mark.parametrize("copied", COPIES.values(), ids=list(COPIES))


def flying(**options: object) -> Sim:
    """Return vehicles of two sets in flight, with everything different from its default."""
    sim = Sim({"x450": 2, "hex_x": 1}, dt=5e-4, control_rates=(50, 200, 400), **options)
    sim.origin = (47.4, 8.5, 488.0)
    sim.enable_synthesis()
    sim.reset(pos=[0, 0, -5], seed=7)
    sim.randomize("mass", 1.7, 1.9)
    sim.select().write("wind", [3, 1, 0])
    sim.arm()
    sim.command_position([10, 5, -20], yaw=1)
    sim.step(500)
    return sim


@every_copy
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_copy_has_the_same_state_and_the_same_future(
    copied: Callable[[Sim], Sim], precision: str
) -> None:
    sim = flying(precision=precision)
    other = copied(sim)
    assert other.hash() == sim.hash()
    assert (other.time, other.dt, other.origin) == (sim.time, sim.dt, sim.origin)
    np.testing.assert_array_equal(other.mass, sim.mass)
    for each in (sim, other):
        each.step(1000)
        each.randomize("mass", 1.7, 1.9)
        each.step(10)
    assert other.hash() == sim.hash()
    np.testing.assert_array_equal(other.mass, sim.mass)


@every_copy
def test_a_copy_is_independent(copied: Callable[[Sim], Sim]) -> None:
    sim = flying()
    digest, other = sim.hash(), copied(sim)
    other.groups[0].mass = 2.5
    other.step(100)
    assert sim.hash() == digest
    assert (sim.groups[0].mass < 2).all()


@every_copy
def test_settings_go_with_a_copy_and_listeners_stay(copied: Callable[[Sim], Sim]) -> None:
    sim = Sim("mixed", 2, integrator="euler", threads=1, effects="full")
    sim.controllers = False
    calls: list[float] = []
    sim.add_listener(lambda: calls.append(sim.time), 0.01)
    other = copied(sim)
    batch, own = other.groups[0].batch, sim.groups[0].batch
    for name in ("precision", "integrator", "effects", "threads", "dt", "type_name"):
        assert getattr(batch, name) == getattr(own, name)
    assert not other.controllers
    other.step(100)
    assert calls == []
    assert not other.groups[0].parameters.columns["mass"].flags.writeable


class Named(Sim):
    """A subclass with an attribute and an argument of its own."""

    def __init__(self, name: str) -> None:
        super().__init__("sdk", 2)
        self.label = [name]


def test_attributes_of_a_subclass_go_with_it() -> None:
    other = copy.deepcopy(Named("first"))
    assert isinstance(other, Named)
    assert other.label == ["first"]
    other.colour = "red"  # as before, subclasses may add attributes
    other.step(10)


def test_a_misspelt_attribute_of_a_copy_is_refused() -> None:
    with pytest.raises(AttributeError, match="wind"):
        copy.copy(Sim("sdk")).wnd = 3


@pytest.mark.parametrize(
    ("was", "message"),
    [
        ("quad_x", "expected layout version .*quad_x.*got 0123456789abcdef"),
        ("zeppelin", "there is no type of vehicles 'zeppelin' here: .*load_family"),
    ],
)
def test_a_pickle_of_other_columns_is_refused(was: str, message: str) -> None:
    sim = Sim("sdk")
    saved = sim.__getstate__()._replace(layouts={was: "0123456789abcdef"})
    with pytest.raises(ValueError, match=f"pickled Sim: {message}"):
        Sim.__new__(Sim).__setstate__(saved)


def test_a_group_is_pickled_only_with_its_sim() -> None:
    with pytest.raises(TypeError, match="Group: pickle or copy the Sim that it belongs to"):
        pickle.dumps(Sim("sdk").groups[0])


def test_parameter_sets_are_read_only_after_a_pickle() -> None:
    parameters = pickle.loads(pickle.dumps(pyrfly.load("sdk")))
    with pytest.raises(ValueError, match="read-only"):
        parameters.columns["mass"][0] = 1
