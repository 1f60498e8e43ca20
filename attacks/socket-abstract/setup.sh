#!/bin/sh
set -eu
"$TOOLS/listen" "$([ "$CASE" = stream ] && echo stream || echo dgram)" "@$CANARY" "$ARENA/heard" > /dev/null
