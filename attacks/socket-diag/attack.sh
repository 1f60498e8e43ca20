#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/diag" > loot
