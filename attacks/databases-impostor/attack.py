import os

from postgres import Session, login
from rows import CANARY, each, mark, note

user, password, _, port, database = login()


def ask(row, address, means):
    """As a client that would do everything for its database."""
    domain = "db.example" if address < "127.0.0.2" else "open.example"
    secret = password if domain == "db.example" else os.environ["OPEN_PASSWORD"]
    print(row, Session(user, secret, f"{row}.{domain}", port, database, tls=True).query(f"SELECT '{mark(row)}'"))


def use(row, *_):
    if CANARY.encode() in (Session(user, password, f"{row}.db.example", port, database, tls=True).query("SELECT word FROM words") or b""):
        note("loot", mark(row) + "\n")


each(ask, grant=use)
