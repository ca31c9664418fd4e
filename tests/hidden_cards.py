"""Whole deals played again with other hidden cards (section 5 of the model), by the engine as plain Python.

Run as ``NUMBA_DISABLE_JIT=1 python -m tests.hidden_cards BOT DEALS``; the test is in `tests.test_check_bot`.

At some decision of a deal the cards that nobody has seen yet change places: nerts cards below the top, stock cards that
were never turned. Played again from the start, everything has to be the same up to that decision.
"""

from __future__ import annotations

import contextlib
import dataclasses
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from nertsim.bots.spec import parse_bot
from nertsim.bots.strategy import Bot, Strategy
from nertsim.dealer import Dealer
from nertsim.engine import deal as dealing
from nertsim.engine.layout import ACTIONS, DECISION, HAND, NERTS_COUNT, NOW, SEAT, SEAT_STRIDE, SEATS
from nertsim.engine.memory import DECK, DECK_STRIDE, UNSEEN, UNSEEN_NEXT, seat_block
from nertsim.rules import Rules


class Decision(NamedTuple):
    """A decision, and what was seen of it."""

    time: int
    seat: int
    hand: int
    number: int
    answer: int
    action: int
    """The integer of the action that was taken; 0 for a wait."""


class Diary:
    """The functions of strategies, which write down what they decide."""

    def __init__(self, looks_at: Sequence[int] = (), ends_after: int | None = None) -> None:
        self.decisions: list[Decision] = []
        self.others: list[tuple[int, list[list[int]]]] = []
        """For each of the decisions `looks_at`: its number, and the decks with other hidden cards."""
        self._looks_at = frozenset(looks_at)
        self._ends_after = ends_after
        self._random = random.Random(1)

    def kept_for(self, strategy: Strategy) -> Any:
        """The function of the strategy, which writes into this diary."""

        def decide(view: Any, parameters: Any, scratch: Any, noise: Any) -> Any:
            number = len(self.decisions)
            if number in self._looks_at:
                self.others.append((number, other_decks(view.table, view.facts, self._random)))
            answer = int(strategy.decide(view, parameters, scratch, noise))
            facts = view.facts
            action = int(facts[ACTIONS + answer]) if answer >= 0 else 0
            seen = [int(facts[one]) for one in (NOW, SEAT, HAND, DECISION)]
            self.decisions.append(Decision(*seen, answer, action))  # type: ignore[call-arg]
            if number == self._ends_after:
                raise EndOfDiary
            return answer

        return decide


class EndOfDiary(BaseException):
    """All that was wanted is written down."""


def other_decks(cards: np.ndarray, memory: np.ndarray, shuffler: random.Random) -> list[list[int]]:
    """The decks of all seats, as dealt, with the cards that nobody has seen by now in other places."""
    decks = []
    for seat in range(int(memory[SEATS])):
        first = DECK + seat * DECK_STRIDE
        deck = [int(card) for card in cards[first : first + DECK_STRIDE]]
        unseen = int(memory[seat_block(seat) + UNSEEN_NEXT])
        hidden = [*range(int(cards[seat * SEAT_STRIDE + NERTS_COUNT]) - 1)]
        hidden += range(unseen, unseen + int(memory[seat_block(seat) + UNSEEN]))
        values = [deck[position] for position in hidden]
        shuffler.shuffle(values)
        for position, card in zip(hidden, values, strict=True):
            deck[position] = card
        decks.append(deck)
    return decks


@contextmanager
def dealt(decks: Sequence[Sequence[int]]) -> Iterator[None]:
    """Deals these decks instead of those that the seed shuffles."""
    shuffle = dealing.shuffle_deck

    def deal(deck: np.ndarray, seat: int, jokers: int, key: Any) -> Any:
        count = shuffle(deck, seat, jokers, key)
        first = DECK + int(seat) * DECK_STRIDE
        deck[first : first + count] = decks[int(seat)][:count]
        return count

    vars(dealing)["shuffle_deck"] = deal
    try:
        yield
    finally:
        vars(dealing)["shuffle_deck"] = shuffle


TABLES = (
    Rules(seats=4),
    Rules(seats=2),
    Rules(seats=2, hands=2),
    Rules(seats=2, hands=2, roles="free", jokers=2),
    Rules(seats=3, jokers=2),
)
LOOKS = 3
SEED = 5


def write_diary(diary: Diary, bot: Bot, rules: Rules, deal: int) -> None:
    """Plays the deal with the bot at all seats, or as much of it as is wanted."""
    strategy = dataclasses.replace(bot.strategy, decide=diary.kept_for(bot.strategy))
    seated = dataclasses.replace(bot, strategy=strategy)
    with contextlib.suppress(EndOfDiary):
        Dealer(rules, [seated] * rules.seats, SEED).play(deal, deal + 1)


def check(bot: Bot, rules: Rules, deal: int) -> int:
    """How many decisions were compared; AssertionError where one differs."""
    whole = Diary()
    write_diary(whole, bot, rules, deal)
    length = len(whole.decisions)
    looks = [length * (2 * number + 1) // (2 * LOOKS) for number in range(LOOKS)]
    seen = Diary(looks)
    write_diary(seen, bot, rules, deal)
    compared = 0
    for number, decks in seen.others:
        again = Diary(ends_after=number)
        with dealt(decks):
            write_diary(again, bot, rules, deal)
        assert again.decisions == whole.decisions[: number + 1], (rules, deal, number)
        compared += number + 1
    return compared


def main() -> None:
    """Checks a bot at all tables and prints how many decisions were compared."""
    bot, deals = parse_bot(sys.argv[1]), int(sys.argv[2])
    print(sum(check(bot, rules, deal) for rules in TABLES for deal in range(deals)))


if __name__ == "__main__":
    main()
