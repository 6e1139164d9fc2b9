"""The change of a unit or category that its platform does not have yet.

There is one such change for each unit and category: a later one joins it. Additions go to the
platform as those entries do that only this till has (`own_names`). Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from pos_app.domain.article.name_words import twin_of
from pos_app.domain.article.product import Unit
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.catalogue_edits import LOST_FIELD, EditSide
from pos_app.selling.synchronisation.own_names import Named, NameKind
from pos_app.selling.synchronisation.run import PushAnswer, PushCount, PushEnd

POSITION = "position"
IN_USE = "in_use"
"""The reason, in place of words of the platform, why a deletion did not stay: articles have it."""
REMEMBERED = timedelta(days=30)
"""The time in which the undoing of a deletion is told. A later entry of that name is a new wish."""


@dataclass(frozen=True, slots=True)
class OnWay:
    """What was sent to the platform, and has no known outcome: a unit or category as it shall be
    there, or None for its deletion."""

    named: Named | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NameEdit:
    """base: the unit or category before the change, None where it was made here. ours: as the till
    uses it, None where it is deleted here. theirs: as the platform listed it last, None where it
    does not list it.

    error: the reason of the platform's refusal, or `IN_USE`; error_field: the wrong member, if the
    platform named one. A deletion that has such a reason is not in force here.
    stays: the platform has no such list, or can't make this change, which is kept here alone.
    on_way: what was sent, until a list or an answer tells its outcome. at: the time of the last
    change, UTC.

    A deletion that is done has no ours, theirs or on_way. It is remembered, because another till
    that did not know of it may bring the entry back.
    """

    kind: NameKind
    id: str
    base: Named | None
    ours: Named | None
    theirs: Named | None
    by: str
    at: datetime
    error: str = ""
    error_field: str = ""
    stays: bool = False
    on_way: OnWay | None = None

    @property
    def is_deletion(self) -> bool:
        """Whether it is a deletion that is in force here."""
        return self.ours is None and not self.error

    @property
    def is_addition(self) -> bool:
        return self.base is None

    @property
    def is_unanswered(self) -> bool:
        """Whether an addition was sent and not answered, and was changed or deleted here since, so
        that nobody knows yet by which id the platform has it."""
        on_way = None if self.on_way is None else self.on_way.named
        return on_way is not None and self.theirs is None and self.ours != on_way

    @property
    def was_lost(self) -> bool:
        """Whether the platform had it, until it was put back from an older copy. Its base is what
        the platform had, or None where it has no such entry now."""
        return self.error_field == LOST_FIELD

    @property
    def has_conflict(self) -> bool:
        """Whether both sides changed the same, so that a person decides."""
        return self.was_lost or bool(_in_conflict(self))

    @property
    def needs_person(self) -> bool:
        """Whether somebody must decide before the change is sent."""
        return bool(self.error) or self.has_conflict

    @property
    def is_ready(self) -> bool:
        return not (self.needs_person or self.stays)

    @property
    def changed(self) -> frozenset[str]:
        """The fields of ours to be sent, where both sides have it."""
        if self.base is None or self.ours is None:
            return frozenset()
        return _changed(self.base, self.ours)


def changed_here(
    before: NameEdit | None, old: Named | None, new: Named | None, *, by: str, at: datetime
) -> NameEdit | None:
    """The change after a manager turned `old` into `new`, or None if nothing is left to send. old:
    None for a new entry. new: None for one that is deleted. One of them is an entry."""
    if before is not None:
        field = LOST_FIELD if before.was_lost else ""
        edit = replace(before, ours=new, by=by, at=at, error="", error_field=field, stays=False)
        return _unless_done(edit)
    one = new or old
    assert one is not None
    kind = kind_of(one)
    return NameEdit(kind=kind, id=one.id, base=old, ours=new, theirs=old, by=by, at=at)


def _unless_done(edit: NameEdit) -> NameEdit | None:
    """The change, or None where it leads back to what it is based on. While another state is on its
    way, leading back is a change of that one."""
    if edit.ours != edit.base:
        return edit
    return None if edit.on_way is None else replace(edit, base=edit.on_way.named)


def met(edit: NameEdit, theirs: Named | None) -> NameEdit | None:
    """Compare a change with the platform's list; return None where nothing is left to be sent, or
    to be remembered.

    theirs: as the platform lists it, None where it does not.

    | base | ours | theirs | becomes                                            |
    | A    | B    | A      | still to be sent                                   |
    | A    | B    | B      | done                                               |
    | A    | B    | C      | a conflict, where both changed the same field      |
    | A    | B    | –      | an addition; done, if only the position differs    |
    | A    | –    | A      | still to be deleted there                          |
    | A    | –    | –      | done, and remembered                               |
    | A    | –    | C      | a conflict                                         |
    | –    | B    | –      | still to be added                                  |
    | –    | B    | C      | done: it is the platform's                         |

    An addition without an answer that was changed here since stays as it is, until the platform
    says by which id it has it. What the platform lists and can't change stays a change of this
    till alone. A field that is in conflict stays so until a person decides or both are equal: where
    the platform has the base again, the base becomes what it had between.
    """
    if edit.is_unanswered and theirs is None:
        return edit  # its addition is repeated first, under the same key
    if edit.ours == theirs or (edit.base is None and theirs is not None):
        return _over(edit)
    edit = replace(edit, stays=edit.stays and theirs is not None, on_way=None)
    if edit.base is None:
        return replace(edit, theirs=None)
    if theirs is None:
        if edit.changed == {POSITION}:
            return None
        return replace(edit, base=None, theirs=None, error="", error_field="")
    base = known = _base_in_conflict(edit, edit.base, theirs)
    if edit.ours is None:
        return replace(edit, base=base, theirs=theirs)
    ours = edit.ours
    for field in _FIELDS[edit.kind]:
        was, here, there = (getattr(one, field) for one in (known, edit.ours, theirs))
        if here in (was, there) or field == POSITION:
            base = replace(base, **{field: there})
            if here == was:
                ours = replace(ours, **{field: there})
    new = replace(edit, base=base, ours=ours, theirs=theirs)
    return None if new.ours == theirs else new


def _in_conflict(edit: NameEdit) -> frozenset[str]:
    """The fields that both sides changed; of a deletion those that the platform changed."""
    if edit.base is None or edit.theirs is None:
        return frozenset()
    theirs = _changed(edit.base, edit.theirs)
    if edit.ours is None:
        return theirs - {POSITION}
    return theirs & _changed(edit.base, edit.ours) & _changed(edit.ours, edit.theirs)


def _base_in_conflict(edit: NameEdit, base: Named, theirs: Named) -> Named:
    for field in _in_conflict(edit) - _changed(base, theirs) - {POSITION}:
        base = replace(base, **{field: getattr(edit.theirs, field)})
    return base


def lost(done: NameEdit, ours: Named | None, theirs: Named | None) -> NameEdit | None:
    """The change that a person is asked about where a platform that was put back has this in place
    of ours, which it had; None where both are the same. done: the last change of it here."""
    if ours == theirs:
        return None
    base = None if theirs is None else ours
    return replace(done, base=base, ours=ours, theirs=theirs, error_field=LOST_FIELD)


def _over(edit: NameEdit) -> NameEdit | None:
    """The rest of a change that the platform has: of a deletion its memory."""
    if edit.ours is not None:
        return None
    return replace(edit, theirs=None, on_way=None, error="", error_field="", stays=False)


def not_made(edit: NameEdit) -> NameEdit | None:
    """The rest of an addition that had no answer, where the platform does not have it, or nobody
    can find out whether it has."""
    return _over(edit) if edit.ours is None else replace(edit, base=None, on_way=None)


def remembered(
    done: NameEdit, here: Iterable[Named], listed: Sequence[Named], *, at: datetime
) -> NameEdit | None:
    """A deletion that is done, with a list; the change that a person is told of where another side
    brought the entry back, under whatever id. It is None once it is forgotten: later, or where
    the entry was made here again. here: the entries of this till, before the list is taken in."""
    gone = done.base
    if at - done.at > REMEMBERED or (gone and twin_of(gone, here, "symbol", "name")):
        return None
    back = gone and twin_of(gone, listed, "symbol", "name")
    if back is None:
        return done
    return replace(done, id=back.id, base=back, theirs=back, error=IN_USE)


def shown_with(edit: NameEdit, listed: Sequence[Named]) -> list[Named]:
    """A platform's list with a change that it does not have yet."""
    if edit.ours is None and not edit.is_deletion:
        return list(listed)
    if edit.ours is None:
        return [one for one in listed if one.id != edit.id]
    return [edit.ours if one.id == edit.id else one for one in listed]


def decided(edit: NameEdit, side: EditSide) -> NameEdit | None:
    """A change after a person's answer: ours is based on the platform's present one, and is sent
    again; with theirs the change ends, or takes back what is on its way."""
    if side is EditSide.THEIRS:
        if edit.on_way is None or edit.on_way.named == edit.theirs:
            return None
        return replace(edit, ours=edit.theirs, base=edit.on_way.named, error="", error_field="")
    return replace(edit, base=edit.theirs, error="", error_field="", stays=False)


def kind_of(named: Named) -> NameKind:
    return NameKind.UNIT if isinstance(named, Unit) else NameKind.CATEGORY


_FIELDS = {NameKind.UNIT: ("name", "symbol", POSITION), NameKind.CATEGORY: ("name", POSITION)}


def _changed(named: Named, other: Named) -> frozenset[str]:
    fields = _FIELDS[kind_of(named)]
    return frozenset(one for one in fields if getattr(named, one) != getattr(other, one))


# --- on the way to the platform ------------------------------------------------------------------


class NameEditQueue(Protocol):
    """The changes of units and categories that the platform does not have yet, each move
    committed."""

    def open_edits(self) -> Sequence[NameEdit]: ...

    def is_named(self, edit: NameEdit) -> bool:
        """Whether a change of an article that the platform does not have yet names this unit or
        category, before it or after."""

    def begin(self, edit: NameEdit) -> NameEdit | None:
        """Note that a change is on its way, and return it so. It returns None where somebody
        changed it meanwhile: the next run sends that."""

    def take(self, sent: NameEdit, *, position: int | None = None) -> None:
        """Note that the platform took the change. position: the one that it kept in place of the
        sent one: the order is then of this till alone."""

    def take_back(self, edit: NameEdit) -> None:
        """Note that the platform does not have an addition that had no answer, or that nobody can
        find out whether it has."""

    def keep_here(self, sent: NameEdit) -> None:
        """Note that the platform can't make the change, which stays here alone."""

    def refuse(self, sent: NameEdit, *, why: str, field: str) -> None:
        """Note that the platform refused the change, which then waits for a person."""


def push_names(
    queue: NameEditQueue,
    send: Callable[[NameEdit], PushAnswer],
    edits: Iterable[NameEdit],
    *,
    pushed: PushCount,
) -> PushCount:
    """Send these changes, until one is not answered. A change without an answer is not sent again
    in this run: the next run's list shows its outcome. pushed: the counts so far, returned with
    what was sent."""
    for edit in filter(None, map(queue.begin, edits)):
        answer = send(edit)
        if answer.end is PushEnd.TAKEN:
            old = edit.base if answer.field == POSITION else None
            queue.take(edit, position=None if old is None else old.position)
            pushed = replace(pushed, sent=pushed.sent + 1)
        elif answer.end in (PushEnd.REFUSED, PushEnd.DUPLICATE):
            queue.refuse(edit, why=answer.why, field=answer.field)
        elif answer.end is PushEnd.GONE:
            queue.keep_here(edit)
        elif answer.fault is not None:
            return replace(pushed, fault=pushed.fault or answer.fault)
    return pushed


def with_names(pushed: PushCount, edits: Iterable[NameEdit]) -> PushCount:
    """Add these changes, which are still open, to the counts."""
    refused = both = waiting = 0
    for edit in edits:
        refused += bool(edit.error)
        both += edit.has_conflict and not edit.error
        waiting += edit.is_ready
    return replace(
        pushed,
        refused=pushed.refused + refused,
        conflicts=pushed.conflicts + both,
        waiting=pushed.waiting + waiting,
    )
