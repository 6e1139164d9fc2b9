"""The till watches its server: whether it is ours, and whether the processor behind it works.

No answer counts before the server has proved to be this installation's (exactly-once.md, "The open
local server", 7). The proof is requested anew after each silence and each doubtful answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.server_status import ProcessorState, ServerStatus
from pos_app.domain.receipt.states import AnswerClass
from pos_app.errors import MachineError, PortTaken
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import PendingReason
from pos_app.selling.server.answers import ForeignServer, NoAnswer, ServerFacts
from pos_app.selling.server.ports import FiscalServer

_log = log.get(__name__)

PROOF_LASTS = 2_000
"""Milliseconds for which a proof holds."""
_PAUSES = (250, 500, 1_000)
"""Milliseconds between tries to reach a server that is away; the last one is repeated."""


class ServerLink(StrEnum):
    """The program that answers at our server's address."""

    NOT_ASKED = "not_asked"
    OURS = "ours"
    AWAY = "away"
    STRANGER = "stranger"


@dataclass(frozen=True, slots=True)
class ServerView:
    """The last known state of server and processor. status is kept while the server is away.

    fault: the reason why our server can't be started. troubled_since: the beginning of
    `is_troubled`, UTC.
    """

    link: ServerLink = ServerLink.NOT_ASKED
    reason: PendingReason | None = None
    facts: ServerFacts | None = None
    status: ServerStatus | None = None
    fault: MachineError | None = None
    troubled_since: datetime | None = None

    @property
    def is_troubled(self) -> bool:
        """Whether the server does not come back by itself, and a person must remove the cause."""
        return self.link is ServerLink.STRANGER or (
            self.fault is not None and self.link is not ServerLink.OURS
        )

    @property
    def is_ready(self) -> bool:
        """Whether nothing known prevents signing."""
        return self.status is None or self.status.processor.state is ProcessorState.READY

    @property
    def signs_nothing(self) -> bool:
        """Whether it is known that no receipt can be signed at the moment."""
        if self.link is ServerLink.NOT_ASKED:
            return False
        return self.link is not ServerLink.OURS or not self.is_ready


_OTHER_DATA = PendingReason(AnswerClass.WAIT, "other_data", "it keeps our own server from its port")
"""The server that answers is of this installation, but of another data folder."""


class ServerMonitor:
    """Asks the server for its identity and state, and reports changes to the screens."""

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
        """Milliseconds until an absent server is tried again."""
        return _PAUSES[min(self._failures, len(_PAUSES)) - 1]

    async def is_ours(self) -> bool:
        """Whether the server has proved to be ours, now or within the last two seconds."""
        if not _is_older(self._proved_at, PROOF_LASTS, self._clock.ticks()):
            return True
        match await self._server.prove():
            case ServerFacts() if isinstance(self.view.fault, PortTaken):
                self._fail(ServerLink.STRANGER, _OTHER_DATA)
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
        """Ask anew for identity and state, after a doubtful answer."""
        self._proved_at = None
        self._looked_at = None

    def look_soon(self) -> None:
        """Ask anew for the state, after a refusal by the processor."""
        self._looked_at = None

    def report_fault(self, fault: MachineError | None) -> None:
        """Take the keeper's reason why our server can't be started, or None once it answers."""
        known = self.view.fault
        if (known and known.what) != (fault and fault.what):
            self._show(replace(self.view, fault=fault))

    async def refresh(self, *, not_older_than: int) -> bool:
        """Renew the state of the processor, and return whether it has become ready since."""
        if not _is_older(self._looked_at, not_older_than, self._clock.ticks()):
            return False
        answer = await self._server.status()
        if isinstance(answer, NoAnswer):
            self.distrust()
            return False
        self._looked_at = self._clock.ticks()
        was_ready = self.view.is_ready
        self._show(replace(self.view, status=answer))
        return self.view.is_ready and not was_ready

    def report_again(self) -> None:
        for listener in self._listeners:
            listener(self.view)

    def _fail(self, link: ServerLink, reason: PendingReason) -> None:
        self._failures += 1
        self.distrust()
        if self.view.link is not link:
            # The server is never there yet when a till asks first; its keeper reports the cause.
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
        self.report_again()


def _is_older(moment: int | None, age: int, now: int) -> bool:
    return moment is None or now - moment >= age
