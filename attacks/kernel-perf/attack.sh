#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/perf" > loot
