"""What the till knows of its server: whether it is ours, and what works behind it.

No answer counts before the server has proved to be this installation's (exactly-once.md, "The
open local server", 7). The proof is asked anew after each silence and each doubtful answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.server_status import ProcessorState, ServerStatus
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import PendingReason
from pos_app.selling.server.answers import ForeignServer, NoAnswer, ServerFacts
from pos_app.selling.server.ports import FiscalServer

_log = log.get(__name__)

PROOF_LASTS = 2_000
"""Milliseconds for which a proof is taken as given."""
_PAUSES = (250, 500, 1_000)
"""Milliseconds between tries to reach a server that is away; the last one is repeated."""


class ServerLink(StrEnum):
    """Who answers at our server's address."""

    NOT_ASKED = "not_asked"
    OURS = "ours"
    AWAY = "away"
    STRANGER = "stranger"


@dataclass(frozen=True, slots=True)
class ServerView:
    """How server and processor were seen last. status is the last one told, also while away.

    fault: why our server can't be started. troubled_since: when `is_troubled` began, UTC.
    """

    link: ServerLink = ServerLink.NOT_ASKED
    reason: PendingReason | None = None
    facts: ServerFacts | None = None
    status: ServerStatus | None = None
    fault: MachineError | None = None
    troubled_since: datetime | None = None

    @property
    def is_troubled(self) -> bool:
        """Whether the server does not come by itself: a person must mend what keeps it away."""
        return self.link is ServerLink.STRANGER or (
            self.fault is not None and self.link is not ServerLink.OURS
        )

    @property
    def is_ready(self) -> bool:
        """Whether nothing is known that keeps receipts from being signed."""
        return self.status is None or self.status.processor.state is ProcessorState.READY

    @property
    def signs_nothing(self) -> bool:
        """Whether it is known that no receipt is signed at the moment."""
        if self.link is ServerLink.NOT_ASKED:
            return False
        return self.link is not ServerLink.OURS or not self.is_ready


class ServerMonitor:
    """Asks the server who it is and how it is, and tells the screens what changed."""

    def __init__(self, *, server: FiscalServer, clock: Clock) -> None:
        self._server = server
        self._clock = clock
        self._listeners: list[Callable[[ServerView], None]] = []
        self._proved_at: int | None = None
        self._looked_at: int | None = None
        self._failures = 0
        self.view = ServerView()

    def listen(self, on_server: Callable[[ServerView], None]) -> None:
        self._listeners.append(on_server)

    @property
    def pause(self) -> int:
        """Milliseconds until a server that is not there is asked again."""
        return _PAUSES[min(self._failures, len(_PAUSES)) - 1]

    async def is_ours(self) -> bool:
        """Whether the server has proved to be ours, now or within the last two seconds."""
        if not _is_older(self._proved_at, PROOF_LASTS, self._clock.ticks()):
            return True
        match await self._server.prove():
            case ServerFacts() as facts:
                self._failures = 0
                self._proved_at = self._clock.ticks()
                self._show(
                    replace(self.view, link=ServerLink.OURS, reason=None, facts=facts, fault=None)
                )
                return True
            case ForeignServer(reason):
                self._fail(ServerLink.STRANGER, reason)
            case NoAnswer(reason):
                self._fail(ServerLink.AWAY, reason)
        return False

    def distrust(self) -> None:
        """After a doubtful answer: what was known of server and processor is asked anew."""
        self._proved_at = None
        self._looked_at = None

    def look_soon(self) -> None:
        """After a refusal by the processor: what is known of it may be outdated."""
        self._looked_at = None

    def tell_fault(self, fault: MachineError | None) -> None:
        """Why our server can't be started, as its keeper found out; None once it answers."""
        known = self.view.fault
        if (known and known.what) != (fault and fault.what):
            self._show(replace(self.view, fault=fault))

    async def refresh(self, *, not_older_than: int) -> bool:
        """Renew what is known of the processor; whether it has become ready by that."""
        if not _is_older(self._looked_at, not_older_than, self._clock.ticks()):
            return False
        told = await self._server.status()
        if isinstance(told, NoAnswer):
            self.distrust()
            return False
        self._looked_at = self._clock.ticks()
        was_ready = self.view.is_ready
        self._show(replace(self.view, status=told))
        return self.view.is_ready and not was_ready

    def tell_again(self) -> None:
        """Tell the view again: what it means has changed."""
        for listener in self._listeners:
            listener(self.view)

    def _fail(self, link: ServerLink, reason: PendingReason) -> None:
        self._failures += 1
        self.distrust()
        if self.view.link is not link:
            # It is never there yet when a till asks first; what keeps it away its keeper tells.
            is_starting = (self.view.link, link) == (ServerLink.NOT_ASKED, ServerLink.AWAY)
            level = logging.DEBUG if is_starting else logging.WARNING
            _log.log(level, "the server is %s", link, extra={"fields": {"code": reason.code}})
        self._show(replace(self.view, link=link, reason=reason))

    def _show(self, view: ServerView) -> None:
        since = view.troubled_since or self._clock.now() if view.is_troubled else None
        view = replace(view, troubled_since=since)
        if view == self.view:
            return
        self.view = view
        self.tell_again()


def _is_older(moment: int | None, age: int, now: int) -> bool:
    return moment is None or now - moment >= age
