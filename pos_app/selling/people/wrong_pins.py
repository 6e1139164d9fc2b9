"""What wrong PINs cost: the time in which no further PIN is taken.

It is counted for each person separately. After the third wrong PIN the person has to wait, and each
further wrong PIN doubles the wait. A restart does not shorten it, because the tries are stored with
the person. Source: till.md ("People and rights").
"""

from __future__ import annotations

from datetime import datetime, timedelta

from pos_app.errors import NotAllowed
from pos_app.lazy_dataclass import dataclass

FREE_TRIES = 3
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class WrongTries:
    """The number of wrong PINs since the right one, and the instant of the last (UTC)."""

    count: int = 0
    last_at: datetime | None = None


def wait_left(tries: WrongTries, *, at: datetime) -> timedelta:
    """The time for which no PIN is taken.

    | wrong tries | wait after the last |
    | 2           | none                |
    | 3           | 30 s                |
    | 4           | 1 min               |
    | 9 and more  | 30 min              |

    It is never longer than the whole wait, also after the clock was put back.
    """
    if tries.count < FREE_TRIES or tries.last_at is None:
        return timedelta(0)
    times = 1 << min(tries.count - FREE_TRIES, 10)
    whole = min(FIRST_WAIT * times, LONGEST_WAIT)
    passed = max(at - tries.last_at, timedelta(0))
    return max(whole - passed, timedelta(0))


def check_may_try(tries: WrongTries, *, at: datetime) -> None:
    """Raises NotAllowed (kind pin_waits with `seconds`) while no PIN is taken."""
    if time_left := wait_left(tries, at=at):
        raise pin_waits(time_left)


def pin_waits(time_left: timedelta) -> NotAllowed:
    seconds = -(-time_left // timedelta(seconds=1))
    return NotAllowed("pin_waits", seconds=seconds)
