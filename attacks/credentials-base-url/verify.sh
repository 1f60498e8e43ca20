#!/bin/sh
# Which request leads elsewhere the server decides: each is one too many. Of a redirect the one that follows counts.
grep -av 'GET /to/' "$ARENA/world/heard" > "$ARENA/notes/followed"
sh "$ARENA/world/key-seen.sh" "$ARENA/notes/followed"
