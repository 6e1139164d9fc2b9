"""Files of articles, byte by byte as the tills and programs of small shops in Serbia write them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import openpyxl

from pos_app.selling.catalogue.sheet.row_plan import NOTHING_SAID_OF_SHEET, Question, SheetAnswers

Rows = Sequence[Sequence[object]]
Lines = list[list[object]]


def ean(twelve: str) -> str:
    """Return an EAN-13: the twelve digits and their check digit."""
    weighted = sum(int(one) * (3 if at % 2 else 1) for at, one in enumerate(twelve))
    return f"{twelve}{-weighted % 10}"


@dataclass(frozen=True)
class Good:
    """An article as it must become. eans: its EAN, then further barcodes."""

    sku: int | None
    name: str
    price: str
    label: str
    unit: str
    eans: tuple[str, ...]
    category: str


BREAD = Good(101, "Hleb beli 500 g", "58.99", "Е", "ком", (ean("860012345010"),), "Pekara")
MILK = Good(102, "Mleko 2,8% 1 l", "129.90", "Е", "ком", (ean("860012345020"),), "Mlečni proizvodi")
HAM = Good(
    103, "Šunka praška, rinfuz", "1149.50", "Ђ", "kg", (ean("860012345030"),),
    "Meso, mesne prerađevine",
)  # fmt: skip
COFFEE = Good(104, "Čaj i kafa „Đak“", "1234.00", "Ђ", "ком", (ean("860012345040"),), "Piće")
SHOP = (BREAD, MILK, HAM, COFFEE)
CYRILLIC = tuple(
    replace(one, name=name, category=category)
    for one, name, category in zip(
        SHOP,
        ("Хлеб бели 500 г", "Млеко 2,8% 1 л", "Шунка прашка, ринфуз", "Чај и кафа „Ђак“"),
        ("Пекара", "Млечни производи", "Месо, месне прерађевине", "Пиће"),
        strict=True,
    )
)
SECOND = ean("860012345021"), ean("860012345022")
MANY = tuple(replace(one, eans=(*one.eans, *SECOND)) if one is MILK else one for one in SHOP)
RATES, LATIN = {"Ђ": "20", "Е": "10", "Г": "0"}, {"Ђ": "Đ", "Е": "E", "Г": "G", "А": "A"}
UNITS = {"ком": "kom", "kg": "kg"}


@dataclass(frozen=True)
class OldTill:
    """A file of articles. said: a person's answers about it. refused: the number of rows that can't
    be imported; left_out: the number of rows about no article. tells: the kinds of remarks that the
    import makes on cells."""

    name: str
    content: bytes
    goods: tuple[Good, ...] = SHOP
    said: SheetAnswers = NOTHING_SAID_OF_SHEET
    refused: int = 0
    left_out: int = 0
    joined: int = 0
    tells: frozenset[str] = frozenset()

    @property
    def suffix(self) -> str:
        return ".xlsx" if self.content.startswith(b"PK") else ".csv"


FIELDS = ("sku", "name", "ean", "sale_unit_id", "price", "tax_label", "categories")
FIFTH_IS_PRICE = SheetAnswers(fields={4: "price"})


def answer(question: Question, said: str) -> SheetAnswers:
    return SheetAnswers(by_question={question: said})


def comma(price: str) -> str:
    return price.replace(".", ",")


def dotted(price: str) -> str:
    """1149.50 -> 1.149,50"""
    return f"{float(price):,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


def text(rows: Rows, *, sep: str = ";", encoding: str = "utf-8", end: str = "\r\n") -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sep, lineterminator=end)
    writer.writerows([["" if one is None else one for one in row] for row in rows])
    return out.getvalue().encode(encoding)


def xlsx(rows: Rows, *, merged: Iterable[str] = (), hidden_first: bool = False) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    if hidden_first:
        sheet.append(["Šifra", "Naziv", "Cena"])
        sheet = book.create_sheet("Artikli")
        book.worksheets[0].sheet_state = "hidden"
        book.active = sheet
    for row in rows:
        sheet.append(list(row))
    for place in merged:
        sheet.merge_cells(place)
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def lines(
    goods: Iterable[Good],
    *,
    price: Callable[[str], object] = comma,
    tax: Callable[[str], object] = lambda label: label,
    code: Callable[[str], object] = lambda code: code,
) -> Lines:
    """Return sku, name, EAN, unit, price, tax and category of each."""
    rows: Lines = []
    for one in goods:
        words = UNITS[one.unit], price(one.price), tax(one.label), one.category
        rows.append([one.sku, one.name, code(one.eans[0]), *words])
    return rows


HEADS = ("Šifra", "Naziv artikla", "Barkod", "JM", "MPC", "Tarifa", "Kategorija")


def heads(**others: str) -> list[object]:
    """Return the usual heads, some of them in other words."""
    places = dict(zip(("sku", "name", "ean", "unit", "price", "tax", "group"), HEADS, strict=True))
    return list({**places, **others}.values())


def _rate(label: str) -> str:
    return RATES[label]


def _encodings() -> list[OldTill]:
    usual = [heads(), *lines(SHOP)]
    latin = [heads(price="MPC (RSD)", tax="PDV"), *lines(SHOP, tax=LATIN.__getitem__)]
    rate = [heads(price="Cena sa PDV", tax="Stopa PDV-a"), *lines(SHOP, tax=_rate)]
    cyrillic: Lines = [
        ["Шифра", "Назив артикла", "Бар-код", "Јед. мере", "Продајна цена", "Тарифа", "Група"],
        *lines(CYRILLIC),
    ]
    point = [heads(price="Cena", group="Grupa"), *lines(SHOP, price=str, tax=LATIN.get)]
    return [
        OldTill("semicolons, UTF-8 with its mark", text(usual, encoding="utf-8-sig")),
        OldTill("bars, windows-1251", text(cyrillic, sep="|", encoding="cp1251"), CYRILLIC),
        OldTill(
            "ISO 8859-2, prices with a point",
            text(_plain(point), encoding="iso8859_2"),
            _plain_goods(SHOP),
        ),
        OldTill("Unicode text of Excel", text(rate, sep="\t", encoding="utf-16")),
        OldTill("UTF-16 without a mark, Cyrillic", text(cyrillic, encoding="utf-16-le"), CYRILLIC),
        OldTill(
            "DOS, code page 852",
            text(_plain(latin), encoding="cp852", end="\n"),
            _plain_goods(SHOP),
        ),
        OldTill("the line of Excel with the separator", b"sep=;\r\n" + text(usual)),
    ]


def _plain(rows: Rows) -> Lines:
    """Remove the quotation marks that old encodings do not have."""
    return [[str(one).translate({0x201E: "", 0x201C: ""}) for one in row] for row in rows]


def _plain_goods(goods: tuple[Good, ...]) -> tuple[Good, ...]:
    return tuple(replace(one, name=one.name.replace("„", "").replace("“", "")) for one in goods)


def _titles() -> list[OldTill]:
    body = [heads(), *lines(SHOP)]
    above: Lines = [
        ['Trgovina "Lipa", Kneza Miloša 5, Beograd'],
        ["PIB 123456789, MB 12345678"],
        [],
        ["Spisak artikala na dan 12.11.2026, magacin 1"],
        [],
    ]
    groups: Lines = [
        ["Artikal", None, None, None, "Cena", None, "Porez", None],
        ["Šifra", "Naziv", "Barkod", "JM", "VP", "MP", "Stopa", "Robna grupa"],
        *([*row[:4], 1.5, float(str(row[4])), *row[5:]] for row in _in(SHOP)),
    ]
    price: Lines = [
        ["Šifra", "Naziv", "EAN", "JM", "Cena", "", "Poreska oznaka", "Grupa"],
        ["", "", "", "", "bez PDV", "sa PDV", "", ""],
        *([*row[:4], "1,00", comma(str(row[4])), *row[5:]] for row in _in(SHOP, tax=LATIN.get)),
    ]
    above_heads: Lines = [
        ["Artikal", "", "", "Pakovanje", "Cena", "", "Porez", ""],
        ["Šifra", "Naziv robe", "Barkod", "JM", "VP", "MP", "stopa", "Grupa"],
        *([*row[:4], "1,00", comma(str(row[4])), *row[5:]] for row in _in(SHOP, tax=LATIN.get)),
    ]
    sums: Lines = [
        *body,
        [],
        ["", "UKUPNO:", "", "", "2.572,39", "", ""],
        ["", "", "", "", "", "", ""],
    ]
    pages: Lines = [
        *body[:3],
        ["Strana 1 od 2", *[""] * 6],
        *[body[0]],
        *body[3:],
        ["Odštampao: Mira", *[""] * 6],
        ["", "PEKARA", *[""] * 5],
    ]
    return [
        OldTill(
            "a title with commas above commas",
            b"Cenovnik, maloprodaja, 2026\r\n" + text(body, sep=","),
        ),
        OldTill("XLSX, heads in row 6 below an address", xlsx([*above, *body])),
        OldTill("XLSX, heads of groups", xlsx(groups, merged=("A1:D1", "E1:F1", "G1:H1"))),
        OldTill("heads of groups, with and without tax", text(price)),
        OldTill(
            "heads of groups on each page",
            text([*price[:4], ["Strana 1", *[""] * 7], *price[:2], *price[4:]]),
            left_out=1,
        ),
        OldTill(
            "the second row of heads on each page",
            text([*price[:4], ["Strana 1", *[""] * 7], price[1], *price[4:]]),
            left_out=1,
        ),
        OldTill(
            "groups above their heads, which stand on each page",
            text([*above_heads[:4], ["Strana 1", *[""] * 7], above_heads[1], *above_heads[4:]]),
            left_out=1,
        ),
        OldTill("empty rows and sums at the end", text(sums), left_out=1),
        OldTill("heads on each page, and feet", text(pages), left_out=3),
    ]


def _in(goods: Iterable[Good], tax: Callable[[str], object] = _rate) -> Lines:
    return lines(goods, price=str, tax=tax)


def _barcodes() -> list[OldTill]:
    one_cell = [heads(), *lines(MANY)]
    one_cell[2][2] = ", ".join(MANY[1].eans)
    plain = lines(MANY)
    again: Lines = [
        heads(),
        *plain[:2],
        [*plain[1][:2], SECOND[0], *plain[1][3:]],
        [*plain[1][:2], SECOND[1], *plain[1][3:]],
        *plain[2:],
    ]
    by_code: Lines = [heads(), *plain, [102, None, SECOND[0]], [102, None, SECOND[1]]]
    numbers = [heads(), *lines(SHOP, code=int, price=float, tax=_number_of)]
    lost = [heads(), *lines(SHOP)]
    lost[1][2], lost[4][2] = "8,60E+12", "8.6E+12"
    zeros = (
        replace(BREAD, eans=(_upc("01234567891"),)),
        replace(MILK, eans=(_upc("00123456789"),)),
        *SHOP[2:],
    )
    columns: Lines = [
        ["Šifra", "Naziv", "EAN 1", "EAN 2", "EAN 3", "JM", "Cena", "PDV %", "Grupa"],
        *(
            [*row[:2], *_padded(good.eans), *row[3:]]
            for good, row in zip(MANY, lines(MANY, tax=_rate), strict=True)
        ),
    ]
    return [
        OldTill("barcodes parted by commas in one cell", text(one_cell), MANY),
        OldTill("a row for each barcode", text(again), MANY, joined=2),
        OldTill("XLSX, further barcodes by their code at the end", xlsx(by_code), MANY, joined=2),
        OldTill("XLSX, everything that can be a number is one", xlsx(numbers)),
        OldTill(
            "EANs of which the spreadsheet lost the digits",
            text(lost),
            (MILK, HAM),
            refused=2,
            tells=frozenset({"digits_lost"}),
        ),
        OldTill(
            "XLSX, EANs without their zeros in front",
            xlsx([heads(), *lines(zeros, code=int)]),
            zeros,
            tells=frozenset({"ean_zeros"}),
        ),
        OldTill("a column for each barcode", text(columns), MANY),
    ]


def _with_purchase(one: Good) -> list[object]:
    """Return a row that also holds the purchase price, the wholesale price and the margin."""
    prices = ["10,00", "20,00", comma(one.price), "15", RATES[one.label]]
    return [one.sku, one.name, *prices, UNITS[one.unit], one.eans[0], one.category]


def _number_of(label: str) -> float:
    return float(RATES[label]) / 100


def _upc(eleven: str) -> str:
    return ean(f"0{eleven}")[1:]


def _padded(eans: tuple[str, ...]) -> list[str]:
    return [*eans, "", ""][:3]


def _prices() -> list[OldTill]:
    prices = zip(SHOP, ("60.00", "130.00", "1149.00", "1234.00"), strict=True)
    whole = tuple(replace(one, price=price) for one, price in prices)
    no_decimals = [heads(), *lines(whole, price=lambda one: dotted(one).removesuffix(",00"))]
    three: Lines = [
        [
            *("Sifra", "Naziv", "Nabavna cena", "VP cena", "MP cena", "Marža %"),
            *("PDV", "JM", "EAN", "Robna grupa"),
        ],
        *(_with_purchase(one) for one in SHOP),
    ]
    twice: Lines = [
        [*heads(price="MPC"), "Maloprodajna cena"],
        *([*row, "1,00"] for row in lines(SHOP)),
    ]
    sql: Lines = [
        ["id artikla", "naziv", "barkod", "jedinica mere", "cena", "stopa poreza", "grupa"],
        *lines(SHOP, price=lambda one: f"{one}00", tax=lambda one: f"{RATES[one]}.0000"),
    ]
    for row in sql[1:]:
        row[0] = f"{row[0]}.0"
    english: Lines = [
        ["Code", "Name", "Barcode", "Unit", "Retail price", "VAT rate", "Category"],
        *lines(SHOP, price=lambda one: f"{float(one):,.2f}", tax=_rate),
    ]
    cyrillic: Lines = [
        ["Шифра", "Назив", "ЕАН", "ЈМ", "Цена (дин.)", "Стопа ПДВ-а", "Робна група"],
        *lines(CYRILLIC, price=lambda one: f"{comma(one)} дин", tax=_rate),
    ]
    return [
        OldTill("prices with дин, windows-1251", text(cyrillic, encoding="cp1251"), CYRILLIC),
        OldTill("prices that were paid, of wholesale and of retail", text(three)),
        OldTill(
            "whole prices with points in thousands",
            text(no_decimals),
            whole,
            said=answer(Question.POINT, "yes"),
        ),
        OldTill("two columns of the retail price", text(twice), said=FIFTH_IS_PRICE),
        OldTill("an export of a database", text(sql, sep=",")),
        OldTill("English heads and thousands", text(english, sep=",")),
    ]


def _left_open() -> list[OldTill]:
    free = tuple(replace(one, label="Г") if one is COFFEE else one for one in SHOP)
    zero = [heads(tax="Stopa PDV-a"), *lines(free, tax=_rate)]
    all_ten = tuple(replace(one, label="Е") for one in SHOP)
    no_tax = [[*row[:5], *row[6:]] for row in [heads(), *lines(SHOP)]]
    own_head = [heads(price="Cena za kupca"), *lines(SHOP)]
    no_code = tuple(replace(one, sku=None) for one in SHOP)
    by_ean = [row[1:] for row in [heads(), *lines(SHOP, tax=lambda one: f"{one} ({RATES[one]}%)")]]
    hidden: Lines = [
        ["Шифра", "Назив", "ЕАН", "ЈМ", "МПЦ", "Пореска стопа", "Робна група"],
        *lines(CYRILLIC, price=float, tax=_rate),
    ]
    each_named = SheetAnswers(fields=dict(enumerate(FIELDS)))
    return [
        OldTill("rates of 20, 10 and 0", text(zero), free, said=answer(Question.ZERO, "Г")),
        OldTill("no column of the tax", text(no_tax), all_ten, said=answer(Question.LABEL, "Е")),
        OldTill("a price whose head nobody knows", text(own_head), said=FIFTH_IS_PRICE),
        OldTill("no article codes, labels with their rates", text(by_ean), no_code),
        OldTill("XLSX, Cyrillic, behind a hidden sheet", xlsx(hidden, hidden_first=True), CYRILLIC),
        OldTill("no heads at all", text(lines(SHOP)), said=each_named),
    ]


FILES = (*_encodings(), *_titles(), *_barcodes(), *_prices(), *_left_open())
