#!/bin/sh
exec sh "$ARENA/world/seen.sh" "$ARENA/world/heard" "$ARENA/notes/service"
