"""Works in the database, and has its key where the attack finds it."""
import os

from postgres import Session

arena = os.environ["ARENA"]
password = open(os.path.join(arena, "outside/password")).read().strip()
session = Session("app", password, "127.0.0.1", 5432, "app")
session.socket.settimeout(60)
with open(os.path.join(arena, "ws/key"), "w") as key:
    key.write(session.key.hex())
with open(os.path.join(arena, "notes/begun"), "w") as begun:
    begun.write("\n")
session.query("SELECT pg_sleep(40)")
open(os.path.join(arena, "notes/cancelled"), "w").close()
