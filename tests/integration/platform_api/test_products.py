"""Products over HTTP, on both databases."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from tests.integration.platform_api.hosted import BREAD, Hosted, Place, hosted, problem

UNIT, CATEGORY, OTHER = (str(uuid4()) for _ in range(3))
WHOLE: dict[str, Any] = {
    "name": "Хлеб", "sku": 7, "manufacturerSku": "X-7", "description": "<p>Бели &amp; црни</p>",
    "saleUnitId": UNIT, "baseUnitId": UNIT, "quantityPerBaseUnit": 0.5, "price": 58.9,
    "taxRateLabel": "Е", "subtitle": "свеж", "productType": "digital", "weight": 0.25,
    "dimensions": "30x20.5x10", "hasVariants": False, "variantName": "мали",
    "ean": "8600000000001", "categories": [CATEGORY, OTHER],
}  # fmt: skip
ABSENT = dict.fromkeys(WHOLE) | {
    "descriptionPlain": None, "coverImage": None, "variants": [], "images": [], "deletedAt": None,
    "categories": [], "hasVariants": False, "productType": "product",
}  # fmt: skip
LABELS = "must be one of [Ђ, Е, Г, А]"
GUID = "must be a valid GUID"
ADDRESS = "27.11.2026.https://suf.purs.gov.rs/v/?vl=A1"
WRONG: list[tuple[str, Any, str]] = [
    ("name", 1, "must be a string"),
    ("name", "\u200b", "is not allowed to be empty"),
    ("taxRateLabel", "A", f'{LABELS}: "A" is Latin, the label is the Cyrillic А (U+0410)'),
    ("sku", 2**53, "must be less than or equal to 9007199254740991"),
    ("quantityPerBaseUnit", 1e12, "must be less than or equal to 999999999999.99"),
    ("price", 1.005, "must have no more than 2 decimal places"),
    ("ean", "1\u00002", "must not contain control characters"),
    ("ean", ADDRESS, "must be the code of an article, not an address"),
    ("saleUnitId", UNIT[1:], GUID),
    ("pinned", 1, "is not allowed"),
]
"""Of products and variants; `tests/unit/wire/hostile_documents.py` has every member wrong."""
TWO = [{"name": "м", "taxRateLabel": "Е"}, {"taxRateLabel": "Е"}]
WRONG_OF_PRODUCT: list[tuple[str, Any, str, str]] = [
    ("categories", [CATEGORY, 1], "categories[1]", "must be a string"),
    ("images", [OTHER], "images[0]", f"{OTHER} does not exist"),
    ("images", [OTHER] * 101, "images", "must contain less than or equal to 100 items"),
    ("variants", TWO, "variants[1].name", "is required"),
    ("variants", [BREAD] * 501, "variants", "must contain less than or equal to 500 items"),
    ("variants", [BREAD | {"id": OTHER}] * 2, "variants[1].id", "is sent twice"),
    ("variants", [BREAD | {"images": None}], "variants[0].images", "is not allowed"),
    ("deletedAt", "0001-01-01T00:00:00Z", "deletedAt", "must be a valid ISO 8601 date and time"),
]


async def add(platform: Hosted, **members: Any) -> dict[str, Any]:
    answer = await platform.client.post("/products", json=BREAD | members)
    assert answer.status_code == 201, answer.text
    product: dict[str, Any] = answer.json()
    return product


async def test_the_life_of_a_product(database: Place) -> None:
    async with hosted(database) as platform:
        client = platform.client
        bread = await add(platform)
        instants = {"createdAt": bread["createdAt"], "updatedAt": bread["updatedAt"]}
        assert bread == ABSENT | BREAD | instants | {"id": bread["id"], "sku": 1}
        at = f"/products/{bread['id']}"
        platform.clock.forward(5)
        whole = (await client.put(at, json=WHOLE)).json()
        assert whole == bread | WHOLE | {
            "descriptionPlain": "Бели & црни",
            "updatedAt": "2026-09-01T05:30:05.000Z",
        }
        platform.clock.forward(5)
        for unchanged in (whole, {}, {"sku": 7.0, "price": 58.900}, {"sku": None}):
            assert (await client.patch(at, json=unchanged)).json() == whole
        assert (await client.get("/products/")).json() == [whole]
        gone = await client.request("DELETE", at, json=WHOLE)
        assert (gone.status_code, gone.json()) == (200, {})
        assert (await client.get("/products")).json() == []
        assert problem(await client.delete(at)) == (404, 40400001, "Product not found", [])
        assert (await client.patch(at, json={"name": "Х"})).status_code == 404
        back = (await client.patch(at + "/", json={"deletedAt": None})).json()
        assert back == whole | {"updatedAt": back["updatedAt"]}
        away = (await client.patch(at, json={"deletedAt": "2026-01-01T00:00:00+01:00"})).json()
        assert away["deletedAt"] == "2025-12-31T23:00:00.000Z"
        assert (await client.get("/products")).json() == []


async def test_a_wrong_member_is_named_when_it_is_made_and_changed(file_database: Place) -> None:
    rows = [(member, value, member, words) for member, value, words in WRONG]
    rows += [
        ("variants", [BREAD, BREAD | {member: value}], f"variants[1].{member}", words)
        for member, value, words in WRONG
    ]
    async with hosted(file_database) as platform:
        bread = await add(platform)
        for member, value, key, words in rows + WRONG_OF_PRODUCT:
            answer = await platform.client.post("/products", json=BREAD | {member: value})
            told = (400, 40090001, f'"{key}" {words}', [key])
            assert problem(answer) == told, (member, value)
            if member == key:
                path = f"/products/{bread['id']}"
                answer = await platform.client.patch(path, json={member: value})
                assert problem(answer) == told, (member, value)
        missing = await platform.client.post("/products", json={})
        assert problem(missing)[2:] == ('"name" is required', ["name", "taxRateLabel"])
        assert (await platform.client.get("/products")).json() == [bread]


async def test_numbers_of_articles(database: Place) -> None:
    async with hosted(database) as platform:
        assert ((await add(platform))["sku"], (await add(platform, sku=3))["sku"]) == (1, 3)
        assert [(await add(platform))["sku"] for _ in range(2)] == [2, 4]
        await asyncio.gather(*(add(platform, sku=sku) for sku in range(5, 12)))
        thirteenth = await add(platform, variants=[BREAD, BREAD | {"sku": 12}, BREAD])
        assert thirteenth["sku"] == 13
        assert [one["sku"] for one in thirteenth["variants"]] == [14, 12, 15]
        await platform.client.delete(f"/products/{thirteenth['id']}")
        for taken in (1, 12, 15):
            answer = await platform.client.post("/products", json=BREAD | {"sku": taken})
            assert problem(answer) == (400, 40090002, f'"sku" {taken} already exists', ["sku"])
        other = await platform.account_of("Друга")
        assert (await other.post("/products", json=BREAD)).json()["sku"] == 1


async def test_codes_are_unique(database: Place) -> None:
    async with hosted(database) as platform:
        client = platform.client
        first = await add(platform, sku=1, ean="111", variants=[BREAD | {"ean": "222"}])
        second = await add(platform, ean="")
        refused: list[tuple[dict[str, Any], str, str]] = [
            ({"ean": " 111 "}, "ean", "111"),
            ({"ean": "222"}, "ean", "222"),
            ({"sku": 1}, "sku", "1"),
            ({"variants": [BREAD, BREAD | {"ean": "111"}]}, "variants[1].ean", "111"),
            ({"ean": "9", "variants": [BREAD | {"ean": "9"}]}, "variants[0].ean", "9"),
            ({"variants": [BREAD | {"sku": 2}]}, "variants[0].sku", "2"),
        ]
        for members, key, value in refused:
            for answer in (
                await client.post("/products", json=BREAD | members),
                await client.patch(f"/products/{second['id']}", json=members),
            ):
                told = (400, 40090002, f'"{key}" {value} already exists', [key])
                assert problem(answer) == told, members
        await client.delete(f"/products/{first['id']}")
        assert (await add(platform, ean="111"))["ean"] == "111"
        back = await client.patch(f"/products/{first['id']}", json={"deletedAt": None})
        assert problem(back) == (400, 40090002, '"ean" 111 already exists', ["ean"])


async def test_variants_replace_the_list(database: Place) -> None:
    async with hosted(database) as platform:
        small, big = BREAD | {"name": "мали", "sku": 10}, BREAD | {"name": "велики", "ean": "5"}
        bread = await add(platform, variants=[small, big])
        at, client = f"/products/{bread['id']}", platform.client
        assert (bread["sku"], bread["hasVariants"]) == (1, True)
        first, second = bread["variants"]
        changes = [{"id": second["id"], "price": 5}, {"sku": 10, "subtitle": "с"}, BREAD]
        changed = (await client.patch(at, json={"variants": changes})).json()["variants"]
        assert changed[:2] == [second | {"price": 5}, first | {"subtitle": "с"}]
        only = (await client.patch(at, json={"variants": [{"id": first["id"]}]})).json()
        assert only["variants"] == [first | {"subtitle": "с"}]
        taken = await client.post("/products", json=BREAD | {"sku": second["sku"]})
        assert (problem(taken)[1], (await add(platform, ean="5"))["ean"]) == (40090002, "5")
        again = await client.patch(at, json={"variants": [{"id": second["id"]}]})
        assert problem(again)[2] == '"variants[0].ean" 5 already exists'
        change = {"variants": [{"sku": second["sku"], "ean": "6"}]}
        back = (await client.patch(at, json=change)).json()["variants"]
        assert back == [second | {"price": 5, "ean": "6"}]
        swapped = {"variants": [{"id": second["id"], "sku": 77}, BREAD | {"sku": second["sku"]}]}
        made = (await client.patch(at, json=swapped)).json()["variants"]
        assert [one["sku"] for one in made] == [77, second["sku"]]
        twice = {"variants": [{"id": second["id"]}, {"id": second["id"]}]}
        assert problem(await client.patch(at, json=twice))[2] == '"variants[1].id" is sent twice'
        unchanged = (await client.get("/products")).json()[0]
        assert (await client.patch(at, json=unchanged)).json() == unchanged
        none = (await client.patch(at, json={"variants": None, "hasVariants": None})).json()
        assert (none["variants"], none["hasVariants"]) == ([], False)
        for members, is_true in (
            ({"variants": [small]}, True),
            ({"hasVariants": False}, False),
            ({"variants": [small, BREAD]}, False),
            ({"variants": [], "hasVariants": True}, True),
            ({"variants": [small]}, True),
            ({"variants": []}, False),
        ):
            assert (await client.patch(at, json=members)).json()["hasVariants"] is is_true


async def test_variants_with_ids_of_another_service_are_new_ones(database: Place) -> None:
    async with hosted(database) as platform, await platform.account_of("Друга") as other:
        small, big = BREAD | {"name": "мали", "sku": 10}, BREAD | {"name": "велики", "sku": 11}
        more = {"saleUnitId": UNIT, "categories": [CATEGORY], "price": 5}
        bread = await add(platform, variants=[small, big], **more)
        listed = (await platform.client.get("/products")).json()
        moved = [await other.post("/products", json=one) for one in listed]
        assert [one.status_code for one in moved] == [201]
        assert said_without_ids(moved[0].json()) == said_without_ids(bread)
        assert not ids_of(moved[0].json()) & ids_of(bread)
        at, (first, second) = f"/products/{moved[0].json()['id']}", moved[0].json()["variants"]
        # The second one is found by its code, as after a lost answer.
        new = BREAD | {"id": str(uuid4()), "sku": 12}
        change = [{"id": first["id"]}, big | {"id": str(uuid4())}, new]
        once, again = [
            (await other.patch(at, json={"variants": change})).json()["variants"] for _ in range(2)
        ]
        assert (once, [one["id"] for one in once[:2]]) == (again, [first["id"], second["id"]])
        assert once[2]["id"] not in {one["id"] for one in change}
        foreign = await other.patch(at, json={"variants": [{"id": str(uuid4()), "sku": 99}]})
        assert problem(foreign)[2] == '"variants[0].name" is required'


def ids_of(product: dict[str, Any]) -> set[str]:
    return {product["id"], *(one["id"] for one in product["variants"])}


def said_without_ids(product: dict[str, Any]) -> dict[str, Any]:
    own = {"id", "updatedAt", "createdAt", "variants"}
    variants = [{k: v for k, v in one.items() if k != "id"} for one in product["variants"]]
    return {k: v for k, v in product.items() if k not in own} | {"variants": variants}


async def test_descriptions_are_safe(file_database: Place) -> None:
    async with hosted(file_database) as platform:
        of_items = "<ul><li>а</li><li>б<br>в</li></ul>г&nbsp;"
        link = "<a {}>веза</a>"
        for html, kept, plain in (
            ("<script>alert(1)</script>Бели", "Бели", "Бели"),
            ('<p onclick="x()">а</p><p>б</p>', "<p>а</p><p>б</p>", "а\nб"),
            (
                link.format('href="javascript:a(1)"'),
                link.format('rel="noopener noreferrer"'),
                "веза",
            ),
            ("5 < 6 & 7", "5 &lt; 6 &amp; 7", "5 < 6 & 7"),
            ("&lt;script&gt;", "&lt;script&gt;", "<script>"),
            (f"{of_items}&copy;", f"{of_items}©", "а\nб\nв\nг ©"),
            ("<table><tr><td>а</td><td>б</td></tr></table>", None, "а б"),
            ("", "", ""),
        ):
            made = await add(platform, description=html, variants=[BREAD | {"description": html}])
            for one in (made, *made["variants"]):
                assert one["descriptionPlain"] == plain
                assert "script" not in (one["description"] or "").replace("&lt;script", "")
                assert kept is None or one["description"] == kept
            at = f"/products/{made['id']}"
            assert (await platform.client.patch(at, json=made)).json() == made


async def test_what_only_the_two_of_us_may_write(database: Place) -> None:
    """An account never sees another's rows; a change to an older version fails."""
    async with hosted(database) as platform:
        bread = await add(platform)
        at = f"/products/{bread['id']}"
        other = await platform.account_of("Друга")
        for answer in (await other.patch(at, json={"name": "Х"}), await other.delete(at)):
            assert problem(answer) == (404, 40400001, "Product not found", [])
        assert (await other.get("/products")).json() == []
        mine = {"If-Match": f'"{bread["updatedAt"]}"'}
        changed = await platform.client.patch(at, json={"name": "Х"}, headers=mine)
        assert changed.status_code == 200
        for stale in (
            await platform.client.patch(at, json={"name": "Ц"}, headers=mine),
            await platform.client.delete(at, headers=mine),
        ):
            assert problem(stale)[:2] == (409, 40900001)
        wrong = await platform.client.patch(at, json={}, headers={"If-Match": "*"})
        assert problem(wrong)[:2] == (400, 40090001)
        assert (await platform.client.get("/products")).json() == [changed.json()]


async def test_a_list_is_sent_again_when_it_changed(database: Place) -> None:
    async with hosted(database) as platform:
        client = platform.client
        breads = [await add(platform) for _ in range(3)]
        listed = await client.get("/products")
        known = {"If-None-Match": listed.headers["ETag"]}
        assert listed.headers["X-Catalogue-Revision"] == "3"
        store = await client.post("/stores", json={"name": "Прва"})
        again = await client.get("/products", headers=known)
        assert (again.content, again.headers["X-Catalogue-Revision"]) == (listed.content, "4")
        tag = {"If-None-Match": again.headers["ETag"]}
        await client.patch(f"/stores/{store.json()['id']}", json={"name": "Прва"})
        same = await client.get("/products", headers=tag)
        assert (same.status_code, same.content) == (304, b""), "nothing was changed"
        platform.clock.forward(-3600)  # the machine's clock was set back
        await client.delete(f"/products/{breads[1]['id']}")
        changed = await client.get("/products", headers=tag)
        assert [one["id"] for one in changed.json()] == [breads[0]["id"], breads[2]["id"]]
        since = {"updatedSince": breads[2]["updatedAt"]}
        news = (await client.get("/products", params=since)).json()
        assert [(one["id"], one["deletedAt"] is None) for one in news] == [
            (breads[2]["id"], True),
            (breads[1]["id"], False),
        ]
        for far, count in (("9999-12-31T23:59:59Z", 0), ("0001-01-01T00:00:00Z", 3)):
            answer = await client.get("/products", params={"updatedSince": far})
            assert (answer.status_code, len(answer.json()) >= count) == (200, True)
            assert count or answer.json() == []
        wrong = await client.get("/products?updatedSince=soon")
        assert problem(wrong)[3] == ["updatedSince"]
        assert "query" in wrong.json()["validation"]
        twice = await client.get("/products?updatedSince=2026-01-01&updatedSince=2026-01-02")
        assert problem(twice)[2] == '"updatedSince" must be sent once'
