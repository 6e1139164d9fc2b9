"""Compares the files of texts with the code of the product; see test_texts.py.

The code is read, not run. An id that is made of parts is a pattern: what is put together while the
program runs stands for any words, of which each must occur in the product.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from string import Formatter

ANY = "\0"
"""Stands for any words in a possible text."""
DEEP = 2
"""The steps by which a name is followed to its values."""
LIKE = 0.4
"""The share that an enumeration and the ends of texts have in common at least."""
_DOTTED = re.compile(r"[a-z_]+(?:\.[\w-]+)+")

Forms = Mapping[str, tuple[str, ...]]
"""The forms of texts by id."""


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def names_in(forms: Iterable[str]) -> set[str]:
    """The values that texts name. Raises ValueError for a brace that is not closed."""
    return {name for text in forms for _, name, _, _ in Formatter().parse(text) if name is not None}


# --- what an expression can be -------------------------------------------------------------------


@dataclass
class Scope:
    """A function with all in it, or what a module holds beside its functions."""

    location: str
    nodes: Iterable[ast.AST]
    module: Mapping[str, list[ast.expr]]

    def texts(self, node: ast.expr, deep: int = DEEP) -> set[str]:
        """All possible texts of an expression."""
        match node:
            case ast.Constant(value=str(text)):
                return {text}
            case ast.JoinedStr(values=values):
                return {"".join(one) for one in product(*(self.texts(v, deep) for v in values))}
            case ast.FormattedValue(value=inner):
                parts = [inner]
            case ast.IfExp(body=body, orelse=orelse):
                parts = [body, orelse]
            case ast.BoolOp(values=parts):
                pass
            case ast.Name(id=name) if deep > 0:
                deep, parts = deep - 1, self.own.get(name, [])
            case _:
                parts = []
        return set().union(*(self.texts(one, deep) for one in parts)) or {ANY}

    @cached_property
    def own(self) -> Mapping[str, list[ast.expr]]:
        return {**self.module, **values_of(self.nodes)}

    def place(self, node: ast.expr) -> str:
        return f"{self.location}:{node.lineno}"


def values_of(nodes: Iterable[ast.AST]) -> Mapping[str, list[ast.expr]]:
    values: dict[str, list[ast.expr]] = defaultdict(list)
    for node in nodes:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                values[name].append(value)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=given)):
                for target, one in zip(targets, given, strict=False):
                    values[ast.unparse(target)].append(one)
            case ast.For(target=target) | ast.comprehension(target=target):
                for part in ast.walk(target):
                    if isinstance(part, ast.Name):
                        values[part.id].append(ast.Constant(None))
    return values


class Code:
    """Modules of the product by their paths, and who calls whom in them."""

    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self.scopes = [one for path, tree in trees.items() for one in _scopes_in(path, tree)]
        self.calls: dict[str, list[tuple[Scope, ast.Call]]] = defaultdict(list)
        self.classes: dict[str, ast.ClassDef] = {}
        self.files: dict[str, str] = {}
        for scope in self.scopes:
            for node in scope.nodes:
                match node:
                    case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                        self.calls[name].append((scope, node))
                    case ast.ClassDef(name=name):
                        self.classes[name], self.files[name] = node, scope.location

    @classmethod
    def of(cls, folder: Path) -> Code:
        paths = sorted(folder.rglob("*.py"))
        return cls({str(path): ast.parse(path.read_text(encoding="utf-8")) for path in paths})

    def words(self) -> set[str]:
        """All words that can be a part of an id: written in strings, or a name."""
        nodes = [node for scope in self.scopes for node in scope.nodes]
        found = {snake(name) for name in self.classes}
        for node in nodes:
            match node:
                case ast.Constant(value=written) | ast.Name(id=written):
                    found.add(str(written))
                case ast.Attribute(attr=name):
                    found |= {name, name.lower()}
        return {*parts_of(found)}

    def enumerations(self) -> set[frozenset[str]]:
        found = {
            frozenset(_values_of(one))
            for one in self.classes.values()
            if any(ast.unparse(base).endswith("Enum") for base in one.bases)
        }
        for node in (node for scope in self.scopes for node in scope.nodes):
            match node:
                case ast.Subscript(value=ast.Name(id="Literal"), slice=values):
                    told = values.elts if isinstance(values, ast.Tuple) else [values]
                    found.add(frozenset(str(v.value) for v in told if isinstance(v, ast.Constant)))
        return found - {frozenset()}


def _values_of(enumeration: ast.ClassDef) -> Iterator[str]:
    for node in enumeration.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield str(value.value) if isinstance(value, ast.Constant) else name.lower()


def _scopes_in(path: str, tree: ast.Module) -> list[Scope]:
    beside: list[ast.AST] = []
    functions: list[ast.AST] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append(node)
        else:
            beside.append(node)
            waiting += ast.iter_child_nodes(node)
    module = values_of(beside)
    return [Scope(path, beside, module), *(Scope(path, [*ast.walk(f)], module) for f in functions)]


# --- where a text is asked for -------------------------------------------------------------------


@dataclass(frozen=True)
class Use:
    """An expression that names texts.

    keys: all that it can name. certain: those that it names itself, or the only one that was
    found. given: names of its values, or None when they are unknown. how: "call", "count", "has",
    or "" for a string that looks like an id.
    """

    location: str
    keys: frozenset[str]
    certain: frozenset[str]
    how: str = ""
    given: frozenset[str] | None = None


def uses(code: Code, spaces: set[str], folder: str = "") -> list[Use]:
    """All expressions of a folder that name texts. spaces: the first words of the existing ids."""
    scopes = [scope for scope in code.scopes if folder in scope.location]
    asked = [one for scope in scopes for one in _calls_in(scope)]
    made = [call for name in errors_in(code) for _, call in code.calls[name]]
    kinds = {id(call.args[0]) for call in made if call.args}
    loose = [one for scope in scopes for one in _loose_in(scope, spaces, kinds)]
    return asked + loose


def _calls_in(scope: Scope) -> Iterator[Use]:
    for node in scope.nodes:
        if isinstance(node, ast.Call) and node.args and (how := _asked(node.func)):
            names = {str(one.arg) for one in node.keywords} | ({"n"} if how == "count" else set())
            given = None if "None" in names or how == "has" else frozenset(names)
            keys, written = (
                frozenset(one for one in scope.texts(node.args[0], deep) if one.strip("."))
                for deep in (DEEP, 0)
            )
            certain = keys if len(keys) == 1 else written
            yield Use(scope.place(node), keys, certain, how, given)


def _asked(function: ast.expr) -> str:
    """The way in which a call asks for a text, or "" for any other call."""
    match function:
        case ast.Name(id="texts" | "words") | ast.Attribute(attr="texts" | "_texts"):
            return "call"
        case ast.Attribute(value=inner, attr="count" | "has" as how) if _asked(inner) == "call":
            return how
    return ""


def _loose_in(scope: Scope, spaces: set[str], kinds: set[int]) -> Iterator[Use]:
    """Strings that look like ids."""
    nodes = scope.nodes
    apart = {id(node.value) for node in nodes if isinstance(node, ast.Expr)} | kinds
    apart |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in apart:
            keys = frozenset(one for one in scope.texts(node, 0) if _may_be_key(one, spaces))
            if keys:
                yield Use(scope.place(node), keys, keys)


def _may_be_key(text: str, spaces: set[str]) -> bool:
    if text.startswith(ANY):
        return bool(re.fullmatch(rf"{ANY}[._][\w.{ANY}]+", text))
    return bool(_DOTTED.fullmatch(text.replace(ANY, "x"))) and text.partition(".")[0] in spaces


# --- what does not agree -------------------------------------------------------------------------


def disagreements(texts: Forms, uses: Iterable[Use], words: set[str]) -> Iterator[str]:
    """The faults between the catalogue and the code that uses it. words: the parts of which ids
    are made."""
    uses = [*uses]
    fills: dict[str, list[frozenset[str] | None]] = defaultdict(list)
    asked = {key for use in uses if use.how == "has" for key in use.keys}
    stems = {key for use in uses for key in use.keys if not use.how} - texts.keys()
    endings = {key[1:] for use in uses for key in use.keys if key.startswith(ANY)}
    for use in uses:
        yield from _wrongly_asked(use, texts, asked)
        for named in {one for key in use.keys for one in matching(key, texts, words)}:
            fills[named].append(use.given)
    for key in texts:
        heads = {key.removesuffix(ending) for ending in endings} - {key}
        if any(head in fills or head in stems for head in heads):
            fills[key].append(None)
        needs = names_in(texts[key])
        if key not in fills:
            yield f'"{key}" is used nowhere'
        elif None not in fills[key] and not any(needs <= (one or set()) for one in fills[key]):
            yield f'"{key}" names a value that nobody gives: {sorted(needs)}'


def _wrongly_asked(use: Use, texts: Forms, asked: set[str]) -> Iterator[str]:
    for key in sorted(use.certain - asked if use.how != "has" else ()):
        is_stem = not use.how and any(one.startswith((f"{key}.", f"{key}_")) for one in texts)
        if not key.startswith(ANY) and not is_stem and not [*matching(key, texts)]:
            yield f'{use.location}: no text has the key "{key.replace(ANY, "*")}"'
    for key in sorted(use.certain & texts.keys()):
        if use.how in ("call", "count") and (use.how == "count") != (len(texts[key]) > 1):
            yield f'{use.location}: "{key}" has {len(texts[key])} forms'
        if use.how and use.given is not None and not (needs := names_in(texts[key])) <= use.given:
            yield f'{use.location}: "{key}" takes {sorted(needs)}, not {sorted(use.given)}'
    named = {one for key in use.keys for one in matching(key, texts)}
    taken = names_in(form for key in named for form in texts[key])
    if named and ANY not in use.keys and (strange := (use.given or frozenset()) - taken - {"n"}):
        yield f"{use.location}: no such text takes {sorted(strange)}"


def matching(key: str, texts: Collection[str], words: set[str] | None = None) -> Iterator[str]:
    """The ids that an expression can name; what stands for ANY in them is of the words."""
    if key.startswith(ANY):
        return
    if ANY not in key:
        yield from [key] if key in texts else []
        return
    for one in texts:
        whole = _pattern(key).fullmatch(one)
        if whole and (words is None or words.issuperset(parts_of(whole.groups()))):
            yield one


def parts_of(texts: Iterable[str]) -> list[str]:
    return re.findall(r"[^\W_]+", " ".join(texts))


@cache
def _pattern(key: str) -> re.Pattern[str]:
    """The pattern of an id. ANY is one word between two dots, and any words beside letters."""
    made = re.escape(key).replace(re.escape(ANY), ANY)
    whole = rf"(?<![^.]){ANY}(?![^\\])"
    return re.compile(re.sub(whole, r"([\\w-]+)", made).replace(ANY, r"([\w.-]*)"))


def untold(texts: Forms, uses: Iterable[Use], kinds: Collection[frozenset[str]]) -> set[str]:
    """The ids that a member of an enumeration would make and no text has. Which enumeration an id
    is made of is told by the texts: the likest, if most of its members and LIKE of both are the
    same. It is no fault where the code asks first."""
    uses = [*uses]
    asked = {key for use in uses if use.how == "has" for key in use.keys}
    called = {key for use in uses if use.how in ("call", "count") for key in use.keys} - asked
    missing: set[str] = set()
    for key in called:
        head, *tails = key.split(ANY)
        if head.endswith(".") and len(tails) == 1 and (not tails[0] or tails[0][0] == "."):
            there = {found[1] for text in texts if (found := _pattern(key).fullmatch(text))}
            like, kind = max((len(one & there) / len(one | there), sorted(one)) for one in kinds)
            lacking = {*kind} - there
            if like >= LIKE and 3 * len(lacking) <= len(kind):
                missing |= {f"{head}{member}{tails[0]}" for member in lacking - {""}}
    return missing


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


@dataclass(frozen=True)
class ErrorKind:
    """A class of expected errors. location: its file. codes: its own, then those of the errors that
    it derives from. own: the names of the values that it gives to its words itself."""

    location: str
    codes: tuple[str, ...]
    own: frozenset[str]


def errors_in(code: Code) -> dict[str, ErrorKind]:
    found: dict[str, ErrorKind] = {}
    waiting = {name: one for name, one in code.classes.items() if one.bases}
    while new := {
        name: base
        for name, one in waiting.items()
        for base in (ast.unparse(each).rpartition(".")[2] for each in one.bases)
        if name not in found and (base in found or name == "PosError")
    }:
        for name, base in new.items():
            above = found.get(base, ErrorKind("", (), frozenset()))
            own = above.own | {*_given_by(waiting[name])}
            found[name] = ErrorKind(code.files[name], (snake(name), *above.codes), own)
    return found


def _given_by(made: ast.ClassDef) -> Iterator[str]:
    for node in ast.walk(made):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__":
            yield from (one.arg for one in node.keywords if one.arg)


def raised_in(code: Code) -> Iterator[Raised]:
    for name, made in errors_in(code).items():
        for scope, call in code.calls[name]:
            named = {str(one.arg) for one in call.keywords}
            kinds = scope.texts(call.args[0]) if call.args else {""}
            yield Raised(
                scope.place(call),
                made.codes,
                frozenset(kinds),
                None if "None" in named else frozenset({*named, *made.own} - {*PARTS}),
                brings="what" in named,
                is_written=not call.args or isinstance(call.args[0], ast.Constant),
            )


def wrong_errors(texts: Forms, raised: Iterable[Raised]) -> Iterator[str]:
    """The faults in the texts of errors. texts: those under `error.`, without that prefix. A
    language may have words for the first part of a kind alone."""
    raised = [*raised]
    for key, forms in texts.items():
        stem, code, kind = _stem_of(key)
        told = [
            one
            for one in raised
            if code in one.codes
            and (not kind or _is_of(kind, {*one.kinds, *(k.split(".")[0] for k in one.kinds)}))
        ]
        needs = {"path" if name == "read_out" else name for name in names_in(forms) - {"what"}}
        if stem not in texts:
            yield f'"{key}": there is no "{stem}"'
        elif not told:
            yield f'"{key}": no such error is raised'
        elif not any(one.given is None or needs <= one.given for one in told):
            yield f'"{key}" names a value that no such error has: {sorted(needs)}'


def wordless(texts: Forms, raised: Iterable[Raised]) -> Iterator[str]:
    """The errors whose English is not in its file, or names a value that they lack.

    texts: the English of errors, without the prefix of its ids.
    """
    for one in raised:
        for kind in one.kinds if not one.brings else ():
            stems = [f"{code}.{kind}" if kind else code for code in one.codes]
            named = [text for stem in stems for text in matching(stem, texts)]
            wider = [] if one.is_written else [code for code in one.codes if code in texts]
            if not named + wider:
                yield f"{one.location}: no English words of {stems[0]}"
            elif ANY not in kind and one.given is not None:
                key = (named + wider)[0]
                forms = [
                    text for part in ("", ".safe", ".do") for text in texts.get(key + part, ())
                ]
                if strange := names_in(forms) - one.given:
                    yield f"{one.location}: {key} names {sorted(strange)}, which is not given"


def unused(texts: Iterable[str], raised: Iterable[Raised]) -> Iterator[str]:
    """The English of errors that nothing raises, by its id without the prefix."""
    raised = [one for one in raised if not one.brings]
    for key in texts:
        _, code, kind = _stem_of(key)
        of_code = [one for one in raised if code in one.codes]
        if not any(_is_of(kind, one.kinds) or not (kind or one.is_written) for one in of_code):
            yield key


def _stem_of(key: str) -> tuple[str, str, str]:
    """The id of an error's first part, its code and its kind."""
    stem = key.removesuffix(".safe").removesuffix(".do")
    code, _, kind = stem.partition(".")
    return stem, code, kind


def _is_of(kind: str, kinds: Iterable[str]) -> bool:
    return any(_pattern(one).fullmatch(kind) for one in kinds)
