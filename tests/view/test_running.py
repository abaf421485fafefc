"""Pages that are found by other programs of the same user."""

import os
import socket
import stat

import pytest

from pyrfly.cli import main
from pyrfly.view import running as module
from pyrfly.view.running import announced, running


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(module.tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_page_is_found_while_it_is_served(folder, port, capsys):
    url = f"http://127.0.0.1:{port}/?token=secret"
    with announced(url):
        assert running() == [url]
        (inside,) = folder.iterdir()
        for path in (inside, *inside.iterdir()):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
        assert main(["dash", "--no-browser"]) == 0
        assert capsys.readouterr().out == f"{url}#plots\n"
    assert running() == []
    assert main(["dash", "--no-browser"]) == 2
    assert "nothing is shown: start pyrfly sim --view" in capsys.readouterr().err


def test_page_that_has_ended_without_a_word_is_not_found(port):
    with announced("http://127.0.0.1:1/?token=gone"), announced(f"http://127.0.0.1:{port}/"):
        assert running() == [f"http://127.0.0.1:{port}/"]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="modes of files are those of POSIX")
def test_folder_of_others_is_not_used(folder, port):
    (folder / f"pyrfly-view-{os.getuid()}").mkdir(mode=0o777)
    (folder / f"pyrfly-view-{os.getuid()}").chmod(0o777)
    with announced(f"http://127.0.0.1:{port}/"):
        assert running() == []
