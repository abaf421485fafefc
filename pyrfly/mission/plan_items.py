"""Items of QGroundControl's ``.plan`` files as mission items: `PlanItemReader`."""

from __future__ import annotations

from pyrfly.frames import LocalFrame
from pyrfly.mission.checks import Point
from pyrfly.mission.command_items import CommandReader
from pyrfly.mission.entry import PlanItem, integer
from pyrfly.mission.items import MissionItem
from pyrfly.mission.landing_pattern import PATTERNS, landing_commands
from pyrfly.mission.problems import Problems
from pyrfly.mission.scans import scan_positions, stored_items
from pyrfly.terrain import TerrainMap

__all__ = ["PlanItemReader"]


class PlanItemReader:
    """Converts entries of a plan to mission items.

    Parameters
    ----------
    home : tuple of 3 floats
        Latitude [deg], longitude [deg], altitude [m above sea level] of the local origin.
    speed : float
        Default speed of the plan [m/s].
    terrain : TerrainMap, optional
        The ground, for heights above it.
    """

    def __init__(self, home: Point, speed: float, terrain: TerrainMap | None = None) -> None:
        self._frame = LocalFrame(*home)
        self._commands = CommandReader(home, speed, terrain)

    def read(self, entries: list[object], problems: Problems) -> tuple[MissionItem, ...]:
        """Return the items of ``mission.items``; all errors are added to ``problems``."""
        for index, entry in enumerate(entries, start=1):
            with problems.collect():
                if isinstance(entry, dict) and entry.get("type") == "ComplexItem":
                    self._add_complex(index, entry, problems)
                else:
                    self._commands.add(PlanItem(index, entry))
        return self._commands.items(problems)

    @property
    def skipped(self) -> tuple[str, ...]:
        """Descriptions of the items that were left out."""
        return self._commands.skipped

    def _add_complex(self, index: int, entry: dict[str, object], problems: Problems) -> None:
        """Add the stored items of a complex one, else those that follow from its geometry."""
        number = integer(f"item {index}: doJumpId", entry.get("doJumpId", index)) or index
        stored, kind = stored_items(entry), entry.get("complexItemType")
        if not stored and isinstance(kind, str) and kind in PATTERNS:
            for command in landing_commands(number, entry):
                self._commands.add(command)
            return
        with self._commands.survey(number):
            for item in stored:
                with problems.collect():
                    self._commands.add(PlanItem(index, item))
            if not stored:
                positions = scan_positions(f"item {number}", entry, self._frame)
                self._commands.add_waypoints(number, positions)
