#!/bin/sh
: > "$ARENA/ws/ran"
read -r pid text flag < victim
"$TOOLS/pidfd" steal "$pid" 7 > loot
