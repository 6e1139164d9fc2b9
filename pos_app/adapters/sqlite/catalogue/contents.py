"""Checks cheaply whether the catalogue can be read: its documents, and their digests.

The rows that the till shows, which are made from documents and open edits, are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

import apsw

from pos_app.errors import Invalid
from pos_app.wire.strict_json import loads

_DOCUMENTS = (
    "SELECT product, document FROM source",
    "SELECT uuid, document FROM store",
    "SELECT store, base FROM store_edit",
    "SELECT store, ours FROM store_edit",
    "SELECT store, theirs FROM store_edit",
    "SELECT store, coalesce(sent, '{}') FROM store_edit",
    "SELECT uuid, coalesce(base, '{}') FROM name_edit",
    "SELECT uuid, coalesce(ours, '{}') FROM name_edit",
    "SELECT uuid, coalesce(theirs, '{}') FROM name_edit",
    "SELECT uuid, coalesce(nullif(sent, ''), '{}') FROM name_edit",
    "SELECT key, base FROM edit",
    "SELECT key, document FROM edit",
    "SELECT key, theirs FROM edit",
    "SELECT key, sent FROM edit",
    "SELECT at, categories FROM last_change",
    "SELECT id, coalesce(before, '{}') FROM changed_article",
    "SELECT id, after FROM changed_article",
)
_DIGESTS = "SELECT product, document, digest FROM source WHERE digest IS NOT NULL"


def catalogue_contents(connection: apsw.Connection) -> Iterator[str]:
    """Iterate over the faults of the catalogue, in words. Raises apsw.Error, UnicodeDecodeError."""
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema").fetchall()}
    for sql in (one for one in _DOCUMENTS if one.rpartition(" ")[2] in tables):
        for name, document in connection.execute(sql):
            try:
                loads(document)
            except Invalid as error:
                yield f"a document is none: {error.what} ({name})"
    for name, document, digest in connection.execute(_DIGESTS):
        if blake2b(document.encode(), digest_size=len(digest)).digest() != digest:
            yield f"a product's document is not as it was listed ({name})"
