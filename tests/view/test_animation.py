"""Moving pictures."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from PIL import Image

from pyrfly import Sim
from pyrfly.errors import MissingExtraError
from pyrfly.log import Recorder
from pyrfly.view import animate, animation
from pyrfly.view.logged import LogSource
from pyrfly.view.painter import Painter

SIZE = (160, 120)


@pytest.fixture(scope="module")
def log():
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -3], hover=True)
    sim.command_position([2, 1, -4])
    recorder = Recorder(sim, every=20)
    sim.run(1.0, record=recorder)
    return recorder.log()


@pytest.mark.parametrize("kind", ["gif", "webp", "png"])
def test_a_log_becomes_a_moving_picture(tmp_path, log, kind):
    path, shares = tmp_path / f"a.{kind}", []
    animate(log, path, size=SIZE, fps=8, start=0.25, stop=1.0, told=shares.append)
    with Image.open(path) as image:
        assert image.size == SIZE
        assert image.n_frames == 7
        durations, seen = [], set()
        for k in range(7):
            image.seek(k)
            seen.add(image.convert("RGB").tobytes())
            durations.append(image.info["duration"])
    assert len(seen) == 7
    assert np.mean(durations) == pytest.approx(125, abs=3)
    assert shares[-1] == 1


def test_ground_of_a_gif_keeps_its_colour(tmp_path):
    frames = np.full((6, 60, 80, 3), (158, 171, 141), np.uint8)
    for k, frame in enumerate(frames):
        frame[:8] = (156, 168, 140)  # nearly the same comes first
        frame[8:12, :, 1] = np.arange(80) + 3 * k  # and much else, once
    animate(list(frames), tmp_path / "a.gif")
    with Image.open(tmp_path / "a.gif") as image:
        for k, frame in enumerate(frames):
            image.seek(k)
            shown = np.asarray(image.convert("RGB")).astype(int)
            np.testing.assert_array_equal(shown[12:], frame[12:])
            np.testing.assert_array_equal(shown[:8], frame[:8])
            assert np.abs(shown - frame).max() < 12


def test_a_gif_has_what_changes(tmp_path):
    random = np.random.default_rng(3)
    frames = np.tile(random.integers(0, 8, (60, 80, 1), np.uint8) * 30, (12, 1, 1, 3))
    sizes = []
    for name in ("still", "moving"):
        path = tmp_path / f"{name}.gif"
        animate(list(frames), path)
        sizes.append(path.stat().st_size)
        with Image.open(path) as image:
            for k in range(image.n_frames):
                image.seek(k)
                np.testing.assert_array_equal(np.asarray(image.convert("RGB")), frames[k])
        for k, frame in enumerate(frames):
            frame[5 + k : 9 + k, 5 * k : 5 * k + 5] = frame[-5 - k : -1 - k, 5 * k : 5 * k + 5] = (
                240
            )
    assert sizes[1] < 3 * sizes[0]


def test_the_first_picture_has_the_trail_of_the_log_before_it(tmp_path, log):
    pictures = []
    for trail in (0.0, 0.25):
        path = tmp_path / f"{trail}.png"
        animate(log, path, size=SIZE, fps=8, start=0.5, stop=0.5, trail=trail)
        pictures.append(path.read_bytes())
    assert pictures[0] != pictures[1]


def test_rotors_turn_in_the_first_picture(log):
    source = LogSource(log)
    still, turning = (
        Painter(source.world(), SIZE, step=step).draw(source.frame(0.5)) for step in (0.0, 0.1)
    )
    assert (still != turning).any()


def test_a_simulation_is_stepped(tmp_path):
    sim = Sim("x450")
    animate(sim, tmp_path / "a.gif", size=SIZE, fps=5, speed=2, stop=1.2)
    assert sim.time == pytest.approx(1.2, abs=0.01)
    with Image.open(tmp_path / "a.gif") as image:
        assert image.n_frames == 4


def test_pictures_of_others_become_a_moving_picture(tmp_path):
    shades = (np.full((30, 40, 3), 60 * k, np.uint8) for k in range(4))
    animate(shades, tmp_path / "a.webp", fps=10)
    with Image.open(tmp_path / "a.webp") as image:
        assert (image.size, image.n_frames) == ((40, 30), 4)
    with pytest.raises(ValueError, match="source: expected pictures of one size"):
        animate(
            [np.zeros((30, 40, 3), np.uint8), np.zeros((30, 41, 3), np.uint8)], tmp_path / "b.gif"
        )
    with pytest.raises(ValueError, match="source: expected one picture or more"):
        animate([], tmp_path / "b.gif")
    for shape in ((0, 0, 3), (4, 0, 3), (1, 4, 3), (2, 70_000, 3)):
        with pytest.raises(ValueError, match="sides of 2 to 16383 pixels, got uint8"):
            animate([np.zeros(shape, np.uint8)], tmp_path / "b.gif")
    assert not (tmp_path / "b.gif").exists()


def test_what_would_fill_the_memory_is_refused(tmp_path, log, monkeypatch):
    monkeypatch.setattr(animation, "MOST", 5 * 160 * 120 * 3)
    with pytest.raises(ValueError, match="path: expected at most 5 pictures of this size"):
        animate(log, tmp_path / "a.webp", size=SIZE, fps=8)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".gif", ".html"])
def test_a_jump_of_the_clock_does_not_make_pictures_without_end(tmp_path, log, suffix, monkeypatch):
    for name in ("frames", "replay"):
        monkeypatch.setattr(sys.modules[f"pyrfly.view.{name}"], "MAXIMUM_FRAMES", 50)
    file = tmp_path / f"flight{suffix}"
    if suffix == ".html":  # has fewer frames
        animate(log, file, fps=60)
        assert file.exists()
    else:
        with pytest.raises(ValueError, match="start, stop: expected times for at most 50 frames"):
            animate(log, file, fps=60)


def test_mp4_has_the_pictures_or_names_its_extra(tmp_path, log, monkeypatch):
    path = tmp_path / "a.mp4"
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pyrfly\[video\]'"):
        animate(log, path, size=SIZE)
    monkeypatch.undo()
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    animate(log, path, size=(161, 121), fps=8)
    assert ffmpeg.count_frames_and_secs(str(path)) == (9, pytest.approx(1.125, abs=0.01))


@pytest.mark.parametrize(
    ("path", "changes", "message"),
    [
        ("a.avi", {}, "path: expected .gif, .webp, .png, .mp4, .html as suffix"),
        ("a.gif", {"fps": 0}, "fps: expected a number of 0.1 to 60, got 0"),
        ("a.gif", {"speed": -1}, "speed: expected a number of 0.001 to 10000, got -1"),
        ("a.gif", {"start": 2.0}, "start, stop: expected times from 0.000 to 1.000 s, got 2.0"),
        ("a.gif", {"start": 0.5, "stop": 0.1}, "start, stop: expected times"),
        ("a.gif", {"camera": "follow:3"}, "camera: expected a CopterID of 1, got 3"),
    ],
)
def test_wrong_arguments_are_named(tmp_path, log, path, changes, message):
    with pytest.raises(ValueError, match=message):
        animate(log, tmp_path / path, **changes)
    assert not list(tmp_path.iterdir())


def test_a_simulation_needs_an_end(tmp_path):
    with pytest.raises(ValueError, match="stop: expected the time of the last picture of a Sim"):
        animate(Sim("x450"), tmp_path / "a.gif")
