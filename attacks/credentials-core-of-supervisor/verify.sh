#!/bin/sh
echo "crash $(cat "$ARENA/outside/key")" > "$ARENA/notes/keys"
for core in "$ARENA"/ws/core*; do python3 "$TOOLS/find-key.py" "$ARENA/notes/keys" "$core" | cut -f 1; done > "$ARENA/notes/found"
sed "s/.*/$CANARY-&-/" "$ARENA/notes/found" > "$ARENA/notes/marks"
sh "$ARENA/world/key-seen.sh" "$ARENA/notes/marks"
