#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/reach" stream "$ARENA/outside/service" "$CANARY"
