"""The tables as queries name them. `migrations.py` makes them; a test compares the two.

Every row of an account carries its `account_id`, and every query names it. Instants are whole
milliseconds since 1970. `document` is the JSON of answers, with HERE in it.
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
    """Return the milliseconds since 1970, rounded down, as instants are stored."""
    return (at - _EPOCH) // _MILLISECOND


class Instant(TypeDecorator[datetime]):
    """An aware datetime, stored to the millisecond."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else milliseconds(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        return None if value is None else _EPOCH + _MILLISECOND * value


HERE = "\x01"
"""Replaces the platform's address in a stored JSON text, because each caller may know it by another
name. No JSON has this character unescaped."""
HERE_MARK = "\x01platform\x01"
"""Replaces the platform's address in a member that is to be stored."""

METADATA = MetaData()


def _crc32(writing: Any) -> int:
    """Return the checksum of the document that is being written: a row that the disk changed is
    never listed."""
    document: str = writing.get_current_parameters()["document"]
    return crc32(document.encode())


def _account_rows(name: str) -> Table:
    """A table of rows that are listed, changed and deleted softly. number: position in the list,
    from 1 in each account. revision: the account's revision at the row's last write."""
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
    Column("revision", BigInteger, nullable=False),  # the number of writes to its catalogue
    Column("written_at", Instant, nullable=False),  # updatedAt of the last write
    Column("last_sku", BigInteger, nullable=False),  # the last assigned sku
)
CATALOGUE_WRITE = Table(
    "catalogue_write",  # an account's last writes; a list's tag names one of them
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
    Column("client", Text),  # for a key of one client: the first client that connected
    Column("replaces", Text),  # the key that is revoked at the first use of this one
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
    "product_code",  # the codes by which products and variants are found
    METADATA,
    Column("owner_id", Text, primary_key=True),  # the product's id, or the variant's
    Column("account_id", Text, nullable=False),
    Column("product_id", Text, nullable=False),
    Column("sku", BigInteger, nullable=False),  # the sku stays taken when its owner is gone
    Column("ean", Text),  # None once its owner is gone: the EAN is free again
    Column("document", Text),  # brings back a variant that its product has no more
)
FILE = _account_rows("file")
FILE_CONTENT = Table(
    "file_content",  # files that are not deleted; an account stores equal bytes once
    METADATA,
    Column("file_id", Text, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("sha256", Text, nullable=False),  # the hash of the uploaded bytes
    Column("mimetype", Text, nullable=False),  # the type of the original
    Column("sized_mimetype", Text, nullable=False),
    Column("bytes", BigInteger, nullable=False),  # all its sizes together
)
PRODUCT_IMAGE = Table(
    "product_image",  # the files that a product shows, also a deleted product
    METADATA,
    Column("product_id", Text, primary_key=True),
    Column("file_id", Text, primary_key=True),
)
CLIENT = Table(
    "client",  # a till's server that connects for public mode; it made its own id
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
    "kept_post",  # the answers to Idempotency-Keys, except for receipts
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
STORED = Table(
    "stored",  # growths of an account's rows, noted by triggers; their sum is what it stores
    METADATA,
    Column("account_id", Text, nullable=False),
    Column("row_count", BigInteger, nullable=False),
    Column("byte_count", BigInteger, nullable=False),
)
LOST_LOG = Table(
    "lost_log",  # the SQLite file was found without its last writes
    METADATA,
    Column("found_at", Instant, nullable=False),
    Column("known_until", Instant),  # the latest instant in the file
    Column("seen_at", Instant),
    Column("seen_by", Text),
)
FAILURE = Table(
    "failure",  # the failures of a key or an address, if workers share the database
    METADATA,
    Column("name", Text, primary_key=True),  # a hash of the name
    Column("since_ms", BigInteger, nullable=False),
    Column("count", BigInteger, nullable=False),
)
