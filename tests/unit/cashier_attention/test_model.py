"""What Attention shows for each state of a sale, over a whole counter in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from pos_app.cashier.attention import case_texts
from pos_app.cashier.attention.decisions import Decisions
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.attention.pair_texts import pair_of
from pos_app.cashier.attention.rows import CORRECTION, Group
from pos_app.cashier.storage_faults import Where
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money import Money
from pos_app.domain.operations import Operation
from pos_app.domain.states import REVERSED, AnswerClass, RequestState
from pos_app.domain.tax import TaxLabel
from pos_app.errors import NotAllowed
from pos_app.selling import sell
from pos_app.selling.attention import AttentionKind
from pos_app.selling.catalogue import create_for_code
from pos_app.selling.recent_doubts import YOUNG
from pos_app.selling.sale import JOURNAL_RESTORED, PendingReason
from pos_app.selling.sale_state import SaleState
from tests.fakes.faulty_file import refused
from tests.fakes.fiscal_server import Fault
from tests.gui.attention import cases
from tests.gui.payment.shop import CASHIER, Shop

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


def person(shop: Shop, model: AttentionModel) -> Decisions:
    """Who acts on what the model shows."""
    return Decisions(shop.services, model)


def whats(model: AttentionModel) -> list[AttentionKind]:
    return [row.what for row in model.rows]


async def test_nothing_waits_is_the_normal_state(shop: Shop) -> None:
    cases.sold(shop)
    await cases.settle(shop)
    model = loaded(shop)
    assert (whats(model), model.count(), model.current) == ([], 0, None)


async def test_a_sale_under_way_rings_no_bell(shop: Shop) -> None:
    await shop.outbox.step()
    cases.sold(shop)
    model = loaded(shop)
    assert (whats(model), model.count()) == ([AttentionKind.SENT], 0)


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
    assert row.what is (AttentionKind.DECIDE if human else AttentionKind.LOOKED_UP)
    assert (row.group, row.id, row.receipt_id) == (Group.NEEDS_YOU, sale.key, "receipt-1")
    assert row.doubt is not None
    assert (row.doubt.counter_before, row.doubt.counter_now) == (8652, 8653)


async def test_a_refused_sale_lets_the_next_ones_pass(shop: Shop) -> None:
    await cases.refused(shop)
    cases.sold(shop)
    await cases.settle(shop)
    model = loaded(shop)
    assert whats(model) == [AttentionKind.CORRECT_OR_DROP]


async def test_waiting_sales_stand_under_what_needs_a_person(shop: Shop) -> None:
    await cases.doubtful(shop)
    await cases.waiting(shop, "10.00", "20.00")
    model = loaded(shop)
    assert whats(model) == [
        AttentionKind.DECIDE,
        AttentionKind.WAITS_FOR_PROCESSOR,
        AttentionKind.WAITS_BEHIND,
    ]
    assert (model.count(), model.decisions) == (3, 1)


async def test_a_server_that_is_away_is_waited_for(shop: Shop) -> None:
    shop.server.running = False
    cases.sold(shop)
    await cases.settle(shop)
    assert whats(loaded(shop)) == [AttentionKind.WAITS_FOR_SERVER]


async def test_a_server_that_can_t_be_started_needs_a_person_though_no_sale_waits(
    shop: Shop,
) -> None:
    shop.server.running = False
    await cases.settle(shop)
    shop.outbox.tell_server_fault(cases.newer_journal())
    model = loaded(shop)
    assert (whats(model), model.count(), model.decisions) == ([AttentionKind.SERVER_FAILS], 1, 1)
    person(shop, model).start_server()
    assert shop.keeper.asked == 1
    shop.outbox.tell_server_fault(None)
    model.load()
    assert whats(model) == []


async def test_a_server_that_answers_again_ends_what_its_keeper_told(shop: Shop) -> None:
    shop.server.running = False
    await cases.settle(shop)
    shop.outbox.tell_server_fault(cases.newer_journal())
    shop.server.running = True
    await cases.settle(shop)
    assert shop.outbox.view.fault is None
    assert whats(loaded(shop)) == []


async def test_a_stranger_in_the_place_of_the_server_needs_a_person(shop: Shop) -> None:
    shop.server.stranger = "foreign"
    cases.sold(shop)
    await cases.settle(shop)
    model = loaded(shop)
    assert whats(model) == [AttentionKind.SERVER_FAILS, AttentionKind.WAITS_FOR_SERVER]
    began = model.rows[0].since
    shop.clock.go_on(60_000)
    await cases.settle(shop)
    model.load()
    assert model.rows[0].since == began


async def test_correcting_cancels_first_and_then_offers_the_lines(shop: Shop) -> None:
    sale = await cases.refused(shop)
    model = loaded(shop)
    row = model.current
    assert row is not None
    person(shop, model).correct(row)
    model.load(thorough=False)
    assert whats(model) == [AttentionKind.CANCELLED_SOON]
    await cases.settle(shop)
    model.load(thorough=False)
    assert whats(model) == [AttentionKind.TAKE_BACK]
    assert shop.store.sales.sale(sale.key).state is SaleState.CANCELLED
    taken = model.rows[0].sale
    assert taken is not None
    assert (taken.key, taken.drop_reason) == (sale.key, CORRECTION)
    basket = sell.start(till=shop.till, cashier=CASHIER)
    sell.take_back(till=shop.till, ticket=basket, sale=taken)
    model.load()
    assert model.rows == ()


async def test_a_correction_survives_a_restart_of_the_till(shop: Shop) -> None:
    await cases.refused(shop)
    first = loaded(shop)
    person(shop, first).correct(first.rows[0])
    await cases.settle(shop)
    assert whats(loaded(shop)) == [AttentionKind.TAKE_BACK]


async def test_dropping_keeps_its_reason_and_ends_as_solved(shop: Shop) -> None:
    sale = await cases.refused(shop)
    model = loaded(shop)
    person(shop, model).drop(model.rows[0], " Купац је одустао ")
    await cases.settle(shop)
    model.load()
    assert model.rows == ()
    assert [row.id for row in model.solved] == [sale.key]
    assert shop.store.sales.sale(sale.key).drop_reason == "Купац је одустао"


async def test_a_doubt_is_never_dropped(shop: Shop) -> None:
    await cases.doubtful(shop)
    model = loaded(shop)
    with pytest.raises(NotAllowed):
        person(shop, model).drop(model.rows[0], "why")


async def test_absent_by_a_manager_sends_it_again(shop: Shop) -> None:
    sale = await cases.doubtful(shop)
    model = loaded(shop)
    await person(shop, model).declare_absent(model.rows[0], "Ана")
    assert shop.doubts.told == [("absent", "receipt-1", "Ана")]
    shop.clock.go_on(10_000)
    await cases.settle(shop)
    model.load()
    assert (model.rows, shop.store.sales.sale(sale.key).state) == ((), SaleState.DONE)
    assert shop.server.ledger == [sale.key]


async def test_found_by_its_address_ends_the_doubt(shop: Shop) -> None:
    sale = await cases.doubtful(shop)
    model = loaded(shop)
    await person(shop, model).declare_found(model.rows[0], f" {shop.doubts.right} ")
    shop.clock.go_on(10_000)
    await cases.settle(shop)
    model.load()
    assert model.rows == ()
    assert [row.id for row in model.solved] == [sale.key]


async def test_signed_although_dropped_is_told_until_it_was_seen(shop: Shop) -> None:
    sale = cases.sold(shop)
    shop.server.faults.append(Fault.ANSWER_LOST)
    await cases.settle(shop, 1)
    shop.store.sales.wish_drop(sale.key, reason="why", at=shop.clock.now())
    shop.clock.go_on(10_000)
    await cases.settle(shop)
    model = loaded(shop)
    assert whats(model) == [AttentionKind.REFUND]
    person(shop, model).seen(model.rows[0])
    model.load()
    assert model.rows == ()


def test_a_doubt_of_another_program_is_shown_too(shop: Shop) -> None:
    cases.tell_open(shop, cases.foreign(shop))
    model = loaded(shop)
    assert whats(model) == [AttentionKind.FOREIGN_DOUBT]
    assert (model.count(), list(model.lines(model.rows[0]))) == (1, [])


async def test_a_young_doubt_of_another_program_rings_no_bell(shop: Shop) -> None:
    shop.server.open = (replace(cases.foreign(shop), state=RequestState.UNKNOWN),)
    await shop.outbox.step()
    assert shop.outbox.young_doubts
    assert loaded(shop).count() == 0
    shop.clock.go_on(YOUNG)
    await shop.outbox.step()
    model = loaded(shop)
    assert (whats(model), model.count()) == ([AttentionKind.FOREIGN_DOUBT], 1)


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
    assert (whats(model), model.count(), model.current) == ([AttentionKind.TO_COMPLETE], 0, None)
    row = model.rows[0]
    assert row.group is Group.FOR_KNOWING
    assert {one.code: one.lines for one in row.to_complete} == {
        "4006381333931": 2, "8600999000014": 1,
    }  # fmt: skip
    model.load(thorough=False)
    assert whats(model) == [AttentionKind.TO_COMPLETE]

    create_for_code(
        shop.desk, product_id="0a1b2c3d-0000-4000-8000-000000000001", name="Чај", price=Money(199),
        label=TaxLabel.E, code="4006381333931", unit_id=None, by=CASHIER, at=shop.clock.now(),
    )  # fmt: skip
    model.load()
    assert [one.code for one in model.rows[0].to_complete] == ["8600999000014"]


async def test_what_keeps_the_list_to_complete_from_being_read_is_told(shop: Shop) -> None:
    cases.sold_unknown(shop, "4006381333931")
    await cases.settle(shop, 30)
    model = loaded(shop)
    held = apsw.BusyError("database is locked")
    with refused(shop.shelf._connection, held):  # the catalogue's fault is told by who reads it
        model.load()
        assert whats(model) == [AttentionKind.TO_COMPLETE]
    with refused(shop.store._connection, held, only="unknown_code"):
        model.load()
        assert whats(model) == [AttentionKind.STORAGE_FAILS]
    model.load()
    assert shop.services.faults.of(Where.TILL) is None
    model.load()
    assert whats(model) == [AttentionKind.TO_COMPLETE]


@pytest.mark.parametrize("what", ["absent", "seen"])
async def test_what_a_manager_decides_is_no_cashiers(shop: Shop, what: str) -> None:
    await cases.doubtful(shop)
    shop.services = replace(shop.services, is_manager=False)
    model = loaded(shop)
    act = person(shop, model).declare_absent if what == "absent" else person(shop, model).answer
    with pytest.raises(NotAllowed, match="manager"):
        await act(model.rows[0], "Ана")
    assert shop.doubts.told == []


# --- what of the server's rows could not be read -------------------------------------------------


async def test_a_receipt_without_a_key_is_not_taken_for_a_sale_without_a_receipt(
    shop: Shop,
) -> None:
    shop.server.running = False
    sale = cases.sold(shop)
    assert sale.receipt_id is None
    cases.tell_open(shop, cases.foreign(shop))
    assert whats(loaded(shop)) == [AttentionKind.FOREIGN_DOUBT, AttentionKind.WAITS_FOR_SERVER]


async def test_what_could_not_be_read_hides_no_other(shop: Shop) -> None:
    doubt = await cases.doubtful(shop)
    shop.server.open = (cases.half_done_unread(shop), cases.half_done(shop, Operation.REFUND))
    await cases.settle(shop)
    model = loaded(shop)
    words, standing = Texts(), case_texts.CaseFacts(shop.services.server, shop.clock.now())
    assert case_texts.notice_words(model.rows[1], words, standing).press.startswith(
        "Сачекајте тренутак"
    )
    await model.ask_doubts()
    model.load()
    bare, whole = model.rows[1:]
    assert [model.rows[0].id, bare.what, whole.what] == [
        doubt.key,
        AttentionKind.HALF_DONE,
        AttentionKind.HALF_DONE,
    ]
    assert (bare.total, bare.doubt is not None, pair_of(bare)) == (None, True, None)
    assert pair_of(whole) is not None
    assert case_texts.row_title(bare, words) == "Операција није довршена"
    assert "рачун не може да се прочита" in case_texts.row_words(bare, words, standing)
    assert case_texts.notice_words(bare, words, standing).press.startswith("Позовите подршку")
    assert case_texts.notice_words(whole, words, standing).press.startswith("Управник бира")


async def test_a_bare_pair_that_a_manager_ended_is_told_without_a_number(shop: Shop) -> None:
    shop.server.open = (cases.half_done_unread(shop),)
    await cases.settle(shop)
    shop.doubts.ends = REVERSED
    model = loaded(shop)
    await person(shop, model).reverse_pair(model.rows[0], "Ана")
    solved = next(iter(loaded(shop).solved))
    words, standing = Texts(), case_texts.CaseFacts(shop.services.server, shop.clock.now())
    assert case_texts.row_title(solved, words) == "Операција је поништена"
    told = case_texts.notice_words(solved, words, standing).happened
    assert told.startswith("Операција је поништена. Одлука: Ана,")


# --- what a manager decided about a pair ---------------------------------------------------------


async def undone(shop: Shop) -> str:
    """A manager had a pair undone: the id of its refused receipt."""
    await cases.half_pair(shop, Operation.REFUND)
    shop.doubts.ends = REVERSED
    model = loaded(shop)
    await model.ask_doubts()
    model.load()
    row = model.rows[0]
    await person(shop, model).reverse_pair(row, "Власник")
    model.load()
    assert (whats(model), [one.id for one in model.solved]) == ([], [row.id])
    return row.id


async def test_a_decision_on_a_pair_survives_a_restart_of_the_till(shop: Shop) -> None:
    receipt_id = await undone(shop)
    shop.server.open = ()
    await cases.settle(shop)
    solved = loaded(shop).solved
    assert [(row.id, row.what, row.total) for row in solved] == [
        (receipt_id, AttentionKind.SOLVED, Money("842.50"))
    ]
    assert solved[0].decision is not None
    words, standing = Texts(), case_texts.CaseFacts(shop.services.server, shop.clock.now())
    assert case_texts.row_title(solved[0], words) == "Поништена рефундација"
    told = case_texts.notice_words(solved[0], words, standing).happened
    assert told.startswith("Рачун 8660 је поништен, и све је као пре операције. Одлука: Власник,")


async def test_a_decision_of_yesterday_is_not_todays(shop: Shop) -> None:
    await undone(shop)
    shop.clock.go_on(24 * 3600 * 1000)
    assert loaded(shop).solved == ()


async def test_a_decision_that_can_t_be_kept_is_done_and_shown(
    shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    with refused(shop.store.sales._connection, apsw.FullError("full"), only="pair_decisions ("):
        receipt_id = await undone(shop)
    assert shop.doubts.told == [("reverse", receipt_id, "Власник")]
    assert f"the decision on {receipt_id} is not kept" in caplog.text
    assert loaded(shop).solved == ()
