"""The files of the package say the same as its code and as the project."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from pyrfly_ros.fleet import FLEET
from pyrfly_ros.services import SERVICES
from pyrfly_ros.set_points import SET_POINTS
from pyrfly_ros.topics import TOPICS

import pyrfly

from .conftest import PACKAGE

MANIFEST = ET.parse(PACKAGE / "package.xml").getroot()


def test_the_version_is_that_of_pyrfly() -> None:
    in_setup = re.search(r'version="(.*?)"', (PACKAGE / "setup.py").read_text())
    assert MANIFEST.findtext("version") == in_setup[1] == pyrfly.__version__


def test_the_manifest_names_every_package_of_messages() -> None:
    kinds = [row.message for table in (TOPICS, FLEET, SET_POINTS) for row in table.values()]
    kinds += [service.kind for service in SERVICES.values()]
    needed = {kind.partition("/")[0] for kind in kinds}
    assert needed <= {depend.text for depend in MANIFEST.iter("exec_depend")}


def test_the_launch_file_runs_the_program_of_the_package() -> None:
    root = ET.parse(PACKAGE / "launch" / "sim.launch.xml").getroot()
    node = root.find("node")
    assert node.get("pkg") == MANIFEST.findtext("name")
    assert f"{node.get('exec')} = " in (PACKAGE / "setup.py").read_text()
    arguments = {arg.get("name") for arg in root.iter("arg")}
    assert set(re.findall(r"\$\(var (\w+)\)", ET.tostring(root, "unicode"))) == arguments
    (config,) = (arg.get("default") for arg in root.iter("arg") if arg.get("name") == "config")
    assert (PACKAGE / config.partition("pyrfly_ros)/")[2]).is_file()
