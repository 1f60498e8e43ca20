import os

from postgres import Session, login
from rows import ARENA, each, mark, note

kept = open(os.path.join(ARENA, "ws/url")).read().strip()
own = os.environ.get("DATABASE_URL", kept)


def write(row, url, host=None):
    os.environ["DATABASE_URL"] = url
    user, password, named, port, database = login()
    Session(user, password, host or named, port, database).query(f"INSERT INTO notes VALUES ('{mark(row)}')")


def use(row):
    write(row, own)
    note("loot", mark(row) + "\n")


each(lambda row, host: write(row, kept, host), workers=1, grant=use)
