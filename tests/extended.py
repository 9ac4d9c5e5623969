"""The package with further characters, as somebody who adds them leaves it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def extend(folder, characters):
    """Copy the package to *folder* and add *characters*, the text of a file by name: one new file and one appended name each."""
    for package in ("simcore", "cli"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    place = folder / "simcore" / "games" / "eidex" / "characters"
    index = place / "__init__.py"
    text = index.read_text(encoding="utf-8")
    assert text.count('    "sphinx",\n') == 1
    names = "".join(f'    "{name}",\n' for name in characters)
    index.write_text(text.replace('    "sphinx",\n', f'    "sphinx",\n{names}'), encoding="utf-8")
    for name, source in characters.items():
        (place / f"{name}.py").write_text(source, encoding="utf-8")


def run_python(folder, *arguments, **environment):
    """Output of Python with the package of *folder*."""
    environment = os.environ | {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONUTF8": "1"} | environment
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout
