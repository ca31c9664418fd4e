"""Going on with the run in a folder: what it was, and whether what is asked for now is the same."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from nertsim.bots.strategy import Bot
from nertsim.codes import BEHAVIOUR
from nertsim.errors import UsageError
from nertsim.rules import Rules
from nertsim.store import MANIFEST, explaining_manifest, read_manifest


class RecordedPlan(Protocol):
    """A plan that a manifest holds."""

    KIND: ClassVar[str]
    UNIT: ClassVar[str]

    @property
    def count(self) -> int:
        """How much was to be played."""

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], /) -> Any:
        """The plan that its `to_dict` wrote."""


AnyPlan = TypeVar("AnyPlan", bound=RecordedPlan)


def is_begun(path: str | os.PathLike[str]) -> bool:
    """True where the folder holds a run, finished or not."""
    return (Path(path) / MANIFEST).exists()


def recorded_plan(kind: type[AnyPlan], path: str | os.PathLike[str]) -> AnyPlan:
    """The plan of the run in a folder.

    Raises `StoreError` for a folder that is none or damaged, `UsageError` for a run of another command or of a nertsim
    that plays otherwise.
    """
    folder = Path(path)
    manifest = read_manifest(folder)
    with explaining_manifest(folder):
        found, behaviour = manifest["kind"], manifest["behaviour"]
        plan = kind.from_dict(manifest) if found == kind.KIND else None
    if plan is None:
        raise UsageError(f"{folder} holds a run of `nertsim {found}`, not of `nertsim {kind.KIND}`")
    if behaviour != BEHAVIOUR:
        raise UsageError(
            f"{folder} was played by a nertsim that deals or plays otherwise (behaviour {behaviour}; this one has "
            f"{BEHAVIOUR}): go on with that one, or play it anew into another folder"
        )
    return plan


def has_ended(path: str | os.PathLike[str]) -> bool:
    """True where the run in a folder has all that it was to have."""
    manifest = read_manifest(Path(path))
    with explaining_manifest(Path(path)):
        return bool(manifest["played"] == manifest["count"])


def check_same(path: str | os.PathLike[str], plan: RecordedPlan, asked: Mapping[str, Any]) -> None:
    """UsageError, naming the difference, where what is asked for now is not what the run in the folder was.

    `asked` holds rules, bots, seed, first, count, keep and until, as far as they were given.
    """
    for name, value in asked.items():
        was = getattr(plan, name)
        if name == "rules":
            _check_rules(path, was, value)
        elif name in ("bots", "rivals", "entrants"):
            _check_bots(path, name, was, value)
        elif name == "count" and value != was:
            raise UsageError(f"{path} was to have {was:,} {plan.UNIT}, not {value:,}; --extend adds to it")
        elif name == "until":
            if str(value) != str(was):
                whole = f"for {plan.count:,} {plan.UNIT}"
                raise UsageError(f"{path} cannot be gone on with: it was to be played {was or whole}, not {value}")
        elif value != was:
            raise UsageError(f"{path} cannot be gone on with: its {name} is {was!r}, not {value!r}")


def _check_rules(path: Any, was: Rules, now: Rules) -> None:
    before, after = was.to_dict(), now.to_dict()
    for name, value in before.items():
        if after[name] != value:
            raise UsageError(f"{path} cannot be gone on with: its rule {name} is {value!r}, not {after[name]!r}")


def _check_bots(path: Any, what: str, was: tuple[Bot, ...], now: tuple[Bot, ...]) -> None:
    if len(was) != len(now):
        raise UsageError(f"{path} cannot be gone on with: it has {len(was)} {what}, not {len(now)}")
    for number, (one, other) in enumerate(zip(was, now, strict=True)):
        name = "ABC"[number] if what == "rivals" else number + 1
        where = f"at seat {number} sits" if what == "bots" else f"bot {name} is"
        before, after = _identity(one), _identity(other)
        for key, value in before.items():
            if after.get(key) != value:
                now_is = after.get(key)
                raise UsageError(
                    f"{path} cannot be gone on with: {where} {one.label}, whose {key} is {value}, not {now_is}"
                )


def _identity(bot: Bot) -> dict[str, Any]:
    """What decides how a bot plays, flat, each value under the word that a person knows it by."""
    values = bot.to_dict()
    origin = values.get("origin") or {}
    return {
        "strategy": values["strategy"],
        **values["parameters"],
        **values["tempo"],
        **{f"second.{name}": value for name, value in values.get("second", values["tempo"]).items()},
        "label": values["label"],
        "file's fingerprint": origin.get("sha256"),
    }
