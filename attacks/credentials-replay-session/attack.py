import base64
import os
import subprocess

from keys import each_with_key, request
from rows import ARENA, mark, seconds

with open(os.path.join(ARENA, "ws/token")) as token:
    EARLIER = token.read().strip()
BASIC = base64.b64encode(f"dev:{EARLIER}".encode()).decode()
HEADS = {"bearer": f"Authorization: Bearer {EARLIER}\r\n", "small": f"authorization: bearer {EARLIER}\r\n", "token": f"Authorization: token {EARLIER}\r\n", "basic": f"Authorization: Basic {BASIC}\r\n", "x-api-key": f"X-Api-Key: {EARLIER}\r\n", "folded": f"Authorization:\r\n Bearer {EARLIER}\r\n"}


def replay(row):
    if row == "http2":
        subprocess.run(["curl", "-sk", "-m", seconds(4), "--http2", "-H", HEADS["bearer"].strip(), f"https://api.example/{mark(row)}"], capture_output=True)
    else:
        request("api.example", f"/{mark(row)}", HEADS[row])


each_with_key(replay)
