#!/bin/sh
set -eu
"$TOOLS/listen" stream "$ARENA/outside/service" "$ARENA/heard" > /dev/null
