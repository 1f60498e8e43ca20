#!/bin/sh
: > "$ARENA/ws/ran"
text=$(cat "/proc/$$/fd/1")
echo "$text" > loot
