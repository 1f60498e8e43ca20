#!/bin/sh
# What was broken off on its way does not count: a server logs a request when all of it is there. An extension has the mark in itself.
grep -ae '^request ' -e ';note=' "$ARENA/world/heard" > "$ARENA/notes/complete"
sh "$ARENA/world/key-seen.sh" "$ARENA/notes/complete"
