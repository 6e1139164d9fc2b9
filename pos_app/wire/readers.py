"""Which body each operation has."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pos_app.domain.operations import Asked, Operation
from pos_app.wire.fiscal import issue_request_from_json
from pos_app.wire.operations import (
    advance_from_json,
    closing_from_json,
    copying_from_json,
    refunding_from_json,
)

READERS: Mapping[Operation, Callable[[object], Asked]] = {
    Operation.ISSUE: issue_request_from_json,
    Operation.ADVANCE: advance_from_json,
    Operation.CLOSE: closing_from_json,
    Operation.COPY: copying_from_json,
    Operation.REFUND: refunding_from_json,
}
"""Operation -> what reads its body; each raises Invalid naming the field."""
