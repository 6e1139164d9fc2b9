"""A run with a platform in memory: the order in which it asks, takes in and sends, the facts that
it remembers, and the decisions that it leaves for a person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from pos_app import errors
from pos_app.domain.article.product import Category, Product, Unit
from pos_app.domain.article.store import Store
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.synchronisation import joining, platform_run
from pos_app.selling.synchronisation.catalogue_edits import CatalogueEdit, EditKind, EditState
from pos_app.selling.synchronisation.own_names import (
    Named,
    NameKind,
    OwnNames,
    Unmade,
    taken_anywhere,
)
from pos_app.selling.synchronisation.reports import Imported, PlatformReport
from pos_app.selling.synchronisation.run import (
    AnsweredEdit,
    KnownList,
    OutgoingEdit,
    PushAnswer,
    PushEnd,
    SyncEnd,
)
from pos_app.selling.synchronisation.store_edits import StoreEdit

SEND, READ = joining.JoiningAnswer
NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
PARTS = {"stores": "S", "units": "U"}
DIGEST = platform_run.digest_of({**PARTS, "store": ""})
KNOWN = KnownList("etag", "2026-11-20")
BREAD = Product(id="p", name="Хлеб", tax_label=TaxLabel.E)
NO_LISTS, NOTHING, SENDS = platform_run.SmallLists(), Imported(), joining.Joining(None, SEND)


def edit(number: int = 1, state: EditState = EditState.WAITING) -> CatalogueEdit:
    return CatalogueEdit(
        id=number,
        key="0" * 32,
        kind=EditKind.UPDATE,
        product_id=f"p{number}",
        article_id=f"p{number}",
        changes={"name": "Хлеб"},
        base={},
        base_version="v",
        state=state,
        by="Мира",
        at=NOW,
    )


@dataclass
class Till:
    """A catalogue and a platform in memory; `acts` lists what a run did with them, in order."""

    parts_there: Mapping[str, str] = field(default_factory=lambda: PARTS)
    there: platform_run.SmallLists = NO_LISTS
    answer: KnownList | None = None
    downloaded: KnownList | None = None
    span: tuple[str, str] = ("", "")
    broken: errors.PosError | None = None
    taken: Imported = NOTHING
    units_here: Mapping[str, Unit] = field(default_factory=dict)
    own: Mapping[NameKind, Sequence[Named]] = field(default_factory=dict)
    ends: list[PushEnd] = field(default_factory=list)
    waits: int = 0
    is_first: bool = False
    acts: list[str] = field(default_factory=list)
    sent_with: list[tuple[bool, Collection[str]]] = field(default_factory=list)
    """Whether the platform numbers its versions, and the ids that it has not made."""
    joined: list[bool] = field(default_factory=list)
    """Whether units and categories of articles from elsewhere counted."""
    asked: list[tuple[KnownList, bool]] = field(default_factory=list)
    written: list[tuple[platform_run.SmallLists, dict[str, bool]]] = field(default_factory=list)

    def small_lists(self) -> Mapping[str, str]:
        self.acts.append("parts")
        return self.parts_there

    def small(self, parts: Mapping[str, str]) -> platform_run.SmallLists:
        return self.there

    def left_over(self, known: KnownList) -> KnownList | None:
        return self.downloaded

    def products(self, known: KnownList, *, is_first: bool) -> KnownList | None:
        self.acts.append("list")
        self.asked.append((known, is_first))
        return self.answer

    def look(self) -> Mapping[str, Product]:
        return {one: Product(id=one, name=one, tax_label=TaxLabel.E) for one in ("a", "b")}

    def read(self, answer: KnownList) -> tuple[str, str]:
        if self.broken is not None:
            raise self.broken
        return self.span

    def write(self, small: platform_run.SmallLists, **how: bool) -> Imported:
        self.acts.append("write")
        self.written.append((small, how))
        return self.taken

    def discard(self) -> None:
        self.acts.append("discard")

    def has_listed(self) -> bool:
        return not self.is_first

    def known_units(self) -> Mapping[str, Unit]:
        return self.units_here

    def look_for_added(self) -> None:
        self.acts.append("look for added")

    def accept_gone(self) -> int:
        return 4

    def waiting_removals(self) -> int:
        return self.waits

    def commit_surely(self) -> None:
        self.acts.append("surely")

    def own_names(self, kind: NameKind, listed: Collection[str], *, joins: bool) -> Sequence[Named]:
        self.joined.append(joins)
        return self.own.get(kind, ())

    def name_as_there(
        self, kind: NameKind, ids: Mapping[str, str], theirs: Sequence[Named]
    ) -> None:
        self.acts.append(f"name {ids}")

    def add_name(self, ours: Named) -> Named | str:
        raise AssertionError("nothing is made here")

    def send(
        self,
        edits: Sequence[OutgoingEdit],
        *,
        versions: bool,
        unmade: Mapping[str, Unmade],
        answered: Callable[[], None],
    ) -> Sequence[PushAnswer]:
        self.acts.append(f"send {len(edits)}")
        self.sent_with.append((versions, set(unmade)))
        ends = [self.ends.pop(0) if self.ends else PushEnd.TAKEN for _ in edits]
        for _ in edits:
            answered()
        return [PushAnswer(end, fault=_fault(end), answered=_fault(end) is None) for end in ends]

    def send_store(self, edit: StoreEdit, *, versions: bool) -> PushAnswer:
        self.acts.append("send store")
        self.sent_with.append((versions, ()))
        return PushAnswer(PushEnd.TAKEN)


def _fault(end: PushEnd) -> errors.PosError | None:
    return errors.NotDelivered(what="no line") if end is PushEnd.NOT_SENT else None


@dataclass
class Memory:
    now: KnownList = KNOWN
    digest: str = DIGEST
    ends: list[str] = field(default_factory=list)

    def known(self) -> KnownList:
        return self.now

    def remember(self, known: KnownList) -> None:
        self.now = known

    def small_lists_digest(self) -> str:
        return self.digest

    def remember_parts(self, digest: str) -> None:
        self.digest = digest

    def answered(self, at: datetime) -> None:
        self.ends.append("answered")

    def away(self, at: datetime, fault: str) -> None:
        self.ends.append(fault)


@dataclass
class Notes:
    """before: the question that was asked and its answer. elsewhere: articles that may be another
    account's."""

    before: joining.Joining = SENDS
    elsewhere: int = 0
    known_account: joining.JoiningAnswer | None = None
    open_changes: joining.OpenChanges = joining.NO_CHANGES
    setting: joining.JoiningAnswer | None = None
    noted: list[Any] = field(default_factory=list)

    def now(self) -> joining.Joining:
        return self.before

    def setting_before(self, now: joining.JoiningAnswer | None) -> joining.JoiningAnswer | None:
        return self.setting

    def note_setting(self, now: joining.JoiningAnswer | None) -> None:
        self.noted.append(("setting", now))

    def note_demo(self) -> None:
        self.noted.append("demo")

    def may_be_asked(self) -> bool:
        return bool(self.elsewhere)

    def sends_unasked(self) -> bool:
        return False

    def same_account(self, listed: Mapping[str, Product]) -> joining.JoiningAnswer | None:
        return self.known_account

    def counted(self, listed: Mapping[str, Product]) -> tuple[int, int, int]:
        return self.elsewhere, 0, 0

    def changes(self, stores: Collection[str] | None = None) -> joining.OpenChanges:
        return self.open_changes

    def ask(self, question: joining.JoiningQuestion) -> None:
        self.noted.append(question)

    def keep_answer(self, said: joining.NewAnswer, *, at: datetime) -> None:
        self.noted.append(said)

    def carry_over(self, answer: joining.JoiningAnswer, *, at: datetime) -> None:
        self.noted.append(answer)


@dataclass
class Edits:
    edits: dict[int, CatalogueEdit] = field(default_factory=dict)

    def recover(self) -> None:
        for one in self.edits.values():
            if one.state is EditState.SENDING:
                self.edits[one.id] = replace(one, state=EditState.WAITING)

    def open_edits(self) -> list[CatalogueEdit]:
        return [one for one in self.edits.values() if one.state is not EditState.DONE]

    all_open = open_edits

    def begin(self, edits: Sequence[CatalogueEdit]) -> list[OutgoingEdit | None]:
        return [OutgoingEdit(one.kind, BREAD) for one in edits]

    def settle(self, answered: Sequence[AnsweredEdit]) -> Sequence[AnsweredEdit]:
        for one in answered:
            self.edits[one.edit.id] = replace(one.edit, state=one.effect.state)
        return answered


@dataclass
class Stores:
    edits: list[StoreEdit] = field(default_factory=list)

    def open_edits(self) -> list[StoreEdit]:
        return list(self.edits)

    def take(self, sent: StoreEdit, answered: Store) -> None:
        self.edits.remove(sent)

    def refuse(self, edit: StoreEdit, *, why: str, field: str) -> None:
        raise AssertionError("no store is refused here")


@dataclass
class Run:
    """A till and its run, by default as it is where nothing changed."""

    till: Till = field(default_factory=Till)
    memory: Memory = field(default_factory=Memory)
    notes: Notes = field(default_factory=Notes)
    edits: Edits = field(default_factory=Edits)
    stores: Stores = field(default_factory=Stores)
    is_demo: bool = False
    store_id: str = ""
    setting: joining.JoiningAnswer | None = None
    told: list[tuple[str, int, int]] = field(default_factory=list)

    def go(
        self, *, accept_removals: bool = False, join: joining.JoiningAnswer | None = None
    ) -> PlatformReport:
        run = platform_run.PlatformRun(
            self.till,
            memory=self.memory,
            notes=self.notes,
            queue=self.edits,
            stores=self.stores,
            is_demo=self.is_demo,
            store_id=self.store_id,
            url="https://there",
            key="pk_1",
            setting=self.setting,
            now=lambda: NOW,
            report_progress=lambda *one: self.told.append(one),
        )
        return run.whole(accept_removals=accept_removals, join=join)


def of_edits(*numbers: int) -> Edits:
    return Edits({number: edit(number) for number in numbers})


def store_edit() -> StoreEdit:
    one = Store(id="s", name="Липа")
    return StoreEdit(base=one, ours=replace(one, name="Бор"), theirs=one, by="Мира", at=NOW)


# --- in which order ------------------------------------------------------------------------------


def test_where_nothing_changed_nothing_is_written() -> None:
    run = Run()
    report = run.go()
    assert run.till.acts == ["parts", "list", "look for added", "surely"]
    assert run.till.asked == [(KNOWN, False)]
    assert (report.is_unchanged, report.end, run.memory.ends) == (True, SyncEnd.DONE, ["answered"])


def test_their_list_comes_before_our_changes_and_stores_go_last() -> None:
    run = Run(Till(answer=KNOWN), edits=of_edits(1, 2), stores=Stores([store_edit()]))
    report = run.go()
    acts = ["parts", "list", "write", "discard", "surely", "send 2", "send store"]
    assert run.till.acts == acts
    assert (report.pushed.sent, report.is_unchanged) == (3, False)
    assert run.told == [("list", 0, 0), ("edits", 1, 2), ("edits", 2, 2)]


def test_what_an_answer_asks_for_is_looked_up_before_it_is_sent_again() -> None:
    run = Run(Till(ends=[PushEnd.STALE]), edits=of_edits(1))
    assert run.go().pushed.sent == 1
    asked = ["parts", "list", "look for added"]
    assert run.till.acts == [*asked, "surely", "send 1", *asked, "surely", "send 1"]


def test_a_dead_line_sends_no_store_and_is_noted() -> None:
    run = Run(Till(ends=[PushEnd.NOT_SENT]), edits=of_edits(1), stores=Stores([store_edit()]))
    report = run.go()
    assert "send store" not in run.till.acts
    assert (report.pushed.waiting, report.end) == (2, SyncEnd.AWAY)
    assert run.memory.ends == [errors.NotDelivered(what="x").code]


def test_what_only_reads_sends_nothing_and_counts_what_waits() -> None:
    run = Run(
        notes=Notes(joining.Joining(None, READ)),
        edits=of_edits(1, 2),
        stores=Stores([store_edit()]),
    )
    report = run.go()
    assert not [act for act in run.till.acts if act.startswith("send") or act == "surely"]
    assert (report.only_reads, report.pushed.waiting, report.end) == (True, 3, SyncEnd.DONE)


def test_an_edit_that_was_on_its_way_when_the_program_ended_is_sent_again() -> None:
    run = Run(edits=Edits({1: edit(1, EditState.SENDING)}))
    assert run.go().pushed.sent == 1


@pytest.mark.parametrize("versions", [True, False])
def test_what_is_sent_is_on_condition_where_the_platform_numbers_its_versions(
    versions: bool,
) -> None:
    run = Run(edits=of_edits(1), stores=Stores([store_edit()]))
    run.memory.now = replace(KNOWN, versions=versions)
    run.go()
    assert run.till.sent_with == [(versions, set()), (versions, ())]


def test_a_run_that_finds_changes_between_its_edits_does_not_say_that_nothing_changed() -> None:
    run = Run(Till(ends=[PushEnd.STALE]), edits=of_edits(1))
    answers = [None, KNOWN]
    run.till.products = lambda known, *, is_first: answers.pop(0)  # type: ignore[method-assign]
    assert not run.go().is_unchanged


# --- which list is asked for, and what is remembered ---------------------------------------------


def test_a_first_list_is_one_before_which_no_product_came_from_a_list() -> None:
    run = Run(Till(answer=KnownList("e", "", versions=True), span=("1", "2"), is_first=True))
    run.memory.now, run.memory.digest = KnownList(), ""
    run.go()
    assert run.till.asked == [(KnownList(), True)]
    how = {"whole": True, "joins": True, "sends": True, "accept_removals": False}
    assert run.till.written == [(platform_run.SmallLists(), how)]
    assert run.memory == Memory(KnownList("e", "2", versions=True), DIGEST, ["answered"])


def test_a_demo_has_nothing_of_its_own_that_joins() -> None:
    run = Run(Till(answer=KNOWN), Memory(digest=""), is_demo=True)
    run.go()
    ((_, how),) = run.till.written
    assert (how["joins"], how["sends"]) == (False, True)


def test_small_lists_are_written_alone_where_only_they_changed() -> None:
    there = platform_run.SmallLists(units=(Unit(id="u", name="комад", symbol="ком"),))
    run = Run(Till(there=there), Memory(digest="another"))
    run.go()
    how = {"whole": False, "joins": False, "sends": True, "accept_removals": False}
    assert run.till.written == [(there, how)]
    assert run.memory.digest == DIGEST


def test_a_store_that_waits_is_compared_with_the_platforms_though_nothing_is_new() -> None:
    one, other = Store(id="1", name="Липа"), Store(id="2", name="Бор")
    till = Till(parts_there={}, there=platform_run.SmallLists(stores=(one, other)))
    run = Run(till, Memory(digest=platform_run.digest_of({"store": "2"})), store_id="2")
    run.go()
    assert not till.written
    run.stores.edits = [store_edit()]
    run.go()
    assert [small.stores for small, _ in till.written] == [(other, one)]


def test_a_unit_with_another_name_needs_the_whole_list() -> None:
    new, old = (Unit(id="u", name=name, symbol="ком") for name in ("комад", "komad"))
    run = Run(
        Till(there=platform_run.SmallLists(units=(new,)), units_here={"u": old}), Memory(digest="")
    )
    run.go()
    assert run.till.asked == [(replace(KNOWN, etag="", since=""), False)]
    assert platform_run.renames_units({"u": old}, (new,))
    assert not platform_run.renames_units({"u": old}, (old,))
    assert not platform_run.renames_units({}, (new,))
    assert not platform_run.renames_units({"u": old}, None)


def test_an_earlier_download_is_taken_in_before_anything_is_asked() -> None:
    run = Run(Till(downloaded=KNOWN, span=("2026-11-20", "2026-11-21")))
    run.go()
    assert run.till.acts[:3] == ["write", "discard", "parts"]
    assert run.till.asked[0][0].since == "2026-11-21"


def test_a_list_that_is_none_is_thrown_away_and_asked_for_again() -> None:
    run = Run(Till(answer=KNOWN, broken=errors.Invalid(what="it has no end.")))
    with pytest.raises(errors.Invalid, match=r"The platform's list can't be used: it has no end\."):
        run.go()
    assert run.till.acts == ["parts", "list", "discard"]
    assert (run.memory.now, run.memory.ends) == (KNOWN, [errors.Invalid(what="x").code])


def test_what_a_person_accepts_goes_though_the_list_is_the_same() -> None:
    assert Run().go(accept_removals=True).brought.removed == 4
    waits = Run(Till(waits=3)).go()
    assert (waits.brought.held_back, waits.end) == (3, SyncEnd.WAITING)


def test_a_digest_is_another_one_for_each_other_text() -> None:
    told = [{}, {"a": "b"}, {"a": "c"}, {"ab": ""}, {"a": "", "b": ""}]
    assert len({platform_run.digest_of(one) for one in told}) == len(told)


# --- what a person is asked, and what counts as heard --------------------------------------------


def question(**fields: Any) -> joining.JoiningQuestion:
    return joining.JoiningQuestion(**{"url": "https://there", "key": "pk_1", "at": NOW, **fields})


def test_a_person_is_asked_before_anything_is_taken_or_sent() -> None:
    run = Run(Till(answer=KNOWN), notes=Notes(joining.NOTHING_SAID, elsewhere=3), edits=of_edits(1))
    report = run.go()
    asked = question(listed=2, to_send=3)
    assert (report.asked, report.end) == (asked, SyncEnd.WAITING)
    assert run.till.acts == ["parts", "list", "discard"]
    assert run.till.asked == [(KnownList(), False)]
    assert (run.notes.noted, run.memory.ends) == ([asked, ("setting", None)], [])


def test_an_open_question_is_counted_anew_and_asks_the_platform_nothing() -> None:
    before = question(
        to_send=3, at=NOW - joining.ASK_AGAIN / 2, changes=joining.OpenChanges(stores=1)
    )
    run = Run(
        notes=Notes(
            joining.Joining(before, None), elsewhere=3, open_changes=joining.OpenChanges(waiting=2)
        )
    )
    now = replace(before, changes=joining.OpenChanges(waiting=2, stores=1))
    assert run.go().asked == now
    assert (run.till.acts, run.notes.noted) == ([], [now, ("setting", None)])


@pytest.mark.parametrize(
    ("join", "setting", "said"),
    [
        (SEND, None, joining.NewAnswer(SEND, joining.BY_COMMAND)),
        (None, SEND, joining.NewAnswer(SEND, joining.BY_SETTING)),
        (READ, SEND, joining.NewAnswer(READ, joining.BY_COMMAND)),
    ],
)
def test_what_is_said_is_noted_and_told(
    join: joining.JoiningAnswer | None,
    setting: joining.JoiningAnswer | None,
    said: joining.NewAnswer,
) -> None:
    run = Run(notes=Notes(joining.NOTHING_SAID, elsewhere=3), setting=setting)
    report = run.go(join=join)
    assert (report.new_answer, run.notes.noted) == (said, [said, ("setting", setting)])
    assert report.only_reads is (said.answer is READ)


def test_an_answer_may_change_which_list_is_asked_for() -> None:
    run = Run(notes=Notes(joining.NOTHING_SAID, elsewhere=3))

    def keep_answer(said: joining.NewAnswer, *, at: datetime) -> None:
        run.memory.now = KnownList()

    run.notes.keep_answer = keep_answer  # type: ignore[method-assign]
    run.go(join=SEND)
    assert run.till.asked == [(KnownList(), False)]


def test_the_answer_under_another_key_of_the_account_is_carried_over() -> None:
    run = Run(
        Till(answer=KNOWN), notes=Notes(joining.NOTHING_SAID, elsewhere=3, known_account=READ)
    )
    report = run.go()
    assert (report.only_reads, run.notes.noted) == (True, [READ, ("setting", None)])


def test_a_setting_is_not_heard_where_the_platform_did_not_answer() -> None:
    run = Run(notes=Notes(joining.NOTHING_SAID, elsewhere=3))

    def refuses(*_: Any, **__: Any) -> None:
        raise errors.Refused(what="no")

    run.till.products = refuses  # type: ignore[method-assign]
    with pytest.raises(errors.Refused):
        run.go()
    assert (run.notes.noted, run.memory.ends) == ([], [errors.Refused(what="no").code])


def test_an_answer_in_a_demo_is_unheard() -> None:
    assert Run(is_demo=True).go(join=READ).is_unheard
    assert not Run(is_demo=True).go().is_unheard


# --- what only this till has ---------------------------------------------------------------------


def test_a_category_with_the_same_word_is_named_as_there_before_the_list_comes() -> None:
    ours, theirs = (Category(id=one, name="Пића", position=1) for one in ("ours", "theirs"))
    till = Till(
        there=platform_run.SmallLists(categories=(theirs,)), own={NameKind.CATEGORY: (ours,)}
    )
    run = Run(till, edits=of_edits(1))
    run.go()
    assert till.acts[:3] == ["parts", "name {'ours': 'theirs'}", "list"]


@pytest.mark.parametrize(
    ("digest", "answer", "joins"), [("", SEND, True), (DIGEST, SEND, False), (DIGEST, READ, True)]
)
def test_names_of_what_came_from_elsewhere_count_while_it_joins_or_stays_apart(
    digest: str, answer: joining.JoiningAnswer, joins: bool
) -> None:
    run = Run(
        memory=Memory(digest=digest), notes=Notes(joining.Joining(None, answer)), edits=of_edits(1)
    )
    run.go()
    assert run.till.joined == [joins, joins]


def test_an_edit_is_sent_with_what_the_platform_did_not_let_this_till_make() -> None:
    own = Category(id="ours", name="Пића", position=1)
    till = Till(there=platform_run.SmallLists(categories=()), own={NameKind.CATEGORY: (own,)})
    till.add_name = lambda ours: "no"  # type: ignore[method-assign]
    Run(till, edits=of_edits(1)).go()
    assert till.sent_with == [(False, {"ours"})]


def drinks(number: int) -> Category:
    return Category(id=f"{number}", name=f"Пића {number}", position=1)


def lost(ours: Named) -> Named | str:
    raise errors.OutcomeUnknown(what=f"no answer about {ours.id}")


@pytest.mark.parametrize(
    ("made", "makes", "listed", "unmade"),
    [
        (lambda ours: replace(ours, id=f"there {ours.id}"), True, ["there 1", "there 2"], {}),
        (lambda ours: "no", True, ["1", "2"], {"1": "no", "2": "no"}),
        (lambda ours: "no", False, ["1", "2"], {"1": "", "2": ""}),
        (lost, True, ["1", "2"], {"1": "", "2": ""}),
    ],
)
def test_what_only_this_till_has_is_made_there(
    made: Callable[[Named], Named | str], makes: bool, listed: list[str], unmade: dict[str, str]
) -> None:
    till, tried = Till(own={NameKind.CATEGORY: (drinks(1), drinks(2))}), []

    def make(ours: Named) -> Named | str:
        tried.append(ours.id)
        return made(ours)

    till.add_name = make  # type: ignore[method-assign]
    names = OwnNames(till, joins=False, makes=makes)
    _, categories = names.settle((), ())
    assert [one.id for one in categories or ()] == listed
    assert {key: one.why for key, one in names.unmade.items()} == unmade
    assert {one.fault is not None for one in names.unmade.values()} <= {made is lost}
    assert tried == ([] if not makes else ["1"] if made is lost else ["1", "2"])


def test_what_was_lost_before_is_tried_again_with_the_next_lists() -> None:
    till = Till(own={NameKind.CATEGORY: (drinks(1),)})
    till.add_name = lost  # type: ignore[method-assign]
    names = OwnNames(till, joins=False, makes=True)
    names.settle((), ())
    till.add_name = lambda ours: replace(ours, id="there")  # type: ignore[method-assign]
    _, categories = names.settle((), ())
    assert (categories, names.unmade) == ((replace(drinks(1), id="there"),), {})


def test_a_platform_without_such_a_list_takes_any_uuid() -> None:
    known = "5d2c1f0a-1f2e-4f57-9c53-3d5a7f0b8e11"
    own = (drinks(1), replace(drinks(2), id=known))
    till = Till(own={NameKind.CATEGORY: own})
    assert OwnNames(till, joins=False, makes=True).settle((), None) == ((), None)
    assert till.acts == [f"name {{'1': '{taken_anywhere('1')}'}}"]
