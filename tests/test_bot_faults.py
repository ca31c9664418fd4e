"""Bots that break something: one clear message, a command that shows it again, and nertsim goes on."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import nertsim
from nertsim.cli import main
from nertsim.codes import fault_text
from nertsim.rules import Rules

from .bot_texts import BOT, fault_of, shell, write_bot

BROKEN = Path(__file__).parent / "broken_bots"
QUICK = """\
import sys
import nertsim.dealer, nertsim.guard
# What is told is a second, what is waited half of one, instead of ten.
nertsim.dealer.LOOK_SECONDS, nertsim.guard.LOOK_SECONDS = 0.1, 0.05
"""
TABLE = ["--seats", "2", "--bot", "{file}", "--bot", "greedy", "--seed", "7"]

LINES = {
    "syntax_error": (2, "the bot file {file} cannot be read: line 7: expected ':'"),
    "wrong_arguments": (
        2,
        "the bot file {file} cannot be used, line 6: clever(table, hand) is not a strategy: it must take exactly "
        "(view, parameters, scratch, noise)",
    ),
    "plain_helper": (
        2,
        "the bot clever (plain_helper.py, line 11) cannot be compiled: line 14: last is a plain Python function: "
        "put @nertsim.helper above it",
    ),
    "returns_float": (
        2,
        "the bot clever (returns_float.py, line 7) returns a float: it must return an integer, a position in the list "
        "of legal actions or wait(microseconds)",
    ),
    "writes_to_view": (
        2,
        "the bot clever (writes_to_view.py, line 6) cannot be compiled: line 9: it writes to the view or the "
        "parameters, which are read only (scratch is for what it wants to keep)",
    ),
    "raises": (1, "seat 0 ({file}), deal 0, {time} s: the bot raised ValueError: no more patience; {again}"),
    "out_of_range": (
        1,
        "seat 0 ({file}), deal 0, 0.000 s: the bot returned {n}, but there were {n} legal actions: 0 to {n}, or "
        "wait(microseconds); {again}",
    ),
    "waits_zero": (
        1,
        "seat 0 ({file}), deal 0, 0.000 s: the bot asked to wait 1 µs or less; the shortest wait is 1000 µs; {again}",
    ),
    "loops": (
        1,
        "seat 0 ({file}), deal 0, {time} s: the bot has been at one decision for 1 s and may loop for ever; {again}",
    ),
}
"""The nine broken bots: exit code, and the one line on stderr."""
AGAIN = "to see the deal: nertsim replay --seats 2 --bot {file}:clever --bot greedy --seed 7 --deal 0"


def pattern(line: str, file: str) -> re.Pattern[str]:
    text = re.escape(line.replace("{again}", AGAIN)).replace(r"\{file\}", re.escape(file))
    return re.compile(text.replace(r"\{time\}", r"\d+\.\d{3}").replace(r"\{n\}", r"\d+"))


def nertsim_in(folder: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, which has less patience with bots that loop."""
    code = f"{QUICK}from nertsim.cli import main\nmain(sys.argv[1:])"
    return subprocess.run([sys.executable, "-c", code, *words], cwd=folder, capture_output=True, text=True, timeout=60)


def test_there_are_nine_broken_bots() -> None:
    assert sorted(file.stem for file in BROKEN.glob("*.py")) == sorted(LINES)
    assert len(LINES) == 9


@pytest.mark.parametrize("name", LINES)
def test_a_broken_bot_is_one_line_with_a_command_that_shows_it_again(name: str) -> None:
    file, (code, line) = f"{name}.py", LINES[name]
    words = [word.format(file=file) for word in TABLE]
    done = nertsim_in(BROKEN, ["simulate", *words, "-n", "50", "--threads", "2"])
    assert done.returncode == code
    assert done.stdout == ""
    told = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert len(told) == 1
    assert "Traceback" not in done.stderr
    assert pattern(line, file).fullmatch(told[0].removeprefix("Error: ")), told[0]
    if code == 1:
        again = nertsim_in(BROKEN, shlex.split(told[0].partition("to see the deal: nertsim ")[2]))
        assert again.returncode == 1
        assert again.stderr.splitlines()[-1].replace(":clever)", ")") == told[0]


def test_nertsim_goes_on_after_a_fault_of_any_kind() -> None:
    expected = nertsim.simulate("greedy", seats=2, deals=20, seed=1).totals
    for name, (code, _) in LINES.items():
        if name != "loops":
            error = nertsim.BotError if code == 2 else nertsim.BotFault
            for ask in (nertsim.simulate, nertsim.match, nertsim.replay):
                with pytest.raises(error):
                    ask([str(BROKEN / f"{name}.py"), "greedy"], seats=2, seed=1)
        assert nertsim.simulate("greedy", seats=2, deals=20, seed=1).totals == expected


def test_nertsim_goes_on_after_a_bot_that_loops() -> None:
    code = f"""{QUICK}
import nertsim
for bots in (["loops.py", "greedy"], ["greedy", "loops.py"]):
    for ask in (nertsim.simulate, nertsim.match):
        try:
            ask(bots, seats=2, seed=1, threads=1)
        except nertsim.BotFault as fault:
            print(fault)
print(nertsim.simulate("greedy", seats=2, deals=20, seed=1))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=BROKEN, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    *faults, last = done.stdout.splitlines()
    assert [fault.split(" (loops.py), deal 0, ")[0] for fault in faults] == ["seat 0", "seat 0", "seat 1", "seat 1"]
    assert all("may loop for ever; to see the deal: nertsim replay --seats 2" in fault for fault in faults)
    assert last == "<Run of 20 deals, 2 seats (greedy), seed 1>"


@pytest.mark.slow
def test_a_bot_that_loops_is_told_after_ten_seconds_and_can_be_interrupted(tmp_path: Path) -> None:
    from .interrupts import interrupt

    file = str(BROKEN / "loops.py")
    words = ["simulate", "--bot", file, "--seats", "1", "-n", "5", "--seed", "1"]
    done = shell(words, tmp_path)
    assert done.returncode == 1
    assert "at one decision for 10 s and may loop for ever" in done.stderr
    stopped = interrupt(words, after=5)
    assert stopped.returncode == 130
    assert stopped.seconds < 2


# The message


def test_a_fault_says_seat_deal_and_time_and_the_command_has_all_that_differs(tmp_path: Path) -> None:
    text = BOT.format(answer=0).replace("if ANSWER > 0:", "if now(view) > 3_000_000 and my_hand(view) == 1:")
    text = text.replace("return ANSWER", "return 999").replace("import action", "import my_hand, now, action")
    file = write_bot(tmp_path / "my bots" / "late.py", text)
    rules = Rules(seats=3, hands=(1, 2, 1), nerts=(13, 10, 13), draw=1, jokers=2, gaps="nerts_at_once", slide=False)
    bots = ["greedy,speed=1.1", f"{file},hold=3.5,tempo=expert,second.speed=0.9", "hasty"]
    with pytest.raises(nertsim.BotFault) as caught:
        nertsim.simulate(bots, rules=rules, deals=64, first_deal=17, seed=123456789)
    message = str(caught.value)
    found = re.match(r"seat 1 \((.*)\), deal 17, (3\.\d{3}) s: the bot returned 999, but there w", message)
    assert found and found[1] == bots[1]
    again = shell(shlex.split(message.partition("to see the deal: nertsim ")[2]), tmp_path)
    assert again.returncode == 1
    assert f"deal 17, {found[2]} s: the bot returned 999" in again.stderr


def test_a_fault_in_a_match_is_shown_again_with_the_points_and_the_handicap(tmp_path: Path) -> None:
    text = BOT.format(answer=0).replace("if ANSWER > 0:", "if match_score(view, 0) + match_score(view, 1) != 0:")
    text = text.replace("return ANSWER", "return 1000 + nerts_count(view, 0) * 20 + nerts_count(view, 1)")
    text = text.replace("import action", "import match_score, nerts_count, action")
    file = write_bot(tmp_path / "late.py", text)
    with pytest.raises(nertsim.BotFault) as caught:
        nertsim.match([str(file), "greedy"], rules=Rules(seats=2, winner_handicap=3), matches=5, seed=1)
    message = str(caught.value)
    found = re.match(r"seat 0 \(.*\), deal (\d+), 0\.000 s: the bot returned (\d+), ", message)
    assert found and int(found[1]) % 4096 > 0
    nerts = divmod(int(found[2]) - 1000, 20)
    assert sorted(nerts) == [13, 16]
    again = shell(shlex.split(message.partition("to see the deal: nertsim ")[2]), tmp_path)
    assert f"deal {found[1]}, 0.000 s: the bot returned {found[2]}, " in again.stderr


def test_a_bot_made_in_python_is_shown_again_from_python() -> None:
    def mine(view, parameters, scratch, noise):
        return 999

    told = fault_of(nertsim.Bot(mine), deals=3, first_deal=5)  # type: ignore[arg-type]
    assert told.endswith("; to see the deal: nertsim.replay(bots, rules, seed=1, deal=5)")


def test_a_fault_is_that_of_the_first_deal_that_has_one(tmp_path: Path) -> None:
    text = BOT.format(answer=0).replace("if ANSWER > 0:", "if nerts_top(view, 0) == 51 and decision_number(view) == 0:")
    text = text.replace("return ANSWER", "return 999").replace(
        "import action", "import decision_number, nerts_top, action"
    )
    file = write_bot(tmp_path / "rare.py", text)
    told = {
        fault_of(str(file), deals=2000, threads=threads, chunk=chunk) for threads, chunk in ((1, 7), (2, 64), (2, 1))
    }
    assert len(told) == 1
    assert re.match(r"seat 0 \(.*rare\.py\), deal [1-9]\d*, ", told.pop())


@pytest.mark.parametrize(
    ("returns", "words"),
    [
        ("-5", "the bot asked to wait 5 µs; the shortest wait is 1000 µs"),
        ("wait(-7)", "the bot asked to wait 1 µs or less; the shortest"),
        ("wait(999)", "the bot asked to wait 999 µs;"),
        ("1 << 40", f"the bot returned {1 << 40}, but there w"),
        ("-(1 << 62) - (1 << 62)", "the bot asked to wait"),
        ("True", "returns True or False: it must return an integer"),
        ("None", "returns nothing (None): it must return an integer"),
        ("'0'", "it must return an integer"),
        ("unheard_of(view)", "name 'unheard_of' is not defined"),
        ("open('x')", "line 3"),
    ],
)
def test_what_a_bot_must_not_return(tmp_path: Path, returns: str, words: str) -> None:
    lines = [
        "from nertsim.bots.view import wait",
        "def clever(view, parameters, scratch, noise):",
        f"    return {returns}",
    ]
    text = "\n".join(lines)
    told = fault_of(str(write_bot(tmp_path / "bot.py", text)))
    assert words in told
    assert "\n" not in told


def test_what_was_possible_is_told_for_any_number_of_actions() -> None:
    assert (
        fault_text(2, 0, 0)
        == "the bot returned 0, but there was no legal action: all it could do was to wait(microseconds)"
    )
    assert fault_text(2, 4, 1) == "the bot returned 4, but there was one legal action: 0, or wait(microseconds)"
    assert fault_text(2, 4, 3) == "the bot returned 4, but there were 3 legal actions: 0 to 2, or wait(microseconds)"


def test_scratch_beyond_its_end_harms_nobody(tmp_path: Path) -> None:
    text = BOT.format(answer=0).replace(
        "    if ANSWER", "    scratch[1_000_000] = 1e300\n    scratch[64 + 3] += 1.0\n    if ANSWER"
    )
    file = write_bot(tmp_path / "wild.py", text)
    run = nertsim.simulate([str(file), "greedy"], seats=2, deals=200, seed=1)
    tame = nertsim.simulate([str(write_bot(tmp_path / "tame.py")), "greedy"], seats=2, deals=200, seed=1)
    assert run.seats.drop(columns="bot").equals(tame.seats.drop(columns="bot"))


# What is kept


def test_a_fault_on_the_way_leaves_nothing_or_what_is_complete_and_says_so(tmp_path: Path) -> None:
    write_bot(tmp_path / "bad.py", answer=999)
    words = ["simulate", "--seats", "1", "--seed", "1", "-o", "run", "-n", "100", "--bot"]
    done = shell([*words, "bad.py"], tmp_path)
    assert done.returncode == 1
    assert "nothing is kept" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("Error: seat 0 (bad.py), deal 0, 0.000 s: ")
    assert not (tmp_path / "run").exists()


def test_a_fault_far_behind_leaves_the_parts_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = BOT.format(answer=0).replace(
        "if ANSWER > 0:", "if nerts_top(view, 0) == 51 and work_card(view, 0, 0, 0) == 0:"
    )
    text = text.replace("return ANSWER", "return 999").replace("import action", "import nerts_top, work_card, action")
    file = write_bot(tmp_path / "rare.py", text)
    monkeypatch.setattr("nertsim.run.PART_ROWS", 64)
    words = ["simulate", "--seats", "1", "--seed", "1", "-o", str(tmp_path / "run"), "-n", "20k", "--bot", str(file)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1
    deal = int(re.search(r"Error: seat 0 .*, deal (\d+), ", result.stderr)[1])  # type: ignore[index]
    assert deal > 64
    kept = nertsim.load(tmp_path / "run")
    assert kept.totals.deals == deal // 64 * 64 == len(kept.deals)
    assert f"{kept.totals.deals:,} deals are kept in {tmp_path}/run" in result.stderr
    same = nertsim.simulate(str(file), seats=1, seed=1, deals=kept.totals.deals)
    assert same.seats.equals(kept.seats)
