#!/bin/sh
sh "$ARENA/world/seen.sh" "$ARENA/notes/heard"
