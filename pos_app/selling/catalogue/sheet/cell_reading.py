"""A cell is read as if it were typed into the form, in the words that people use for it.

Source: till.md (Catalogue: import/export with a preview that names each bad cell).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from pos_app.characters import is_blank
from pos_app.domain.article.barcodes import is_gtin
from pos_app.domain.article.fields import KINDS, FieldKind
from pos_app.domain.article.product import USUAL_UNITS, ProductType, Unit
from pos_app.domain.money.money import GRAM, PARA, half_up, without_float_noise
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.units import spellings_of, usual_unit
from pos_app.domain.text.search_text import fold
from pos_app.errors import Invalid
from pos_app.selling.catalogue.catalogue import Catalogue
from pos_app.selling.catalogue.made_ids import NewNames, id_of_category, id_of_unit
from pos_app.selling.catalogue.names import check_name
from pos_app.selling.catalogue.product_draft import YES, DraftField, barcodes_of_line
from pos_app.selling.catalogue.sheet.row_plan import NOTHING_SAID_OF_SHEET, Question, SheetAnswers
from pos_app.selling.cells import Formula, NumberCell, other_currency

_F = DraftField
TYPES = {"product": "производ", "service": "услуга", "digital": "дигитално"}
_LABELS = {
    "ђ": TaxLabel.DJ, "đ": TaxLabel.DJ, "dj": TaxLabel.DJ, "o pdv": TaxLabel.DJ,
    "opsta": TaxLabel.DJ, "opsta stopa": TaxLabel.DJ,
    "е": TaxLabel.E, "e": TaxLabel.E, "p pdv": TaxLabel.E,
    "posebna": TaxLabel.E, "posebna stopa": TaxLabel.E,
    "г": TaxLabel.G, "g": TaxLabel.G, "bez pdv": TaxLabel.G,
    "а": TaxLabel.A, "a": TaxLabel.A, "nije u pdv": TaxLabel.A,
}  # fmt: skip
"""Labels as people write them: also with Latin letters that look alike, and by the name of the rate
in the law. The names are folded."""
_CURRENCY = re.compile(
    r"^(rsd|рсд|din|дин)\b\.?|(?<=[\d\s.,–-])(rsd|рсд|din|дин)\.?$", re.IGNORECASE
)
_WHOLE = re.compile(r"(?<=[0-9])[.,] ?[-–—]{1,2}$")
_BLANKS = re.compile("[ \u00a0\u2009\u202f]")
_SPACED = re.compile(rf"[0-9]{{1,3}}({_BLANKS.pattern}[0-9]{{3}})+([.,][0-9]{{0,2}})?")
_RATE = re.compile(r"[0-9]{1,3}(\.[0-9]{1,4})?")
YES_WORDS = frozenset({"1", "da", "yes", "true", "x", "y"})
NO_WORDS = frozenset({"0", "ne", "no", "false", "n"})
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)?")
_TAX_WORDS = frozenset({"pdv", "vat", "tax", "porez", "stopa", "rate"})
"""Words beside a rate that say nothing more."""
_THOUSANDS_ENGLISH = re.compile(r"[0-9]{1,3}(,[0-9]{3})+\.[0-9]{1,2}")
_ZEROS_BEHIND = re.compile(r"([0-9]+[.,][0-9]{2})00+")
_WITH_COMMA = re.compile(r".*,(?:[0-9]{1,2}|[0-9]{4,})")
_WITH_POINT = re.compile(r".*\.(?:[0-9]{1,2}|[0-9]{4,})")
_MAYBE_THOUSAND = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
_POWER = re.compile(r"([0-9])(?:[.,]([0-9]+))?E\+?([0-9]{1,2})", re.IGNORECASE)
_WHOLE_NUMBER = re.compile(r"([0-9]+)[.,]0+")
_LABEL_AND_RATE = re.compile(
    r"([^\W\d_]{1,2})\W{0,3}([0-9]{1,2})[ %)]{0,3}|([0-9]{1,2})[ %(-]{0,4}([^\W\d_]{1,2})\)?"
)
_SHORTENED = {7: 8, 9: 12, 10: 12, 11: 12}
"""The length of an EAN whose leading zeros are lost, and its full length. Shorter codes, and those
of seven digits that begin as a scale's do, are the shop's own."""
_BETWEEN_CODES = re.compile(r"[,;|/\s]+")
_MOST_LISTED = 60
"""The most letters of a value that an error repeats."""


class CellReader:
    """Turns cells into texts of the form, and texts of the form into words for people.

    It knows units and categories by their names, also those that earlier cells make. rates:
    today's, in percent, by which a cell may name a label.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        rates: Mapping[TaxLabel, Decimal],
        *,
        answers: SheetAnswers = NOTHING_SAID_OF_SHEET,
        point: str = "",
    ) -> None:
        """point: the sign before the decimals of prices, as `decimal_sign` returned it."""
        self._rates = rates
        self._zero = answers.by_question.get(Question.ZERO, "")
        self._thousands = answers.by_question.get(Question.POINT, "")
        self._taxes = {fold(text): label for text, label in answers.by_tax.items()}
        self._point = point
        units = catalogue.units() or USUAL_UNITS  # they are added with the first import
        self._units = unit_words(units)
        self._new_units: dict[str, tuple[str, str]] = {}
        self.piece = next((one.id for one in units if one.is_piece), None)
        self._categories = {
            fold(one.category.name): one.category.id for one in catalogue.categories()
        }
        self.symbols = {one.id: one.symbol for one in units}
        """Those of all units, by id, also of units that earlier cells make."""
        self._names = {one.category.id: one.category.name for one in catalogue.categories()}
        self._new_categories: dict[str, str] = {}

    def label(self, text: str) -> TaxLabel:
        answer = self._taxes.get(fold(text))
        if answer:
            return TaxLabel(answer)
        try:
            return read_label(text, self._rates)
        except Invalid as error:
            if self._zero and error.kind == "label_zero":
                return TaxLabel(self._zero)
            raise

    def _price(self, text: str) -> str:
        if isinstance(text, NumberCell):
            return _number_typed(text, PARA, "amount")
        typed = price_typed(text)
        if currency := other_currency(text):
            raise Invalid("other_currency", currency=currency)
        if not _MAYBE_THOUSAND.fullmatch(typed):
            return typed
        sign = typed[-4]
        groups = self._point and sign != self._point
        if self._thousands == "yes" or (groups and self._thousands != "no"):
            return typed.replace(sign, "")
        return f"{typed[:-1]}" if self._thousands == "no" and typed.endswith("0") else typed

    def typed_text(self, name: str, text: str) -> str:
        """A cell as it would be typed. Raises Invalid."""
        if isinstance(text, Formula):
            raise Invalid("formula")
        match KINDS.get(name, name):
            case FieldKind.TAX_LABEL:
                return self.label(text).value
            case FieldKind.PRICE | _F.PLANNED_PRICE:
                return self._price(text)
            case FieldKind.NUMBER if isinstance(text, NumberCell):
                text = _number_typed(text, GRAM, "quantity")
            case FieldKind.UNIT:
                return self._unit(text)
            case FieldKind.CATEGORIES:
                parts = (part.strip() for part in self._category_names(text))
                return "\n".join(dict.fromkeys(self._category(part) for part in parts if part))
            case FieldKind.SKU | FieldKind.EAN | _F.BARCODES as kind:
                return _codes_typed(kind, text)
            case FieldKind.PRODUCT_TYPE:
                return _product_type(text)
            case _F.OPEN_PRICE | _F.PINNED:
                return _yes_or_no(text)
        return text

    def shown_text(self, name: str, typed_text: str) -> str:
        match KINDS.get(name, name):
            case FieldKind.UNIT:
                text = self.symbols.get(typed_text, "")
            case FieldKind.CATEGORIES:
                known = (self._names.get(one, "") for one in typed_text.splitlines())
                text = ", ".join(one for one in known if one)
            case FieldKind.PRODUCT_TYPE:
                text = TYPES.get(typed_text, "")
            case _F.OPEN_PRICE | _F.PINNED:
                text = "да" if typed_text else "не"
            case _:
                text = "; ".join(typed_text.splitlines())
        return text if len(text) <= _MOST_LISTED else f"{text[: _MOST_LISTED - 1]}…"

    def new_names(self, typed_fields: Mapping[str, str]) -> NewNames:
        """The units and categories of a row that do not exist yet."""
        named = typed_fields.get(_F.CATEGORIES, "").splitlines()
        units = [typed_fields.get(one, "") for one in (_F.UNIT, _F.BASE_UNIT)]
        return NewNames(
            {one: self._new_categories[one] for one in named if one in self._new_categories},
            {one: self._new_units[one] for one in units if one in self._new_units},
        )

    def _category_names(self, text: str) -> list[str]:
        """Category names in a cell; a comma may be in a name, so it separates only existing
        ones."""
        if fold(text) in self._categories:
            return [text]
        if ";" in text or "|" in text:
            return re.split(r"[;|]", text)
        parts = text.split(",")
        return parts if all(fold(one) in self._categories for one in parts) else [text]

    def _unit(self, text: str) -> str:
        """The unit of that word, however it is spelled; a new one is made with the row that names
        it."""
        words = spellings_of(text)
        known = next((self._units[word] for word in words if word in self._units), None)
        if known is not None or not words:
            return known or ""
        name, symbol = usual_unit(text)
        made = id_of_unit(symbol)
        check_name(Unit(made, name, symbol), (), old=None, has_articles=False)
        self._units |= dict.fromkeys(words, made)
        self._new_units[made] = (name, symbol)
        self.symbols[made] = symbol
        return made

    def _category(self, text: str) -> str:
        """The category of that name; a new one is made with the row that names it."""
        word = fold(text)
        if is_blank(text) or not word:
            raise Invalid("no_category")
        if word not in self._categories:
            made = id_of_category(text)
            self._categories[word] = made
            self._new_categories[made] = text
            self._names[made] = text
        return self._categories[word]


def read_label(text: str, rates: Mapping[TaxLabel, Decimal]) -> TaxLabel:
    """The label that a person means by a letter, a rate or the name of a rate. rates: today's, in
    percent. Raises Invalid.

    | written                         | rates Ђ 20, Е 10, Г and А 0 | Ђ 22, Е 8, Г 5, А 0 |
    | Ђ, đ, О-ПДВ, општа              | Ђ                           | Ђ     |
    | 20, 20 %, 20,00%, 20.00, 0.2    | Ђ                           | label |
    | 22, 22 %, 0.22                  | label                       | Ђ     |
    | Е, e, посебна                   | Е                           | Е     |
    | 10 %, 10.00                     | Е                           | label |
    | Г, без ПДВ                      | Г                           | Г     |
    | А, није у ПДВ                   | А                           | А     |
    | 20% PDV, PDV 20, VAT (20%)      | Ђ                           | label |
    | 0, 0 %, 0% PDV                  | label_zero: it is Г or А    | А     |
    | standard, 10% + 20%, 0% izvoz   | label                       | label |
    """
    typed = text.strip()
    found = _LABELS.get(typed.lower()) or _LABELS.get(fold(typed)) or _both(typed, rates)
    number = _rate_in_words(typed) or typed.rstrip("% ").replace(",", ".")
    if found is None and _RATE.fullmatch(number):
        meant = _labels_at(Decimal(number), rates)
        if set(meant) == {TaxLabel.G, TaxLabel.A}:
            raise Invalid("label_zero")
        found = meant[0] if len(meant) == 1 else None
    if found is None:
        raise Invalid("label")
    return found


def _both(text: str, rates: Mapping[TaxLabel, Decimal]) -> TaxLabel | None:
    """The label of a cell that has its letter and its rate, as "Ђ (20%)". It is None where the cell
    lacks one of them, or the letter has another rate."""
    parts = _LABEL_AND_RATE.fullmatch(text)
    if parts is None:
        return None
    letter, rate = parts[1] or parts[4], parts[2] or parts[3]
    found = _LABELS.get(letter.lower())
    return found if found is not None and rates.get(found) == Decimal(rate) else None


def _rate_in_words(text: str) -> str:
    """The rate of a text that names one number and says nothing else of the tax; "" for any other
    text. 0 % has several meanings, so that other words beside it count."""
    numbers = [*dict.fromkeys(_NUMBER.findall(text))]
    words = set(fold(_NUMBER.sub(" ", text)).split()) - _TAX_WORDS
    if len(numbers) != 1 or "-" in text.partition(numbers[0])[0][-1:] or words & _LABELS.keys():
        return ""
    rate = str(numbers[0]).replace(",", ".")
    return "" if words and ("%" not in text or not Decimal(rate)) else rate


def _labels_at(number: Decimal, rates: Mapping[TaxLabel, Decimal]) -> list[TaxLabel]:
    """Labels with that rate; a spreadsheet stores "20 %" as 0.2."""
    return [label for label, rate in rates.items() if number in (rate, rate / 100)]


def price_typed(text: str) -> str:
    """A price of a sheet as a cashier would type it; other texts stay as they are.

    | written                         | typed    |
    | 58,99 RSD, din. 58,99           | 58,99    |
    | 12 345,00                       | 12345,00 |
    | 100,-                           | 100,00   |
    | 1.234,-                         | 1.234,00 |
    | 1,234.50                        | 1234.50  |
    | 58.9900                         | 58.99    |
    | 1.234 RSD                       | 1.234, which is refused: it may be a thousand |
    """
    plain = _CURRENCY.sub("", text).strip() or text  # an empty text would delete the price
    plain = _WHOLE.sub(",00", plain)
    plain = _ZEROS_BEHIND.sub(r"\1", plain) if _ZEROS_BEHIND.fullmatch(plain) else plain
    if _THOUSANDS_ENGLISH.fullmatch(plain):
        return plain.replace(",", "")
    return _BLANKS.sub("", plain) if _SPACED.fullmatch(plain) else plain


def _number_typed(number: NumberCell, unit: Decimal, what: str) -> str:
    """A number of a workbook as a cashier would type it, without what a float adds to a multiple of
    the unit. Raises Invalid (kind decimals), as its point never separates thousands.

    | number   | price                 |
    | 120.5    | 120,50                |
    | 58.99001 | 58,99                 |
    | 144.444  | Invalid: three places |
    """
    exact = without_float_noise(Decimal(number), unit)
    if exact != half_up(exact, unit):
        raise Invalid(f"decimals.{what}")
    return f"{exact:f}".replace(".", ",")


def decimal_sign(prices: Iterable[str]) -> str:
    """The sign before the decimals in a column of prices; "" where the column has none or both.
    Number cells of a workbook say nothing of how its texts are written.

    | prices           | sign |
    | 58,99 · 1.234    | ,    |
    | 58.99 · 1,234    | .    |
    | 1.234 · 950      |      |
    | 58,99 · 58.99    |      |
    """
    plain = [_CURRENCY.sub("", one).strip() for one in prices if not isinstance(one, NumberCell)]
    comma = any(_WITH_COMMA.fullmatch(one) for one in plain)
    point = any(_WITH_POINT.fullmatch(one) for one in plain)
    if comma == point:
        return ""
    return "," if comma else "."


def whole_code(text: str) -> str:
    """A code as it was before a spreadsheet took it for a number.

    | written            | code          |
    | 8600123450144,00   | 8600123450144 |
    | 8,600123450144E+12 | 8600123450144 |
    | 8,60E+12           | Invalid, digits_lost: digits are missing |
    """
    typed = text.strip().strip("'\u200b").replace("\u00a0", "").strip()
    power = _POWER.fullmatch(typed)
    if power:
        decimals = power[2] or ""
        if len(decimals) != int(power[3]):
            raise Invalid("digits_lost")
        return f"{power[1]}{decimals}"
    whole = _WHOLE_NUMBER.fullmatch(typed)
    return whole[1] if whole else typed


def full_ean(code: str) -> str:
    """An EAN with the zeros in front that a spreadsheet took from it.

    | written      | EAN           |
    | 12345678905  | 012345678905  |
    | 123456       | 123456: the shop's own |
    """
    is_of_scale = len(code) == 7 and code.startswith("2")
    if len(code) not in _SHORTENED or not code.isdigit() or is_of_scale:
        return code
    full = code.zfill(_SHORTENED[len(code)])
    return full if is_gtin(full) else code


def codes_in(text: str) -> list[str]:
    """The codes of an EAN cell. There are several where signs or blanks separate digits that could
    each be a code; else the cell itself is the code."""
    parts = [one for one in _BETWEEN_CODES.split(text.strip()) if one]
    many = len(parts) > 1 and all(one.isdigit() and len(one) >= 6 for one in parts)
    return list(dict.fromkeys(parts)) if many else [text]


def _codes_typed(kind: object, text: str) -> str:
    if kind == _F.BARCODES:
        return "\n".join(map(_barcode, barcodes_of_line(text).splitlines()))
    return full_ean(whole_code(text)) if kind is FieldKind.EAN else whole_code(text)


def _barcode(text_line: str) -> str:
    code, blank, amount = text_line.partition(" ")
    return f"{full_ean(whole_code(code))}{blank}{amount}"


def _product_type(text: str) -> str:
    words = {fold(word): kind for kind, word in TYPES.items()}
    wanted = words.get(fold(text), fold(text))
    if wanted not in {one.value for one in ProductType}:
        raise Invalid("product_type")
    return wanted


def _yes_or_no(text: str) -> str:
    word = fold(text)
    if word not in YES_WORDS | NO_WORDS:
        raise Invalid("yes_or_no")
    return YES if word in YES_WORDS else ""


def unit_words(units: Sequence[Unit]) -> dict[str, str]:
    """Units by their names and symbols; where two units have the same word, the first counts."""
    found: dict[str, str] = {}
    for one in units:
        for word in (one.symbol, one.name):
            found.setdefault(fold(word), one.id)
    return found
