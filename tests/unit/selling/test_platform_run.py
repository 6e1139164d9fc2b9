"""What a run counts anew of an open question, and how far it tells that it is; the rest is told by
whole runs with a platform (`tests/integration/synchronise`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from unittest.mock import Mock

from pos_app.domain.article.product import Product
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.synchronisation import joining, platform_run
from pos_app.selling.synchronisation.catalogue_edits import EditKind, EditState
from pos_app.selling.synchronisation.reports import PlatformReport
from pos_app.selling.synchronisation.run import KnownList, OutgoingEdit, PushAnswer, PushEnd
from tests.unit.selling.test_synchronise import edit

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
SENDS = joining.Joining(None, joining.JoiningAnswer.SEND)
BREAD = Product(id="p", name="Хлеб", tax_label=TaxLabel.E)


def go(port: Mock, queue: Mock, notes: Mock, told: list[tuple[str, int, int]]) -> PlatformReport:
    memory = Mock()
    memory.known.return_value = KnownList("etag", "2026-11-20")
    memory.small_lists_digest.return_value = platform_run.digest_of({"units": "U", "store": ""})
    stores = Mock()
    stores.open_edits.return_value = []
    run = platform_run.PlatformRun(
        port,
        memory=memory,
        notes=notes,
        queue=queue,
        stores=stores,
        is_demo=False,
        store_id="",
        url="https://there",
        key="pk_1",
        setting=None,
        now=lambda: NOW,
        report_progress=lambda *one: told.append(one),
    )
    return run.whole(accept_removals=False, join=None)


def notes_with(now: joining.Joining, changes: joining.OpenChanges) -> Mock:
    notes = Mock()
    notes.now.return_value, notes.changes.return_value = now, changes
    notes.setting_before.return_value = notes.same_account.return_value = None
    notes.sends_unasked.return_value = False
    notes.may_be_asked.return_value = now.question is not None
    return notes


def test_an_open_question_is_counted_anew_and_asks_the_platform_nothing() -> None:
    port, queue = Mock(), Mock()
    before = joining.JoiningQuestion(
        url="https://there", key="pk_1", at=NOW, to_send=3, changes=joining.OpenChanges(stores=1)
    )
    notes = notes_with(joining.Joining(before, None), joining.OpenChanges(waiting=2))
    now = replace(before, changes=joining.OpenChanges(waiting=2, stores=1))
    assert go(port, queue, notes, []).asked == now
    notes.ask.assert_called_once_with(now)
    assert port.method_calls == []


def test_their_list_comes_before_our_changes_which_are_counted_one_by_one() -> None:
    port, queue = Mock(), Mock()
    port.small_lists.return_value = {"units": "U"}
    port.left_over.return_value = port.products.return_value = None
    port.small.return_value = platform_run.SmallLists()
    port.known_units.return_value = {}
    port.waiting_removals.return_value = 0
    port.own_names.return_value = ()
    waiting = {number: edit(number, f"p{number}") for number in (1, 2)}
    queue.open_edits.side_effect = queue.all_open.side_effect = lambda: [*waiting.values()]
    queue.begin.side_effect = lambda some: [OutgoingEdit(EditKind.UPDATE, BREAD) for _ in some]

    def send(
        edits: Sequence[OutgoingEdit], *, answered: Callable[[], None], **_: Any
    ) -> list[PushAnswer]:
        for _one in edits:
            answered()
        return [PushAnswer(PushEnd.TAKEN) for _one in edits]

    def settle(some: Sequence[Any]) -> Sequence[Any]:
        for one in some:
            assert one.effect.state is EditState.DONE
            del waiting[one.edit.id]
        return some

    port.send.side_effect, queue.settle.side_effect = send, settle
    told: list[tuple[str, int, int]] = []
    assert go(port, queue, notes_with(SENDS, joining.NO_CHANGES), told).pushed.sent == 2
    assert told == [("list", 0, 0), ("edits", 1, 2), ("edits", 2, 2)]
    acts = [name for name, _, _ in port.method_calls]
    assert acts.index("products") < acts.index("commit_surely") < acts.index("send")
