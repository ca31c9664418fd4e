"""Runs that were stopped, gone on with or added to: the same files as if they had been played in one go."""

from __future__ import annotations

import os
import random
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import nertsim
from nertsim import BotFault, NertsimError, StoreError, UsageError
from nertsim.bots.view import action_count, wait
from nertsim.cli import main
from nertsim.store import RunFolder, _Lock
from tests.bot_texts import write_bot
from tests.fakes import FakeDealer
from tests.interrupts import interrupt
from tests.runs import contents, interrupting, manifest, play_deals, play_matches, play_with_breaks

PLAYS: list[tuple[Callable[..., Any], str]] = [
    (play_deals, "seats"),
    (play_deals, "deals"),
    (play_deals, "summary"),
    (play_matches, "matches"),
    (play_matches, "summary"),
]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 100 deals at 4 seats, or of 16 matches."""
    monkeypatch.setattr("nertsim.run.PART_ROWS", 400)
    monkeypatch.setattr("nertsim.experiments.match.MATCHES_A_PART", 16)
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # which only a power failure would tell


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeDealer:
    dealer = FakeDealer(4)
    monkeypatch.setattr("nertsim.dealer.Dealer", lambda rules, bots, seed: dealer)
    return dealer


# However it was played, it is the same


@pytest.mark.parametrize(("play", "keep"), PLAYS)
def test_interrupted_and_gone_on_with_it_is_the_same(tmp_path: Path, play: Callable[..., Any], keep: str) -> None:
    whole = play(tmp_path / "whole", keep=keep, threads=1)
    for seed in range(2):
        folder = tmp_path / str(seed)
        assert play_with_breaks(play, folder, random.Random(seed), keep=keep) > 1
        assert contents(folder) == contents(tmp_path / "whole")
        assert nertsim.load(folder).summary["seats"] == whole.summary["seats"]


@pytest.mark.parametrize(("play", "keep"), PLAYS)
def test_extended_it_is_as_if_it_had_been_asked_for_at_once(
    tmp_path: Path, play: Callable[..., Any], keep: str
) -> None:
    play(tmp_path / "whole", keep=keep)
    total = manifest(tmp_path / "whole")["count"]
    chance = random.Random(keep)
    for number in range(2):
        folder, cuts = tmp_path / str(number), sorted(chance.sample(range(1, total), 3))
        play_with_breaks(play, folder, chance, keep=keep, deals=cuts[0])
        for before, after in zip(cuts, [*cuts[1:], total], strict=True):
            play(folder, deals=after - before, extend=True, chunk=chance.choice([5, 64]))
        assert contents(folder) == contents(tmp_path / "whole")


def test_an_extension_that_was_interrupted_is_gone_on_with(tmp_path: Path, fake: FakeDealer) -> None:
    play_deals(tmp_path / "whole")
    play_deals(tmp_path / "run", deals=333)
    with pytest.raises(KeyboardInterrupt):
        play_deals(tmp_path / "run", deals=597, extend=True, progress=interrupting(3))
    assert manifest(tmp_path / "run")["state"] == "interrupted"
    play_deals(tmp_path / "run", resume=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_one_that_is_not_done_may_be_extended(tmp_path: Path, fake: FakeDealer) -> None:
    play_deals(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        play_deals(tmp_path / "run", deals=700, progress=interrupting(3))
    play_deals(tmp_path / "run", deals=230, extend=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_a_run_that_is_done_is_gone_on_with_for_nothing(tmp_path: Path, fake: FakeDealer) -> None:
    run = play_deals(tmp_path / "run")
    before = contents(tmp_path / "run")
    again = play_deals(tmp_path / "run", resume=True)
    assert contents(tmp_path / "run") == before
    assert (again.totals, again.seconds) == (run.totals, pytest.approx(run.seconds, abs=0.5))
    pd.testing.assert_frame_equal(again.seats, run.seats)


def test_what_is_given_again_may_be_left_out(tmp_path: Path, fake: FakeDealer) -> None:
    play_deals(tmp_path / "whole", bots=["greedy,speed=1.1", "greedy", "hasty", "hasty"], rules="standard")
    with pytest.raises(KeyboardInterrupt):
        play_deals(tmp_path / "run", bots=["greedy,speed=1.1", "greedy", "hasty", "hasty"], progress=interrupting(3))
    nertsim.simulate(out=tmp_path / "run", resume=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_resume_begins_a_run_where_there_is_none(tmp_path: Path, fake: FakeDealer) -> None:
    play_deals(tmp_path / "whole")
    play_deals(tmp_path / "run", resume=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_sessions_say_how_often_it_was_gone_on_with(tmp_path: Path, fake: FakeDealer) -> None:
    with pytest.raises(KeyboardInterrupt):
        play_deals(tmp_path / "run", progress=interrupting(2), command=["first"])
    play_deals(tmp_path / "run", resume=True, command=["second"], chunk=7)
    sessions = manifest(tmp_path / "run")["sessions"]
    assert [(one["command"], one["chunk"]) for one in sessions] == [(["first"], 32), (["second"], 7)]


# Stopped without warning, and by a full disk


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Nothing more is written once a run stops, as if its process had been killed."""
    context = pytest.MonkeyPatch()
    context.setattr("nertsim.sinks.FolderSink._save_last", lambda self, state: self._writer.shutdown())
    yield context
    context.undo()


@pytest.mark.parametrize("keep", ["seats", "summary"])
def test_killed_at_any_write_it_goes_on(tmp_path: Path, fake: FakeDealer, killed: Any, keep: str) -> None:
    play_deals(tmp_path / "whole", deals=330, keep=keep)
    writes = _calls_of_fsync(lambda: play_deals(tmp_path / "counted", deals=330, keep=keep))
    for number in range(4, writes, 2):
        folder = tmp_path / str(number)
        with pytest.MonkeyPatch.context() as patch:
            _fail(patch, "fsync", number, KeyboardInterrupt())
            with pytest.raises(KeyboardInterrupt):
                play_deals(folder, deals=330, keep=keep)
        kept = nertsim.load(folder)
        assert kept.totals.deals % 100 == 0 or kept.totals.deals == 330
        play_deals(folder, deals=330, keep=keep, resume=True)
        assert contents(folder) == contents(tmp_path / "whole")


@pytest.mark.parametrize("keep", ["seats", "summary"])
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_disk_full_at_any_write_is_one_line_and_it_goes_on(
    tmp_path: Path, fake: FakeDealer, keep: str, call: str
) -> None:
    play_deals(tmp_path / "whole", deals=330, keep=keep)
    writes = _calls_of_fsync(lambda: play_deals(tmp_path / "counted", deals=330, keep=keep))
    for number in range(writes if call == "fsync" else writes // 2):
        folder = tmp_path / f"{call}-{number}"
        with pytest.MonkeyPatch.context() as patch:
            _fail(patch, call, number, OSError(28, "No space left on device"))
            with pytest.raises(NertsimError, match=r"cannot write .*: No space left on device$"):
                play_deals(folder, deals=330, keep=keep)
        if folder.exists():
            nertsim.load(folder)
        play_deals(folder, deals=330, keep=keep, resume=True)
        assert contents(folder) == contents(tmp_path / "whole")


def _calls_of_fsync(play: Callable[[], Any]) -> int:
    calls, fsync = [], os.fsync
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: (calls.append(descriptor), fsync(descriptor))[1])
        play()
    return len(calls)


def _fail(patch: pytest.MonkeyPatch, name: str, after: int, error: BaseException) -> None:
    """A function of `os` that raises after so many calls, and from then on."""
    left, function = [after], getattr(os, name)

    def failing(*arguments: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise error
        return function(*arguments)

    patch.setattr(os, name, failing)


def test_a_run_that_is_killed_loses_no_more_than_half_a_minute(
    tmp_path: Path, fake: FakeDealer, killed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nertsim.sinks.SAVE_SECONDS", 0.0)
    fake.seconds = 0.01
    play_deals(tmp_path / "whole", deals=95)
    with pytest.raises(KeyboardInterrupt):
        play_deals(tmp_path / "run", deals=95, chunk=5, threads=1, progress=interrupting(12))
    kept = nertsim.load(tmp_path / "run")
    assert 25 <= kept.totals.deals <= 60
    assert len(kept.seats) == 4 * kept.totals.deals
    play_deals(tmp_path / "run", deals=95, resume=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_many_small_chunks_are_joined_on_the_way(
    tmp_path: Path, fake: FakeDealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_deals(tmp_path / "whole")
    monkeypatch.setattr("nertsim.sinks.MANY_PIECES", 10)
    play_deals(tmp_path / "run", chunk=3)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_after_a_part_that_could_not_be_written_none_follows(
    tmp_path: Path, fake: FakeDealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nertsim.store import write_file

    def failing_once(path: Path, data: bytes) -> None:
        if "100-000000000200" in path.name and not failed:
            failed.append(path)
            raise StoreError(f"cannot write {path}: Input/output error")
        write_file(path, data)

    failed: list[Path] = []
    monkeypatch.setattr("nertsim.store.write_file", failing_once)
    with pytest.raises(StoreError, match="Input/output error"):
        play_deals(tmp_path / "run")
    assert nertsim.load(tmp_path / "run").totals.deals == 100
    play_deals(tmp_path / "whole")
    play_deals(tmp_path / "run", resume=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_leftovers_of_a_run_that_was_killed_are_swept_away(tmp_path: Path, fake: FakeDealer) -> None:
    play_deals(tmp_path / "whole")
    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        play_deals(folder, progress=interrupting(8))
    for name in ("manifest.json.part", "seats/part-000000000200-000000000300.parquet.part"):
        (folder / name).write_text("half of")
    (folder / "seats" / "part-000000000000-000000000077.parquet").write_text("a short one that has grown since")
    (folder / "notes.txt").write_text("mine")
    play_deals(folder, resume=True)
    assert (folder / "notes.txt").read_text() == "mine"
    (folder / "notes.txt").unlink()
    assert contents(folder) == contents(tmp_path / "whole")


def test_a_run_that_was_killed_at_once_is_begun_anew(tmp_path: Path, fake: FakeDealer) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "manifest.json.part").write_text("half of")
    play_deals(tmp_path / "run", resume=True)
    play_deals(tmp_path / "whole")
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


# Refusals


@pytest.fixture
def folder(tmp_path: Path, fake: FakeDealer) -> Path:
    """A run that was interrupted after 296 of 930 deals."""
    with pytest.raises(KeyboardInterrupt):
        play_deals(tmp_path / "run", bots=["greedy", "greedy,speed=1.1", "hasty", "hasty"], progress=interrupting(11))
    assert nertsim.load(tmp_path / "run").totals.deals == 296
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"rules": nertsim.Rules(penalty=1)}, "its rule penalty is 2, not 1"),
        ({"seats": 3}, "its rule seats is 4, not 3"),
        ({"bots": "greedy"}, "at seat 1 sits greedy,speed=1.1, whose speed is 1.1, not 1.0"),
        ({"bots": ["greedy", "greedy,speed=1.1", "hasty", "random"]}, "whose strategy is hasty, not random"),
        ({"bots": ["greedy", "greedy,speed=1.1"] * 2}, "at seat 2 sits hasty, whose strategy is hasty, not greedy"),
        ({"bots": ["greedy", "greedy,speed=1.1,think=0.1", "hasty", "hasty"]}, "whose think is 0.4, not 0.1"),
        ({"bots": ["greedy"] * 3}, "3 bots for 4 seats"),
        ({"seed": 4}, "its seed is 3, not 4"),
        ({"first_deal": 10}, "its first is 0, not 10"),
        ({"keep": "deals"}, "its keep is 'seats', not 'deals'"),
        ({"deals": 1000}, "was to have 930 deals, not 1,000; --extend adds to it"),
        ({"until_error": 0.01}, "it was to be played for 930 deals, not until the win rate is known to ±0.01"),
    ],
)
def test_another_run_is_refused_and_the_difference_named(
    folder: Path, fake: FakeDealer, asked: dict[str, Any], words: str
) -> None:
    before = contents(folder)
    fake.played.clear()
    with pytest.raises(UsageError) as caught:
        nertsim.simulate(out=folder, resume=True, **asked)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert (contents(folder), fake.played) == (before, [])


def test_a_nertsim_that_plays_otherwise_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nertsim.resume.BEHAVIOUR", 10**6)
    with pytest.raises(UsageError, match=r"plays otherwise \(behaviour \d+; this one has 1000000\)"):
        nertsim.simulate(out=folder, resume=True)


def test_first_deals_that_come_out_otherwise_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(folder)
    monkeypatch.setattr("nertsim.plans.BatchPlan.sample", lambda self, dealer: "another")
    with pytest.raises(StoreError, match="its first deals are played otherwise here than they were"):
        nertsim.simulate(out=folder, resume=True)
    assert contents(folder) == before


def test_a_run_of_another_command_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="holds a run of `nertsim simulate`, not of `nertsim match`"):
        nertsim.match(out=folder, resume=True)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"resume": True}, "resume needs the folder of the run"),
        ({"extend": True}, "extend needs the folder of the run"),
        ({"out": "run", "resume": True, "extend": True}, "give one of them"),
        ({"out": "run", "extend": True}, "extend needs how many deals are added"),
        ({"out": "nothing", "extend": True, "deals": 5}, "nothing holds no run to extend"),
        ({"out": "run", "extend": True, "deals": 0}, "deals must be a whole number from 1"),
        ({"out": "", "resume": True}, "the name of the folder of the run is empty"),
        ({"out": "run"}, "exists and is not empty; give a new one; --resume goes on with the run in it"),
    ],
)
def test_wrong_use_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any], words: str) -> None:
    monkeypatch.chdir(folder.parent)
    with pytest.raises(UsageError) as caught:
        nertsim.simulate(**asked)
    assert words in str(caught.value)


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path, fake: FakeDealer) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "a web site"}')
    with pytest.raises(StoreError, match="is not a manifest that this nertsim can read"):
        play_deals(tmp_path, resume=True)
    assert [file.name for file in tmp_path.iterdir()] == ["manifest.json"]


def test_a_run_that_cannot_go_on_yet_stays_as_it_was(
    folder: Path, fake: FakeDealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(folder)
    monkeypatch.setattr("nertsim.dealer.Dealer", _no_dealer)
    with pytest.raises(BotFault):
        nertsim.simulate(out=folder, resume=True)
    assert contents(folder) == before


def _no_dealer(*_: Any) -> None:
    raise BotFault("the bot does not compile")


def test_a_run_with_nothing_kept_yet_is_not_taken_away_by_one_that_fails(
    tmp_path: Path, fake: FakeDealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(KeyboardInterrupt):
        play_deals(tmp_path / "run", progress=interrupting(1), chunk=1000)
    monkeypatch.setattr("nertsim.dealer.Dealer", _no_dealer)
    with pytest.raises(BotFault):
        nertsim.simulate(out=tmp_path / "run", resume=True)
    assert (tmp_path / "run" / "manifest.json").exists()


# Two processes


def test_a_folder_that_another_writes_to_is_refused(folder: Path) -> None:
    other = RunFolder(folder)
    with pytest.raises(StoreError, match=r"another process is writing to .*; wait until it ends"):
        nertsim.simulate(out=folder, resume=True)
    other.close()
    assert nertsim.simulate(out=folder, resume=True).totals.deals == 930


def test_of_two_that_begin_at_once_one_is_refused(
    tmp_path: Path, fake: FakeDealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = _Lock(tmp_path)
    with pytest.raises(StoreError, match="another process is writing to"):
        play_deals(tmp_path)
    lock.release()

    def quicker(path: Path) -> _Lock:
        monkeypatch.setattr("nertsim.store._Lock", _Lock)
        play_deals(path, deals=50)
        return _Lock(path)

    monkeypatch.setattr("nertsim.store._Lock", quicker)
    with pytest.raises(UsageError, match="exists and is not empty"):
        play_deals(tmp_path)
    assert len(nertsim.load(tmp_path).seats) == 200


# Folders that cannot be written to


def test_a_read_only_folder_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: Any, **__: Any) -> Any:
        raise OSError(30, "Read-only file system")

    before = contents(folder)
    with monkeypatch.context() as patch:
        patch.setattr("nertsim.store.open", read_only, raising=False)
        with pytest.raises(StoreError, match=r"cannot write .*manifest\.json: Read-only file system"):
            nertsim.simulate(out=folder, resume=True)
        patch.setattr(Path, "unlink", read_only)
        with pytest.raises(StoreError, match=r"cannot write to the folder .*: Read-only file system"):
            nertsim.simulate(out=folder, resume=True)
    assert contents(folder) == before


def test_a_slow_disk_slows_the_players_down(tmp_path: Path, fake: FakeDealer, monkeypatch: pytest.MonkeyPatch) -> None:
    from nertsim.store import write_file

    most = [0]

    def slow(path: Path, data: bytes) -> None:
        if path.suffix == ".parquet" and path.parent.name == "seats":
            ahead = max(last for _, last in fake.played) - int(path.stem.split("-")[1])
            most[0] = max(most[0], ahead)
            time.sleep(0.03)
        write_file(path, data)

    monkeypatch.setattr("nertsim.store.write_file", slow)
    play_deals(tmp_path / "run", chunk=10, threads=2)
    # The part that is written, the one that is collected, and what is in flight.
    assert most[0] <= 100 + 100 + 10 * 5


# Bots of people


def test_a_bot_file_that_has_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_bot(tmp_path / "mine.py")
    spec, asked = f"{file}:clever", {"seats": 1, "deals": 40}
    play_deals(tmp_path / "whole", bots=spec, **asked)
    with pytest.raises(KeyboardInterrupt):
        play_deals(tmp_path / "run", bots=spec, **asked, chunk=8, progress=interrupting(2))
    text = file.read_text()
    file.write_text(text + "# changed\n")
    with pytest.raises(UsageError, match=r"the bot .*mine\.py:clever .* has changed since the run"):
        nertsim.simulate(out=tmp_path / "run", resume=True)
    with pytest.raises(UsageError, match=r"whose file's fingerprint is [0-9a-f]+, not [0-9a-f]+"):
        nertsim.simulate(spec, out=tmp_path / "run", resume=True)
    file.write_text(text)
    monkeypatch.chdir("/")
    nertsim.simulate(out=tmp_path / "run", resume=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def first_thing(view: Any, parameters: Any, scratch: Any, noise: Any) -> int:
    """Plays the first thing it sees."""
    return 0 if action_count(view) > 0 else wait(300_000)


def last_thing(view: Any, parameters: Any, scratch: Any, noise: Any) -> int:
    """Plays the last thing it sees."""
    return action_count(view) - 1 if action_count(view) > 0 else wait(300_000)


def test_a_bot_made_in_python_has_to_be_given_again(tmp_path: Path) -> None:
    first, last = (nertsim.strategy(name="mine")(decide) for decide in (first_thing, last_thing))
    asked = {"seats": 2, "deals": 60, "chunk": 8}
    play_deals(tmp_path / "whole", bots=nertsim.Bot(first), **asked)
    with pytest.raises(KeyboardInterrupt):
        play_deals(tmp_path / "run", bots=nertsim.Bot(first), **asked, progress=interrupting(3))
    assert nertsim.load(tmp_path / "run").totals.deals == 24
    with pytest.raises(UsageError, match="the bot mine was made in Python and is not kept with the run; give it again"):
        nertsim.simulate(out=tmp_path / "run", resume=True)
    with pytest.raises(StoreError, match="its first deals are played otherwise here"):
        nertsim.simulate(nertsim.Bot(last), out=tmp_path / "run", resume=True)
    nertsim.simulate(nertsim.Bot(first), out=tmp_path / "run", resume=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


# The command line


def call(*words: str) -> Any:
    return CliRunner().invoke(main, list(words))


def test_a_bot_that_breaks_the_protocol_keeps_what_was_played(tmp_path: Path, fake: FakeDealer) -> None:
    fake.error, fake.fails_at = BotFault("seat 2 (mine), deal 230: raised ValueError"), 230
    done = call("simulate", "-n", "930", "--seed", "3", "--threads", "1", "-o", str(tmp_path / "run"))
    assert done.exit_code == 1
    kept = nertsim.load(tmp_path / "run").totals.deals
    assert 100 <= kept <= 230
    lines = done.stderr.splitlines()
    assert f"{kept} deals are kept in {tmp_path / 'run'}" in lines
    assert "the bot would do the same again, and with a changed one it would be another run" in done.stderr
    assert "to go on:" not in done.stderr
    assert lines[-1] == "Error: seat 2 (mine), deal 230: raised ValueError"


def test_a_full_disk_says_how_to_go_on(tmp_path: Path, fake: FakeDealer, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["simulate", "-n", "930", "--seed", "3", "--threads", "2", "-o", str(tmp_path / "run")]
    with monkeypatch.context() as patch:
        _fail(patch, "fsync", 20, OSError(28, "No space left on device"))
        done = call(*words)
    assert done.exit_code == 1
    assert "deals are kept in" in done.stderr
    assert f"to go on: nertsim simulate --resume -o {tmp_path / 'run'} --threads 2" in done.stderr
    assert done.stderr.splitlines()[-1].endswith("No space left on device")


@pytest.mark.parametrize("words", [["--resume"], ["--extend", "-n", "5"], ["--resume", "--extend", "-o", "x"]])
def test_wrong_use_on_the_command_line_is_one_line(words: list[str]) -> None:
    done = call("simulate", *words)
    assert done.exit_code == 2
    assert len(done.stderr.strip().splitlines()) == 1


def test_resume_of_nothing_is_told(tmp_path: Path) -> None:
    done = call("simulate", "--resume", "-o", str(tmp_path / "typo"))
    assert done.exit_code == 2
    assert "typo holds no run to go on with" in done.stderr
    assert not (tmp_path / "typo").exists()


def test_the_command_that_is_told_at_ctrl_c_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # parts of the usual size, as the process below has them
    folder = tmp_path / "a run"
    nertsim.simulate(deals=60_000, seed=5, out=tmp_path / "whole", keep="deals")
    words = ["simulate", "-n", "60k", "--seed", "5", "--keep", "deals", "--threads", "1", "-o", str(folder)]
    done = interrupt(words, when=lambda: (folder / "manifest.json").exists() and bool(manifest(folder).get("sample")))
    assert done.returncode == 130
    assert done.stdout == ""
    assert 0 < nertsim.load(folder).totals.deals < 60_000
    going_on = done.stderr.strip().splitlines()[-1].removeprefix("to go on: ")
    assert shlex.split(going_on) == ["nertsim", "simulate", "--resume", "-o", str(folder), "--threads", "1"]
    here = os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    again = subprocess.run(going_on, shell=True, capture_output=True, text=True, env=here)
    assert again.returncode == 0, again.stderr
    assert contents(folder) == contents(tmp_path / "whole")
