"""The text that a manager typed for articles and has not saved yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pos_app.selling.catalogue.editing import Edited
from pos_app.selling.catalogue.product_draft import DraftField

_NOTHING: Mapping[str, str] = {}


@dataclass(slots=True)
class TypedArticle:
    """article: as it was when it was typed in. texts: the fields that differ from the saved ones.
    shown_texts: what each of these fields showed before it was typed in. is_new: the article was
    never saved."""

    article: Edited
    texts: dict[str, str] = field(default_factory=dict)
    shown_texts: dict[str, str] = field(default_factory=dict)
    is_new: bool = False

    @property
    def is_touched(self) -> bool:
        """Whether a new article has other text than it was offered with; it has no names then."""
        names = (DraftField.NAME, DraftField.VARIANT_NAME)
        return any(
            text != ("" if field in names else self.article.typed_fields[field])
            for field, text in self.texts.items()
        )


class TypedTexts(dict[str, TypedArticle]):
    """The typed text of each article, by the article's id. A saved article is in it as long as some
    field differs, a new one until it is saved or discarded."""

    def is_new(self, edited: Edited | None) -> bool:
        """Whether an article was never saved."""
        return edited is not None and edited.owner.id in self and self[edited.owner.id].is_new

    def of(self, owner_id: str) -> Mapping[str, str]:
        """The fields of an article that differ from the saved ones, as typed."""
        return self[owner_id].texts if owner_id in self else _NOTHING

    def shown_before(self, owner_id: str) -> Mapping[str, str]:
        """What these fields showed before they were typed in."""
        return self[owner_id].shown_texts if owner_id in self else _NOTHING

    def add(self, new: Edited, texts: dict[str, str]) -> None:
        """Begin a new article, with the texts that it is offered with."""
        self[new.owner.id] = TypedArticle(new, texts, is_new=True)

    def put(
        self, edited: Edited, field: DraftField, text: str, *, shown_text: str | None = None
    ) -> None:
        """Keep the text of a field. shown_text: what the field showed before, or None if that was
        the saved text."""
        owner_id, saved = edited.owner.id, edited.typed_fields[field]
        if text == saved and not self.is_new(edited):
            self.untype(owner_id, field)
            return
        typed = self.setdefault(owner_id, TypedArticle(edited))
        if field not in typed.texts:
            typed.shown_texts[field] = saved if shown_text is None else shown_text
        typed.article = edited
        typed.texts[field] = text

    def untype(self, owner_id: str, field: DraftField) -> None:
        """Discard the text of a field."""
        if (typed := self.get(owner_id)) is not None:
            typed.texts.pop(field, None)
            typed.shown_texts.pop(field, None)
            if not typed.texts:
                del self[owner_id]

    def forget(self, owner_id: str) -> None:
        self.pop(owner_id, None)

    def saved_articles(self) -> tuple[Edited, ...]:
        """The articles that are not new, as they were when they were typed in."""
        return tuple(typed.article for typed in self.values() if not typed.is_new)

    def new_article(self, *, variant_of: str) -> Edited | None:
        """The new product, or the new variant of one, for which something was typed."""
        for typed in self.values():
            product_id = typed.article.product.id if typed.article.is_variant else ""
            if typed.is_new and product_id == variant_of and typed.is_touched:
                return typed.article
        return None
