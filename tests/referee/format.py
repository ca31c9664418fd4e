"""Section 7: the lines of a file, their fields, types and values. Nothing of the game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator

from .cards import IDENTITIES, full_deck, is_joker
from .deal import Action, Deal, Score

Test = Callable[[object], bool]


def whole(value: object, least: int = 0, most: int | None = None) -> bool:
    """An integer (not a bool) in a range."""
    return type(value) is int and value >= least and (most is None or value <= most)


def truth(value: object) -> bool:
    return type(value) is bool


def one_of(*words: str) -> Test:
    return lambda value: type(value) is str and value in words


def at_least(least: int, most: int | None = None) -> Test:
    return lambda value: whole(value, least, most)


def each(least: int, most: int | None = None) -> Test:
    return lambda value: type(value) is list and all(whole(item, least, most) for item in value)


OPTIONS = {
    "seats": at_least(1),
    "hands": each(1, 2),
    "roles": one_of("split", "free"),
    "nerts": each(0),
    "work_piles": at_least(1),
    "draw": at_least(1),
    "leftover": truth,
    "penalty": at_least(0),
    "call_bonus": at_least(0),
    "king_bonus": at_least(0),
    "calling": one_of("optional", "automatic"),
    "mid_air": one_of("count", "return"),
    "tie": one_of("both", "first"),
    "tie_window_us": at_least(0),
    "gaps": one_of("any", "nerts_at_once"),
    "runs": one_of("any", "whole"),
    "slide": truth,
    "rotation": one_of("one", "none", "shuffle"),
    "foundations": one_of("suit", "colour", "any"),
    "jokers": at_least(0, 4),
    "joker_unfix": truth,
    "time_limit_us": at_least(0),
    "target": at_least(1),
    "match_deals": lambda value: value is None or whole(value, 1),
    "winner_handicap": lambda value: type(value) is int,
}

COMMON = {"type", "t", "decided", "lifted", "seat", "hand", "action", "result"}
CARD = COMMON | {"card", "from", "to"}
#: action: (fields it must have, fields it may have)
FIELDS = {
    "play": (CARD, {"count", "as"}),
    "build": (CARD, {"count", "as"}),
    "fill": (CARD, {"count"}),
    "move": (CARD | {"count"}, {"as"}),
    "slide": (CARD, {"count", "as"}),
    "draw": (COMMON | {"from", "to", "count"}, set()),
    "recycle": (COMMON | {"from", "to"}, set()),
    "rotate": (COMMON | {"from", "to"}, {"stock"}),
    "call": (COMMON, set()),
    "wait": (COMMON, set()),
}
OWN, WORK, FOUNDATION = "nerts|waste", r"work(0|[1-9]\d*)", r"foundation(0|[1-9]\d*)"
#: action: (what `from` may be, what `to` may be)
PLACES = {
    "play": (f"{OWN}|{WORK}", FOUNDATION),
    "build": (OWN, WORK),
    "fill": (OWN, WORK),
    "move": (WORK, WORK),
    "slide": (OWN, WORK),
    "draw": ("stock", "waste"),
    "recycle": ("waste", "stock"),
    "rotate": ("stock", "stock"),
}
#: action: results it may have
RESULTS = {
    "play": {"ok", "tie", "rejected", "abandoned"},
    "build": {"ok", "rejected", "abandoned"},
    "fill": {"ok", "rejected", "abandoned"},
    "move": {"ok", "rejected", "abandoned"},
    "slide": {"ok", "rejected", "abandoned"},
    "draw": {"ok", "abandoned"},
    "recycle": {"ok", "abandoned"},
    "rotate": {"ok", "abandoned"},
    "call": {"ok"},
    "wait": {"ok"},
}


def field_problems(line: dict, must: set[str], may: Iterable[str] = ()) -> list[str]:
    """Exactly these fields, and none of them null by the way of being absent."""
    missing, extra = must - line.keys(), line.keys() - must - set(may)
    return [f"field '{name}' is missing" for name in sorted(missing)] + [
        f"field '{name}' does not belong here" for name in sorted(extra)
    ]


def once(pairs: list[tuple[str, object]]) -> dict:
    """A JSON object, with no field twice."""
    line = dict(pairs)
    if len(line) < len(pairs):
        raise ValueError("a field occurs twice")
    return line


def parse(text: str | dict) -> dict:
    """One line; ValueError where it is no JSON object with a `type`."""
    line = json.loads(text, object_pairs_hook=once) if isinstance(text, str) else text
    if not isinstance(line, dict) or line.get("type") not in ("deal", "action", "score"):
        raise ValueError("no object with a type of deal, action or score")
    return line


def read_deals(lines: Iterable[str | dict]) -> Iterator[tuple[str, Deal | None, list[str]]]:
    """Each deal of a file as (its name, itself if it can be read, the problems of its format)."""
    group: list[tuple[int, dict]] = []
    any_line = False
    for number, text in enumerate(lines, 1):
        if isinstance(text, str) and not text.strip():
            continue
        any_line = True
        try:
            line = parse(text)
        except ValueError as error:
            yield f"line {number}", None, [str(error)]
            continue
        if line["type"] == "deal" and group:
            yield read_deal(group)
            group = []
        group.append((number, line))
    if group:
        yield read_deal(group)
    if not any_line:
        yield "file", None, ["is empty"]


def read_deal(group: list[tuple[int, dict]]) -> tuple[str, Deal | None, list[str]]:
    """One header, its action lines, its score line."""
    first, header = group[0]
    name = f"deal {header.get('deal')} (line {first})"
    if header["type"] != "deal":
        return name, None, ["a deal must begin with its header"]
    problems = header_problems(header)
    if problems:
        return name, None, problems
    if group[-1][1]["type"] != "score":
        return name, None, ["the last line of a deal must be the score"]
    rules = header["rules"]
    problems = [f"score line: {problem}" for problem in score_problems(group[-1][1], rules)]
    for number, line in group[1:-1]:
        found = action_problems(line, rules) if line["type"] == "action" else ["only the last line may be the score"]
        problems += [f"line {number}: {problem}" for problem in found]
    if problems:
        return name, None, problems
    last = group[-1][1]
    score = Score(last["ended"], last["t"], last["caller"], last["seats"])
    deal = Deal(rules, [seat["deck"] for seat in header["seats"]], score)
    deal.actions = read_actions(group[1:-1])
    return name, deal, []


def read_actions(numbered: list[tuple[int, dict]]) -> list[Action]:
    """The action lines, each linked to the previous one of its hand."""
    actions: list[Action] = []
    latest: dict[tuple[int, int], Action] = {}
    for index, (number, line) in enumerate(numbered):
        hand = line["seat"], line["hand"]
        label = f"line {number} (seat {hand[0]} hand {hand[1]} {line['action']} {line.get('card', '')}".rstrip() + ")"
        action = Action(index, label, line["t"], line["decided"], line["lifted"], *hand, line["action"], line["result"])
        action.card, action.source, action.target = line.get("card", ""), line.get("from", ""), line.get("to", "")
        action.count, action.identity, action.stock = line.get("count", 1), line.get("as"), line.get("stock")
        action.previous = latest.get(hand)
        latest[hand] = action
        actions.append(action)
    return actions


def header_problems(header: dict) -> list[str]:
    """The first line: every option and no others, seats in order, decks that are permutations."""
    problems = field_problems(header, {"type", "format", "seed", "deal", "rules", "seats"})
    if problems:
        return problems
    if header["format"] != "nertsim-trace/1":
        problems.append(f"unknown format {header['format']!r}")
    problems += [f"'{name}' is not an integer" for name in ("seed", "deal") if type(header[name]) is not int]
    if not isinstance(header["rules"], dict) or not isinstance(header["seats"], list):
        return [*problems, "rules must be an object and seats a list"]
    problems += rules_problems(header["rules"])
    if not problems:
        problems = seats_problems(header["seats"], header["rules"])
    return problems


def rules_problems(rules: dict) -> list[str]:
    """Section 3: every option with a value it can have."""
    problems = [f"rules: {problem}" for problem in field_problems(rules, set(OPTIONS))]
    given = [(name, right, rules[name]) for name, right in OPTIONS.items() if name in rules]
    problems += [f"rules: {name} cannot be {value!r}" for name, right, value in given if not right(value)]
    if not problems:
        problems = [
            f"rules: {name} must have one entry a seat"
            for name in ("hands", "nerts")
            if len(rules[name]) != rules["seats"]
        ]
    return problems


def seats_problems(seats: list, rules: dict) -> list[str]:
    """Each seat's entry of the header."""
    if len(seats) != rules["seats"]:
        return [f"{len(seats)} seats listed, but the rules say {rules['seats']}"]
    problems = []
    for number, seat in enumerate(seats):
        if not isinstance(seat, dict) or field_problems(seat, {"seat", "bot", "hands", "deck"}):
            problems.append(f"seat {number}: must have exactly seat, bot, hands and deck")
            continue
        if not whole(seat["seat"]) or seat["seat"] != number:
            problems.append(f"seat {number}: is numbered {seat['seat']!r}")
        if type(seat["bot"]) is not str:
            problems.append(f"seat {number}: bot is no text")
        if not whole(seat["hands"]) or seat["hands"] != rules["hands"][number]:
            problems.append(f"seat {number}: hands differ from the rules")
        if not is_permutation(seat["deck"], full_deck(rules["jokers"])):
            problems.append(f"seat {number}: deck is no permutation of the cards")
        elif rules["nerts"][number] + rules["work_piles"] > len(seat["deck"]):
            problems.append(f"seat {number}: the deck is too small for the layout")
    return problems


def is_permutation(value: object, cards: list[str]) -> bool:
    return type(value) is list and all(type(card) is str for card in value) and sorted(value) == sorted(cards)


def action_problems(line: dict, rules: dict) -> list[str]:
    """One action line: fields of its action, types, names of places, results that it can have."""
    kind = line.get("action")
    if type(kind) is not str or kind not in FIELDS:
        return [f"unknown action {kind!r}"]
    problems = field_problems(line, *FIELDS[kind])
    if problems:
        return problems
    problems = [f"{name} is no time" for name in ("t", "decided", "lifted") if not whole(line[name])]
    if not whole(line["seat"], 0, rules["seats"] - 1):
        return [*problems, f"no seat {line['seat']!r}"]
    if not whole(line["hand"], 0, rules["hands"][line["seat"]] - 1):
        problems.append(f"no hand {line['hand']!r}")
    if type(line["result"]) is not str or line["result"] not in RESULTS[kind]:
        problems.append(f"a {kind} cannot be {line['result']!r}")
    return problems + place_problems(line, rules) + card_problems(line, rules)


def place_problems(line: dict, rules: dict) -> list[str]:
    """`from` and `to` are places that the action can have."""
    problems = []
    for name, pattern in zip(("from", "to"), PLACES.get(line["action"], ()), strict=False):
        place = line[name]
        if type(place) is not str or not re.fullmatch(pattern, place):
            problems.append(f"a {line['action']} cannot have '{name}' {place!r}")
        elif place.startswith("work") and int(place[4:]) >= rules["work_piles"]:
            problems.append(f"there is no {place}")
    if not problems and line["action"] == "move" and line["from"] == line["to"]:
        problems.append("a move onto its own pile")
    return problems


def card_problems(line: dict, rules: dict) -> list[str]:
    """`card`, `count`, `as` and `stock`."""
    cards, kind, problems = full_deck(rules["jokers"]), line["action"], []
    if "card" in line and line["card"] not in cards:
        problems.append(f"there is no card {line['card']!r}")
    if "count" in line:
        most = None if kind in ("move", "draw") else 1
        if not whole(line["count"], 1, most):
            problems.append(f"count cannot be {line['count']!r}")
    if "as" in line and line["as"] not in list(IDENTITIES):
        problems.append(f"'as' is no card: {line['as']!r}")
    if kind == "play" and not problems and ("as" in line) != is_joker(line["card"]):
        problems.append("a play needs 'as' for a joker, and only for one")
    if kind == "rotate":
        shuffled = rules["rotation"] == "shuffle" and line.get("result") == "ok"
        if shuffled != ("stock" in line) and line.get("result") != "abandoned":
            problems.append("a rotation needs 'stock' when it shuffles, and only then")
        if "stock" in line and not (type(line["stock"]) is list and all(type(card) is str for card in line["stock"])):
            problems.append("'stock' is no list of cards")
    return problems


def score_problems(line: dict, rules: dict) -> list[str]:
    """The last line, its types; its numbers are for `ending`."""
    problems = field_problems(line, {"type", "ended", "t", "caller", "seats"})
    if problems:
        return problems
    if line["ended"] not in ("called", "stuck", "time_limit"):
        problems.append(f"a deal cannot end as {line['ended']!r}")
    if not whole(line["t"]):
        problems.append("t is no time")
    if line["caller"] is not None and not whole(line["caller"], 0, rules["seats"] - 1):
        problems.append(f"caller cannot be {line['caller']!r}")
    if type(line["seats"]) is not list or len(line["seats"]) != rules["seats"]:
        return [*problems, "must have one entry a seat"]
    for number, seat in enumerate(line["seats"]):
        names = {"seat", "foundation", "kings", "nerts_left", "score"}
        if not isinstance(seat, dict) or field_problems(seat, names):
            problems.append(f"seat {number} must have exactly {sorted(names)}")
        elif any(type(seat[name]) is not int for name in names):
            problems.append(f"seat {number}: not all are integers")
    return problems
