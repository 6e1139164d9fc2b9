"""The last requests that the access rules rejected, to be shown in the settings."""

from __future__ import annotations

from collections import deque
from datetime import datetime

from pos_app.domain.server_status import RefusedCaller
from pos_app.local_api.access_rules import Rejected, RequestHead

MOST = 200
_LONGEST = 200


class RejectedRequests:
    """The last 200 rejected requests, in memory."""

    def __init__(self, most: int = MOST) -> None:
        self._callers: deque[RefusedCaller] = deque(maxlen=most)

    def remember(self, head: RequestHead, rejected: Rejected, *, at: datetime) -> None:
        self._callers.append(
            RefusedCaller(
                at=at,
                reason=rejected.reason,
                message=rejected.problem.message,
                method=head.method[:_LONGEST],
                path=head.path[:_LONGEST],
                host=", ".join(head.values("host"))[:_LONGEST],
                origin=", ".join(head.values("origin"))[:_LONGEST],
            )
        )

    def latest(self) -> tuple[RefusedCaller, ...]:
        """The newest first."""
        return tuple(reversed(self._callers))
