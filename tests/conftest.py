"""What all tests share."""

import os

import pytest
from hypothesis import settings

# A busy machine takes its time; what an example takes is no property of the code.
settings.register_profile("pyrfly", deadline=None, print_blob=True)
settings.load_profile("pyrfly")


@pytest.fixture(autouse=True, scope="session")
def _outside_the_source_tree(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Leave the source tree: a Python that a test starts in it would import the sources there.

    They hold no compiled core, unless somebody built it in place.
    """
    os.chdir(tmp_path_factory.mktemp("elsewhere"))
