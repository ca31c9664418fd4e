"""The end of a deal: the call, what may happen after the end, and the score line."""

from __future__ import annotations

from .cards import is_king
from .deal import Action, Deal


def check_ending(deal: Deal) -> list[str]:
    """Everything about the end but exhaustion, which is in `passes`."""
    return call_problems(deal) + automatic_problems(deal) + limit_problems(deal) + after_problems(deal) + score(deal)


def call_problems(deal: Deal) -> list[str]:
    """A called deal has one call, at the instant of the score line, by the caller; others have none."""
    calls = [action for action in deal.actions if action.kind == "call"]
    if deal.score.ended != "called":
        problems = [f"{call.name}: a call in a deal that ended as {deal.score.ended}" for call in calls]
        return problems + (["only a called deal has a caller"] if deal.score.caller is not None else [])
    if not calls:
        return ["ended as called, but there is no call"]
    problems = [f"{call.name}: a second call is dropped" for call in calls[1:]]
    if calls[0].t != deal.score.t:
        problems.append(f"{calls[0].name}: the score line puts the call at {deal.score.t}")
    if calls[0].seat != deal.score.caller:
        problems.append(f"{calls[0].name}: the score line has the caller {deal.score.caller}")
    return problems


def automatic_problems(deal: Deal) -> list[str]:
    """Option `calling`: the landing that empties a nerts pile is followed by the call of the same hand."""
    if deal.rules["calling"] != "automatic":
        return []
    problems = []
    left = list(deal.rules["nerts"])
    due: Action | None = None
    for action in [*deal.actions, None]:
        if due and not (action and is_automatic(action, due)):
            problems.append(f"{due.name}: emptied the nerts pile, but no automatic call follows")
        if action is None:
            break
        if action.kind == "call" and not (due and is_automatic(action, due)):
            problems.append(f"{action.name}: not the automatic call of a landing that emptied the nerts pile")
        due = None
        if action.moved and action.source == "nerts":
            left[action.seat] -= 1
            if left[action.seat] == 0 and not ended_before(deal, action):
                due = action
    return problems


def is_automatic(call: Action, landing: Action) -> bool:
    """`call` is the automatic call that `landing` makes."""
    same_hand = (call.seat, call.hand) == (landing.seat, landing.hand)
    return call.kind == "call" and same_hand and call.decided == call.lifted == call.t == landing.t


def ended_before(deal: Deal, action: Action) -> bool:
    """The deal was, or at the same microsecond may have been, over when the action landed."""
    if deal.score.ended == "called":
        return any(call.index < action.index for call in deal.actions if call.kind == "call")
    return action.t > deal.score.t or (action.t == deal.score.t and deal.score.ended == "stuck")


def limit_problems(deal: Deal) -> list[str]:
    """No deal ends after the limit, and nothing lands after it when it ends the deal."""
    limit, ended = deal.rules["time_limit_us"], deal.score.ended
    problems = []
    if deal.score.t > limit or (ended == "time_limit" and deal.score.t != limit):
        problems.append(f"ended as {ended} at {deal.score.t}, with the limit at {limit}")
    if ended == "time_limit":
        problems += [f"{a.name}: after the time limit" for a in deal.actions if a.t > limit]
    return problems


def after_problems(deal: Deal) -> list[str]:
    """After a call or the last exhaustion: motions already in the air may land (or return), and nothing else."""
    if deal.score.ended == "time_limit":
        return []
    end, returns = deal.score.t, deal.rules["mid_air"] == "return"
    call = next((a.index for a in deal.actions if a.kind == "call"), None)
    problems = []
    for action in deal.actions:
        nothing_lands = action.kind == "wait" or action.result == "abandoned"
        after_call = call is not None and action.index > call and action.t == end
        if action.t > end:
            if nothing_lands:
                problems.append(f"{action.name}: after the end of the deal")
            elif action.lifted > end:
                problems.append(f"{action.name}: lifted after the end of the deal")
        if returns and not nothing_lands and (action.t > end or after_call):
            problems.append(f"{action.name}: a card in mid-air at the end had to return")
    return problems


def score(deal: Deal) -> list[str]:
    """Rule 11 and the bonuses."""
    rules, problems = deal.rules, []
    for seat, found in enumerate(deal.score.seats):
        landed = [a for a in deal.actions if a.seat == seat and a.moved]
        plays = [a for a in landed if a.kind == "play"]
        kings = sum(is_king(a.stands_for) for a in plays)
        left = rules["nerts"][seat] - sum(a.source == "nerts" for a in landed)
        total = len(plays) - rules["penalty"] * left + rules["king_bonus"] * kings
        if deal.score.caller == seat:
            total += rules["call_bonus"]
        right = {"seat": seat, "foundation": len(plays), "kings": kings, "nerts_left": left, "score": total}
        problems += [
            f"score of seat {seat}: {name} is {found[name]}, must be {value}"
            for name, value in right.items()
            if found[name] != value
        ]
    return problems
