"""The folder of a campaign: a file of every shard that is done, then one of all runs."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import CampaignError, import_extra, shown
from pyrfly.files import printable, replacing

__all__ = ["DESCRIPTION", "RUNS", "CampaignFolder"]

DESCRIPTION = "campaign.json"
RUNS = "runs.parquet"
_PARTS = "parts"
_LOCK = "lock"


class CampaignFolder:
    """Files of a campaign. Each is complete or not there, also after a crash.

    Parameters
    ----------
    path : Path
        The folder.

    Raises
    ------
    MissingExtraError
        pyarrow is not installed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._arrow = import_extra("pyarrow", "campaign", "a campaign")
        self._parquet = import_extra("pyarrow.parquet", "campaign", "a campaign")

    @contextmanager
    def held(self, description: Mapping[str, Any]) -> Iterator[None]:
        """Create the folder, or go on in that of the same campaign, alone.

        Raises
        ------
        CampaignError
            It is that of another campaign, has other files, or another process flies its runs.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / _LOCK).open("w")
        except (FileExistsError, NotADirectoryError):
            raise CampaignError(f"folder: expected a folder, got {printable(self.path)}") from None
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CampaignError(
                    f"folder: another process flies the runs of {printable(self.path)}"
                ) from None
            self._begin(description)
            yield

    def _begin(self, description: Mapping[str, Any]) -> None:
        text = json.dumps(description, indent=2) + "\n"
        file = self.path / DESCRIPTION
        if file.exists():
            _require_same(self.description(), json.loads(text), self.path)
        elif {entry.name for entry in self.path.iterdir()} - {_LOCK, _PARTS}:
            (self.path / _LOCK).unlink()
            raise CampaignError(
                f"folder: expected a new one or that of a campaign, got {printable(self.path)}"
            )
        else:
            with replacing(file) as temporary:
                temporary.write_text(text)
        (self.path / _PARTS).mkdir(exist_ok=True)

    def description(self) -> dict[str, Any]:
        """Return what the folder says of its campaign."""
        file = self.path / DESCRIPTION
        try:
            found = json.loads(file.read_text())
        except (FileNotFoundError, NotADirectoryError):
            raise CampaignError(
                f"folder: expected that of a campaign, got {printable(self.path)}"
            ) from None
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise CampaignError(f"folder: {printable(file)} is damaged: it describes no campaign")
        return found

    def done(self) -> NDArray[np.int64]:
        """Return the numbers of the runs that are done."""
        files = self._files()
        if not files:
            return np.zeros(0, dtype=np.int64)
        tables = [self._read(file, ["run"]) for file in files]
        return np.unique(np.concatenate([table["run"].to_numpy() for table in tables]))

    def add(self, rows: Mapping[str, NDArray[Any]]) -> None:
        """Write the rows of a shard."""
        runs = rows["run"]
        table = self._arrow.table({name: self._arrow.array(v) for name, v in rows.items()})
        self._write(table, self.path / _PARTS / f"{runs[0]:09d}-{runs[-1]:09d}-{len(runs)}.parquet")

    def finish(self) -> None:
        """Write the rows of all runs into one file, in their order, instead of those of shards."""
        parts = self._parts()
        if parts:
            self._write(self._table(), self.path / RUNS)
        for file in parts:
            file.unlink()
        with suppress(OSError):  # something else lies in it
            (self.path / _PARTS).rmdir()
        (self.path / _LOCK).unlink(missing_ok=True)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the rows of the runs that are done, in their order."""
        if not self._files():
            return {}
        table = self._table()
        return {name: table[name].to_numpy() for name in table.column_names}

    def _parts(self) -> list[Path]:
        return sorted((self.path / _PARTS).glob("[0-9]*.parquet"))

    def _files(self) -> list[Path]:
        whole = self.path / RUNS
        return [whole] if whole.exists() else self._parts()

    def _table(self) -> Any:
        """Return the rows of all files, in their order, each run once."""
        tables = [self._read(file) for file in self._files()]
        table = self._arrow.concat_tables(tables, promote_options="permissive")
        _, first = np.unique(table["run"].to_numpy(), return_index=True)
        return table.take(first).combine_chunks()

    def _read(self, file: Path, columns: list[str] | None = None) -> Any:
        try:
            table = self._parquet.read_table(file, columns=columns)
            table["run"].cast(self._arrow.int64())
        except (self._arrow.ArrowException, KeyError, OSError) as error:
            raise CampaignError(
                f"folder: {printable(file)} is damaged, remove it and run the campaign again: "
                f"{str(error).splitlines()[0]}"
            ) from None
        return table

    def _write(self, table: Any, path: Path) -> None:
        with replacing(path) as temporary, temporary.open("wb") as stream:
            self._parquet.write_table(table, stream)


def _require_same(before: Any, now: Any, path: Path) -> None:
    for name in {**before, **now}:
        if before.get(name) != now.get(name):
            raise CampaignError(
                f"folder: {printable(path)} is that of a campaign with another {name}: "
                f"expected {shown(before.get(name))}, got {shown(now.get(name))}"
            )
