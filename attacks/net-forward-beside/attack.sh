#!/bin/sh
: > "$ARENA/ws/ran"
exec python3 - <<'END'
import os, select, socket
ws = os.environ["ARENA"] + "/ws/"
listeners = []
for port in (80, 8080, 8081):
    listener = socket.socket(socket.AF_INET6)
    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.bind(("::", port))
    listener.listen()
    listeners.append(listener)
open(ws + "ready", "w").close()
while not os.path.exists(ws + "done"):
    for listener in select.select(listeners, [], [], 0.05)[0]:
        with listener.accept()[0] as client, open(ws + "loot", "ab", 0) as out:
            client.settimeout(0.5)
            out.write(client.recv(100))
END
