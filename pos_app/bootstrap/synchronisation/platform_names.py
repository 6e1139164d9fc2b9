"""Units and categories that only this till has, where something to be sent names them: found among
the platform's by their words, else made there.

Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import apsw

from pos_app.adapters.catalogue_files.catalogue_list import CatalogueList
from pos_app.adapters.platform_http.client import PlatformClient
from pos_app.adapters.platform_http.names import add_name
from pos_app.adapters.sqlite.catalogue.own_names import name_as_there, own_names
from pos_app.domain.product import Category, Unit
from pos_app.errors import OutcomeUnknown
from pos_app.selling.synchronisation.own_names import (
    Named,
    NameKind,
    Unmade,
    same_named,
    taken_anywhere,
)


class OwnNames:
    """Of the platform `origin`. joins: what came from elsewhere counts too. makes: what is not
    found there is made there. now: UTC."""

    def __init__(
        self,
        connection: apsw.Connection,
        client: PlatformClient,
        *,
        origin: str,
        joins: bool,
        makes: bool,
        now: datetime,
    ) -> None:
        self._connection = connection
        self._client = client
        self._origin = origin
        self._joins = joins
        self._makes = makes
        self._now = now
        self.unmade: dict[str, Unmade] = {}
        """By the id that it has here."""
        self._fault: OutcomeUnknown | None = None

    def settle(self, small: CatalogueList) -> CatalogueList:
        """What is to be sent names all by the platform's ids; the lists with what was made there.

        After one without an answer no more is made: the next lists tell whether it was. Raises
        NotDelivered, Refused where the platform can't be asked now.
        """
        self.unmade = {}
        self._fault = None
        units = self._settle(NameKind.UNIT, small.units)
        categories = self._settle(NameKind.CATEGORY, small.categories)
        return replace(
            small,
            units=None if units is None else tuple(one for one in units if isinstance(one, Unit)),
            categories=None if categories is None else tuple(
                one for one in categories if isinstance(one, Category)
            ),
        )  # fmt: skip

    def _settle(self, kind: NameKind, listed: Sequence[Named] | None) -> Sequence[Named] | None:
        known = [one.id for one in listed or ()]
        own = own_names(self._connection, kind, known, origin=self._origin, joins=self._joins)
        if listed is None:  # it lists none, and takes any uuid
            named = {one.id: taken_anywhere(one.id) for one in own}
            ids = {ours: theirs for ours, theirs in named.items() if ours != theirs}
            theirs = [replace(one, id=named[one.id]) for one in own]
        else:
            ids = same_named(own, listed)
            theirs = list(listed)
            for one in own:
                made = None if one.id in ids else self._make(kind, one)
                if made is not None:
                    ids[one.id] = made.id
                    theirs.append(made)
        if ids:
            name_as_there(self._connection, kind, ids, theirs, origin=self._origin, at=self._now)
        if listed is None:
            return None
        return [*theirs, *(one for one in own if one.id in self.unmade)]

    def _make(self, kind: NameKind, ours: Named) -> Named | None:
        """Made on the platform; None where it says no or nothing, or nothing is sent there."""
        if not self._makes or self._fault is not None:
            self.unmade[ours.id] = Unmade(kind, ours.name, "", self._fault)
            return None
        try:
            made = add_name(self._client, ours)
        except OutcomeUnknown as error:
            self._fault = error
            self.unmade[ours.id] = Unmade(kind, ours.name, "", error)
            return None
        if isinstance(made, str):
            self.unmade[ours.id] = Unmade(kind, ours.name, made)
            return None
        return made
