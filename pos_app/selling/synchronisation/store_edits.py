"""The change of a store that its platform does not have yet: the fields to be sent, and those that
both sides changed.

There is one such change for each store: a later one joins it. Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime

from pos_app.domain.article.store import Store
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.catalogue_edits import LOST_FIELD, EditSide, FieldConflict

FIELDS = tuple(field.name for field in fields(Store) if field.name != "id")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreEdit:
    """base: the store before the change. ours: the changed store, as the till uses it.

    theirs: the store in the platform's last list. error: the reason of the platform's refusal;
    error_field: the wrong member, if it named one. sent: the store as it was sent to the platform
    without a clear answer. at: the time of the last change, UTC.
    """

    base: Store
    ours: Store
    theirs: Store
    by: str
    at: datetime
    error: str = ""
    error_field: str = ""
    sent: Store | None = None

    @property
    def was_lost(self) -> bool:
        """Whether the platform had it, until it was put back from an older copy. Its base is what
        the platform had."""
        return self.error_field == LOST_FIELD

    @property
    def changed(self) -> tuple[str, ...]:
        return differing(self.theirs if self.was_lost else self.base, self.ours)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The fields that the platform does not have as they shall be, or may not have so."""
        on_way = () if self.sent is None else differing(self.sent, self.ours)
        return tuple(name for name in FIELDS if name in self.changed or name in on_way)

    @property
    def conflicts(self) -> tuple[FieldConflict, ...]:
        """The fields that both sides changed: a person decides."""
        return tuple(
            FieldConflict(
                name, *(getattr(one, name) for one in (self.base, self.ours, self.theirs))
            )
            for name in self.changed
            if name in differing(self.base, self.theirs)
        )

    @property
    def is_ready(self) -> bool:
        return bool(self.changed) and not self.needs_person

    @property
    def needs_person(self) -> bool:
        """Whether somebody must decide before the change is sent: both sides changed a field, or
        the platform refused the change."""
        return bool(self.conflicts or self.error)


def changed_here(
    before: StoreEdit | None,
    old: Store,
    new: Store,
    *,
    by: str,
    at: datetime,
    was_sent: bool = False,
) -> StoreEdit | None:
    """The change after a manager turned store `old` into `new`, or None if nothing is left to send,
    and nothing is on its way. was_sent: the platform was asked for this change, and may have made
    it."""
    if before is None:
        edit = StoreEdit(base=old, ours=new, theirs=old, by=by, at=at)
    else:
        field = LOST_FIELD if before.was_lost else ""
        edit = replace(before, ours=new, by=by, at=at, error="", error_field=field)
    if was_sent:
        edit = replace(edit, sent=new)
    return _unless_done(edit)


def _unless_done(edit: StoreEdit) -> StoreEdit | None:
    return edit if edit.waiting else None


def met(edit: StoreEdit, theirs: Store) -> StoreEdit | None:
    """Compare a change with the platform's present store; return None where nothing is left to be
    sent.

    | base | sent | ours | theirs | becomes                       |
    | A    |      | A    | B      | theirs counts                 |
    | A    |      | B    | A      | still to be sent              |
    | A    |      | B    | B      | done                          |
    | A    |      | B    | C      | a conflict: a person decides  |
    | A    | B    | A    | A      | done                          |
    | A    | B    | A    | B      | still to be sent              |
    | A    | B    | A    | C      | theirs counts                 |
    | A    | B    | C    | B      | still to be sent              |

    A field that is in conflict stays so until a person decides or both are equal: where the
    platform has the base again, the base becomes what it had between.
    """
    ours, base, asked = {}, {}, {one.field for one in edit.conflicts}
    for name in FIELDS:
        was, here, there = (getattr(one, name) for one in (edit.base, edit.ours, theirs))
        if edit.sent is not None and getattr(edit.sent, name) == there:
            base[name] = was = there
        elif name in asked and was == there and here != getattr(edit.theirs, name):
            base[name] = was = getattr(edit.theirs, name)
        if here == there or (here == was and not edit.was_lost):
            ours[name] = base[name] = there
    new = replace(
        edit,
        base=replace(edit.base, **base),
        ours=replace(edit.ours, **ours),
        theirs=theirs,
        sent=None,
    )
    return _unless_done(new)


def decided(edit: StoreEdit, sides: Mapping[str, EditSide]) -> StoreEdit | None:
    """A change after a person's answers: a field with our value is based on the platform's present
    value; a field with the platform's value is dropped.

    It is None where nothing is left to be sent. Raises Invalid for a field that is not in conflict.
    """
    if unknown := set(sides) - {one.field for one in edit.conflicts}:
        raise Invalid("no_conflict", field=min(unknown))
    theirs = {name: getattr(edit.theirs, name) for name in sides}
    ours = {name: theirs[name] for name, side in sides.items() if side is EditSide.THEIRS}
    new = replace(edit, base=replace(edit.base, **theirs), ours=replace(edit.ours, **ours))
    if new.was_lost and not new.conflicts:
        new = replace(new, error_field="")
    return new if new.changed else None


def taken(edit: StoreEdit, *, sent: StoreEdit, answered: Store) -> StoreEdit | None:
    """The rest of a change that the platform took as it was `sent`, or None.

    edit: the present one, because a manager may have continued meanwhile.
    """
    return met(replace(edit, base=sent.ours, theirs=sent.ours), answered)


def not_taken(edit: StoreEdit, *, sent: StoreEdit, why: str, field: str) -> StoreEdit | None:
    """A change that the platform surely did not make as it was `sent`, or None where nothing is
    left to be sent. why: the reason of a refusal, which a later change here answers."""
    if edit == sent:
        edit = replace(edit, error=why, error_field=field)
    return _unless_done(replace(edit, sent=None))


def withdrawn(edit: StoreEdit) -> StoreEdit | None:
    """A change that a person gave up, so that the platform's values count: it takes back what is
    on its way."""
    there = edit.theirs
    return _unless_done(replace(edit, base=there, ours=there, error="", error_field=""))


def differing(store: Store, other: Store) -> tuple[str, ...]:
    return tuple(name for name in FIELDS if getattr(store, name) != getattr(other, name))
