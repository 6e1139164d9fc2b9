"""Articles to be completed: sold at an open price because the catalogue lacks their code.

Only the line of the cart keeps the code. A code leaves the list when the catalogue knows it.
Source: till.md ("Cart", "Attention").
"""

from __future__ import annotations

from pos_app.domain.article.barcodes import CodeRules
from pos_app.selling.catalogue.catalogue import Catalogue
from pos_app.selling.catalogue.codes import found_by, read_code
from pos_app.selling.sale.ports import SaleRepository
from pos_app.selling.sale.sale import SoldUnknown


def to_complete(
    *, sales: SaleRepository, catalogue: Catalogue, rules: CodeRules
) -> tuple[SoldUnknown, ...]:
    """The sales for codes that the catalogue still lacks, the newest first."""
    return tuple(
        one
        for one in sales.sold_unknown()
        if not found_by(read_code(one.code, rules, catalogue), catalogue)
    )
