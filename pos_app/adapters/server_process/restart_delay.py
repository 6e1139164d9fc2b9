"""How long the keeper of a server waits before it starts the next one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from pos_app.errors import AlreadyRunning, DiskFull, MachineError, PortTaken, ServerEnded

STEADY_SECONDS = 30.0
"""After a server ran this long the pauses start anew."""
REFUSED_SECONDS = 30.0
"""Between two starts where nothing but a person can help; a person can ask for one at once."""
_MAY_PASS = (AlreadyRunning, DiskFull, PortTaken)
"""Faults that may be over soon: the server before is still ending, a disk is being cleared."""


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How one run ended. answered: it was ready once. fault: why it could not be."""

    answered: bool
    lasted_seconds: float
    fault: MachineError | None = None


class _Kind(Enum):
    DIED = auto()
    """It had answered: start it again at once, the till has three seconds to recover."""
    MUTE = auto()
    """It never answered and reported nothing: a bug, or no memory."""
    MAY_PASS = auto()
    REFUSED = auto()


_PAUSES_SECONDS = {
    _Kind.DIED: (0.0, 0.25, 0.5, 1.0),
    _Kind.MUTE: (0.5, 1.0, 2.0, 5.0, 10.0, REFUSED_SECONDS),
    _Kind.MAY_PASS: (0.5, 0.5, 1.0, 1.0, 2.0, 2.0, 5.0, 10.0, REFUSED_SECONDS),
    _Kind.REFUSED: (REFUSED_SECONDS,),
}
"""By how often in a row it ended so; the last one is repeated."""


class RestartDelay:
    """Counts how the runs ended.

    | ended                                  | seconds until the next start |
    | after it had answered                  | 0, 0.25, 0.5, then 1         |
    | the same, after 30 s or more           | 0                            |
    | port taken, lock held, disk full       | 0.5, 0.5, 1, 1, 2 … 30       |
    | any other fault that it named          | 30                           |
    | before it answered, without a word     | 0.5, 1, 2, 5, 10, 30         |
    """

    def __init__(self) -> None:
        self._kind = _Kind.DIED
        self._times = 0

    def after(self, end: RunEnd) -> float:
        """Seconds to wait after one more end."""
        kind = _kind_of(end)
        if kind is not self._kind or end.lasted_seconds >= STEADY_SECONDS:
            self._times = 0
        self._kind = kind
        self._times += 1
        pauses = _PAUSES_SECONDS[kind]
        return pauses[min(self._times, len(pauses)) - 1]


def _kind_of(end: RunEnd) -> _Kind:
    if end.answered:
        return _Kind.DIED
    if end.fault is None or isinstance(end.fault, ServerEnded):
        return _Kind.MUTE
    return _Kind.MAY_PASS if isinstance(end.fault, _MAY_PASS) else _Kind.REFUSED
