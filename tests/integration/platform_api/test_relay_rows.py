"""The relay's rows, on both databases: each change is allowed by the row that it changes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import psycopg

from pos_app.platform_api.database.batches import Statement
from pos_app.platform_api.relay import presence as presence_statements
from pos_app.platform_api.relay import stored_commands
from pos_app.platform_api.relay.answers import PdfFiles
from pos_app.platform_api.relay.commands import LOOK_UP, CommandState, RelayCommand
from pos_app.platform_api.relay.presence import GONE_MS, Application, Barred, Entered, Presence
from pos_app.platform_api.relay.stored_commands import KEYLESS_MS, AnswerOf, Commands
from tests.fakes.postgresql import postgresql_cluster
from tests.integration.platform_api.hosted import Hosted, Place, hosted

NOW = 1_800_000_000_000


def command_of(platform: Hosted, name: str, **members: object) -> RelayCommand:
    made = RelayCommand(
        id=f"{platform.account}-{name}", account=platform.account, client="till-1",
        key=f"{name:k<16}", keyless=False, operation="issue", target=None, body="{}",
        body_hash=b"one", made_ms=NOW, until_ms=NOW + 20_000, asker="w", repeated_ms=NOW,
    )  # fmt: skip
    return replace(made, **members)  # type: ignore[arg-type]


def of(command: RelayCommand, attempt: int = 1, client: str = "till-1") -> AnswerOf:
    return AnswerOf(command.account, client, command.id, attempt)


async def row(commands: Commands, of_command: RelayCommand) -> RelayCommand:
    found = await commands.by_id(of_command.id)
    assert found is not None
    return found


async def test_a_key_has_one_command_however_many_begin_it_at_once(database: Place) -> None:
    async with hosted(database) as platform:
        commands = Commands(platform.context.database)
        made = [command_of(platform, "a", id=f"{platform.account}-{n}") for n in range(8)]
        added = await asyncio.gather(*map(commands.add, made))
        assert sorted(added) == [False] * 7 + [True]
        kept = made[added.index(True)]
        assert await commands.by_key(platform.account, kept.key) == kept
        assert await commands.by_receipt(platform.account, kept.receipt_id) == kept
        assert await commands.by_key("another", kept.key) is None
        looked_up = command_of(platform, "b", operation=LOOK_UP)
        assert await commands.add(looked_up)
        assert await commands.by_key(platform.account, looked_up.key) is None, "of no key"
        await commands.forget(looked_up.id)
        assert await commands.by_id(looked_up.id) is None
        changed = replace(kept, attempt=2, begun=2, unsure=2)
        again = await asyncio.gather(*(commands.again(kept, changed) for _ in range(8)))
        assert sorted(again) == [False] * 7 + [True]


async def test_an_answer_is_taken_once_from_its_client_and_for_its_attempt(database: Place) -> None:
    async with hosted(database) as platform:
        commands = Commands(platform.context.database)
        one = command_of(platform, "a", attempt=2, begun=2, unsure=2)
        assert await commands.add(one)
        stranger, old = of(one, 2, client="till-2"), of(one, 1)
        assert not await commands.answered(stranger, status=200, body="{}")
        assert not await commands.answered(old, status=400, body="{}")  # attempt 2 may be signed
        assert not await commands.answered(of(one, 3), status=200, body="{}")
        assert await commands.answered(of(one, 2), status=500, body='{"n":1}')
        assert not await commands.answered(of(one, 2), status=400, body="{}")
        assert await commands.answered(old, status=200, body='{"n":2}')  # a receipt exists
        assert not await commands.answered(of(one, 2), status=200, body='{"n":3}')
        kept = await row(commands, one)
        assert (kept.state, kept.status, kept.answer) == (CommandState.ANSWERED, 200, '{"n":2}')
        assert not await commands.declined(of(one, 2))


async def test_a_declined_attempt_frees_the_key_where_it_is_alone(database: Place) -> None:
    async with hosted(database) as platform:
        commands = Commands(platform.context.database)
        only, second = command_of(platform, "a"), command_of(platform, "b")
        await commands.add(only)
        assert await commands.declined(of(only))
        assert not await commands.declined(of(only))
        freed = await row(commands, only)
        assert (freed.state, freed.unsure) == (CommandState.NEW, 0)
        await commands.add(replace(second, attempt=2, begun=2, unsure=2))
        assert await commands.declined(of(second, 2))
        kept = await row(commands, second)
        assert (kept.state, kept.unsure) == (CommandState.HANDED_OVER, 1)


async def test_an_attempt_is_begun_or_withdrawn_never_both(database: Place) -> None:
    async with hosted(database) as platform:
        commands = Commands(platform.context.database)
        for number in range(6):
            one, line = command_of(platform, f"n{number}", begun=0), commands.line
            await commands.add(one)
            both = commands.begin(one.id, 1), commands.withdraw(one.id, 1, line=line)
            begun, withdrawn = await asyncio.gather(*both)
            assert (begun is None) is withdrawn
            assert await commands.begin(one.id, 1) is None
            assert not await commands.withdraw(one.id, 1, line=line)
            kept = await row(commands, one)
            state = CommandState.NEW if withdrawn else CommandState.HANDED_OVER
            assert (kept.state, kept.unsure) == (state, int(not withdrawn))


async def test_a_body_without_a_key_has_a_twin_until_it_is_delivered(database: Place) -> None:
    async with hosted(database) as platform:
        commands = Commands(platform.context.database)
        one = command_of(platform, "a", keyless=True)
        await commands.add(command_of(platform, "b"))
        await commands.add(one)

        async def twin(now_ms: int) -> str | None:
            found = await commands.keyless_twin(platform.account, b"one", now_ms=now_ms)
            return None if found is None else found.id

        late = NOW + KEYLESS_MS - 1
        assert await twin(late) == one.id
        assert await twin(late + KEYLESS_MS - 1) == one.id  # ten minutes from its last repeat
        assert await twin(late + 3 * KEYLESS_MS) is None
        assert await commands.keyless_twin("another", b"one", now_ms=NOW) is None
        await commands.answered(of(one), status=200, body="{}")
        assert await twin(late) == one.id
        await commands.delivered(one.id, now_ms=late)
        assert await twin(late) is None


async def test_what_is_old_is_shed_and_its_key_stays_with_its_client(database: Place) -> None:
    async with hosted(database) as platform:
        commands = Commands(platform.context.database)
        signed, open_, refused, fresh = (command_of(platform, name) for name in "abcd")
        for one in (signed, open_, refused, replace(fresh, repeated_ms=NOW + 1)):
            await commands.add(one)
        await commands.answered(of(signed), status=200, body='{"n":1}')
        await commands.answered(of(refused), status=400, body="{}")
        steps = 0
        while await commands.shed(before_ms=NOW + 1, most=2):
            steps += 1
        assert steps >= 2
        kept = await commands.by_key(platform.account, signed.key)
        assert kept is not None
        assert (kept.is_shed, kept.client, kept.body, kept.answer) == (True, "till-1", "", None)
        left = await row(commands, open_)
        assert (left.state, left.client, left.body) == (CommandState.HANDED_OVER, "till-1", "")
        assert await commands.by_id(refused.id) is None
        assert (await commands.by_id(fresh.id)) == replace(fresh, repeated_ms=NOW + 1)


async def test_a_client_of_another_account_and_a_worker_that_is_gone(database: Place) -> None:
    async with hosted(database) as platform:
        presence = Presence(platform.context.database)
        till = Application(platform.account, platform.account, "i-1", "s-1", "К", "w-1", "l-1", NOW)
        stranger = replace(till, install="i-2", connection="l-2", worker="w-2")

        async def found(now_ms: int) -> Application | None:
            return await presence.find(till.account, client=till.client, store=None, now_ms=now_ms)

        await presence.beat("w-1", now_ms=NOW)
        assert await presence.enter(till, now_ms=NOW) == Entered()
        assert await found(NOW + GONE_MS - 1) == till
        assert isinstance(await presence.enter(stranger, now_ms=NOW), Barred)
        assert await found(NOW + GONE_MS) is None
        await platform.account_of("Друга")
        async with platform.context.database.reading() as connection:
            rows = await connection.exec_driver_sql("SELECT id FROM account WHERE name = 'Друга'")
            other = rows.scalars().all()[-1]
        foreign = replace(till, account=other, connection="l-3")
        assert isinstance(await presence.enter(foreign, now_ms=NOW), Barred)
        again = replace(till, connection="l-4", worker="w-1")
        assert await presence.enter(again, now_ms=NOW) == Entered((till,))
        await presence.leave(till.connection)  # the old connection's end changes nothing
        assert await found(NOW) == again
        await presence.leave(again.connection)
        assert await found(NOW) is None


async def test_a_pdf_lives_as_long_as_its_link(database: Place) -> None:
    async with hosted(database) as platform:
        files, secret = PdfFiles(platform.context.database), platform.account
        await files.store({secret: b"%PDF-"}, until_ms=NOW + 10, now_ms=NOW)
        assert await files.content(secret, now_ms=NOW + 9) == b"%PDF-"
        assert await files.content(secret, now_ms=NOW + 10) is None
        assert await files.content("another", now_ms=NOW) is None


async def plans_of_empty_tables(address: str, statements: Iterable[str]) -> list[tuple[str, str]]:
    """Return PostgreSQL's plans for empty tables, which it keeps until it has counted anew."""
    made = []
    async with await psycopg.AsyncConnection.connect(address) as connection:
        for table in ("relay_command", "relay_presence", "relay_worker", "client", "account"):
            await connection.execute(f"CREATE TEMP TABLE {table} (LIKE {table} INCLUDING ALL)")
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        for number, statement in enumerate(statements):
            names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", statement)))
            numbered = statement
            for place, name in enumerate(names, 1):
                numbered = numbered.replace(f"%({name})s", f"${place}")
            await connection.execute(f"PREPARE s{number} AS {numbered}".encode())
            asked = f"EXPLAIN EXECUTE s{number}({', '.join(['NULL'] * len(names))})"
            plan = await (await connection.execute(asked.encode())).fetchall()
            made.append((statement, "\n".join(line for (line,) in plan)))
    return made


async def test_also_a_plan_of_an_empty_table_reads_only_what_is_named(shared: Place) -> None:
    """An account may have ten thousand applications."""
    await (await shared.open()).close()
    by_id = [
        found
        for statement in vars(stored_commands).values()
        if isinstance(statement, Statement) and "relay_command.id = " in statement.postgresql
        for found in (statement.postgresql, statement.announcing)
    ]
    assert len(by_id) > 8
    for statement, plan in await plans_of_empty_tables(shared.address, by_id):
        assert "relay_command_pkey" in plan, f"{statement}\n{plan}"
    kept = (one for one in vars(presence_statements).values() if isinstance(one, Statement))
    of_places = [one.postgresql for one in kept if "relay_presence" in one.postgresql]
    assert len(of_places) == 5
    for statement, plan in await plans_of_empty_tables(shared.address, of_places):
        told = f"{statement}\n{plan}"
        assert not re.search(r"Seq Scan on (relay_presence|client)\b", plan), told
        for condition in re.findall(r"Index Cond: (.*)", plan):
            assert re.search(r"\b(client|store|connection|id|store_id|worker)\b", condition), told


async def test_a_beginning_that_postgresql_lost_is_not_taken_for_none(folder: Path) -> None:
    """The application may have the attempt: it is not withdrawn, and no other takes its place."""
    with postgresql_cluster(is_durable=True) as cluster:
        async with hosted(Place(cluster.address, folder)) as platform:
            commands, one = Commands(platform.context.database), command_of(platform, "a")
            assert await commands.by_id(one.id) is None
            one, line = replace(one, begun=0), commands.line
            assert await commands.add(one)
            assert await commands.begin(one.id, 1) is not None
            assert not await commands.withdraw(one.id, 1, line=line)
            cluster.kill()
            cluster.start()
            assert await commands.by_id(one.id) == one, "the beginning was not lost"
            assert not await commands.withdraw(one.id, 1, line=line)
            assert not await commands.again(one, replace(one, attempt=2), line=line)
            assert await commands.by_id(one.id) == one
