#!/bin/sh
: > "$ARENA/ws/ran"
read -r pid text flag < victim
"$TOOLS/peek" "$pid" "$text" > loot
