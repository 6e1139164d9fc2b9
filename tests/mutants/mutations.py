"""The mutants of a module, made by cosmic-ray, and a fixed sample of them.

This module needs the packages of `packaging/requirements-mutants.txt`.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

SWAPS = ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "Mod_Mul", "FloorDiv_Mul", "Eq_NotEq",
         "NotEq_Eq", "Lt_LtE", "Lt_GtE", "LtE_Lt", "LtE_Gt", "Gt_GtE", "Gt_LtE", "GtE_Gt",
         "GtE_Lt", "Is_IsNot", "IsNot_Is", "In_NotIn", "NotIn_In")  # fmt: skip
"""Of two signs that are exchanged, those that mean something in each place: `|` and `@` stand in
types and decorators, and a sum in place of a shift breaks at once."""
OTHERS = ("AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr",
          "ReplaceOrWithAnd", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak",
          "ExceptionReplacer", "NumberReplacer", "ZeroIterationForLoop",
          "ReplaceUnaryOperator_USub_UAdd", "ReplaceUnaryOperator_Delete_Not")  # fmt: skip


def _is_wanted(operator: str) -> bool:
    name = operator.rpartition("/")[2]
    return name in OTHERS or name.partition("Operator_")[2] in SWAPS


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one change. path: below the checkout. first_line and last_line: what the change
    covers, from 1. number: among the places where the operator fits in this module."""

    path: str
    operator: str
    number: int
    first_line: int
    last_line: int

    @property
    def name(self) -> str:
        return f"{self.path}:{self.first_line} {self.operator.rpartition('/')[2]} {self.number}"

    @property
    def place(self) -> str:
        """A name that stays when lines are added above."""
        return f"{self.path} {self.operator} {self.number}"

    def code(self, root: Path) -> str:
        source = (root / self.path).read_text("utf-8")
        changed: str = mutate_code(source, get_operator(self.operator)(), self.number)
        return changed

    def is_program(self, root: Path) -> bool:
        """Whether the changed module is Python, and does something else than before."""
        source = (root / self.path).read_text("utf-8")
        try:
            return _acts(self.code(root)) != _acts(source)
        except SyntaxError:
            return False


def _acts(source: str) -> str:
    """A module without what only forbids: the words of dataclasses, as `frozen`, and the `*` and
    `/` between parameters."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            node.decorator_list = [
                one.func if isinstance(one, ast.Call) and _name(one.func) == "dataclass" else one
                for one in node.decorator_list
            ]
        elif isinstance(node, ast.arguments):
            node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
            node.defaults = [*node.defaults, *filter(None, node.kw_defaults)]
            node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
    return ast.dump(tree)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def mutants_of(root: Path, path: str) -> Iterator[Mutant]:
    tree = get_ast_from_path(root / path)
    nodes = list(ast_nodes(tree))
    for name in filter(_is_wanted, operator_names()):
        operator = get_operator(name)
        places = (place for node in nodes for place in operator().mutation_positions(node))
        for number, ((first, _), (last, _)) in enumerate(places):
            yield Mutant(path, name, number, first, last)


def sample(root: Path, paths: Iterable[str], size: int) -> Sequence[Mutant]:
    """So many mutants of these modules. Each is drawn by its own name, so that a change of another
    module draws no other ones."""
    every = sorted((one for path in paths for one in mutants_of(root, path)), key=_lot)
    return list(islice((one for one in every if one.is_program(root)), size))


def _lot(mutant: Mutant) -> str:
    return hashlib.sha256(mutant.place.encode()).hexdigest()
