"""The commands that do something again, as a person would type them."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Sequence

from nertsim.bots.strategy import Bot
from nertsim.errors import BotError
from nertsim.rules import Rules


def replay_command(rules: Rules, bots: Sequence[Bot], seed: int, deal: int, scores: Sequence[int] = ()) -> str:
    """The command that shows a deal; what to call in Python where a bot has no name on the command line."""
    try:
        words = ["nertsim", "replay", *table_words(rules, bots)]
    except BotError:
        return f"nertsim.replay(bots, rules, seed={seed}, deal={deal}{f', scores={list(scores)}' if scores else ''})"
    words += ["--seed", str(seed), "--deal", str(deal)]
    if scores:
        words += [f"--scores={','.join(map(str, scores))}"]
    return shlex.join(words)


def table_words(rules: Rules, bots: Sequence[Bot]) -> list[str]:
    """The options for rules and bots; BotError for a bot that has no name on the command line."""
    words = []
    for name, value in rules.to_options().items():
        words += ["--seats", value] if name == "seats" else ["--set", f"{name}={value}"]
    specs = [spec_of(bot) for bot in bots]
    for spec in specs[:1] if len(set(specs)) == 1 else specs:
        words += ["--bot", spec]
    return words


def spec_of(bot: Bot) -> str:
    """What names the bot on the command line, without what is as usual; BotError where it has no name there.

    A bot from the record of a run has all its values, as they were then.
    """
    from nertsim.bots.spec import find_strategy

    if not bot.strategy.is_built_in:
        return bot.spec()
    usual = find_strategy(bot.strategy.name).parameters
    changed = {name: value for name, value in bot.values.items() if name not in usual or value != usual[name].default}
    return dataclasses.replace(bot, values=changed).spec()
