"""House rules that neither ruff nor import-linter can express, as functions over a syntax tree.

A rule takes a module and yields (line, what is wrong). `RULES` lists the paths that each one
covers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

Fault = tuple[int, str]

CAMEL_CASE = re.compile(r"_*[a-z][a-z0-9]*[A-Z]\w*")
CALENDAR = {"now", "utcnow", "today", "fromtimestamp", "utcfromtimestamp"}
CLOCKS = {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "localtime", "gmtime"}
LOOPS = {"exec", "exec_"}
DEFAULTED = {"clicked", "triggered"}
"""Signals of Qt whose argument has a default."""
WAITS = {"waitForFinished", "waitForStarted", "waitForReadyRead", "processEvents"}
TIME_NAME = re.compile(
    r"(\w*_)?(seconds|now|tick|since|by|deadline|timeout|monotonic|sleep)", flags=re.IGNORECASE
)
VAGUE_CLASS = re.compile(r"\w*(Manager|Helper|Helpers|Util|Utils|Base)")
VAGUE_NAMES = {"one", "found", "shown", "typed", "parts", "place", "stand", "hand", "left", "case"}
VAGUE_VERBS = {"take_over", "let_in", "hear", "keep", "rest", "meter", "cap"}
STORED_NAMES = {("CountedDrawer", "parts"): "every Z that a till has kept is stored with it"}
"""Members that keep a vague name, each with the reason."""
PIXELS = {"int", "float", "QRect", "QSize"}
LONGEST_FUNCTION = 50


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: the path prefixes that it covers, those that it leaves out, and its function.

    word: a text that every file with a fault contains, so that a file without it need not be
    parsed.
    """

    name: str
    find: Callable[[ast.Module], Iterator[Fault]]
    holds_in: tuple[str, ...]
    except_in: tuple[str, ...] = ()
    word: str = ""

    def covers(self, path: PurePosixPath) -> bool:
        return _within(path, self.holds_in) and not _within(path, self.except_in)


@cache
def _nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree))


def _within(path: PurePosixPath, places: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(place) for place in places)


# --- Qt --------------------------------------------------------------------------------------


def nested_loop(tree: ast.Module) -> Iterator[Fault]:
    """Finds `.exec()` of anything but the application: under a coroutine it kills other tasks."""
    for node in _nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr not in LOOPS | WAITS:
                continue
            owner = ast.unparse(node.func.value)
            if node.func.attr in LOOPS and not owner.endswith("Application"):
                yield node.lineno, f"{owner}.{node.func.attr}() runs a nested loop: open() it"
            if node.func.attr in WAITS:
                yield node.lineno, f"{owner}.{node.func.attr}() blocks the window"


def lost_cancel(tree: ast.Module) -> Iterator[Fault]:
    """Finds `wait_for`: on Python 3.11 it returns where it was cancelled as its awaitable ended,
    and what was to end goes on forever."""
    for node in _nodes(tree):
        if _name_used(node) == "wait_for":
            line = getattr(node, "lineno", 1)
            yield line, "wait_for loses a cancel: use asyncio.timeout"


def unheard_argument(tree: ast.Module) -> Iterator[Fault]:
    """Finds a slot of `clicked` or `triggered` that gets, or misses, their argument by accident.

    Both have the argument only by default, so PySide6 passes it to a slot that names a parameter
    for it: a `partial` and a `lambda *_` get none, and a lambda that holds a value as its first
    default gets it there.
    """
    for node in _nodes(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="connect", value=ast.Attribute(attr=signal)),
                args=[slot, *_],
            ) if signal in DEFAULTED:
                if fault := _unheard(slot):
                    yield node.lineno, f"{signal} {fault}"


def _unheard(slot: ast.expr) -> str:
    match slot:
        case ast.Call(func=ast.Name(id="partial") | ast.Attribute(attr="partial")):
            return "gives a partial no argument: connect a lambda"
        case ast.Lambda(args=ast.arguments(vararg=ast.arg())):
            return "gives *arguments none: name them"
        case ast.Lambda(args=ast.arguments(posonlyargs=[], args=[first, *_] as named) as given):
            has_default = len(given.defaults) == len(named)
            if has_default and _holds(given.defaults[0]):
                return f"overwrites {first.arg}, which holds a value: take `_=False` before it"
    return ""


def _holds(default: ast.expr) -> bool:
    """Tell whether a default keeps a value for later, rather than stand for an omitted argument."""
    return not isinstance(default, ast.Constant)


def _name_used(node: ast.AST) -> str | None:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.alias(name=name):
            return name
        case _:
            return None


# --- spelling --------------------------------------------------------------------------------


def camel_case(tree: ast.Module) -> Iterator[Fault]:
    """Finds camelCase names of our own, and camelCase keys of foreign bodies."""
    for node in _nodes(tree):
        for name in _names_made(node):
            if CAMEL_CASE.fullmatch(name) and name not in _foreign_names():
                yield node.lineno, f"{name} is camelCase"  # type: ignore[attr-defined]
        for key in _keys_used(node):
            if CAMEL_CASE.fullmatch(key):
                yield node.lineno, f'"{key}" is foreign spelling'  # type: ignore[attr-defined]


def _names_made(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.alias(asname=str(name)):
            yield name


def _keys_used(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            yield key
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(key)), *_]):
            yield key
        case ast.Dict(keys=keys):
            for key_node in keys:
                if isinstance(key_node, ast.Constant) and isinstance(key_node.value, str):
                    yield key_node.value


@cache
def _foreign_names() -> frozenset[str]:
    """Methods and attributes of Qt's classes: what we override keeps its spelling."""
    from PySide6 import QtCore, QtGui, QtWidgets  # only needed on a finding

    classes = (getattr(part, name) for part in (QtCore, QtGui, QtWidgets) for name in dir(part))
    return frozenset(name for thing in classes if isinstance(thing, type) for name in dir(thing))


def vague_class(tree: ast.Module) -> Iterator[Fault]:
    for node in _nodes(tree):
        if isinstance(node, ast.ClassDef) and VAGUE_CLASS.fullmatch(node.name):
            yield node.lineno, f"class {node.name}: name it after what it is"


def vague_name(tree: ast.Module) -> Iterator[Fault]:
    """Finds members, functions and arguments whose name says nothing to a search; a local variable
    may have such a name. `room` is a screen's, and no free pixels."""
    for node in _nodes(tree):
        match node:
            case ast.arg(arg="room", annotation=ast.expr() as kind) if ast.unparse(kind) in PIXELS:
                yield node.lineno, "room: name the free width or area so"
            case ast.arg(arg=name) | ast.Attribute(attr=name, ctx=ast.Store()):
                if name.strip("_") in VAGUE_NAMES:
                    yield node.lineno, f"{name}: name it after what it holds"
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if name.strip("_") in VAGUE_NAMES | VAGUE_VERBS:
                    yield node.lineno, f"{name}: name it after what it does or returns"
            case ast.ClassDef():
                yield from _vague_members(node)


def _vague_members(owner: ast.ClassDef) -> Iterator[Fault]:
    for node in owner.body:
        if isinstance(node, ast.AnnAssign | ast.Assign):
            for part in ast.walk(node):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    is_stored = (owner.name, part.id) in STORED_NAMES
                    if part.id.strip("_") in VAGUE_NAMES and not is_stored:
                        yield node.lineno, f"{part.id}: name it after what it holds"


# --- cores -----------------------------------------------------------------------------------


def time_of_day(tree: ast.Module) -> Iterator[Fault]:
    """Finds code that reads a clock or calendar; the instant is given from outside."""
    for node in _nodes(tree):
        if isinstance(node, ast.Attribute) and node.attr in CALENDAR | CLOCKS:
            owner = _last_name(node.value)
            if owner in {"datetime", "date"} and node.attr in CALENDAR:
                yield node.lineno, f"{owner}.{node.attr} reads the time of day"
            if owner == "time" and node.attr in CLOCKS:
                yield node.lineno, f"{owner}.{node.attr} reads a clock"
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            yield node.lineno, "functions of time read a clock"


def _last_name(owner: ast.expr) -> str:
    match owner:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def floats(tree: ast.Module) -> Iterator[Fault]:
    """Finds float literals and the word float: floats stop at wire/number.py.

    A float may be refused (`isinstance(value, float)`), and it may measure time, in seconds, under
    a name that says so; amounts, rates and quantities are never of that kind.
    """
    apart = {part for allowed in _refusals_and_times(tree) for part in ast.walk(allowed)}
    for node in _nodes(tree):
        if node in apart:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield node.lineno, f"{node.value} is a float"
        if isinstance(node, ast.Name) and node.id == "float":
            yield node.lineno, "float is not a type of this room"


def _refusals_and_times(tree: ast.Module) -> Iterator[ast.AST]:
    for node in _nodes(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds]):
                yield kinds
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield from [node] if TIME_NAME.fullmatch(name) else []
            case ast.arg(arg=name, annotation=ast.expr() as kind):
                yield from [kind] if TIME_NAME.fullmatch(name) else []
            case ast.keyword(arg=str(name), value=value):
                yield from [value] if TIME_NAME.fullmatch(name) else []
            case ast.arguments(kwonlyargs=names, kw_defaults=values):
                pairs = zip(names, values, strict=True)
                yield from (value for arg, value in pairs if value and TIME_NAME.fullmatch(arg.arg))
            case ast.Call(func=ast.Attribute(attr=name), args=values):
                yield from values if TIME_NAME.fullmatch(name) else []
            case ast.FunctionDef(name=name):
                yield from [node] if TIME_NAME.fullmatch(name) else []


# --- errors ----------------------------------------------------------------------------------


def caught_bug(tree: ast.Module) -> Iterator[Fault]:
    """Finds handlers that catch bugs: bare, Exception, BaseException (also in a tuple, also
    suppress)."""
    for node in _nodes(tree):
        match node:
            case ast.ExceptHandler(type=caught, body=[*_, last]) if not _goes_on(last):
                if caught is None or _is_wide(caught):
                    yield node.lineno, "catches bugs"
            case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress")):
                if any(_is_wide(argument) for argument in node.args):
                    yield node.lineno, "suppresses bugs"


def _goes_on(last: ast.stmt) -> bool:
    """Tell whether the handler ends in a bare `raise`: it only tidied up."""
    return isinstance(last, ast.Raise) and last.exc is None


def _is_wide(caught: ast.expr) -> bool:
    parts = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(ast.unparse(part) in {"Exception", "BaseException"} for part in parts)


# --- size ------------------------------------------------------------------------------------


def size(tree: ast.Module) -> Iterator[Fault]:
    for node in _nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield node.lineno, f"{node.name} has {lines} lines (at most {LONGEST_FUNCTION})"


# --- tests -----------------------------------------------------------------------------------


def sleeping_test(tree: ast.Module) -> Iterator[Fault]:
    """Finds a test that sleeps to wait, outside a loop with a condition."""
    for test in _nodes(tree):
        match test:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                for line in _sleeps(test.body) if name.startswith("test_") else ():
                    yield line, f"{name} sleeps: wait for the thing"


def _sleeps(body: list[ast.stmt]) -> Iterator[int]:
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.While() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                continue
            case ast.Call(func=ast.Attribute(attr="sleep"), args=[ast.Constant(value=0), *_]):
                pass
            case ast.Call(func=ast.Attribute(attr="sleep") | ast.Name(id="sleep")):
                yield node.lineno
        waiting.extend(ast.iter_child_nodes(node))


CORES = ("pos_app/domain", "pos_app/fiscalization", "pos_app/selling")
BUG_BORDERS = (
    "pos_app/cashier/services/tasks.py",
    "pos_app/local_api/receipt_door.py",
    "pos_app/selling/synchronisation/run.py",
)
"""Modules that catch a bug last: they log it with its cause and show it as a bug. Each one says
why."""

RULES = (
    Rule("nested loop", nested_loop, ("pos_app/cashier",)),
    Rule("lost cancel", lost_cancel, ("pos_app",)),
    Rule("unheard argument", unheard_argument, ("pos_app/cashier",), word="connect"),
    # The emulator may share nothing with the wire, so it spells the protocol itself.
    Rule("camelCase", camel_case, ("pos_app",), ("pos_app/wire", "pos_app/pfr_emulator")),
    Rule("vague class", vague_class, ("pos_app",)),
    Rule("vague name", vague_name, ("pos_app",)),
    Rule("time of day", time_of_day, (*CORES, "pos_app/documents")),
    Rule("floats", floats, CORES),
    Rule("caught bug", caught_bug, ("pos_app",), BUG_BORDERS),
    Rule("size", size, ("pos_app",)),
    Rule("sleeping test", sleeping_test, ("tests",), word="sleep"),
)
