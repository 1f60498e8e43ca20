#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/sigio" "$(cat victim)"
