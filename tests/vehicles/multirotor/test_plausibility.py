"""Parameter sets that make no sense warn, or are refused."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from pyrfly import ParameterError, ParameterWarning, Sim, load, names
from pyrfly.vehicles import FAMILIES

SDK = (Path(__file__).resolve().parents[3] / "pyrfly/vehicles/multirotor/sets/sdk.toml").read_text(
    encoding="utf-8"
)


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert SDK.count(old) >= 1
    path = tmp_path / "mine.toml"
    path.write_text(SDK.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", names())
def test_packaged_sets_load_without_warnings(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(name)


@pytest.mark.filterwarnings("ignore::pyrfly.ParameterWarning")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("value = 1.515", "value = 0.4", r"thrust to weight 11\.6, usual 1\.5 to 10"),
        ("value = 1.515", "value = 3.5", r"thrust to weight 1\.33, usual 1\.5 to 10"),
        ("value = 1.515", "value = 4.0", r"hover throttle 0\.8\d+, usual 0\.1 to 0\.85"),
        ("value = 0.225", "value = 0.9", r"roll radius of gyration over arm 0\.131, usual 0\.3 to"),
        ("0.0219, 0.0366", "0.0019, 0.0226", r"pitch radius of gyration over arm 0\.157, usual"),
        (
            "[0.055, 0.055,",
            "[0.0, 0.0,",
            r"tilt by drag in 10 m/s of wind \[deg\] 0, usual 2 to 70",
        ),
        ("[0.0, 2.783e-7]", "[0.0, 1.4e-7]", r"figure of merit of the rotors 1\.33, usual 0\.1 to"),
        ("[0.0214, 0.0214]", "[0.0214, 0.7]", r"motor time constant, falling \[s\] 0\.7, usual"),
    ],
)
def test_an_unusual_number_warns_with_its_usual_range(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.warns(ParameterWarning, match=message) as caught:
        load(changed(tmp_path, old, new))
    assert {warning.filename for warning in caught} == {__file__}
    assert all("mine.toml: " in str(warning.message) for warning in caught)


def test_what_cannot_lift_is_refused(tmp_path: Path) -> None:
    """45.52 N at 0.95 of the throttle: 842.1 * 0.95 + 22.83 rad/s, four times 1.681e-5 N s^2."""
    path = changed(tmp_path, "value = 1.515", "value = 4.7")
    with pytest.raises(
        ParameterError,
        match=r"mine\.toml: cannot lift: the rotors have 45\.52 N .*weight is 46\.06 N; thrust to "
        r"weight 0\.988, usual 1\.5 to 10",
    ):
        load(path)


def test_quantities_are_those_of_the_numbers() -> None:
    found = {q.name: q.value for q in FAMILIES["multirotor"].plausibility(load("sdk"))}
    speed = 842.1 * 0.95 + 22.83
    assert found["thrust to weight"] == pytest.approx(4 * 1.681e-5 * speed**2 / (1.515 * 9.8))
    assert found["hover throttle"] == pytest.approx(0.531, abs=5e-4)
    assert found["roll radius of gyration over arm"] == pytest.approx(
        (0.0211 / 1.515) ** 0.5 / 0.225
    )


def test_a_deeply_nested_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text("a = [\n" + "[\n" * 20_000 + "]\n" * 20_001)
    with pytest.raises(ParameterError, match=r"^deep\.toml: .*too many nested values$"):
        load(path)


def test_without_gravity_there_is_no_weight_to_compare_with(tmp_path: Path) -> None:
    path = changed(tmp_path, "[inertia]", '[gravity]\nvalue = 0\nunit = "m/s^2"\n[inertia]')
    assert not any("weight" in q.name for q in FAMILIES["multirotor"].plausibility(load(path)))


def test_title_and_sources_are_optional(tmp_path: Path) -> None:
    lines = [
        line
        for line in changed(tmp_path, "SDK default", "SDK default").read_text().splitlines()
        if not line.startswith(("source", "title"))
    ]
    path = tmp_path / "short.toml"
    path.write_text("\n".join(lines))
    params = load(path)
    assert params.title == "sdk"
    assert params.sources["mass"] == "not given"
    assert Sim(path).hash() == Sim("sdk").hash()
