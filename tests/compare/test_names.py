"""Names that tell two files apart."""

import os

import pytest

from pyrfly.compare import compare
from pyrfly.compare.names import names_of


@pytest.mark.parametrize(
    ("a", "b", "names"),
    [
        ("one/a.npz", "two/b.npz", ("a.npz", "b.npz")),
        ("one/a.npz", "two/a.npz", ("one/a.npz", "two/a.npz")),
        ("runs/1/out/a.npz", "runs/2/out/a.npz", ("1/out/a.npz", "2/out/a.npz")),
        ("one/a.npz", "one/../two/a.npz", ("one/a.npz", "two/a.npz")),
        ("one/a.npz", "one/a.npz", ("a.npz", "a.npz")),
    ],
)
def test_files_of_one_name_have_the_folders_that_differ(a, b, names):
    assert names_of(a, b) == tuple(name.replace("/", os.sep) for name in names)


def test_vehicles_of_one_flight_have_their_numbers(flight):
    a = flight([0, 1, 2, 3], terrain=[0.0, 1, 0, 2])
    b = type(a)(a.columns, 2)
    assert compare(a, a).a == "a"
    found = compare(*(type(a)(one.columns, one.copter_id, None, "a.npz") for one in (a, b)))
    assert (found.a, found.b) == ("a.npz, vehicle 1", "a.npz, vehicle 2")
