#!/bin/sh
: > "$ARENA/ws/ran"
case $CASE in deaf) trap '' TERM HUP INT; sleep 8 & wait ;; *) sleep 3 ;; esac
echo "$CANARY" > loot
