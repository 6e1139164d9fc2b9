"""Units and categories that a shop had before its platform are matched with the platform's units
and categories.

A shop that begins from a file, or from the usual units, has ids that no platform knows. They match
by the same word: a unit's symbol or name, a category's name. Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol
from uuid import UUID, uuid4, uuid5

from pos_app.domain.article.name_words import compared_word
from pos_app.domain.article.product import Category, Product, ProductFields, Unit
from pos_app.domain.receipt.units import unit_word
from pos_app.errors import OutcomeUnknown, PosError
from pos_app.lazy_dataclass import dataclass

_IDS = UUID("c3a6f0de-0b1c-5c34-8f4b-0c6b8f7f3f0d")
"""The namespace of ids that replace those that no platform takes."""


class NameKind(StrEnum):
    UNIT = "unit"
    CATEGORY = "category"


Named = Unit | Category


def same_named(ours: Iterable[Named], theirs: Sequence[Named]) -> dict[str, str]:
    """The platform's ids of matching entries, by the ids of ours.

    | ours           | theirs                       | it is              |
    | ком, комад     | kom, komad                   | the same           |
    | kg, килограм   | кг., килограм                | the same, by symbol |
    | пак, паковање  | pak., kutija                 | the same, by symbol |
    | h, сат         | час, sat                     | the same, by name  |
    | kg, килограм   | kgr, кило                    | the same unit, otherwise spelled |
    | пар, пар       | –                            | to be made         |
    """
    words: dict[str, str] = {}
    for of_all in range(3):  # a symbol says more than a name, and that than another spelling
        for one in theirs:
            parts = _words(one)[of_all:]
            if parts and parts[0]:
                words.setdefault(parts[0], one.id)
    found = {}
    for one in ours:
        same = next((words[word] for word in _words(one) if word in words), None)
        if same is not None:
            found[one.id] = same
    return found


def _words(named: Named) -> tuple[str, ...]:
    name = compared_word(named, "name")
    if not isinstance(named, Unit):
        return (name,)
    return compared_word(named, "symbol"), name, unit_word(named.symbol)


def is_respelled(old: Unit | None, new: Unit) -> bool:
    """Whether articles are to be written anew, because a unit has other words."""
    return old is None or (old.name, old.symbol) != (new.name, new.symbol)


def taken_anywhere(own_id: str) -> str:
    """Return a uuid for our unit or category, for a platform that has no such list."""
    return str(UUID(own_id)) if is_uuid(own_id) else str(uuid5(_IDS, own_id))


def is_uuid(id_text: str) -> bool:
    """Whether an id is a UUID, which one source alone has. Any other id, such as a number, many
    sources have."""
    try:
        UUID(id_text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Unmade:
    """A unit or category that the platform lacks and does not let this till make. why: the
    platform's words. fault: the reason why it is unknown whether it was made; the platform's next
    lists show it."""

    kind: NameKind
    name: str
    why: str
    fault: PosError | None = None


class NamesPort(Protocol):
    """Units and categories of the catalogue and of the platform."""

    def own_names(self, kind: NameKind, listed: Collection[str], *, joins: bool) -> Sequence[Named]:
        """Unlisted names that an edit to be sent uses. joins: articles from elsewhere count too."""

    def name_as_there(
        self, kind: NameKind, ids: Mapping[str, str], theirs: Sequence[Named]
    ) -> None:
        """Replace our ids in the catalogue by the platform's ids. ids: theirs by ours."""

    def add_name(self, ours: Named) -> Named | str:
        """Make a unit or category on the platform; return what the platform made, or its reason for
        refusing. A platform that keeps its answers makes it once, however often it is asked within
        a day. Raises NotDelivered, OutcomeUnknown, Refused."""


class OwnNames:
    """Units and categories that only this till has and that an edit to be sent uses: they are
    matched with the platform's by their words, else made there.

    joins: articles from elsewhere count too. makes: missing ones are made there. brings: articles
    from elsewhere are sent; else names that they alone use are kept here. is_first: no list
    of this platform was ever imported, so that all entries here are of other sources, and an equal
    id says nothing.
    """

    def __init__(
        self,
        port: NamesPort,
        *,
        joins: bool,
        makes: bool,
        brings: bool = True,
        is_first: bool = False,
    ) -> None:
        self._port = port
        self._joins = joins
        self._makes = makes
        self._brings = brings
        self._is_first = is_first
        self.unmade: dict[str, Unmade] = {}
        """The units and categories that could not be made, by their ids here."""
        self._fault: OutcomeUnknown | None = None

    def settle(
        self, units: Sequence[Unit] | None, categories: Sequence[Category] | None
    ) -> tuple[Sequence[Unit] | None, Sequence[Category] | None]:
        """Let all edits to be sent use the platform's ids. Return the lists with the entries made
        there.

        After an entry without an answer no more are made: the next lists show whether it was made.
        Raises NotDelivered, Refused where the platform can't be asked now.
        """
        self.unmade = {}
        self._fault = None
        of_units = self._settle(NameKind.UNIT, units)
        of_categories = self._settle(NameKind.CATEGORY, categories)
        return (
            None if of_units is None else tuple(one for one in of_units if isinstance(one, Unit)),
            None
            if of_categories is None
            else tuple(one for one in of_categories if isinstance(one, Category)),
        )

    def _settle(self, kind: NameKind, listed: Sequence[Named] | None) -> Sequence[Named] | None:
        known = [one.id for one in listed or () if not self._is_first or is_uuid(one.id)]
        own = self._port.own_names(kind, known, joins=self._joins)
        if self._is_first and listed is not None:
            own = self._make_way(kind, own)
        if listed is None:  # the platform lists none, and takes any uuid
            named = {one.id: taken_anywhere(one.id) for one in own}
            ids = {ours: theirs for ours, theirs in named.items() if ours != theirs}
            theirs = [replace(one, id=named[one.id]) for one in own]
        else:
            ids = same_named(own, listed)
            theirs = list(listed)
            going, just_made = self._going(kind, known, own), list[Named]()
            for one in own:
                ids = same_named([one], just_made) | ids  # of two here, one is made there
                if one.id in ids:
                    continue
                if one.id not in going:
                    theirs.append(one)
                elif (made := self._make(kind, one)) is not None:
                    ids[one.id] = made.id
                    theirs.append(made)
                    just_made.append(made)
        if ids:
            self._port.name_as_there(kind, ids, theirs)
        if listed is None:
            return None
        return [*theirs, *(one for one in own if one.id in self.unmade)]

    def _going(self, kind: NameKind, known: Collection[str], own: Sequence[Named]) -> set[str]:
        """Return the ids of our entries that something to be sent uses."""
        if not self._brings:
            own = self._port.own_names(kind, known, joins=False)
        return {one.id for one in own}

    def _make_way(self, kind: NameKind, own: Sequence[Named]) -> Sequence[Named]:
        """Give new ids to our entries that have an id that this platform, or the list of another
        source, may give to another entry; return all with their ids."""
        ids = {one.id: str(uuid4()) for one in own if not is_uuid(one.id)}
        own = [replace(one, id=ids.get(one.id, one.id)) for one in own]
        if ids:
            self._port.name_as_there(kind, ids, own)
        return own

    def _make(self, kind: NameKind, ours: Named) -> Named | None:
        """Make a unit or category on the platform; return None if the platform refuses or does not
        answer, or if nothing is sent there."""
        if not self._makes or self._fault is not None:
            self.unmade[ours.id] = Unmade(kind, ours.name, "", self._fault)
            return None
        try:
            made = self._port.add_name(ours)
        except OutcomeUnknown as error:
            self._fault = error
            self.unmade[ours.id] = Unmade(kind, ours.name, "", error)
            return None
        if isinstance(made, str):
            self.unmade[ours.id] = Unmade(kind, ours.name, made)
            return None
        return made


def unmade_in(
    product: Product, changed: frozenset[str] | None, unmade: Mapping[str, Unmade]
) -> tuple[str, Unmade] | None:
    """The first sent field that names an unmade unit or category, or None.

    changed: the sent fields, None for all.
    """
    owners: list[ProductFields] = [product]
    if changed is None or "variants" in changed:
        owners += product.variants
    for owner in owners:
        for field, ids in (
            ("sale_unit_id", (owner.sale_unit_id,)),
            ("base_unit_id", (owner.base_unit_id,)),
            ("categories", owner.categories),
        ):
            if owner is product and changed is not None and field not in changed:
                continue
            for one in ids:
                if one is not None and one in unmade:
                    return field, unmade[one]
    return None
