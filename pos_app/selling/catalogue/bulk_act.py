"""A change of many articles that is planned as a whole before its first article is changed.

The plan is kept with the catalogue: what each article is and what it gets. Whatever ends the work
(a kill, a closed till, a person who stops it), the plan says what is still to be made, and the same
row is never made twice: `bootstrap/till/bulk_acts.py` carries it on. An article that something else
has changed since stays as it is and is named. Source: till.md (Catalogue: bulk change).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.own_names import NameKind


class ActKind(StrEnum):
    CHANGE = "change"
    PLAN = "plan"
    """A change whose prices hold from a moment that was yet to come."""
    DELETE = "delete"
    IMPORT = "import"
    TAKE_BACK = "take_back"


class ActState(StrEnum):
    """PLANNING: nothing is changed yet. RESUMED: it was cut, and is carried on after that.
    STOPPED: a person stopped it, and decides how it ends."""

    PLANNING = "planning"
    RUNNING = "running"
    RESUMED = "resumed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class EndingName:
    """A unit or category, which is deleted with the last row of an act, by which its articles get
    another one. name: as it is told. into: the name of that other one, "" for nothing."""

    kind: NameKind
    id: str
    name: str
    into: str = ""


@dataclass(frozen=True, slots=True)
class BulkAct:
    """The change of many articles that is under way. name: the name of the imported file, or "".
    at: UTC. whole: the number of products, of an import its rows; reached: those that are over, of
    which `done` were changed, `failed` were refused and `left_out` had been changed by something
    else. left_names: the first of these. ends: what goes with the last row."""

    kind: ActKind
    name: str
    by: str
    at: datetime
    state: ActState = ActState.PLANNING
    whole: int = 0
    reached: int = 0
    done: int = 0
    failed: int = 0
    left_out: int = 0
    left_names: tuple[str, ...] = ()
    ends: EndingName | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing of it is left to be made, and a person was not told yet what was done."""
        return self.state is ActState.STOPPED and not self.whole


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """What an article gets. before, after: texts of the form's fields by their names; before is
    None where it was not read. more: what only this kind of act needs."""

    product_id: str
    article_id: str
    before: Mapping[str, str] | None
    after: Mapping[str, str]
    more: Mapping[str, object] = field(default_factory=dict)
    number: int = 0


@dataclass(frozen=True, slots=True)
class ActDone:
    """The end of an act, or of one run of it. kept: products of this run that stay as they were.
    error: why the first of them was refused."""

    act: BulkAct | None
    kept: tuple[str, ...] = ()
    error: PosError | None = None
