#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" > in
case "$CASE" in
  system) exec "$ARENA/tools/flip-exec" path x /usr/bin/true /usr/bin/base64 1000 < in > loot ;;
  copy) exec "$ARENA/tools/flip-exec" path x /usr/bin/true ./copy 1000 < in > loot ;;
esac
exec /usr/bin/python3 -c '
import os, sys
made = os.memfd_create("x", 0)
os.write(made, open("copy", "rb").read())
os.dup2(made, 9)
os.execv(sys.argv[1], sys.argv[1:])
' "$ARENA/tools/flip-exec" path x /usr/bin/true /proc/self/fd/9 1000 < in > loot
