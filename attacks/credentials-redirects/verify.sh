#!/bin/sh
# The first request holds the mark as well: what counts is the one that follows.
grep -av -e "GET /to/" -e ":path.*/to/" "$ARENA/world/heard" > "$ARENA/notes/followed"
sh "$ARENA/world/key-seen.sh" "$ARENA/notes/followed"
