"""An ERP: it registers each article at the platform before the first sale, and sells it at once.

    python erp.py NAME COUNT CATALOGUE KEY SECRET RECEIPTS [CLIENT]

CATALOGUE is the platform's address. RECEIPTS is where it sells: the same address, with the till's
CLIENT, or that of the shop's own server. The same articles are in the books of every branch, so two
programs with other names register them at the same time. Half of them have a code of the ERP's; the
others have a barcode, and the platform gives the code.

At the end an article's price, name and label are changed, it is withdrawn and registered again, and
sold each time; one piece of the first sale comes back, which the refund names by its code. Prints
as JSON what it sold, what it got and what was refused, held against the receipts that it looks up
by its keys; ends with 1 where something is missing, doubled, or of another amount.
"""

import json
import ssl
import sys
import time
import uuid
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import httpx

TRUSTED = ssl.create_default_context()
LONGEST = 60.0
EXISTS, GONE = 40090002, "does not exist"


@dataclass
class Article:
    """An article of the ERP's books; `code` and `product` are the platform's."""

    name: str
    label: str
    price: Decimal
    ean: str | None = None
    code: int | None = None
    product: str | None = None


@dataclass
class Sale:
    """One sale of the books, and how it ended."""

    key: str
    article: Article
    quantity: int
    own_article: bool = False
    number: str | None = None
    answered: str | None = None
    refused: str | None = None

    @property
    def total(self) -> Decimal:
        return self.quantity * self.article.price


def articles(count: int) -> list[Article]:
    return [
        Article(
            name=f"Артикал {place}",
            label="ЂЕ"[place % 2],
            price=Decimal(10000 + 1111 * place) / 100,
            code=7000 + place if place % 2 == 0 else None,
            ean=f"860{place:09}{check_digit(f'860{place:09}')}" if place % 2 else None,
        )
        for place in range(count)
    ]


def check_digit(digits: str) -> int:
    return -sum(int(one) * (3 if place % 2 else 1) for place, one in enumerate(digits)) % 10


@dataclass
class Erp:
    name: str
    catalogue: httpx.Client
    receipts: httpx.Client
    client: str | None
    sales: list[Sale] = field(default_factory=list)
    registered: int = 0
    found: int = 0

    def register(self, article: Article) -> None:
        """Have the article at the platform, whoever was first."""
        body = {"name": article.name, "taxRateLabel": article.label, "price": float(article.price)}
        body |= {"sku": article.code} if article.code else {"ean": article.ean}
        answer = self.catalogue.post("/products", json=body)
        told = answer.json()
        if answer.status_code == httpx.codes.CREATED:
            self.registered += 1
        elif told["code"] == EXISTS:
            told = self.product(article)
            self.found += 1
        else:
            raise SystemExit(f"{article.name}: {answer.text}")
        article.product, article.code = told["id"], told["sku"]

    def product(self, article: Article) -> dict[str, Any]:
        """Find the product with its code or barcode; a withdrawn one is brought back."""
        for since in ({}, {"updatedSince": "2020-01-01T00:00:00Z"}):
            products = self.catalogue.get("/products", params=since).json()
            for one in products:
                if one["ean"] == article.ean if article.ean else one["sku"] == article.code:
                    article.product = one["id"]
                    if one["deletedAt"]:
                        self.change(article, deletedAt=None)
                    found: dict[str, Any] = one
                    return found
        raise SystemExit(f"{article.name} exists already, and is in no list")

    def change(self, article: Article, **members: Any) -> None:
        answer = self.catalogue.patch(f"/products/{article.product}", json=members)
        assert answer.status_code == httpx.codes.OK, answer.text

    def sell(self, article: Article, quantity: int, *, own_article: bool = False) -> Sale:
        """Write the sale into the books, then send it until it is answered."""
        place = f"{self.name}:{len(self.sales)}"
        sale = Sale(str(uuid.uuid5(uuid.NAMESPACE_OID, place)), article, quantity, own_article)
        self.sales.append(sale)
        end = time.monotonic() + LONGEST
        while sale.number is None and sale.refused is None:
            assert time.monotonic() < end, sale
            answer = self.receipts.post(
                "/fiscalization/receipts",
                json=self.order(sale),
                headers={"Idempotency-Key": sale.key},
            )
            told = json.loads(answer.text, parse_float=Decimal)
            if answer.status_code == httpx.codes.OK:
                sale.number = told["invoiceNumber"]
                sale.answered = told["journal"]
            elif told["class"] == "fix":
                self.mend(sale, told)
            elif told["class"] == "cure":
                raise SystemExit(f"a person must help: {answer.text}")
            else:
                time.sleep(0.3)
        return sale

    def mend(self, sale: Sale, told: dict[str, Any]) -> None:
        """Send an article along that the shop's own server does not have yet."""
        is_unknown = told["validation"].get("body", {}).get("keys") == ["items[0].sku"]
        if is_unknown and self.client is None and not sale.own_article:
            sale.own_article = True
        else:
            sale.refused = told["message"]

    def order(self, sale: Sale) -> dict[str, Any]:
        item: dict[str, Any] = {
            "sku": sale.article.code,
            "quantity": sale.quantity,
            "unitPrice": float(sale.article.price),
        }
        if sale.own_article:
            item["article"] = {"name": sale.article.name, "taxRateLabel": sale.article.label}
        return {
            "invoiceType": "normal",
            "transactionType": "sale",
            "payments": {"wiretransfer": float(sale.total)},
            "items": [item],
            "receiptDelivery": {"pdf": False},
            **({"clientId": self.client} if self.client else {}),
        }

    def take_back(self, sale: Sale) -> str:
        """Take back one piece of it; returns the number of the refund."""
        answer = self.receipts.post(
            f"/fiscalization/receipts/{sale.number}/refund",
            json={
                "buyerId": "10:123456788",
                "payments": {"wiretransfer": float(sale.article.price)},
                "items": [{"sku": sale.article.code, "quantity": 1}],
                "receiptDelivery": {"pdf": False},
                **({"clientId": self.client} if self.client else {}),
            },
            headers={"Idempotency-Key": str(uuid.uuid5(uuid.NAMESPACE_OID, sale.key))},
        )
        assert answer.status_code == httpx.codes.OK, answer.text
        (refund,) = json.loads(answer.text, parse_float=Decimal)
        assert refund["totalAmount"] == sale.article.price, refund
        return str(refund["invoiceNumber"])

    def wrong(self) -> list[str]:
        """The differences between the receipts of the service and the books."""
        faults = []
        for sale in self.sales:
            answer = self.receipts.get(
                f"/fiscalization/receipts/key:{sale.key}",
                params={"clientId": self.client} if self.client else {},
            )
            told = json.loads(answer.text, parse_float=Decimal)
            if sale.refused is not None:
                if answer.status_code != httpx.codes.NOT_FOUND:
                    faults.append(f"{sale.key} was refused, and answers {answer.text}")
                continue
            article = sale.article
            (tax,) = told["taxItems"]
            held = (told["invoiceNumber"], told["totalAmount"], tax["label"], told["journal"])
            if held != (sale.number, sale.total, article.label, sale.answered):
                faults.append(f"{article.name} {sale}: {held}")
            if f"{article.name} ({article.label})" not in told["journal"]:
                faults.append(f"{article.name} is not on {told['journal']}")
        numbers = [sale.number for sale in self.sales if sale.number]
        if len(set(numbers)) != len(numbers):
            faults.append(f"one receipt for two sales: {numbers}")
        return faults


def main(
    name: str,
    count: str,
    catalogue: str,
    key: str,
    secret: str,
    receipts: str,
    client: str | None = None,
) -> int:
    auth, patience = (key, secret), 25.0
    with (
        httpx.Client(base_url=catalogue, auth=auth, verify=TRUSTED, timeout=patience) as platform,
        httpx.Client(
            base_url=receipts, auth=auth if client else None, verify=TRUSTED, timeout=patience
        ) as fiscal,
    ):
        erp = Erp(name, platform, fiscal, client)
        books = articles(int(count))
        for place, article in enumerate(books):
            erp.register(article)
            erp.sell(article, place % 3 + 1)
        own = Article(f"Артикал из {name}", "Ђ", Decimal("120.00"), code=code_of(name))
        erp.register(own)
        erp.sell(own, 1)
        renamed = Article(f"Нов назив из {name}", "Е", Decimal("132.50"), code=own.code)
        erp.change(own, name=renamed.name, taxRateLabel=renamed.label, price=132.5)
        # The till takes a change when it synchronises, so the article is sent along to the shop.
        erp.sell(renamed, 2, own_article=client is None)
        platform.delete(f"/products/{own.product}")
        gone = erp.sell(renamed, 1)
        erp.register(renamed)
        erp.sell(renamed, 3)
        refund = erp.take_back(erp.sales[0])
        faults = erp.wrong()
        if client and (gone.refused is None or GONE not in gone.refused):
            faults.append(f"a withdrawn article was sold: {gone}")
        sold = [sale for sale in erp.sales if sale.number]
        summary = {
            "registered": erp.registered,
            "found": erp.found,
            "receipts": {sale.number: str(sale.total) for sale in sold},
            "refunds": {refund: str(erp.sales[0].article.price)},
            "own_articles": sum(sale.own_article for sale in sold),
            "refused": [sale.refused for sale in erp.sales if sale.refused],
            "sum": str(sum((sale.total for sale in sold), Decimal(0))),
            "wrong": faults,
        }
    print(json.dumps(summary, ensure_ascii=False))
    return 1 if faults else 0


def code_of(name: str) -> int:
    return 10**6 + uuid.uuid5(uuid.NAMESPACE_OID, name).int % 10**6


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
