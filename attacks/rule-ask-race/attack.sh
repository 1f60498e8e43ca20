#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/flip" read "$PWD/plain.txt" "$PWD/asked/file" 100000 | sort -u > loot
