"""The bottom line: what it says for each standing of server, processor, queue and catalogue."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pos_app import errors
from pos_app.cashier.services.storage_faults import StorageFault, StorageFaults, Where
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.window.status import StatusFacts, sentence, status_items
from pos_app.domain.receipt.server_status import ProcessorState, ProcessorStatus, ServerStatus
from pos_app.domain.receipt.states import AnswerClass
from pos_app.selling.catalogue.catalogue import CatalogueStatus
from pos_app.selling.sale.sale import PendingReason
from pos_app.selling.server.monitor import ServerLink, ServerView
from pos_app.selling.synchronisation.run import SyncProgress

NOW = datetime(2026, 11, 20, 13, 32, tzinfo=UTC)
READY = ServerView(
    ServerLink.OURS,
    status=ServerStatus(
        ProcessorStatus("lpfr", ProcessorState.READY, "", "", None, None), (), (), not_fiscal=False
    ),
)
FACTS = CatalogueStatus(NOW - timedelta(minutes=2), 0, 0, 0, 0)
WELL = StatusFacts(READY, 0, 0, FACTS, holds=False, now=NOW)


def processor(state: ProcessorState) -> ServerView:
    assert READY.status is not None
    told = replace(READY.status.processor, state=state)
    return replace(READY, status=replace(READY.status, processor=told))


def said(facts: StatusFacts) -> list[str]:
    return [f"{one.subject} {one.state}" for one in status_items(facts, Texts())]


def test_all_is_well_and_quiet() -> None:
    assert said(WELL) == [
        "Сервер ради",
        "Процесор спреман, Л-ПФР",
        "Ред празан",
        "Усклађено у 14:30",
    ]
    assert {one.kind for one in status_items(WELL, Texts())} == {StateKind.DONE}
    assert sentence(WELL, Texts()) == "Продаја, фискализација и усклађивање раде"


@pytest.mark.parametrize("state", [one for one in ProcessorState if one != ProcessorState.READY])
def test_without_a_processor_it_is_amber_and_says_that_no_receipt_is_issued(
    state: ProcessorState,
) -> None:
    facts = replace(WELL, server=processor(state))
    assert status_items(facts, Texts())[1].kind is StateKind.DECIDE
    assert sentence(facts, Texts()).startswith("Рачуни се за сада не издају")
    held = replace(facts, holds=True)
    assert sentence(held, Texts()) == "Рачуни се за сада не издају; оставите корпу (F6)"


def test_a_nearly_full_disk_is_not_blamed_on_the_processor() -> None:
    facts = replace(WELL, server=processor(ProcessorState.DISK))
    assert said(facts)[1] == "Диск скоро је пун"
    assert not any("Процесор" in one for one in said(facts))


@pytest.mark.parametrize(
    ("link", "kind", "words"),
    [
        (ServerLink.NOT_ASKED, StateKind.WAIT, "Каса проверава шта ради"),
        (ServerLink.AWAY, StateKind.WAIT, "Рачуни се за сада не издају; продаје чекају у реду"),
        (
            ServerLink.STRANGER,
            StateKind.FAILED,
            "Рачуни се за сада не издају; продаје чекају у реду",
        ),
    ],
)
def test_the_server(link: ServerLink, kind: StateKind, words: str) -> None:
    facts = replace(WELL, server=ServerView(link))
    assert status_items(facts, Texts())[0].kind is kind
    assert sentence(facts, Texts()) == words
    assert facts.server.signs_nothing is (link is not ServerLink.NOT_ASKED)


@pytest.mark.parametrize(
    ("waiting", "to_decide", "kind", "words"),
    [
        (0, 0, StateKind.WAIT, "Ред рачун се издаје"),
        (1, 0, StateKind.WAIT, "Пажња 1 ставка"),
        (3, 0, StateKind.WAIT, "Пажња 3 ставке"),
        (2, 1, StateKind.DECIDE, "Пажња 2 ставке · 1 тражи одлуку"),
    ],
)
def test_the_queue(waiting: int, to_decide: int, kind: StateKind, words: str) -> None:
    facts = replace(WELL, waiting=waiting, to_decide=to_decide, queued=1)
    assert (said(facts)[2], status_items(facts, Texts())[2].kind) == (words, kind)
    assert sentence(facts, Texts()) == "Продаја ради; рачуни се издају редом"


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (replace(FACTS, waiting=3, conflicts=2), StateKind.DECIDE,
         "Усклађивање 2 измене траже одлуку"),
        (replace(FACTS, synced_at=None), StateKind.WAIT, "Каталог још није усклађен"),
        (replace(FACTS, synced_at=NOW - timedelta(days=2)), StateKind.DONE,
         "Усклађено 18.11. 14:32"),
        (replace(FACTS, away_since=NOW - timedelta(days=3), fault="not_delivered", waiting=3),
         StateKind.WAIT, "Усклађивање без везе од 17.11. 14:32 · 3 измене чекају"),
        (replace(FACTS, away_since=NOW - timedelta(days=3), fault="elsewhere"), StateKind.WAIT,
         ("Усклађивање без везе од 17.11. 14:32: адреса упућује на другу (нова адреса, или"
          " пријава на мрежу?)")),
        (replace(FACTS, away_since=NOW, fault="platform_key"), StateKind.DECIDE,
         "Усклађивање платформа не прихвата кључ"),
        (replace(FACTS, away_since=NOW, fault="platform_no_room"), StateKind.DECIDE,
         "Усклађивање диск платформе је скоро пун: прима само рачуне"),
        (replace(FACTS, away_since=NOW, fault="platform_no_more"), StateKind.DECIDE,
         ("Усклађивање платформа сада не прима више: налог је на њој пун или се пречесто"
          " јавља")),
    ],
)  # fmt: skip
def test_synchronisation(status: CatalogueStatus, kind: StateKind, words: str) -> None:
    facts = replace(WELL, catalogue_status=status)
    assert (said(facts)[3], status_items(facts, Texts())[3].kind) == (words, kind)


def test_a_catalogue_without_a_platform_waits_for_nothing() -> None:
    facts = replace(WELL, catalogue_status=replace(FACTS, synced_at=None), has_platform=False)
    item = status_items(facts, Texts())[3]
    assert (said(facts)[3], item.kind) == ("Каталог на овој каси", StateKind.DONE)
    assert sentence(facts, Texts()) == "Продаја и фискализација раде"


def test_a_long_synchronisation_tells_how_far_it_is() -> None:
    facts = replace(WELL, sync=SyncProgress("products", 12000, 100000))
    assert said(facts)[3] == "Усклађивање 12000 од 100000"
    assert said(replace(WELL, sync=SyncProgress("products", 3, 4))) == said(WELL)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_every_language(language: str) -> None:
    words = Texts(language)  # type: ignore[arg-type]
    for state in ProcessorState:
        facts = replace(WELL, server=processor(state), waiting=1, queued=1)
        assert all(one.subject and one.state for one in status_items(facts, words))
        assert sentence(facts, words)


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        (errors.DatabaseTooNew(what="x"), "Сервер подаци су новије верзије"),
        (errors.PortTaken(what="x", port=9999), "Сервер омета га други програм"),
        (errors.ServerEnded(what="x"), "Сервер не може да се покрене"),
    ],
)
def test_why_the_server_can_t_be_started(fault: errors.MachineError, state: str) -> None:
    away = replace(WELL, server=ServerView(ServerLink.AWAY, fault=fault))
    assert said(away)[0] == state
    assert status_items(away, Texts())[0].kind is StateKind.FAILED
    assert sentence(away, Texts()).startswith("Рачуни се за сада не издају")


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("foreign", "Сервер јавља се други програм"),
        ("other_version", "Сервер друге је верзије"),
        ("odd", "Сервер не може да се покрене"),
    ],
)
def test_who_answers_in_its_place(code: str, state: str) -> None:
    reason = PendingReason(AnswerClass.WAIT, code)
    assert said(replace(WELL, server=ServerView(ServerLink.STRANGER, reason)))[0] == state


# --- this till's own files -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (errors.DiskFull(what="x"), "Подаци касе диск је пун"),
        (errors.DatabaseBusy(what="x"), "Подаци касе заузима други програм"),
        (errors.DatabaseDamaged(what="x"), "Подаци касе читање не успева"),
        (errors.DatabaseTooNew(what="x"), "Подаци касе приступ не успева"),
    ],
)
def test_what_keeps_the_till_from_storing_stands_before_all_else_in_red(
    fault: errors.MachineError, words: str
) -> None:
    facts = replace(WELL, storage=StorageFault(Where.TILL, fault, NOW))
    assert said(facts)[0] == words
    assert status_items(facts, Texts())[0].kind is StateKind.FAILED
    assert sentence(facts, Texts()).startswith("Ништа не може да се дода ни потврди")


def test_a_catalogue_that_can_t_be_read_leaves_the_cart_to_be_paid() -> None:
    facts = replace(
        WELL, catalogue=StorageFault(Where.CATALOGUE, errors.DatabaseDamaged(what="x"), NOW)
    )
    assert said(facts)[3] == "Каталог читање не успева"
    assert status_items(facts, Texts())[3].kind is StateKind.FAILED
    assert (
        sentence(facts, Texts()) == "Артикли сада не могу да се прочитају; корпа може да се наплати"
    )


def test_the_fault_that_was_met_first_is_told_until_each_who_met_it_has_done_better() -> None:
    faults, told = StorageFaults(), []
    faults.listen(lambda: told.append(faults.fault_of(Where.TILL)))
    first, second = errors.DiskFull(what="first"), errors.DiskFull(what="second")
    faults.report(Where.TILL, first, by="outbox", at=NOW)
    faults.report(Where.TILL, second, by="acts", at=NOW + timedelta(seconds=1))
    faults.report(
        Where.TILL, errors.DiskFull(what="again"), by="outbox", at=NOW + timedelta(seconds=2)
    )
    faults.clear(Where.TILL, by="outbox")
    faults.clear(Where.TILL, by="outbox")
    faults.clear(Where.TILL, by="acts")
    assert [one and one.fault for one in told] == [first, first, second, None]
    assert faults.fault_of(Where.CATALOGUE) is None


@pytest.mark.parametrize("state", ProcessorState)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_state_of_a_processor_has_words(language: Language, state: ProcessorState) -> None:
    """The settings' page shows them too."""
    assert Texts(language).has(f"status.processor.{state}")
