"""The page of a deal without a browser: what is in it, how names are escaped, and what goes wrong in one line."""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import nertsim
from nertsim.cli import main
from nertsim.replay import Replay
from nertsim.replay.page import FIELDS, script_json
from nertsim.replay.versus import parting

Record = dict[str, Any]


@lru_cache
def replay(bot: str = "greedy", seats: int = 2, deal: int = 3) -> Replay:
    return nertsim.replay([bot, *["greedy"] * (seats - 1)], seed=1, deal=deal, seats=seats)


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["replay", "--seats", "2", "--seed", "1", "--deal", "3", *words])


class Reader(HTMLParser):
    """The elements of a page, and the text of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script":
            self.scripts[-1] += data


def data_of(page: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Reader(page).scripts[0])
    return data


def with_names(shown: Replay, *names: str) -> Replay:
    header = shown.records[0]
    seats = [{**seat, "bot": name} for seat, name in zip(header["seats"], names, strict=True)]
    return Replay([{**header, "seats": seats}, *shown.records[1:]], shown.scores)


# What is in it


def test_a_page_holds_every_action_but_the_waits() -> None:
    shown = replay()
    data = data_of(shown.html())
    rows = [dict(zip(FIELDS, row, strict=True)) for row in data["deals"][0]["actions"]]
    actions = [record for record in shown.records[1:-1] if record["action"] != "wait"]
    assert len(rows) == len(actions)
    for row, record in zip(rows, actions, strict=True):
        told = {name: value for name, value in row.items() if value is not None and name not in ("motion", "words")}
        kept = {name: value for name, value in record.items() if name not in ("type", "decided", "lifted")}
        assert told == kept
        assert row["motion"] == record["t"] - record["lifted"]
        assert row["words"] in " ".join(shown.text().split())
    assert data["deals"][0]["score"] == shown.records[-1]
    assert data["decks"] == [seat["deck"] for seat in shown.records[0]["seats"]]
    assert data["title"] == "Deal 3 of seed 1: 2 seats, standard rules"


def test_a_page_asks_for_nothing_outside_itself() -> None:
    page = replay().html()
    for tag, attributes in Reader(page).tags:
        assert tag not in ("link", "img", "iframe", "base", "object", "embed")
        assert not {"src", "href", "style", "onclick", "action"} & attributes.keys()
    assert not re.search(r"@import|https?://(?!www\.w3\.org/2000/svg)|\bfetch\(|XMLHttpRequest|innerHTML", page)
    policy = next(attributes["content"] for tag, attributes in Reader(page).tags if "http-equiv" in attributes)
    assert policy is not None
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy


@pytest.mark.parametrize("seats", [1, 2, 4, 12])
def test_a_page_is_smaller_than_half_a_megabyte(seats: int) -> None:
    assert len(replay(seats=seats).html(replay("careful", seats)).encode()) < 300_000


def test_points_at_the_start_are_shown() -> None:
    shown = nertsim.replay("greedy", seed=1, seats=2, scores=[55, -3])
    data = data_of(shown.html())
    assert data["points"] == [55, -3]
    assert data["title"].endswith("at 55 / -3 points")
    assert data_of(replay().html())["points"] is None


# Names


NAMES = [
    "<script>alert(1)</script>",
    "</script><!-- <img src=x onerror=alert(1)> -->",
    "\"quotes\" 'both' & &lt; \\ \\u003c",
    "lines\u2028\u2029\r\n\x00\x1b and {{data}} {{script}}",
    "Grüße 蛇 😀 \u202e \udcff",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_cannot_break_out(name: str) -> None:
    plain = Reader(replay().html())
    page = with_names(replay(), name, "greedy").html()
    reader = Reader(page)
    assert [tag for tag, _ in reader.tags] == [tag for tag, _ in plain.tags]
    assert reader.scripts[1] == plain.scripts[1]
    assert data_of(page)["deals"][0]["seats"][0]["bot"] == name


def test_json_in_a_script_is_plain_ascii_without_markup() -> None:
    for name in NAMES:
        text = script_json({name: name})
        assert json.loads(text) == {name: name}
        assert text.isascii()
        assert not set(text) & set("<>&\n\r")


def test_a_bot_from_a_file_keeps_its_name(tmp_path: Path) -> None:
    file = tmp_path / "<i>bot & 'co'</i>".replace("/", "_")
    file = file.with_suffix(".toml")
    file.write_text('["</script><script>alert(1)</script>"]\nstrategy = "greedy"\n')
    spec = f"{file}:</script><script>alert(1)</script>"
    done = run("--bot", spec, "--bot", "greedy", "--html", str(tmp_path / "deal.html"))
    assert done.exit_code == 0, done.output
    page = (tmp_path / "deal.html").read_text()
    assert data_of(page)["deals"][0]["seats"][0]["bot"] == spec
    assert len(Reader(page).scripts) == 2


# Two bots


def action(decided: int, seat: int, kind: str = "draw", **more: Any) -> Record:
    lifted = decided + 10
    return {"t": lifted + 10, "decided": decided, "lifted": lifted, "seat": seat, "hand": 0, "action": kind, **more}


def test_two_bots_part_at_the_first_decision_that_only_one_makes() -> None:
    same = [action(0, 0), action(5, 1)]
    one = [{}, *same, action(20, 0), action(30, 1), {}]
    other = [{}, *same, action(30, 1), action(22, 0), {}]
    assert parting(one, other) == {"t": 20, "seat": 0}
    assert parting(other, one) == {"t": 20, "seat": 0}


def test_what_comes_of_a_decision_is_no_parting() -> None:
    play = {"kind": "play", "card": "AS", "from": "nerts"}
    one = [{}, action(0, 1, **play, to="foundation0", result="ok"), action(4, 0, "recycle"), {}]
    other = [{}, action(0, 1, **play, to="foundation1", result="rejected"), action(4, 0, "rotate"), {}]
    assert parting(one, other) == {"t": 4, "seat": 0}


def test_a_wait_that_is_cut_off_is_no_parting() -> None:
    same = action(7, 1)
    assert parting([{}, action(0, 0, "wait"), same, {}], [{}, same, {}]) is None


def test_the_same_bot_never_parts_from_itself() -> None:
    data = data_of(replay().html(replay()))
    assert data["part"] is None
    assert data["deals"][0] == data["deals"][1]


def test_both_deals_are_the_same_up_to_the_parting() -> None:
    one, other = replay("greedy", 4), replay("careful", 4)
    part = data_of(one.html(other))["part"]
    assert part["seat"] == 0
    before = [[line for line in shown.records[1:-1] if line["t"] <= part["t"]] for shown in (one, other)]
    assert before[0] == before[1]
    assert [any(line["decided"] == part["t"] for line in shown.records[1:-1]) for shown in (one, other)] != [False] * 2


def test_two_deals_do_not_go_together() -> None:
    for other in (replay(deal=4), replay(seats=3), nertsim.replay("greedy", seed=2, deal=3, seats=2)):
        with pytest.raises(nertsim.UsageError, match="not of the same deal"):
            replay().html(other)


@pytest.mark.parametrize("seat", [-1, 2, 12])
def test_a_seat_that_does_not_exist_cannot_be_followed(seat: int) -> None:
    with pytest.raises(nertsim.UsageError, match=f"there is no seat {seat} to follow: seats are 0 to 1"):
        replay().html(follow=seat)


# Files and the command


def test_the_command_writes_what_python_writes(tmp_path: Path) -> None:
    file = tmp_path / "deal.html"
    done = run("--html", str(file), "--follow", "1", "--versus", "careful")
    assert (done.exit_code, done.stdout) == (0, "")
    other = nertsim.replay(["greedy", "careful"], seed=1, deal=3, seats=2)
    assert file.read_text(encoding="utf-8") == replay().html(other, follow=1)
    assert list(tmp_path.iterdir()) == [file]
    assert run("--html", "-").stdout == replay().html()


def test_versus_takes_seat_0_where_no_seat_is_followed() -> None:
    data = data_of(run("--html", "-", "--versus", "careful").stdout)
    bots = [[seat["bot"] for seat in deal["seats"]] for deal in data["deals"]]
    assert bots == [["greedy", "greedy"], ["careful", "greedy"]]
    assert data["follow"] is None


def test_a_page_replaces_the_one_before_as_a_whole(tmp_path: Path) -> None:
    file, link = tmp_path / "deal.html", tmp_path / "link.html"
    file.write_text("old")
    link.symlink_to(file)
    replay().write_html(link)
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == replay().html()
    umask = os.umask(0)
    os.umask(umask)
    replay().write_html(tmp_path / "new.html")
    assert (tmp_path / "new.html").stat().st_mode & 0o777 == 0o666 & ~umask


def test_a_page_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "deal.html"
    file.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(nertsim.UsageError, match=r"cannot write '.*deal.html': No space left on device"):
        replay().write_html(file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_device_is_written_to_and_not_replaced() -> None:
    with pytest.raises(nertsim.UsageError, match="cannot write '/dev/full': No space left on device"):
        replay().write_html("/dev/full")
    replay().write_html("/dev/null")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--html", "/nowhere/deal.html"], "cannot write '/nowhere/deal.html': No such file or directory"),
        (["--html", "."], "cannot write '.': Is a directory"),
        (["--html", ""], "cannot write '': Is a directory"),
        (["--html", "a" * 300], "File name too long"),
        (["--html", "x.html", "--deal", "2:5"], "--html shows one deal, not 3: give its number, as --deal 2"),
        (["--html", "x.html", "--jsonl", "x.jsonl"], "--html and --jsonl are given: one or the other"),
        (["--versus", "careful"], "--versus is for a page: give --html FILE, too"),
        (["--follow", "1"], "--follow is for a page: give --html FILE, too"),
        (["--html", "x.html", "--follow", "2"], "--follow 2: there is no such seat; seats are 0 to 1"),
        (["--html", "x.html", "--follow", "-1", "--versus", "careful"], "--follow -1: there is no such seat"),
        (["--html", "x.html", "--follow", "one"], "'one' is not a whole number"),
        (["--html", "x.html", "--versus", "gredy"], "did you mean 'greedy'?"),
        (["--html", "x.html", "--versus", "greedy,second.speed=2"], "seat 0 has one hand"),
    ],
)
def test_wrong_use_is_told_in_one_line(words: list[str], message: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        done = run(*words)
        assert done.exit_code == 2
        assert message in done.stderr
        assert done.stderr.count("\n") == 1
        assert not list(tmp_path.iterdir())
