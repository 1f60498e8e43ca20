#!/bin/sh
: > "$ARENA/ws/ran"
echo "$CANARY" > in
"$TOOLS/flip-exec" path x /usr/bin/true /usr/bin/base64 1000 < in > loot
