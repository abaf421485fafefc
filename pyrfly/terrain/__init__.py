"""Terrain maps: heights of the ground on a grid, and their files."""

from pyrfly.terrain.reading import read_terrain
from pyrfly.terrain.terrain_map import TerrainMap

__all__ = ["TerrainMap", "read_terrain"]
