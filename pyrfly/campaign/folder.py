"""The folder of a campaign: a file of every shard that is done, then one of all runs."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.campaign.choices import UNNAMED
from pyrfly.errors import CampaignError, brief, import_extra
from pyrfly.files import printable, replacing

__all__ = ["DESCRIPTION", "RUNS", "CampaignFolder", "folder_of"]

DESCRIPTION = "campaign.json"
RUNS = "runs.parquet"
_PARTS = "parts"
_LOCK = "lock"
_LISTINGS = 8  # of the files, while another process puts one in the place of those of shards
_KINDS = {"run": "int64", "sample": "int64", "seed": "uint64", "success": "bool"}
"""Types of the columns that all campaigns have."""


def folder_of(folder: Any) -> Path:
    """Return the argument ``folder`` as a path; raise a TypeError or ValueError if it is none."""
    text = os.fspath(folder) if isinstance(folder, (str, os.PathLike)) else None
    if not isinstance(text, str):
        raise TypeError(f"folder: expected a path, got {brief(folder)}")
    if "\0" in text:
        raise ValueError(f"folder: expected a path without null characters, got {brief(text)}")
    return Path(text)


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
            self._remove_unfinished()
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
        except (ValueError, RecursionError):
            found = None
        if not _is_description(found):
            raise CampaignError(f"folder: {printable(file)} is damaged: it describes no campaign")
        description: dict[str, Any] = found
        return description

    def done(self) -> NDArray[np.int64]:
        """Return the numbers of the runs that are done."""
        return np.asarray(self.columns().get("run", ()), dtype=np.int64)

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
        self._remove_unfinished()
        with suppress(OSError):  # something else lies in it
            (self.path / _PARTS).rmdir()
        (self.path / _LOCK).unlink(missing_ok=True)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the rows of the runs that are done, in their order."""
        table = self._table()
        return {name: table[name].to_numpy() for name in table.column_names}

    def _parts(self) -> list[Path]:
        return sorted((self.path / _PARTS).glob("[0-9]*.parquet"))

    def _remove_unfinished(self) -> None:
        """Remove temporary files of a process that was killed."""
        random = "[0-9a-f]" * 8
        for names in (
            f".campaign-{random}.json",
            f".runs-{random}.parquet",
            f"{_PARTS}/.[0-9]*-{random}.parquet",
        ):
            for file in self.path.glob(names):
                file.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        parts, whole = self._parts(), self.path / RUNS  # in this order: see `finish`
        return [whole, *parts] if whole.exists() else parts

    def _table(self) -> Any:
        """Return the rows of all files, in their order, each run once."""
        tables = self._tables()
        if not tables:
            return self._arrow.table({})
        table = self._arrow.concat_tables(tables, promote_options="permissive")
        _, first = np.unique(table["run"].to_numpy(), return_index=True)
        return table.take(first).combine_chunks()

    def _tables(self) -> list[Any]:
        """Return the rows of each file; another process may put one in the place of all."""
        for _ in range(_LISTINGS):
            with suppress(FileNotFoundError):
                return self._tables_of(self._files())
        raise CampaignError(
            f"folder: the files of {printable(self.path)} change while they are read"
        )

    def _tables_of(self, files: list[Path]) -> list[Any]:
        description = self.description()
        tables: list[Any] = []
        for file in files:
            try:
                table = self._read(file)
                _check_rows(table, description)
                self._arrow.unify_schemas(
                    [found.schema for found in [*tables[:1], table]], promote_options="permissive"
                )
            except FileNotFoundError:
                raise
            except (self._arrow.ArrowException, OSError, ValueError) as error:
                raise CampaignError(
                    f"folder: {printable(file)} is damaged, remove it and run the campaign again: "
                    f"{str(error).splitlines()[0]}"
                ) from None
            tables.append(table)
        return tables

    def _read(self, file: Path) -> Any:
        # in this thread: those of pyarrow may abort a process that ends soon after
        with file.open("rb") as stream, self._parquet.ParquetFile(stream) as parquet:
            return parquet.read(use_threads=False)

    def _write(self, table: Any, path: Path) -> None:
        with replacing(path) as temporary, temporary.open("wb") as stream:
            self._parquet.write_table(table, stream)


def _is_description(found: Any) -> bool:
    """Return whether JSON describes a campaign, as far as reports need it."""
    if not isinstance(found, dict):
        return False
    swept, limits = found.get("swept"), found.get("limits")
    return (
        all(type(found.get(name)) is int and found[name] > 0 for name in ("runs", "samples"))
        and isinstance(swept, list)
        and all(isinstance(name, str) for name in swept)
        and isinstance(limits, dict)
        and all(type(limit) in (int, float) for limit in limits.values())
    )


def _check_rows(table: Any, description: Mapping[str, Any]) -> None:
    """Raise a ValueError for rows that are not those of runs of a campaign."""
    names = table.column_names
    known = (*_KINDS, *description["swept"])
    for name in (*known, *names):
        if names.count(name) != 1:
            raise ValueError(f"expected one column {name}, got {names.count(name)}")
    for name in known:  # a function may measure something in some runs alone
        if table[name].null_count:
            raise ValueError(f"{name}: expected a value in every row, got a null")
    for name, kind in _KINDS.items():
        if str(table.schema.field(name).type) != kind:
            raise ValueError(f"{name}: expected {kind}, got {table.schema.field(name).type}")
    runs = table["run"].to_numpy()
    if ((runs < 0) | (runs >= description["runs"])).any():
        raise ValueError(f"run: expected 0 to {description['runs'] - 1}")


def _require_same(before: Any, now: Any, path: Path) -> None:
    for name in {**before, **now}:
        if UNNAMED in json.dumps(now.get(name)):
            raise CampaignError(
                f"folder: whether {printable(path)} has runs of the same campaign is not known: "
                f"{name}: expected 'module:name', a function of a module, or an object that has a "
                f"name or can be pickled, got {brief(now[name])}"
            )
        if before.get(name) != now.get(name):
            raise CampaignError(
                f"folder: {printable(path)} is that of another campaign: "
                f"{name}: expected {brief(before.get(name))}, got {brief(now.get(name))}"
            )
