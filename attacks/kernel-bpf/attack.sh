#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/bpf" "$CANARY" > loot
