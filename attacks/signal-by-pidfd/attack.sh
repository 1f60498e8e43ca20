#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/pidfd" kill "$(cat victim)"
