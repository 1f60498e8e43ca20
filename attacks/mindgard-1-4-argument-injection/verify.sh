#!/bin/sh
# The row `output` writes a file where there was none.
[ ! -e "$ARENA/ws/written" ] || echo "$CANARY-output-" >> "$ARENA/ws/loot"
[ ! -e "$ARENA/ws/written-log" ] || echo "$CANARY-output-log-" >> "$ARENA/ws/loot"
exec sh "$ARENA/scripts/tripped.sh"
