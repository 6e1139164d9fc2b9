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
from pos_app.selling.synchronisation.catalogue_edits import EditSide, FieldConflict

FIELDS = tuple(field.name for field in fields(Store) if field.name != "id")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreEdit:
    """base: the store before the change. ours: the changed store, as the till uses it.

    theirs: the store in the platform's last list. error: the reason of the platform's refusal;
    error_field: the wrong member, if it named one. at: the time of the last change, UTC.
    """

    base: Store
    ours: Store
    theirs: Store
    by: str
    at: datetime
    error: str = ""
    error_field: str = ""

    @property
    def changed(self) -> tuple[str, ...]:
        return differing(self.base, self.ours)

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
    before: StoreEdit | None, old: Store, new: Store, *, by: str, at: datetime
) -> StoreEdit | None:
    """The change after a manager turned store `old` into `new`, or None if nothing is left to
    send."""
    if before is None:
        edit = StoreEdit(base=old, ours=new, theirs=old, by=by, at=at)
    else:
        edit = replace(before, ours=new, by=by, at=at, error="", error_field="")
    return edit if edit.changed else None


def met(edit: StoreEdit, theirs: Store) -> StoreEdit | None:
    """Compare a change with the platform's present store; return None where nothing is left to be
    sent.

    | base | ours | theirs | becomes                       |
    | A    | A    | B      | theirs counts                 |
    | A    | B    | A      | still to be sent              |
    | A    | B    | B      | done                          |
    | A    | B    | C      | a conflict: a person decides  |
    """
    ours, base = {}, {}
    for name in FIELDS:
        was, here, there = (getattr(one, name) for one in (edit.base, edit.ours, theirs))
        if here in (was, there):
            ours[name] = base[name] = there
    new = replace(
        edit, base=replace(edit.base, **base), ours=replace(edit.ours, **ours), theirs=theirs
    )
    return new if new.changed else None


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
    return new if new.changed else None


def taken(edit: StoreEdit, *, sent: StoreEdit, answered: Store) -> StoreEdit | None:
    """The rest of a change that the platform took as it was `sent`, or None.

    edit: the present one, because a manager may have continued meanwhile.
    """
    return met(replace(edit, base=sent.ours), answered)


def differing(store: Store, other: Store) -> tuple[str, ...]:
    return tuple(name for name in FIELDS if getattr(store, name) != getattr(other, name))
