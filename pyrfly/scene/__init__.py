"""What stands in the world: boxes, cylinders, spheres, planes and meshes, and their files."""

from pyrfly.scene.files import read_scene, write_scene
from pyrfly.scene.meshes import read_mesh
from pyrfly.scene.rays import RayHits
from pyrfly.scene.samples import city, forest, gate, room, wall
from pyrfly.scene.scene import Scene, SceneArrays
from pyrfly.scene.shapes import Box, Cylinder, Mesh, Plane, Shape, Sphere

__all__ = [
    "Box",
    "Cylinder",
    "Mesh",
    "Plane",
    "RayHits",
    "Scene",
    "SceneArrays",
    "Shape",
    "Sphere",
    "city",
    "forest",
    "gate",
    "read_mesh",
    "read_scene",
    "room",
    "wall",
    "write_scene",
]
