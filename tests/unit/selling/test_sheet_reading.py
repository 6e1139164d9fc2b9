"""Reading heads, codes and prices of a sheet: the tables of the functions' docstrings."""

from __future__ import annotations

import pytest

from pos_app.cashier.texts.lookup import LANGUAGES, Texts
from pos_app.domain.money.tax import PUBLISHED_RATES, TaxLabel
from pos_app.domain.text.search_text import fold
from pos_app.errors import Invalid
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.sheet import cell_reading
from pos_app.selling.catalogue.sheet.earlier_rows import EarlierRows
from pos_app.selling.catalogue.sheet.heads import (
    REASON_HEADS,
    ColumnUse,
    columns_of,
    field_of_head,
    head_row,
    shape_of,
)
from pos_app.selling.catalogue.sheet.row_plan import SheetAnswers
from pos_app.selling.catalogue.sheet.systems import SYSTEMS, fields_of, system_of


def test_heads_of_old_tills_are_known() -> None:
    known = {
        "price": (
            "Продајна цена",
            "MPC (RSD)",
            "Cena sa PDV-om, дин.",
            "Maloprod. cena",
            "MP cena",
            "Prod. cena",
            "Цена с ПДВ",
            "MP cena sa PDV",
            "Retail price",
            "МПЦ",
            "Cena sa PDV",
            "Prodajna cena sa PDV, din.",
        ),
        "sku": ("Šifra robe", "Шиф. арт.", "PLU", "Šifra artikla"),
        "name": ("Naziv artikla", "Artikal", "Наз. артикла", "Roba"),
        "ean": ("Bar-kod", "Barkod artikla", "EAN kod", "EAN 2", "ЕАН"),
        "sale_unit_id": ("JM", "J.M.", "Jed. mere", "Јединица мере"),
        "tax_label": (
            "Tarifa",
            "PDV",
            "PDV %",
            "Stopa %",
            "Porez u %",
            "Poreska stopa",
            "Stopa PDV-a",
            "Стопа ПДВ-а",
        ),
        "categories": ("Grupa", "Kategorija", "Robna grupa", "Grupa proizvoda"),
    }
    for field, heads in known.items():
        assert {field_of_head(head) for head in heads} == {field}, heads
    others = ("Nabavna cena", "Cena bez PDV-a", "VP cena", "Cena za kupca", "Zaliha", "R.br.")
    abroad = (
        "Цена €",
        "Cena u $",
        "МПЦ (€)",
        "Price (£)",
        "Planirana cena €",
        "Cena EUR",
        "MPC KM",
    )
    shares = ("MPC %", "Cena (%)", "Cena +/- %", "% cena", "Cena u %", "Nova cena %", "Marža %")
    for head in (*others, *abroad, *shares):
        assert field_of_head(head) is None, head
    memory = {"cijena": "price"}
    for head in ("Cijena €", "Cijena %"):
        assert columns_of(("Шифра", head), remembered=memory).fields == {0: "sku"}
    assert shape_of(("Шифра", "Цена €")) != shape_of(("Шифра", "Цена"))
    shopify = next(one for one in SYSTEMS if "variant price" in one.heads)
    assert (shopify.field_of("Variant Price"), shopify.field_of("Variant Price €")) == (
        "price",
        None,
    )


def test_what_a_catalogue_does_not_have_is_known_and_the_rest_is_told() -> None:
    heads = ("R.br.", "Šifra", "Nabavna cena", "Iznos PDV", "Polica", "Разлог", "")
    columns = columns_of(heads)
    known = ColumnUse.KNOWN
    assert columns.fields == {1: "sku"}
    assert columns.unread == {0: known, 2: known, 3: known, 4: ColumnUse.UNKNOWN, 5: known}
    said = columns_of(heads, {4: "price", 1: ""})
    assert (said.fields, said.names_article) == ({4: "price"}, False)
    assert said.unread[1] is ColumnUse.LEFT_OUT


def test_of_several_columns_the_most_exact_is_read_and_equal_ones_are_asked_about() -> None:
    exact = columns_of(("Šifra", "Cena", "MPC", "Prodajna cena"))
    assert (exact.fields, exact.doubled) == ({0: "sku", 2: "price"}, {})
    alike = columns_of(("Šifra", "MPC", "Maloprodajna cena"))
    assert alike.doubled == {"price": (1, 2)}
    said = columns_of(("Šifra", "MPC", "Maloprodajna cena"), {2: "price"})
    assert (said.fields, said.doubled) == ({0: "sku", 2: "price"}, {})
    answers = SheetAnswers().with_field(2, "barcodes").with_field(4, "price")
    answers = answers.with_field(3, "barcodes").with_field(5, "price")
    assert answers.fields == {2: "barcodes", 3: "barcodes", 5: "price"}


def test_the_row_of_heads_is_the_one_that_fits_best() -> None:
    title, heads = ["Naziv", "Lipa, Beograd", "", ""], ["Šifra", "Naziv", "Cena", "PDV"]
    assert head_row([title, [], heads, ["1", "Hleb", "59", "10"]], {}).at == 2
    groups = ["Artikal", "", "Cena", ""]
    below = ["Šifra", "Naziv", "VP", "MP"]
    found = head_row([groups, below, ["1", "Hleb", "50", "60"]], {})
    assert (found.at, found.heads) == (1, ("Šifra", "Naziv", "Cena VP", "Cena MP"))
    own = ["Kol. A", "Kol. B"]
    assert head_row([own, ["1", "2"]], {}).at == 0
    assert head_row([["1", "Hleb"], ["2", "Mleko"]], {}).at == -1
    remembered: dict[str, object] = {shape_of(own): None}
    assert head_row([heads, own, ["1", "2"]], remembered).at == 1
    for reason in (Texts(language)("cat.import.reason") for language in LANGUAGES):
        assert fold(reason) in REASON_HEADS
        assert shape_of(("ŠIFRA", "cena", "", reason)) == shape_of(("Шифра", "Цена"))


def test_a_system_is_recognised_only_where_that_is_certain() -> None:
    for heads, name in (
        ("URL handle,Title,Price", "Shopify"),
        ("Handle,Title,Price", None),
        ("Type,SKU,Name,Regular price", "WooCommerce"),
        ("Type,SKU,Name,Price", None),
        ("Item Name,Variation Name,Price", "Square"),
        ("Item Name,SKU,Price", None),
        ("Name,Sales Price,Customer Taxes", "Odoo"),
        ("Name,Sales price,Barcode", None),
        ("System ID,Item,Price", "Lightspeed R"),
        ("handle,name,supply_price", "Lightspeed X"),
    ):
        system = system_of(heads.split(","))
        assert (system and system.name) == name, heads


def test_a_price_of_a_store_is_one_only_where_another_column_has_the_store() -> None:
    heads = ("Token", "Item Name", "Price", "Enabled Centar", "Price Centar", "Price per unit")
    system = system_of(heads)
    assert system is not None
    fields = fields_of(system, heads, ())
    assert (fields[2], fields[4], fields[5]) == ("price", "store_price", "")


def test_codes_are_as_they_were_before_a_spreadsheet_took_them_for_numbers() -> None:
    for written in ("8600123450144,00", "8,600123450144E+12", "8600123450144.0", "8600123450144"):
        assert cell_reading.whole_code(written) == "8600123450144"
    for lost in ("8,60E+12", "8.6E+12", "8,60012345E+12"):
        with pytest.raises(Invalid) as told:
            cell_reading.whole_code(lost)
        assert told.value.kind == "digits_lost"
    assert cell_reading.full_ean("12345678905") == "012345678905"
    assert cell_reading.full_ean("123456") == "123456"
    assert cell_reading.full_ean("2100012") == "2100012"
    seen = cell_reading.codes_in("8600123450144, 8600123450151")
    assert seen == ["8600123450144", "8600123450151"]
    assert cell_reading.codes_in("LOT 17") == ["LOT 17"]


def test_prices_tell_how_they_are_written() -> None:
    for prices, sign in (
        (("58,99", "1.234"), ","),
        (("58.99", "1,234"), "."),
        (("1.234", "950"), ""),
        (("58,99", "58.99"), ""),
        (("58,99 RSD", "1.149,50"), ","),
    ):
        assert cell_reading.decimal_sign(prices) == sign, prices
    assert cell_reading.price_typed("1,234.50") == "1234.50"
    assert cell_reading.price_typed("58.9900") == "58.99"


def test_a_label_may_stand_with_its_rate() -> None:
    for written in (
        "Ђ (20%)",
        "Đ 20",
        "20% Ђ",
        "20 Đ",
        "20% PDV",
        "PDV 20",
        "20% (20%)",
        "VAT 20%",
    ):
        assert cell_reading.read_label(written, PUBLISHED_RATES) is TaxLabel.DJ
    for unclear in ("Ђ (10%)", "standard", "Posebna 20%", "10% + 20%", "20% G", "-20%", "0% izvoz"):
        with pytest.raises(Invalid) as told:
            cell_reading.read_label(unclear, PUBLISHED_RATES)
        assert told.value.kind == "label", unclear


def test_rows_with_further_barcodes_join_their_article() -> None:
    rows = EarlierRows()
    first = {"sku": "12", "name": "Сок", "price": "90,00", "ean": "8600123450144"}
    assert rows.joined_by(first, below_article=True) is None
    rows.first_with(DraftField.SKU, "12", 1)
    rows.add(1, first, product_id="p", article_id="p")
    for told in (
        {**first, "ean": "8600123450151"},
        {"sku": "12", "ean": "8600123450168"},
        {"ean": "8600123450175"},
    ):
        found = rows.joined_by(told, below_article=True)
        assert found is not None
        assert found.number == 1
    other = {**first, "name": "Чај", "ean": "8600123450182"}
    assert rows.joined_by(other, below_article=True) is None
    assert rows.joined_by({"ean": "8600123450175"}, below_article=False) is None
