"""The rules of synchronisation: each table of the function's docstring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from pos_app.domain.article.product import Product, Unit, Variant
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import NotDelivered, Refused
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.catalogue_edits import EditKind, EditState
from pos_app.selling.synchronisation.name_edits import NameEdit, met
from pos_app.selling.synchronisation.own_names import NameKind
from pos_app.selling.synchronisation.platform_run import renames_units
from pos_app.selling.synchronisation.run import (
    GONE_FIELD,
    AfterEdit,
    AnsweredEdit,
    KnownList,
    OutgoingEdit,
    PushAnswer,
    PushCount,
    PushEffect,
    PushEnd,
    codes_of_till,
    effect_of,
    is_whole,
    known_after,
    push,
    push_stores,
    range_of,
    sendable,
    still_together,
    together,
)
from pos_app.selling.synchronisation.same_article import is_added_here, variant_ids
from pos_app.selling.synchronisation.store_edits import StoreEdit
from tests.sweep import each

ADD, UPDATE, DELETE = EditKind.ADD, EditKind.UPDATE, EditKind.DELETE
W, S, D, R, C, X = (
    EditState.WAITING, EditState.SENDING, EditState.DONE, EditState.REFUSED, EditState.CONFLICT,
    EditState.DROPPED,
)  # fmt: skip
GO_ON, LOOK, STOP = AfterEdit.GO_ON, AfterEdit.LOOK, AfterEdit.STOP

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)


def edit(number: int = 1, product: str = "p", **fields: Any) -> catalogue_edits.CatalogueEdit:
    plain: dict[str, Any] = {
        "id": number, "key": "0" * 32, "kind": UPDATE, "product_id": product, "article_id": product,
        "changes": {"price": Money(1)}, "base": {}, "base_version": "v", "state": W, "by": "Мира",
        "at": NOW,
    }  # fmt: skip
    return catalogue_edits.CatalogueEdit(**{**plain, **fields})


def product(**fields: Any) -> Product:
    plain = {"id": "p", "name": "Хлеб", "tax_label": TaxLabel.E, "price": Money(10), "ean": "1"}
    return Product(**{**plain, **fields})


@each(
    ("end", "add", "update", "delete"),
    [
        (PushEnd.TAKEN, (D, GO_ON), (D, GO_ON), (D, GO_ON)),
        (PushEnd.GONE, (W, STOP), (W, LOOK), (W, LOOK)),
        (PushEnd.STALE, (W, LOOK), (W, LOOK), (W, LOOK)),
        (PushEnd.DUPLICATE, (S, LOOK), (W, LOOK), (R, GO_ON)),
        (PushEnd.REFUSED, (R, GO_ON), (R, GO_ON), (R, GO_ON)),
        (PushEnd.BEFORE, (W, LOOK), (W, LOOK), (W, LOOK)),
        (PushEnd.NOT_SENT, (W, STOP), (W, STOP), (W, STOP)),
        (PushEnd.UNKNOWN, (S, LOOK), (W, LOOK), (W, LOOK)),
    ],
)
def test_what_an_answer_means(end: PushEnd, add: Any, update: Any, delete: Any) -> None:
    for kind, told in ((ADD, add), (UPDATE, update), (DELETE, delete)):
        effect = effect_of(edit(kind=kind, state=S), PushAnswer(end, field="ean"))
        assert effect == PushEffect(*told)
        assert effect.state is S or effect.state in catalogue_edits.MOVES[S]
        # The address is wrong, or the platform at fault: no change of a manager is given up.
        again = edit(kind=kind, error_field=GONE_FIELD, state=S)
        assert effect_of(again, PushAnswer(PushEnd.GONE)).state is W
    again = edit(kind=UPDATE, error_field="ean", state=S)
    assert effect_of(again, PushAnswer(PushEnd.DUPLICATE, field="ean"), is_in_vain=True).state is R
    assert effect_of(again, PushAnswer(PushEnd.DUPLICATE)).state is R


@each(
    ("asked", "oldest", "held_back", "after", "whole"),
    [
        ("", "03", False, KnownList("e", "09", versions=True), True),
        ("05", "03", False, KnownList("e", "09", refuses_since=True, versions=True), True),
        ("05", "05", False, KnownList("e", "09", versions=True), False),
        ("05", "06", False, KnownList("e", "09", versions=True), False),
        ("05", "", False, KnownList("e", "09", versions=True), False),
        ("05", "06", True, KnownList("e", "05", versions=True), False),
        ("", "03", True, KnownList("e", "09", versions=True), True),
    ],
)
def test_what_is_remembered_of_a_list(
    asked: str, oldest: str, held_back: bool, after: KnownList, whole: bool
) -> None:
    answer, known = KnownList("e", asked, versions=True), KnownList("old", "05")
    done = known_after(known, answer, oldest=oldest, latest="09", held_back=held_back)
    assert done == after
    assert is_whole(asked, oldest) is whole


@each(
    ("sent", "theirs", "is_one"),
    [
        (False, {}, True),
        (False, {"price": Money(11)}, False),
        (False, {"name": "Сок"}, False),
        (True, {"price": Money(11), "ean": "2"}, True),
        (True, {"name": "Сок"}, True),
        (True, {"name": "Сок", "ean": "2"}, False),
        (True, {"name": "Сок", "ean": None}, False),
    ],
)
def test_an_added_article_in_the_list(sent: bool, theirs: Any, is_one: bool) -> None:
    assert is_added_here(product(sku=7), product(sku=7, **theirs), was_sent=sent) is is_one


def test_variants_take_the_ids_of_those_with_their_code_else_in_their_place() -> None:
    def variant(key: str, sku: int | None) -> Variant:
        return Variant(id=key, name="S", tax_label=TaxLabel.E, sku=sku)

    ours = product(id="o", variants=(variant("a", 1), variant("b", None), variant("c", 9)))
    theirs = product(id="t", variants=(variant("x", 5), variant("y", 6), variant("z", 1)))
    assert variant_ids(ours, theirs) == {"o": "t", "a": "z", "b": "y"}


def test_what_may_be_sent_now() -> None:
    edits = [
        edit(1, "a"), edit(2, "a"), edit(3, "b", state=C), edit(4, "b"), edit(5, "c", state=S),
        edit(6, "c"), edit(7, "d", state=R), edit(8, "d"), edit(9, "e"),
    ]  # fmt: skip
    assert [one.id for one in sendable(edits)] == [1, 9]


def test_a_till_has_the_codes_of_its_settings_else_those_of_its_id() -> None:
    def nobody() -> str:
        raise AssertionError("an id is not needed")

    assert codes_of_till(10, 12, till_id=nobody) == range(10, 13)
    till_id = "00000000-0000-4000-8000-000000000007"
    assert codes_of_till(0, 0, till_id=lambda: till_id) == range_of(till_id)


class Queue:
    """Edits in memory whose states follow answers. meanwhile: a manager's changes once grouped."""

    def __init__(self, *edits: catalogue_edits.CatalogueEdit) -> None:
        self.edits = {one.id: one for one in edits}
        self.meanwhile: dict[int, catalogue_edits.CatalogueEdit] = {}

    def open_edits(self) -> list[catalogue_edits.CatalogueEdit]:
        return [one for one in self.edits.values() if one.state not in (D, X)]

    def begin(self, edits: Sequence[catalogue_edits.CatalogueEdit]) -> list[OutgoingEdit | None]:
        self.edits |= self.meanwhile
        self.meanwhile = {}
        now = [self.edits[one.id] for one in edits]
        going = {one.id: replace(one, state=S) for one in still_together(now)}
        self.edits |= going
        return [
            OutgoingEdit(one.kind, product(sku=one.id)) if one.id in going else None for one in now
        ]

    def settle(self, answered: Sequence[AnsweredEdit]) -> Sequence[AnsweredEdit]:
        for one in answered:
            self.edits[one.edit.id] = replace(one.edit, state=one.effect.state)
        return answered

    def send_again(self, added: catalogue_edits.CatalogueEdit) -> None:
        self.edits[added.id] = replace(added, state=W)


def run(
    queue: Queue,
    *ends: PushEnd,
    line: bool = True,
    group: int = 1,
    found: Callable[[], None] = lambda: None,
) -> tuple[list[int | None], int, Any]:
    """Push; returns what was sent, lists taken, and the result. found: called when one is taken."""
    left, sent, lists = list(ends), [], 0

    def send(edits: Sequence[OutgoingEdit]) -> list[PushAnswer]:
        return [answer(one) for one in edits]

    def answer(outgoing: OutgoingEdit) -> PushAnswer:
        sent.append(outgoing.product.sku)
        end = left.pop(0) if left else PushEnd.TAKEN
        is_lost = end in (PushEnd.UNKNOWN, PushEnd.NOT_SENT)
        field = "ean" if end is PushEnd.DUPLICATE else ""
        fault = NotDelivered(what="x") if is_lost else None
        return PushAnswer(end, field=field, fault=fault, answered=not is_lost)

    def take_list() -> None:
        nonlocal lists
        lists += 1
        if not line:
            raise NotDelivered(what="x")
        found()

    count = push(queue, send, take_list=take_list, group=group)
    return sent, lists, count


def test_a_bad_line_ends_the_run() -> None:
    edits = [edit(number, f"p{number}") for number in range(1, 6)]
    sent, lists, count = run(Queue(*edits), PushEnd.UNKNOWN, PushEnd.UNKNOWN)
    assert (sent, lists, count.unknown, count.waiting) == ([1, 2], 0, 2, 3)
    assert count.fault is not None
    sent, lists, count = run(Queue(*edits), PushEnd.NOT_SENT)
    assert (sent, lists, count.sent) == ([1], 0, 0)
    sent, lists, count = run(Queue(*edits), PushEnd.UNKNOWN, line=False)
    assert (len(sent), lists, count.sent, count.unknown, count.waiting) == (5, 1, 4, 1, 0)
    assert count.fault is not None


def test_a_list_that_is_refused_after_sending_takes_back_nothing_that_was_sent() -> None:
    def refused() -> None:
        raise Refused(what="no")

    _, _, count = run(Queue(edit(1, "a"), edit(2, "b")), PushEnd.STALE, found=refused)
    assert (count.sent, count.waiting, str(count.fault)) == (1, 1, "no")
    sent, lists, count = run(Queue(edit(1, "a")), *[PushEnd.STALE] * 20)
    assert (sent, lists, count.waiting) == ([1, 1, 1], 2, 1), "the same answer ends too"


def test_a_taken_code_is_tried_again_as_long_as_others_may_free_it() -> None:
    codes = {"changes": {"ean": "1"}}
    edits = [edit(1, "a"), edit(2, "b"), edit(3, "c", **codes), edit(4, "d", **codes)]
    dup, taken = PushEnd.DUPLICATE, PushEnd.TAKEN
    queue = Queue(*edits)
    answers = [dup, dup, dup, taken, dup, dup, taken, dup, taken]
    sent, lists, count = run(queue, *answers)
    assert (sent, lists) == ([1, 2, 3, 4, 1, 2, 3, 1, 2], 2)
    assert (count.sent, count.refused, count.waiting) == (3, 0, 1), "the rest goes in the next run"
    sent, lists, count = run(queue, dup, dup)
    assert (sent, lists, count.refused) == ([1, 1], 1, 1)
    sent, _, count = run(Queue(*edits[:2]), dup, taken, dup)
    assert (sent, count.refused) == ([1, 2, 1], 1), "a price frees no code"


def test_what_says_no_code_goes_together_and_the_rest_in_its_order() -> None:
    adds = [edit(number, f"p{number}", kind=catalogue_edits.EditKind.ADD) for number in range(1, 5)]
    price = edit(5, "p5", changes={"price": None})
    coded = edit(6, "p6", changes={"ean": "1"})
    gone = edit(7, "p7", kind=catalogue_edits.EditKind.DELETE)
    for edits, groups in (
        ([*adds, price], [[1, 2, 3], [4, 5]]),
        ([adds[0], gone, adds[1]], [[1], [7], [2]]),
        ([price, coded, *adds], [[5], [6], [1, 2, 3], [4]]),
    ):
        assert [[one.id for one in group] for group in together(edits, 3)] == groups


def test_a_code_that_is_given_after_the_grouping_goes_alone_and_in_its_order() -> None:
    edits = [edit(number, f"p{number}") for number in range(1, 6)]
    coded = replace(edits[1], changes={"price": None, "ean": "1"})
    dropped = replace(edits[2], state=X)
    for meanwhile, groups in (
        ({2: coded}, [[1], [2], [3, 4, 5]]),
        ({3: dropped}, [[1, 2], [4, 5]]),
        ({2: coded, 1: replace(coded, id=1, product_id="p1"), 3: dropped}, [[1], [2], [4, 5]]),
        ({4: replace(coded, id=4, product_id="p4")}, [[1, 2, 3], [4], [5]]),
        ({one.id: replace(one, state=X) for one in edits}, [[]]),
    ):
        queue = Queue(*edits)
        queue.meanwhile = meanwhile
        sent: list[list[int | None]] = []

        def send(
            edits: Sequence[OutgoingEdit], sent: list[list[int | None]] = sent
        ) -> list[PushAnswer]:
            sent.append([one.product.sku for one in edits])
            return [PushAnswer(PushEnd.TAKEN) for _ in edits]

        push(queue, send, take_list=lambda: None, group=3)
        assert (sent, queue.open_edits()) == (groups, [])


# --- stores --------------------------------------------------------------------------------------


class _Stores:
    """A queue of changes of stores, in memory. moves: the commits, in order."""

    def __init__(self, *edits: StoreEdit) -> None:
        self._edits = edits
        self.moves: list[tuple[str, str]] = []

    def open_edits(self) -> tuple[StoreEdit, ...]:
        return self._edits

    def begin(self, edit: StoreEdit) -> StoreEdit:
        return edit

    def take(self, sent: StoreEdit, answered: Store) -> None:
        self.moves.append(("taken", answered.name))

    def refuse(self, sent: StoreEdit, *, why: str, field: str) -> None:
        self.moves.append(("refused", f"{sent.ours.name}: {why} {field}"))


def store_edit(name: str, **fields: Any) -> StoreEdit:
    base = Store(id=name, name="before")
    plain = {"base": base, "ours": Store(id=name, name=name), "theirs": base, "by": "Мира"}
    return StoreEdit(**{**plain, "at": NOW, **fields})


def test_stores_are_sent_once_each_and_what_is_a_persons_is_not() -> None:
    away = NotDelivered(what="away")
    answers = {
        "taken": PushAnswer(PushEnd.TAKEN),
        "theirs": PushAnswer(PushEnd.TAKEN, store=Store(id="theirs", name="as they have it")),
        "no": PushAnswer(PushEnd.REFUSED, why="too long", field="name"),
        "gone": PushAnswer(PushEnd.GONE, why="none"),
        "unknown": PushAnswer(PushEnd.UNKNOWN, fault=away, answered=False),
        "stale": PushAnswer(PushEnd.STALE),
    }
    decided_first = store_edit("both", theirs=Store(id="both", name="other"))
    refused_before = store_edit("mended by nobody", error="too long")
    queue = _Stores(*map(store_edit, answers), decided_first, refused_before)
    sent: list[str] = []

    def send(edit: StoreEdit) -> PushAnswer:
        sent.append(edit.ours.name)
        return answers[edit.ours.name]

    count = push_stores(queue, send, pushed=PushCount(sent=1, waiting=1))
    assert sent == list(answers)
    assert (count.sent, count.refused, count.waiting, count.fault) == (3, 2, 3, away)
    assert count.unknown == 1
    assert count.conflicts == 1, "what a person decides is counted until it is decided"
    assert queue.moves == [
        ("taken", "taken"),
        ("taken", "as they have it"),
        ("refused", "no: too long name"),
        ("refused", "gone:  "),
        ("refused", "stale:  "),
    ]


@each(
    ("known", "there", "renamed"),
    [("komad", "комад", True), ("комад", "комад", False), (None, "комад", False)],
)
def test_a_unit_with_another_name_needs_the_whole_list(
    known: str | None, there: str, renamed: bool
) -> None:
    here = {} if known is None else {"u": Unit(id="u", name=known, symbol="ком")}
    assert renames_units(here, (Unit(id="u", name=there, symbol="ком"),)) is renamed
    assert not renames_units(here, None)


# --- units and categories that a manager changed --------------------------------------------------

_A, _B, _C = (Unit("u", name, name) for name in ("А", "Б", "В"))


@each(
    ("base", "ours", "theirs", "becomes"),
    [
        (_A, _B, _A, (_A, _B, _A)),
        (_A, _B, _B, None),
        (_A, _B, _C, (_A, _B, _C)),
        (_A, _B, None, (None, _B, None)),
        (_A, replace(_A, position=3), None, None),
        (_A, None, _A, (_A, None, _A)),
        (_A, None, None, (_A, None, None)),
        (_A, None, _C, (_A, None, _C)),
        (None, _B, None, (None, _B, None)),
        (None, _B, _C, None),
    ],
)
def test_a_unit_changed_here_meets_the_list(
    base: Unit | None,
    ours: Unit | None,
    theirs: Unit | None,
    becomes: tuple[Unit | None, ...] | None,
) -> None:
    left = met(name_change(base, ours), theirs)
    assert (None if left is None else (left.base, left.ours, left.theirs)) == becomes
    assert left is None or left.has_conflict is (theirs == _C)
    merged = met(name_change(_A, replace(_A, name="Б")), replace(_A, symbol="В"))
    assert merged is not None
    assert (merged.ours, merged.changed) == (Unit("u", "Б", "В"), {"name"})
    assert not merged.has_conflict


def name_change(base: Unit | None, ours: Unit | None) -> NameEdit:
    return NameEdit(
        kind=NameKind.UNIT, id="u", base=base, ours=ours, theirs=base, by="Мира", at=NOW
    )
