"""Stores (sales locations); and units, categories and cashiers, which are our own lists in the
style of the specification.

Source: platform-contract.md 2.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import and_, select, update
from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.article.name_words import NameField, compared_word, twin_of
from pos_app.domain.article.product import Category, Unit
from pos_app.domain.receipt.units import is_measured_alike
from pos_app.domain.setup.audit import AuditAct, AuditKind
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.errors import Invalid, NotAllowed, NotFound
from pos_app.http_front.endpoint import Endpoint
from pos_app.http_front.requests import query_of
from pos_app.platform_api import routing
from pos_app.platform_api.accounts import CatalogueWrite
from pos_app.platform_api.audit import Audited, record
from pos_app.platform_api.database.tables import CASHIER, CATEGORY, PRODUCT, STORE, UNIT
from pos_app.platform_api.errors import Duplicate
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.listing import answer_one
from pos_app.platform_api.resource import (
    AccountRow,
    Draft,
    Members,
    PlainResource,
    kept_members,
    rendered,
)
from pos_app.platform_api.used_names import products_naming
from pos_app.wire.audit import merged_into, name_of
from pos_app.wire.catalogue_input import read_cashier, read_category, read_merge, read_unit
from pos_app.wire.document_ids import IdMembers, rename_ids
from pos_app.wire.store_input import read_store


class Stores(PlainResource):
    path = "/stores"
    noun = "Store"
    table = STORE
    read = staticmethod(read_store)


class UniqueNames(PlainResource):
    """Units and categories: no two living ones of an account are one to a person."""

    fields: tuple[NameField, ...] = ("name",)
    members: IdMembers
    """The members of products that name one."""

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        path = f"{routing.BASE}{cls.path}/{{id}}/merge"
        merge = Endpoint("POST", path, cls.merge, f"merge{cls.noun}", cls.scopes)
        return [*super().endpoints(), merge]

    async def merge(self, request: Request, caller: KeyHolder) -> Response:
        """POST /{Id}/merge: 200 with the other one, which each product gets in place of this one,
        which is deleted. A price is of the unit, so two units have to be measured alike."""
        query_of(request)
        into = read_merge(await routing.document_of(request, caller, self._context.slow_work))
        async with self._any_write(caller) as write:
            row = await self._row(write, request)
            if row.deleted_at is not None:
                raise NotFound("row", noun=self.noun)
            other = await self._other(write, row, into)
            for product in await products_naming(write, row.id):
                await self._hand_over(write, product, {row.id: into})
            members, at = kept_members(row.document), write.stamp().at
            draft = Draft(members, row.created_at, at)
            await self._update(write, row, draft)
            await self.on_written(write, row.id, draft)
            kind, changes = AuditKind(self.noun.lower()), merged_into(into)
            done = Audited(kind, AuditAct.DELETED, row.id, name_of(members), caller.key_id, changes)
            await record(write.connection, write.account_id, done, now=at)
        return await answer_one(self._context, request, other.document)

    async def _other(self, write: CatalogueWrite, row: AccountRow, into: str) -> AccountRow:
        """Return the living row of this account that takes the place of another one. Raises
        Invalid."""
        of_account = and_(self.table.c.account_id == write.account_id, self.table.c.id == into)
        query = select(self.table).where(and_(of_account, self.table.c.deleted_at.is_(None)))
        other = (await write.connection.execute(query)).first()
        noun = self.noun.lower()
        if other is None or into == row.id:
            raise Invalid("words", field="into", words=f"must be another {noun} of this account")
        symbols = [
            one.symbol
            for one in (self.named(kept_members(each.document)) for each in (row, other))
            if isinstance(one, Unit)
        ]
        if symbols and not is_measured_alike(*symbols):
            words = "must measure alike, as prices stay as they are"
            raise Invalid("words", field="into", words=words)
        return other

    async def _hand_over(
        self, write: CatalogueWrite, product: AccountRow, ids: Mapping[str, str]
    ) -> None:
        def renamed() -> str:
            members = kept_members(product.document)
            rename_ids(members, self.members, ids)
            moments = product.created_at, at, product.deleted_at
            return rendered(product.id, members, *moments)

        stamp = write.stamp()
        at, size = stamp.at, len(product.document)
        text = await self._context.slow_work.done_locked(size, renamed)
        values = {"revision": stamp.revision, "updated_at": at, "document": text}
        changed = update(PRODUCT).where(PRODUCT.c.id == product.id).values(**values)
        await write.connection.execute(changed)

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
        naming = await products_naming(write, row_id, most=1)
        if naming:
            raise NotAllowed("row_in_use", noun=self.noun, product_id=naming[0].id)

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
    members = IdMembers.UNITS
    read = staticmethod(read_unit)

    @staticmethod
    def named(members: Members) -> Unit:
        return Unit("", members["name"], members["symbol"])


class Categories(UniqueNames):
    path = "/categories"
    noun = "Category"
    table = CATEGORY
    members = IdMembers.CATEGORIES
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
