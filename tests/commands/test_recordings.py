"""What recordings leave where something ends a command, such as a full disk."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
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


@pytest.fixture
def replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], int]:
    """Return a function that replays a run of a number of steps; the folder is ``out``."""
    monkeypatch.setattr("sys.path", [*sys.path])

    def run(steps: int) -> int:
        module, file = f"gliding_{steps}", tmp_path / "wind.toml"
        (tmp_path / f"{module}.py").write_text(
            f"def glide(sim):\n    sim.step({steps})\n    return {{'speed': sim.vel[:, 0]}}\n"
        )
        file.write_text(f'vehicle = "x450"\nfunction = "{module}:glide"\n')
        return main(["campaign", "replay", str(file), "0", "--out", str(tmp_path / "out")])

    return run


@pytest.mark.slow
def test_a_replay_whose_output_nobody_reads_leaves_its_log_alone(
    tmp_path: Path, replay: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no recording, of which there is one after 20 s."""

    def unread(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", unread)
    monkeypatch.setattr("pyrfly.cli._discard_output", lambda: None)  # it is that of pytest
    assert replay(25_000) == 141
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["run-0.npz"]


def test_a_replay_on_a_full_disk_names_the_file_and_leaves_nothing(
    tmp_path: Path,
    replay: Callable[[int], int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    out = tmp_path / "out"
    monkeypatch.setattr("pyrfly.log.log.write_arrays", full)
    assert replay(200) == 2
    error = capsys.readouterr().err
    assert "No space left on device: '" in error
    assert ".npz'" in error
    assert not out.exists()
