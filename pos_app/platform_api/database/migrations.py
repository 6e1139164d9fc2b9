"""The steps from an empty database to today's, in order; each is run once, under a lock.

A step that was released is never changed: a change is another step at the end. Steps are SQL that
both databases take, or a function that returns the SQL of one. Columns have the types TEXT, BIGINT
and BOOLEAN, or {bytes}, which stands for the type of bytes of the database.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.errors import DatabaseDamaged, DatabaseTooNew

STEP_TABLE = "schema_step"
_LOCK = 7_021_106_115
"""The number of the advisory lock of PostgreSQL; no other program may use it."""


def _account_rows(name: str) -> tuple[str, ...]:
    """Return the statements that create a table with rows of accounts, and its indices."""
    return (
        f"""CREATE TABLE {name} (
            id TEXT NOT NULL PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES account (id),
            number BIGINT NOT NULL,
            revision BIGINT NOT NULL,
            created_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL,
            deleted_at BIGINT,
            document TEXT NOT NULL,
            checksum BIGINT NOT NULL)""",
        f"CREATE UNIQUE INDEX {name}_by_number ON {name} (account_id, number)",
        f"CREATE INDEX {name}_by_change ON {name} (account_id, updated_at, deleted_at)",
    )


_ACCOUNTS = (
    """CREATE TABLE account (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        revision BIGINT NOT NULL,
        written_at BIGINT NOT NULL,
        last_sku BIGINT NOT NULL)""",
    """CREATE TABLE api_key (
        id TEXT NOT NULL PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES account (id),
        name TEXT NOT NULL,
        secret_hash TEXT NOT NULL,
        scopes TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        last_used_at BIGINT,
        revoked_at BIGINT,
        each_order_is_a_sale BIGINT NOT NULL DEFAULT 0,
        one_client BIGINT NOT NULL DEFAULT 0,
        client TEXT,
        replaces TEXT)""",
    "CREATE INDEX api_key_by_account ON api_key (account_id)",
    "CREATE INDEX api_key_by_revocation ON api_key (revoked_at) WHERE revoked_at IS NOT NULL",
    *_account_rows("store"),
    *_account_rows("unit"),
    *_account_rows("category"),
    *_account_rows("cashier"),
    *_account_rows("product"),
    """CREATE TABLE product_code (
        owner_id TEXT NOT NULL PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES account (id),
        product_id TEXT NOT NULL REFERENCES product (id),
        sku BIGINT NOT NULL,
        ean TEXT,
        document TEXT)""",
    "CREATE UNIQUE INDEX product_code_by_sku ON product_code (account_id, sku)",
    "CREATE UNIQUE INDEX product_code_by_ean ON product_code (account_id, ean)",
    "CREATE INDEX product_code_by_product ON product_code (product_id)",
    *_account_rows("file"),
    """CREATE TABLE file_content (
        file_id TEXT NOT NULL PRIMARY KEY REFERENCES file (id),
        account_id TEXT NOT NULL REFERENCES account (id),
        sha256 TEXT NOT NULL,
        mimetype TEXT NOT NULL,
        sized_mimetype TEXT NOT NULL,
        bytes BIGINT NOT NULL DEFAULT 0)""",
    "CREATE UNIQUE INDEX file_content_by_hash ON file_content (account_id, sha256)",
    """CREATE TABLE product_image (
        product_id TEXT NOT NULL REFERENCES product (id),
        file_id TEXT NOT NULL REFERENCES file (id),
        PRIMARY KEY (product_id, file_id))""",
    "CREATE INDEX product_image_by_file ON product_image (file_id)",
    """CREATE TABLE client (
        id TEXT NOT NULL PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES account (id),
        name TEXT NOT NULL,
        store_id TEXT,
        install_id TEXT NOT NULL,
        version TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        last_seen_at BIGINT,
        deleted_at BIGINT)""",
    "CREATE INDEX client_by_store ON client (account_id, store_id)",
    *_account_rows("audit_entry"),
    "CREATE INDEX audit_entry_by_age ON audit_entry (updated_at)",
    """CREATE TABLE catalogue_write (
        account_id TEXT NOT NULL,
        revision BIGINT NOT NULL,
        at BIGINT NOT NULL,
        PRIMARY KEY (account_id, revision))""",
    """CREATE TABLE kept_post (
        api_key TEXT NOT NULL,
        key TEXT NOT NULL,
        body_hash {bytes} NOT NULL,
        status BIGINT,
        answer {bytes},
        made_at BIGINT NOT NULL,
        PRIMARY KEY (api_key, key))""",
    "CREATE INDEX kept_post_by_age ON kept_post (made_at)",
    """CREATE TABLE failure (
        name TEXT NOT NULL PRIMARY KEY,
        since_ms BIGINT NOT NULL,
        count BIGINT NOT NULL)""",
    "CREATE INDEX failure_by_age ON failure (since_ms)",
    """CREATE TABLE lost_log (
        found_at BIGINT NOT NULL,
        known_until BIGINT,
        seen_at BIGINT,
        seen_by TEXT)""",
)

_RELAY = (
    """CREATE TABLE relay_command (
        id TEXT NOT NULL PRIMARY KEY,
        account TEXT NOT NULL REFERENCES account (id),
        client TEXT NOT NULL,
        key TEXT NOT NULL,
        keyless BOOLEAN NOT NULL,
        operation TEXT NOT NULL,
        target TEXT,
        body TEXT NOT NULL,
        body_hash {bytes} NOT NULL,
        receipt_id TEXT NOT NULL,
        made_ms BIGINT NOT NULL,
        until_ms BIGINT NOT NULL,
        asker TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('new', 'handed_over', 'answered', 'refused')),
        attempt BIGINT NOT NULL,
        begun BIGINT NOT NULL,
        unsure BIGINT NOT NULL,
        answered BIGINT NOT NULL,
        status BIGINT,
        answer TEXT,
        repeated_ms BIGINT NOT NULL,
        delivered_ms BIGINT,
        articles TEXT NOT NULL DEFAULT '',
        request TEXT NOT NULL DEFAULT '')""",
    "CREATE UNIQUE INDEX relay_command_by_key ON relay_command (account, key)",
    "CREATE INDEX relay_command_by_receipt ON relay_command (receipt_id)",
    "CREATE INDEX relay_command_look_ups ON relay_command (until_ms) WHERE operation = 'look_up'",
    """CREATE INDEX relay_command_keyless ON relay_command (body_hash)
        WHERE keyless AND delivered_ms IS NULL""",
    "CREATE INDEX relay_command_by_age ON relay_command (repeated_ms) WHERE body <> ''",
    """CREATE TABLE relay_presence (
        connection TEXT NOT NULL PRIMARY KEY,
        account TEXT NOT NULL REFERENCES account (id),
        client TEXT NOT NULL,
        install TEXT NOT NULL,
        store TEXT,
        name TEXT NOT NULL,
        worker TEXT NOT NULL,
        since_ms BIGINT NOT NULL)""",
    "CREATE UNIQUE INDEX relay_presence_by_client ON relay_presence (account, client)",
    "CREATE UNIQUE INDEX relay_presence_by_store ON relay_presence (account, store)",
    "CREATE TABLE relay_worker (worker TEXT NOT NULL PRIMARY KEY, beat_ms BIGINT NOT NULL)",
    """CREATE TABLE relay_pdf (
        secret TEXT NOT NULL PRIMARY KEY,
        content {bytes} NOT NULL,
        until_ms BIGINT NOT NULL)""",
    "CREATE INDEX relay_pdf_by_end ON relay_pdf (until_ms)",
)

_ROW_BYTES = 500
"""The bytes of a row beside its texts, with its places in the indices."""
_CATALOGUE = ("store", "unit", "category", "cashier", "product", "file")
_STORED_TEXTS = {
    **dict.fromkeys((*_CATALOGUE, "audit_entry", "product_code"), ("document",)),
    "client": ("name", "version"),
    "api_key": ("name", "scopes"),
    "kept_post": ("answer",),
    "relay_command": ("body", "answer", "articles"),
    "file_content": (),
}
"""The columns of any length, of all tables in which an account's use of the platform grows."""
_STORED_ACCOUNT = {
    "relay_command": "{row}.account",
    "kept_post": "(SELECT account_id FROM api_key WHERE id = {row}.api_key)",
}


def _stored(dialect: str) -> tuple[str, ...]:
    """Return the statements of the table `stored`: it gets a row for each growth or shrinking of an
    account's rows, from triggers in the same transaction, and nobody waits for another's row. The
    sum of an account's rows is what it stores; now and then they are put together into one."""
    statements = [
        """CREATE TABLE stored (
            account_id TEXT NOT NULL,
            row_count BIGINT NOT NULL,
            byte_count BIGINT NOT NULL)""",
        "CREATE INDEX stored_by_account ON stored (account_id)",
    ]
    for table, texts in _STORED_TEXTS.items():
        account = _STORED_ACCOUNT.get(table, "{row}.account_id")
        rows = 1 if table in _CATALOGUE else 0
        size = _size_of(table, texts, dialect)
        new, old = (size.replace("{row}", row) for row in ("NEW", "OLD"))
        of_new, of_old = (account.replace("{row}", row) for row in ("NEW", "OLD"))
        made = f"INSERT INTO stored VALUES ({of_new}, {rows}, {new});"
        changed = f"INSERT INTO stored VALUES ({of_new}, 0, ({new}) - ({old}));"
        grown = f"WHEN (({new}) <> ({old}))"
        gone = f"INSERT INTO stored VALUES ({of_old}, -{rows}, -({old}));"
        if dialect == "postgresql":
            statements += _trigger_of_postgresql(table, "INSERT", "", made)
            statements += _trigger_of_postgresql(table, "UPDATE", grown, changed)
            statements += _trigger_of_postgresql(table, "DELETE", "", gone)
        else:
            statements += (
                f"CREATE TRIGGER {table}_made AFTER INSERT ON {table} BEGIN {made} END",
                f"""CREATE TRIGGER {table}_changed AFTER UPDATE ON {table} {grown}
                    BEGIN {changed} END""",
                f"CREATE TRIGGER {table}_gone AFTER DELETE ON {table} BEGIN {gone} END",
            )
    return tuple(statements)


def _size_of(table: str, texts: tuple[str, ...], dialect: str) -> str:
    length = "OCTET_LENGTH({})" if dialect == "postgresql" else "LENGTH(CAST({} AS BLOB))"
    sizes = [f"COALESCE({length.format('{row}.' + name)}, 0)" for name in texts]
    if table == "file_content":
        sizes.append("{row}.bytes")
    return " + ".join((str(_ROW_BYTES), *sizes))


def _trigger_of_postgresql(table: str, act: str, when: str, does: str) -> tuple[str, str]:
    name = f"{table}_stored_{act.lower()}"
    return (
        f"""CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN {does} RETURN NULL; END $$""",
        f"""CREATE TRIGGER {name} AFTER {act} ON {table}
            FOR EACH ROW {when} EXECUTE FUNCTION {name}()""",
    )


Step = tuple[str, ...] | Callable[[str], tuple[str, ...]]


def _tables(dialect: str) -> tuple[str, ...]:
    """Return the statements that make all tables of version 4.0.0."""
    return (*_ACCOUNTS, *_RELAY, *_stored(dialect))


STEPS: tuple[Step, ...] = (_tables,)
FIRST_STEP = 400
"""The number of the first step. Builds before the first release numbered theirs from 1 on; those
databases are not read."""


def step_after(steps: tuple[Step, ...] = STEPS) -> int:
    """Return the number of the last of these steps."""
    return FIRST_STEP - 1 + len(steps)


def check_is_released(done: int) -> None:
    """Check the number of the last step of a database, 0 of an empty one. Raises DatabaseDamaged
    for one that a build before the first release made."""
    if 0 < done < FIRST_STEP:
        raise DatabaseDamaged("platform_unreleased")


async def migrate(connection: AsyncConnection, steps: tuple[Step, ...] = STEPS) -> int:
    """Run the missing steps in the writing transaction of `connection`, and return their number.
    Programs that start at the same time wait for each other: SQLite lets one write at a time, and
    PostgreSQL has a lock for this. Raises DatabaseTooNew, DatabaseDamaged."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    await connection.execute(
        text(f"CREATE TABLE IF NOT EXISTS {STEP_TABLE} (number BIGINT NOT NULL PRIMARY KEY)")
    )
    bytes_type = "BYTEA" if connection.dialect.name == "postgresql" else "BLOB"
    done = (await connection.execute(text("SELECT MAX(number) FROM schema_step"))).scalar() or 0
    check_is_released(done)
    if done > step_after(steps):
        raise DatabaseTooNew("platform", done=done, known=step_after(steps))
    before = max(done, FIRST_STEP - 1)
    missing = steps[before - FIRST_STEP + 1 :]
    for number, step in enumerate(missing, start=before + 1):
        for statement in step(connection.dialect.name) if callable(step) else step:
            await connection.exec_driver_sql(statement.replace("{bytes}", bytes_type))
        await connection.execute(
            text("INSERT INTO schema_step (number) VALUES (:number)"), {"number": number}
        )
    return len(missing)
