"""What a bot may know (section 5): hidden cards leave a decision as it is. Basic: the first decision of each hand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from nertsim.bots.builtin_names import BUILTIN
from nertsim.bots.spec import parse_bot
from nertsim.cards import new_deck
from nertsim.rules import Rules

from .reference import SeatSetup, compiled_bot, play_reference, randoms

SEED = 3


def first_decisions(bot: str, rules: Rules, deal: int, decks: Sequence[Sequence[int]]) -> dict[tuple[int, int], Any]:
    """What each hand does first: its action, card, source, and when it lifts."""
    named = parse_bot(bot)
    decide = compiled_bot(named.strategy.decide)
    setups = [
        SeatSetup(bot, decide, named.vector(), named.strategy.scratch, [named.tempo.to_kernel()] * hands)
        for hands in rules.hands_list
    ]
    lines = play_reference(rules.replace(time_limit_us=20_000_000), setups, SEED, deal, decks=decks)
    wanted = ("action", "card", "from", "count", "lifted")
    return {
        (line["seat"], line["hand"]): [line.get(name) for name in wanted]
        for line in reversed(lines)
        if line.get("decided") == 0
    }


def with_other_hidden_cards(deck: Sequence[int], rules: Rules, shuffler: random.Random) -> list[int]:
    """The deck with the nerts cards below the top and the stock among themselves in another order."""
    nerts = rules.nerts_list[0]
    visible = nerts + rules.work_piles
    hidden = [*deck[: nerts - 1], *deck[visible:]]
    shuffler.shuffle(hidden)
    return [*hidden[: nerts - 1], *deck[nerts - 1 : visible], *hidden[nerts - 1 :]]


@pytest.mark.parametrize("bot", BUILTIN)
@pytest.mark.parametrize(
    "options",
    [{"seats": 2}, {"seats": 3}, {"seats": 4}, {"seats": 2, "hands": 2, "roles": "free"}, {"seats": 2, "jokers": 2}],
)
def test_hidden_cards_do_not_change_the_first_decision(bot: str, options: dict[str, Any]) -> None:
    rules = Rules().replace(**options)
    shuffler = random.Random(1)
    for deal in range(5):
        key = randoms.deal_key(SEED, deal)
        decks = [
            randoms.shuffled(new_deck(rules.jokers), randoms.stream_key(key, seat, randoms.SHUFFLE))
            for seat in range(rules.seats)
        ]
        expected = first_decisions(bot, rules, deal, decks)
        assert len(expected) == sum(rules.hands_list)
        for _ in range(3):
            others = [with_other_hidden_cards(deck, rules, shuffler) for deck in decks]
            assert others != decks
            assert first_decisions(bot, rules, deal, others) == expected
