"""The relay's tables: commands, who is connected where, and the PDFs of relayed receipts.

Times are milliseconds. `migrations.py` makes the tables.
"""

from sqlalchemy import BigInteger, Boolean, Column, LargeBinary, Table, Text

from pos_app.platform_api.database.tables import METADATA

COMMAND = Table(
    "relay_command",  # relay/commands.py describes the columns and the states
    METADATA,
    Column("id", Text, primary_key=True),
    Column("account", Text, nullable=False),
    Column("client", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("keyless", Boolean, nullable=False),
    Column("operation", Text, nullable=False),
    Column("target", Text),
    Column("body", Text, nullable=False),
    Column("body_hash", LargeBinary, nullable=False),
    Column("receipt_id", Text, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Column("asker", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempt", BigInteger, nullable=False),
    Column("begun", BigInteger, nullable=False),
    Column("unsure", BigInteger, nullable=False),
    Column("answered", BigInteger, nullable=False),
    Column("status", BigInteger),
    Column("answer", Text),
    Column("repeated_ms", BigInteger, nullable=False),
    Column("articles", Text, nullable=False),
    Column("delivered_ms", BigInteger),
    Column("request", Text, nullable=False),
)
PRESENCE = Table(
    "relay_presence",
    METADATA,
    Column("connection", Text, primary_key=True),
    Column("account", Text, nullable=False),
    Column("client", Text, nullable=False),
    Column("install", Text, nullable=False),
    Column("store", Text),
    Column("name", Text, nullable=False),
    Column("worker", Text, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
)
WORKER = Table(
    "relay_worker",
    METADATA,
    Column("worker", Text, primary_key=True),
    Column("beat_ms", BigInteger, nullable=False),
)
PDF = Table(
    "relay_pdf",
    METADATA,
    Column("secret", Text, primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)
