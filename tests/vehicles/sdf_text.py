"""SDF files of tests' own models, and the examples of docs/sdf.md."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

Write = Callable[[str], Path]

PAGE = (Path(__file__).parents[2] / "docs" / "sdf.md").read_text(encoding="utf-8")


def run_example(heading: str) -> None:
    """Run the one example of the section whose heading begins so."""
    section = PAGE.split(f"\n## {heading}")[1].split("\n## ")[0]
    (example,) = re.findall(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    exec(compile(example, "example", "exec"), {})


def writer(folder: Path, name: str) -> Write:
    """Return a function that writes a file of a name."""

    def written(text: str) -> Path:
        path = folder / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


def sdf(*parts: str, name: str) -> str:
    """Return an SDF file of a model with these elements."""
    inside = "\n".join(parts)
    return f"<?xml version='1.0'?>\n<sdf version='1.9'><model name='{name}'>{inside}</model></sdf>"


def link(
    name: str,
    pose: str,
    mass: float,
    moments: tuple[float, float, float],
    *,
    middle: str = "0 0 0",
    inside: str = "",
) -> str:
    """Return a link with its inertia about its centre of mass."""
    xx, yy, zz = moments
    return (
        f"<link name='{name}'><pose>{pose}</pose><inertial><pose>{middle} 0 0 0</pose>"
        f"<mass>{mass}</mass><inertia><ixx>{xx}</ixx><iyy>{yy}</iyy><izz>{zz}</izz></inertia>"
        f"</inertial>{inside}</link>"
    )


def joint(
    name: str, child: str, axis: str = "0 0 1", limit: float = 1e16, parent: str = "base_link"
) -> str:
    """Return a joint that turns."""
    return (
        f"<joint name='{name}' type='revolute'><parent>{parent}</parent><child>{child}</child>"
        f"<axis><xyz>{axis}</xyz><limit><lower>{-limit}</lower><upper>{limit}</upper></limit>"
        "</axis></joint>"
    )


def elements(**values: object) -> str:
    """Return an element for each value."""
    return "".join(f"<{name}>{value}</{name}>" for name, value in values.items())


def plugin(file: str, **values: object) -> str:
    """Return a plug-in of a file."""
    return f"<plugin filename='{file}' name='{file}'>{elements(**values)}</plugin>"


def interface(count: int, scaling: float) -> str:
    """Return the control channels of some motors."""
    channels = "".join(
        "<channel>"
        + elements(
            input_index=n,
            input_offset=0,
            input_scaling=scaling,
            zero_position_disarmed=0,
            zero_position_armed=0,
            joint_control_type="velocity",
        )
        + "</channel>"
        for n in range(count)
    )
    return (
        "<plugin filename='libgazebo_mavlink_interface.so' name='interface'><control_channels>"
        f"{channels}</control_channels></plugin>"
    )


def box(size: str, pose: str = "0 0 0") -> str:
    """Return a collision shape."""
    return (
        f"<collision name='hull'><pose>{pose} 0 0 0</pose>"
        f"<geometry><box><size>{size}</size></box></geometry></collision>"
    )


def wheel(
    name: str,
    pose: str,
    *,
    radius: float = 0.1,
    mass: float = 0.5,
    friction: float = 1.0,
    moments: tuple[float, float, float] = (0.000807, 0.000807, 0.001406),
    parent: str = "base_link",
    shape: str = "cylinder",
) -> str:
    """Return a wheel on its joint, about y; ``pose`` is its place."""
    size = elements(radius=radius) + ("<length>0.1</length>" if shape == "cylinder" else "")
    surface = f"<surface><friction><ode><mu>{friction}</mu></ode></friction></surface>"
    inside = (
        f"<collision name='c'><geometry><{shape}>{size}</{shape}></geometry>{surface}</collision>"
    )
    turned = link(name, f"{pose} -1.5707963267948966 0 0", mass, moments, inside=inside)
    return turned + joint(f"{name}_joint", name, "0 0 1", parent=parent)
