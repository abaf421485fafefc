"""Columns as NumPy views: shape, layout, lifetime and errors."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import pyrfly
from pyrfly import _core, vehicles
from pyrfly.columns import column_meanings, fields_of_part, fields_of_type, other_meaning, parts
from pyrfly.vehicles import FAMILIES

TYPES = _core.vehicle_types()
MEANINGS = column_meanings()  # before tests add models of one's own
ROLES = {
    *("state", "input", "param", "gain", "setpoint", "controller", "sensor", "flag", "output"),
    *("part", "part word"),
}
SI = {"1", "m", "kg", "s", "N", "rad", "bits", "bool"}

ONE_OF_EACH = [vehicles.names(family)[0] for family in FAMILIES]

every_type = pytest.mark.parametrize("c_type", TYPES)
PRECISIONS = pytest.mark.parametrize("precision", ["float64", "float32"])


def stored(c_type: str) -> list[tuple[str, int, str]]:
    rows = [*TYPES[c_type]["columns"]]
    rows += [row for part in _core.parts().values() for row in part["columns"]]
    return [(name, width, role) for name, width, role, *_ in rows if role != "output"]


def batch_with_everything(c_type: str, n: int, precision: str = "float64") -> _core.Batch:
    batch = _core.Batch(c_type, n, precision=precision)
    for part in _core.parts():
        batch.enable(part)
    return batch


@pytest.mark.parametrize(
    ("name", "near"), [("wnd", "wind"), ("masss", "mass"), ("xyzzy", "its columns")]
)
def test_what_is_no_attribute_is_not_set_or_read(name: str, near: str) -> None:
    sim = pyrfly.Sim("x450")
    for owner in (sim, sim.groups[0]):
        kind = type(owner).__name__
        message = f"^{name}: expected an attribute of a {kind}, such as .*{near}"
        with pytest.raises(AttributeError, match=message):
            setattr(owner, name, 3)
        with pytest.raises(AttributeError, match=message):
            getattr(owner, name)


@pytest.mark.parametrize("names", [["x450"], [*ONE_OF_EACH, "octo_x"]], ids=len)
def test_what_can_be_read_is_listed_and_nothing_else(
    names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyrfly.sim.group.near_names", lambda *_: "")  # a millisecond each
    sim = pyrfly.Sim(dict.fromkeys(names, 1))
    for part in [*_core.parts()][::2]:
        sim.enable_part(part)
    families = [getattr(sim, group.family.name) for group in sim.groups[: len(FAMILIES)]]
    for owner in (sim, *sim.groups, sim.select(), *families):
        listed = set(dir(owner))
        for name in {*listed, *dir(type(owner))}:
            assert hasattr(owner, name) == (name in listed), (owner, name)


@pytest.mark.parametrize("name", ["dt", "n", "groups", "arm", "step"])
def test_what_is_fixed_cannot_be_set(name: str) -> None:
    sim = pyrfly.Sim("x450")
    before = getattr(sim, name)
    with pytest.raises(AttributeError, match=f"^{name}: this attribute of a Sim cannot be set"):
        setattr(sim, name, 3)
    assert getattr(sim, name) == before


def test_subclasses_may_have_attributes_of_their_own() -> None:
    class Task(pyrfly.Sim):
        def __init__(self) -> None:
            super().__init__("x450")
            self.goal = (1.0, 2.0, 3.0)

    task = Task()
    task.goal = (3.0, 2.0, 1.0)
    task.wind = (1, 0, 0)
    assert task.wind[0].tolist() == [1, 0, 0]


@every_type
@PRECISIONS
def test_every_stored_column_is_a_writable_view_of_its_width(c_type: str, precision: str) -> None:
    batch = batch_with_everything(c_type, 5, precision)
    for name, width, role in stored(c_type):
        view = batch.view(name)
        assert view.shape == ((5,) if width == 1 else (5, width)), name
        word = role in ("flag", "part word")
        assert view.dtype == (np.uint32 if word else np.dtype(precision)), name
        assert view.flags.writeable, name
        assert view.flags.aligned, name
        assert not view.flags.owndata, name
        assert view.strides[0] == view.itemsize, name
        assert view.ctypes.data % 64 == 0, name


@every_type
@PRECISIONS
@pytest.mark.parametrize("n", [1, 7, 64, 4096])
def test_components_are_an_odd_number_of_cache_lines_apart(
    c_type: str, precision: str, n: int
) -> None:
    batch = _core.Batch(c_type, n, precision=precision)
    stride = batch.view("pos").strides[1]
    assert stride % 64 == 0
    assert stride // 64 % 2 == 1
    assert stride >= n * np.dtype(precision).itemsize
    assert batch.view("pos").T.flags.c_contiguous == (stride == n * batch.view("pos").itemsize)


@every_type
def test_columns_do_not_overlap(c_type: str) -> None:
    batch = batch_with_everything(c_type, 3)
    for name, width, _ in stored(c_type):
        batch.fill(name, np.zeros(width))
    values = {}
    for k, (name, width, _) in enumerate(stored(c_type)):
        values[name] = np.arange(3 * width).reshape(batch.view(name).shape) + 100 * k
        batch.view(name)[...] = values[name]
    for name, expected in values.items():
        np.testing.assert_array_equal(batch.view(name), expected, err_msg=name)


def test_views_are_live() -> None:
    sim = pyrfly.Sim("sdk", 3)
    sim.controllers = False
    pos, again = sim.pos, sim.pos
    sim.pos[:, 2] = -50
    assert (pos[:, 2] == -50).all()
    sim.step(100)
    assert (pos[:, 2] > -50).all()
    pos[1, 0] = 4
    assert again[1, 0] == 4
    sim.mass[2] = 3.03  # a parameter: twice the weight, half the thrust per mass
    sim.rotor_speed[:] = 400
    np.testing.assert_allclose(sim.specific_force[2, 2] * 2, sim.specific_force[0, 2], rtol=1e-3)


def test_views_outlive_the_sim_and_the_batch() -> None:
    sim = pyrfly.Sim("octo_x", 1000)
    batch = weakref.ref(sim.groups[0])
    sim.pos[:] = np.arange(3000).reshape(1000, 3)
    pos, slice_of_speed = sim.pos, sim.rotor_speed[10:20, 3]
    slice_of_speed[:] = 7
    expected = pos.copy()
    del sim
    gc.collect()
    assert batch() is None
    junk = [np.full(100_000, np.nan) for _ in range(20)]  # would land in freed memory
    np.testing.assert_array_equal(pos, expected)
    assert (slice_of_speed == 7).all()
    pos[:] = 1
    del pos, slice_of_speed, junk
    gc.collect()


def test_outputs_are_fresh_arrays_that_outlive_everything() -> None:
    sim = pyrfly.Sim("sdk", 50)
    sim.vel[:] = [1, 2, 3]
    one, two = sim.vel_body, sim.vel_body
    assert one is not two
    one[:] = 0
    np.testing.assert_array_equal(two, np.tile([1.0, 2.0, 3.0], (50, 1)))
    sim.vel[:] = 0
    del sim
    gc.collect()
    np.testing.assert_array_equal(two, np.tile([1.0, 2.0, 3.0], (50, 1)))


OF_PARTS = (
    *("rotor_speed", "surface_angle", "swash_position", "fin_angle"),
    *("wheel_speed", "tyre_along", "tyre_across"),
)
"""Three or four values of parts of a vehicle, not vectors."""


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")
def test_reading_outputs_changes_nothing() -> None:
    sim = pyrfly.Sim("sdk", 5)
    sim.command_position([1, 2, -3])
    sim.arm()
    sim.step(50)
    before = sim.snapshot()
    for field in sim.fields():
        if field.role == "output":
            getattr(sim, field.name)
    assert sim.snapshot() == before


def test_quaternion_and_euler_outputs_agree() -> None:
    sim = pyrfly.Sim("sdk", 3)
    half = np.array([0.2, -0.6, 1.3])
    sim.att[:] = np.array([[1.0, 0, 0, 0]] * 3) * np.cos(half)[:, None]
    sim.att[range(3), [1, 2, 3]] = np.sin(half)
    np.testing.assert_allclose(sim.euler, np.diag(2 * half), atol=1e-12)


def test_memory_of_a_float64_quad_is_at_most_1536_bytes() -> None:
    sim = pyrfly.Sim("sdk", 4096)
    assert sim.nbytes / 4096 <= 1536


def test_memory_of_a_large_batch_is_its_columns() -> None:
    for c_type in TYPES:
        batch = _core.Batch(c_type, 4096, precision="float32")
        width = sum(width for _, width, _ in stored(c_type))
        assert batch.nbytes <= 1.02 * 4 * 4096 * width


@every_type
def test_every_field_says_what_it_is(c_type: str) -> None:
    assert TYPES[c_type]["doc"]
    assert TYPES[c_type]["actuators"] > 0
    columns = TYPES[c_type]["columns"]
    names = [name for name, *_ in columns]
    assert len(set(names)) == len(names)
    for name, width, role, unit, frame, text in columns:
        assert name.isidentifier()
        assert name == name.lower()
        assert width >= 1
        assert role in ROLES
        assert unit, name
        assert text, name
        assert not text.endswith("."), name
        if width in (3, 4) and role == "state" and name not in OF_PARTS:
            assert frame in ("NED", "FRD", "FRD to NED"), name


def test_a_name_is_of_one_part_or_of_vehicle_types() -> None:
    """A part reads its columns by their names, whatever the type and the other parts."""
    names = [field.name for part in parts() for field in fields_of_part(part)]
    of_types = {field.name for c_type in TYPES for field in fields_of_type(c_type)}
    assert not {name for name in names if names.count(name) > 1}
    assert not of_types.intersection(names)


def test_a_name_has_one_unit_frame_and_role_in_all_families() -> None:
    for c_type in TYPES:
        for field in fields_of_type(c_type):
            assert other_meaning(field, TYPES) is None


def test_the_help_of_a_column_has_each_meaning_with_its_vehicle_types() -> None:
    for name, meanings in MEANINGS.items():
        lines = getattr(pyrfly.Group, name).__doc__.splitlines()
        for line, (field, widths) in zip(lines, meanings, strict=True):
            assert field.doc in line, name
            assert field.unit in line, name
            assert len(meanings) == 1 or line.startswith(", ".join(widths) + ": "), name


@every_type
def test_fill_sets_every_vehicle(c_type: str) -> None:
    batch = _core.Batch(c_type, 9, precision="float32")
    batch.fill("pos", [1, 2, 3])
    np.testing.assert_array_equal(batch.view("pos"), np.tile([1, 2, 3], (9, 1)))
    batch.fill("mass", 2.5)
    batch.fill("armed", np.uint8(1))
    assert (batch.view("mass") == 2.5).all()
    assert (batch.view("armed") == 1).all()


@pytest.mark.parametrize(
    ("name", "values", "error", "message"),
    [
        ("pos", [1, 2], ValueError, "pos: expected 3 values, got 2"),
        ("pos", 1.0, ValueError, "pos: expected 3 values, got 1"),
        ("mass", [], ValueError, "mass: expected 1 values, got 0"),
        ("pos", [[1, 2, 3]], ValueError, ""),
        ("pos", "abc", ValueError, ""),
        ("pos", [None, object(), 1], TypeError, ""),
        ("nothing", 1, KeyError, "quad_x has no column 'nothing'"),
        ("pos\0", [1, 2, 3], KeyError, "quad_x has no column"),
        ("accel", [1, 2, 3], ValueError, "accel: an output cannot be filled"),
        ("armed", -1, ValueError, "armed: expected a 32-bit number"),
        ("armed", np.nan, ValueError, "armed: expected a 32-bit number"),
        ("status", 2**32, ValueError, "status: expected a 32-bit number"),
        (3, 1, TypeError, ""),
    ],
)
def test_fill_refuses(name: object, values: object, error: type[Exception], message: str) -> None:
    batch = _core.Batch("quad_x", 2)
    before = batch.snapshot()
    with pytest.raises(error) as caught:
        batch.fill(name, values)
    assert message in str(caught.value)
    assert batch.snapshot() == before


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("nothing", KeyError),
        ("pos\0s", KeyError),
        ("", KeyError),
        (3, TypeError),
        (None, TypeError),
    ],
)
def test_view_refuses(name: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="column"):
        _core.Batch("quad_x", 2).view(name)


def test_an_output_cannot_be_assigned() -> None:
    with pytest.raises(AttributeError, match="accel"):
        pyrfly.Sim("octo_x", 2).accel = np.zeros(3)


def test_assigning_a_column_writes_into_it() -> None:
    sim = pyrfly.Sim("sdk", 4)
    view = sim.pos
    sim.pos = [1, 2, 3]
    np.testing.assert_array_equal(view, np.tile([1, 2, 3], (4, 1)))
    sim.mass = [1, 2, 3, 4]
    np.testing.assert_array_equal(sim.mass, [1, 2, 3, 4])


def test_columns_of_a_fleet_are_read_only_copies_in_copter_order() -> None:
    sim = pyrfly.Sim({"sdk": 2, "octo_x": 3})
    sim.groups[1].pos[0] = 7
    np.testing.assert_array_equal(sim.pos[:, 0], [0, 0, 7, 0, 0])
    assert not sim.pos.flags.writeable
    with pytest.raises(AttributeError, match=r"rotor_speed.*groups"):
        sim.rotor_speed  # noqa: B018


def test_assigning_a_vector_to_a_fleet_gives_it_to_every_vehicle() -> None:
    """Also when the fleet has as many vehicles as the vector has components."""
    for fleet in ({"sdk": 1, "octo_x": 3}, {"sdk": 1, "x450": 1, "octo_x": 1}):
        sim = pyrfly.Sim(fleet)
        sim.pos = [1, 2, -3]
        np.testing.assert_array_equal(sim.pos, np.tile([1, 2, -3], (sim.n, 1)))


def test_assigning_rows_to_a_fleet_gives_each_vehicle_its_own() -> None:
    sim = pyrfly.Sim({"sdk": 2, "octo_x": 1})
    rows = np.arange(9.0).reshape(3, 3)
    sim.pos = rows
    sim.mass = [1, 2, 3]
    np.testing.assert_array_equal(sim.pos, rows)
    np.testing.assert_array_equal(sim.mass, [1, 2, 3])
