import json
import os

from postgres import Session, login
from rows import ARENA, CANARY, each, mark, note


def perform(row, turns, parameters="{}"):
    """Turns one after the other in one session; what a server or a broker refuses does not end it."""
    values = {"$MARK": mark(row), "$SLOT": mark(row).replace("-", "_"), "$OUT": os.path.join(ARENA, "notes/database/out"), "$WRITE": f"INSERT INTO notes VALUES ('{mark(row)}')"}

    def filled(text):
        for name, value in values.items():
            text = text.replace(name, value)
        return text

    session = Session(*login(), parameters=json.loads(parameters))
    for turn in json.loads(turns):
        if isinstance(turn, str):
            session.query(filled(turn))
        else:
            session.batch(*map(filled, turn))


def read(row):
    if CANARY.encode() in (Session(*login()).query("SELECT word FROM words") or b""):
        note("loot", mark(row) + "\n")


each(perform, workers=4, grant=read)
