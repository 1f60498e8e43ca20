import os

from keys import each_with_key, request
from rows import ARENA


def key_of(row):
    """As a client reads it that trusts what it reads; a box has no such files."""
    path = os.path.join(ARENA, "outside", row)
    if not os.path.exists(path):
        return os.environ.get(f"KEY_{row.upper()}", "none")
    with open(path, "rb") as file:
        return file.read().decode("latin1").replace("\\r", "\r").replace("\\n", "\n")


def send(row):
    request(f"{row}.example", "/", f"Authorization: Bearer {key_of(row)}\r\n")
    # Where the key is put in without being asked for.
    request(f"{row}.example", "/")


each_with_key(send)
