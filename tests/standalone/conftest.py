"""Sources of the core, of which exported vehicles are made."""

from __future__ import annotations

import pytest

from pyrfly.errors import Error
from pyrfly.standalone import export_model


@pytest.fixture(scope="session", autouse=True)
def _sources_of_the_core(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip where pyrfly is installed without them, as `export_model` says."""
    try:
        export_model("x450", tmp_path_factory.mktemp("exported"))
    except Error as error:
        if "this installation lacks" in str(error):
            pytest.skip(str(error))
        raise
