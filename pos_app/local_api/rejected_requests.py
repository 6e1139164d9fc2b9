"""The last refusals of the guard, for a page of the settings."""

from __future__ import annotations

from collections import deque
from datetime import datetime

from pos_app.domain.server_status import RefusedCaller
from pos_app.local_api.access_rules import Rejected, RequestHead

MOST = 200
_LONGEST = 200


class RejectedRequests:
    """Remembers the last 200 refusals, in memory."""

    def __init__(self, most: int = MOST) -> None:
        self._kept: deque[RefusedCaller] = deque(maxlen=most)

    def remember(self, head: RequestHead, refused: Rejected, *, at: datetime) -> None:
        """Keep a refusal; the oldest one gives way."""
        self._kept.append(
            RefusedCaller(
                at=at,
                reason=refused.reason,
                message=refused.problem.message,
                method=head.method[:_LONGEST],
                path=head.path[:_LONGEST],
                host=", ".join(head.values("host"))[:_LONGEST],
                origin=", ".join(head.values("origin"))[:_LONGEST],
            )
        )

    def latest(self) -> tuple[RefusedCaller, ...]:
        """What was refused, the newest first."""
        return tuple(reversed(self._kept))
