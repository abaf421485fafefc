"""Links: when they are due, and what a link without methods of its own does."""

import pytest

from pyrfly import Sim
from pyrfly.server import Link, LinkStats, Server, steps_at


@pytest.mark.parametrize(
    ("rate", "dt", "steps"),
    [(100, 0.001, 10), (30, 0.001, 33), (5000, 0.001, 1), (0.5, 0.002, 1000)],
)
def test_steps_between_messages(rate, dt, steps):
    assert steps_at(rate, dt) == steps


@pytest.mark.parametrize("rate", [0, -1, 1e-4, float("nan")])
def test_a_rate_that_cannot_be_is_an_error(rate):
    with pytest.raises(ValueError, match="rate: expected"):
        steps_at(rate, 0.001)


def test_a_link_may_override_nothing():
    class Idle(Link):
        name = "idle"

        def __init__(self, n):
            self.stats = LinkStats(n)

    sim = Sim("x450", 2)
    link = Idle(sim.n)
    with Server(sim, mode=None, rate="max", links=[link]) as server:
        server.stop()
        before = server.time
        server.run(0.05)
        assert server.time > before
    assert (link.where(), link.fileno(), sum(link.stats.values())) == ([], None, 0)
