"""Chunks played by the workers of a Dask cluster: on this computer, or wherever its scheduler has some.

A worker gets the plan as text, with the files of people's bots, and spans. It answers with columns. What a
lost worker had to do is done again by another. Connections are secured by Dask's own configuration.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import platform
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from itertools import islice
from multiprocessing import resource_tracker
from pathlib import Path
from threading import Event
from typing import Any

from nertsim.bots.files import fingerprint_of, read_sources
from nertsim.codes import BEHAVIOUR
from nertsim.errors import BotError, NertsimError, UsageError
from nertsim.executors import Span
from nertsim.plans import BatchPlan, Piece

AHEAD = 3
"""Chunks for each worker that are on the way, so that none idles, and memory stays flat."""
CONNECT_SECONDS = 20
OTHERWISE = "the worker on {host} plays otherwise than this computer: give it the same versions of nertsim and numba"


def dask_in_order(
    plan: BatchPlan, sample: str, spans: Iterable[Span], scheduler: str | None, workers: int
) -> Generator[Piece]:
    """The pieces of a plan, in order; errors come in their turn, after the pieces before them.

    Played by the cluster of the scheduler at that address, or by `workers` processes on this computer. Raises
    `UsageError` where Dask is not installed, or no scheduler answers.
    """
    order = work_order(plan, sample)
    with _client(scheduler, workers) as client:
        todo, flying = iter(spans), deque[Any]()
        while True:
            # Workers may come and go.
            width = AHEAD * max(1, len(client.scheduler_info()["workers"]))
            for span in islice(todo, max(0, width - len(flying))):
                flying.append(client.submit(play_order, order, span, pure=False))
            if not flying:
                return
            yield flying.popleft().result()


@contextlib.contextmanager
def _client(scheduler: str | None, workers: int) -> Iterator[Any]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise UsageError("the executor dask needs Dask: pip install 'nertsim[dask]'") from None
    if scheduler is None:
        with _without_interrupts():
            cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
            )
        with cluster, Client(cluster) as client:
            yield client
        return
    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    with client:
        yield client


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes that are started meanwhile do not see Ctrl-C, which a terminal sends to all: this one ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work_order(plan: BatchPlan, sample: str) -> str:
    """A plan as text that a worker can play: with the files of its bots and their fingerprints, and the plan's sample,
    so that a worker with other versions that plays otherwise is found out.
    """
    files = {}
    for bot in plan.bots:
        origin = bot.strategy.origin
        if origin is None and not bot.strategy.is_built_in:
            raise UsageError(
                f"the bot {bot.label} was made in Python, which other machines do not have: put it in a file"
            )
        if origin is not None and ".py" in origin.spec:
            sources = read_sources(Path(origin.file))
            if fingerprint_of(sources) != origin.sha256:
                raise BotError(f"the bot file {origin.file} has changed since it was loaded; start again")
            folder = Path(origin.file).parent
            texts = {str(file.relative_to(folder)): base64.b64encode(text).decode() for file, text in sources.items()}
            files[origin.sha256] = texts
    module = type(plan).__module__, type(plan).__qualname__
    return json.dumps({"plan": plan.to_dict(), "type": module, "files": files, "sample": sample}, sort_keys=True)


def play_order(order: str, span: Span) -> Piece:
    """Plays a span; runs on a worker."""
    return _player(order)(span)


_players: dict[str, Callable[[Span], Piece]] = {}
_folders: list[tempfile.TemporaryDirectory[str]] = []
"""Where the bots' files of this worker are; they go when it ends."""
_players_lock = threading.Lock()


def _player(order: str) -> Callable[[Span], Piece]:
    """What plays the spans of an order, made once in each worker."""
    import importlib

    key = hashlib.sha256(order.encode()).hexdigest()
    with _players_lock:
        if key not in _players:
            values = json.loads(order)
            module, name = values["type"]
            plan_type = getattr(importlib.import_module(module), name)
            plan = plan_type.from_dict(_with_files_here(values["plan"], values["files"]))
            from nertsim.dealer import Dealer

            dealer = Dealer(plan.rules, plan.bots, plan.seed)
            if values["plan"]["behaviour"] != BEHAVIOUR or plan.sample(dealer) != values["sample"]:
                raise NertsimError(OTHERWISE.format(host=platform.node()))
            _players.clear()
            _players[key] = plan.player(dealer, Event())
        return _players[key]


def _new_folder() -> Path:
    _folders.append(tempfile.TemporaryDirectory(prefix="nertsim-bots-", ignore_cleanup_errors=True))
    return Path(_folders[-1].name)


def _with_files_here(plan: dict[str, Any], files: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """The plan with the bots' files where this worker has put them."""
    folders = {fingerprint: _put_here(texts) for fingerprint, texts in files.items()}

    def moved(value: Any) -> Any:
        if isinstance(value, list):
            return [moved(one) for one in value]
        if not isinstance(value, dict):
            return value
        if value.get("sha256") in folders:
            return value | {"file": str(folders[value["sha256"]] / Path(value["file"]).name)}
        return {name: moved(one) for name, one in value.items()}

    return moved(plan)


def _put_here(texts: Mapping[str, str]) -> Path:
    folder = _new_folder()
    for name, text in texts.items():
        file = folder / name
        if not file.resolve().is_relative_to(folder.resolve()):
            raise NertsimError(f"a bot's file would be put outside its folder: {name}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(text))
    return folder
