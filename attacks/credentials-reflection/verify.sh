#!/bin/sh
cd "$ARENA/ws/shown" || exit
echo "api $(cat "$ARENA/outside/key")" > "$ARENA/notes/keys"
python3 "$TOOLS/find-key.py" "$ARENA/notes/keys" * | cut -f 2 > "$ARENA/notes/shown"
sed "s/.*/$CANARY-&-/" "$ARENA/notes/shown" > "$ARENA/notes/marks"
sh "$ARENA/world/key-seen.sh" "$ARENA/notes/marks"
