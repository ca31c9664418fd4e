"""The tables at which a bot is checked: other numbers of seats and hands, jokers, other rules, a match under way."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property

from nertsim.bots.builtin_names import DEFAULT_BOT
from nertsim.bots.spec import parse_bot
from nertsim.bots.strategy import Bot
from nertsim.rules import Rules


@dataclasses.dataclass(frozen=True)
class Sitting:
    """Rules, and where the bot sits among greedy ones."""

    name: str
    rules: Rules
    tested: tuple[int, ...]
    """Seats of the bot."""
    share: float
    """Of all deals of a check."""
    scores: tuple[int, ...] = ()
    """Points at the start of each deal, where it belongs to a match."""

    def bots(self, bot: Bot) -> tuple[Bot, ...]:
        """Who sits there."""
        one_hand = dataclasses.replace(bot, second=None) if bot.second is not None else bot
        hands = self.rules.hands_list
        return tuple(
            (bot if hands[seat] == 2 else one_hand) if seat in self.tested else self._other
            for seat in range(self.rules.seats)
        )

    @cached_property
    def _other(self) -> Bot:
        return parse_bot(DEFAULT_BOT)


STANDARD = Sitting("four seats, two of them greedy", Rules(), (0, 2), 0.3)
FOUR = Sitting("four of it", Rules(), (0, 1, 2, 3), 0.1)
HOUSE = Rules(seats=3, work_piles=6, draw=1, nerts=9, gaps="nerts_at_once", foundations="colour", rotation="none")
SITTINGS = (
    STANDARD,
    FOUR,
    Sitting("two seats, one of them greedy", Rules(seats=2), (1,), 0.15),
    Sitting("two hands a seat", Rules(seats=3, hands=2), (0, 2), 0.1),
    Sitting("two hands that do everything, two jokers", Rules(seats=2, hands=2, roles="free", jokers=2), (0, 1), 0.05),
    Sitting("two jokers a deck", Rules(seats=3, jokers=2), (0, 1), 0.1),
    Sitting("a match under way", Rules(call_bonus=10), (1, 3), 0.1, (85, -12, 97, 40)),
    Sitting("other rules", HOUSE, (0, 1), 0.05),
    Sitting("alone", Rules(seats=1), (0,), 0.03),
    Sitting("twelve seats", Rules(seats=12), tuple(range(1, 12)), 0.02),
)


def deals_of(sitting: Sitting, deals: int) -> int:
    """How many of so many deals are played there; at least one."""
    return max(1, round(sitting.share * deals))


def names_of(sittings: Sequence[Sitting]) -> str:
    """Their names in one line."""
    return "; ".join(sitting.name for sitting in sittings)
