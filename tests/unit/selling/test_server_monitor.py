"""Whether the program that answers is the till's own server."""

from __future__ import annotations

from typing import Any

from pos_app.domain.receipt.server_status import JournalMark
from pos_app.errors import PortTaken
from pos_app.selling.server.answers import ServerFacts
from pos_app.selling.server.monitor import ServerLink, ServerMonitor
from tests.fakes.till_clock import StandingClock


class Proving:
    """A server that always proves to be this installation's."""

    async def prove(self) -> ServerFacts:
        return ServerFacts("4.0.0", "production", JournalMark("journal-1", 0))


async def test_a_server_that_keeps_ours_from_its_port_is_not_ours() -> None:
    """The folder was moved away beneath it: it proved to be ours, and the till said that all works
    while its own server could not be started."""
    server: Any = Proving()
    clock = StandingClock()
    monitor = ServerMonitor(server=server, clock=clock)
    assert await monitor.is_ours()
    monitor.report_fault(PortTaken("ourselves", by="ourselves", port=9999, setting="port"))
    clock.go_on(3_000)
    assert not await monitor.is_ours()
    view = monitor.view
    assert (view.link, view.is_troubled, view.signs_nothing) == (ServerLink.STRANGER, True, True)
    monitor.report_fault(None)
    assert await monitor.is_ours()
    assert not monitor.view.is_troubled
