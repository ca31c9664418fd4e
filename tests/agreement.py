"""Random tables for the engine and the reference to agree on, and what they have to agree in.

A table is drawn from a `random.Random`, so that hypothesis (which hands one out) and plain loops draw the same kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from nertsim.bots.builtin_names import BUILTIN
from nertsim.bots.strategy import Bot
from nertsim.codes import DealColumn, SeatColumn
from nertsim.dealer import Chunk, Dealer
from nertsim.errors import RulesError
from nertsim.replay.trace import trace_records
from nertsim.rules import CALLING, FOUNDATIONS, GAPS, MID_AIR, ROLES, ROTATION, RUNS, TIE, Rules
from nertsim.tempo import TEMPOS, KernelTempo, Tempo

from .observers import OBSERVER
from .referee import check_trace
from .reference import SeatSetup, compiled_bot, play_reference

Record = dict[str, Any]
STRATEGIES = (*(BUILTIN[name] for name in ("random", "greedy", "hasty", "careful", "weighted")), OBSERVER)


class Table(NamedTuple):
    """Who plays by which rules, and the seed."""

    rules: Rules
    bots: tuple[Bot, ...]
    seed: int


# Drawing


def standard_table(random: Random, most_seats: int = 12) -> Table:
    """Standard rules, bots of all kinds with named tempos."""
    rules = Rules(seats=random.randint(1, most_seats))
    named = [preset.tempo for preset in TEMPOS.values()]
    bots = [Bot(random.choices(STRATEGIES, (1, 6, 4, 4, 4, 1))[0], random.choice(named)) for _ in range(rules.seats)]
    # These do not end a deal of their own accord.
    slow = any(bot.strategy.name in ("random", "observer") for bot in bots)
    return Table(rules.replace(time_limit_us=300_000_000) if slow else rules, tuple(bots), random.getrandbits(63))


def random_table(random: Random, most_seats: int = 6) -> Table:
    """Any rules, any bots, any tempos, over in some hundreds of actions."""
    tempos = [_tempo(random) for _ in range(random.randint(1, 3))]
    seats = random.randint(1, most_seats)
    bots = tuple(Bot(random.choice(STRATEGIES), random.choice(tempos)) for _ in range(seats))
    actions = random.choice((5, 60, 200, 200, 400)) * random.uniform(0.5, 1.5) / max(1.0, seats / 3)
    limit = max(1, round(actions * 1e6 * min((tempo.think + tempo.draw) / tempo.speed for tempo in tempos)))
    return Table(random_rules(random, seats, limit), bots, random.getrandbits(63))


def _tempo(random: Random) -> Tempo:
    """A named tempo as it is, or changed so that hands race, tie and move at the very same instants."""
    tempo = random.choice(list(TEMPOS.values())).tempo
    changes: dict[str, float] = {}
    kind = random.randrange(5)
    if kind == 1:
        changes = {"speed": random.choice((5.0, 20.0, 100.0))}
    elif kind == 2:
        changes = {"think_variation": 0.0, "motion_variation": 0.0, "think_per_bit": 0.0}
    elif kind == 3:
        same = random.choice((0.001, 0.5))
        changes = dict.fromkeys(("think", "near", "far", "draw", "recycle", "rotate", "call"), same)
        changes |= {"think_per_bit": 0.0, "think_variation": 0.0, "motion_variation": 0.0}
        changes["speed"] = 0.01 if same < 0.01 else 1.0
    elif kind == 4:
        changes = dict.fromkeys(("think", "near", "far", "draw", "recycle", "rotate", "call"), 0.001)
        changes |= {"think_per_bit": 0.0, "think_variation": 1.0, "motion_variation": 1.0, "speed": 100.0}
    if random.random() < 0.5:
        changes["oversight"] = random.choice((0.0, 0.0, 0.3, 0.95))
    return tempo.replace(**changes)


def _rarely(random: Random, usual: Any, *others: Any) -> Any:
    return usual if random.random() < 0.6 else random.choice(others)


def random_rules(random: Random, seats: int, time_limit_us: int) -> Rules:
    """Rules with every option drawn; those that contradict each other are drawn again."""
    while True:
        try:
            return Rules(seats=seats, time_limit_us=time_limit_us, **_options(random, seats))
        except RulesError:
            continue


def _options(random: Random, seats: int) -> Record:
    def each(draw: Any) -> Any:
        return tuple(draw() for _ in range(seats)) if random.random() < 0.3 else draw()

    return {
        "hands": random.choice((1, 2, tuple(random.choice((1, 2)) for _ in range(seats)))),
        "roles": random.choice(ROLES),
        "nerts": each(lambda: _rarely(random, random.randint(1, 13), 13, 21, 40, 1)),
        "work_piles": _rarely(random, 4, 1, 2, 3, 5, 6, 7),
        "draw": _rarely(random, 3, 1, 2, 4, 5),
        "leftover": random.random() < 0.5,
        "penalty": _rarely(random, 2, 0, 1, 100),
        "call_bonus": _rarely(random, 0, 5, 25),
        "king_bonus": _rarely(random, 0, 3, 10),
        "calling": random.choice(CALLING),
        "mid_air": random.choice(MID_AIR),
        "tie": random.choice(TIE),
        "tie_window_us": random.choice((0, 1, 30_000, 3_000_000, 10**11)),
        "gaps": random.choice(GAPS),
        "runs": random.choice(RUNS),
        "slide": random.random() < 0.5,
        "rotation": random.choice(ROTATION),
        "foundations": random.choice(FOUNDATIONS),
        "jokers": random.choice((0, 0, 1, 2, 4)),
        "joker_unfix": random.random() < 0.5,
        "target": _rarely(random, 100, 1),
        "match_deals": _rarely(random, None, 3),
        "winner_handicap": _rarely(random, 0, 1),
    }


# Agreeing


def engine_records(table: Table, dealer: Dealer, deal: int) -> tuple[list[Record], Chunk]:
    """The trace of a deal and its rows, by the engine."""
    rows, chunk = dealer.log(deal)
    labels = [bot.label for bot in table.bots]
    return trace_records(table.rules, labels, table.seed, deal, rows.tolist(), chunk), chunk


@lru_cache(64)
def _kernel_tempo(tempo: Tempo) -> KernelTempo:
    return tempo.to_kernel()


def reference_records(table: Table, deal: int, check_invariants: bool = False) -> list[Record]:
    """The trace of a deal, by the reference."""
    setups = [
        SeatSetup(
            bot.label,
            compiled_bot(bot.strategy.decide),
            bot.vector(),
            bot.strategy.scratch,
            [_kernel_tempo(bot.tempo)] * 2,
        )
        for bot in table.bots
    ]
    return play_reference(table.rules, setups, table.seed, deal, check_invariants=check_invariants)


def check_deals(table: Table, first: int = 0, deals: int = 1, referee: bool = True) -> None:
    """Engine, reference and referee agree on some deals of a table; AssertionError where they do not."""
    dealer = Dealer(table.rules, table.bots, table.seed)
    batch = dealer.play(first, first + deals)
    for index in range(deals):
        deal = first + index
        records, chunk = engine_records(table, dealer, deal)
        same = (chunk.seats[0] == batch.seats[index]).all() and (chunk.deals[0] == batch.deals[index]).all()
        assert same, f"{_name(table, deal)}: the rows of the log are not those of the batch"
        check_lines(table, deal, records, reference_records(table, deal))
        check_counts(table, deal, records, chunk)
        if referee:
            problems = check_trace([dict(record) for record in records])
            assert not problems, f"{_name(table, deal)}:\n" + "\n".join(problems)


def check_lines(table: Table, deal: int, records: Sequence[Record], expected: Sequence[Record]) -> None:
    """Both traces are the same, line by line, with the fields in the same order."""
    if records == expected and [list(one) for one in records] == [list(one) for one in expected]:
        return
    pairs = zip(records, expected, strict=False)
    number = next(
        (at for at, (one, other) in enumerate(pairs) if one != other or list(one) != list(other)),
        min(len(records), len(expected)),
    )
    lines = [f"  both       {record}" for record in records[max(1, number - 12) : number]]
    lines += [f"  engine     {record}" for record in records[number : number + 3]]
    lines += [f"  reference  {record}" for record in expected[number : number + 3]]
    raise AssertionError(f"{_name(table, deal)}, line {number + 1}:\n" + "\n".join(lines))


def check_counts(table: Table, deal: int, records: Sequence[Record], chunk: Chunk) -> None:
    """What the engine counted is what can be counted in the trace."""
    counted = counts_of(records, table.rules.seats)
    for seat, expected in enumerate(counted):
        found = {column: int(chunk.seats[0, seat, column]) for column in expected}
        assert found == dict(expected), f"{_name(table, deal)}, seat {seat}: counted {found}, the trace has {expected}"
    actions = sum(record["action"] != "wait" and record["result"] != "abandoned" for record in records[1:-1])
    assert int(chunk.deals[0, DealColumn.ACTIONS]) == actions, f"{_name(table, deal)}: actions"


def counts_of(records: Sequence[Record], seats: int) -> list[dict[SeatColumn, int]]:
    """The columns of each seat that follow from the lines of a trace."""
    counts: list[Counter[SeatColumn]] = [Counter(dict.fromkeys(SeatColumn, 0)) for _ in range(seats)]
    last_play = [-1] * seats
    owner: dict[str, int] = {}
    landed_by: dict[tuple[str, str], int] = {}
    for record in records[1:-1]:
        seat, kind, result = record["seat"], record["action"], record["result"]
        count = counts[seat]
        if result == "abandoned":
            count[SeatColumn.ABANDONED] += 1
        elif kind == "wait":
            count[SeatColumn.WAITS] += 1
        elif result == "rejected" and kind == "play":
            count[SeatColumn.RACES_LOST] += 1
            counts[owner[record["to"]]][SeatColumn.RACES_WON] += 1
        elif result == "rejected":
            count[SeatColumn.BLOCKED] += 1
        elif kind != "call":
            count[_column(record)] += 1
        if kind == "play" and result in ("ok", "tie"):
            last_play[seat] = record["t"]
            card = (str(record["to"]), str(record.get("as", record["card"])))
            if result == "ok":
                owner[record["to"]] = landed_by[card] = seat
            else:
                count[SeatColumn.RACES_TIED] += 1
                counts[landed_by[card]][SeatColumn.RACES_TIED] += 1
    best = max(one["score"] for one in records[-1]["seats"])
    winners = sum(one["score"] == best for one in records[-1]["seats"])
    for count, one, last in zip(counts, records[-1]["seats"], last_play, strict=True):
        count[SeatColumn.SCORE], count[SeatColumn.FOUNDATION] = one["score"], one["foundation"]
        count[SeatColumn.KINGS], count[SeatColumn.NERTS_LEFT] = one["kings"], one["nerts_left"]
        count[SeatColumn.CALLED] = records[-1]["caller"] == one["seat"]
        count[SeatColumn.WON] = 27720 // winners if one["score"] == best else 0
        count[SeatColumn.LAST_PLAY_US] = last
    return [dict(count) for count in counts]


def _column(record: Record) -> SeatColumn:
    kind = record["action"]
    names = {"move": "MOVES", "draw": "DRAWS", "recycle": "PASSES", "rotate": "ROTATIONS"}
    if kind in names:
        return SeatColumn[names[kind]]
    source = record["from"].upper()
    return SeatColumn[f"{kind}_{'WORK' if source.startswith('WORK') else source}".upper()]


def _name(table: Table, deal: int) -> str:
    """What has to be typed to see the deal again."""
    standard = Rules().to_dict()
    options = {name: value for name, value in table.rules.to_dict().items() if value != standard[name]}
    bots = [f"{bot.strategy.name} {bot.tempo.to_dict()}" for bot in table.bots]
    return f"deal {deal} of seed {table.seed}, {options}, {bots}"


def same_rows(one: Chunk, other: Chunk) -> bool:
    """Whether two chunks hold the same rows."""
    return bool(np.array_equal(one.seats, other.seats) and np.array_equal(one.deals, other.deals))
