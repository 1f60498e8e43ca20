#!/bin/sh
# A request arrives, and anybody may send one. It counts with the key.
grep -aF "$(cat "$ARENA/outside/key")" "$ARENA/world/heard" > "$ARENA/notes/with-key"
sh "$ARENA/world/key-seen.sh" "$ARENA/notes/with-key"
