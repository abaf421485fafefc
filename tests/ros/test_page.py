"""docs/ros.md has every topic, service and parameter."""

from __future__ import annotations

import pytest
from pyrfly_ros.fleet import FLEET
from pyrfly_ros.parameters import PARAMETERS, POINTS, rate_name
from pyrfly_ros.services import SERVICES
from pyrfly_ros.set_points import SET_POINTS
from pyrfly_ros.topics import TOPICS

from ..docs.conftest import page, rows

PAGE = page("ros.md")


def cells(mark: str, *columns: int) -> set[tuple[str, ...]]:
    return {tuple(row[i].strip("`") for i in columns) for row in rows(PAGE, mark)}


@pytest.mark.parametrize(("mark", "table"), [("topics", TOPICS), ("fleet", FLEET)])
def test_what_is_published_has_its_type_and_rate(mark, table) -> None:
    known = {(name, topic.message, f"{topic.rate:g}") for name, topic in table.items()}
    found = cells(mark, 0, 1, -2)
    points = (POINTS, "sensor_msgs/PointCloud2", f"{PARAMETERS[rate_name(POINTS)]:g}")
    assert found == (known | {points} if mark == "topics" else known)


def test_what_is_taken_has_its_type() -> None:
    others = {("set_point/thrust", "std_msgs/Float64"), ("in_sil", "std_msgs/Float64MultiArray")}
    assert cells("set_points", 0, 1) == {(n, s.message) for n, s in SET_POINTS.items()} | others
    assert cells("services", 0, 1) == {(name, one.kind) for name, one in SERVICES.items()}


def test_parameters_have_their_defaults() -> None:
    found: dict[str, str] = {}
    for names, defaults, _ in rows(PAGE, "parameters"):
        for name, default in zip(names.split(", "), defaults.split(", "), strict=False):
            found[name.strip("`").split("`")[0]] = default.strip("`")
    rates = {name for name in PARAMETERS if name.startswith("rates.")}
    assert found.pop("rates.odometry") == "above"
    shown = {
        name: str(value).lower() if isinstance(value, bool) else f"{value:g}"
        for name, value in PARAMETERS.items()
        if name not in rates and not isinstance(value, str)
    }
    texts = {n: v for n, v in PARAMETERS.items() if isinstance(v, str)}
    assert found == {**shown, **texts}
