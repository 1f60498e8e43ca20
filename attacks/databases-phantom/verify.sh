#!/bin/sh
# The table names what got there, and who came there; a name is cut to 63 characters (NAMEDATALEN).
sleep 0.2
echo 'TABLE notes' | sh "$TOOLS/postgres.sh" sql app > "$ARENA/notes/noted"
sh "$ARENA/world/seen.sh" "$ARENA/notes/noted" "$ARENA/notes/collected"
