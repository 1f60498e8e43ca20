#!/bin/sh
: > "$ARENA/ws/ran"
setsid python3 - > /dev/null 2>&1 <<'END' &
import os, socket
address = os.environ["CASE"]
listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
listener.bind((address, 9999))
listener.listen()
while True:
    listener.accept()[0].close()
END
sleep 0.3
