"""The last change of many articles, an import or a bulk change, as it is kept to be taken back.

The commit of the change itself keeps what each article had before.
Source: till.md (Catalogue).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.made_ids import NewNames
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import OF_PLAN, more_of_plan


class ChangeKind(StrEnum):
    IMPORT = "import"
    BULK = "bulk"


@dataclass(frozen=True, slots=True)
class LastChange:
    """The change that can be taken back. name: the name of the imported file, "" for a bulk change.
    articles: the number of products changed, of an import its rows, as the change itself told it;
    at: UTC. ended: the name of the unit or category that went with it, which comes back, or "".
    owners: the number of products and variants that have a change of their own. is_deletion: it
    deleted its articles."""

    kind: ChangeKind
    name: str
    by: str
    at: datetime
    articles: int
    ended: str = ""
    owners: int = 0
    is_deletion: bool = False


@dataclass(frozen=True, slots=True)
class ChangedArticle:
    """A change of one article, as texts of the fields of the form, by their names.

    before: the earlier texts of the changed fields, or None for an added article. after: the new
    texts of those fields, or all texts of an added article that are not empty; both are without
    fields where a product was deleted. name: the article's name at that time.
    """

    product_id: str
    article_id: str
    name: str
    before: Mapping[str, str] | None
    after: Mapping[str, str]

    @property
    def is_deletion(self) -> bool:
        return self.before is not None and not self.after


def with_whole_plan(before: Mapping[str, str], plan: PlannedPrice | None) -> dict[str, str]:
    """The texts that an article had, with all of its plan where they have a plan."""
    return {**before, **more_of_plan(plan)} if OF_PLAN & before.keys() else dict(before)


class ChangeLog(Protocol):
    """Keeps a change until another one takes its place. A new change takes that place when its
    first article is kept."""

    def add(self, changed: Sequence[ChangedArticle], made: NewNames, *, many: int) -> None:
        """Keep what this transaction changes, within the same transaction. made: the units and
        categories that were made with it. many: as `LastChange.articles` counts."""
