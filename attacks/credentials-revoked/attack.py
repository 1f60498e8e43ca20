import os
import subprocess
import time

from keys import BEARER, request, tls, use_key
from rows import ARENA, each, mark, seconds, talk

# A connection that was opened, and used, before.
kept = tls("api.example")
kept.settimeout(2)
kept.sendall(f"GET /before HTTP/1.1\r\nHost: api.example\r\n{BEARER}\r\n".encode())
kept.recv(65536)
use_key("granted")
open(os.path.join(ARENA, "ws/used"), "w").close()
for _ in range(150):
    if os.path.exists(os.path.join(ARENA, "ws/revoked")):
        break
    time.sleep(0.1)


def use(row, way):
    if way == "kept":
        talk(kept, f"GET /{mark(row)} HTTP/1.1\r\nHost: api.example\r\n{BEARER}Connection: close\r\n\r\n", 3)
    elif way == "http2":
        subprocess.run(["curl", "-sk", "-m", seconds(4), "--http2", "-H", BEARER.strip(), f"https://api.example/{mark(row)}"], capture_output=True)
    else:
        request(way, f"/{mark(row)}", BEARER)


each(use, workers=1, grant=lambda row: None)
