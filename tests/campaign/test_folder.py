"""The folder of a campaign: runs that are missing, other processes, damaged files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from pyrfly import Sim  # noqa: E402
from pyrfly.campaign import Campaign, read_results  # noqa: E402
from pyrfly.campaign.folder import CampaignFolder  # noqa: E402


def twice(sim: Sim) -> dict[str, Any]:
    return {"twice": sim.mass * 2}


@pytest.fixture
def campaign() -> Campaign:
    return Campaign(function=twice, samples=3, sweep={"mass": [1.0, 2.0]})


@pytest.mark.parametrize("kept", [[0, 1, 4], []])
def test_runs_that_are_missing_are_flown_and_kept(
    campaign: Campaign, tmp_path: Path, kept: list[int]
) -> None:
    whole = campaign.run(tmp_path)
    file = tmp_path / "runs.parquet"
    pq.write_table(pq.read_table(file).take(pa.array(kept, pa.int64())), file)
    assert read_results(tmp_path)["run"].tolist() == kept
    assert campaign.run(tmp_path, shard_size=2)["twice"].tolist() == whole["twice"].tolist()
    assert len(read_results(tmp_path)) == 6
    assert pq.read_table(file).num_rows == 6


def unfinished(campaign: Campaign, folder: Path) -> CampaignFolder:
    """Return the folder of a campaign with two files of shards, not yet one."""
    campaign.run(folder)
    files = CampaignFolder(folder)
    table = pq.read_table(folder / "runs.parquet")
    (folder / "parts").mkdir()
    for first in (0, 3):
        pq.write_table(table.slice(first, 3), folder / "parts" / f"{first:09d}.parquet")
    (folder / "runs.parquet").unlink()
    return files


def test_results_can_be_read_while_a_campaign_ends(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = unfinished(campaign, tmp_path)
    list_files = CampaignFolder._files

    def end_after_listing(folder: CampaignFolder) -> list[Path]:
        found = list_files(folder)
        monkeypatch.setattr(CampaignFolder, "_files", list_files)
        files.finish()
        return found

    monkeypatch.setattr(CampaignFolder, "_files", end_after_listing)
    assert len(read_results(tmp_path)) == 6


def test_files_that_vanish_again_and_again_are_an_error(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign.run(tmp_path)
    monkeypatch.setattr(CampaignFolder, "_files", lambda folder: [folder.path / "gone.parquet"])
    with pytest.raises(ValueError, match=r"folder: the files of .* change while they are read"):
        read_results(tmp_path)


def test_temporary_files_of_a_killed_process_are_removed(
    campaign: Campaign, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / ".000000000-000000002-3-0123abcd.parquet").write_bytes(b"PAR1")
    (folder / ".runs-0123abcd.parquet").write_bytes(b"PAR1")
    (folder / ".campaign-0123abcd.json").write_bytes(b"{")
    campaign.run(folder)
    assert sorted(file.name for file in folder.iterdir()) == ["campaign.json", "runs.parquet"]


@pytest.mark.parametrize(
    "change",
    [
        lambda d: {},
        lambda d: {"runs": 3},
        lambda d: {**d, "runs": "6"},
        lambda d: {**d, "samples": 0},
        lambda d: {**d, "swept": "mass"},
        lambda d: {**d, "swept": [1]},
        lambda d: {**d, "limits": {"twice": None}},
    ],
)
def test_a_description_of_something_else_is_damaged(
    campaign: Campaign, tmp_path: Path, change: Callable[[Any], Any]
) -> None:
    campaign.run(tmp_path)
    file = tmp_path / "campaign.json"
    file.write_text(json.dumps(change(json.loads(file.read_text()))))
    for read in (read_results, campaign.run):
        with pytest.raises(ValueError, match=r"campaign\.json is damaged: it describes no"):
            read(tmp_path)


def with_column(name: str, values: list[Any], kind: Any = None) -> Callable[[Any], Any]:
    def changed(table: Any) -> Any:
        place = table.column_names.index(name)
        return table.set_column(place, name, pa.array(values, kind))

    return changed


ROWS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda t: t.drop_columns(["success"]), "expected one column success, got 0"),
    (lambda t: t.drop_columns(["mass"]), "expected one column mass, got 0"),
    (lambda t: t.append_column("run", t["run"]), "expected one column run, got 2"),
    (with_column("success", ["no"] * 6), "success: expected bool, got string"),
    (with_column("success", [True, None] * 3), "success: expected a value in every row"),
    (with_column("run", [0, 1, 2, 3, 4, None]), "run: expected a value in every row"),
    (with_column("run", [0, 1, 2, 3, 4, 6]), "run: expected 0 to 5"),
    (with_column("run", [-1, 1, 2, 3, 4, 5]), "run: expected 0 to 5"),
    (with_column("run", np.arange(6) / 2), "run: expected int64, got double"),
]


@pytest.mark.parametrize(("change", "words"), ROWS, ids=[words for _, words in ROWS])
def test_rows_of_something_else_are_damaged(
    campaign: Campaign, tmp_path: Path, change: Callable[[Any], Any], words: str
) -> None:
    campaign.run(tmp_path)
    file = tmp_path / "runs.parquet"
    pq.write_table(change(pq.read_table(file)), file)
    for read in (read_results, campaign.run):
        with pytest.raises(ValueError, match=rf"runs\.parquet is damaged, remove it.*{words}"):
            read(tmp_path)


def test_a_part_with_other_types_is_damaged(campaign: Campaign, tmp_path: Path) -> None:
    unfinished(campaign, tmp_path)
    part = tmp_path / "parts" / "000000003.parquet"
    pq.write_table(with_column("twice", ["a", "b", "c"])(pq.read_table(part)), part)
    with pytest.raises(ValueError, match=r"000000003\.parquet is damaged, remove it"):
        read_results(tmp_path)


def light_ones_only(sim: Sim) -> dict[str, Any]:
    return {"twice": sim.mass * 2} if sim.mass[0] < 1.5 else {}


def test_a_measure_of_some_runs_alone_is_missing_elsewhere(tmp_path: Path) -> None:
    campaign = Campaign(function=light_ones_only, sweep={"mass": [1.0, 2.0]})
    results = campaign.run(tmp_path, shard_size=1)
    np.testing.assert_array_equal(results["twice"], [2.0, np.nan])
    np.testing.assert_array_equal(read_results(tmp_path)["twice"], [2.0, np.nan])
