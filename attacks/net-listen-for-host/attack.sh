#!/bin/sh
: > "$ARENA/ws/ran"
python3 - <<'END'
import os, socket
address = os.environ["CASE"]
listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
listener.bind((address, 8000))
listener.listen()
listener.settimeout(0.8)
open(os.environ["ARENA"] + "/ws/ready", "w").close()
with listener.accept()[0] as client, open(os.environ["ARENA"] + "/ws/loot", "wb") as out:
    out.write(client.recv(100))
END
