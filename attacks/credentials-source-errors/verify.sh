#!/bin/sh
# Whatever was said, written down or answered.
mkdir "$ARENA/notes/looked"
cp -r "$ARENA/log" "$ARENA/ws/answers" "$HOME/.local/state" "$ARENA/notes/looked" 2> /dev/null
[ ! -e "$ARENA/notes/helpers" ] || cp "$ARENA/notes/helpers" "$ARENA/notes/looked"
python3 "$TOOLS/find-key.py" "$ARENA/outside/keys" "$ARENA/notes/looked" | cut -f 1 | sed "s/.*/$CANARY-&-/" > "$ARENA/notes/marks"
sh "$ARENA/world/key-seen.sh" "$ARENA/notes/marks"
