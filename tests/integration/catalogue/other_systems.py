"""What must come of each file of the folder `systems`.

The files were written for these tests, in the shape that the documentation of each system gives to
its export of products. A good is a line: name · variant|code|maker's code|price|label|unit|
categories|barcodes; the price is "?" where the cashier types it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from pos_app.selling.catalogue.sheet.row_plan import Question, SheetAnswers

SYSTEMS = {
    "shopify": "Shopify", "woo": "WooCommerce", "square": "Square", "loyverse": "Loyverse",
    "odoo": "Odoo", "lightspeed-x": "Lightspeed X", "lightspeed-r": "Lightspeed R",
}  # fmt: skip
"""The system of a file, by the beginning of its name."""
DJ = SheetAnswers(by_question={Question.LABEL: "Ђ"})
GROSS = SheetAnswers(by_question={Question.NET: "no"})
LETTERS = {"codes_with_letters"}


@dataclass(frozen=True)
class OtherFile:
    """asks: the questions and the texts of taxes that a person is asked about; said: the answers.
    tells, refuses: the kinds of remarks, and of mistakes of refused rows."""

    name: str
    goods: tuple[str, ...]
    asks: Collection[str] = ()
    said: SheetAnswers | None = None
    tells: Collection[str] = frozenset()
    refuses: Collection[str] = frozenset()

    @property
    def system(self) -> str:
        return next((one for begin, one in SYSTEMS.items() if self.name.startswith(begin)), "")

    @property
    def is_book(self) -> bool:
        return self.name.endswith((".ods", ".xlsx"))


SHIRTS = (
    "Majica · Crvena / M|4101||1490.00|Ђ|ком|Majice|8600123450618",
    "Majica · Crvena / L|4102||1490.00|Ђ|ком|Majice|8600123450625",
    "Majica · Plava / M|4103||1590.00|Ђ|ком|Majice|8600123450632",
    "Kapa|4110||690.00|Ђ|ком|Kape|",
)
VASES = (
    "Vaza||V-1|2400.00|Ђ|ком|Keramika|",
    "Šolja · Bela||S-1|650.00|Ђ|ком|Keramika|",
    "Šolja · Plava||S-2|650.00|Ђ|ком|Keramika|",
)
DRINKS = (
    "Kapućino · Regular|1501||220.00|Ђ|ком|Kafa|",
    "Kapućino · Veliki|1502||260.00|Ђ|ком|Kafa|",
    "Limunada|1510||250.00|Ђ|ком|Sokovi|",
)
JUMPERS = (
    "Džemper · Siva / M|2201||3588.00|Ђ|ком|Odeća|8600123450724",
    "Džemper · Siva / L|2202||3588.00|Ђ|ком|Odeća|8600123450731",
    "Šal|2203||1188.00|Ђ|ком|Odeća|",
)
CAKES = ("Đevrek|6301||45.00|Е|ком|Pekara|", "Жито|6302||300.00|Ђ|ком|Pekara|")
FILES = (
    OtherFile("shopify-1250.csv", SHIRTS, asks={"label"}, said=DJ),
    OtherFile("shopify-codes.csv", (
        "Krema za ruke|||450.00|Ђ|ком|Health & Beauty; Personal Care|8600123450649",
        "Ulje|207||780.00|Ђ|ком|Health & Beauty; Personal Care|LOT-77",
        "Balzam|208||350.00|Ђ|ком|Health & Beauty; Personal Care|8600123450656",
    ), asks={"label"}, said=DJ),
    OtherFile("shopify-excel.csv", ("Igla|6201||1234.50|Ђ|ком||",), asks={"label"}, said=DJ),
    OtherFile("shopify-not-sold.csv", (
        "Torba||T-1|3900.00|Ђ|ком|Torbe|",
        "Poklon bon||B-1|1000.00|А|ком|Bonovi|",
    ), asks={"Variant Taxable: FALSE", "label", "unsold"},
        said=replace(DJ, by_tax={"Variant Taxable: FALSE": "А"}),
        tells={"codes_with_letters", "not_sold"}),
    OtherFile("shopify-pictures.csv", VASES, asks={"label"}, said=DJ, tells=LETTERS),
    OtherFile("shopify-plain.csv", (
        "Lipov med 450 g||MED-450|890.00|Ђ|ком|Med|",
        "Sapun od lavande|||320.50|Ђ|ком|Kozmetika|8600123450601",
    ), asks={"label"}, said=DJ, tells=LETTERS),
    OtherFile("shopify-variants.csv", SHIRTS, asks={"label"}, said=DJ),
    OtherFile("shopify.ods", VASES, asks={"label"}, said=DJ, tells=LETTERS),
    OtherFile("woo-no-parent.csv", (
        "Sok · Jabuka|911||150.00|Е|ком||",
        "Sok · Višnja|912||160.00|Е|ком||",
    )),
    OtherFile("woo-plain.csv", (
        "Čaj od nane 50 g||CAJ-01|240.00|Ђ|ком|Čajevi; Biljni; Akcija|8600123450663",
        "Degustacija|902||1500.00|Ђ|ком|Usluge|",
    ), asks={"label"}, said=DJ, tells=LETTERS),
    OtherFile("woo-tabs.tsv", ("Pesto|931||420.00|Ђ|ком|Sosovi|",)),
    OtherFile("woo-traps.csv", (
        "Ajvar blagi|921||350.00|Ђ|ком|Zimnica, ajvar|",
        "Knjiga recepata|925||990.00|Е|ком|Knjige|",
        "Poklon vaučer|926||2000.00|А|ком||",
    ), asks={"Tax status: none", "label", "reduced-rate", "unsold"},
        said=replace(DJ, by_tax={"reduced-rate": "Е", "Tax status: none": "А"}),
        tells={"not_sold", "offer_price", "row_without_article"}),
    OtherFile("woo-variants.csv", (
        "Sirup|905||390.00|Ђ|ком|Sirupi|",
        "Džem · Šljiva / 370 g||DZ-1|310.00|Ђ|ком|Slatko; Džem; Akcija|8600123450670",
        "Džem · Šljiva / 720 g||DZ-2|540.00|Ђ|ком|Slatko; Džem; Akcija|8600123450687",
        "Džem · Kajsija / 370 g||DZ-3|330.00|Ђ|ком|Slatko; Džem; Akcija|",
    ), asks={"unsold"}, said=SheetAnswers(by_question={Question.UNSOLD: "yes"}), tells=LETTERS),
    OtherFile("square-locations.csv", (
        "Čokolada|1701||300.00|Ђ|ком|Slatkiši|",
    ), refuses={"prices_differ"}),
    OtherFile("square-plain.csv", (
        "Espreso||KAF-1|180.00|Ђ|ком|Kafa|",
        "Kroasan|||150.00|Е|ком|Peciva; Doručak|8600123450694",
    ), tells=LETTERS),
    OtherFile("square-two-taxes.csv", (
        "Piknik korpa|1801||2500.00|Ђ|ком||",
        "Pribor|1802||400.00|Ђ|ком||",
    ), asks={"PDV (20%) + Taksa (3%)", "label"},
        said=replace(DJ, by_tax={"PDV (20%) + Taksa (3%)": "Ђ"})),
    OtherFile("square-variable.csv", (
        "Torta po meri|1601||?|Ђ|ком|Torte|",
    ), asks={"unsold"}, tells={"not_sold"}),
    OtherFile("square-variants.csv", DRINKS),
    OtherFile("square.xlsx", DRINKS),
    OtherFile("loyverse-plain.csv", (
        "Jabuke|10001||130.00|Е|kg|Voće|",
        "Vino crno|10002||?|Ђ|ком|Pića|8600123450700",
    )),
    OtherFile("loyverse-sets.csv", (
        "Poklon korpa|10201||1900.00|Ђ|ком|Pokloni|",
        "Med|10202||600.00|Ђ|ком|Pokloni|",
    ), asks={"unsold"}, tells={"not_sold"}),
    OtherFile("loyverse-stores.csv", (
        "Sveska|10301||100.00|Ђ|ком|Papir|",
    ), asks={"unsold"}, tells={"not_sold"}, refuses={"prices_differ"}),
    OtherFile("loyverse-variants.csv", (
        "Čarape · 39-42 / Crna|10101||250.00|Ђ|ком|Odeća|",
        "Čarape · 43-46 / Crna|10102||260.00|Ђ|ком|Odeća|",
        "Kutija|10103||900.00|Ђ|ком|Pokloni|",
    )),
    OtherFile("odoo-attributes.csv", (
        "Ruž|2301||900.00|Ђ|ком|Kozmetika|",
        "Brašno|2302||66.00|Е|kg|Namirnice|",
    ), asks={"20% PDV,10% PDV", "net"}, said=replace(GROSS, by_tax={"20% PDV,10% PDV": "Ђ"})),
    OtherFile("odoo-net.csv", (
        "Sveća||SV-1|600.00|Ђ|ком|Pokloni; Sveće|8600123450717",
        "Pakovanje poklona|2102||180.00|Ђ|ком|Usluge|",
    ), asks={"net", "unsold"}, said=GROSS, tells={"codes_with_letters", "not_sold"}),
    OtherFile("odoo-plain.csv", (
        "Sveća||SV-1|500.00|Ђ|ком|Pokloni; Sveće|8600123450717",
        "Pakovanje poklona|2102||150.00|Ђ|ком|Usluge|",
    ), asks={"net", "unsold"}, said=SheetAnswers(by_question={Question.NET: "yes"}),
        tells={"codes_with_letters", "not_sold"}),
    OtherFile("odoo-variants.csv", JUMPERS, asks={"net"}, said=GROSS),
    OtherFile("odoo.xlsx", JUMPERS, asks={"net"}, said=GROSS),
    OtherFile("lightspeed-x-net.csv", (
        "Sat|3201||3000.00|Ђ|ком|Satovi|",
        "Kaiš|3202||400.00|Ђ|ком|Satovi|",
    )),
    OtherFile("lightspeed-x-plain.csv", (
        "Lopta|||1500.00|Ђ|ком|Sport; Fudbal|8600123450748",
        "Pumpa||PUM-2|700.00|Ђ|ком|Sport|",
    ), asks={"Default Tax"}, said=SheetAnswers(by_tax={"Default Tax": "Ђ"}), tells=LETTERS),
    OtherFile("lightspeed-x-variants.csv", (
        "Patike · 42 / Bela|3101||7990.00|Ђ|ком|Obuća|",
        "Patike · 43 / Bela|3102||7990.00|Ђ|ком|Obuća|",
        "Komplet|3104||8990.00|Ђ|ком|Obuća|",
    ), asks={"unsold"}, tells={"not_sold"}),
    OtherFile("lightspeed-r-matrix.csv", (
        "Dres · Plavi / S|5101||1990.00|Ђ|ком|Odeća; Dresovi|8600123450762",
        "Dres · Plavi / M|5102||1990.00|Ђ|ком|Odeća; Dresovi|8600123450779",
        "Bidon|5103||590.00|Ђ|ком|Oprema|",
    ), asks={"unsold"}, tells={"not_sold"}),
    OtherFile("lightspeed-r-plain.csv", (
        "Bicikl||MB-77|25900.00|Ђ|ком|Bicikli; Grad; Ženski|8600123450755, 036000291452",
        "Zvono|4102||490.00|Ђ|ком|Oprema|042100005264",
    ), asks={"Item"}, said=SheetAnswers(by_tax={"Item": "Ђ"}), tells={"codes_without_room"}),
    OtherFile("generic-1250.csv", (
        "Čvarci, žumance i šećer|6401||99.50|Е|ком|Pekara|",
        "Đumbir|6402||45.00|Ђ|ком|Začini|",
    )),
    OtherFile("generic-bom.tsv", CAKES),
    OtherFile("generic-formulas.ods", (
        "Kikiriki|6601||120.00|Ђ|ком||",
        "Badem|6602||240.00|Ђ|ком||",
    )),
    OtherFile("generic-own-words.csv", (
        "Lepak||K-7/a|120.00|Ђ|ком||",
        "Traka|6102||90.00|Ђ|ком||",
    ), asks={"opšti porez"}, said=SheetAnswers(by_tax={"opšti porez": "Ђ"}),
        tells={"codes_with_letters", "kinds_unread"}),
    OtherFile("generic-tabs-be.tsv", CAKES),
    OtherFile("generic-tabs.csv", CAKES),
    OtherFile("generic-two-sheets.xlsx", ("Heljda|6701||180.00|Е|ком||",)),
    OtherFile("generic.ods", (
        "Lan|6501||120.50|Ђ|ком|Semenke|",
        "Susam|6502||99.00|Е|ком|Semenke|",
    )),
)  # fmt: skip
