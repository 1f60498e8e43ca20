#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/terminal" "$CASE" "touch $ARENA/outside/pwned
"
