#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in deaf) trap '' TERM HUP INT; sleep $((8 * SLOWNESS)) & wait ;; *) sleep $((3 * SLOWNESS)) ;; esac
echo "$CANARY" > loot
