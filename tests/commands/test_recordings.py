"""What recordings leave where something ends a command, such as a full disk."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from pyrfly.cli import main
from pyrfly.commands.recordings import kept_recordings


@pytest.mark.parametrize("before", [0, 1, 2])
def test_folders_in_which_nothing_is_kept_are_gone_again(tmp_path: Path, before: int) -> None:
    above = tmp_path / "above"
    folder = above / "out"
    if before:
        (folder if before == 2 else above).mkdir(parents=True)
    with kept_recordings(folder, "x") as recordings:
        assert recordings.parent == folder
    assert [above.exists(), folder.exists()] == [before > 0, before == 2]


def test_what_was_recorded_is_kept_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with kept_recordings(tmp_path / "out", "x") as recordings:
        (recordings / "flight").mkdir()
        (recordings / "flight" / "chunk-000000.npz").touch()
    assert capsys.readouterr().err == f"what was recorded is in {recordings / 'flight'}\n"
    assert recordings.exists()


def test_a_replay_on_a_full_disk_names_the_file_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file, out = tmp_path / "wind.toml", tmp_path / "out"
    (tmp_path / "gliding.py").write_text("def glide(sim):\n    sim.step(200)\n    return {}\n")
    file.write_text('vehicle = "x450"\nfunction = "gliding:glide"\n')
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.setattr("numpy.savez", full)
    assert main(["campaign", "replay", str(file), "0", "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert "No space left on device: '" in error
    assert ".npz'" in error
    assert not out.exists()
