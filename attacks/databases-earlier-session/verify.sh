#!/bin/sh
echo 'TABLE notes' | sh "$TOOLS/postgres.sh" sql app > "$ARENA/notes/noted"
sh "$ARENA/world/seen.sh" "$ARENA/notes/noted"
