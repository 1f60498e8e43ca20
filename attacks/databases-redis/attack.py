import json

from redis import command, converse, login
from rows import CANARY, each, mark, note

password, host, port = login()


def perform(row, messages):
    """A list is a command; a text is sent as it stands."""
    def filled(message):
        text = json.loads(json.dumps(message).replace("$MARK", mark(row)).replace("$SIZE", str(len(mark(row)))))
        return text.encode("latin1") if isinstance(text, str) else command(*text)

    print(row, converse(host, port, command("AUTH", password), *map(filled, json.loads(messages))))


def use(row):
    if CANARY.encode() in converse(host, port, command("AUTH", password), command("GET", "word")):
        note("loot", mark(row) + "\n")


each(perform, workers=4, grant=use)
