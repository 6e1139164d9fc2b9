"""The last requests that the access rules rejected, to be shown in the settings."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import datetime

from pos_app.local_api.access_rules import Rejected, RequestHead

MOST = 200
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class RejectedRequest:
    """One rejected request. at: UTC; texts as they were sent, cut to 200 characters."""

    at: datetime
    reason: str
    message: str
    method: str
    path: str
    peer: str
    host: str
    origin: str


class RejectedRequests:
    """The last 200 rejected requests, in memory."""

    def __init__(self, most: int = MOST) -> None:
        self._kept: deque[RejectedRequest] = deque(maxlen=most)

    def remember(self, head: RequestHead, rejected: Rejected, *, at: datetime) -> None:
        self._kept.append(
            RejectedRequest(
                at=at,
                reason=rejected.reason,
                message=rejected.problem.message,
                method=head.method[:_LONGEST],
                path=head.path[:_LONGEST],
                peer=head.peer,
                host=", ".join(head.values("host"))[:_LONGEST],
                origin=", ".join(head.values("origin"))[:_LONGEST],
            )
        )

    def latest(self) -> tuple[RejectedRequest, ...]:
        return tuple(reversed(self._kept))
