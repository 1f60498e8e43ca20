#!/bin/sh
: > "$ARENA/ws/ran"
"$TOOLS/reach" "$CASE" "@$CANARY" "$CANARY"
