"""Compares the files of texts with the code of the product; see test_texts.py.

The code is read, not run. The possible values of an f-string or a variable are followed through
assignments, conditions, local functions, and types: a member of an enumeration, one of a Literal.
An expression that can't be followed counts as any one word.
"""

from __future__ import annotations

import ast
import re
import types
import typing
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property
from importlib import import_module
from itertools import product
from pathlib import Path
from string import Formatter

from pos_app import errors

ANY = "\0"
"""Stands for any word in a possible text."""
MAYBE = "\1"
"""Marks a possible text that follows from a type, so that the code may have excluded it before."""
MEMBER = "\2"
"""Stands before a part of a possible text that is a member of an enumeration or of a Literal."""
DEEP = 8
"""The number of steps that are followed."""
_OF_KEY = re.compile(r"[\w.-]+")
_DOTTED = re.compile(r"[a-z_]+(?:\.[\w-]+)+")


def plainly(text: str) -> str:
    """A possible text without the marks of how it was found."""
    return text.replace(MAYBE, "").replace(MEMBER, "")


def names_in(text: str) -> set[str]:
    """The values that a text names. Raises ValueError for a brace that is not closed."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


Function = ast.FunctionDef | ast.AsyncFunctionDef


# --- what an expression can be -------------------------------------------------------------------


@dataclass
class Module:
    """One module of the product, and what is known of its expressions."""

    name: str
    tree: ast.Module
    location: str = ""
    followed: set[int] = field(default_factory=set)
    """The ids of texts in the source that were reached from a call."""
    calls: dict[str, list[tuple[Module, ast.Call]]] = field(default_factory=dict)
    """All calls in the product by the name of the function or class."""
    others: dict[str, Module] = field(default_factory=dict)
    """The modules that were read with it, by name."""
    _told: dict[tuple[int, int], set[str]] = field(default_factory=dict)

    @cached_property
    def loaded(self) -> types.ModuleType:
        """The imported module, for its types and constants."""
        return import_module(self.name)

    @cached_property
    def parents(self) -> Mapping[int, ast.AST]:
        return {id(child): node for node in _nodes(self.tree) for child in _children(node)}

    @cached_property
    def functions(self) -> Mapping[str, ast.FunctionDef]:
        return {one.name: one for one in self.tree.body if isinstance(one, ast.FunctionDef)}

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, the nearest first."""
        while id(node) in self.parents:
            node = self.parents[id(node)]
            yield node

    def texts(self, node: ast.expr | None, deep: int = DEEP) -> set[str]:
        """All possible texts of an expression. They are found once, since many calls lead to it."""
        self.followed.add(id(node))
        place = id(node), deep
        if place not in self._told:
            self._told[place] = self._found_texts(node, deep)
        return self._told[place]

    def _found_texts(self, node: ast.expr | None, deep: int) -> set[str]:
        if deep == 0:
            return {ANY}
        match node:
            case ast.Constant(value=str(text)):
                return {text}
            case ast.JoinedStr(values=values):
                inner = [
                    one.value if isinstance(one, ast.FormattedValue) else one for one in values
                ]
                parts = [self.texts(one, deep - 1) for one in inner]
                return {"".join(one) for one in product(*parts)}
            case ast.IfExp(test=test, body=body, orelse=orelse):
                chosen = self.texts(body, deep - 1)
                if any(isinstance(one, ast.Call) and _asked(one.func) for one in ast.walk(test)):
                    chosen = {MAYBE + text for text in chosen}  # texts.has(…)
                return chosen | self.texts(orelse, deep - 1)
            case ast.BoolOp(values=values):
                return set().union(*(self.texts(value, deep - 1) for value in values))
            case ast.Name(id=name):
                return self._of_name(node, name, deep - 1)
            case ast.Call() as call:
                return self._of_call(call, deep - 1)
        told = members(self.type_of(node, deep - 1))
        return self._of_property(node, deep - 1) if told == {ANY} else told

    def _of_property(self, node: ast.expr | None, deep: int) -> set[str]:
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                around = next(one for one in self.above(node) if isinstance(one, ast.ClassDef))
                for one in around.body:
                    if isinstance(one, ast.FunctionDef) and one.name == name:
                        return self._ends_of(one, deep)
        return {ANY}

    def _ends_of(self, function: ast.FunctionDef, deep: int) -> set[str]:
        ends = [one.value for one in ast.walk(function) if isinstance(one, ast.Return)]
        return set().union(*(self.texts(end, deep) for end in ends)) or {ANY}

    def _of_name(self, node: ast.Name, name: str, deep: int) -> set[str]:
        bound = list(self._bound(node))
        if bound:
            known = set().union(*(self.texts(value, deep) for value in bound))
            return known if len(bound) == 1 else {MAYBE + text for text in known}
        told = members(self.type_of(node, deep))
        if told != {ANY}:
            return told
        function = self._parameter_of(node)
        return self._given(function, name, deep) if function is not None else {ANY}

    def _given(self, function: Function, name: str, deep: int) -> set[str]:
        """The arguments that callers pass for a parameter; a call that omits it adds none.

        Methods of one name are not distinguished.
        """
        around = self.parents[id(function)]
        is_method = isinstance(around, ast.ClassDef) and function.name != "__init__"
        called = (
            around.name if isinstance(around, ast.ClassDef) and not is_method else function.name
        )
        place = list(_parameters(function)).index(name) - isinstance(around, ast.ClassDef)
        found = [
            module.texts(given, deep)
            for module, call in self.calls.get(called, ())
            if module.is_function(call.func) is not is_method
            and (is_method or module is self or module.imports(self.name, called))
            for given in [_argument(call, name, place)]
            if given is not None
        ]
        told = set().union(*found) or {ANY}
        return {MAYBE + text for text in told} if is_method else told

    def is_function(self, called: ast.expr) -> bool:
        """Whether a call names a function or class, alone or with its module, and no method."""
        match called:
            case ast.Attribute(value=ast.Name(id=name)):
                return isinstance(vars(self.loaded).get(name), types.ModuleType)
        return isinstance(called, ast.Name)

    def knows(self, made: ErrorKind) -> bool:
        """Whether this module has that class, or may have imported it from where it is."""
        others = {one for one in self.imported if one[1] == made.name}
        return made.module == self.name or not (
            others - {(made.module, made.name)} or made.name in self.classes
        )

    @cached_property
    def classes(self) -> set[str]:
        return {node.name for node in self.tree.body if isinstance(node, ast.ClassDef)}

    def imports(self, module: str, name: str) -> bool:
        package, _, last = module.rpartition(".")
        return (module, name) in self.imported or (package, last) in self.imported

    @cached_property
    def imported(self) -> set[tuple[str | None, str]]:
        """The names that this module imports: (module, name)."""
        return {
            (node.module, one.name)
            for node in _nodes(self.tree)
            if isinstance(node, ast.ImportFrom)
            for one in node.names
        }

    def _of_call(self, node: ast.Call, deep: int) -> set[str]:
        match node.func:
            case ast.Attribute(value=inner, attr="lower"):
                return {text.lower() for text in self.texts(inner, deep)}
            case ast.Attribute(value=ast.Name(id=table), attr="get"):
                found = vars(self.loaded).get(table)
                if isinstance(found, Mapping) and all(isinstance(v, str) for v in found.values()):
                    otherwise = self.texts(node.args[1], deep) if node.args[1:] else set()
                    return {MAYBE + str(value) for value in found.values()} | otherwise
            case ast.Name(id=name) if name in self.functions:
                told = members(self.type_of(node, deep))
                if told != {ANY}:
                    return told
                ends = [
                    n.value for n in ast.walk(self.functions[name]) if isinstance(n, ast.Return)
                ]
                return set().union(*(self.texts(end, deep) for end in ends)) or {ANY}
        return members(self.type_of(node, deep))

    def _bound(self, name: ast.Name) -> Iterator[ast.expr]:
        """The values that are assigned to a local name, or to a name of the module."""
        for scope in self.above(name):
            if not isinstance(scope, (Function, ast.Module)):
                continue
            found = [one for node in _own(scope) for one in _assigned(node, name.id)]
            if found or name.id in _parameters(scope):
                yield from found
                return

    def _parameter_of(self, name: ast.Name) -> Function | None:
        for scope in self.above(name):
            if isinstance(scope, Function) and name.id in _parameters(scope):
                return scope
        return None

    # --- its type --------------------------------------------------------------------------------

    def type_of(self, node: ast.AST | None, deep: int = DEEP) -> object:
        """The type of an expression; it returns None for a type that can't be found."""
        if deep == 0:
            return None
        match node:
            case ast.Name(id=name):
                return self._type_of_name(node, name, deep - 1)
            case ast.AnnAssign(annotation=annotation):
                return self._evaluated(annotation)
            case ast.Attribute() if self.is_function(node):
                return _type_of_constant(self._found(node, deep - 1))
            case ast.Attribute(value=inner, attr=attr):
                kind = self.type_of(inner, deep - 1)
                return _member(kind, attr) or self._set_in(kind, attr, deep - 1)
            case ast.Call(func=function):
                return _told_by(self._found(function, deep - 1))
            case ast.Subscript(value=inner):
                return _element(self.type_of(inner, deep - 1))
        return None

    def _set_in(self, kind: object, name: str, deep: int) -> object:
        """The type of an attribute that methods of a class set."""
        for one in _without_none(kind):
            for base in getattr(one, "__mro__", ()):
                module = self.others.get(base.__module__)
                sets = module.sets.get((base.__name__, name), ()) if module is not None else ()
                for value in sets:
                    told = module.type_of(value, deep) if module is not None else None
                    if told is not None:
                        return told
        return None

    @cached_property
    def sets(self) -> Mapping[tuple[str, str], list[ast.AST]]:
        """The values that methods give to attributes of `self`, by the names of class and
        attribute; a declaration in a method comes as a whole."""
        found: dict[tuple[str, str], list[ast.AST]] = defaultdict(list)
        for owner in (one for one in _nodes(self.tree) if isinstance(one, ast.ClassDef)):
            for node in ast.walk(owner):
                for target, value in _targets(node):
                    match target:
                        case ast.Attribute(value=ast.Name(id="self"), attr=name):
                            found[owner.name, name].append(value)
        return found

    def _found(self, node: ast.expr, deep: int) -> object:
        match node:
            case ast.Name(id=name):
                return vars(self.loaded).get(name)
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if self.is_function(node):
                return getattr(vars(self.loaded)[name], attr, None)
            case ast.Attribute(value=inner, attr=attr):
                return getattr(self.type_of(inner, deep), attr, None)
        return None

    def _type_of_name(self, node: ast.Name, name: str, deep: int) -> object:
        for scope in self.above(node):
            for looped in getattr(scope, "generators", []):
                if name in _names_of(looped.target):
                    return self._looped(looped, name, deep)
            if isinstance(scope, Function):
                if (checked := _checked(scope, name)) is not None:
                    return self._evaluated(checked)
                if name in (given := _parameters(scope)):
                    return self._annotated(given[name], scope)
                for loop in _own(scope):
                    if isinstance(loop, ast.For) and name in _names_of(loop.target):
                        return self._looped(loop, name, deep)
        told = [self.type_of(value, deep) for value in self._bound(node)]
        constant = _type_of_constant(vars(self.loaded).get(name))
        return next((one for one in told if one is not None), constant)

    def _looped(self, loop: ast.For | ast.comprehension, name: str, deep: int) -> object:
        """The type of a name that a loop gives a value."""
        if isinstance(loop.target, ast.Name):
            return self._iterated(loop.iter, deep)
        place = _names_of(loop.target).index(name)
        match loop.iter:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]) if place == 1:
                return self._iterated(inner, deep)
            case ast.Call(func=ast.Attribute(value=inner, attr="items")):
                kind = self.type_of(inner, deep)
                return self._iterated(inner, deep) if place == 0 else _element(kind)
        return None

    def _iterated(self, node: ast.expr, deep: int) -> object:
        """The type of what is iterated; of a table, its keys."""
        constant = self._found(node, deep)
        if isinstance(constant, Mapping):
            return _element(_type_of_constant(tuple(constant)))
        kind = self.type_of(node, deep)
        origin = typing.get_origin(kind)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return typing.get_args(kind)[0]
        return _element(kind)

    def _annotated(self, given: ast.arg, scope: ast.AST) -> object:
        if given.annotation is None:  # self
            around = next((one for one in self.above(scope) if isinstance(one, ast.ClassDef)), None)
            return vars(self.loaded).get(around.name) if around else None
        return self._evaluated(given.annotation)

    def _evaluated(self, annotation: ast.expr) -> object:
        try:
            return eval(ast.unparse(annotation), vars(self.loaded))  # noqa: S307
        except (NameError, TypeError):
            return None


def members(kind: object) -> set[str]:
    """All texts of a type: of an enumeration, a Literal, or a table of texts."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {MAYBE + MEMBER + str(one.value) for one in kind}
    if typing.get_origin(kind) in {typing.ClassVar, typing.Final}:
        return members(*typing.get_args(kind))
    if typing.get_origin(kind) is typing.Literal:
        return {MAYBE + MEMBER + str(one) for one in typing.get_args(kind)}
    if typing.get_origin(kind) in {typing.Union, types.UnionType}:
        some = [one for one in typing.get_args(kind) if one is not type(None)]
        return set().union(*(members(one) for one in some))
    return {ANY}


def _member(kind: object, name: str) -> object:
    if typing.get_origin(kind) in {typing.Union, types.UnionType}:
        some = [_member(one, name) for one in typing.get_args(kind)]
        found = [one for one in some if one is not None]
        return found[0] if found and all(one == found[0] for one in found) else None
    if not isinstance(kind, type):
        return None
    if issubclass(kind, Enum):
        return kind if name == "value" else None
    try:
        hints = typing.get_type_hints(kind)
    except (NameError, TypeError):
        return None
    return hints.get(name) or _told_by(getattr(kind, name, None))


def _without_none(kind: object) -> list[object]:
    """The types of a union, or the type alone."""
    is_union = typing.get_origin(kind) in {typing.Union, types.UnionType}
    every = typing.get_args(kind) if is_union else (kind,)
    return [one for one in every if one is not type(None)]


def _told_by(called: object) -> object:
    """The type that a call or a property returns."""
    if isinstance(called, type):
        return called
    try:
        hints = typing.get_type_hints(getattr(called, "fget", called))
    except (NameError, TypeError):
        return None
    return hints.get("return")


def _element(kind: object) -> object:
    """The type of the values of a tuple, a list or a table."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    given = [one for one in typing.get_args(kind) if one is not ...]
    return given[-1] if given else None


def _type_of_constant(value: object) -> object:
    """The type of a tuple or table of texts, as if it were declared as Literals; a class is its own
    type."""
    if isinstance(value, type):
        return value
    some = value.values() if isinstance(value, Mapping) else value
    if isinstance(some, Iterable) and not isinstance(some, str):
        found = [*some]
        if found and all(isinstance(one, str) for one in found):
            return types.GenericAlias(tuple, (typing.Literal[tuple(found)], ...))
    return None


@cache
def _nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a module, which is walked through for many questions."""
    return tuple(ast.walk(tree))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    return ast.iter_child_nodes(node)


@cache
def _own(scope: ast.AST) -> list[ast.AST]:
    """The nodes of a function or a module without those of the functions and classes in it."""
    found: list[ast.AST] = []
    for node in ast.iter_child_nodes(scope):
        found.append(node)
        if not isinstance(node, (Function, ast.ClassDef)):
            found += _own(node)
    return found


def _checked(scope: Function, name: str) -> ast.expr | None:
    """The class that a function asserts a name to be of."""
    for node in scope.body:
        match node:
            case ast.Assert(
                test=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=of), kind])
            ) if of == name:
                return kind
    return None


def _names_of(target: ast.expr) -> list[str]:
    """The names that a loop gives values, in their order."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return [ast.unparse(one) for one in parts]


def _targets(node: ast.AST) -> Iterator[tuple[ast.expr, ast.AST]]:
    """What an assignment sets, each with its value, or with the whole declaration."""
    match node:
        case ast.AnnAssign(target=target):
            yield target, node
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            yield from zip(targets, values, strict=True)
        case ast.Assign(targets=[ast.Tuple()]):
            return
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)


def _assigned(node: ast.AST, name: str) -> Iterator[ast.expr]:
    match node:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            yield value
        case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
            if target == name:
                yield value
        case ast.NamedExpr(target=ast.Name(id=target), value=value) if target == name:
            yield value
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            for each, given in zip(targets, values, strict=True):
                if isinstance(each, ast.Name) and each.id == name:
                    yield given


def _parameters(scope: ast.AST) -> Mapping[str, ast.arg]:
    if isinstance(scope, Function):
        given = scope.args
        return {one.arg: one for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
    return {}


def _argument(call: ast.Call, name: str, place: int) -> ast.expr | None:
    for one in call.keywords:
        if one.arg == name:
            return one.value
    return call.args[place] if place < len(call.args) else None


def modules(folder: Path, root: Path) -> list[Module]:
    made = []
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(root)
        parts = [part for part in place.with_suffix("").parts if part != "__init__"]
        made.append(Module(".".join(parts), _tree_of(path), str(place)))
    return linked(made)


@cache
def _tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def linked(made: list[Module]) -> list[Module]:
    """The modules, each knowing all calls of the product."""
    calls: dict[str, list[tuple[Module, ast.Call]]] = defaultdict(list)
    others = {module.name: module for module in made}
    for module in made:
        module.calls, module.others = calls, others
        for node in _nodes(module.tree):
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) as call:
                    calls[name].append((module, call))
    return made


# --- where a text is asked for -------------------------------------------------------------------


@dataclass(frozen=True)
class Use:
    """An expression that names texts.

    keys: all that it can name, see ANY and MAYBE. given: names of its values, or None when they are
    unknown. counted: whether it asks for a plural; it is None when it does neither.
    """

    location: str
    keys: frozenset[str]
    given: frozenset[str] | None = None
    counted: bool | None = None
    only_asks: bool = False
    """Whether it asks only if there is such a text."""


def uses(code: Iterable[Module], spaces: Iterable[str]) -> list[Use]:
    """All expressions that name texts. spaces: the first words of the existing keys."""
    code, spaces = [*code], {*spaces}
    asked = [use for module in code for use in _calls_in(module)]
    return asked + [use for module in code for use in _loose_in(module, spaces)]


def _calls_in(module: Module) -> Iterator[Use]:
    for node in _nodes(module.tree):
        if not (isinstance(node, ast.Call) and node.args and (asked := _asked(node.func))):
            continue
        place, keys = f"{module.location}:{node.lineno}", module.texts(node.args[0])
        given = {str(one.arg) for one in node.keywords} | ({"n"} if asked == "count" else set())
        if asked == "has":
            yield Use(place, frozenset(MAYBE + key for key in keys), only_asks=True)
        elif all(one.arg for one in node.keywords):
            yield Use(place, frozenset(keys), frozenset(given), asked == "count")
        else:
            yield Use(place, frozenset(keys), None, asked == "count")


def _loose_in(module: Module, spaces: set[str]) -> Iterator[Use]:
    """Strings that look like keys and were not reached from a call."""
    nodes = _nodes(module.tree)
    apart = {id(node.value) for node in nodes if isinstance(node, ast.Expr)} | module.followed
    apart |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    calls = [one for one in nodes if isinstance(one, ast.Call) and one.args]
    apart |= {id(one.args[0]) for one in calls if _is_error(one.func)}
    for node in nodes:
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and id(node) not in apart:
            is_text = isinstance(node, ast.JoinedStr) or isinstance(node.value, str)
            keys = (
                {one for one in module.texts(node) if _may_be_key(one, spaces)} if is_text else ()
            )
            if keys:
                yield Use(f"{module.location}:{node.lineno}", frozenset(keys))


def _is_error(called: ast.expr) -> bool:
    """Whether a call makes an error, so that its first argument is a kind."""
    made = getattr(errors, ast.unparse(called).rpartition(".")[2], None)
    return isinstance(made, type) and issubclass(made, errors.PosError)


def _written(node: ast.Constant | ast.JoinedStr) -> Iterator[str]:
    """The written parts of a string; a space stands for a value that is no text."""
    for one in node.values if isinstance(node, ast.JoinedStr) else [node]:
        if isinstance(one, ast.Constant):
            yield one.value if isinstance(one.value, str) else " "


def _asked(function: ast.expr) -> str:
    """The way in which a call asks for a text: "call", "count", "has"; "" for any other call."""
    match function:
        case ast.Name(id="texts" | "words") | ast.Attribute(attr="texts" | "_texts"):
            return "call"
        case ast.Attribute(value=inner, attr="count" | "has" as how) if _asked(inner) == "call":
            return how
    return ""


def _may_be_key(text: str, spaces: Iterable[str]) -> bool:
    plain = plainly(text).replace(ANY, "x")
    first = text.split(".", maxsplit=1)[0]
    if text.startswith(ANY):
        return bool(re.fullmatch(rf"{ANY}[._][\w.{ANY}]+", text))
    return bool(_DOTTED.fullmatch(plain)) and (ANY in first or first in spaces)


# --- what does not agree -------------------------------------------------------------------------


def disagreements(texts: Mapping[str, tuple[str, ...]], uses: Iterable[Use]) -> Iterator[str]:
    """The faults between the catalogue and the code that uses it. texts: forms by key."""
    needs = {key: set().union(*map(names_in, forms)) for key, forms in texts.items()}
    fills: dict[str, list[frozenset[str] | None]] = defaultdict(list)
    stems: set[str] = set()
    endings: set[str] = set()
    for use in uses:
        certain = {key for key in use.keys if MAYBE not in key and ANY not in key}
        plain = {plainly(key) for key in use.keys}
        certain -= {key for key in certain if not key or key.endswith(".")}
        endings |= {key[1:] for key in plain if key.startswith(ANY) and key != ANY}
        named = {one for key in plain if not key.startswith(ANY) for one in _matching(key, texts)}
        for key in named:
            fills[key].append(use.given)
        if use.counted is None:
            stems |= {key for key in certain - named if _is_stem(key, texts)}
        yield from (
            f'{use.location}: no text has the key "{key}"'
            for key in sorted(certain - named - stems)
        )
        if not named and not certain and not any(key.startswith(ANY) for key in plain):
            yield f"{use.location}: no text has such a key"
        yield from _wrongly_asked(use, certain & named, texts, needs)
        if (
            use.given
            and named
            and (strange := use.given - set().union(*(needs[one] for one in named)))
        ):
            yield f"{use.location}: no such text takes {sorted(strange - {'n'})}"
    _follow(endings, texts, fills, stems)
    for key in texts:
        given = fills.get(key)
        if given is None:
            yield f'"{key}" is used nowhere'
        elif None not in given and not any(needs[key] <= one for one in given if one is not None):
            yield f'"{key}" names a value that nobody gives: {sorted(needs[key])}'


def untold(texts: Iterable[str], uses: Iterable[Use]) -> dict[str, str]:
    """The ids that a member of an enumeration or of a Literal makes and no text has, each with a
    place; it is no fault where the code asks first, or excludes the member."""
    uses, texts = [*uses], {*texts}
    asked = {plainly(key) for use in uses if use.only_asks for key in use.keys}
    return {
        text_id: use.location
        for use in uses
        if use.counted is not None
        for text_id in {plainly(key) for key in use.keys if MEMBER in key}
        if _DOTTED.fullmatch(text_id) and text_id not in texts | asked
    }


def _wrongly_asked(
    use: Use, keys: set[str], texts: Mapping[str, tuple[str, ...]], needs: Mapping[str, set[str]]
) -> Iterator[str]:
    for key in sorted(keys):
        if use.counted is not None and use.counted != (len(texts[key]) > 1):
            yield f'{use.location}: "{key}" has {len(texts[key])} forms'
        if use.given is not None and not needs[key] <= use.given:
            yield f'{use.location}: "{key}" takes {sorted(needs[key])}, not {sorted(use.given)}'


def _follow(
    endings: Iterable[str],
    texts: Mapping[str, tuple[str, ...]],
    fills: dict[str, list[frozenset[str] | None]],
    stems: set[str],
) -> None:
    """Mark keys made with an ending, as in `f"{key}.safe"`: they are used where the key itself
    is."""
    behind = [
        (re.compile(f"(.+){_pattern(ending).pattern}"), bool(ending.strip(f"._{ANY}")))
        for ending in endings
    ]
    for key in texts:
        for one, is_named in behind:
            whole = one.fullmatch(key)
            if whole and (whole[1] in stems or (is_named and whole[1] in fills)):
                fills[key].append(None)


def _matching(key: str, texts: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    if ANY in key:
        yield from filter(_pattern(key).fullmatch, texts)
    elif key in texts:
        yield key


def _is_stem(text: str, texts: Mapping[str, tuple[str, ...]]) -> bool:
    return any(key.startswith((f"{text}.", f"{text}_")) for key in texts)


@cache
def _pattern(key: str) -> re.Pattern[str]:
    """The pattern of a key. ANY is one word between two dots; beside letters it is any number of
    words."""
    made, end = "", 0
    for found in re.finditer(f"{ANY}+", key):
        start = found.start()
        made += re.escape(key[end:start])
        end = found.end()
        is_word = key[start - 1 : start] in {"", "."} and key[end : end + 1] in {"", "."}
        made += r"[\w-]+" if is_word and end - start == 1 else r"[\w.-]*"
    return re.compile(made + re.escape(key[end:]))


# --- errors --------------------------------------------------------------------------------------

PARTS = ("what", "safe", "do")


@dataclass(frozen=True)
class Raised:
    """A call that makes an error. codes: that of its class, then those of the errors that it
    derives from. kinds: all its possible kinds, with their second part; it is {""} for a call
    without one; is_written: whether the kind is written in the call. given: the names of its
    values. brings: whether it brings words along."""

    location: str
    codes: tuple[str, ...]
    kinds: frozenset[str]
    given: frozenset[str] | None
    brings: bool = False
    is_written: bool = True


def raised_in(code: Iterable[Module]) -> Iterator[Raised]:
    """All calls that make an expected error."""
    code = [*code]
    calls = next((module.calls for module in code), {})
    for made in errors_in(code):
        for module, call in calls.get(made.name, ()):
            if not module.is_function(call.func) or not module.knows(made):
                continue
            named = {str(one.arg) for one in call.keywords}
            kinds = module.texts(call.args[0]) if call.args else {""}
            given = None if "None" in named else frozenset({*named, *made.own} - {*PARTS})
            yield Raised(
                f"{module.location}:{call.lineno}",
                made.codes,
                frozenset(kinds),
                given,
                brings=bool(named & {"what"}),
                is_written=not call.args or isinstance(call.args[0], ast.Constant),
            )


@dataclass(frozen=True)
class ErrorKind:
    """A class of expected errors. room: its package, as "selling". module: its full name. codes:
    its own code, then those of the errors that it derives from. own: the names of the values that
    it gives to its words itself."""

    name: str
    room: str
    codes: tuple[str, ...]
    module: str
    own: frozenset[str]


def errors_in(code: Iterable[Module]) -> Iterator[ErrorKind]:
    found = {
        (node.name, module.name): node
        for module in code
        for node in module.tree.body
        if isinstance(node, ast.ClassDef)
    }
    made = {name: node for (name, _), node in found.items() if node.bases}

    def line(name: str) -> list[str]:
        """The names from a class up to the root; empty for a class that is no error."""
        if name == errors.PosError.__name__:
            return [name]
        bases = [ast.unparse(base).rpartition(".")[2] for base in made[name].bases if name in made]
        above = [up for base in bases if base in made and (up := line(base))]
        return [name, *above[0]] if above else []

    made[errors.PosError.__name__] = found[errors.PosError.__name__, errors.__name__]
    for (name, module), node in found.items():
        if made.get(name) is node and (names := line(name)):
            codes = (re.sub(r"(?<!^)(?=[A-Z])", "_", one).lower() for one in names)
            own = set().union(*(_given_by(made[one]) for one in names))
            yield ErrorKind(name, module.split(".")[1], tuple(codes), module, frozenset(own))


def _given_by(made: ast.ClassDef) -> set[str]:
    """The values that the constructor of an error adds."""
    calls = [one for one in ast.walk(made) if isinstance(one, ast.Call)]
    inits = [one for one in calls if ast.unparse(one.func) == "super().__init__"]
    return {str(one.arg) for call in inits for one in call.keywords if one.arg}


def wrong_errors(texts: Mapping[str, tuple[str, ...]], raised: Iterable[Raised]) -> Iterator[str]:
    """The faults in the texts of errors. texts: those under `error.`, without that prefix."""
    raised = [*raised]
    for key, forms in texts.items():
        stem = key.removesuffix(".safe").removesuffix(".do")
        code, _, kind = stem.partition(".")
        told = [one for one in raised if code in one.codes and (not kind or _is_of(kind, one))]
        needs = set().union(*map(names_in, forms)) - {"what"}
        if stem not in texts:
            yield f'"{key}": there is no "{stem}"'
        elif not told:
            yield f'"{key}": no such error is raised'
        elif not any(one.given is None or needs <= one.given for one in told):
            yield f'"{key}" names a value that no such error has: {sorted(needs)}'


def wordless(texts: Mapping[str, tuple[str, ...]], raised: Iterable[Raised]) -> Iterator[str]:
    """The errors whose English is not in its file, or names a value that they lack.

    texts: the English of errors, without the prefix of its ids.
    """
    for one in raised:
        certain = {kind for kind in one.kinds if MAYBE not in kind}
        for kind in certain if not one.brings else ():
            stems = [f"{code}.{kind}" if kind else code for code in one.codes]
            wider = [] if one.is_written else [*one.codes]
            key = next(filter(texts.__contains__, stems + wider), "")
            if ANY in kind:
                known = [text for stem in stems for text in texts if _pattern(stem).fullmatch(text)]
                if not (known or key):
                    yield f"{one.location}: no English words of {stems[0]}"
                continue
            forms = [text for part in ("", ".safe", ".do") for text in texts.get(key + part, ())]
            needs = set().union(*map(names_in, forms))
            if not key:
                yield f"{one.location}: no English words of {stems[0]}"
            elif one.given is not None and not needs <= one.given:
                yield f"{one.location}: {key} names {sorted(needs - one.given)}, which is not given"


def unused(texts: Iterable[str], raised: Iterable[Raised]) -> Iterator[str]:
    """The English of errors that nothing raises, by its id without the prefix."""
    raised = [one for one in raised if not one.brings]
    for key in texts:
        code, _, kind = key.removesuffix(".safe").removesuffix(".do").partition(".")
        if not any(
            code in one.codes
            and (
                any(_pattern(each).fullmatch(kind) for each in _plain(one.kinds))
                or not (kind or one.is_written)
            )
            for one in raised
        ):
            yield key


def _is_of(kind: str, raised: Raised) -> bool:
    """Whether an error can be of a kind; a language may have words for its first part alone."""
    kinds = _plain(raised.kinds)
    return any(_pattern(one).fullmatch(kind) for one in kinds | {k.split(".")[0] for k in kinds})


def _plain(kinds: Iterable[str]) -> set[str]:
    return {plainly(one) for one in kinds}
