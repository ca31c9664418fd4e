"""Dask workers: the same files, whoever plays; bots' files travel; what is lost is played again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import nertsim
from nertsim import BotError, NertsimError, UsageError, cluster
from nertsim.cli import main
from nertsim.dealer import Dealer
from nertsim.plans import BatchPlan
from nertsim.simulate import make_plan
from tests.bot_texts import ROOT, write_bot
from tests.runs import contents

# The order that a worker gets, without workers


def order_of(plan: BatchPlan) -> tuple[str, Dealer]:
    dealer = Dealer(plan.rules, plan.bots, plan.seed)
    return cluster.work_order(plan, plan.sample(dealer)), dealer


def test_a_worker_plays_what_a_thread_plays() -> None:
    plan = make_plan(["greedy", "hasty"], None, 2, 100, 5, 0, "seats")
    order, dealer = order_of(plan)
    there, here = cluster.play_order(order, (40, 70)), plan.player(dealer, threading.Event())((40, 70))
    assert there.totals == here.totals
    for kind, rows in here.rows.items():
        for name, values in rows.items():
            assert values.tobytes() == there.rows[kind][name].tobytes()


def test_bots_travel_with_what_they_import(tmp_path: Path) -> None:
    file = write_bot(tmp_path / "here" / "mine.py")
    helper = write_bot(tmp_path / "here" / "numbers_of_mine.py", "FIRST = 0\n")
    file.write_text("from numbers_of_mine import FIRST\n" + file.read_text().replace("ANSWER = 0", "ANSWER = FIRST"))
    plan = make_plan([f"{file}:clever,hold=3", "greedy"], None, 2, 100, 5, 0, "deals")
    order, dealer = order_of(plan)
    here = plan.player(dealer, threading.Event())((0, 30))
    file.unlink()
    helper.unlink()
    assert cluster.play_order(order, (0, 30)).totals == here.totals


def test_a_bot_file_that_changed_meanwhile_does_not_travel(tmp_path: Path) -> None:
    file = write_bot(tmp_path / "mine.py")
    plan = make_plan(f"{file}:clever", None, 1, 10, 5, 0, "deals")
    file.write_text(file.read_text() + "\n# changed\n")
    with pytest.raises(BotError, match=r"mine\.py has changed since it was loaded; start again"):
        cluster.work_order(plan, "")


def test_a_bot_made_in_python_does_not_travel() -> None:
    def decide(view: Any, parameters: Any, scratch: Any, noise: Any) -> int:
        return 0

    plan = make_plan(nertsim.Bot(nertsim.strategy(name="mine")(decide)), None, 1, 10, 5, 0, "deals")
    with pytest.raises(UsageError, match="the bot mine was made in Python, which other machines do not have"):
        cluster.work_order(plan, "")


@pytest.mark.parametrize("change", [{"sample": "another"}, {"plan": {"behaviour": -1}}])
def test_a_worker_that_plays_otherwise_says_so(change: dict[str, Any]) -> None:
    order = json.loads(order_of(make_plan("greedy", None, 2, 10, 6, 0, "deals"))[0])
    for name, value in change.items():
        order[name] = order[name] | value if isinstance(value, dict) else value
    with pytest.raises(NertsimError, match="plays otherwise than this computer: give it the same versions"):
        cluster.play_order(json.dumps(order), (0, 5))


def test_a_file_stays_in_its_folder(tmp_path: Path) -> None:
    file = write_bot(tmp_path / "mine.py")
    order = json.loads(order_of(make_plan(f"{file}:clever", None, 1, 10, 5, 0, "deals"))[0])
    (texts,) = order["files"].values()
    texts["../outside.py"] = ""
    with pytest.raises(NertsimError, match="would be put outside its folder"):
        cluster.play_order(json.dumps(order), (0, 5))


@pytest.mark.parametrize("address", ["127.0.0.1:9", "tcp://127.0.0.1:9", "nonsense", "tcp://no.such.host.invalid:8786"])
def test_a_wrong_address_is_one_line(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    words = ["simulate", "-n", "50", "--seats", "2", "--executor", "dask", "--scheduler", address]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1].startswith(f"Error: no Dask scheduler answers at {address}")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--scheduler", "tcp://127.0.0.1:8786"], "a scheduler is one of Dask: it needs executor='dask'"),
        (["--executor", "desk"], "'desk' is not one of 'threads', 'dask'"),
    ],
)
def test_wrong_use_is_one_line(words: list[str], told: str) -> None:
    done = CliRunner().invoke(main, ["simulate", "-n", "50", *words])
    assert done.exit_code == 2
    assert told in done.stderr


def test_without_dask_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"the executor dask needs Dask: pip install 'nertsim\[dask\]'"):
        nertsim.simulate("greedy", seats=2, deals=50, executor="dask")


# Workers, in processes of their own


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "nertsim", *words]


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command(*words), cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done


def test_a_local_cluster_gives_the_same_files(tmp_path: Path) -> None:
    asked = ["simulate", "--bot", "greedy", "--seats", "2", "-n", "3000", "--seed", "2"]
    nertsim.simulate("greedy", seats=2, deals=3000, seed=2, out=tmp_path / "whole")
    done = run([*asked, "--executor", "dask", "--threads", "2", "-o", "run"], tmp_path)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")
    assert len(done.stderr.splitlines()) == 2, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 4])
def test_any_number_of_workers_gives_the_same_files(tmp_path: Path, workers: int) -> None:
    nertsim.simulate("greedy", deals=100_000, seed=2, out=tmp_path / "whole")
    asked = ["simulate", "--bot", "greedy", "-n", "100k", "--seed", "2", "--executor", "dask", "--threads"]
    run([*asked, str(workers), "-o", "run"], tmp_path)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")
    nertsim.match("greedy", matches=80, seats=2, seed=2, out=tmp_path / "matches")
    asked = ["match", "--bot", "greedy", "-n", "80", "--seats", "2", "--seed", "2", "--executor", "dask", "--threads"]
    run([*asked, str(workers), "-o", "run of matches"], tmp_path)
    assert contents(tmp_path / "run of matches") == contents(tmp_path / "matches")


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, Callable[[str], subprocess.Popen[bytes]]]]:
    """A scheduler on loopback: its address, and what starts a worker in a folder of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    processes: list[subprocess.Popen[bytes]] = []

    def start(name: str, *words: str) -> subprocess.Popen[bytes]:
        (tmp_path / name).mkdir()
        with open(tmp_path / name / "log.txt", "wb") as log:
            begun = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
                cwd=tmp_path / name,
                env=environment,
                stdout=log,
                stderr=log,
            )
        processes.append(begun)
        return begun

    file = tmp_path / "scheduler.json"
    on_loopback = ["--host", "127.0.0.1", "--no-dashboard"]
    start("scheduler", "scheduler", *on_loopback, "--port", "0", "--scheduler-file", str(file))
    end = time.monotonic() + 30
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.05)
    address = json.loads(file.read_text())["address"]

    def worker(name: str) -> subprocess.Popen[bytes]:
        return start(name, "worker", address, "--nthreads", "1", "--no-nanny", *on_loopback)

    try:
        yield address, worker
    finally:
        for one in processes:
            one.kill()
            one.wait()


@pytest.mark.slow
def test_workers_elsewhere_play_a_bot_of_ones_own(tmp_path: Path, scheduler: Any) -> None:
    address, worker = scheduler
    worker("elsewhere")
    write_bot(tmp_path / "here" / "mine.py")
    asked = ["simulate", "--bot", "mine.py:clever", "--bot", "greedy", "--seats", "2", "-n", "20k", "--seed", "2"]
    run([*asked, "-o", "whole"], tmp_path / "here")
    run([*asked, "--executor", "dask", "--scheduler", address, "-o", "run"], tmp_path / "here")
    assert contents(tmp_path / "here" / "run") == contents(tmp_path / "here" / "whole")


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_no_deal(tmp_path: Path, scheduler: Any) -> None:
    address, worker = scheduler
    first, second = worker("first"), worker("second")
    nertsim.simulate("greedy", deals=400_000, seed=2, keep="deals", out=tmp_path / "whole")
    asked = ["simulate", "-n", "400k", "--seed", "2", "--keep", "deals", "--executor", "dask", "--scheduler", address]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command(*asked, "-o", str(tmp_path / "run")), env=environment, stderr=subprocess.PIPE, text=True
    ) as playing:
        end = time.monotonic() + 60
        part = tmp_path / "run" / "deals" / "part-000000000000-000000250000.parquet"
        while not part.exists() and time.monotonic() < end and playing.poll() is None:
            time.sleep(0.02)
        assert playing.poll() is None
        second.send_signal(signal.SIGKILL)
        _, told = playing.communicate(timeout=100)
    assert playing.returncode == 0, told
    assert first.poll() is None
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


@pytest.mark.slow
def test_ctrl_c_in_a_terminal_ends_workers_quietly(tmp_path: Path) -> None:
    nertsim.simulate("greedy", deals=10)  # compiled before
    words = ["simulate", "-n", "5M", "--seed", "2", "--executor", "dask", "--threads", "2", "-o", str(tmp_path / "run")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    playing = subprocess.Popen(
        command(*words),
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(8)
    os.killpg(playing.pid, signal.SIGINT)  # as a terminal does: to this process, and to its workers
    _, told = playing.communicate(timeout=60)
    assert playing.returncode == 130
    lines = told.strip().splitlines()
    assert lines[-1] == f"to go on: nertsim simulate --resume -o {tmp_path / 'run'} --threads 2 --executor dask"
    assert len(lines) <= 5, told
