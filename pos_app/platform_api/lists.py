"""Stores (sales locations); and units, categories and cashiers, which are our own lists in the
style of the specification.

Source: platform-contract.md 2.5.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, select

from pos_app.domain.article.name_words import NameField, compared_word, twin_of
from pos_app.domain.article.product import Category, Unit
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.errors import NotAllowed
from pos_app.platform_api.accounts import CatalogueWrite
from pos_app.platform_api.database.tables import CASHIER, CATEGORY, STORE, UNIT
from pos_app.platform_api.errors import Duplicate
from pos_app.platform_api.resource import AccountRow, Draft, Members, PlainResource, kept_members
from pos_app.platform_api.used_names import product_naming
from pos_app.wire.catalogue_input import read_cashier, read_category, read_unit
from pos_app.wire.store_input import read_store


class Stores(PlainResource):
    path = "/stores"
    noun = "Store"
    table = STORE
    read = staticmethod(read_store)


class UniqueNames(PlainResource):
    """Units and categories: no two living ones of an account are one to a person."""

    fields: tuple[NameField, ...] = ("name",)

    @staticmethod
    def named(members: Members) -> Unit | Category:
        raise NotImplementedError

    async def draft_new(self, write: CatalogueWrite, row_id: str, body: object) -> Draft:
        draft = await super().draft_new(write, row_id, body)
        await self._check_twins(write, row_id, self.named(draft.members), None)
        return draft

    async def draft_changed(self, write: CatalogueWrite, row: AccountRow, body: object) -> Draft:
        draft = await super().draft_changed(write, row, body)
        before = self.named(kept_members(row.document))
        await self._check_twins(write, row.id, self.named(draft.members), before)
        return draft

    async def on_written(self, write: CatalogueWrite, row_id: str, draft: Draft) -> None:
        """Raise NotAllowed for the deletion of one that a product has."""
        if draft.deleted_at is None:
            return
        product_id = await product_naming(write, row_id)
        if product_id is not None:
            raise NotAllowed("row_in_use", noun=self.noun, product_id=product_id)

    async def _check_twins(
        self, write: CatalogueWrite, row_id: str, new: Unit | Category, old: Unit | Category | None
    ) -> None:
        """Raise Duplicate, which names the field, for the name or symbol of another one. One that
        stays is not compared, because some may be there twice since earlier."""
        fields = [
            one
            for one in self.fields
            if old is None or compared_word(new, one) != compared_word(old, one)
        ]
        if not fields:
            return
        living = and_(
            self.table.c.account_id == write.account_id,
            self.table.c.deleted_at.is_(None),
            self.table.c.id != row_id,
        )
        query = select(self.table.c.document).where(living)
        documents = (await write.connection.execute(query)).scalars().all()
        size = sum(map(len, documents))
        taken = await self._context.slow_work.done_locked(size, self._taken, new, documents, fields)
        if taken is not None:
            raise Duplicate(field=taken, value=getattr(new, taken))

    @classmethod
    def _taken(
        cls, new: Unit | Category, documents: Sequence[str], fields: Sequence[NameField]
    ) -> NameField | None:
        others = [cls.named(kept_members(one)) for one in documents]
        return next((one for one in fields if twin_of(new, others, one) is not None), None)


class Units(UniqueNames):
    path = "/units"
    noun = "Unit"
    table = UNIT
    fields = ("name", "symbol")
    read = staticmethod(read_unit)

    @staticmethod
    def named(members: Members) -> Unit:
        return Unit("", members["name"], members["symbol"])


class Categories(UniqueNames):
    path = "/categories"
    noun = "Category"
    table = CATEGORY
    read = staticmethod(read_category)

    @staticmethod
    def named(members: Members) -> Category:
        return Category("", members["name"])


class Cashiers(PlainResource):
    """The cashiers, whose names certificate mode prints."""

    path = "/cashiers"
    noun = "Cashier"
    table = CASHIER
    scopes = (KeyScope.APPLICATION,)
    reading = (KeyScope.FISCALIZATION,)
    read = staticmethod(read_cashier)
