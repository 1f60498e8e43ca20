#!/bin/sh
: > "$ARENA/ws/ran"
setsid sh -c "setsid sh -c 'while :; do echo x >> beat; sleep 0.05; done' > /dev/null 2>&1 &" > /dev/null 2>&1 &
sleep 0.2
