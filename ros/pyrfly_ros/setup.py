from pathlib import Path

from setuptools import setup

NAME = "pyrfly_ros"


def files(folder: str) -> list[str]:
    return sorted(str(path) for path in Path(folder).iterdir())


setup(
    name=NAME,
    version="0.1.0",
    description="Vehicles of pyrfly as topics and services of ROS 2",
    license="BSD-3-Clause",
    packages=[NAME],
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (f"share/{NAME}", ["package.xml"]),
        (f"share/{NAME}/launch", files("launch")),
        (f"share/{NAME}/config", files("config")),
    ],
    zip_safe=True,
    entry_points={"console_scripts": [f"sim = {NAME}.program:main"]},
)
