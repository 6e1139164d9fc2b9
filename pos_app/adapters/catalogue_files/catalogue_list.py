"""Reads a platform's list of products, checked as a whole before anything of it is used.

A complete, well-formed list is the only proof that a product is gone (platform-contract.md 6), so
one malformed product makes the whole list useless. The list is read piece by piece: only the
position of an unchanged product stays in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, TypeVar

from pos_app.domain.article.article import Marks
from pos_app.domain.article.product import Category, File, Product, Unit
from pos_app.domain.article.store import Store
from pos_app.domain.text.search_text import fold
from pos_app.errors import Invalid, NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.product_draft import price_doubt
from pos_app.selling.synchronisation.reports import OddPrices
from pos_app.wire import catalogue
from pos_app.wire.json_stream import JsonElement, elements
from pos_app.wire.moment import instant_text
from pos_app.wire.row import is_gone
from pos_app.wire.store import store_from_json
from pos_app.wire.strict_json import MalformedJson, canonical, loads

T = TypeVar("T")


class Listed(NamedTuple):
    """A product's position in the list, and the digest of its text."""

    uuid: str
    start: int
    end: int
    digest: bytes


@dataclass(slots=True)
class CatalogueList:
    """A list that was checked. stores, units, categories: None where the list has no such member.

    oldest, latest: the `updatedAt` of its products as written, "" where it can't be compared.
    read: the products that are new or changed. covers: main photos of these. respelled: ids of
    products whose text changed in blanks, escapes or the order of members, and whose content did
    not. shared_codes: the number of EANs that several articles have. odd_prices: new or changed
    articles with a doubtful price, the first of them by name.
    """

    text: str
    stores: tuple[Store, ...] | None = None
    units: tuple[Unit, ...] | None = None
    categories: tuple[Category, ...] | None = None
    products: tuple[Listed, ...] | None = None
    read: dict[str, tuple[Product, dict[str, Marks]]] = field(default_factory=dict)
    covers: dict[str, File] = field(default_factory=dict)
    respelled: set[str] = field(default_factory=set)
    shared_codes: int = 0
    odd_prices: OddPrices = field(default_factory=OddPrices)
    oldest: str = ""
    latest: str = ""

    def raw(self, listed: Listed) -> str:
        return self.text[listed.start : listed.end]

    def sorted_by(self, listed: Listed) -> str:
        """Return the name that a new or changed product is sorted by. Neighbours in the picker then
        lie side by side in the file, which is read and written in pages."""
        read = self.read.get(listed.uuid)
        return fold(read[0].name) if read else ""

    def take(self, listed: Listed) -> tuple[Product, dict[str, Marks]]:
        """Return a product, and the marks that one of our lists has of it. A product that was read
        while checking has no descriptions, and is returned only once."""
        return self.read.pop(listed.uuid, None) or catalogue.read_product(loads(self.raw(listed)))

    def news(self, known: Mapping[str, bytes | None]) -> Iterator[Product]:
        """Iterate over the products that are not known."""
        for listed in self.products or ():
            if listed.uuid not in known:
                read = self.read.get(listed.uuid)
                yield (read or catalogue.read_product(loads(self.raw(listed))))[0]

    def lacks(self, sent: Mapping[str, datetime | None], *, since: str) -> bool:
        """Whether a platform's list, or that of the changes `since`, lacks some of these products,
        or has an older one. sent: their `updatedAt`, None for one that was deleted. The list has no
        product that was changed before it begins."""
        here = {one.uuid for one in self.products or ()}
        for uuid, at in sent.items():
            read = self.read.get(uuid)
            now = None if read is None else read[0]
            if at is None:
                is_there = uuid not in here if not since else now is not None and now.is_deleted
            elif now is None or now.updated_at is None:
                is_there = uuid in here or (instant_text(at) or "") < since
            else:
                is_there = now.updated_at >= at
            if not is_there:
                return True
        return False


def list_text(source: Path) -> str:
    """Read the text of a file. Raises NotFound, Invalid."""
    try:
        return source.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise NotFound("file_gone", path=str(source)) from error
    except UnicodeDecodeError as error:
        raise Invalid("not_utf8.file", path=source, position=error.start) from error
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise NotFound("file_unread", path=str(source), why=why) from error


def read_list(
    text: str,
    *,
    known: Mapping[str, bytes | None],
    text_before: Callable[[str], str | None] = lambda _: None,
) -> CatalogueList:
    """Check a list. known: the digests of products checked before, by id. text_before: returns the
    earlier text of a product.

    Raises MalformedJson with the position in the text, or Invalid with product and field; also
    Invalid for a document that has no part of a catalogue.
    """
    listing = CatalogueList(text)
    products = _Products(listing, known, text_before)
    parts: dict[str, list[object]] = {}
    for element in elements(text):
        member = element.member or "products"
        if member not in _MEMBERS:
            continue
        part = parts.setdefault(member, [])
        if element.index is None:
            if element.value != []:
                raise Invalid("array", field=member)
        elif member == "products":
            products.take(element)
        else:
            part.append(element.value)
    if not parts:
        raise Invalid("no_catalogue")
    _check_parts(listing, parts)
    listing.products = tuple(products.listed) if "products" in parts else None
    listing.shared_codes = products.shared_codes()
    listing.oldest, listing.latest = products.span()
    return listing


def read_products(
    text: str,
    *,
    known: Mapping[str, bytes | None],
    text_before: Callable[[str], str | None] = lambda _: None,
) -> CatalogueList:
    """Check a list of products that came separately, as `read_list` does. Raises Invalid."""
    with _named("products"):
        return read_list(text, known=known, text_before=text_before)


_MEMBERS = ("stores", "units", "categories", "products")


def read_parts(texts: Mapping[str, str]) -> CatalogueList:
    """Check stores, units and categories that came separately, each as an array or as a member of
    that name. texts: by the part's name. Raises Invalid naming part and field."""
    parts: dict[str, list[object]] = {}
    for member, text in texts.items():
        with _named(member):
            document = loads(text)
        part = document.get(member) if isinstance(document, dict) else document
        if not isinstance(part, list):
            raise Invalid("array", field=member)
        parts[member] = part
    listing = CatalogueList("")
    _check_parts(listing, parts)
    return listing


def _check_parts(listing: CatalogueList, members: Mapping[str, list[object]]) -> None:
    """Give the listing its stores, units and categories. Raises Invalid."""
    listing.stores = _each("stores", members, _store_once(set()))
    listing.units = _each("units", members, catalogue.unit_from_json)
    listing.categories = _each("categories", members, catalogue.category_from_json)


@contextmanager
def _named(member: str) -> Iterator[None]:
    """Raise Invalid naming the list for text that is no JSON."""
    try:
        yield
    except MalformedJson as error:
        raise Invalid("at", field=member, why=error.what) from error


def _store_once(ids: set[str]) -> Callable[[object], Store]:
    """Return the builder of stores, which raises Invalid for an id that occurs twice: nobody could
    tell which of the two is the shop."""

    def build(document: object) -> Store:
        store = store_from_json(document)
        if store.id in ids:
            raise Invalid("id_twice", field="id", path="")
        ids.add(store.id)
        return store

    return build


def _each(
    member: str, members: Mapping[str, list[object]], build: Callable[[object], T]
) -> tuple[T, ...] | None:
    """Return the living values of a member, or None where the list has no such member. Deleted
    ones are checked too."""
    if member not in members:
        return None
    records = []
    for index, document in enumerate(members[member]):
        try:
            record = build(document)
        except Invalid as error:
            path = f"{member}[{index}].{error.field}".rstrip(".")
            raise Invalid("at", field=path, why=error.what) from error
        if not is_gone(document):
            records.append(record)
    return tuple(records)


class _Products:
    """Checks one product after the other, and what must hold between them."""

    def __init__(
        self,
        listing: CatalogueList,
        known: Mapping[str, bytes | None],
        text_before: Callable[[str], str | None],
    ) -> None:
        self.listed: list[Listed] = []
        self._listing = listing
        self._known = known
        self._text_before = text_before
        self._ids: set[str] = set()
        self._skus: dict[int, str] = {}
        self._eans: Counter[str] = Counter()
        self._oldest: str | None = None
        self._latest = ""

    def take(self, element: JsonElement) -> None:
        """Check the next product. Raises Invalid naming product and field."""
        try:
            self._take(element)
        except Invalid as error:
            path = f"products[{element.index}].{error.field}".rstrip(".")
            name = _name_of(element.value)
            raise Invalid("of_product", field=path, product=name, why=error.what) from error

    def shared_codes(self) -> int:
        return sum(1 for times in self._eans.values() if times > 1)

    def span(self) -> tuple[str, str]:
        """Return the oldest and latest `updatedAt`; "" twice where one is not UTC of the usual
        width."""
        return (self._oldest, self._latest) if self._oldest else ("", "")

    def _take(self, element: JsonElement) -> None:
        document = element.value
        raw = self._listing.text[element.start : element.end].encode()
        digest = blake2b(raw, digest_size=16).digest()
        uuid = document.get("id") if isinstance(document, dict) else None
        before = self._known.get(uuid) if isinstance(uuid, str) and uuid else None
        if not isinstance(uuid, str) or before is None:
            uuid = self._read(document)
        elif before != digest:
            if self._is_the_same(uuid, document):
                self._listing.respelled.add(uuid)
            else:
                self._read(document)
        assert isinstance(document, dict)  # read_product refuses all else
        for one in catalogue.listed_codes(document):
            self._check_once(one)
        at = catalogue.updated_at_of(document)
        self._oldest = at if self._oldest is None else min(self._oldest, at)
        self._latest = max(self._latest, at)
        self.listed.append(Listed(uuid, element.start, element.end, digest))

    def _is_the_same(self, uuid: str, document: object) -> bool:
        """Tell whether a product with another text than before still has the same content."""
        text = self._text_before(uuid)
        before = loads(text) if text is not None else None
        return before == document and canonical(before) == canonical(document)  # 1 == True

    def _read(self, document: object) -> str:
        """Read a new or changed product, keep its visible parts, and return its id."""
        product, marks = catalogue.read_product(document, with_description=False)
        self._listing.read[product.id] = (product, marks)
        for owner in (product, *product.variants):
            self._listing.odd_prices.count(owner.name, price_doubt(owner.price))
            if owner.cover_image is not None:
                self._listing.covers[owner.cover_image.id] = owner.cover_image
        return product.id

    def _check_once(self, codes: catalogue.ListedCodes) -> None:
        """Raise Invalid for an id or article code that occurs twice; EANs may be shared."""
        if codes.id in self._ids:
            raise Invalid("id_twice", field=f"{codes.path}id", path=codes.path)
        self._ids.add(codes.id)
        if codes.sku is not None:
            if codes.sku in self._skus:
                field, other = f"{codes.path}sku", self._skus[codes.sku]
                raise Invalid("sku_exists", field=field, sku=codes.sku, other=other)
            self._skus[codes.sku] = codes.name
        if codes.ean:
            self._eans[codes.ean] += 1


def _name_of(document: object) -> str:
    name = document.get("name") if isinstance(document, dict) else None
    return name if isinstance(name, str) and name else "without a name"
