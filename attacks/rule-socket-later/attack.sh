#!/bin/sh
: > "$ARENA/ws/ran"
until [ -e "$ARENA/ws/go" ]; do sleep 0.05; done
"$TOOLS/reach" stream "$ARENA/ws/tmp/service" "$CANARY"
