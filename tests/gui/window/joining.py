"""A shop whose articles its platform has not had: the question that a synchronisation leaves."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pos_app.adapters.sqlite.catalogue.joining import StoredJoiningNotes
from pos_app.adapters.sqlite.catalogue.platform_memory import PlatformMemory
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.selling.synchronisation.joining import JoiningQuestion, OpenChanges, StoreThere
from tests.fakes.platform_setup import OURS

QUESTION = JoiningQuestion(
    url=OURS.url,
    key=OURS.key,
    stores=(
        StoreThere("Јабука, Ниш", "Обреновићева 12, Ниш"),
        StoreThere("Јабука 2", "Књажевачка 5, Ниш"),
    ),
    listed=1204,
    to_send=389,
    same=21,
    repriced=3,
    changes=OpenChanges(waiting=3, to_decide=1, stores=1),
    at=datetime(2026, 11, 20, 9, 5, tzinfo=UTC),
)


def ask_to_join(catalogue: Path) -> None:
    """Leave the question of `pos-app sync` when another account answers. catalogue: its file."""
    place = f"{OURS.url} "
    origin = place + OURS.key
    connection = open_writer(catalogue, durable=False)
    try:
        PlatformMemory(connection, origin=origin).known()
        StoredJoiningNotes(connection, origin=origin, origin_prefix=place).ask(QUESTION)
    finally:
        connection.close()
