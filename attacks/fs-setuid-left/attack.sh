#!/bin/sh
: > "$ARENA/ws/ran"
if [ "$CASE" = chmod ]; then cp /bin/true tool; chmod 4755 tool; else "$TOOLS/setuid" "$CASE" tool; fi
