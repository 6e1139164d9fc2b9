"""The last change of many articles, an import or a bulk change, as it is kept to be taken back.

What each article had before is kept in the commit of the change itself.
Source: till.md (Catalogue).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pos_app.lazy_dataclass import dataclass


class ChangeKind(StrEnum):
    """What was done to many articles at once."""

    IMPORT = "import"
    BULK = "bulk"


@dataclass(frozen=True, slots=True)
class LastChange:
    """The change that can be taken back. name: of the imported file, "" for a bulk change.
    articles: how many it changed or added; at: UTC."""

    kind: ChangeKind
    name: str
    by: str
    at: datetime
    articles: int


@dataclass(frozen=True, slots=True)
class ChangedArticle:
    """What a change made of an article: its fields as they stand in the form, by their names.

    before: the fields that it changed, as they were; None for one that it added. after: those
    fields, or all of an added one that are not empty, as it left them. name: the article's then.
    """

    product_id: str
    article_id: str
    name: str
    before: Mapping[str, str] | None
    after: Mapping[str, str]


class ChangeLog(Protocol):
    """Where a change is kept until another one takes its place, which it does once anything of it
    is kept."""

    def keep(self, changed: Sequence[ChangedArticle], categories: Mapping[str, str]) -> None:
        """Keep what is changed in this transaction, as a part of it. categories: names by id of
        those that are made with it."""
