#!/bin/sh
set -eu
"$TOOLS/listen" stream "@$CANARY" "$ARENA/heard" > /dev/null
