"""What all tests share."""

import os

import pytest


@pytest.fixture(autouse=True, scope="session")
def _outside_the_source_tree(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Leave the source tree: a Python that a test starts in it would import the sources there.

    They hold no compiled core, unless somebody built it in place.
    """
    os.chdir(tmp_path_factory.mktemp("elsewhere"))
