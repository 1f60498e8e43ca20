#!/bin/sh
set -eu
"$TOOLS/listen" stream "$ARENA/run/service" "$ARENA/heard" > /dev/null
