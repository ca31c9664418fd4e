"""Section 4, the clock of each hand."""

from __future__ import annotations

from .deal import Action, Deal


def check_timing(deal: Deal) -> list[str]:
    """Lines in order of t; each action's three instants in order; no idle time between the actions of a hand."""
    problems = []
    latest = 0
    for action in deal.actions:
        if action.t < latest:
            problems.append(f"{action.name}: t {action.t} is before the line above")
        latest = max(latest, action.t)
        problems += [f"{action.name}: {problem}" for problem in instants(action)]
    return problems


def instants(action: Action) -> list[str]:
    """Problems of one action's times."""
    problems = []
    free = action.previous.free_at if action.previous else 0
    if action.decided != free:
        problems.append(f"decided at {action.decided}, but the hand was free at {free}")
    if not action.decided <= action.lifted <= action.t:
        problems.append(f"decided {action.decided}, lifted {action.lifted}, t {action.t} are not in order")
    if (action.kind == "wait" or action.result == "abandoned") and action.lifted != action.t:
        problems.append("lifted must equal t when nothing lands")
    return problems
