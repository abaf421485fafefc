"""Rows of a campaign: `Results`, `read_results`."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.campaign.folder import CampaignFolder, folder_of
from pyrfly.errors import CampaignError, brief, import_extra, near_names

__all__ = ["Rate", "Results", "read_results", "success_rate"]

CONFIDENCE = 0.95
"""Of the intervals of success rates."""

_DEVIATIONS = 1.959963984540054  # of the normal distribution, two-sided, for this confidence


class Rate(NamedTuple):
    """A share of successes, and its confidence interval.

    Attributes
    ----------
    successes, runs : int
        Their numbers.
    share : float
        The share of successes; NaN without runs.
    low, high : float
        Bounds of the interval.
    """

    successes: int
    runs: int
    share: float
    low: float
    high: float


def success_rate(success: NDArray[np.bool_]) -> Rate:
    """Return the rate of successes with Wilson's score interval of 95 % [@wilson]."""
    runs, successes = len(success), int(np.count_nonzero(success))
    if not runs:
        return Rate(0, 0, math.nan, 0.0, 1.0)
    share, z = successes / runs, _DEVIATIONS
    middle = (share + z * z / (2 * runs)) / (1 + z * z / runs)
    half = z * math.sqrt(share * (1 - share) / runs + z * z / (4 * runs**2)) / (1 + z * z / runs)
    return Rate(successes, runs, share, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True, eq=False)
class Results:
    """Rows of the runs of a campaign that are done.

    Attributes
    ----------
    folder : Path
        Where they are.
    description : dict
        What the folder says of the campaign.
    columns : dict of str to ndarray, shape (n,)
        ``run``, ``sample``, ``seed``; what was swept and drawn; ``success`` and the other measures.
    """

    folder: Path
    description: dict[str, Any]
    columns: dict[str, NDArray[Any]]

    def __repr__(self) -> str:
        return f"<Results of {len(self)} of {self.size} runs: {', '.join(self.columns)}>"

    def __len__(self) -> int:
        """Return the number of runs that are done."""
        return len(self.columns.get("run", ()))

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column; the KeyError for an unknown name lists similar ones."""
        try:
            return self.columns[name]
        except KeyError:
            raise KeyError(
                f"no column {brief(name)}; try {near_names(name, self.columns)}"
            ) from None

    @property
    def size(self) -> int:
        """Number of runs of the campaign."""
        return int(self.description["runs"])

    @property
    def measures(self) -> list[str]:
        """Names of the measures that are numbers, besides ``success``."""
        names = list(self.columns)
        after = names[names.index("success") + 1 :] if "success" in names else []
        return [name for name in after if self.columns[name].dtype.kind in "iuf"]

    @property
    def success_rate(self) -> Rate:
        """Rate of successes of all runs."""
        return success_rate(self["success"])

    def error(self, name: str | None = None) -> str:
        """Return the measure that is an error, of which less is better.

        Parameters
        ----------
        name : str, optional
            A measure; by default the first with a limit, or the first of `DEFAULT_ERRORS`, or the
            first of all.

        Raises
        ------
        CampaignError
            There is no such measure, or none at all.
        """
        known = self.measures
        if name is None:
            usual = [*self.description.get("limits", {}), *DEFAULT_ERRORS, *known]
            name = next((word for word in usual if word in known), None)
        if name not in known:
            near = near_names(name, known) if isinstance(name, str) else "one"
            raise CampaignError(
                f"error: expected a measure, such as {near or 'none'}, got {name!r}"
            )
        return str(name)

    def worst(self, count: int = 10, error: str | None = None) -> NDArray[np.int64]:
        """Return the numbers of the worst runs: failures first, then the largest error.

        Parameters
        ----------
        count : int
            At most so many.
        error : str, optional
            The measure, as of `error`. A run without it is the worst; where nothing is measured,
            failures are.
        """
        if error is None and not self.measures:
            values = np.zeros(len(self))
        else:
            values = np.nan_to_num(self[self.error(error)].astype(np.float64), nan=math.inf)
        order = np.lexsort((self["run"], -values, self["success"]))
        return np.asarray(self["run"][order[:count]])

    def to_pandas(self) -> Any:
        """Return the runs as a data frame of pandas, with the number of the run as index.

        Raises
        ------
        MissingExtraError
            pandas is not installed.
        """
        pandas = import_extra("pandas", "pandas", "a data frame")
        return pandas.DataFrame(self.columns).set_index("run")

    def points(self) -> dict[str, NDArray[np.bool_]]:
        """Return which rows are those of each point of the grid, by its name.

        A name has as many digits as tell the points apart, at least five; components of a column
        are in one bracket.
        """
        number = self["run"] // int(self.description["samples"])
        of_column: dict[str, list[str]] = {}
        for name in self.description["swept"]:
            of_column.setdefault(name.partition("[")[0], []).append(name)
        texts = [
            _bracket(column, [_texts("", self[name]) for name in names])
            if names != [column]
            else _texts(f"{column}=", self[column])
            for column, names in of_column.items()
        ]
        found = {}
        for point in np.unique(number):
            rows = number == point
            first = int(np.argmax(rows))
            found[", ".join(text[first] for text in texts) or "all"] = rows
        return found


def _bracket(column: str, components: list[list[str]]) -> list[str]:
    return [f"{column}=({', '.join(row)})" for row in zip(*components, strict=True)]


def _texts(name: str, values: NDArray[Any]) -> list[str]:
    """Return the texts of a swept column in names of points, different for different values."""
    items = values.tolist()
    if values.dtype.kind != "f":
        return [item if isinstance(item, str) else f"{name}{item}" for item in items]
    different = len(set(items))
    for digits in (5, 9, 17):  # 17 tell all numbers apart
        texts = [f"{name}{item:.{digits}g}" for item in items]
        if len(set(texts)) == different:
            break
    return texts


DEFAULT_ERRORS = ("distance_end", "cross_track_max")
"""Errors of policies and missions."""


def read_results(folder: str | os.PathLike[str]) -> Results:
    """Read the runs of a campaign that are done.

    Parameters
    ----------
    folder : str or path-like
        The folder of `Campaign.run`.

    Raises
    ------
    CampaignError
        It is none.
    MissingExtraError
        pyarrow is not installed.
    """
    files = CampaignFolder(folder_of(folder))
    return Results(files.path, files.description(), files.columns())
