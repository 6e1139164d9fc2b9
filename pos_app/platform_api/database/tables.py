"""The tables as queries name them. `migrations.py` makes them; a test holds the two together.

Every row of an account carries its `account_id`, and every query asks for it. Instants are whole
milliseconds since 1970. `document` is the JSON as it is answered, with HERE in it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zlib import crc32

from sqlalchemy import BigInteger, Column, Dialect, LargeBinary, MetaData, Table, Text
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def milliseconds(at: datetime) -> int:
    """Since 1970, rounded down: an instant as it is kept."""
    return (at - _EPOCH) // _MILLISECOND


class Instant(TypeDecorator[datetime]):
    """An aware datetime, kept to the millisecond."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """To milliseconds, rounded down."""
        return None if value is None else milliseconds(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """From milliseconds, UTC."""
        return None if value is None else _EPOCH + _MILLISECOND * value


HERE = "\x01"
"""Stands in a kept JSON text for the platform's address, which each caller may know by another
name. No JSON holds this character as it is."""
HERE_MARK = "\x01platform\x01"
"""Stands for it in a member that is to be kept."""

METADATA = MetaData()


def _crc32(writing: Any) -> int:
    """Of the document that is being written: one that the disk changed is never listed."""
    document: str = writing.get_current_parameters()["document"]
    return crc32(document.encode())


def _account_rows(name: str) -> Table:
    """A table of rows that are listed, changed and deleted softly.

    number: place in the list, from 1 in each account. revision: the account's when the row was last
    written.
    """
    return Table(
        name,
        METADATA,
        Column("id", Text, primary_key=True),
        Column("account_id", Text, nullable=False),
        Column("number", BigInteger, nullable=False),
        Column("revision", BigInteger, nullable=False),
        Column("created_at", Instant, nullable=False),
        Column("updated_at", Instant, nullable=False),
        Column("deleted_at", Instant),
        Column("document", Text, nullable=False),
        Column("checksum", BigInteger, nullable=False, default=_crc32, onupdate=_crc32),
    )


ACCOUNT = Table(
    "account",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("revision", BigInteger, nullable=False),  # of its catalogue: one more with each write
    Column("written_at", Instant, nullable=False),  # updatedAt of that write
    Column("last_sku", BigInteger, nullable=False),  # the last one that was assigned
)
CATALOGUE_WRITE = Table(
    "catalogue_write",  # the last writes of an account: a list's tag names one of them
    METADATA,
    Column("account_id", Text, primary_key=True),
    Column("revision", BigInteger, primary_key=True),
    Column("at", Instant, nullable=False),
)
API_KEY = Table(
    "api_key",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("secret_hash", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("each_order_is_a_sale", BigInteger, nullable=False),  # 0 or 1
    Column("one_client", BigInteger, nullable=False),  # 0 or 1
    Column("client", Text),  # that connected with it first, where it is for one
    Column("replaces", Text),  # the key that is revoked at its first use
    Column("created_at", Instant, nullable=False),
    Column("last_used_at", Instant),
    Column("revoked_at", Instant),
)
STORE = _account_rows("store")
UNIT = _account_rows("unit")
CATEGORY = _account_rows("category")
CASHIER = _account_rows("cashier")
PRODUCT = _account_rows("product")
PRODUCT_CODE = Table(
    "product_code",  # what a product and each of its variants is found by
    METADATA,
    Column("owner_id", Text, primary_key=True),  # of the product, or of the variant
    Column("account_id", Text, nullable=False),
    Column("product_id", Text, nullable=False),
    Column("sku", BigInteger, nullable=False),  # stays taken when its owner is gone
    Column("ean", Text),  # None where its owner is gone: it may be used again
    Column("document", Text),  # of a variant that its product has no more, to bring it back
)
FILE = _account_rows("file")
FILE_CONTENT = Table(
    "file_content",  # of a file that is not deleted; an account has the same bytes once
    METADATA,
    Column("file_id", Text, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("sha256", Text, nullable=False),  # of the bytes that were sent
    Column("mimetype", Text, nullable=False),  # of the original
    Column("sized_mimetype", Text, nullable=False),
    Column("bytes", BigInteger, nullable=False),  # of all its sizes; 0 of an older program
)
PRODUCT_IMAGE = Table(
    "product_image",  # which products show a file, deleted products too
    METADATA,
    Column("product_id", Text, primary_key=True),
    Column("file_id", Text, primary_key=True),
)
CLIENT = Table(
    "client",  # a till's server that connects for public mode; its id is its own
    METADATA,
    Column("id", Text, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("store_id", Text),
    Column("install_id", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("last_seen_at", Instant),
    Column("deleted_at", Instant),
)
KEPT_POST = Table(
    "kept_post",  # what was answered to an Idempotency-Key that is no receipt's
    METADATA,
    Column("api_key", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("body_hash", LargeBinary, nullable=False),
    Column("status", BigInteger),
    Column("answer", LargeBinary),  # sealed
    Column("made_at", Instant, nullable=False),
)
AUDIT_ENTRY = _account_rows("audit_entry")
"""The audit log: rows that are never changed."""
LOST_LOG = Table(
    "lost_log",  # the SQLite file was found without what was written last
    METADATA,
    Column("found_at", Instant, nullable=False),
    Column("known_until", Instant),  # the latest instant that it knew of
    Column("seen_at", Instant),
    Column("seen_by", Text),
)
FAILURE = Table(
    "failure",  # how often credentials of a key or an address were wrong, where workers share it
    METADATA,
    Column("name", Text, primary_key=True),  # a hash of which
    Column("since_ms", BigInteger, nullable=False),
    Column("count", BigInteger, nullable=False),
)
