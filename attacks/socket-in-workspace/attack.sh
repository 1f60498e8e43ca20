#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/reach" "$CASE" "$ARENA/ws/tmp/service" "$CANARY"
