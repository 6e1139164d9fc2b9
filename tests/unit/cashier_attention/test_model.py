"""Attention's cases for each state of a sale, over a whole counter in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from pos_app.cashier.attention.cases.case import (
    Action,
    ActionContext,
    ActionResult,
    Case,
    CaseFacts,
    CaseGroup,
)
from pos_app.cashier.attention.cases.doubts import DoubtedSale
from pos_app.cashier.attention.cases.pairs import HalfDoneCase
from pos_app.cashier.attention.cases.sale_cases import CORRECTION, ToTakeBack
from pos_app.cashier.attention.cases.sale_source import case_of
from pos_app.cashier.attention.cases.till import ToComplete
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.services.storage_faults import Where
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import PublicModeState
from pos_app.domain.receipt.states import REVERSED, AnswerClass, RequestState
from pos_app.errors import NotAllowed
from pos_app.selling.attention.pair_decisions import PairDecision
from pos_app.selling.attention.unfinished_sales import AttentionItem, AttentionKind
from pos_app.selling.catalogue.catalogue import create_for_code
from pos_app.selling.outbox.recent_doubts import YOUNG
from pos_app.selling.sale import sell
from pos_app.selling.sale.sale import JOURNAL_RESTORED, PendingReason
from pos_app.selling.sale.state import SaleState
from pos_app.selling.shift.cash import MoveKind
from pos_app.selling.shift.shift import FloatIs
from tests.fakes.faulty_file import refused
from tests.fakes.fiscal_server import Fault
from tests.fakes.inner_connection import connection_of
from tests.gui.attention import cases
from tests.gui.payment.shop import CASHIER, Shop

TEXTS = Texts()
RESTORED = PendingReason(AnswerClass.UNKNOWN, JOURNAL_RESTORED)


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
        self._shop = shop
        self._context = ActionContext(
            shop.services,
            model.ask_doubts,
            open_drawer=_never,
            end_drawer=_never,
            open_catalogue=_never,
            open_card_pin=_never,
            open_store=_never,
            open_platform=_never,
            take_back=_never,
            take_back_later=lambda key: None,
            open_goods=_never,
            open_file=_never,
            open_pair=_never,
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


async def test_nothing_waits_is_the_normal_state(shop: Shop) -> None:
    cases.sold(shop)
    await cases.settle(shop)
    model = loaded(shop)
    assert (whats(model), model.count(), model.current) == ([], 0, None)


async def test_a_sale_under_way_rings_no_bell(shop: Shop) -> None:
    await shop.outbox.step()
    cases.sold(shop)
    model = loaded(shop)
    assert (whats(model), model.count()) == (["sent"], 0)


@pytest.mark.parametrize("human", [True, False])
async def test_a_doubt_needs_a_decision(shop: Shop, human: bool) -> None:
    sale = await cases.doubtful(shop, human=human)
    shop.clock.go_on(YOUNG)
    await shop.outbox.step()
    model = loaded(shop)
    await model.ask_doubts()
    model.load()
    row = model.current
    assert row is not None
    assert row.kind == ("decide" if human else "looked_up")
    assert (row.group, row.id) == (CaseGroup.NEEDS_YOU, sale.key)
    assert isinstance(row, DoubtedSale)
    assert row.doubt is not None
    assert row.receipt_id == "receipt-1"
    assert (row.doubt.counter_before, row.doubt.counter_now) == (8652, 8653)


async def test_a_refused_sale_lets_the_next_ones_pass(shop: Shop) -> None:
    await cases.refused(shop)
    cases.sold(shop)
    await cases.settle(shop)
    model = loaded(shop)
    assert whats(model) == ["correct_or_drop"]


async def test_waiting_sales_stand_under_what_needs_a_person(shop: Shop) -> None:
    await cases.doubtful(shop)
    await cases.waiting(shop, "10.00", "20.00")
    model = loaded(shop)
    assert whats(model) == ["decide", "waits_for_processor", "waits_behind"]
    assert (model.count(), model.decisions) == (3, 1)


async def test_a_server_that_is_away_is_waited_for(shop: Shop) -> None:
    shop.server.running = False
    cases.sold(shop)
    await cases.settle(shop)
    assert whats(loaded(shop)) == ["waits_for_server"]


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


async def test_a_server_that_answers_again_ends_what_its_keeper_told(shop: Shop) -> None:
    shop.server.running = False
    await cases.settle(shop)
    shop.outbox.take_server_fault(cases.newer_journal())
    shop.server.running = True
    await cases.settle(shop)
    assert shop.outbox.view.fault is None
    assert whats(loaded(shop)) == []


async def test_a_stranger_in_the_place_of_the_server_needs_a_person(shop: Shop) -> None:
    shop.server.stranger = "foreign"
    cases.sold(shop)
    await cases.settle(shop)
    model = loaded(shop)
    assert whats(model) == ["server_fails", "waits_for_server"]
    began = model.cases[0].since
    shop.clock.go_on(60_000)
    await cases.settle(shop)
    model.load()
    assert model.cases[0].since == began


async def test_correcting_cancels_first_and_then_offers_the_lines(shop: Shop) -> None:
    sale = await cases.refused(shop)
    model = loaded(shop)
    row = model.current
    assert row is not None
    Person(shop, model).press(row, "correct")
    model.load(thorough=False)
    assert whats(model) == ["cancelled_soon"]
    await cases.settle(shop)
    model.load(thorough=False)
    assert whats(model) == ["take_back"]
    assert shop.store.sales.sale(sale.key).state is SaleState.CANCELLED
    case = model.cases[0]
    assert isinstance(case, ToTakeBack)
    taken = case.sale
    assert (taken.key, taken.cancel_reason) == (sale.key, CORRECTION)
    basket = sell.start(till=shop.till, cashier=CASHIER)
    sell.take_back(till=shop.till, ticket=basket, sale=taken)
    model.load()
    assert model.cases == ()


async def test_a_correction_survives_a_restart_of_the_till(shop: Shop) -> None:
    await cases.refused(shop)
    first = loaded(shop)
    Person(shop, first).press(first.cases[0], "correct")
    await cases.settle(shop)
    assert whats(loaded(shop)) == ["take_back"]


async def test_dropping_keeps_its_reason_and_ends_as_solved(shop: Shop) -> None:
    sale = await cases.refused(shop)
    model = loaded(shop)
    Person(shop, model).press(model.cases[0], "drop", "Купац је одустао")
    await cases.settle(shop)
    model.load()
    assert model.cases == ()
    assert [row.id for row in model.solved] == [sale.key]
    assert shop.store.sales.sale(sale.key).cancel_reason == "Купац је одустао"


async def test_a_doubt_is_never_dropped(shop: Shop) -> None:
    sale = await cases.doubtful(shop)
    with pytest.raises(StopIteration):
        Person(shop, loaded(shop)).press(loaded(shop).cases[0], "drop", "why")
    with pytest.raises(NotAllowed):
        shop.outbox.cancel(sale.key, reason="why")


async def test_absent_by_a_manager_sends_it_again(shop: Shop) -> None:
    sale = await cases.doubtful(shop)
    model = loaded(shop)
    await Person(shop, model).ask(model.cases[0], "absent", "Ана")
    assert shop.doubts.told == [("absent", "receipt-1", "Ана")]
    shop.clock.go_on(10_000)
    await cases.settle(shop)
    model.load()
    assert (model.cases, shop.store.sales.sale(sale.key).state) == ((), SaleState.DONE)
    assert shop.server.ledger == [sale.key]


async def test_found_by_its_address_ends_the_doubt(shop: Shop) -> None:
    sale = await cases.doubtful(shop)
    model = loaded(shop)
    await Person(shop, model).ask(model.cases[0], "find", f" {shop.doubts.right} ")
    shop.clock.go_on(10_000)
    await cases.settle(shop)
    model.load()
    assert model.cases == ()
    assert [row.id for row in model.solved] == [sale.key]


async def test_signed_although_dropped_is_told_until_it_was_seen(shop: Shop) -> None:
    sale = cases.sold(shop)
    shop.server.faults.append(Fault.ANSWER_LOST)
    await cases.settle(shop, 1)
    shop.store.sales.request_cancel(sale.key, reason="why", at=shop.clock.now())
    shop.clock.go_on(10_000)
    await cases.settle(shop)
    model = loaded(shop)
    assert whats(model) == ["refund"]
    Person(shop, model).press(model.cases[0], "end")
    model.load()
    assert model.cases == ()


async def test_a_doubt_of_another_program_is_shown_too(shop: Shop) -> None:
    await cases.tell_open(shop, cases.foreign(shop))
    model = loaded(shop)
    assert whats(model) == ["foreign_doubt"]
    assert (model.count(), list(model.lines(model.cases[0]))) == (1, [])


async def test_whether_a_doubt_holds_new_sales_up_is_told_as_it_is(shop: Shop) -> None:
    """Only a doubt that the server still looks up keeps its lane."""
    for state, words in (
        (RequestState.UNKNOWN, "могу да чекају"),
        (RequestState.NEEDS_HUMAN, "их не задржава"),
    ):
        await cases.tell_open(shop, replace(cases.foreign(shop), state=state))
        shop.clock.go_on(YOUNG)
        await shop.outbox.step()
        (case,) = loaded(shop).cases
        assert words in TEXTS(case.foot)


async def test_a_young_doubt_of_another_program_rings_no_bell(shop: Shop) -> None:
    shop.server.open = (replace(cases.foreign(shop), state=RequestState.UNKNOWN),)
    await shop.outbox.step()
    assert shop.outbox.young_doubts
    assert loaded(shop).count() == 0
    shop.clock.go_on(YOUNG)
    await shop.outbox.step()
    model = loaded(shop)
    assert (whats(model), model.count()) == (["foreign_doubt"], 1)


async def test_only_what_had_trouble_counts_as_solved(shop: Shop) -> None:
    cases.sold(shop)
    await cases.settle(shop)
    found = await cases.solved(shop)
    assert [row.id for row in loaded(shop).solved] == [found.key]


async def test_yesterdays_solutions_are_not_todays(shop: Shop) -> None:
    await cases.solved(shop)
    shop.clock.go_on(24 * 3_600_000)
    assert loaded(shop).solved == ()


async def test_the_case_in_hand_stays_while_others_come(shop: Shop) -> None:
    await cases.refused(shop)
    model = loaded(shop)
    chosen = model.current_id
    await cases.doubtful(shop)
    model.load()
    assert model.current_id == chosen


async def test_what_is_to_be_completed_is_a_quiet_row_until_the_catalogue_knows_it(
    shop: Shop,
) -> None:
    for code in ("4006381333931", "8600999000014", "4006381333931"):
        cases.sold_unknown(shop, code)
    await cases.settle(shop, 30)
    model = loaded(shop)
    assert (whats(model), model.count(), model.current) == (["to_complete"], 0, None)
    row = model.cases[0]
    assert row.group is CaseGroup.FOR_KNOWING
    assert isinstance(row, ToComplete)
    assert {one.code: one.lines for one in row.articles} == {"4006381333931": 2, "8600999000014": 1}
    model.load(thorough=False)
    assert whats(model) == ["to_complete"]

    create_for_code(
        shop.desk,
        product_id="0a1b2c3d-0000-4000-8000-000000000001",
        name="Чај",
        price=Money(199),
        label=TaxLabel.E,
        code="4006381333931",
        unit_id=None,
        by=CASHIER,
        at=shop.clock.now(),
    )
    model.load()
    assert [line.title for line in model.cases[0].listed(TEXTS)] == ["8600999000014"]


def test_codes_that_are_labels_of_a_scale_too_are_a_quiet_row(shop: Shop) -> None:
    for number, (code, name) in enumerate(
        [("2000012000010", "Шнала"), ("2600012000012", "Трака"), ("8600999000014", "Чај")]
    ):
        create_for_code(
            shop.desk,
            product_id=f"0a1b2c3d-0000-4000-8000-00000000001{number}",
            name=name,
            price=Money(250),
            label=TaxLabel.E,
            code=code,
            unit_id=None,
            by=CASHIER,
            at=shop.clock.now(),
        )
    model = loaded(shop)
    assert (whats(model), model.count()) == (["codes_of_labels"], 0)
    assert [(line.title, line.words) for line in model.cases[0].listed(TEXTS)] == [
        ("2000012000010", "Шнала"),
        ("2600012000012", "Трака"),
    ]


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


NEEDS_YOU = {
    AttentionKind.DECIDE,
    AttentionKind.LOOKED_UP,
    AttentionKind.CORRECT_OR_DROP,
    AttentionKind.HELP_PROCESSOR,
    AttentionKind.FREE_DISK,
    AttentionKind.REFUND,
    AttentionKind.UNREADABLE,
}


@pytest.mark.parametrize("kind", AttentionKind)
def test_each_kind_of_sale_says_who_must_act(shop: Shop, kind: AttentionKind) -> None:
    case = case_of(AttentionItem(cases.sold(shop), kind), ())
    assert case.kind == kind
    assert case.group is (CaseGroup.NEEDS_YOU if kind in NEEDS_YOU else CaseGroup.GOES_ON)
    assert case.rings is (kind is not AttentionKind.SENT)


# --- what of the server's rows could not be read -------------------------------------------------


async def test_a_receipt_without_a_key_is_not_taken_for_a_sale_without_a_receipt(
    shop: Shop,
) -> None:
    await cases.tell_open(shop, cases.foreign(shop))
    shop.server.running = False
    sale = cases.sold(shop)
    await cases.settle(shop, 2)
    assert sale.receipt_id is None
    assert whats(loaded(shop)) == ["foreign_doubt", "waits_for_server"]


async def test_what_could_not_be_read_hides_no_other(shop: Shop) -> None:
    doubt = await cases.doubtful(shop)
    shop.server.open = (cases.half_done_unread(shop), cases.half_done(shop, Operation.REFUND))
    await cases.settle(shop)
    model = loaded(shop)
    assert model.cases[1].notice(TEXTS, facts(shop)).press.startswith("Сачекајте тренутак")
    await model.ask_doubts()
    model.load()
    bare, whole = model.cases[1:]
    assert [model.cases[0].id, bare.kind, whole.kind] == [doubt.key, "half_done", "half_done"]
    assert isinstance(bare, HalfDoneCase)
    assert isinstance(whole, HalfDoneCase)
    assert (bare.total, bare.doubt is not None, bare.pair) == (None, True, None)
    assert whole.pair is not None
    assert bare.title(TEXTS) == "Операција није довршена"
    assert "рачун не може да се прочита" in bare.why(TEXTS, facts(shop))
    assert bare.notice(TEXTS, facts(shop)).press.startswith("Позовите подршку")
    assert whole.notice(TEXTS, facts(shop)).press.startswith("Управник бира")


async def test_a_bare_pair_that_a_manager_ended_is_told_without_a_number(shop: Shop) -> None:
    decision = PairDecision("r-9", shop.clock.now(), "Ана", is_reversal=True)
    shop.store.decisions.keep_decision(decision)
    solved = next(iter(loaded(shop).solved))
    assert solved.title(TEXTS) == "Операција је поништена"
    told = solved.notice(TEXTS, facts(shop)).happened
    assert told.startswith("Операција је поништена. Одлука: Ана,")


# --- what a manager decided about a pair ---------------------------------------------------------


async def undone(shop: Shop) -> str:
    """Have a manager undo a pair; returns the id of its refused receipt."""
    await cases.half_pair(shop, Operation.REFUND)
    shop.doubts.ends = REVERSED
    model = loaded(shop)
    await model.ask_doubts()
    model.load()
    row = model.cases[0]
    await Person(shop, model).ask(row, "reverse", "Власник")
    model.load()
    assert (whats(model), [one.id for one in model.solved]) == ([], [row.id])
    return row.id


async def test_a_decision_on_a_pair_survives_a_restart_of_the_till(shop: Shop) -> None:
    receipt_id = await undone(shop)
    shop.server.open = ()
    await cases.settle(shop)
    solved = loaded(shop).solved
    assert [(row.id, row.kind, row.total) for row in solved] == [
        (receipt_id, "solved", Money("842.50"))
    ]
    assert solved[0].title(TEXTS) == "Поништена рефундација"
    told = solved[0].notice(TEXTS, facts(shop)).happened
    assert told.startswith("Рачун 8660 је поништен, и све је као пре операције. Одлука: Власник,")


async def test_a_decision_of_yesterday_is_not_todays(shop: Shop) -> None:
    await undone(shop)
    shop.clock.go_on(24 * 3600 * 1000)
    assert loaded(shop).solved == ()


async def test_a_decision_that_can_t_be_kept_is_done_and_shown(
    shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    with refused(connection_of(shop.store.sales), apsw.FullError("full"), only="pair_decisions ("):
        receipt_id = await undone(shop)
    assert shop.doubts.told == [("reverse", receipt_id, "Власник")]
    assert f"the decision on {receipt_id} is not kept" in caplog.text
    assert loaded(shop).solved == ()


async def test_a_certificate_is_told_of_thirty_days_before_it_ends(shop: Shop) -> None:
    """The certificate is for information as long as receipts are signed."""
    for days, told, to_decide in ((31, [], 0), (29, ["важи до"], 0), (-1, ["истекао је"], 1)):
        await cases.certified(shop, days=days)
        model = loaded(shop)
        assert (model.decisions, model.count()) == (to_decide, len(told))
        found = [one for one in model.cases if one.id == "certificate_ends"]
        notices = [one.notice(TEXTS, facts(shop)).happened for one in found]
        assert len(notices) == len(told)
        assert all(words in notice for words, notice in zip(told, notices, strict=True))


async def test_what_could_not_be_read_of_the_processors_state_is_one_word(shop: Shop) -> None:
    await cases.unread(shop, "allTaxRates", "isPinRequired")
    model = loaded(shop)
    assert (model.decisions, model.count()) == (0, 0)
    (case,) = (one for one in model.cases if one.id == "status_unread")
    told = case.notice(TEXTS, facts(shop))
    assert told.happened.endswith("Непрочитано: allTaxRates, isPinRequired")
    await cases.unread(shop)
    assert loaded(shop).cases == ()


PUBLIC = {
    "unknown_store": ("public_refused", "налог нема ту продавницу"),
    "revoked": ("public_key", "кључ је опозван"),
    "credentials": ("public_key", "кључ или тајна нису тачни"),
    "scope": ("public_key", "кључ нема право на ово"),
    "": ("public_refused", "разлог није рекла"),
    "said-by-a-newer-platform": ("public_refused", "разлог није рекла"),
}


@pytest.mark.parametrize("code", PUBLIC)
async def test_why_other_programs_do_not_reach_this_till(shop: Shop, code: str) -> None:
    kind, why = PUBLIC[code]
    await cases.public_mode(shop, PublicModeState.REFUSED, code=code, words="In English.")
    model = loaded(shop)
    (found,) = model.cases
    assert (found.kind, found.group, model.decisions) == (kind, CaseGroup.NEEDS_YOU, 1)
    assert found.why(TEXTS, facts(shop)) == why
    assert f"Платформа не пушта ову касу: {why}." in found.notice(TEXTS, facts(shop)).happened
    assert found.steps(TEXTS, facts(shop)), "a manager is led to the page"
    await cases.public_mode(shop, PublicModeState.CONNECTED)
    assert not loaded(shop).cases


async def test_who_has_the_place_is_named(shop: Shop) -> None:
    await cases.public_mode(shop, PublicModeState.REFUSED, code="taken", by="Каса 2")
    (found,) = loaded(shop).cases
    assert found.kind == "public_taken"
    assert "већ је повезана друга каса: „Каса 2“" in found.notice(TEXTS, facts(shop)).happened


async def test_public_mode_that_lacks_something(shop: Shop) -> None:
    await cases.public_mode(shop, PublicModeState.NOT_CONFIGURED, code="missing")
    (found,) = loaded(shop).cases
    assert (found.kind, found.group) == ("public_missing", CaseGroup.NEEDS_YOU)
    await cases.public_mode(shop, PublicModeState.NOT_CONFIGURED, code="client_lost")
    (found,) = loaded(shop).cases
    assert (found.kind, found.group) == ("public_client_lost", CaseGroup.NEEDS_YOU)
    assert "Изгубљена је ознака" in found.notice(TEXTS, facts(shop)).happened


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("clear_text_public", "кључ и тајна би тамо ишли нешифровано"),
        ("clear_text_not_allowed", "дозволите ову на њеној страни"),
        ("tls_expired", "сертификат сервера је истекао"),
        ("tls_name", "сертификат сервера гласи на друго име"),
    ],
)
async def test_a_connection_that_is_not_safe_is_told_once(shop: Shop, code: str, why: str) -> None:
    """Public mode and the synchronisation meet the same fault; each alone tells it too."""
    for state in (PublicModeState.NOT_CONFIGURED, PublicModeState.REFUSED):
        await cases.public_mode(shop, state, code=code)
        (found,) = loaded(shop).cases
        assert (found.kind, found.group) == ("platform_unsafe", CaseGroup.NEEDS_YOU)
        assert "Нема безбедне везе са платформом: " in found.notice(TEXTS, facts(shop)).happened
        assert why in found.notice(TEXTS, facts(shop)).happened
        assert found.steps(TEXTS, facts(shop)), "a manager is led to the page"


async def test_what_passes_by_itself_is_told_once_it_lasts(shop: Shop) -> None:
    """A till that is connecting, or that the platform asks to wait, calls nobody."""
    for state, code, kind in (
        (PublicModeState.CONNECTING, "", ""),
        (PublicModeState.AWAY, "", "public_away"),
        (PublicModeState.REFUSED, "too_many", "public_refused"),
        (PublicModeState.REFUSED, "replaced", "public_refused"),
    ):
        await cases.public_mode(shop, state, code=code)
        assert not loaded(shop).cases, (state, code)
        shop.clock.go_on(10 * 60_000)
        assert [one.kind for one in loaded(shop).cases] == ([kind] if kind else [])
        rings = 1 if kind == "public_refused" else 0
        assert loaded(shop).decisions == rings


async def test_a_copy_is_told_as_a_copy_alone(shop: Shop) -> None:
    await cases.cloned(shop)
    assert [one.kind for one in loaded(shop).cases] == ["installation_cloned"]


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
