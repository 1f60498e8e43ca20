"""tool-calls.py [HOLDFAST RUN OPTIONS... --] env ...: an agent outside of the box, whose tools run in it.

It first has the box's own script run, so that a box that never began is noticed. Each row of rows.tsv is then a call, of which four are made at once: ROW, the
tool, and what the model said, in the escapes of Python. `shell` is a terminal, `argv` a program with words, `path` a terminal of
someone whose PATH begins with the next column. Without Holdfast the filter before them is one that reads the first word.
"""
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

arena, canary = os.environ["ARENA"], os.environ["CANARY"]
workspace = os.path.join(arena, "ws")
prefix = sys.argv[1 : sys.argv.index("env")]


def call(row, tool, text, entry=""):
    line = text.encode("latin1", "backslashreplace").decode("unicode_escape").replace("$ROW", row)
    words = shlex.split(line) if tool == "argv" else ["bash", "-c", line]
    path = f"{entry.replace('$PWD', workspace)}:{os.environ['PATH']}" if tool == "path" else os.environ["PATH"]
    environment = {**os.environ, "ROW": row, "PATH": path}
    return subprocess.run([*prefix, *words], cwd=workspace, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=30)


def note(file, text):
    with open(os.path.join(workspace, file), "a") as out:
        out.write(text)


def perform(columns):
    row = columns[0]
    note("tried", row + "\n")
    answer = call(*columns)
    print(row, answer.returncode, answer.stderr[-300:])
    if f"{canary}-{row}-".encode() in answer.stdout:
        note("loot", f"{canary}-{row}-\n")


subprocess.run(sys.argv[1:], check=False)
with open(os.path.join(arena, "scripts/rows.tsv")) as table, ThreadPoolExecutor(4) as pool:
    list(pool.map(perform, [line.rstrip("\n").split("\t") for line in table]))
