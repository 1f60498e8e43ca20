#!/bin/sh
: > "$ARENA/ws/ran"
echo harmless > allowed; echo "$CANARY" > refused
"$TOOLS/flip-exec" word /usr/bin/od allowed refused 3000 > loot
