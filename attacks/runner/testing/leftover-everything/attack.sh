#!/bin/sh
# Succeeds only in the control, so that nothing but what it leaves speaks against the second run.
: > "$ARENA/ws/ran"
[ -n "$PROTECTED" ] || echo "$CANARY" > loot
[ -z "$PROTECTED" ] || { mkfifo "$ARENA/outside/fifo"; : > ghost; (sleep 30 &) ; }
