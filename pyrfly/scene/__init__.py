"""What stands in the world: boxes, cylinders, spheres, planes and meshes, and their files."""

from pyrfly.scene.samples import city, forest, gate, room, wall
from pyrfly.scene.scene import Scene, SceneArrays
from pyrfly.scene.shapes import Box, Cylinder, Mesh, Plane, Shape, Sphere

__all__ = [
    "Box",
    "Cylinder",
    "Mesh",
    "Plane",
    "Scene",
    "SceneArrays",
    "Shape",
    "Sphere",
    "city",
    "forest",
    "gate",
    "room",
    "wall",
]
