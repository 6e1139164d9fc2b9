"""Attention's cases for each state of a sale over a whole counter in memory, and their words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from pos_app.cashier.attention.cases import SOURCES
from pos_app.cashier.attention.cases.case import (
    Action,
    ActionContext,
    ActionResult,
    Case,
    CaseFacts,
    CaseGroup,
)
from pos_app.cashier.attention.cases.doubts import DecideCase
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.services.storage_faults import Where
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.server_status import PublicModeState, ReceiptInDoubt
from pos_app.domain.receipt.states import RequestState
from pos_app.selling.outbox.recent_doubts import YOUNG
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.monitor import ServerView
from pos_app.selling.shift.cash import MoveKind
from pos_app.selling.shift.shift import FloatIs
from tests.fakes.counter import Counter
from tests.fakes.faulty_file import refused
from tests.fakes.inner_connection import connection_of
from tests.gui.attention import cases
from tests.gui.payment.shop import Shop
from tests.sweep import each

TEXTS = Texts()


@pytest.fixture
def shop(folder: Path) -> Iterator[Shop]:
    made = Shop(folder)
    yield made
    made.close()


def loaded(shop: Shop) -> AttentionModel:
    model = AttentionModel(shop.services)
    model.load()
    return model


class Person:
    def __init__(self, shop: Shop, model: AttentionModel) -> None:
        doors = [one.name for one in fields(ActionContext) if one.name.startswith("open_")]
        self._shop = shop
        self._context = ActionContext(
            shop.services,
            model.ask_doubts,
            end_drawer=_never,
            take_back=_never,
            take_back_later=lambda key: None,
            **dict.fromkeys(doors, _never),
        )

    def press(self, case: Case, name: str, word: str = "") -> ActionResult:
        steps = case.steps(TEXTS, facts(self._shop))
        parts = [part for step in steps for row in (*step.rows, (step.beside,)) for part in row]
        actions = (part for part in parts if isinstance(part, Action))
        return next(one for one in actions if one.name == name).run(self._context, word)

    async def ask(self, case: Case, name: str, word: str = "") -> str:
        """Press an action that asks the server, and return its answer."""
        outcome = self.press(case, name, word)
        assert not isinstance(outcome, str)
        return await outcome


def _never(*_: object) -> None:
    raise AssertionError("no case here asks for this")


def facts(shop: Shop) -> CaseFacts:
    return CaseFacts(shop.services.server, shop.clock.now())


def whats(model: AttentionModel) -> list[str]:
    return [case.kind for case in model.cases]


async def test_a_young_doubt_of_another_program_rings_no_bell(shop: Shop) -> None:
    shop.server.open = (replace(cases.foreign(shop), state=RequestState.UNKNOWN),)
    await shop.outbox.step()
    assert shop.outbox.young_doubts
    assert loaded(shop).count() == 0
    shop.clock.go_on(YOUNG)
    await shop.outbox.step()
    model = loaded(shop)
    assert (whats(model), model.count()) == (["foreign_doubt"], 1)


async def test_what_keeps_the_list_to_complete_from_being_read_is_told(shop: Shop) -> None:
    cases.sold_unknown(shop, "4006381333931")
    await cases.settle(shop, 30)
    model = loaded(shop)
    held = apsw.BusyError("database is locked")
    with refused(
        connection_of(shop.catalogue), held
    ):  # the catalogue reports its own fault to those who read it
        model.load()
        assert whats(model) == ["to_complete"]
    with refused(connection_of(shop.store), held, only="unknown_code"):
        model.load()
        assert whats(model) == ["storage_fails"]
    model.load()
    assert shop.services.faults.fault_of(Where.TILL) is None
    model.load()
    assert whats(model) == ["to_complete"]


# --- what a manager decided about a pair ---------------------------------------------------------


REFUSED, LACKS = PublicModeState.REFUSED, PublicModeState.NOT_CONFIGURED
PUBLIC = [
    (REFUSED, "unknown_store", "public_refused", "налог нема ту продавницу"),
    (REFUSED, "revoked", "public_key", "Платформа не пушта ову касу: кључ је опозван."),
    (REFUSED, "credentials", "public_key", "кључ или тајна нису тачни"),
    (REFUSED, "scope", "public_key", "кључ нема право на ово"),
    (REFUSED, "", "public_refused", "разлог није рекла"),
    (REFUSED, "said-by-a-newer-platform", "public_refused", "разлог није рекла"),
    (REFUSED, "taken", "public_taken", "већ је повезана друга каса: „Каса 2“"),
    (LACKS, "missing", "public_missing", ""),
    (LACKS, "client_lost", "public_client_lost", "Изгубљена је ознака"),
    (LACKS, "clear_text_public", "platform_unsafe", "кључ и тајна би тамо ишли нешифровано"),
    (REFUSED, "clear_text_not_allowed", "platform_unsafe", "дозволите ову на њеној страни"),
    (LACKS, "tls_expired", "platform_unsafe", "Нема безбедне везе са платформом: серт"),
    (REFUSED, "tls_name", "platform_unsafe", "сертификат сервера гласи на друго име"),
]


async def test_why_other_programs_do_not_reach_this_till(shop: Shop) -> None:
    for state, code, kind, words in PUBLIC:
        await cases.public_mode(shop, state, code=code, words="In English.", by="Каса 2")
        model = loaded(shop)
        (found,) = model.cases
        assert (found.kind, found.group, model.decisions) == (kind, CaseGroup.NEEDS_YOU, 1), code
        assert words in found.notice(TEXTS, facts(shop)).happened, code
        assert found.steps(TEXTS, facts(shop)), "a manager is led to the page"
    await cases.public_mode(shop, PublicModeState.CONNECTED)
    assert not loaded(shop).cases
    await cases.cloned(shop)
    model = loaded(shop)
    assert whats(model) == ["installation_cloned"], "a copy is told as a copy alone"
    (step,) = model.cases[0].steps(TEXTS, facts(shop))
    assert (step.title, step.rows) == ("Угасите копију", ()), "nothing lets a copy sell on"


async def test_the_till_that_stays_is_told_of_the_one_that_was_refused(shop: Shop) -> None:
    await cases.newcomer_refused(shop)
    model = loaded(shop)
    (found,) = model.cases
    assert (found.kind, found.group, model.count()) == ("public_notice", CaseGroup.FOR_KNOWING, 0)
    assert "„Каса 3“" in found.notice(TEXTS, facts(shop)).happened
    told = shop.server.public_mode
    assert told is not None
    shop.server.public_mode = replace(told, state=PublicModeState.REFUSED, code="revoked")
    await cases.settle(shop)
    assert whats(loaded(shop)) == ["public_key"], "nothing is issued here any more"
    await cases.newcomer_refused(shop)
    Person(shop, model).press(found, "end")
    model.load()
    assert not model.cases, "a person has seen it"
    await cases.newcomer_refused(shop)  # the till tries again every minute
    model.load()
    assert not model.cases
    await cases.public_mode(shop, PublicModeState.CONNECTED)
    model.load()
    await cases.newcomer_refused(shop)
    model.load()
    assert [one.kind for one in model.cases] == ["public_notice"], "after a new welcome"


def test_what_rings_no_bell_needs_no_person() -> None:
    """So no more decisions are told than things that wait."""

    def kinds(of: type[Case]) -> Iterator[type[Case]]:
        for one in of.__subclasses__():
            yield one
            yield from kinds(one)

    assert [one for one in kinds(Case) if not one.rings and one.group is CaseGroup.NEEDS_YOU] == []


async def test_a_server_that_can_t_be_started_needs_a_person_though_no_sale_waits(
    shop: Shop,
) -> None:
    shop.server.running = False
    await cases.settle(shop)
    shop.outbox.take_server_fault(cases.newer_journal())
    model = loaded(shop)
    assert (whats(model), model.count(), model.decisions) == (["server_fails"], 1, 1)
    Person(shop, model).press(model.cases[0], "end")
    assert shop.keeper.asked == 1
    shop.outbox.take_server_fault(None)
    model.load()
    assert whats(model) == []


def test_a_drawer_with_much_cash_is_a_quiet_row_until_a_drop(shop: Shop) -> None:
    """The limit is 100,000; a case that nobody has to decide rings no bell."""
    shifts, now = shop.store.shifts, shop.clock.now()
    shifts.begin(Money(100_000), FloatIs.COUNTED, by="Мира", at=now)
    model = AttentionModel(shop.services)
    model.load()
    assert whats(model) == []
    shifts.move(MoveKind.IN, Money(1), reason="x", by="Мира", at=now)
    model.load()
    assert (whats(model), model.count()) == (["drawer_full"], 0)
    shifts.move(MoveKind.DROP, Money(50_000), reason="", by="Мира", at=now)
    model.load()
    assert whats(model) == []


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
