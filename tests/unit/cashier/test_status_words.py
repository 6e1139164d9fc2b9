"""The bottom line: what it says for each standing of server, processor, queue and catalogue."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pos_app import errors
from pos_app.cashier.services.storage_faults import StorageFault, StorageFaults, Where
from pos_app.cashier.texts.lookup import LANGUAGES, Texts
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.window.status import StatusFacts, sentence, status_items
from pos_app.domain.receipt.server_status import ProcessorState, ProcessorStatus, ServerStatus
from pos_app.domain.receipt.states import AnswerClass
from pos_app.selling.catalogue.catalogue import CatalogueStatus
from pos_app.selling.sale.sale import PendingReason
from pos_app.selling.server.monitor import ServerLink, ServerView
from pos_app.selling.synchronisation.run import SyncProgress
from tests.sweep import each

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
    told = said(WELL)
    assert told == ["Сервер ради", "Процесор спреман, Л-ПФР", "Ред празан", "Усклађено у 14:30"]
    assert {one.kind for one in status_items(WELL, Texts())} == {StateKind.DONE}
    assert sentence(WELL, Texts()) == "Продаја, фискализација и усклађивање раде"


DECIDE, WAIT, FAILED, DONE = StateKind.DECIDE, StateKind.WAIT, StateKind.FAILED, StateKind.DONE
NO_RECEIPTS = "Рачуни се за сада не издају"
IN_THE_QUEUE = f"{NO_RECEIPTS}; продаје чекају у реду"
OURS_FAIL = "Ништа не може да се дода ни потврди"
ISSUED_IN_TURN = "Продаја ради; рачуни се издају редом"
SERVER, PROCESSOR, QUEUE, CATALOGUE = range(4)
AWAY_3_DAYS = replace(FACTS, away_since=NOW - timedelta(days=3))


def away(fault: type[errors.MachineError], **values: Any) -> StatusFacts:
    return replace(WELL, server=ServerView(ServerLink.AWAY, fault=fault(what="x", **values)))


def stranger(code: str) -> StatusFacts:
    reason = PendingReason(AnswerClass.WAIT, code)
    return replace(WELL, server=ServerView(ServerLink.STRANGER, reason))


def queued(waiting: int, to_decide: int) -> StatusFacts:
    return replace(WELL, waiting=waiting, to_decide=to_decide, queued=1)


def synchronised(status: CatalogueStatus, *, has_platform: bool = True) -> StatusFacts:
    return replace(WELL, catalogue_status=status, has_platform=has_platform)


def synchronised_away(fault: str) -> StatusFacts:
    return synchronised(replace(FACTS, away_since=NOW, fault=fault))


def of_till(fault: type[errors.MachineError]) -> StatusFacts:
    return replace(WELL, storage=StorageFault(Where.TILL, fault(what="x"), NOW))


UNREAD = StorageFault(Where.CATALOGUE, errors.DatabaseDamaged(what="x"), NOW)
ROWS: list[tuple[StatusFacts, int, StateKind, str, str]] = [
    *((replace(WELL, server=processor(one)), PROCESSOR, DECIDE, "", NO_RECEIPTS)
      for one in ProcessorState if one is not ProcessorState.READY),
    (replace(WELL, server=processor(ProcessorState.AWAY), holds=True), PROCESSOR, DECIDE, "",
     "Рачуни се за сада не издају; оставите корпу (F6)"),
    (replace(WELL, server=processor(ProcessorState.DISK)), PROCESSOR, DECIDE,
     "Диск скоро је пун", NO_RECEIPTS),
    (replace(WELL, server=ServerView(ServerLink.NOT_ASKED)), SERVER, WAIT, "",
     "Каса проверава шта ради"),
    (replace(WELL, server=ServerView(ServerLink.AWAY)), SERVER, WAIT, "", IN_THE_QUEUE),
    (away(errors.DatabaseTooNew), SERVER, FAILED, "Сервер подаци су новије верзије", NO_RECEIPTS),
    (away(errors.PortTaken, port=9999), SERVER, FAILED, "Сервер омета га други програм",
     NO_RECEIPTS),
    (away(errors.ServerEnded), SERVER, FAILED, "Сервер не може да се покрене", NO_RECEIPTS),
    (stranger("foreign"), SERVER, FAILED, "Сервер јавља се други програм", IN_THE_QUEUE),
    (stranger("other_version"), SERVER, FAILED, "Сервер друге је верзије", NO_RECEIPTS),
    (stranger("odd"), SERVER, FAILED, "Сервер не може да се покрене", NO_RECEIPTS),
    (queued(0, 0), QUEUE, WAIT, "Ред рачун се издаје", ISSUED_IN_TURN),
    (queued(1, 0), QUEUE, WAIT, "Пажња 1 ставка", ISSUED_IN_TURN),
    (queued(3, 0), QUEUE, WAIT, "Пажња 3 ставке", ISSUED_IN_TURN),
    (queued(2, 1), QUEUE, DECIDE, "Пажња 2 ставке · 1 тражи одлуку", ISSUED_IN_TURN),
    (synchronised(replace(FACTS, waiting=3, conflicts=2)), CATALOGUE, DECIDE,
     "Усклађивање 2 измене траже одлуку", ""),
    (synchronised(replace(FACTS, synced_at=None)), CATALOGUE, WAIT,
     "Каталог још није усклађен", ""),
    (synchronised(replace(FACTS, synced_at=None, waiting=1)), CATALOGUE, WAIT,
     "Каталог још није усклађен · 1 измена чека", ""),
    (synchronised(replace(FACTS, waiting=1, names_waiting=1)), CATALOGUE, WAIT,
     "Усклађено у 14:30 · 2 измене чекају", ""),
    (synchronised(replace(FACTS, waiting=3), has_platform=False), CATALOGUE, DONE,
     "Усклађено у 14:30", ""),
    (synchronised(replace(FACTS, synced_at=NOW - timedelta(days=2))), CATALOGUE, DONE,
     "Усклађено 18.11. 14:32", ""),
    (synchronised(replace(AWAY_3_DAYS, fault="not_delivered", waiting=3)), CATALOGUE, WAIT,
     "Усклађивање без везе од 17.11. 14:32 · 3 измене чекају", ""),
    (synchronised(replace(AWAY_3_DAYS, fault="elsewhere")), CATALOGUE, WAIT,
     ("Усклађивање без везе од 17.11. 14:32: адреса упућује на другу (нова адреса, или"
      " пријава на мрежу?)"), ""),
    (synchronised_away("platform_key"), CATALOGUE, DECIDE,
     "Усклађивање платформа не прихвата кључ", ""),
    (synchronised_away("platform_no_room"), CATALOGUE, DECIDE,
     "Усклађивање диск платформе је скоро пун: прима само рачуне", ""),
    (synchronised_away("platform_no_more"), CATALOGUE, DECIDE,
     "Усклађивање платформа сада не прима више: налог је на њој пун или се пречесто јавља", ""),
    (synchronised(replace(FACTS, synced_at=None), has_platform=False), CATALOGUE, DONE,
     "Каталог на овој каси", "Продаја и фискализација раде"),
    (of_till(errors.DiskFull), 0, FAILED, "Подаци касе диск је пун", OURS_FAIL),
    (of_till(errors.DatabaseBusy), 0, FAILED, "Подаци касе заузима други програм", OURS_FAIL),
    (of_till(errors.DatabaseDamaged), 0, FAILED, "Подаци касе читање не успева", OURS_FAIL),
    (of_till(errors.DatabaseTooNew), 0, FAILED, "Подаци касе приступ не успева", OURS_FAIL),
    (replace(WELL, catalogue=UNREAD), CATALOGUE, FAILED, "Каталог читање не успева",
     "Артикли сада не могу да се прочитају; корпа може да се наплати"),
]  # fmt: skip


@each(("facts", "place", "kind", "words", "whole"), ROWS)
def test_the_line_says(
    facts: StatusFacts, place: int, kind: StateKind, words: str, whole: str
) -> None:
    """words: of the item at that place. whole: how the sentence of all begins."""
    assert status_items(facts, Texts())[place].kind is kind
    assert said(facts)[place].startswith(words)
    assert sentence(facts, Texts()).startswith(whole)
    for language in LANGUAGES:
        told = status_items(facts, Texts(language))
        assert all(one.subject and one.state for one in told)
        assert sentence(facts, Texts(language))


@each("link", ServerLink)
def test_a_server_that_is_away_or_a_stranger_signs_nothing(link: ServerLink) -> None:
    signs = link in (ServerLink.NOT_ASKED, ServerLink.OURS)
    assert ServerView(link, status=READY.status).signs_nothing is not signs


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


def test_a_long_synchronisation_tells_how_far_it_is() -> None:
    facts = replace(WELL, sync=SyncProgress("products", 12000, 100000))
    assert said(facts)[3] == "Усклађивање 12000 од 100000"
    assert said(replace(WELL, sync=SyncProgress("products", 3, 4))) == said(WELL)
