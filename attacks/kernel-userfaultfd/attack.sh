#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/fault" > loot
