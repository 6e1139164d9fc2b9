"""Stores (sales locations); and units, categories and cashiers, which are our own lists in the
style of the specification.

Source: platform-contract.md 2.5.
"""

from pos_app.domain.setup.platform_key import KeyScope
from pos_app.platform_api.database.tables import CASHIER, CATEGORY, STORE, UNIT
from pos_app.platform_api.resource import PlainResource
from pos_app.wire.catalogue_input import read_cashier, read_category, read_unit
from pos_app.wire.store_input import read_store


class Stores(PlainResource):
    path = "/stores"
    noun = "Store"
    table = STORE
    read = staticmethod(read_store)


class Units(PlainResource):
    path = "/units"
    noun = "Unit"
    table = UNIT
    read = staticmethod(read_unit)


class Categories(PlainResource):
    path = "/categories"
    noun = "Category"
    table = CATEGORY
    read = staticmethod(read_category)


class Cashiers(PlainResource):
    """The cashiers, whose names certificate mode prints."""

    path = "/cashiers"
    noun = "Cashier"
    table = CASHIER
    scopes = (KeyScope.APPLICATION,)
    reading = (KeyScope.FISCALIZATION,)
    read = staticmethod(read_cashier)
