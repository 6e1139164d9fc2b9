"""The quick reading of a kept store agrees with the careful one, or leaves the store to it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.article.store import Store
from pos_app.wire.plain_store import plain_store
from pos_app.wire.store import store_from_json, store_to_json
from pos_app.wire.strict_json import dumps, loads

WHOLE: dict[str, Any] = {
    "id": "s", "name": "Липа", "address": "Дунавска 1", "city": "Нови Сад", "zip": "21000",
    "gln": "8600000000001", "phone": "", "language": "sr-Latn-RS",
    "printMethod": {"thermal": True, "a4": False, "email": True}, "printBankAccounts": True,
    "printDiscounts": False, "paymentMethodsOrder": [["cash", "bitcoin"], [], ["card"]],
    "productPickerType": "list", "isSoundEnabled": False, "defaultUnknownAmountAdvance": True,
}  # fmt: skip
ODD: list[Any] = [
    None, "", " ", "\u3164", "x", "en", "sr-Cyrl-RS", "grid", 0, 1, Decimal(1), True, False, [], {},
    [[]], [None], [["cash", 7]], [["cash", ""]], [[{"name": "card"}]], [[None]], {"thermal": 1},
    {"thermal": None, "a4": True}, {"email": "x"}, {"other": 1},
]  # fmt: skip
CHANGES = st.dictionaries(st.sampled_from([*WHOLE, "unknown"]), st.sampled_from(ODD), max_size=3)


def test_stores_as_they_are_kept_are_read_quickly() -> None:
    for store in (Store(id="s", name="Липа"), store_from_json(WHOLE)):
        assert plain_store(loads(dumps(store_to_json(store)))) == store
    others: tuple[object, ...] = ([], "x", {}, {**WHOLE, "name": " "}, {**WHOLE, "zip": 21000})
    for document in others:
        assert plain_store(document) is None


@given(CHANGES, st.sets(st.sampled_from([*WHOLE])))
def test_both_readings_say_the_same(changed: dict[str, Any], left_out: set[str]) -> None:
    document = {name: value for name, value in WHOLE.items() if name not in left_out} | changed
    quick = plain_store(document)
    assert quick is None or quick == store_from_json(document)
