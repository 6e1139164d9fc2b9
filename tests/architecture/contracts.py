"""Import contracts that hold for the packages that exist.

import-linter's own kinds stop with an error when a package that they name does not exist yet; these
check the others. `test_contracts.py` breaks each contract once, so that a misspelt package can't
make one hold for ever.
"""

from __future__ import annotations

from collections.abc import Iterable

from grimp import ImportGraph
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.protected import ProtectedContract
from importlinter.domain.contract import Contract, ContractCheck
from importlinter.domain.imports import ModuleExpression


class ForbiddenWhereBuilt(ForbiddenContract):
    """The kind "forbidden", for those of the named packages that exist."""

    type_name = "forbidden_where_built"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        _narrow(self, "source_modules", graph)
        _narrow(self, "forbidden_modules", graph)
        return super().check(graph, verbose)


class ProtectedWhereBuilt(ProtectedContract):
    """The kind "protected", for those of the named packages that exist."""

    type_name = "protected_where_built"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        _narrow(self, "protected_modules", graph)
        _narrow(self, "allowed_importers", graph)
        return super().check(graph, verbose)


def _narrow(contract: Contract, option: str, graph: ImportGraph) -> None:
    """Leave in an option of `contract` the packages that exist; foreign ones always count.

    The option is given by name, since import-linter declares it as its parser and fills it with the
    parsed set.
    """
    rooms: Iterable[ModuleExpression] = getattr(contract, option)
    standing = {
        room
        for room in rooms
        if not room.expression.startswith("pos_app.") or room.expression in graph.modules
    }
    setattr(contract, option, standing)
