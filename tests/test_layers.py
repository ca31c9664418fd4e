"""The layering of the package: who may import whom, and what must not be loaded for help."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "nertsim"

LAYERS = (
    ("errors", "values", "cards", "codes", "rules", "presets", "tempo", "guard"),
    ("_jit",),
    ("engine",),
    ("bots",),
    ("commands",),
    ("dealer",),
    (
        "executors",
        "stopping",
        "plans",
        "batch",
        "cluster",
        "resume",
        "stats",
        "totals",
        "tables",
        "summary",
        "run",
        "parts",
        "sinks",
        "store",
        "simulate",
        "replay",
        "check",
    ),
    ("experiments", "report"),
    ("cli",),
)
"""Lowest first. A module imports only its own layer and lower ones; the package itself and __main__ stand apart."""

ONLY_IN = {
    "numba": ("_jit",),
    "pandas": ("tables", "stats", "experiments", "report"),
    "pyarrow": ("parts",),
    "scipy": ("stats", "experiments"),
    "click": ("cli",),
    "rich": ("cli",),
    "distributed": ("cluster",),
    "matplotlib": ("report",),
    "jinja2": ("report",),
    "markupsafe": ("report",),
    "cmaes": ("experiments",),
}
HEAVY = ("numba", "numpy", "pandas", "pyarrow", "rich", "scipy")


def modules() -> list[str]:
    names = []
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return [name for name in names if name not in ("", "__main__")]


def source(module: str) -> ast.Module:
    file = PACKAGE.joinpath(*module.split("."))
    path = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(module: str, while_loading: bool = False) -> set[str]:
    """Full names that a module imports, anywhere in its text or only while it is loaded."""
    found: set[str] = set()
    todo: list[ast.AST] = list(source(module).body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif while_loading and is_not_run(node):
            continue
        else:
            todo += list(ast.iter_child_nodes(node))
    return found


def is_not_run(node: ast.AST) -> bool:
    """True for what loading a module does not execute: functions, and imports for the type checker."""
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def layer(module: str) -> int:
    top = module.split(".")[0]
    for number, members in enumerate(LAYERS):
        if top in members:
            return number
    raise AssertionError(f"nertsim/{top} is in no layer: give it one in {__file__}")


def inside(name: str, known: set[str]) -> str | None:
    """The module of the package that a full name belongs to."""
    words = name.split(".")[1:]
    while words:
        if ".".join(words) in known:
            return ".".join(words)
        words.pop()
    return None


@pytest.mark.parametrize("module", modules())
def test_a_layer_imports_only_lower_ones(module: str) -> None:
    known = set(modules())
    for name in imports(module):
        target = inside(name, known) if name.startswith("nertsim.") else None
        if target is not None:
            assert layer(target) <= layer(module), f"{module} imports {target}"


@pytest.mark.parametrize("module", modules())
def test_libraries_are_imported_only_where_they_belong(module: str) -> None:
    for name in imports(module):
        library = name.split(".")[0]
        assert module.split(".")[0] in ONLY_IN.get(library, (module.split(".")[0],)), f"{module} imports {name}"


def test_imports_have_no_circle() -> None:
    known = set(modules())
    waiting = {
        module: {target for name in imports(module, while_loading=True) if (target := inside(name, known))} - {module}
        for module in known
    }
    while waiting:
        free = [module for module, targets in waiting.items() if not targets & waiting.keys()]
        assert free, f"these import each other: {sorted(waiting)}"
        for module in free:
            del waiting[module]


@pytest.mark.parametrize(
    "code",
    [
        "import nertsim",
        "import nertsim; nertsim.Rules, nertsim.Tempo, nertsim.Bot, nertsim.UsageError",
        "from nertsim.cli import main; main(['--help'], standalone_mode=False)",
        "from nertsim.cli import main; main(['simulate', '--help'], standalone_mode=False)",
        "from nertsim.cli import main; main(['match', '--help'], standalone_mode=False)",
        "from nertsim.cli import main; main([], standalone_mode=False)",
        "from nertsim.bots.spec import parse_bot; parse_bot('greedy,tempo=expert')",
    ],
)
def test_nothing_heavy_is_loaded_for(code: str) -> None:
    check = f"{code}\nimport sys\nprint('loaded:', [name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded: []"


def test_an_unknown_bot_is_told_before_numba_is_loaded() -> None:
    check = (
        "import sys, nertsim\n"
        "try: nertsim.simulate('gredy')\n"
        "except nertsim.BotError as error: print(error, 'numba' in sys.modules, 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert "did you mean 'greedy'?" in done.stdout
    assert done.stdout.split()[-2:] == ["False", "False"]


@pytest.mark.parametrize("name", ["simulate", "replay"])
def test_a_function_is_not_hidden_by_the_module_of_its_name(name: str) -> None:
    check = f"import importlib, nertsim; importlib.import_module('nertsim.{name}'); print(callable(nertsim.{name}))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"]


def test_all_public_names_can_be_reached() -> None:
    import nertsim

    for name in nertsim.__all__:
        assert getattr(nertsim, name) is not None
    assert nertsim.__version__
    with pytest.raises(AttributeError):
        _ = nertsim.nothing
