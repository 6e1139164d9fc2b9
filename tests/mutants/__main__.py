"""Break the product in 400 places, one at a time, and tell which breaks no test notices.

    make mutants

It first runs the tests under coverage, to learn which test reaches which line; then each mutant of
a fixed sample stands in a copy of the checkout, and the tests that reach it run there. A run that
was cut goes on where it was, as long as neither product nor tests have changed. What was found is
written to build/mutants: `told.jsonl` has a row for each mutant, `alive.txt` the diffs of those
that live. `killers.json` beside this module names the test that noticed a mutant; the next run
tries it first.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from coverage import CoverageData

from tests.mutants.mutations import Mutant, sample
from tests.mutants.reach import Reach

ROOT = Path(__file__).parents[2]
OUT = ROOT / "build" / "mutants"
PARTS, COVERAGE, SECONDS = OUT / "parts", OUT / "coverage", OUT / "seconds.json"
PYTHON = ROOT / ".venv" / "bin" / "python"
KILLERS = Path(__file__).with_name("killers.json")
ELSEWHERE = ("tests/architecture", "tests/bench", "tests/e2e", "tests/windows_installer")
"""The folders whose tests read the product, or run it in processes of its own."""
IN_CHILDREN = {
    "catalogue/test_sheets.py": "catalogue/sheet/",
    "catalogue/test_other_systems.py": "catalogue/sheet/",
    "catalogue/test_workbooks.py": "catalogue/sheet/",
    "catalogue/test_labels.py": "catalogue/price_labels.py",
    "catalogue/test_bulk_acts.py": "catalogue/bulk_",
    "till/test_receipt_list.py": "receipts/export.py",
}
"""The files below tests/integration that reach a module of selling in processes of their own."""
ROOMS = ("domain", "selling", "fiscalization", "wire", "cashier")
"""The parts of the product whose rules are worth money. Only the models of `cashier` are broken;
its views are looked at."""
SIZE = 400
TESTS_SECONDS = 40.0
"""Seconds that the chosen tests take together, when nothing else runs."""
LATEST_SECONDS = 300.0
"""A mutant whose tests take longer has made one of them wait for ever: it was noticed."""
USUAL = "not long and not alone"
NOT_IN_GIT = ("resources/fonts", "resources/swagger-ui")
KILLED, ALIVE, UNREACHED = "killed", "alive", "unreached"
NO_TESTS_FAILED, TESTS_FAILED, NO_TESTS = 0, 1, 5
LEARNT = (NO_TESTS_FAILED, TESTS_FAILED, NO_TESTS)


def modules() -> list[str]:
    every = [one for room in ROOMS for one in (ROOT / "pos_app" / room).rglob("*.py")]
    wanted = [one for one in every if "cashier" not in one.parts or one.stem.endswith("model")]
    return sorted(str(one.relative_to(ROOT)) for one in wanted)


def fingerprint() -> str:
    """What product and tests are now."""
    made = hashlib.sha256()
    for folder in ("pos_app", "tests", "resources/texts"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path != KILLERS:
                made.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return made.hexdigest()


# --- which test reaches which line ---------------------------------------------------------------


def folders() -> list[str]:
    """The folders with tests that run the product in their own process: only there is it under
    coverage."""
    every = {one.parent.relative_to(ROOT) for one in (ROOT / "tests").rglob("test_*.py")}
    return sorted({str(one) for one in every} - set(ELSEWHERE))


def learn(workers: int) -> None:
    """Run the tests under coverage, each as a context of its own. The tests of a folder have a
    process and files of their own: a test that never ends costs the data of its folder alone, and
    a run that was cut goes on with the folders that are left."""
    if SECONDS.exists():
        return
    PARTS.mkdir(exist_ok=True)
    COVERAGE.unlink(missing_ok=True)
    with ThreadPoolExecutor(workers) as pool:
        for folder in pool.map(_learnt, every := folders()):
            sys.stdout.write(f"learnt {folder}\n")
            sys.stdout.flush()
    data, seconds = CoverageData(str(COVERAGE)), dict[str, float]()
    for folder in every:
        part = CoverageData(str(_file(folder, "cov")))
        part.read()
        data.update(part)
        seconds |= json.loads(_file(folder, "json").read_text("utf-8"))
    SECONDS.write_text(json.dumps(seconds), "utf-8")


def _file(folder: str, suffix: str) -> Path:
    return PARTS / f"{folder.replace('/', '_')}.{suffix}"


def _learnt(folder: str) -> str:
    """Run the tests that stand in this folder itself, unless they ran."""
    seconds, config = _file(folder, "json"), _file(folder, "ini")
    if seconds.exists():
        return folder
    data = f"data_file = {_file(folder, 'cov')}"  # not as a variable: tests of pytest would get it
    config.write_text(f"[run]\nrelative_files = true\n{data}\n", "utf-8")
    command = [
        str(PYTHON), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", USUAL,
        *(f"--cov=pos_app/{room}" for room in ROOMS), "--cov-context", "test", "--cov-report", "",
        "--cov-config", str(config), "-o", "faulthandler_timeout=0",
        "-p", "tests.mutants.timed", "--timed", str(seconds),
        *sorted(str(one) for one in (ROOT / folder).glob("test_*.py")),
    ]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in LEARNT:
        seconds.unlink(missing_ok=True)
        sys.exit(f"The tests of {folder} could not be run: pytest ended with {done.returncode}.")
    return folder


def reach() -> Reach:
    data = CoverageData(str(COVERAGE))
    data.read()
    return Reach(data, json.loads(SECONDS.read_text("utf-8")))


# --- a mutant in a copy --------------------------------------------------------------------------


def copy(number: int) -> Path:
    """Make a copy of the checkout in which one mutant at a time stands."""
    folder = OUT / f"copy-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for name in NOT_IN_GIT:
        shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True)
    return folder


def tried(mutant: Mutant, tests: Sequence[str], folder: Path) -> dict[str, object]:
    """Run these tests in a copy in which the mutant stands."""
    file = folder / mutant.path
    source, broken = file.read_text("utf-8"), mutant.code(ROOT)
    changed = difflib.unified_diff(
        source.splitlines(), broken.splitlines(), mutant.path, mutant.path, n=1, lineterm=""
    )
    row: dict[str, object] = {"mutant": mutant.name, "path": mutant.path, "diff": [*changed]}
    if not tests:
        return row | {"fate": UNREACHED}
    file.write_text(broken, "utf-8")
    try:
        return row | _judged(tests, folder)
    finally:
        file.write_text(source, "utf-8")


def _judged(tests: Sequence[str], folder: Path) -> dict[str, object]:
    try:
        done = _run("-x", "-m", USUAL, *tests, folder=folder, seconds=LATEST_SECONDS)
    except subprocess.TimeoutExpired:
        return {"fate": KILLED, "by": "a test that did not end"}
    if done.returncode == NO_TESTS_FAILED:
        return {"fate": ALIVE, "tests": len(tests)}
    failed = _failed(done.stdout)
    return {"fate": KILLED, "by": failed[0] if failed else done.stdout[-200:]}


def _run(*words: str, folder: Path, seconds: float | None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(PYTHON), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def _failed(output: str) -> list[str]:
    return re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)


# --- a run ---------------------------------------------------------------------------------------


def told() -> list[dict[str, object]]:
    file = OUT / "told.jsonl"
    return (
        [json.loads(row) for row in file.read_text("utf-8").splitlines()] if file.exists() else []
    )


def play(mutants: Sequence[Mutant], workers: int, without: Set[str] = frozenset()) -> None:
    """Try what was not tried yet; write each row as soon as it is known. without: tests that are
    not run."""
    known = {row["mutant"] for row in told()}
    left = [one for one in mutants if one.name not in known]
    reached, by = reach(), killers()
    folders: SimpleQueue[Path] = SimpleQueue()
    for number in range(workers):
        folders.put(copy(number))

    def run_mutant(work: tuple[Mutant, Sequence[str]]) -> dict[str, object]:
        folder = folders.get()
        try:
            return tried(*work, folder)
        finally:
            folders.put(folder)

    works = list[tuple[Mutant, list[str]]]()
    for one in left:
        first = by.get(one.place, "")
        chosen = reached.chosen(one.path, _lines(one), TESTS_SECONDS, first=first)
        works.append((one, [t for t in chosen if t not in without] + elsewhere(one.path, without)))
    with (
        ThreadPoolExecutor(workers) as pool,
        (OUT / "told.jsonl").open("a", encoding="utf-8") as file,
    ):
        for done, row in enumerate(pool.map(run_mutant, works), start=len(known) + 1):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
            sys.stdout.write(f"{done} of {len(mutants)}: {row['fate']} {row['mutant']}\n")
            sys.stdout.flush()


def elsewhere(path: str, without: Set[str]) -> list[str]:
    """The files of tests that reach a module in processes of their own, as words for pytest."""
    module = path.removeprefix("pos_app/selling/")
    files = [name for name, begin in IN_CHILDREN.items() if module.startswith(begin)]
    skipped = [f"--deselect={test}" for test in sorted(without)] if files else []
    return [*(f"tests/integration/{name}" for name in files), *skipped]


def strike_unproven() -> set[str]:
    """Run the tests that noticed a mutant once more, without one. Those that fail have noticed
    nothing: their mutants count as not tried. Return these tests."""
    rows = told()
    noticed = sorted({str(row["by"]) for row in rows if "::" in str(row.get("by"))})
    if not noticed:
        return set()
    unproven = set(_failed(_run(*noticed, folder=copy(0), seconds=None).stdout))
    kept = [json.dumps(row, ensure_ascii=False) for row in rows if row.get("by") not in unproven]
    (OUT / "told.jsonl").write_text("".join(f"{row}\n" for row in kept), "utf-8")
    return unproven


def killers() -> dict[str, str]:
    """The tests that noticed mutants, by the places of these."""
    known: dict[str, str] = json.loads(KILLERS.read_text("utf-8")) if KILLERS.exists() else {}
    return known


def keep_killers(mutants: Sequence[Mutant], without: Set[str]) -> None:
    known = {place: test for place, test in killers().items() if test not in without}
    by = {str(row["mutant"]): str(row["by"]) for row in told() if row["fate"] == KILLED}
    named = {one.place: by[one.name] for one in mutants if "::" in by.get(one.name, "")}
    text = json.dumps(known | named, indent=0, sort_keys=True, ensure_ascii=False)
    KILLERS.write_text(text + "\n", "utf-8")


def _lines(mutant: Mutant) -> range:
    return range(mutant.first_line, mutant.last_line + 1)


def report() -> Iterator[str]:
    fates: dict[str, Counter[str]] = {}
    for row in told():
        room = str(row["path"]).split("/")[1]
        for name in (room, "all"):
            fates.setdefault(name, Counter())[str(row["fate"])] += 1
    yield f"{'room':16}{'mutants':>9}{KILLED:>9}{ALIVE:>9}{UNREACHED:>11}{'score':>8}"
    for room, counted in sorted(fates.items(), key=lambda one: (one[0] == "all", one[0])):
        many, noticed = counted.total(), counted[KILLED]
        yield (
            f"{room:16}{many:>9}{noticed:>9}{counted[ALIVE]:>9}{counted[UNREACHED]:>11}"
            f"{100 * noticed / many:>7.1f}%"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="Break the product, to see which test notices.")
    parser.add_argument("--size", type=int, default=SIZE, help="mutants in the sample")
    parser.add_argument("--workers", type=int, default=2, help="copies in which mutants stand")
    asked = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    state, now = OUT / "of", fingerprint()
    if not state.exists() or state.read_text("utf-8") != now:
        shutil.rmtree(PARTS, ignore_errors=True)
        for old in (SECONDS, OUT / "told.jsonl"):
            old.unlink(missing_ok=True)
        state.write_text(now, "utf-8")
    learn(asked.workers)
    mutants = sample(ROOT, modules(), asked.size)
    play(mutants, asked.workers)
    without = set[str]()
    while unproven := strike_unproven():
        sys.stdout.write("\n".join(["These fail without a mutant too:", *sorted(unproven), ""]))
        play(mutants, asked.workers, without := without | unproven)
    keep_killers(mutants, without)
    alive = [row for row in told() if row["fate"] != KILLED]
    (OUT / "alive.txt").write_text(
        "\n\n".join("\n".join([f"{one['fate']} {one['mutant']}", *_diff(one)]) for one in alive)
        + "\n",
        "utf-8",
    )
    sys.stdout.write("\n".join(report()) + "\n")
    return 0


def _diff(row: dict[str, object]) -> list[str]:
    lines = row["diff"]
    assert isinstance(lines, list)
    return [str(one) for one in lines]


if __name__ == "__main__":
    sys.exit(main())
