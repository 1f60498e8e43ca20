#!/bin/sh
grep -a '^request ' "$ARENA/world/heard" > "$ARENA/notes/complete"
sh "$ARENA/world/key-seen.sh" "$ARENA/notes/complete"
