"""A product or store with wrong members gives the same fault as before."""

from __future__ import annotations

from pos_app.domain.article.product import Product
from pos_app.domain.article.store import Store
from pos_app.domain.money.tax import TaxLabel
from pos_app.wire.catalogue import product_to_json
from pos_app.wire.catalogue_input import ProductInput, VariantInput
from pos_app.wire.shop_notes import MarksShape
from pos_app.wire.store import store_to_json
from pos_app.wire.store_input import StoreInput
from tests.sweep import each
from tests.unit.wire.hostile_documents import READERS, differing, stored

BEFORE = stored()


@each("name", READERS)
def test_the_same_is_told_of_each_document(name: str) -> None:
    assert not differing(name, BEFORE[name])


def test_each_member_is_tried() -> None:
    product = product_to_json(Product(id="1", name="x", tax_label=TaxLabel.A))
    variant = product.keys() - {"variants", "images", "createdAt", "updatedAt", "deletedAt"}
    marks = {field.alias for field in MarksShape.model_fields.values()}
    store = store_to_json(Store(id="1", name="x"))
    tried = {name: reader.right.keys() for name, reader in READERS.items()}
    assert tried["a listed product"] == product.keys() | marks
    assert tried["a listed variant"] == variant | marks
    assert tried["a listed store"] == store.keys()
    for name, shape in (
        ("a product to be added", ProductInput),
        ("a product to be changed", ProductInput),
        ("a variant that is sent", VariantInput),
        ("a store to be added", StoreInput),
        ("a store to be changed", StoreInput),
    ):
        assert tried[name] == {field.alias or one for one, field in shape.model_fields.items()}
