#!/bin/sh
: > "$ARENA/ws/ran"
SECRET="$CANARY-ROW-" $CODE perform "$ARENA/scripts/rows.tsv" > "$ARENA/ws/loot"
