"""Bots in people's own files and in packages: found, loaded, told apart, and compiled anew only where they changed."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import nertsim
from nertsim.bots.constants import constants_of
from nertsim.bots.files import load_strategies, offered_strategies, read_sources
from nertsim.bots.spec import parse_bot

from .bot_texts import BOT, fault_of, shell, write_bot

EXAMPLE = Path(nertsim.__file__).parent / "bots" / "example.py"
IMPORTS = "import nertsim\nfrom nertsim.bots.view import action, action_count, wait"
DECIDE = "(view, parameters, scratch, noise)"


# Names


def test_a_file_is_named_with_its_strategy_or_without(tmp_path: Path) -> None:
    file = write_bot(tmp_path / "mybot.py")
    for text in (f"{file}:clever", f"{file}"):
        bot = parse_bot(f"{text},hold=3,speed=2")
        assert bot.strategy.name == "clever"
        assert bot.strategy.description.startswith("Answers with one number")
        assert bot.vector() == [3.0]
        assert bot.tempo.speed == 2
        assert bot.label == f"{text},hold=3,speed=2"
        assert bot.spec() == f"{file}:clever,hold=3.0,speed=2.0"


def test_several_strategies_of_a_file_have_to_be_named(tmp_path: Path) -> None:
    again = BOT.format(answer=0).replace("def clever", "def cleverer").split("@", 1)[1]
    file = write_bot(tmp_path / "two.py", BOT.format(answer=0) + "\n@" + again)
    assert list(load_strategies(str(file))) == ["clever", "cleverer"]
    with pytest.raises(nertsim.BotError, match=r"two\.py has 2 strategies; name one, as .*two\.py:clever"):
        parse_bot(str(file))
    assert parse_bot(f"{file}:cleverer").strategy.name == "cleverer"


def test_an_undecorated_function_with_the_usual_arguments_is_a_strategy(tmp_path: Path) -> None:
    text = f"def other(a, b, c, d): return 1\ndef plain{DECIDE}:\n    '''Does it.'''\n    return 0\n"
    strategies = load_strategies(str(write_bot(tmp_path / "plain.py", text)))
    assert [one.description for one in strategies.values()] == ["Does it."]


def test_a_strategy_of_another_file_is_not_one_of_this(tmp_path: Path) -> None:
    write_bot(tmp_path / "mybot.py")
    own = BOT.format(answer=0).replace("def clever", "def mine")
    file = write_bot(tmp_path / "mine.py", "from mybot import clever\n" + own)
    assert list(load_strategies(str(file))) == ["mine"]
    assert list(load_strategies(str(write_bot(tmp_path / "again.py", "from mybot import clever\n")))) == ["clever"]


WRONG = {
    "wrong name": (BOT.format(answer=0), ":clevr", "no strategy called? .*did you mean 'clever'"),
    "no strategy": ("x = 1\n", "", "has no strategy: put @nertsim.strategy above a function"),
    "syntax": ("x = 1\ny = = 2\n", "", r"bot\.py cannot be read: line 2: invalid syntax"),
    "exception": ("x = 1\n\ny = 1 / 0\n", "", r"bot\.py cannot be loaded, line 3: ZeroDivisionError: division by zero"),
    "exit": ("import sys\nsys.exit(3)\n", "", r"bot\.py cannot be loaded, line 2: SystemExit: 3"),
    "missing module": ("import nowhere_at_all\n", "", r"line 1: ModuleNotFoundError: No module named 'nowhere_at_all'"),
    "null bytes": ("x = 1\0\n", "", "cannot be read: line"),
    "parameter": ("import nertsim\nnertsim.Parameter(1, 2, 3, 'x')\n", "", "cannot be used, line 2: a parameter needs"),
    "arguments": (
        "import nertsim\n@nertsim.strategy\ndef f(view): return 0\n",
        "",
        r"line 2: f\(view\) is not a strat",
    ),
    "class": ("import nertsim\n@nertsim.strategy\nclass F: pass\n", "", "is not a function; a strategy is one"),
    "reserved": (
        f"import nertsim\n@nertsim.strategy(parameters={{'speed': nertsim.Parameter(1, 0, 2, 'x')}})\n"
        f"def f{DECIDE}: return 0\n",
        "",
        "a parameter cannot be called 'speed', which means something else",
    ),
    "unnamed value": (BOT.format(answer=0), ",holt=1", "did you mean 'hold'"),
    "value out of range": (BOT.format(answer=0), ",hold=10", "clever: hold must be from 0 to 9, not 10"),
}


@pytest.mark.parametrize(("text", "after", "words"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_file_is_one_line(tmp_path: Path, text: str, after: str, words: str) -> None:
    file = write_bot(tmp_path / "bot.py", text)
    with pytest.raises(nertsim.BotError, match=words.replace("called?", "(called '.*'|in .*)?")) as caught:
        parse_bot(f"{file}{after}")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_or_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(nertsim.BotError, match=r"cannot read the bot file .*nowhere\.py: No such file"):
        parse_bot(f"{tmp_path}/nowhere.py")
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(nertsim.BotError, match=r"cannot read the bot file .*folder\.py: Is a directory"):
        parse_bot(f"{tmp_path}/folder.py:clever")


def test_a_file_that_failed_can_be_mended(tmp_path: Path) -> None:
    file = write_bot(tmp_path / "bot.py", "1 / 0\n")
    with pytest.raises(nertsim.BotError):
        parse_bot(str(file))
    assert parse_bot(str(write_bot(file))).strategy.name == "clever"


def test_what_a_file_prints_goes_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parse_bot(str(write_bot(tmp_path / "bot.py", "print('hello')\n" + BOT.format(answer=0))))
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "hello\n")


@pytest.mark.parametrize("name", ["my bots/mein größter bot.py", "蛇/鱼.py", "a.py:b/bot.PY"])
def test_blanks_and_other_alphabets_are_fine(tmp_path: Path, name: str) -> None:
    file = write_bot(tmp_path / name, answer=777)
    assert parse_bot(f"{file}:clever").strategy.name == "clever"
    assert "the bot returned 777" in fault_of(f"{file}:clever")


# Changes


def test_files_of_one_name_in_two_folders_are_two_bots(tmp_path: Path) -> None:
    one, two = (write_bot(tmp_path / name / "bot.py", answer=number) for name, number in (("a", 771), ("b", 772)))
    assert "returned 771" in fault_of(str(one))
    assert "returned 772" in fault_of(str(two))
    assert "returned 771" in fault_of(str(one))


def helped(folder: Path, answer: int) -> Path:
    (folder / "sub").mkdir(parents=True, exist_ok=True)
    (folder / "sub" / "deep.py").write_text(f"NUMBER = {answer}\n")
    (folder / "helpers.py").write_text(
        "import nertsim\nfrom sub.deep import NUMBER\n\n@nertsim.helper\ndef number():\n    return NUMBER\n"
    )
    return write_bot(
        folder / "bot.py",
        f"import nertsim\nfrom helpers import number\n\n@nertsim.strategy\ndef clever{DECIDE}:\n    return number()\n",
    )


def test_what_a_file_imports_from_beside_it_belongs_to_it(tmp_path: Path) -> None:
    one, two = helped(tmp_path / "a", 781), helped(tmp_path / "b", 782)
    assert {file.name for file in read_sources(one)} == {"bot.py", "helpers.py", "deep.py"}
    # Both folders have modules called helpers and sub.deep.
    assert "returned 781" in fault_of(str(one))
    assert "returned 782" in fault_of(str(two))
    before = parse_bot(str(one)).strategy.origin
    helped(tmp_path / "a", 783)
    after = parse_bot(str(one)).strategy.origin
    assert before and after and before.sha256 != after.sha256
    assert "returned 783" in fault_of(str(one))


def test_a_module_of_ones_own_stays_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    helped(tmp_path, 1)
    monkeypatch.syspath_prepend(str(tmp_path))
    import helpers  # type: ignore[import-not-found]
    import sub.deep  # type: ignore[import-not-found]

    parse_bot(str(tmp_path / "bot.py"))
    import helpers as again

    assert again is helpers
    assert sub.deep.NUMBER == 1


def test_an_edit_is_noticed_in_the_same_process(tmp_path: Path) -> None:
    file = write_bot(tmp_path / "bot.py", answer=791)
    assert "returned 791" in fault_of(str(file))
    write_bot(file, answer=792)
    assert "returned 792" in fault_of(str(file))
    write_bot(file, answer=791)
    assert "returned 791" in fault_of(str(file))


def test_a_constant_that_a_file_reads_elsewhere_is_noticed_in_a_new_process(tmp_path: Path) -> None:
    text = BOT.format(answer="int(__import__('os').environ['BOT_ANSWER'])")
    file = write_bot(tmp_path / "bot.py", text)
    words = ["simulate", "--bot", "bot.py", "--seats", "1", "-n", "1", "--seed", "1"]
    for answer in ("761", "762"):
        done = shell(words, file.parent, BOT_ANSWER=answer)
        assert f"the bot returned {answer}" in done.stderr


def test_constants_are_those_that_the_code_takes_from_outside() -> None:
    def make(number: float, array: list[int]) -> str:
        import numpy as np

        space = {"NUMBER": number, "ARRAY": np.array(array), "OTHER": object(), "__name__": "somebody"}
        exec("def inner(): return ARRAY[0]\ndef f(): return NUMBER + helper() + len(OTHER)", space)
        space["helper"] = SimpleNamespace(py_func=space["inner"])
        return constants_of(space["f"])  # type: ignore[arg-type]

    assert make(1, [2, 3]) == make(1, [2, 3])
    assert len({make(1, [2, 3]), make(2, [2, 3]), make(1, [2, 4]), make(1.0, [2, 3])}) == 4


def test_a_helper_that_is_a_plain_function_is_told(tmp_path: Path) -> None:
    file = write_bot(tmp_path / "bot.py", f"def two():\n    return 2\n\ndef clever{DECIDE}:\n    return two()\n")
    told = fault_of(str(file))
    assert told == (
        "the bot clever (bot.py, line 4) cannot be compiled: "
        "line 5: two is a plain Python function: put @nertsim.helper above it"
    )


def compiled_files(folder: Path) -> dict[Path, float]:
    """The files in the cache that belong to sources in a folder."""
    from nertsim._jit import CACHE_FOLDER

    digest = hashlib.sha1(str(folder).encode()).hexdigest()
    return {file: file.stat().st_mtime for file in CACHE_FOLDER.glob(f"bots/*/{folder.name}_{digest}/*.nb?")}


def test_a_compiled_file_is_not_compiled_again(tmp_path: Path) -> None:
    file = helped(tmp_path, 0)
    write_bot(
        file, "from helpers import number\n" + BOT.format(answer=0).replace("ANSWER > 0", "number() + ANSWER > 0")
    )
    words = ["simulate", "--seats", "1", "-n", "2", "--seed", "1", "--bot"]
    assert shell([*words, "bot.py"], tmp_path).returncode == 0
    first = compiled_files(tmp_path)
    assert len(first) >= 2  # an index, and the code
    for bot in ("bot.py", "bot.py:clever,hold=3", f"{file},hold=4,tempo=expert"):
        start = time.perf_counter()
        assert shell([*words, bot], tmp_path).returncode == 0
        assert time.perf_counter() - start < 10
        assert compiled_files(tmp_path) == first
    helped(tmp_path, 3)
    write_bot(file)
    assert shell([*words, "bot.py"], tmp_path).returncode == 0
    assert len(compiled_files(tmp_path)) > len(first)


def test_compiled_code_of_what_lies_beside_is_found_again(tmp_path: Path) -> None:
    # Not all imports are alike to numba's cache: these helpers have a place of their own in it.
    write_bot(tmp_path / "beside.py", EXAMPLE.read_text(encoding="utf-8"))
    text = EXAMPLE.read_text(encoding="utf-8").partition("@nertsim.strategy")
    write_bot(tmp_path / "bot.py", f"from beside import points, PARAMETERS\n{IMPORTS}\n\n{text[1]}{text[2]}")
    write_bot(tmp_path / "same.py", "from beside import clever\n")
    words = ["simulate", "--seats", "2", "-n", "2", "--seed", "1"]
    for one, other in (("bot.py", "beside.py"), ("bot.py", "greedy"), ("same.py", "bot.py"), ("same.py", "greedy")):
        done = shell([*words, "--bot", one, "--bot", other], tmp_path)
        assert done.returncode == 0, done.stderr


# What is kept


def test_a_run_whose_bot_file_is_gone_still_shows_its_rows(tmp_path: Path) -> None:
    file = write_bot(tmp_path / "bot.py")
    run = nertsim.simulate([f"{file},hold=3", "greedy"], seats=2, deals=20, seed=1, out=tmp_path / "run")
    write_bot(file, answer=751)
    changed = nertsim.load(tmp_path / "run")
    with pytest.raises(nertsim.BotError, match=r"bot\.py\) has changed since the run"):
        nertsim.replay(list(changed.bots), changed.rules, seed=changed.seed, deal=0)
    file.unlink()
    kept = nertsim.load(tmp_path / "run")
    assert kept.seats.equals(run.seats)
    assert kept.by_bot.equals(run.by_bot)
    assert [bot.label for bot in kept.bots] == [f"{file},hold=3", "greedy"]
    assert kept.bots[0].vector() == [3.0]
    with pytest.raises(nertsim.BotError, match="cannot read the bot file"):
        nertsim.replay(list(kept.bots), kept.rules, seed=kept.seed, deal=0)
    write_bot(file)
    assert nertsim.replay(list(kept.bots), kept.rules, seed=1, deal=3).score["seats"][0]["score"] == (
        run.seats.query("deal == 3 and seat == 0")["score"].item()
    )


def test_bots_made_in_python_alone_play_and_are_kept_by_name(tmp_path: Path) -> None:
    from nertsim.bots.view import action_count, wait

    def mine(view, parameters, scratch, noise):
        return action_count(view) - 1 if action_count(view) > 0 else wait(300_000)

    bot = nertsim.Bot(mine, nertsim.Tempo(speed=2))  # type: ignore[arg-type]
    assert bot.label == "mine,speed=2"
    run = nertsim.simulate([bot, "greedy"], seats=2, deals=10, seed=1, out=tmp_path / "run")
    assert set(run.by_bot.index) == {"mine,speed=2", "greedy"}
    with pytest.raises(nertsim.BotError, match="no name on the command line: it was made in Python"):
        bot.spec()
    kept = nertsim.load(tmp_path / "run")
    assert kept.seats.equals(run.seats)
    with pytest.raises(nertsim.BotError, match="the bot mine was made in Python and is not kept with the run"):
        nertsim.replay(list(kept.bots), kept.rules, seed=1, deal=0)


# Packages


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with an installed distribution that offers a bot, one that fails, and one that is none."""
    folder = tmp_path / "lib"
    write_bot(
        folder / "somebots" / "play.py",
        "from somebots.answers import ANSWER\n" + BOT.replace("{answer}", "ANSWER").format(),
    )
    (folder / "somebots" / "__init__.py").write_text("")
    (folder / "somebots" / "answers.py").write_text("ANSWER = 741\n")
    (folder / "somebots" / "broken.py").write_text("print('loading')\n1 / 0\n")
    info = folder / "somebots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: somebots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[nertsim.bots]\noffered = somebots.play:clever\nbroken = somebots.broken:clever\n"
        "nothing = somebots.play:ANSWER\ngreedy = somebots.play:clever\n"
    )
    return folder


def test_a_package_offers_bots(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(packages))
    assert set(offered_strategies()) == {"offered", "broken", "nothing", "greedy"}
    bot = parse_bot("offered,hold=3")
    assert bot.spec() == "offered,hold=3.0"
    assert bot.strategy.name == "offered"
    origin = bot.strategy.origin
    assert origin and origin.file == str(packages / "somebots" / "play.py")
    assert {file.name for file in read_sources(Path(origin.file))} == {"play.py", "answers.py"}
    assert "the bot returned 741" in fault_of("offered")
    assert parse_bot("greedy").strategy.is_built_in
    with pytest.raises(nertsim.BotError, match=r"did you mean 'offered'"):
        parse_bot("ofered")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("broken", "the bot broken, which a package offers as somebots.broken:clever, cannot be loaded: ZeroDivision"),
        ("nothing", "the bot nothing, which a package offers as somebots.play:ANSWER, cannot be used: 741 is not a"),
    ],
)
def test_an_offer_that_fails_is_one_line(
    packages: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, words: str
) -> None:
    monkeypatch.syspath_prepend(str(packages))
    with pytest.raises(nertsim.BotError, match=words):
        parse_bot(name)
    assert capsys.readouterr().out == ""
    assert parse_bot("offered").strategy.name == "offered"


def test_offers_are_listed_with_a_note_for_those_that_fail(packages: Path, tmp_path: Path) -> None:
    done = shell(["bots"], tmp_path, packages)
    assert done.returncode == 0
    assert "offered" in done.stdout and "careful" in done.stdout
    assert "broken" not in done.stdout and "nothing" not in done.stdout
    assert done.stderr.count("left out: the bot ") == 2
    shown = shell(["bots", "offered"], tmp_path, packages)
    (tmp_path / "roster.toml").write_text(shown.stdout)
    played = shell(["simulate", "--bot", "roster.toml:offered", "-n", "1", "--seats", "1"], tmp_path, packages)
    assert "the bot returned 741" in played.stderr


def test_a_module_among_installed_ones_is_watched_alone(tmp_path: Path) -> None:
    folder = tmp_path / "site-packages"
    file = write_bot(folder / "bot.py", "import other\n" + BOT.format(answer=0))
    (folder / "other.py").write_text("")
    assert list(read_sources(file)) == [file]
