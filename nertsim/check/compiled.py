"""The steps that the compiled engine answers; runs in a child process (`nertsim.check.children`)."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Generator, Iterator

import numpy as np

from nertsim import guard
from nertsim.batch import Notice, make_dealer
from nertsim.bots.compile import compile_strategy
from nertsim.bots.strategy import Bot
from nertsim.check.channel import Channel
from nertsim.check.children import Message
from nertsim.check.loading import Failed, load_bot, specs_of
from nertsim.check.patience import Late, at_most
from nertsim.check.sittings import FOUR, SITTINGS, STANDARD, Sitting, deals_of
from nertsim.codes import DealColumn, Ended
from nertsim.dealer import Chunk, Dealer
from nertsim.errors import BotError, BotFault, UsageError
from nertsim.guard import Stuck

CHUNK_SECONDS = 0.3
"""About how long is played between two words on how far it is."""
REMARKABLE_SHARE = 0.01
"""Of deals at the time limit; a smaller one is not worth a word."""
REPEATED = 200
"""Deals that are played three times at each of a few tables."""
LONGEST = 2.0
"""How much longer than it should the look at a bot takes at most."""
SLOWEST = 0.5
"""Deals a second below which deals are not played again."""
REPEAT_SECONDS = 1.0
"""Fewer deals where these would take longer each time."""
DEAL = re.compile(r"\), deal (\d+), ")
"""In the text of a fault."""
PIECE = 7
SPEED_SECONDS = 0.25
"""How long each bot is timed, three times in turn."""
LIMIT_OF_SPEED = 2000


@dataclasses.dataclass
class Job:
    """What the child is asked."""

    spec: str
    deals: int
    seed: int
    seconds: float | None
    """When the deals of step 4 are enough, however many they are."""
    look_seconds: float
    """See `nertsim.guard`."""


def main() -> None:
    """The child process."""
    channel = Channel()
    job = Job(**channel.receive())
    _be_patient(job.look_seconds)
    for message in messages(job, lambda text: channel.send("note", text=text)):
        channel.send(**message)
        if message["kind"] == "pause":
            channel.receive()
    channel.send("done")
    channel.leave()


def _be_patient(seconds: float) -> None:
    from nertsim import dealer

    guard.LOOK_SECONDS = dealer.LOOK_SECONDS = seconds


def messages(job: Job, notice: Notice | None = None) -> Iterator[Message]:
    """What is found, step after step; ends with the first step that makes the others senseless.

    `notice` is called where something takes its time that has to be done only once.
    """
    loaded = False
    try:
        yield _begin(1)
        specs = specs_of(job.spec)
        yield {"kind": "bots", "specs": specs}
        bot = load_bot(specs[0])
        loaded = True
        yield _passed(1, _what_was_loaded(bot))
        yield from _compile(bot)
        rate = yield from _play(bot, job, notice)
        yield {"kind": "pause"}
        yield _begin(8)
        if rate < SLOWEST:
            yield _step(8, None, "cannot be told: it is too slow to play deals again")
            yield _passed(9, f"less than {SLOWEST:g} deals/s on one thread")
            return
        yield _repeat(bot, job.seed, min(REPEATED, job.deals, max(2, int(rate * REPEAT_SECONDS))))
        yield _begin(9)
        yield _passed(9, _how_fast(*measure(bot, job.seed)))
    except Failed as failed:
        if not loaded and failed.number > 1:
            yield _passed(1, f"is there; what it declares is wrong (step {failed.number})")
        yield _failed(failed)
    except UsageError as error:
        yield {"kind": "usage", "text": str(error), "error": type(error).__name__}


def _begin(number: int) -> Message:
    return {"kind": "begin", "number": number}


def _step(number: int, passed: bool | None, text: str) -> Message:
    return {"kind": "step", "number": number, "passed": passed, "text": text}


def _passed(number: int, text: str) -> Message:
    return _step(number, True, text)


def _failed(failed: Failed) -> Message:
    return _step(failed.number, False, failed.text)


def _what_was_loaded(bot: Bot) -> str:
    count = len(bot.strategy.parameters)
    many = {0: "no parameters", 1: "one parameter"}.get(count, f"{count} parameters")
    return f"{bot.strategy.name}: {bot.strategy.description} ({many})"


def _compile(bot: Bot) -> Iterator[Message]:
    yield _begin(2)
    start = time.perf_counter()
    try:
        compile_strategy(bot.strategy)
    except BotError as error:
        # Without an error of the compiler under it, it was compiled, and returned what is no integer.
        if error.__cause__ is not None:
            raise Failed(2, str(error)) from error
        yield _passed(2, "compiles")
        raise Failed(3, str(error)) from error
    yield _passed(2, f"in {time.perf_counter() - start:.1f} s; it writes neither to the view nor to its parameters")
    values = [f"{name}={value:g}" for name, value in zip(bot.strategy.parameters, bot.vector(), strict=True)]
    yield _passed(3, f"returns an integer{'; ' if values else ''}{', '.join(values)}")


def _play(bot: Bot, job: Job, notice: Notice | None) -> Generator[Message, None, float]:
    """Steps 4 and 5: deals at all tables. Returns how many were played a second, 0 where not all tables had one."""
    yield _begin(4)
    ends: dict[str, np.ndarray] = {}
    wanted, played, spent = sum(deals_of(sitting, job.deals) for sitting in SITTINGS), 0, 0.0
    for number, sitting in enumerate(SITTINGS):
        yield {"kind": "table", "text": sitting.name}
        dealer = make_dealer(sitting.rules, sitting.bots(bot), job.seed, notice)
        ends[sitting.name] = np.zeros(len(Ended), np.int64)
        start = time.monotonic()
        for first, last in _pieces(job, sitting):
            left = None if job.seconds is None else job.seconds * LONGEST - spent - (time.monotonic() - start)
            try:
                with at_most(left):
                    ends[sitting.name] += yield from _chunk(dealer, sitting, number, first, last)
            except Late:
                yield from _too_slow(played, sitting, last)
                return 0.0
            played += last - first
            yield {"kind": "progress", "what": "deals", "done": played, "of": wanted}
        spent += time.monotonic() - start
    cut = f" (of {wanted:,}: it is slow)" if played < wanted else ""
    yield _passed(4, f"{played:,} deals{cut} at {len(ends)} kinds of tables: only legal actions and waits")
    yield _passed(5, _how_deals_end(ends))
    return played / spent


def _too_slow(played: int, sitting: Sitting, deal: int) -> Iterator[Message]:
    words = f"it is so slow that it was stopped after {played} deals, in deal {deal - 1} of: {sitting.name}"
    yield _passed(4, f"{words}; only legal actions and waits until then")
    yield _passed(5, f"no decision takes longer than it may; remark: {words}")


def _pieces(job: Job, sitting: Sitting) -> Iterator[tuple[int, int]]:
    """The deals of a table in pieces that take about CHUNK_SECONDS, until all are played or the time is used up."""
    deals, size, first = deals_of(sitting, job.deals), 1, 0
    start = before = time.monotonic()
    while first < deals:
        last = min(first + size, deals)
        yield first, last
        now = time.monotonic()
        if job.seconds is not None and now - start > job.seconds * sitting.share + 1.0:
            return
        size = max(1, int(size * min(4.0, CHUNK_SECONDS / max(now - before, 1e-3))))
        first, before = last, now


def _chunk(
    dealer: Dealer, sitting: Sitting, number: int, first: int, last: int
) -> Generator[Message, None, np.ndarray]:
    """Plays a piece; returns how often its deals ended in each way. Raises `Failed` for a fault."""
    try:
        chunk = play(dealer, sitting, first, last)
    except BotFault as fault:
        text = f"{sitting.name}: {fault}"
        if isinstance(fault.__context__, Stuck):
            yield _passed(4, "until it was stopped: only legal actions and waits")
            raise Failed(5, text) from fault
        found = DEAL.search(text)
        if found:  # plain Python may know more about it
            yield {"kind": "fault", "sitting": number, "deal": int(found[1])}
        raise Failed(4, text) from fault
    return np.bincount(chunk.deals[:, DealColumn.ENDED], minlength=len(Ended))


def play(dealer: Dealer, sitting: Sitting, first: int, last: int) -> Chunk:
    """The deals first … last - 1 of a table."""
    if not sitting.scores:
        return dealer.play(first, last)
    count = last - first
    scores = np.tile(np.array(sitting.scores, np.int64), (count, 1))
    nerts = np.tile(np.array(sitting.rules.nerts_list, np.int64), (count, 1))
    return dealer.play_in_matches(np.arange(first, last), scores, nerts)


def _how_deals_end(ends: dict[str, np.ndarray]) -> str:
    late = {name: counts[Ended.TIME_LIMIT] / counts.sum() for name, counts in ends.items()}
    remarkable = [f"{100 * share:.0f} % ({name})" for name, share in late.items() if share > REMARKABLE_SHARE]
    if not remarkable:
        return "every decision and every deal comes to an end"
    return f"every decision ends; remark: deals that end only at the time limit: {', '.join(remarkable)}"


def _repeat(bot: Bot, seed: int, deals: int) -> Message:
    try:
        return _passed(8, repeat(bot, seed, deals))
    except Failed as failed:
        return _failed(failed)


def repeat(bot: Bot, seed: int, deals: int) -> str:
    """Step 8: the same deals again, in other pieces and another order. Raises `Failed` where the rows differ."""
    for sitting in (STANDARD, *SITTINGS[3:5]):
        dealer = Dealer(sitting.rules, sitting.bots(bot), seed)
        once, again = _rows(play(dealer, sitting, 0, deals)), _rows(play(dealer, sitting, 0, deals))
        _compare(once, again, sitting, seed, "played twice")
        other = Dealer(sitting.rules, sitting.bots(bot), seed)
        pieces = [_rows(play(other, sitting, at, min(at + PIECE, deals))) for at in range(0, deals, PIECE)[::-1]]
        _compare(once, np.concatenate(pieces[::-1]), sitting, seed, "played in another order")
    return f"{3 * deals:,} deals, played again and in another order: the same to the last number"


def _rows(chunk: Chunk) -> np.ndarray:
    return np.hstack([chunk.seats.reshape(len(chunk.seats), -1), chunk.deals])


def _compare(once: np.ndarray, again: np.ndarray, sitting: Sitting, seed: int, how: str) -> None:
    differs = np.flatnonzero((once != again).any(axis=1))
    if len(differs):
        raise Failed(
            8,
            f"{sitting.name}: deal {differs[0]} of seed {seed} {how} is another deal: it draws random numbers of its "
            "own (np.random) or remembers something from deal to deal; use uniform(noise, 0), below(noise, 0, n), and "
            "scratch",
        )


def measure(bot: Bot, seed: int) -> tuple[float, float]:
    """Deals a second on one thread, with four of it and with four greedy ones."""
    greedy = Sitting("four greedy", FOUR.rules, (), 1.0)
    dealers = [Dealer(FOUR.rules, sitting.bots(bot), seed) for sitting in (FOUR, greedy)]
    best = [0.0, 0.0]
    for _ in range(3):
        for number, dealer in enumerate(dealers):
            best[number] = max(best[number], _deals_per_second(dealer))
    return best[0], best[1]


def _how_fast(mine: float, usual: float) -> str:
    return f"{mine:,.0f} deals/s on one thread with four of it ({mine / usual:.2f} of the {usual:,.0f} of four greedy)"


def _deals_per_second(dealer: Dealer) -> float:
    played, size = 0, 1
    start = time.perf_counter()
    while (seconds := time.perf_counter() - start) < SPEED_SECONDS:
        dealer.play(played, played + size)
        played += size
        size = min(size * 2, LIMIT_OF_SPEED)
    return played / seconds
