"""The words of a case in rows and notices."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from pos_app.cashier.attention.cases import SOURCES
from pos_app.cashier.attention.cases.case import Case, CaseFacts
from pos_app.cashier.attention.cases.doubts import DecideCase
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.domain.receipt.server_status import ReceiptInDoubt
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.monitor import ServerView
from tests.fakes.counter import Counter
from tests.sweep import each

FACTS = CaseFacts(ServerView(), datetime(2026, 11, 20, 13, 32, tzinfo=UTC))


@each("language", LANGUAGES)
def test_an_act_that_may_be_done_already_is_asked_about_as_that(language: Language) -> None:
    """Nothing was sent, so no answer of the processor is missing, and no receipt of it exists."""
    words, sale = Texts(language), replace(Counter().sell(), state=SaleState.DOUBT)
    doubt = ReceiptInDoubt(
        receipt_id="r-1",
        key=sale.key,
        state="needs_human",
        since=FACTS.now,
        total=None,
        code="act_unknown",
    )
    asked = DecideCase.in_doubt(sale, doubt)
    usual = DecideCase.in_doubt(sale, replace(doubt, code="restored"))
    told, otherwise = asked.notice(words, FACTS), usual.notice(words, FACTS)
    assert told.happened != otherwise.happened
    assert told.press != otherwise.press
    proven = replace(doubt, done_before=("AAAA1111-AAAA1111-17",))
    for of, part in ((proven, " 17."), (replace(doubt, done_before=()), told.happened)):
        shown = DecideCase.in_doubt(sale, of).notice(words, FACTS).happened
        assert part in shown
        assert shown != told.happened
    steps, others = asked.steps(words, FACTS), usual.steps(words, FACTS)
    assert {one.title for one in steps}.isdisjoint(one.title for one in others)


# --- reading the server's words about a refused sale ---------------------------------------------


def kinds(of: type[Case]) -> set[str]:
    """The kinds of a class of cases and of its subclasses."""
    own = {of.kind} if hasattr(of, "kind") else set()
    return own.union(*map(kinds, of.__subclasses__()))


KINDS = kinds(Case)


def test_every_kind_of_case_is_known_here() -> None:
    assert SOURCES
    assert len(KINDS) == 83
