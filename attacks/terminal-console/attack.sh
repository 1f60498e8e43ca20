#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/terminal" linux > loot
