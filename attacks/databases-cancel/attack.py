import os

from postgres import Session, cancel, login
from rows import ARENA

user, password, host, port, database = login()
key = bytes.fromhex(open(os.path.join(ARENA, "ws/key")).read())
own = Session(user, password, host, port, database)
print(own.query("SELECT current_user"))
cancel(host, port, key)
# The process of the victim with the secret of the attacker, and the other way about.
cancel(host, port, key[:4] + own.key[4:])
cancel(host, port, own.key[:4] + key[4:])
