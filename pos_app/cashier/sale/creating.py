"""A manager adds an article on the spot: as little as a receipt needs, the rest later."""

from __future__ import annotations

from uuid import uuid4

from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.open_sale import Part
from pos_app.cashier.sale.unfinished_input import place_of
from pos_app.domain.article import Article
from pos_app.domain.money import Money
from pos_app.domain.tax import TaxLabel
from pos_app.errors import NotFound
from pos_app.selling.catalogue import create_for_code


class Creating:
    """Adds an article and enters it into the cart."""

    def __init__(self, model: SaleModel) -> None:
        self._model = model

    def create(
        self, *, code: str, name: str, price: Money, label: TaxLabel, unit_id: str | None
    ) -> bool:
        """Add it to the catalogue and to the cart; False when it could not be, which is shown."""
        model, services = self._model, self._model.services
        product_id = str(uuid4())
        edit = model.attempt(
            lambda: create_for_code(
                services.desk,
                product_id=product_id,
                name=name,
                label=label,
                price=price,
                code=code or None,
                unit_id=unit_id,
                by=services.cashier,
                at=services.till.clock.now(),
            )
        )
        if edit is None:
            return False
        if model.question is not None:  # it is in the catalogue, also where the cart can't take it
            model.typed_before.forget(place_of(model.question, model.ticket))
        model.answered(lambda: self._enter(product_id))
        model.tell(Part.SHELF)
        return True

    def _enter(self, product_id: str) -> None:
        article = self._model.attempt(lambda: self._only_article(product_id))
        if article is not None:
            self._model.add(article, quantity=self._model.next_quantity)

    def _only_article(self, product_id: str) -> Article:
        for article in self._model.services.catalogue.variants(product_id):
            return article
        raise NotFound(
            "The new item is not in the catalogue.",
            safe="The cart is unchanged.",
            do="Search for it, or call the manager.",
            kind="article",
        )
