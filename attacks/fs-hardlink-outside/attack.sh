#!/bin/sh
: > "$ARENA/ws/ran"
ln "$ARENA/outside/notes" notes && echo "$CANARY" >> notes
