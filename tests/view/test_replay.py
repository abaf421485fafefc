"""Flights in pages of their own."""

import base64
import gzip
import importlib
import json
import re

import pytest

from pyrfly import Sim
from pyrfly.log import Recorder, flight_columns
from pyrfly.view import animate, replay

module = importlib.import_module("pyrfly.view.replay")


@pytest.fixture
def log():
    sim = Sim("x450", 2)
    recorder = Recorder(sim, flight_columns(sim), every=20)
    sim.arm()
    sim.run(0.3, record=recorder)
    return recorder.log()


def test_replay_is_one_file_that_asks_for_nothing(log, tmp_path):
    page = replay(log, title="</script><b>")
    assert "http:" not in page.html.replace("http://www.w3.org", "")
    assert not re.search(r"<(?:link|script|img|iframe)[^>]+(?:src|href)=(?!\"data:)", page.html)
    assert "</script><b>" not in page.html
    page.save(tmp_path / "a.html")
    animate(log, tmp_path / "b.html")
    assert (tmp_path / "a.html").read_text("utf-8") == page.html
    assert (tmp_path / "b.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_columns_of_the_log_can_be_plotted(log):
    page = replay(log).html
    packed = re.search(r'id="world">([^<]*)<', page)[1]
    world = gzip.decompress(base64.b64decode(packed))
    assert b'{"name":"vel","width":3,"unit":"m/s"' in world
    assert b'"name":"pos"' not in world  # which is plotted anyway


def test_page_knows_what_the_log_does_not_tell(log):
    sim = Sim("x450")
    recorder = Recorder(sim, every=20)
    sim.run(0.1, record=recorder)
    for flight, untold in ((log, []), (recorder.log(), ["armed", "displayed_actuators"])):
        config = re.search(r'id="config">([^<]*)<', replay(flight).html)[1]
        assert json.loads(config)["untold"] == untold


def test_notebook_shows_it_without_a_server(log):
    shown = replay(log)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert shown.count('"') == 4  # all else is escaped


@pytest.mark.parametrize(
    ("installed", "prefix", "address"),
    [
        (False, "/user/me/", "http://127.0.0.1:20190/?key=secret"),
        (True, None, "/proxy/20190/?key=secret"),
        (True, "/user/me/", "/user/me/proxy/20190/?key=secret"),
    ],
)
def test_notebook_elsewhere_reaches_a_page_by_its_own_server(
    monkeypatch, installed, prefix, address
):
    monkeypatch.setattr(module, "find_spec", lambda name: object() if installed else None)
    monkeypatch.delenv("JUPYTERHUB_SERVICE_PREFIX", raising=False)
    if prefix:
        monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", prefix)
    assert module.notebook_address("http://127.0.0.1:20190/?key=secret") == address


def test_bad_arguments_are_named(log):
    with pytest.raises(ValueError, match="fps: expected a number above 0, up to 1000, got 0"):
        replay(log, fps=0)
    with pytest.raises(ValueError, match=r"camera: expected .* got 'left'"):
        replay(log, camera="left")
    with pytest.raises(ValueError, match="camera: expected a CopterID of 1, 2, got 7"):
        replay(log, camera="follow:7")
