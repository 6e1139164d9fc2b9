"""The till reads the status of a newer server and leaves out what it has no words for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.api_client.status import status_from_json
from pos_app.errors import Invalid
from pos_app.wire.strict_json import loads
from tests.sweep import each

STATUS = Path(__file__).with_name("golden") / "status.json"


def told(member: str, **changes: object) -> dict[str, Any]:
    """A status whose first alarm or job differs in these members."""
    status: dict[str, Any] = loads(STATUS.read_bytes())  # type: ignore[assignment]
    status[member][0] |= changes
    return status


@each(
    ("member", "changes", "left"),
    [
        ("alarms", {"what": "flood"}, [9, 10]),
        ("jobs", {"method": "pigeon"}, [4]),
        ("jobs", {"state": "framed"}, [4]),
        ("jobs", {"trouble": "asleep"}, [3, 4]),
    ],
)
def test_other_kinds_are_left_out(member: str, changes: dict[str, object], left: list[int]) -> None:
    status = status_from_json(told(member, **changes))
    assert [one.id for one in getattr(status, member)] == left


def test_other_kinds_have_the_members_of_their_kind_all_the_same() -> None:
    with pytest.raises(Invalid, match='"receipts" must be a number'):
        status_from_json(told("alarms", what="flood", receipts="many"))
