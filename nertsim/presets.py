"""Rules under names: the ways people play, who plays them, and where that is written down.

A source was read before it was named here. "House rule" means that none was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from nertsim.errors import RulesError, reason, unknown
from nertsim.rules import Rules


class Preset(NamedTuple):
    """Rules under a name, with a sentence on who plays them and where that stands."""

    name: str
    rules: Rules
    description: str
    source: str

    def differences(self) -> Mapping[str, Any]:
        """The options that are not standard, with their values."""
        return {name: value for name, value in vars(self.rules).items() if value != getattr(_STANDARD, name)}


_STANDARD = Rules()
_HOUSE = "House rule."

PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "standard",
            _STANDARD,
            "The rules of this project, as American rules pages have them: pile of 13, draw three, 2 points off for "
            "each nerts card left, to 100.",
            "The rules article on Nerts at gamerules.com.",
        ),
        Preset(
            "nna",
            Rules(call_bonus=10, target=150),
            "Tables of four by the book of the National Nertz Association: 10 points for the call, to 150.",
            "National Nertz Association, Rulebook, Singles Edition: nertzmaster.blogspot.com.",
        ),
        Preset(
            "racing-demon",
            Rules(penalty=1, call_bonus=10, king_bonus=5, calling="automatic"),
            "British families: 10 points for going out, which ends the deal there and then, 5 for a king, 1 off for "
            "each demon card left.",
            "Racing demon, The Guardian, 22 November 2008.",
        ),
        Preset(
            "toad",
            Rules(king_bonus=3, winner_handicap=1),
            "Racing Demon in other parts of the United Kingdom: 3 points for a king, none for going out; the winner of "
            "a deal has one card more in the next (there for good, here for that deal).",
            "The thread Racing Demon, 2009, at nertz.board-directory.net/t23-racing-demon.",
        ),
        Preset(
            "quick",
            Rules(nerts=10),
            "Families who like short deals of Pounce: a pile of 10.",
            "Pounce!, 25 June 2015, at onceuponatoine.blogspot.com.",
        ),
        Preset(
            "quick-fill",
            Rules(nerts=10, gaps="nerts_at_once"),
            "A pile of 10, and a gap has to be filled from it at once.",
            "Nerts, at traditionalgamerules.neocities.org/nerts.",
        ),
        Preset(
            "gnerts",
            Rules(tie="first", gaps="nerts_at_once", runs="whole"),
            "A family's Gnerts for two to four: work piles move as a whole, a gap is filled from the nerts pile, of "
            "two equal cards the first stays.",
            "Gnerts, 11 December 2009, at davidkwd.blogspot.com.",
        ),
        Preset(
            "scrooge",
            Rules(nerts=10, penalty=1),
            "An American family's Scrooge, with up to 13 players at a time: a pile of 10, 1 point off for each card "
            "left.",
            "Card Game Traditions, 25 March 2021, at schoolinspirations.wordpress.com.",
        ),
        Preset(
            "peanuts",
            Rules(seats=2, nerts=11),
            "Two players: a pile of 11; when both are stuck, both put a card under the stock.",
            "How to Play Peanuts, March 2009, at exploring-etc.co.uk.",
        ),
        Preset(
            "peanuts-21",
            Rules(seats=2, nerts=21, work_piles=7),
            "Two players in the United States: a pile of 21, seven work piles, a stock of 24. The text gives the "
            "layout; what it leaves open is standard here.",
            "Wikipedia, Peanuts (game), in a copy at en-academic.com/dic.nsf/enwiki/2531386.",
        ),
        Preset(
            "draw-one",
            Rules(seats=2, draw=1),
            "Two players turn their stock one card at a time: each pass shows every card.",
            "House rule; that people differ in how many they turn says Wikipedia, Nerts (2009).",
        ),
        Preset(
            "five-piles",
            Rules(seats=3, work_piles=5),
            "Three players, where four work piles are slow: a fifth one.",
            "How to Play NERTS! online physically, a player's guide: steamsolo.com.",
        ),
        Preset(
            "partnership",
            Rules(seats=3, hands=2),
            "Six and more players, in pairs that share a deck: one has the nerts and work piles, the other deals the "
            "stock.",
            "nertz.com/how-to-play; from six players upwards: groupgames.tripod.com/nerts.html.",
        ),
        Preset(
            "nuts",
            Rules(seats=2, hands=2, nerts=11),
            "Four players in two pairs: a pile of 11, one partner has it and the other the cards.",
            "Nuts (Peanuts, Team Solitaire), at catsatcards.com/Games/Nertz.html.",
        ),
        Preset(
            "partnership-free",
            Rules(seats=3, hands=2, roles="free"),
            "Pairs in which both partners do everything.",
            _HOUSE,
        ),
        Preset(
            "jokers",
            Rules(jokers=2),
            "Two jokers in each deck. Once covered, a joker is what it is.",
            "That there is such a variation: groupgames.tripod.com/nerts.html.",
        ),
        Preset(
            "jokers-unfixed",
            Rules(jokers=2, joker_unfix=True),
            "Two jokers in each deck; one that is uncovered again may be any card again.",
            "A rules text on Pounce has it, in a copy at judoarbucies.com; where from was not found.",
        ),
        Preset(
            "solitaire",
            Rules(seats=1),
            "One player who practises: how fast, and how many cards get out.",
            _HOUSE,
        ),
    )
}


def load_rules(name_or_path: str) -> Rules:
    """The preset of that name, or the rules in that TOML file."""
    if name_or_path in PRESETS:
        return PRESETS[name_or_path].rules
    if not name_or_path.endswith(".toml"):
        raise RulesError(unknown("rules preset", name_or_path, PRESETS) + "; or give a file that ends in .toml")
    try:
        text = Path(name_or_path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RulesError(f"cannot read the rules in {name_or_path}: {reason(error)}") from None
    return Rules.from_toml(text, source=name_or_path)
