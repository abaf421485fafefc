"""ArduPilot's outputs against the angles and directions of the motors of its frames."""

from __future__ import annotations

import math

import pytest

from pyrfly.protocol.ardupilot_frames import FRAMES, outputs
from pyrfly.vehicles.multirotor.layouts import LAYOUTS

# Angle [deg] from forward to the right, and direction seen from above (L: counter-clockwise,
# R: clockwise) of the motors of outputs 1, 2, ... of a frame of ArduCopter.
MOTORS = {
    (1, 0): "90L -90L 0R 180R",
    (1, 1): "45L -135L -45R 135R",
    (1, 12): "135R 45L -135L -45R",
    (1, 13): "45L -45R -135L 135R",
    (1, 14): "45L 135R -135L -45R",
    (2, 0): "0R 180L -120R 60L -60L 120R",
    (2, 1): "90R -90L -30R 150L 30L -150R",
    (2, 13): "30L -30R -90L -150R 150L 90R",
    (2, 14): "30L 90R 150L -150R -90L -30R",
    (3, 0): "0R 180R 45L 135L -45L -135L -90R 90R",
    (3, 1): "22.5R -157.5R 67.5L 157.5L -22.5L -112.5L -67.5R 112.5R",
    (4, 1): "45L -45R -135L 135R -45L 45R 135L -135R",
    (4, 3): "45R -45L -135R 135L -45R 45L 135R -135L",
    (4, 12): "135R 45L -135L -45R 135L 45R -135R -45L",
    (4, 14): "45L 45R 135R 135L -135L -135R -45R -45L",
    (4, 18): "135L 45R -135R -45L 135R 45L -135L -45R",
    (5, None): "60L -60R -60L 180R 60R 180L",
    (5, 10): "60R 60L 180R 180L -60R -60L",
    (5, 11): "180L 60L -60L 180R 60R -60R",
}

COPTERS = {name: frame for name, frame in FRAMES.items() if frame.layout in LAYOUTS}


def motors(text: str) -> list[tuple[float, int]]:
    """Return angles modulo 360 deg and directions, +1 clockwise."""
    return [(float(part[:-1]) % 360, 1 if part[-1] == "R" else -1) for part in text.split()]


def rotors(layout: str) -> list[tuple[float, int]]:
    found = LAYOUTS[layout]
    angles = [round(math.degrees(psi), 6) % 360 for psi in found.psi]
    return list(zip(angles, found.direction, strict=True))


@pytest.mark.parametrize("name", COPTERS)
def test_each_rotor_is_driven_by_the_output_at_its_place(name: str) -> None:
    frame = FRAMES[name]
    table = motors(MOTORS[frame.frame_class, frame.frame_type])
    assert sorted(frame.outputs) == list(range(len(table)))
    assert [table[output] for output in frame.outputs] == rotors(frame.layout)


def test_every_frame_that_fits_a_layout_is_in_the_table() -> None:
    assert {(f.frame_class, f.frame_type) for f in COPTERS.values()} == set(MOTORS)


def test_the_default_of_each_layout_needs_no_order() -> None:
    """As the layouts are numbered like PX4's, and PX4's frames like ArduPilot's."""
    layouts = [name for name in LAYOUTS if not name.startswith("tri")]
    for name in layouts:
        count = LAYOUTS[name].rotor_count
        assert outputs(name, count) == tuple(range(count))
    assert {frame.layout for frame in COPTERS.values()} == set(layouts)


def test_the_sides_of_skid_steering_are_on_outputs_1_and_3() -> None:
    assert outputs("differential", 2) == outputs("differential", 2, "skid_steering") == (0, 2)


@pytest.mark.parametrize("layout", [None, "tri_y_plus", "my_layout"])
def test_other_layouts_have_the_outputs_in_their_order(layout: str | None) -> None:
    assert outputs(layout, 3) == (0, 1, 2)


def test_wrong_frames_are_named() -> None:
    with pytest.raises(ValueError, match="frame: unknown name 'quad_djix'; try quad_dji_x"):
        outputs("quad_x", 4, "quad_djix")
    with pytest.raises(ValueError, match="expected one of the layout quad_x, got y6 of hex_coax"):
        outputs("quad_x", 4, "y6")
