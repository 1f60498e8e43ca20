#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/reach" stream "$ARENA/home/.cache/watcher/service" "$CANARY"
