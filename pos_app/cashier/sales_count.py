"""Counting what was sold, after the customer has gone: favourites, and what is usual."""

from __future__ import annotations

from pos_app import log
from pos_app.cashier.services import TillServices
from pos_app.domain.instant import day_of
from pos_app.errors import PosError
from pos_app.selling.sale import Sale
from pos_app.selling.ticket import DocumentKind

_log = log.get(__name__)


def count_sold(services: TillServices, sale: Sale) -> None:
    """Count each line of a sale once. That it can't be counted now is no matter to the cashier."""
    if sale.kind is not DocumentKind.SALE:
        return
    try:
        cart = services.till.carts.cart_of(sale.cart_id).cart
        lines = [(line.article.article_id, line.quantity) for line in cart.active]
        services.desk.count_sold(lines, on=day_of(sale.frozen_at))
    except PosError as error:
        _log.warning("best sellers not counted: %s", error)
