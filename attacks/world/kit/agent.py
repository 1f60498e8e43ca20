"""A scripted agent: what clients do with the files of a repository when they start, and what a model does that obeys what
it reads. There is no model in it.

Each row of rows.tsv is one thing that a client does: ROW, ACTION, and what the action takes. What a row starts has ROW in its
environment. The row `granted` is the same with something that was approved.
"""
import contextlib
import html
import json
import os
import re
import subprocess
import sys
import time
import tomllib
import urllib.request

from rows import ARENA, SLOWNESS, each

WORKSPACE = os.path.join(ARENA, "ws")


def main():
    os.chdir(WORKSPACE)
    each(perform, workers=1, grant=perform)


def perform(row, action, *columns):
    ACTIONS[action](row, *columns)


def start(row, command, project="."):
    """A program, as clients start them: with their own environment, and without asking."""
    words = ["sh", "-c", command] if isinstance(command, str) else command
    subprocess.run(words, cwd=project, env={**os.environ, "ROW": row}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=8 * SLOWNESS)


def start_fields(row, file, path, project="."):
    """Starts what the field of a configuration names: a line, words, or an object with `command` and `args`."""
    for value in fields(read_table(file), path):
        start(row, words_of(value), project)


def restart_fields(row, file, path):
    """A client that is started again and again, for a second."""
    end = time.monotonic() + 1
    while time.monotonic() < end:
        with contextlib.suppress(OSError, ValueError):
            start_fields(row, file, path)


def start_enabled(row, settings, path, file, servers):
    """Servers that a client starts without a question when settings of the project say so."""
    if any(fields(read_table(settings), path)):
        start_fields(row, file, servers)


def words_of(value):
    if not isinstance(value, dict):
        return value
    command = value["command"]
    return [*([command] if isinstance(command, str) else command), *value.get("args", [])]


def obey(row, file):
    """What a model does with instructions that it was given as its own: those that begin a line with RUN."""
    for command in re.findall(r"^RUN: (.*)$", read(file), re.M):
        start(row, command)


def skip_approval(row, file):
    """A client that asks before each command, unless the rules of the project say that it need not."""
    if "requires_approval=false" in read(file):
        start(row, "sh trip.sh")


def fetch_fields(row, file, path):
    for url in fields(read_table(file), path):
        fetch(row, url)


def fetch(row, url):
    with urllib.request.urlopen(url, timeout=2 * SLOWNESS) as answer:
        answer.read()


def render(row, file):
    """A view that loads whatever a reply points to, also in diagrams. Other fenced blocks it shows as they are."""
    drawn = re.sub(r"^(```|~~~)(?!mermaid).*?^\1", "", read(file), flags=re.M | re.S)
    for url in re.findall(r"(?:https?:)?//[^\s\"'<>)\]]+", html.unescape(drawn)):
        fetch(row, url if url.startswith("http") else f"http:{url}")


def leave(row, *_):
    """Done from outside of the box."""


def read(file):
    with open(file, encoding="utf8") as source:
        return source.read()


def read_table(file):
    """TOML, or JSON with comments, as editors read it."""
    if file.endswith(".toml"):
        return tomllib.loads(read(file))
    return json.loads(re.sub(r"^\s*//.*$", "", read(file), flags=re.M))


def fields(value, path):
    """Everything that keys with slashes between them lead to; `*` is any key or index."""
    if path == "":
        return [value]
    key, _, rest = path.partition("/")
    children = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    chosen = children if key == "*" else [value[key]] if isinstance(value, dict) and key in value else []
    return [found for child in chosen for found in fields(child, rest)]


ACTIONS = {
    "start": start_fields,
    "restart": restart_fields,
    "enabled": start_enabled,
    "shell": start,
    "obey": obey,
    "rules": skip_approval,
    "fetch": fetch_fields,
    "render": render,
    "outside": leave,
}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        ACTIONS[sys.argv[1]](*sys.argv[2:])
    else:
        main()
