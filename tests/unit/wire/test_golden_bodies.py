"""The bodies of the till's routes, byte by byte: a body that is read is written the same again.

`golden/` holds them as the server wrote them before its shapes were records of the domain, with the
members that later versions added at the end (`sellerPib`, `needsAudit`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.documents.server_papers import PdfFile
from pos_app.domain.receipt import server_status
from pos_app.errors import Invalid
from pos_app.wire import records, server
from pos_app.wire.strict_json import loads

GOLDEN = Path(__file__).with_name("golden")
RECORDS: dict[str, type] = {
    "status": server_status.ServerStatus,
    "status_calm": server_status.ServerStatus,
    "job": server_status.DeliveryJob,
    "job_paper": server_status.DeliveryJob,
    "witness": server_status.JournalCompared,
    "witness_new": server_status.JournalCompared,
    "pdf": PdfFile,
}
LISTS: dict[str, type] = {
    "doubts": server_status.ReceiptInDoubt,
    "jobs": server_status.DeliveryJob,
    "refusals": server_status.RefusedCaller,
}
SHAPES: dict[str, type[server.AnswerShape]] = {
    "health": server.Health, "health_proved": server.Health, "state": server.State,
    "state_signed": server.State, "waiting": server.Waiting,
    "waiting_signed": server.Waiting,
}  # fmt: skip


def body(name: str) -> bytes:
    return (GOLDEN / f"{name}.json").read_bytes()


def test_every_body_is_written_the_same_again() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == {*RECORDS, *LISTS, *SHAPES}
    for name, kind in RECORDS.items():
        assert records.written(kind, records.from_json(kind, loads(body(name)))) == body(name)
    for name, kind in LISTS.items():
        read_back: tuple[object, ...] = records.list_from_json(kind, loads(body(name)))
        assert records.written_list(kind, read_back) == body(name)
    for name, shape in SHAPES.items():
        assert server.written(shape.model_validate(loads(body(name)))) == body(name)


def _members(name: str) -> dict[str, object]:
    members = loads(body(name))
    assert isinstance(members, dict)
    return members


def test_a_record_is_read_as_strictly_as_a_shape() -> None:
    job = _members("job")
    for member, wrong, words in (
        ("id", "3", '"id" must be a number'),
        ("id", True, '"id" must be a number'),
        ("target", 5, '"target" must be a string'),
        ("since", "yesterday", '"since" must be a valid ISO 8601 date and time'),
        ("total", "1.00", '"total" must be a number'),
        ("method", None, '"method" is required'),
    ):
        with pytest.raises(Invalid, match=words):
            records.from_json(server_status.DeliveryJob, {**job, member: wrong})
    assert records.from_json(server_status.DeliveryJob, {**job, "madeUp": 1}).id == 3
    assert records.from_json(server_status.DeliveryJob, {**job, "total": None}).total is None
