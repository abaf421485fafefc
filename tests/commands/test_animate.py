"""``pyrfly animate``."""

import numpy as np
import pytest
from PIL import Image

from pyrfly.cli import main

from .fly_files import plan_with


def test_a_log_becomes_a_file_beside_it(tmp_path, log, capsys):
    options = ["--size", "120x80", "--fps", "10", "--from", "0.1", "--to", "0.4"]
    assert main(["animate", log, *options, "--camera", "follow:1"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'flight.gif'}\n"
    with Image.open(tmp_path / "flight.gif") as image:
        assert (image.size, image.n_frames) == ((120, 80), 4)
        assert len(np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0)) > 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--camera", "above"], "argument --camera: expected overview, follow:ID or nose:ID"),
        (["--camera", "nose:4"], "camera: expected a CopterID of 1, got 4"),
        (["--size", "large"], "argument --size: expected WIDTHxHEIGHT in pixels, got 'large'"),
        (["-o", "flight.txt"], "path: expected .gif, .webp, .png, .mp4, .html as suffix"),
        (["--from", "7"], "start, stop: expected times from 0.000 to 0.500 s"),
    ],
)
def test_wrong_options_are_told(log, capsys, options, message):
    try:
        status = main(["animate", log, *options])
    except SystemExit as end:  # as argparse does
        status = end.code
    assert status == 2
    assert message in capsys.readouterr().err


def test_the_mission_of_a_log_is_drawn_where_it_was_flown(tmp_path, capsys):
    mission = plan_with(tmp_path)
    assert main(["fly", mission, "--out", str(tmp_path), "--no-plot"]) == 0
    log, sizes = str(tmp_path / "short-x450.npz"), []
    for more in ([], ["--mission", mission]):
        options = ["--size", "160x120", "--fps", "0.2", "--camera", "follow:1"]
        assert main(["animate", log, *options, *more]) == 0
        with Image.open(tmp_path / "short-x450.gif") as image:
            sizes.append(np.count_nonzero(np.asarray(image.convert("RGB")).max(axis=2) < 120))
    assert sizes[1] > sizes[0] + 10
