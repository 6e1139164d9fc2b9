"""Sales that go on by themselves, at once or when somebody has helped."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from pos_app.cashier.attention.cases.case import Case, CaseFacts, Group, Step, three_parts
from pos_app.cashier.attention.cases.sale_case import SaleCase
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.tokens import Token
from pos_app.selling.attention import AttentionKind
from pos_app.selling.sale import NOT_COMPARED
from pos_app.selling.sale_state import SaleState
from pos_app.selling.server_answers import ProcessorState
from pos_app.selling.server_watch import ServerLink, ServerView

_LANE_BUSY = "40010001"
_CURABLE = {
    ProcessorState.PIN: "pin",
    ProcessorState.CARD: "card",
    ProcessorState.LIMIT: "limit",
    ProcessorState.NOT_CONFIGURED: "not_configured",
}
_CURES = {"1500": "pin", "2100": "pin", "1300": "card", "2110": "card", "2210": "limit"}


class WaitingCase(SaleCase):
    """A sale that goes on by itself. can_drop: also before it is sent."""

    group = Group.GOES_ON
    icon: ClassVar[tuple[str, Token]] = ("clock", "info")
    level = NoticeKind.INFO
    can_drop: ClassVar[bool] = False

    def cause(self, server: ServerView) -> str:
        """Names the words of what it waits for."""
        return self.kind

    def why(self, texts: Texts, facts: CaseFacts) -> str:
        return texts(f"att.why.{self.cause(facts.server)}")

    def notice(self, texts: Texts, facts: CaseFacts) -> NoticeText:
        happened = texts(f"att.happened.{self.cause(facts.server)}")
        return NoticeText(happened, texts("att.safe.waiting"), texts("att.press.waiting"))

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        if not self.can_drop or self.sale.state is not SaleState.FROZEN:
            return ()
        return (self.drop_step(texts, "att.drop_waiting"),)


class SentCase(WaitingCase):
    """It is being sent, or is the next to be."""

    kind = AttentionKind.SENT
    rings = False
    is_under_way = True


class WaitsForServer(WaitingCase):
    """The server is away, or another program answers in its place."""

    kind = AttentionKind.WAITS_FOR_SERVER
    can_drop = True

    def cause(self, server: ServerView) -> str:
        return "stranger" if server.link is ServerLink.STRANGER else self.kind


class WaitsForProcessor(WaitingCase):
    """The processor is away, or busy with a receipt in doubt."""

    kind = AttentionKind.WAITS_FOR_PROCESSOR
    can_drop = True

    def cause(self, server: ServerView) -> str:
        status = server.status
        if status is None:
            return self.kind
        refused_as_busy = self.reason is not None and self.reason.code == _LANE_BUSY
        is_busy = status.processor.state is ProcessorState.DOUBT
        return "lane" if is_busy or (refused_as_busy and status.open) else self.kind


class WaitsBehind(WaitingCase):
    """An earlier sale goes first."""

    kind = AttentionKind.WAITS_BEHIND
    can_drop = True


class CancelledSoon(WaitingCase):
    """Dropped; the server's word is awaited."""

    kind = AttentionKind.CANCELLED_SOON

    def cause(self, server: ServerView) -> str:
        waits = self.reason is not None and self.reason.code == NOT_COMPARED
        return "drop_not_compared" if waits else self.kind


class ProcessorNeedsHelp(WaitingCase):
    """PIN, card, limit: a person helps, then it goes on by itself."""

    kind = AttentionKind.HELP_PROCESSOR
    group = Group.NEEDS_YOU
    level = NoticeKind.WARN
    can_drop = True
    icon = ("key-round", "warn")

    def cause(self, server: ServerView) -> str:
        """By the processor's state, else by the code it refused with."""
        if server.status is not None and server.status.processor.state in _CURABLE:
            return _CURABLE[server.status.processor.state]
        return _CURES.get(self.reason.pfr_code, "other") if self.reason else "other"

    def why(self, texts: Texts, facts: CaseFacts) -> str:
        return texts(f"att.help.{self.cause(facts.server)}")

    def notice(self, texts: Texts, facts: CaseFacts) -> NoticeText:
        wanted, reason = self.cause(facts.server), self.reason
        told = (reason.pfr_code or reason.text) if reason else ""
        press = texts(f"att.help_do.{wanted}", code=told)
        return NoticeText(texts(f"att.help.{wanted}"), texts("att.safe.waiting"), press)


class DiskNeedsRoom(WaitingCase):
    """The server's disk is nearly full: a person frees some, then it goes on by itself."""

    kind = AttentionKind.FREE_DISK
    group = Group.NEEDS_YOU
    level = NoticeKind.WARN
    can_drop = True
    icon = ("circle-alert", "warn")

    def notice(self, texts: Texts, facts: CaseFacts) -> NoticeText:
        return three_parts(self.kind, texts)


@dataclass(frozen=True)
class MoreSales(Case):
    """Sales beside those that have cases of their own. oldest_at: UTC."""

    left_off: int
    oldest_at: datetime

    @property
    def id(self) -> str:
        return self.kind

    @property
    def since(self) -> datetime:
        return self.oldest_at

    @property
    def count(self) -> int:
        return self.left_off

    def title(self, texts: Texts) -> str:
        return texts.count(f"att.row.{self.kind}", self.left_off)

    def notice(self, texts: Texts, facts: CaseFacts) -> NoticeText:
        happened = texts.count(f"att.happened.{self.kind}", self.left_off)
        return NoticeText(happened, texts("att.safe.waiting"), texts(f"att.press.{self.kind}"))


class MoreToDecide(MoreSales):
    """More that need a person."""

    kind = "more_to_decide"
    icon = ("circle-question-mark", "warn")


class MoreWaiting(MoreSales):
    """More that go on by themselves."""

    kind = "more_waiting"
    group = Group.GOES_ON
    level = NoticeKind.INFO
    icon = ("clock", "info")
