"""The trial of a scanner: it shows a manager what a scan means, and which settings would fit it.

Nothing is sold. Source: till.md (Settings).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum

from pos_app.cashier.scanner.decoder import LAYOUTS
from pos_app.cashier.scanner.trial import TriedScan
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import ActingModel
from pos_app.cashier.settings.values import ValuesModel
from pos_app.domain.article import barcodes, gs1
from pos_app.domain.article.gs1 import Gs1Message
from pos_app.domain.article.scale_labels import PriceCode, ScaleLayout, WeightCode
from pos_app.domain.money.number_text import amount_text, quantity_text
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.catalogue.codes import ReadCode, found_by, read_code
from pos_app.selling.catalogue.label_trial import LabelReading, label_readings
from pos_app.settings import ScannerSettings, named

PREFIX, SUFFIX, LAYOUT, GAP_MS, PORT = named(
    "scanner", "prefix", "suffix", "layout", "gap_ms", "port"
)
(LAYOUTS_OF_SCALES,) = named("scales", "layouts")
LONGEST_GAP_MS = 200
"""The largest value of `scanner.gap_ms`."""
_LONGEST_PREFIX = 6
_EAN_LENGTHS = (8, 12, 13, 14)


class Meaning(StrEnum):
    ARTICLE = "article"
    SEVERAL = "several"
    WEIGHED = "weighed"
    PRICED = "priced"
    RECEIPT = "receipt"
    SHORT_RECEIPT = "short_receipt"
    BADGE = "badge"
    CARD = "card"
    GOODS = "goods"
    """The check digit fits, but no article has the code."""
    WRONG_DIGIT = "wrong_digit"
    NO_ARTICLE = "no_article"
    BROKEN_RECEIPT = "broken_receipt"
    NOISE = "noise"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class TriedCode:
    """A tried scan with its meaning. code: "" for a badge and an identity card, which nobody may
    see. values: they are filled into the words of the meaning."""

    scan: TriedScan
    code: str = field(repr=False)
    meaning: Meaning
    values: Mapping[str, str] = field(repr=False)
    suggested: Mapping[str, str] = field(default_factory=dict)
    """The right values of the settings that don't fit the scan, by name."""
    names_its_kind: bool = False
    """Whether the scanner sends the kind of code ("]E0") before the code."""
    names_message: bool = False
    """Whether that kind says that the code is a GS1 message."""
    readings: Sequence[LabelReading] = ()
    """What each layout would sell for the label of a scale."""


class ScannerTrialModel(ActingModel):
    """values: the values of the page, into which a suggestion is taken over."""

    def __init__(self, services: TillServices, values: ValuesModel) -> None:
        super().__init__(services)
        self._values = values
        self.is_on = False
        self.tried: TriedCode | None = None

    @property
    def can_try(self) -> bool:
        return self.services.scanner_here.control is not None

    @property
    def port_fault(self) -> str:
        """Why nothing comes from the serial port; "" if it is open, or there is none."""
        return self.services.scanner_here.fault if self.services.settings.scanner.port else ""

    def start(self, wanted: Callable[[], bool]) -> None:
        """Take scans for the trial alone, as long as `wanted` returns True."""
        control = self.services.scanner_here.control
        if control is not None:
            self.is_on, self.tried = True, None
            control.try_out(self._note_scan, wanted=wanted)
            self.announce()

    def end(self) -> None:
        control = self.services.scanner_here.control
        if self.is_on and control is not None:
            control.end_trial()
        if self.is_on:
            self.is_on = False
            self.announce()

    def leave(self) -> None:
        self.end()
        self.tried = None

    @property
    def can_take_over(self) -> bool:
        tried, values = self.tried, self._values
        return tried is not None and bool(tried.suggested) and not values.running

    async def save_suggestion(self) -> None:
        """Save the suggestion, which applies to the next scan."""
        tried, values = self.tried, self._values
        if tried is None or not self.can_take_over:
            return
        for setting, typed in tried.suggested.items():
            values.type(setting, typed)
        await values.save()
        if values.saved_at is not None:
            self.tried = None
            self.announce()

    def is_present(self, reading: LabelReading) -> bool:
        return reading.layout in self.services.scale_rules().layouts

    async def save_layout(self, layout: ScaleLayout) -> None:
        """Save how the labels with that prefix are read, and read the tried one so."""
        values, tried = self._values, self.tried
        if values.running or tried is None:
            return
        others = [one for one in self.services.scale_rules().layouts if one.prefix != layout.prefix]
        values.type(LAYOUTS_OF_SCALES, "\n".join(sorted(map(str, (*others, layout)))))
        await values.save()
        if values.saved_at is not None and self.tried is tried:
            self._note_scan(tried.scan)

    def _note_scan(self, scan: TriedScan) -> None:
        self.tried = self._read(scan)
        self.announce()

    # --- what it means ---------------------------------------------------------------------------

    def _read(self, scan: TriedScan) -> TriedCode:
        set_up = self.services.settings.scanner
        text = gs1.trimmed(scan.text(set_up.layout))
        suggested = {} if not scan.by_machine else suggestion(scan, set_up, self._knows)
        code = _without(text, set_up.prefix)
        right = gs1.trimmed(scan.text(suggested.get(LAYOUT, set_up.layout)))
        meaning, values = self._meaning(_without(right, suggested.get(PREFIX, set_up.prefix)))
        is_hidden = meaning in (Meaning.BADGE, Meaning.CARD)
        given = set(self._values.given)
        return TriedCode(
            scan,
            "" if is_hidden else code,
            meaning,
            values,
            {name: typed for name, typed in suggested.items() if name not in given},
            gs1.without_aim(text) != text,
            gs1.names_message(text),
            () if LAYOUTS_OF_SCALES in given else self._readings(code),
        )

    def _readings(self, code: str) -> Sequence[LabelReading]:
        services = self.services
        try:
            return label_readings(code, services.code_rules(), services.catalogue)
        except MachineError:
            return ()  # the status line tells of the file

    def _knows(self, code: str) -> bool:
        """Tell whether the till knows a code with its present settings."""
        return barcodes.is_whole(code) or self._meaning(code)[0] not in (
            Meaning.NO_ARTICLE,
            Meaning.WRONG_DIGIT,
            Meaning.NOTHING,
            Meaning.NOISE,
            Meaning.BROKEN_RECEIPT,
        )

    def _meaning(self, code: str) -> tuple[Meaning, Mapping[str, str]]:
        services = self.services
        person = services.people.badge_of(code) if code else None
        if person is not None:
            return Meaning.BADGE, {"name": person.name}
        read = read_code(code, services.code_rules(), services.catalogue)
        match read.meaning:
            case barcodes.ReceiptCode() as receipt:
                return Meaning.RECEIPT, {"number": receipt.reference}
            case barcodes.ShortReceiptCode(counter):
                return Meaning.SHORT_RECEIPT, {"number": str(counter)}
            case barcodes.IdentityCard():
                return Meaning.CARD, {}
            case barcodes.Unknown() as unknown:
                return _of_unknown(unknown)
        return self._article(read)

    def _article(self, read: ReadCode) -> tuple[Meaning, Mapping[str, str]]:
        found = found_by(read, self.services.catalogue)
        if found:
            return _of_articles(found)
        match read.meaning:
            case WeightCode(quantity=weight):
                return Meaning.WEIGHED, {"quantity": f"{quantity_text(weight)} kg", "name": "–"}
            case PriceCode(total=total):
                return Meaning.PRICED, {"total": amount_text(total), "name": "–"}
            case Gs1Message() as message:
                return _of_goods(message.code)
            case barcodes.EditionCode(ean):
                return _of_goods(ean)
        return _of_goods(read.text)


def suggestion(
    scan: TriedScan, set_up: ScannerSettings, knows: Callable[[str], bool]
) -> Mapping[str, str]:
    """Return the settings that would fit a scan, if the present ones do not.

    | comes               | set up          | suggested                                  |
    |---------------------|-----------------|--------------------------------------------|
    | %8600123450144, Tab | prefix, Enter   | prefix "%", suffix "tab"                   |
    | 8600123450144       | prefix "%"      | prefix ""                                  |
    | a pause of 60 ms    | gap_ms 35       | gap_ms 75, a quarter more                  |
    | httpsČ--suf…        | layout "us"     | the layout in which it is a receipt's code |
    """
    found: dict[str, str] = {}
    if scan.largest_gap_ms is not None:
        layout = _layout(scan, set_up, knows)
        if layout != set_up.layout:
            found[LAYOUT] = layout
        if scan.ended_by != set_up.suffix:
            found[SUFFIX] = scan.ended_by
        if scan.largest_gap_ms > set_up.gap_ms and set_up.gap_ms < LONGEST_GAP_MS:
            found[GAP_MS] = str(min(LONGEST_GAP_MS, -(-scan.largest_gap_ms // 4) * 5))
    text = gs1.trimmed(scan.text(found.get(LAYOUT, set_up.layout)))
    prefix = _prefix(text, set_up.prefix, knows)
    if prefix != set_up.prefix:
        found[PREFIX] = prefix
    return found


def _layout(scan: TriedScan, set_up: ScannerSettings, knows: Callable[[str], bool]) -> str:
    """Return the layout in which the till knows the code; the present one if there is none."""

    def is_known(layout: str) -> bool:
        text = gs1.trimmed(scan.text(layout))
        return knows(_without(text, _prefix(text, set_up.prefix, knows)))

    if is_known(set_up.layout):
        return set_up.layout
    return next((one for one in LAYOUTS if is_known(one)), set_up.layout)


def _prefix(text: str, set_up: str, knows: Callable[[str], bool]) -> str:
    """Return the prefix that the scanner sends: the present one if the text begins with it, "" if
    the till knows the whole text, else the characters before a whole code. The characters that name
    the kind of code ("]E0") are no prefix, because they differ from kind to kind."""
    if set_up and text.startswith(set_up):
        return set_up
    if knows(text) or gs1.without_aim(text) != text:
        return "" if knows(text) else set_up
    for many in range(1, min(_LONGEST_PREFIX, len(text) - 1) + 1):
        head, rest = text[:many], text[many:]
        if not head[-1].isdigit() and barcodes.is_whole(rest):
            return head
    return set_up


def _without(text: str, prefix: str) -> str:
    return gs1.trimmed(text.removeprefix(prefix))


def _of_articles(meant: Sequence[FoundArticle]) -> tuple[Meaning, Mapping[str, str]]:
    """What a code sells; a label that several articles have is told with the first."""
    pack = meant[0]
    name, unit, stated = pack.article.name, pack.article.unit, quantity_text(pack.quantity)
    if pack.refusal is not None:
        return Meaning.ARTICLE, {"name": name}
    if pack.total is not None:
        return Meaning.PRICED, {"total": amount_text(pack.total), "name": name}
    if pack.is_pack:
        return Meaning.WEIGHED, {"quantity": f"{stated} {unit}".rstrip(), "name": name}
    if len(meant) > 1:
        return Meaning.SEVERAL, {"many": str(len(meant))}
    return Meaning.ARTICLE, {"name": name if pack.is_plain else f"{stated} × {name}"}


def _of_goods(code: str) -> tuple[Meaning, Mapping[str, str]]:
    if barcodes.is_gtin(code):
        return Meaning.GOODS, {}
    if code.isascii() and code.isdigit() and len(code) in _EAN_LENGTHS:
        return Meaning.WRONG_DIGIT, {"digit": barcodes.check_digit(code[:-1])}
    return Meaning.NO_ARTICLE, {}


def _of_unknown(meant: barcodes.Unknown) -> tuple[Meaning, Mapping[str, str]]:
    if meant.why is barcodes.WhyUnknown.CHECK_DIGIT:
        return Meaning.WRONG_DIGIT, {"digit": barcodes.check_digit(meant.code[:-1])}
    if meant.why is barcodes.WhyUnknown.RECEIPT:
        return Meaning.BROKEN_RECEIPT, {}
    if meant.why is barcodes.WhyUnknown.NOISE:
        return Meaning.NOISE, {}
    return Meaning.NOTHING, {}
