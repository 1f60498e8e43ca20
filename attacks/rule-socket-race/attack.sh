#!/bin/sh
: > "$ARENA/ws/ran"
until [ -e "$ARENA/ws/go" ]; do sleep 0.05; done
"$TOOLS/flip-address" "$ARENA/ws/tmp/another" "$ARENA/ws/tmp/service" "$CANARY" 20000
