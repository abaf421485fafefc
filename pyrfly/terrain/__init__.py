"""Terrain maps: heights of the ground on a grid, and their files; heights of the geoid."""

from pyrfly.terrain.geoid import GEOIDS, geoid_height
from pyrfly.terrain.reading import read_terrain
from pyrfly.terrain.terrain_map import TerrainMap

__all__ = ["GEOIDS", "TerrainMap", "geoid_height", "read_terrain"]
